"""Elo: published numbers and cases solved by hand."""

from __future__ import annotations

import doctest
import math

import pytest
from finished import LOSS, TIE, WIN, pair, pentanomial, single

from kbai.arena import elo
from kbai.arena.elo import elo_estimate, elo_of_share, share_of_elo
from kbai.arena.groups import between
from kbai.core.errors import KbaiError


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(elo) == (0, 1)


@pytest.mark.parametrize(
    "share, elo", [(0.5, 0), (0.64, 100), (0.76, 200), (0.849, 300), (10 / 11, 400), (0.24, -200)]
)
def test_elo_of_known_scores(share, elo):
    assert elo_of_share(share) == pytest.approx(elo, abs=0.5)
    assert share_of_elo(elo) == pytest.approx(share, abs=1e-3)


def test_elo_is_relative_to_the_share_of_the_seats():
    assert elo_of_share(0.25, fair=0.25) == pytest.approx(0)
    # Odds of 10 to 3 are ten times those of an equal bot, 1 to 3.
    assert elo_of_share(10 / 13, fair=0.25) == pytest.approx(400)
    assert share_of_elo(400, fair=0.25) == pytest.approx(10 / 13)


@pytest.mark.parametrize(
    "counts, elo, error",
    [((34, 54, 63, 64, 75), 55.58, 27.65), ((332, 433, 498, 333, 334), -8.64, 10.33)],
)
def test_elo_of_pairs_is_that_of_fastchess(counts, elo, error):
    estimate = elo_estimate(pentanomial(*counts), "A")
    assert estimate is not None
    assert estimate.value == pytest.approx(elo, abs=0.005)
    assert (estimate.high - estimate.low) / 2 == pytest.approx(error, rel=0.01)


def test_elo_of_single_games_is_that_of_fastchess():
    groups = [single(*golds) for golds, n in ((WIN, 136), (LOSS, 96), (TIE, 111)) for _ in range(n)]
    estimate = elo_estimate(groups, "A")
    assert estimate is not None
    assert estimate.value == pytest.approx(40.70, abs=0.005)
    assert (estimate.high - estimate.low) / 2 == pytest.approx(30.43, rel=0.01)


@pytest.mark.parametrize("n", [1, 10, 200])
def test_elo_is_finite_at_both_ends(n):
    groups = [pair(WIN, WIN)] * n
    best, worst = elo_estimate(groups, "A"), elo_estimate(groups, "B")
    assert best is not None and worst is not None
    # Half a point of 2 n is lost.
    assert best.value == pytest.approx(400 * math.log10(4 * n - 1))
    assert best.low < best.value < best.high < math.inf
    assert (worst.value, worst.low, worst.high) == pytest.approx(
        (-best.value, -best.high, -best.low)
    )


def test_more_wins_raise_the_lower_end_of_elo():
    ends = [elo_estimate([pair(WIN, WIN)] * n, "A") for n in (1, 5, 20, 100)]
    lows = [end.low for end in ends if end]
    assert lows == sorted(lows)
    assert lows[0] < 0 < lows[1]


def test_elo_of_two_bots_leaves_out_the_others():
    groups = [*pentanomial(1, 0, 1, 0, 3), single(10, 90, bots="AC"), single(1, 2, 3)]
    assert elo_estimate(between(groups, "B", "A"), "A") == elo_estimate(groups[:5], "A")


def test_elo_needs_the_same_share_of_the_seats():
    with pytest.raises(KbaiError, match="same share of the seats.* 0.333, 0.5"):
        elo_estimate([single(1, 2), single(1, 2, 3)], "A")
    assert elo_estimate([single(1, 2, bots="AA")], "A") is None
