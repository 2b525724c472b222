"""Points and margins of finished games."""

from __future__ import annotations

import doctest

import pytest

from kbai.core import points
from kbai.core.points import margins_of, points_of


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(points) == (0, 2)


@pytest.mark.parametrize(
    "golds, points, margins",
    [
        ((60, 50), (1, 0), (10, -10)),
        ((50, 50), (0.5, 0.5), (0, 0)),
        ((40, 60, 60, 20), (0, 0.5, 0.5, 0), (-20, 0, 0, -40)),
        ((7, 7, 7, 7, 7), (0.2,) * 5, (0,) * 5),
        ((0, 0, 30), (0, 0, 1), (-30, -30, 30)),
    ],
)
def test_a_point_is_shared_by_the_seats_with_the_most_gold(golds, points, margins):
    assert points_of(golds) == pytest.approx(points)
    assert margins_of(golds) == margins
