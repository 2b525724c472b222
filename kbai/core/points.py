"""What the gold of all seats at the end of a game is worth: points and margins."""

from __future__ import annotations

from collections.abc import Sequence


def points_of(golds: Sequence[int]) -> tuple[float, ...]:
    """Return one point, shared equally by the seats with the most gold.

    >>> points_of((52, 31, 52))
    (0.5, 0.0, 0.5)
    """
    best = max(golds)
    share = 1 / golds.count(best)
    return tuple([share if gold == best else 0.0 for gold in golds])


def margins_of(golds: Sequence[int]) -> tuple[int, ...]:
    """Return the gold of each seat minus that of the best other seat.

    >>> margins_of((52, 31, 50))
    (2, -21, -2)
    """
    *_, second, best = sorted(golds)
    return tuple([gold - (second if gold == best else best) for gold in golds])
