"""What weak bots see of a game: a simpler one, with the same steps."""

from positions import random_positions

from kbai._fast import Step
from kbai.bots.protocol import View
from kbai.bots.sight import Sight
from kbai.bots.specs import make_bot
from kbai.game.setup import Setup
from kbai.game.steps import END, advance, next_steps, unpack_step

BLIND = Sight(tiles=False)


def test_without_tiles_the_same_other_steps_are_legal():
    count = 0
    for position in random_positions(18, 0.05):
        known = BLIND.known(position.legal())
        if len(known) > 1 and position.fields()["lift"] is None:
            assert {*known} <= {*BLIND.seen(position).legal()}
            count += 1
    assert count > 50


def test_which_cards_are_seen_stays_the_same_in_a_game():
    setup = Setup.first_game()
    position = setup.start_position()
    seen = Sight(cards=1).seen(position).board
    assert len(seen.cards) == 1
    for step in position.copy().playout_steps(3)[:60]:
        advance(position, step)
        assert Sight(cards=1).seen(position).board is seen
    assert Sight(cards=2).seen(position).board.cards != setup.kernel_board.cards
    assert Sight().seen(position) is position


def test_cards_that_positions_hold_something_for_are_always_seen():
    setup = Setup.random(3, sets=("harvest", "marshlands"), cards=("mayors", "rovers", "lords"))
    assert len(Sight(cards=0).seen(setup.start_position()).board.cards) == 2


def test_a_bot_that_overlooks_tiles_never_uses_one():
    position = Setup.first_game().start_position()
    bot = make_bot("mcts:visits=4,tiles=false")
    used = built = 0
    for number in range(120):
        if position.is_over:
            break
        while position.pending_draw:
            advance(position, next_steps(position)[number % len(next_steps(position))])
        step = bot.choose(View(position.copy(), position.actor, number))
        used += unpack_step(step)[1] > 0
        built += unpack_step(step)[0] is Step.BUILD
        advance(position, step)
    assert (used, built > 50) == (0, True)


def test_a_bot_that_overlooks_tiles_ends_what_somebody_else_began_for_it():
    position = Setup.first_game().start_position()
    for step in position.copy().playout_steps(5):
        if not position.pending_draw and position.fields()["lift"] is not None:
            break
        advance(position, step)
    bot = make_bot("mcts:visits=4,tiles=false")
    assert bot.choose(View(position.copy(), position.actor, 1)) in position.legal()
    assert END not in position.legal()
