"""Chances of all seats, and changes of them that stay between 0 and 1.

What turns and cards change is measured in odds: if a turn halves a seat's odds, it does so whether
the seat had 60 % or 6 %. So a change that one search has seen can be told at the level that all
searches together see, and no seat loses more than it had.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from kbai.core.intervals import Estimate
from kbai.search.calibration import chance_of, log_odds
from kbai.search.evaluate import Value

Chances: TypeAlias = tuple[float, ...]
"""By seat; they add up to 1."""

# Cards and seats agree within this after a few rounds.
CLOSE = 1e-12
MAX_ROUNDS = 500


def corrected(value: Value) -> Chances:
    """Return chances that are never quite 0 or 1, even if the value is exact."""
    columns = zip(*(sample.wins for sample in value.samples), strict=True)
    return scaled([math.fsum(column) for column in columns])


def scaled(weights: Sequence[float]) -> Chances:
    """Return chances in the proportions of these weights."""
    total = math.fsum(weights)
    return tuple(weight / total for weight in weights)


def multiplied(one: Sequence[float], other: Sequence[float]) -> Chances:
    """Return chances with the odds of both multiplied."""
    return scaled([a * b for a, b in zip(one, other, strict=True)])


def between(one: Chances, other: Chances) -> Chances:
    """Return the chances halfway between two in log-odds."""
    return scaled([math.sqrt(a * b) for a, b in zip(one, other, strict=True)])


def mean_chances(rows: Sequence[Chances], odds: Sequence[float]) -> Chances:
    """Return the mean of the rows, weighted by the odds of each."""
    return tuple(
        math.fsum(weight * chance for weight, chance in zip(odds, column, strict=True))
        for column in zip(*rows, strict=True)
    )


def moved_to_mean(rows: Sequence[Chances], odds: Sequence[float], mean: Chances) -> list[Chances]:
    """Return the rows with their odds changed alike, so that their mean is as given.

    A row has the chances after one card. This is iterative proportional fitting: a seat that has
    too much in the mean of all cards gets less in each, and so on until it fits.
    """
    factors = mean
    moved = list(rows)
    for _ in range(MAX_ROUNDS):
        moved = [multiplied(row, factors) for row in rows]
        found = mean_chances(moved, odds)
        if max(abs(a - b) for a, b in zip(found, mean, strict=True)) < CLOSE:
            break
        ratios = [want / have if have else 0.0 for want, have in zip(mean, found, strict=True)]
        factors = multiplied(factors, ratios)
    return moved


def moved_to_row(rows: Sequence[Chances], index: int, row: Chances) -> list[Chances]:
    """Return the rows with their odds changed alike, so that one of them is as given."""
    factors = [want / have for want, have in zip(row, rows[index], strict=True)]
    return [multiplied(each, factors) for each in rows]


def odds_around(chance: float, error: Estimate) -> Estimate:
    """Return a chance with an interval, given that of an error of its log-odds."""
    if error.low == error.high:
        return Estimate(chance, chance, chance)
    middle = log_odds(chance)
    low, high = error.low - error.value, error.high - error.value
    return Estimate(chance, chance_of(middle + low), chance_of(middle + high))
