"""Suggestions that rest on a tree and on games."""

from dataclasses import replace

import pytest
from positions import position

from kbai.core.intervals import Estimate
from kbai.rollouts import suggest as module
from kbai.rollouts.compare import RolledOut
from kbai.rollouts.suggest import RolloutPlan, add_rollouts, suggest_with_games
from kbai.search.params import Limit, SearchParams
from kbai.search.results import Outlook
from kbai.search.suggest import suggest

START = position("red=- blue=- turn=red card=flower")
LATE = position(
    "red=b7,a6,a5,n16,o15,o17/tiles=tavern@c7,farm@m16/supply=6 "
    "blue=b2,b3,c3,d3/supply=5 turn=red card=flower"
)


def played_on(found, **plan):
    settings = {"games": 3, "visits": 30} | plan
    return add_rollouts(found, RolloutPlan(**settings))


def ending(red):
    """Return how a game ended: all gold of red, and 40 of blue, from the first source."""
    others = (0,) * (len(START.score_detail()[0]) - 1)
    return (red, *others), (40, *others)


def endings(margin, count=40):
    """Return so many games that red wins by this margin, give or take three gold."""
    return RolledOut(
        tuple(ending(37 + margin + number % 7) for number in range(count)),
        tuple(range(count)),
    )


def test_games_decide_which_turn_comes_first(monkeypatch):
    found = suggest(START, Limit(500), seed=1, top=3)
    monkeypatch.setattr(
        module, "roll_out", lambda *_, **__: (endings(-15), endings(-11), endings(15))
    )
    turns = played_on(found).turns
    assert turns[0].steps == found.turns[2].steps
    assert turns[0].seats[0].margin.value > 0 > turns[1].seats[0].margin.value
    assert [turn.games for turn in turns] == [40, 40, 40]
    wins = [turn.seats[0].win.value for turn in turns]
    assert wins == sorted(wins, reverse=True)


def test_games_that_end_alike_make_one_idea_of_turns_that_are_alike(monkeypatch):
    found = suggest(START, Limit(1000), seed=7, top=4)
    monkeypatch.setattr(module, "roll_out", lambda *_, **__: (endings(2),) * 4)
    turns = played_on(found).turns
    variants = [variant.steps for turn in turns for variant in turn.variants]
    before = [variant.steps for turn in found.turns for variant in turn.variants]
    assert len(turns) < 4
    assert {*variants} - {*before} <= {turn.steps for turn in found.turns}
    assert {turn.steps for turn in turns} | {*variants} >= {turn.steps for turn in found.turns}


def test_chances_that_print_the_same_are_sorted_by_margin(monkeypatch):
    found = suggest(START, Limit(500), seed=1, top=3)
    numbers = [(0.00049, -31.5), (0.0001, -30.0), (0.0006, -33.0)]
    turns = [
        replace(turn, games=40, seats=(outlook(win, margin), turn.seats[1]))
        for turn, (win, margin) in zip(found.turns, numbers, strict=True)
    ]
    monkeypatch.setattr(module, "roll_out", lambda *_, **__: ())
    monkeypatch.setattr(module, "blended", lambda *_: turns)
    margins = [turn.seats[0].margin.value for turn in played_on(found).turns]
    assert margins == [-33.0, -30.0, -31.5]  # 0.1 %, 0.0 %, 0.0 %


def test_turns_that_were_not_played_on_are_sorted_by_visits(monkeypatch):
    found = suggest(START, Limit(500), seed=1, top=4)
    few = [
        replace(turn, visits=visits)
        for turn, visits in zip(found.turns[1:], (5, 70, 20), strict=True)
    ]
    monkeypatch.setattr(module, "roll_out", lambda *_, **__: (endings(2),))
    turns = played_on(replace(found, turns=(found.turns[0], *few)), candidates=1).turns
    assert [turn.visits for turn in turns[1:]] == [70, 20, 5]


def outlook(win, margin):
    return Outlook(Estimate(win, 0, 1), Estimate(40, 30, 50), Estimate(margin, -50, 0), ())


def test_games_narrow_the_intervals_and_chances_still_add_up():
    found = suggest(LATE, Limit(300), seed=1, top=2)
    turns = {turn.steps: turn for turn in played_on(found, games=12).turns}
    for before in found.turns:
        after = turns[before.steps]
        assert sum(outlook.win.value for outlook in after.seats) == pytest.approx(1)
        for old, new in zip(before.seats, after.seats, strict=True):
            assert new.margin.high - new.margin.low < old.margin.high - old.margin.low
            assert new.win.low <= new.win.value <= new.win.high


