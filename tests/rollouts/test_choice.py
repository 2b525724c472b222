"""What the best of some turns owes to luck."""

import random
from statistics import fmean

import pytest

from kbai.rollouts.choice import TURNS_APART, Ahead, owed_to_luck, part_believed

NOISE = 1.0
"""The standard deviation of the error of a turn, in gold."""


def turns(*margins):
    """Return turns that are ahead of the first by so much, for one seat."""
    main, *others = (
        Ahead(margin / 5, margin / 2, margin, variance=2 * NOISE**2 * (number > 0))
        for number, margin in enumerate(margins)
    )
    return [[main], *([other] for other in others)]


def part(*margins):
    return part_believed([one for (one,) in turns(*margins)])


def test_turns_that_are_far_apart_really_differ():
    assert part(0, 0.1, 0.2, 0.1) < part(0, 2, 4, 2) < part(0, 10, 20, 10)
    assert part(0, 10, 20, 10) > 0.95


def test_what_is_known_of_turns_counts_beside_two_of_them():
    alike = part(0, 0)
    assert 0.5 < alike < TURNS_APART**2 / (TURNS_APART**2 + NOISE**2)


def test_turns_without_a_difference_owe_nothing_to_luck():
    assert owed_to_luck(turns(0, 0, 0), 0, 0.8) == (Ahead(0, 0, 0),)


def test_the_further_ahead_of_the_others_the_best_turn_is_the_less_is_luck():
    def share_of_luck(margin):
        (luck,) = owed_to_luck(turns(0, margin), 0, 1.0)
        # The games of both tell where they stand in the mean.
        return luck.margin - margin / 2

    assert 0 < share_of_luck(2) < 1
    assert share_of_luck(20) / 20 < share_of_luck(2) / 2


def test_luck_is_taken_off_gold_and_chances_alike():
    (luck,) = owed_to_luck(turns(0, 2, 1), 0, 0.8)
    assert luck.gold == pytest.approx(luck.margin / 2)
    assert luck.odds == pytest.approx(luck.margin / 5)


def test_without_luck_the_best_of_some_turns_is_forecast_without_a_bias():
    draw = random.Random(1).gauss
    plain, without = [], []
    for _ in range(4000):
        worth = [draw(0, TURNS_APART) for _ in range(4)]
        games = [value + draw(0, NOISE) for value in worth]
        best = max(range(4), key=games.__getitem__)
        (luck,) = owed_to_luck(turns(*(value - games[0] for value in games)), 0, 1.0)
        plain.append(games[best] - worth[best])
        ahead = games[best] - games[0]
        without.append(fmean(games) + ahead - luck.margin - worth[best])
    assert fmean(plain) > 0.5
    assert fmean(without) == pytest.approx(0, abs=0.06)
    assert fmean(error**2 for error in without) < 0.8 * fmean(error**2 for error in plain)
