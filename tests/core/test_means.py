"""Means without the module `statistics`, which say the same."""

import random
import statistics

from kbai.core.intervals import LEVEL
from kbai.core.means import QUANTILE, fmean


def test_means_are_those_of_statistics():
    generator = random.Random(1)
    for size in range(1, 50):
        values = [generator.gauss(0, 1000) for _ in range(size)]
        assert fmean(values) == fmean(iter(values)) == statistics.fmean(values)


def test_the_quantile_is_that_of_the_level():
    assert QUANTILE == statistics.NormalDist().inv_cdf((1 + LEVEL) / 2)
