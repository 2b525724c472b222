"""Turns compared by games: the same cards, the same games on any number of workers."""

from dataclasses import replace

import pytest
from positions import position

from kbai.compute.pools import threads
from kbai.core.errors import ParallelError
from kbai.game.setup import Setup
from kbai.game.steps import end_of
from kbai.rollouts import compare
from kbai.rollouts.compare import LEAST_GAMES, roll_out, totals
from kbai.rollouts.games import RolloutGame, play_rollout
from kbai.search.params import Limit
from kbai.search.suggest import suggest

# Few houses are left, so games are short.
LATE = position(
    "red=b7,a6,a5,n16,o15,o17/tiles=tavern@c7,farm@m16/supply=6 "
    "blue=b2,b3,c3,d3/supply=5 turn=red card=flower"
)


def ends(count=3):
    found = suggest(LATE, Limit(300), seed=1, top=count)
    return [end_of(LATE, turn.steps) for turn in found.turns]


def compared(positions, workers=0, **options):
    settings = {"games": 4, "seed": 5, "visits": 30} | options
    pool = threads(workers) if workers else None
    return roll_out(positions, LATE.actor, workers=pool, **settings)


def test_any_workers_play_the_same_games():
    positions = ends()
    here = compared(positions, games=12)
    assert here == compared(positions, 1, games=12) == compared(positions, 3, games=12)


def test_another_seed_plays_other_games():
    positions = ends(1)
    assert compared(positions) != compared(positions, seed=6)


@pytest.mark.parametrize(("sets", "visits"), [(("base",), 2000), (("base", "crossroads"), 4000)])
def test_tiles_of_expansions_want_stronger_players(monkeypatch, sets, visits):
    given = []

    def play(game):
        given.append(game.visits)
        return play_rollout(replace(game, visits=1))

    monkeypatch.setattr(compare, "play_rollout", play)
    start = Setup.random(1, seats=2, sets=sets).start_position()
    roll_out([start], start.mover, games=1, seed=1)
    assert given == [visits]


def test_the_games_of_a_round_have_the_same_cards(monkeypatch):
    games = []

    def play(game):
        games.append(game)
        return play_rollout(game)

    monkeypatch.setattr(compare, "play_rollout", play)
    compared(ends(), games=2)
    cards = [game.cards for game in games]
    assert len(cards) == 6
    assert len(set(cards)) == 2
    assert len({game.seed for game in games}) == 6


def made_up(monkeypatch, gold):
    """Have games end with gold of red's by where they began, and a bit more by their cards."""
    monkeypatch.setattr(
        compare,
        "play_rollout",
        lambda game: ((gold(game) + game.cards % 7, 0), (30, 0)),
    )


def test_a_turn_that_is_clearly_worse_gets_no_more_games(monkeypatch):
    positions = ends()
    made_up(monkeypatch, lambda game: 20 if game.position == positions[1] else 40)
    first, second, third = compared(positions, 2, games=40)
    assert first.games == third.games == 40
    assert LEAST_GAMES <= second.games < 20
    assert second.lead(first, LATE.actor).value == pytest.approx(-20)
    assert second.lead(first, LATE.actor).variance == pytest.approx(0)


def test_a_deadline_ends_it():
    (found,) = compared(ends(1), games=None, seconds=0.2)
    assert found.games >= 1


@pytest.mark.parametrize("workers", [0, 2])
def test_ctrl_c_gives_what_is_known(workers):
    def tell(games):
        if games == 3:
            raise KeyboardInterrupt

    (found,) = compared(ends(1), workers, games=1000, on_game=tell)
    assert 3 <= found.games < 1000


def test_a_game_that_fails_is_told(monkeypatch):
    def fail(game):
        raise MemoryError("too little")

    monkeypatch.setattr(compare, "play_rollout", fail)
    with pytest.raises(ParallelError, match="could not be played on: MemoryError: too little"):
        compared(ends(1), 2)


def test_a_game_counts_gold_by_source():
    game = RolloutGame(ends(1)[0], visits=30, cards=1, seed=2)
    ending = play_rollout(game)
    assert ending == play_rollout(replace(game))
    assert len(totals(ending)) == 2
    assert all(len(seat) == len(LATE.score_detail()[0]) for seat in ending)
