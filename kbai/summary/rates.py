"""Rates over many games, such as losses per turn, and differences of such rates.

Turns of one game are not independent. So every rate is a ratio of two sums over games, and how much
games differ tells how far to trust it. Two games of a match on the same board do count as two: what
players lose in them has nothing in common (docs/strength.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kbai.core.intervals import student_tail
from kbai.core.uncertainty import Measured

# One side of a 95 % interval: a weakness has a direction.
TAIL = 0.025


@dataclass(slots=True)
class Rate:
    """An amount per count, such as loss per turn, collected game by game."""

    sums: dict[int, tuple[float, float]] = field(default_factory=dict)

    def add(self, game: int, amount: float, count: float = 1.0) -> None:
        """Add to the sums of a game, by its number."""
        known = self.sums.get(game, (0.0, 0.0))
        self.sums[game] = (known[0] + amount, known[1] + count)

    def of_game(self, game: int) -> float:
        """Return the rate in one game."""
        amount, count = self.sums[game]
        return amount / count

    @property
    def amount(self) -> float:
        """The amount of all games."""
        return math.fsum(amount for amount, _ in self.sums.values())

    @property
    def count(self) -> float:
        """The count of all games."""
        return math.fsum(count for _, count in self.sums.values())

    @property
    def games(self) -> int:
        """How many games have anything to count."""
        return sum(count > 0 for _, count in self.sums.values())

    def influences(self) -> Mapping[int, float]:
        """Return by how much each game raises the rate; all together 0."""
        total, n = self.count, self.games
        if n < 2:
            return {}
        value = self.amount / total
        # As if one game had been used up by the rate itself.
        scale = math.sqrt(n / (n - 1)) / total
        return {
            game: scale * (amount - value * count) for game, (amount, count) in self.sums.items()
        }

    def measured(self) -> Measured:
        """Return the rate; 0 if there is nothing to count."""
        return combine([(1.0, self)])


def difference(one: Rate, other: Rate) -> Measured:
    """Return how much higher the one rate is; what both have in common cancels out by game."""
    return combine([(1.0, one), (-1.0, other)])


def combine(parts: Sequence[tuple[float, Rate]]) -> Measured:
    """Return a weighted sum of rates; those without anything to count are left out."""
    parts = [(weight, rate) for weight, rate in parts if rate.count > 0]
    if not parts:
        return Measured(0.0, math.inf, 1)
    value = math.fsum(weight * rate.amount / rate.count for weight, rate in parts)
    fewest = min(rate.games for _, rate in parts)
    if fewest < 2:
        return Measured(value, math.inf, 1)
    totals: dict[int, float] = {}
    for weight, rate in parts:
        for game, influence in rate.influences().items():
            totals[game] = totals.get(game, 0.0) + weight * influence
    variance = math.fsum(each**2 for each in totals.values())
    return Measured(value, variance, fewest - 1)


def chance_of_more(measured: Measured) -> float:
    """Return how likely noise alone would give as much as this or more, if the truth were 0.

    One game with nothing in it is added, so that a few equal games do not look like certainty.

    >>> chance_of_more(Measured(1.0, 0.0, 2)) > 0.025 > chance_of_more(Measured(1.0, 0.0, 4))
    True
    """
    if math.isinf(measured.variance):
        return 1.0
    variance = measured.variance + (measured.value / (measured.freedom + 1)) ** 2
    t = measured.value / math.sqrt(variance) if variance else 0.0
    return student_tail(t, max(1, int(measured.freedom)))


def beyond_chance(chances: Iterable[float], tail: float = TAIL) -> list[bool]:
    """Return which of several comparisons chance does not explain, by Holm's method.

    However many are made, noise gets any of them through with no more than the chance ``tail``.

    >>> beyond_chance([0.02, 0.001, 0.3])
    [False, True, False]
    """
    chances = list(chances)
    found = [False] * len(chances)
    order = sorted(range(len(chances)), key=chances.__getitem__)
    for left, index in zip(range(len(order), 0, -1), order, strict=True):
        if chances[index] > tail / left:
            break
        found[index] = True
    return found
