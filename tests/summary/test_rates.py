"""Rates, their intervals, and what chance explains."""

import random

import pytest

from kbai.core.intervals import mean_estimate, student_tail
from kbai.summary.rates import Rate, beyond_chance, chance_of_more, combine, difference


def rate(*sums):
    found = Rate()
    for game, (amount, count) in enumerate(sums):
        found.add(game, amount, count)
    return found


def test_a_rate_of_equal_counts_is_a_mean_of_games():
    values = [1.0, 4.0, 2.0, 5.0]
    found = rate(*((value, 1) for value in values)).measured().estimate()
    wanted = mean_estimate(values)
    assert (found.value, found.low, found.high) == pytest.approx(
        (wanted.value, wanted.low, wanted.high)
    )


def test_longer_games_count_more():
    assert rate((3, 1), (1, 3)).measured().value == 1


def test_one_game_has_no_interval():
    measured = rate((3, 2)).measured()
    assert measured.value == 1.5 and measured.estimate().high == float("inf")
    assert chance_of_more(measured) == 1


def test_turns_of_one_game_are_not_independent():
    apart, together = Rate(), Rate()
    for number, value in enumerate([1.0, 1.0, 5.0, 5.0, 3.0, 3.0]):
        apart.add(number, value)
        together.add(number // 2, value)
    assert together.measured().value == apart.measured().value
    assert together.measured().variance > apart.measured().variance


def test_what_both_have_in_common_cancels_out():
    one = rate((3, 1), (7, 1), (5, 1))
    other = rate((1, 1), (5, 1), (3, 1))
    assert difference(one, other).value == 2
    assert difference(one, other).variance == pytest.approx(0)
    assert combine([(1.0, one), (-1.0, Rate())]).value == 5


def test_a_few_equal_games_are_no_certainty():
    few, many = rate(*[(1, 1)] * 3), rate(*[(1, 1)] * 12)
    assert few.measured().variance == many.measured().variance == 0
    assert chance_of_more(few.measured()) > 0.04
    assert chance_of_more(many.measured()) < 1e-6
    assert chance_of_more(rate((0, 1), (0, 1)).measured()) == 0.5


def test_intervals_of_rates_hold():
    """95 % intervals of a ratio contain the truth in about 95 % of samples."""
    generator = random.Random(1)
    inside = 0
    for _ in range(400):
        found = Rate()
        for game in range(15):
            count = generator.randint(5, 15)
            level = generator.gauss(2, 1)
            found.add(game, sum(generator.gauss(level, 2) for _ in range(count)), count)
        estimate = found.measured().estimate()
        inside += estimate.low <= 2 <= estimate.high
    assert 0.91 <= inside / 400 <= 0.98


@pytest.mark.parametrize(
    "t, freedom, tail",
    [(12.706, 1, 0.025), (4.303, 2, 0.025), (3.182, 3, 0.025), (2.093, 19, 0.025),
     (3.883, 19, 0.0005), (0, 7, 0.5), (1.96, 10**6, 0.025), (-2.571, 5, 0.975)],
)  # fmt: skip
def test_tails_of_students_distribution_are_those_of_the_tables(t, freedom, tail):
    assert student_tail(t, freedom) == pytest.approx(tail, rel=1e-3)


def test_noise_gets_through_many_comparisons_as_seldom_as_through_one():
    generator = random.Random(2)
    alarms = sum(any(beyond_chance([generator.random() for _ in range(20)])) for _ in range(2000))
    assert alarms / 2000 < 0.035
    assert beyond_chance([]) == []
    assert beyond_chance([0.024]) == [True]
    assert beyond_chance([0.02, 0.012]) == [True, True]
    assert beyond_chance([0.02, 0.013]) == [False, False]
