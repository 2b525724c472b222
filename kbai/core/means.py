"""Means, and the normal distribution's usual quantile, without the module `statistics`.

That loads fractions and decimals, which takes longer than most searches of a few visits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

QUANTILE = 1.9599639845400536
"""Of the normal distribution: 95 % lie within so many standard deviations of the mean."""


def fmean(values: Iterable[float]) -> float:
    """Return the mean, rounded once.

    >>> fmean([0.1] * 10)
    0.1
    """
    values = list(values)
    return math.fsum(values) / len(values)
