"""Intervals: published numbers, cases solved by hand, and how often they hold the truth."""

from __future__ import annotations

import random

import pytest
from finished import covers

from kbai.core.intervals import mean_estimate, share_estimate, variance_factor

TOURNAMENTS = 2000


@pytest.mark.parametrize(
    "freedom, quantile",
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042)],
)
def test_mean_intervals_use_the_table_of_student(freedom, quantile):
    values = [0.0] * freedom + [1.0]
    n = freedom + 1
    estimate = mean_estimate(values)
    # The variance of one 1 among n - 1 zeros is 1 / n.
    assert (estimate.high - estimate.value) * n == pytest.approx(quantile, abs=0.004)


@pytest.mark.parametrize(
    "won, n, low, high", [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)]
)
def test_shares_of_single_games_have_the_interval_of_wilson(won, n, low, high):
    # Newcombe 1998, table I, method 3.
    estimate = share_estimate([[1.0]] * won + [[0.0]] * (n - won))
    assert estimate.value == won / n
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=0.002)


def test_a_lost_match_has_an_interval_that_shrinks_with_its_length():
    # Student's quantile for 20 is 2.086, and the end q^2 / (n + q^2) for 40 games.
    estimate = share_estimate([[0.0, 0.0]] * 20)
    assert (estimate.value, estimate.low) == (0, 0)
    assert estimate.high == pytest.approx(2.086**2 / (40 + 2.086**2), abs=1e-3)
    assert share_estimate([[0.0, 0.0]] * 80).high < estimate.high / 3


def test_a_few_equal_groups_are_not_certainty():
    ends = [share_estimate([[1.0, 0.0]] * n).high for n in (1, 2, 3, 10, 100)]
    assert ends == sorted(ends, reverse=True)
    assert ends[0] > 0.95
    assert ends[2] > 0.6
    assert ends[4] < 0.53


def test_variance_factor_of_a_case_by_hand():
    # Games: 5 of 8 won, variance 15/56; groups: three halves and a one, variance 1/16.
    groups = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    assert variance_factor(groups) == pytest.approx((15 / 56 / 8) / (1 / 16 / 4))


def test_variance_factor_is_one_for_independent_games_and_unknown_for_equal_groups():
    rng = random.Random(1)
    games = [[float(rng.random() < 0.6) for _ in range(3)] for _ in range(20000)]
    assert variance_factor(games) == pytest.approx(1, abs=0.05)
    assert variance_factor([[1.0, 0.0], [0.0, 1.0]]) is None
    assert variance_factor([[1.0, 0.0]]) is None


@pytest.mark.parametrize(
    "counts", [(1, 0, 2, 0, 1), (1, 1, 8, 3, 20), (1, 0, 4, 1, 50)], ids=["even", "80 %", "94 %"]
)
def test_intervals_of_shares_cover_the_truth_near_the_ends_too(counts):
    kinds = ([0.0, 0.0], [0.0, 0.5], [0.0, 1.0], [0.5, 1.0], [1.0, 1.0])
    truth = sum(n * sum(kind) / 2 for n, kind in zip(counts, kinds, strict=True)) / sum(counts)
    rng = random.Random(12)
    hits = sum(
        covers(share_estimate(rng.choices(kinds, counts, k=40)), truth) for _ in range(TOURNAMENTS)
    )
    assert hits / TOURNAMENTS == pytest.approx(0.95, abs=0.02)
