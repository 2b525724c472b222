"""Bots that search: budgets of turns, memory from step to step, options and levels."""

import dataclasses
import re

import pytest
from places import ROOT
from positions import position, random_positions, random_starts

from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bots.builtin import LEVELS
from kbai.bots.protocol import View
from kbai.bots.registry import bot_kinds
from kbai.bots.search_bot import MIN_SECONDS, Budget, SearchBot
from kbai.bots.sight import Sight
from kbai.bots.specs import make_bot, parse_spec
from kbai.core.errors import BotError
from kbai.game.steps import END
from kbai.notation.positions import format_line, parse_position
from kbai.search.params import Limit, SearchParams

START = position("red=- blue=- turn=red card=flower")
SPECS = ("mcts:visits=40", "uct:visits=40", "flat:visits=40")


def play_turn(bot, start, seed=1):
    """Return what a bot does until its turn is over, and the visits it makes for each choice."""
    current, steps, visits = start.copy(), [], []
    run = bot.searcher.run
    bot.searcher.run = lambda limit: visits.append(run(limit)) or visits[-1]
    while not current.pending_draw and not current.is_over:
        steps.append(bot.choose(View(current.copy(), current.actor, seed + len(steps))))
        current.apply(steps[-1])
    bot.searcher.run = run
    return steps, visits


def test_the_budget_is_that_of_a_turn_and_the_first_step_has_most_of_it():
    steps, visits = play_turn(make_bot("mcts:visits=1000"), START)
    assert len(steps) == 4 and steps[-1] == END
    assert visits == [500, 250, 125]  # the end was the only step left
    _, visits = play_turn(make_bot("mcts:visits=1000,share=0.8"), START)
    assert visits[:2] == [800, 160]


def test_what_a_step_does_not_use_is_left_for_the_others():
    budget = Budget(Limit(1000, 8.0), 0.5)
    assert budget.next_limit() == Limit(500, 4.0)
    budget.spend(100, 2.0)
    assert budget.next_limit() == Limit(450, 3.0)
    budget.spend(900, 6.0)
    assert budget.next_limit() == Limit(1, MIN_SECONDS)


def test_every_turn_has_a_new_budget():
    bot = make_bot("mcts:visits=400")
    first = play_turn(bot, START)[1]
    later = position("red=a1 blue=b7,o15 turn=blue card=grass")
    assert play_turn(bot, later)[1][0] == first[0] == 200


def test_a_bot_goes_on_with_what_it_knows():
    bots = [make_bot(f"mcts:visits=1000,reuse={word}") for word in ("true", "false")]
    for bot in bots:
        bot.choose(View(START, 0, 1))
    after = START.copy()
    after.apply(bots[0].searcher.best_step())
    for bot in bots:
        bot.choose(View(after, 0, 2))
    assert bots[0].searcher.visits > 300
    assert bots[1].searcher.visits == 250


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_views_since_the_beginning_give_the_same_steps(spec):
    def game(bot):
        return play(START, Deal(START, 3), bot.choose, seed=4, max_steps=60).steps

    bot, other = make_bot(spec), make_bot(spec)
    first = game(bot)
    assert game(other) == first
    bot.begin()
    assert game(bot) == first
    # Without begin() the bot may know more about these positions than the first time.
    bot.close()
    assert bot.searcher.trees == []


@pytest.mark.parametrize("spec", SPECS)
def test_steps_are_legal_in_games_of_all_sets(spec):
    bot = make_bot(spec.replace("40", "6"))
    for number, start in enumerate(random_positions(18, share=0.05)):
        if start.legal():
            bot.begin()
            assert start.is_legal(bot.choose(View(start, start.actor, number)))


@pytest.mark.slow
def test_whole_games_of_all_sets_and_seats_come_to_their_end():
    for seed, start in random_starts(9):
        bots = [make_bot("mcts:visits=4,threads=2") for _ in range(start.board.seats)]
        played = play(start, Deal(start, seed), lambda v, b=bots: b[v.seat].choose(v), seed=seed)
        assert played.is_over


@pytest.mark.parametrize("spec", ["mcts:visits=1", "mcts:seconds=0.001", "flat:visits=1"])
def test_a_tiny_budget_is_enough_for_a_legal_step(spec):
    assert START.is_legal(make_bot(spec).choose(View(START, 0, 1)))


# --- specs --------------------------------------------------------------------------------------