def test_games_that_tell_nothing_leave_it_to_the_tree(monkeypatch):
    found = suggest(START, Limit(2000), seed=1, top=2)
    first, second = (
        RolledOut((ending(50), ending(30)), (0, 1)),
        RolledOut((ending(58), ending(22)), (0, 1)),
    )
    monkeypatch.setattr(module, "roll_out", lambda *_, **__: (first, second))
    assert [turn.steps for turn in played_on(found).turns] == [turn.steps for turn in found.turns]


@pytest.mark.parametrize(
    "line",
    [
        "red=n16 blue=b2 turn=red card=hidden",
        "red=n16/supply=0 blue=b2/supply=0 phase=over",
    ],
)
def test_nothing_changes_where_there_is_nothing_to_play_on(line):
    found = suggest(position(line), Limit(50), seed=1, top=2)
    assert played_on(found) == found


def test_the_same_seed_limits_and_threads_give_the_same_answer():
    def ask(threads):
        return suggest_with_games(
            LATE,
            Limit(200),
            games=3,
            seed=4,
            threads=threads,
            params=SearchParams(),
            top=2,
        )

    assert ask(1) == ask(1)
    assert ask(2) == ask(2)


@pytest.mark.parametrize(("is_all_played", "least"), [(True, 20), (False, 0)])
def test_a_number_of_games_can_be_asked_for_however_long_it_takes(is_all_played, least):
    found = suggest_with_games(
        LATE, Limit(seconds=0.01), games=20, seed=4, threads=1, params=SearchParams(), top=2,
        is_all_played=is_all_played,
    )  # fmt: skip
    assert least <= max(turn.games for turn in found.turns) <= (20 if is_all_played else 19)


@pytest.mark.parametrize(
    ("left", "candidates", "visits"),
    [(0.001, 0, 1000), (0.1, 1, 1000), (0.5, 2, 1000), (0.8, 3, 1000), (1, 2, 2000), (60, 4, 2000)],
)
def test_more_turns_are_played_on_if_there_is_time_for_games_of_each(left, candidates, visits):
    # 1,000 visits in 0.1 s, and two seats with 40 houses each: a game takes some 0.9 s.
    found = replace(suggest(START, Limit(20), seed=1), visits=1000)
    assert module._affordable(found, 0.1, left * 48) == (candidates, visits)


def test_strong_players_play_the_games_unless_there_is_time_for_a_few_only(monkeypatch):
    given = []

    def roll_out(positions, *_, visits, **__):
        given.append(visits)
        return (endings(3),) * len(positions)

    monkeypatch.setattr(module, "roll_out", roll_out)
    add_rollouts(suggest(START, Limit(50), seed=1, top=2), RolloutPlan(games=64))
    for seconds in (0.5, 3600):
        monkeypatch.setattr(
            module, "_affordable", lambda *_, few=seconds < 1: (2, 1000 if few else 2000)
        )
        suggest_with_games(
            START, Limit(50, seconds), games=None, seed=1, threads=1, params=SearchParams(), top=2
        )  # fmt: skip
    assert given == [None, 1000, 2000]


def test_time_for_no_game_is_spent_on_the_tree(monkeypatch):
    asked = []

    def roll_out(positions, *_, **__):
        asked.append(len(positions))
        return (endings(3),) * len(positions)

    monkeypatch.setattr(module, "roll_out", roll_out)
    for seconds in (0.01, 3600):
        limit = Limit(500, seconds)
        suggest_with_games(
            START, limit, games=None, seed=1, threads=1, params=SearchParams(), top=5
        )  # fmt: skip
    assert asked == [4]


def test_if_a_card_is_to_be_turned_up_first_the_tree_gets_all_the_time(monkeypatch):
    given = []

    def suggest_at_once(position, limit, **options):
        given.append(limit)
        return suggest(position, Limit(10), **options)

    monkeypatch.setattr(module, "suggest", suggest_at_once)
    suggest_with_games(
        position("red=- blue=- turn=red card=hidden"), Limit(seconds=5), games=None, seed=1,
        threads=1, params=SearchParams(), top=2,
    )  # fmt: skip
    assert given == [Limit(seconds=5)]
