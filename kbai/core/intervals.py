"""Means and shares with their intervals, all at 95 %.

Plain Python on purpose: ``kbai match`` should not need numpy and scipy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from kbai.core.means import fmean

LEVEL = 0.95
# With more degrees of freedom than this, Student's distribution is normal.
MANY = 1000


class Estimate(NamedTuple):
    """A mean with its interval; the ends are infinite if there is only one group."""

    value: float
    low: float
    high: float


def mean_estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of one value per group with Student's interval."""
    mean = fmean(values)
    if len(values) < 2:
        return Estimate(mean, -math.inf, math.inf)
    half = student(len(values) - 1) * math.sqrt(_mean_variance(values))
    return Estimate(mean, mean - half, mean + half)


def _mean_variance(values: Sequence[float]) -> float:
    """Return the variance of the mean of independent values."""
    mean = fmean(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    return squares / (len(values) - 1) / len(values)


def share_estimate(groups: Sequence[Sequence[float]]) -> Estimate:
    """Return the mean share, given the share in each game of each group.

    The interval is Wilson's, which stays between 0 and 1 and is accurate near both. Games of a
    group are not independent, so their number is divided by how much more (or less) the shares
    of groups vary than those of independent games would. One group of independent games is added,
    so that a few equal groups do not look like certainty.
    """
    means = [fmean(games) for games in groups]
    mean = fmean(means)
    n_games = sum(map(len, groups))
    spread = mean * (1 - mean)
    inflation = 1.0
    if spread > 0:
        independent = spread * len(groups) / n_games
        squares = math.fsum((value - mean) ** 2 for value in means)
        inflation = (squares + independent) / len(groups) / independent
    return Estimate(mean, *wilson_interval(mean, n_games / inflation, student(len(groups))))


def wilson_interval(share: float, n: float, quantile: float) -> tuple[float, float]:
    """Return the ends of Wilson's interval of a share of ``n`` independent trials."""
    square = quantile**2 / n
    centre = (share + square / 2) / (1 + square)
    half = math.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def variance_factor(groups: Sequence[Sequence[float]]) -> float | None:
    """Return how many times more independent games would be needed for the same certainty.

    It is the variance of the mean if all games were independent, over the variance of the mean
    of the groups; None if the groups do not differ or there is only one.
    """
    means = [fmean(games) for games in groups]
    games = [value for group in groups for value in group]
    if len({round(mean, 9) for mean in means}) < 2:
        return None
    return _mean_variance(games) / _mean_variance(means)


def student(freedom: int) -> float:
    """Return the quantile of Student's distribution that leaves 5 % outside, both sides together.

    Exact for 1 and 2 degrees of freedom, else by the expansion around the normal quantile
    (Abramowitz and Stegun 26.7.5), right to 0.004 and better.
    """
    tail = (1 - LEVEL) / 2
    if freedom == 1:
        return 1 / math.tan(math.pi * tail)
    if freedom == 2:
        return (1 - 2 * tail) / math.sqrt(2 * tail * (1 - tail))
    from statistics import NormalDist  # which takes long to load

    z = NormalDist().inv_cdf(1 - tail)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / freedom**power for power, term in enumerate(terms))


def student_tail(t: float, freedom: int) -> float:
    """Return the chance that Student's distribution gives more than ``t``.

    The finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4; normal for many degrees of freedom.

    >>> round(student_tail(2.776, 4), 4)
    0.025
    """
    if freedom > MANY:
        from statistics import NormalDist  # which takes long to load

        return NormalDist().cdf(-t)
    angle = math.atan(t / math.sqrt(freedom))
    square = math.cos(angle) ** 2
    is_odd = freedom % 2
    term = math.cos(angle) if is_odd else 1.0
    terms = [term] if freedom > 1 else []
    for power in range(2 + is_odd, freedom - 1, 2):
        term *= square * (power - 1) / power
        terms.append(term)
    inside = math.sin(angle) * math.fsum(terms)
    if is_odd:
        inside = (angle + inside) * 2 / math.pi
    return (1 - inside) / 2