def test_mcts_has_an_option_for_every_parameter_of_the_search():
    options = {kind.name: {o.name: o.default for o in kind.options} for kind in bot_kinds()}
    params = SearchParams()
    for item in dataclasses.fields(params):
        assert options["mcts"][item.name] == getattr(params, item.name)
    assert {"visits", "seconds", "threads"} <= {*options["flat"]} & {*options["uct"]}


@pytest.mark.parametrize(
    ("spec", "limit", "changed"),
    [
        ("mcts", Limit(4000), {}),
        ("mcts:visits=50", Limit(50), {}),
        ("mcts:seconds=2", Limit(seconds=2.0), {}),
        ("mcts:seconds=2,visits=9", Limit(9, 2.0), {}),
        ("mcts:priors=false,horizon=0", Limit(4000), {"priors": False, "horizon": 0}),
        ("mcts:playout=random,fpu=0.5", Limit(4000), {"playout": "random", "fpu": 0.5}),
    ],
)
def test_options_become_limits_and_parameters(spec, limit, changed):
    bot = make_bot(spec)
    assert isinstance(bot, SearchBot)
    assert bot.limit == limit
    assert bot.params == dataclasses.replace(SearchParams(), **changed)


def test_levels_see_and_think_more_and_more_and_can_be_changed():
    for number, level in enumerate(LEVELS, start=1):
        bot = make_bot(f"mcts:level={number}")
        assert (bot.limit, bot.sight) == (Limit(level.visits), level.sight)
    assert len(LEVELS) == 9
    seen = [(level.sight.tiles, level.sight.cards) for level in LEVELS]
    assert seen == sorted(seen) and LEVELS[-1].sight == Sight()
    assert make_bot("mcts:level=9,cards=1").sight == Sight(cards=1)
    assert make_bot("mcts:level=9,visits=7").limit == Limit(7)
    assert make_bot("mcts:level=1,merge=false").params == SearchParams(merge=False, tile=0.0)
    with pytest.raises(BotError, match="a whole number from 0 to 9"):
        parse_spec("mcts:level=10")


def test_the_page_about_bots_has_the_levels_as_they_are():
    page = (ROOT / "docs" / "bots.md").read_text("utf-8")
    for number, level in enumerate(LEVELS, start=1):
        assert f"\n| {number} | {level.words}" in page
        spec = re.search(rf"^\| {number} \|.*`(visits=.*)` \|$", page, re.M)[1]
        bot = make_bot(f"mcts:{spec}")
        assert (bot.limit, bot.sight) == (Limit(level.visits), level.sight)
        assert bot.params == make_bot(f"mcts:level={number}").params


def test_flat_tries_every_step_equally_often_and_takes_the_best_mean():
    bot = make_bot("flat:visits=1000")
    step = bot.choose(View(START, 0, 1))
    choices = bot.searcher.choices()
    counts = [choice.visits for choice in choices]
    assert max(counts) - min(counts) <= 1 and len(counts) == len(START.legal())
    assert max(choices, key=lambda choice: choice.utility).step == step


def test_uct_knows_only_who_won():
    params = make_bot("uct").params
    assert (params.selection, params.playout, params.margin_weight) == ("ucb", "random", 0.0)
    assert not params.priors and not params.merge


def test_mcts_is_no_worse_than_greedy_with_few_visits():
    wins = 0.0
    games = [(seed, start) for seed, start in random_starts(20) if start.board.seats == 2][:4]
    for seed, start in games:
        for own in (0, 1):
            bots = [make_bot("greedy"), make_bot("greedy")]
            bots[own] = make_bot("mcts:visits=300")
            final = play(
                start, Deal(start, seed), lambda v, b=bots: b[v.seat].choose(v), seed=seed
            ).final.scores()
            wins += final[own] > final[1 - own]
    assert wins >= 4


def test_a_bot_that_is_asked_only_for_choices_has_a_new_budget_in_each_turn():
    """A program is not asked for forced steps: it never sees an `end` that is the only step."""
    bot = make_bot("mcts:visits=400")
    run, limits, firsts = bot.searcher.run, [], {}
    bot.searcher.run = lambda limit: limits.append(limit.visits) or run(limit)
    turn = 0

    def choose(view):
        nonlocal turn
        legal = view.position.legal()
        step = legal[0]
        if view.seat == 0 and len(legal) > 1:
            text = format_line(view.position)
            step = bot.choose(View(parse_position(text), view.seat, view.seed))
            firsts.setdefault(turn, limits[-1])
        turn += step == END
        return step

    play(START, Deal(START, 3), choose, seed=1)
    assert len(firsts) == 8 and set(firsts.values()) == {200}
