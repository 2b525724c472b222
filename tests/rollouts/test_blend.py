"""Tree and games put together: each counts as far as it can be trusted."""

from dataclasses import replace

import pytest
from positions import position

from kbai.rollouts.blend import at_level, blended
from kbai.rollouts.compare import RolledOut
from kbai.search.params import Limit
from kbai.search.suggest import suggest

START = position("red=- blue=- turn=red card=flower")
TURNS = suggest(START, Limit(2000), seed=1, top=2).turns


def gold(amount):
    """Return the gold of a seat by source, all of it from the first one."""
    return (amount, *(0 for _ in TURNS[0].seats[0].sources[1:]))


def games(margin, count, swing=3):
    """Return games that red wins by this margin, in turn by more and by less."""
    return RolledOut(
        tuple((gold(40 + margin + swing * (-1) ** n), gold(40)) for n in range(count)),
        tuple(range(count)),
    )


def chance(margin, count, swing=3):
    (turn,) = blended(START, TURNS[:1], [games(margin, count, swing)])
    return turn.seats[0].win


def test_two_games_move_a_forecast_by_little():
    tree = TURNS[0].seats[0]
    (turn,) = blended(START, TURNS[:1], [games(-30, 2)])
    assert tree.margin.value - 12 < turn.seats[0].margin.value < tree.margin.value
    assert chance(-30, 2).high > 0.3


def test_gold_by_source_is_mixed_as_the_gold_is():
    counts = [games(20, 2), games(-10, 2)]
    for turn in blended(START, TURNS, counts):
        for outlook, tree in zip(turn.seats, turn.tree, strict=True):
            more, by_tree = (one.gold.value - sum(one.sources) for one in (outlook, tree))
            assert 0 < more < by_tree  # what a tree misses, as far as the tree counts
    (turn,) = blended(START, TURNS[:1], [games(20, 10**6)])
    assert turn.seats[1].sources[0] == pytest.approx(40, abs=6)


def test_strong_players_make_more_of_the_houses_that_are_left():
    """Games of small searches end with a little less gold: the more houses were left, the less."""
    late = position("red=a5,b2/supply=10 blue=n16/supply=20 turn=red card=flower")
    (turn,) = suggest(late, Limit(2000), seed=1, top=1).turns
    unsure = [
        replace(
            seat,
            gold=seat.gold._replace(low=-999, high=999),
            margin=seat.margin._replace(low=-999, high=999),
        )
        for seat in turn.seats
    ]
    turn = replace(turn, seats=tuple(unsure))
    (played,) = blended(late, [turn], [games(10, 10**6, swing=0)])
    assert played.seats[0].gold.value == pytest.approx(50 + 0.5, abs=0.05)
    assert played.seats[1].gold.value == pytest.approx(40 + 1.0, abs=0.05)
    assert played.seats[0].margin.value == pytest.approx(10, abs=0.05)


def test_equal_games_are_no_certainty():
    assert 0.2 < chance(1, 2, swing=0).low
    assert chance(1, 2, swing=0).high < 0.95


def test_many_games_outweigh_the_tree():
    (turn,) = blended(START, TURNS[:1], [games(-20, 400)])
    assert turn.seats[0].margin.value == pytest.approx(-20, abs=4)
    assert chance(-20, 400).value < 0.05
    assert chance(20, 400).value > 0.95


def test_more_games_narrow_an_interval_but_not_to_nothing():
    few, many, most = (chance(0, count) for count in (8, 64, 10**4))
    assert many.high - many.low < few.high - few.low
    assert most.high - most.low > 0.2


def test_a_turn_that_loses_on_the_same_cards_is_forecast_worse():
    first, second = blended(START, TURNS, [games(5, 40), games(-5, 40)])
    assert first.seats[0].win.value > second.seats[0].win.value + 0.1
    assert first.seats[0].margin.value > second.seats[0].margin.value + 5


def test_games_that_were_all_won_leave_little_doubt():
    assert chance(40, 64).value > 0.98
    assert chance(40, 64).low > 0.8
    assert chance(-40, 64).value < 0.02
    assert chance(-40, 64).high < 0.2


def unplayed(visits, win):
    """Return how much better red stands after a turn that no games were played of."""
    best, other = TURNS
    (played,) = blended(START, [best], [games(0, 40)])
    seats = tuple(
        replace(seat, win=best.seats[0].win._replace(value=share))
        for seat, share in zip(other.seats, (win, 1 - win), strict=True)
    )
    turn = at_level(replace(other, visits=visits, seats=seats), best, played, seat=0)
    return turn.seats[0].win.value - played.seats[0].win.value


def test_a_turn_that_was_hardly_looked_at_does_not_look_much_better_than_the_best():
    best = TURNS[0].seats[0].win.value
    few, many = (unplayed(visits, (1 + best) / 2) for visits in (3, 1000))
    assert 0 < few < 0.05
    assert 2 * few < many


def test_a_turn_that_the_tree_holds_for_worse_stays_worse_however_few_its_visits():
    best = TURNS[0].seats[0].win.value
    few, many = (unplayed(visits, best / 2) for visits in (3, 1000))
    assert few == many < -0.1


def test_a_difference_that_a_few_visits_show_counts_for_little():
    def apart(visits):
        turns = [replace(turn, visits=visits) for turn in TURNS]
        first, second = blended(START, turns, [games(2, 40), games(-6, 40)])
        return first.seats[0].margin.value - second.seats[0].margin.value

    by_tree = TURNS[0].seats[0].margin.value - TURNS[1].seats[0].margin.value
    assert by_tree < apart(1000) < apart(5) < 8


def margins(*counts):
    return [turn.seats[0].margin.value for turn in blended(START, TURNS, counts)]


def test_games_of_all_turns_tell_how_well_a_seat_stands():
    alone = blended(START, TURNS[:1], [games(5, 40)])[0].seats[0]
    lower, higher = (
        blended(START, TURNS, [games(5, 40), games(margin, 40)])[0].seats[0] for margin in (3, 4.9)
    )
    assert lower.margin.value < higher.margin.value < alone.margin.value + 0.5
    assert lower.win.value < higher.win.value
    assert lower.gold.value < higher.gold.value


def test_what_is_owed_to_luck_leaves_turns_as_far_apart_as_they_are():
    """The worse one had fewer games, as it was no longer in doubt: then nothing is taken off."""
    first, second = margins(games(5, 40), games(2, 40))
    sure_first, sure_second = margins(games(5, 40), games(2, 38))
    assert first < sure_first
    assert first - second == pytest.approx(sure_first - sure_second, abs=0.05)


def test_a_last_round_that_was_not_finished_leaves_a_turn_in_doubt():
    whole, *_ = margins(games(5, 40), games(2, 40))
    broken, *_ = margins(games(5, 40), games(2, 39))
    assert broken == pytest.approx(whole, abs=0.05)


def test_gold_by_source_still_adds_up_to_less_than_the_gold():
    for turn in blended(START, TURNS, [games(20, 40), games(18, 40)]):
        for outlook in turn.seats:
            assert 0 < outlook.gold.value - sum(outlook.sources) < 10
