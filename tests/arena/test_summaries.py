"""What each bot did: cases solved by hand, and intervals that hold the truth."""

from __future__ import annotations

import doctest
import math
import random
from collections import Counter
from itertools import product

import pytest
from finished import covers, game, pair

from kbai.arena import groups
from kbai.arena.elo import elo_estimate, elo_of_share
from kbai.arena.groups import Group
from kbai.arena.ratings import rate
from kbai.arena.summaries import Tally, summarize, tally

TOURNAMENTS = 2000


def test_the_example_in_the_docstring_of_a_game():
    assert doctest.testmod(groups) == (0, 1)


def test_points_by_bot_and_seat():
    games = [game(60, 50), game(40, 40), game(30, 45, bots="BA"), game(10, 20)]
    assert tally(games) == {
        "A": (Tally(3, 1, 1, 1.5, 110 / 3), Tally(1, 1, 0, 1.0, 45.0)),
        "B": (Tally(1, 0, 0, 0.0, 30.0), Tally(3, 1, 1, 1.5, 110 / 3)),
    }


def test_a_summary_counts_complete_groups_only():
    groups = [pair((60, 50), (40, 44)), pair((70, 40), (50, 50)), Group((game(0, 99),), 2)]
    first, second = summarize(groups)
    assert (first.bot, second.bot) == ("A", "B")
    assert (first.groups, first.games, first.points) == (2, 4, 2.5)
    assert (first.share.value, first.fair) == (0.625, 0.5)
    # The groups' means are 50 and 60: standard error 5, quantile 12.706.
    assert first.gold.value == 55
    assert first.gold.high - 55 == pytest.approx(5 * 12.706, rel=1e-4)
    # And the margins' 3 and 15: standard error 6.
    assert first.margin.value == 9
    assert 9 - first.margin.low == pytest.approx(6 * 12.706, rel=1e-4)
    assert second.margin.value == -9
    assert second.points == 1.5


def test_a_bot_on_several_seats_is_summarized_per_seat_and_its_share_per_game():
    line_ups = ["AABB", "ABBA", "BBAA", "BAAB"]
    golds = [(50, 50, 30, 10), (40, 20, 20, 20), (9, 1, 2, 3), (0, 30, 60, 20)]
    group = Group(tuple(game(*g, bots=b) for g, b in zip(golds, line_ups, strict=True)), 4)
    (first, _) = summarize([group])
    assert (first.bot, first.fair, first.share.value) == ("A", 0.5, 0.75)
    assert first.gold.value == (50 + 50 + 40 + 20 + 2 + 3 + 30 + 60) / 8
    assert first.gold.high == math.inf


def test_nothing_played_is_nothing_summarized():
    assert summarize([]) == ()
    assert rate([]) == ()
    assert elo_estimate([Group((), 2)], "A") is None


@pytest.mark.slow
def test_intervals_of_a_match_cover_the_truth():
    """A has 2 gold more; the deal favours a seat by up to 6, each game a bot by up to 4."""
    ahead, deal, noise = 2, range(-6, 7), range(-4, 5)
    margins = Counter(ahead + a + b for a, b in product(deal, noise))
    points = sum(n * ((m > 0) + (m == 0) / 2) for m, n in margins.items()) / margins.total()
    rng = random.Random(11)
    hits: Counter[str] = Counter()
    factors = []
    for _ in range(TOURNAMENTS):
        groups = []
        for _ in range(25):
            luck = rng.choice(deal)
            first = ahead + luck + rng.choice(noise)
            second = ahead - luck + rng.choice(noise)
            groups.append(pair((50 + first, 50), (50 + second, 50)))
        row = next(row for row in summarize(groups) if row.bot == "A")
        hits["share"] += covers(row.share, points)
        hits["gold"] += covers(row.gold, 50 + ahead)
        hits["margin"] += covers(row.margin, ahead)
        hits["elo"] += covers(elo_estimate(groups, "A"), elo_of_share(points))
        factors.append(row.variance_factor or math.nan)
    for what in ("share", "gold", "margin", "elo"):
        assert hits[what] / TOURNAMENTS == pytest.approx(0.95, abs=0.02), what
    # Mirrored luck cancels.
    assert sum(factors) / len(factors) > 1.4
