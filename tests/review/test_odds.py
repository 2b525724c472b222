"""Changes of chances that stay between 0 and 1."""

import pytest

from kbai.core.intervals import Estimate
from kbai.review.odds import (
    between,
    mean_chances,
    moved_to_mean,
    moved_to_row,
    multiplied,
    odds_around,
)

ROWS = [(0.5, 0.3, 0.2), (0.1, 0.8, 0.1), (0.3, 0.3, 0.4)]
ODDS = [0.5, 0.3, 0.2]


def ratio(one, other, a, b):
    """Return how the odds of two seats differ between two rows."""
    return one[a] / one[b] / (other[a] / other[b])


def test_halved_odds_cost_less_where_there_is_less_to_lose():
    half = (1 / 3, 2 / 3)
    assert multiplied((0.5, 0.5), half) == pytest.approx(half)
    assert multiplied((0.02, 0.98), half)[0] == pytest.approx(0.01, abs=2e-4)


def test_the_middle_of_two_looks_has_the_mean_of_their_log_odds():
    assert between((0.5, 0.5), (0.9, 0.1)) == pytest.approx((0.75, 0.25))


@pytest.mark.parametrize("mean", [(0.2, 0.5, 0.3), (0.98, 0.01, 0.01), (1.0, 0.0, 0.0)])
def test_cards_can_be_moved_to_any_mean(mean):
    moved = moved_to_mean(ROWS, ODDS, mean)
    assert mean_chances(moved, ODDS) == pytest.approx(mean, abs=1e-9)
    for row in moved:
        assert sum(row) == pytest.approx(1) and all(0 <= chance <= 1 for chance in row)
    if all(mean):
        # What tells the cards apart has not changed.
        assert ratio(moved[0], moved[1], 0, 1) == pytest.approx(ratio(ROWS[0], ROWS[1], 0, 1))


def test_cards_can_be_moved_by_one_of_them():
    moved = moved_to_row(ROWS, 1, (0.6, 0.2, 0.2))
    assert moved[1] == pytest.approx((0.6, 0.2, 0.2))
    assert ratio(moved[2], moved[0], 2, 1) == pytest.approx(ratio(ROWS[2], ROWS[0], 2, 1))


def test_an_interval_in_log_odds_stays_between_0_and_1():
    wide = odds_around(0.99, Estimate(0.5, -4.5, 5.5))
    assert 0 < wide.low < 0.5 and 0.99 < wide.high < 1
    assert odds_around(1.0, Estimate(0, 0, 0)) == Estimate(1, 1, 1)
