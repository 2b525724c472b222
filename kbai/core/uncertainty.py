"""Values with a known error, and sums of such values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kbai.core.intervals import Estimate, student
from kbai.core.means import fmean


@dataclass(frozen=True, slots=True)
class Measured:
    """A value, the variance of its error, and the degrees of freedom that variance is known with.

    The errors of two values that are added are taken to be independent.
    """

    value: float
    variance: float = 0.0
    freedom: float = math.inf

    def __add__(self, other: Measured) -> Measured:
        return total((self, other))

    def __mul__(self, factor: float) -> Measured:
        return Measured(factor * self.value, factor**2 * self.variance, self.freedom)

    def __neg__(self) -> Measured:
        return self * -1

    def __sub__(self, other: Measured) -> Measured:
        return self + -other

    def estimate(self) -> Estimate:
        """Return the value with its interval."""
        if not self.variance:
            return Estimate(self.value, self.value, self.value)
        # Rounded down: better too wide than too narrow.
        quantile = student(max(1, int(min(self.freedom, 10**6))))
        half = quantile * math.sqrt(self.variance)
        return Estimate(self.value, self.value - half, self.value + half)


def total(parts: Iterable[Measured]) -> Measured:
    """Return a sum; its degrees of freedom are those of Welch and Satterthwaite."""
    parts = list(parts)
    variance = math.fsum(part.variance for part in parts)
    squares = math.fsum(part.variance**2 / part.freedom for part in parts)
    freedom = variance**2 / squares if squares else math.inf
    return Measured(math.fsum(part.value for part in parts), variance, freedom)


def mean_of(values: Sequence[float]) -> Measured:
    """Return the mean of independent measurements of the same thing."""
    mean, n = fmean(values), len(values)
    if n < 2:
        return Measured(mean, math.inf, 1)
    squares = math.fsum((value - mean) ** 2 for value in values)
    return Measured(mean, squares / (n - 1) / n, n - 1)


def contrast(weights: Sequence[float], rows: Sequence[Sequence[float]]) -> Measured:
    """Return a weighted sum of means, one row of measurements for each; the weights add up to 0.

    The measurements of one column share what they have of chance, and what they share cancels
    out. The noise that is left is taken to be the same for all: that makes the most of a few
    measurements of each.
    """
    means = [fmean(row) for row in rows]
    value = math.fsum(weight * mean for weight, mean in zip(weights, means, strict=True))
    columns = [fmean(column) for column in zip(*rows, strict=True)]
    freedom = (len(rows) - 1) * (len(columns) - 1)
    if not freedom:
        return Measured(value, 0.0 if len(rows) == 1 else math.inf, 1)
    middle = fmean(means)
    squares = math.fsum(
        (cell - mean - column + middle) ** 2
        for row, mean in zip(rows, means, strict=True)
        for cell, column in zip(row, columns, strict=True)
    )
    spread = math.fsum(weight**2 for weight in weights) / len(columns)
    return Measured(value, spread * squares / freedom, freedom)
