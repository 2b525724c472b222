"""Cards about settlement areas: how many, how large, how long."""

from __future__ import annotations

from itertools import combinations

from kbai.explain.kingdom import Kingdom, hexes_apart
from kbai.explain.words import plural
from kbai.game.cells import format_cell


def hermits(first: Kingdom, second: Kingdom) -> str | None:
    more = len(first.areas) - len(second.areas)
    return f"has {plural(more, 'more settlement area')}" if more > 0 else None


def citizens(first: Kingdom, second: Kingdom) -> str | None:
    one, two = (max(map(len, kingdom.areas), default=0) for kingdom in (first, second))
    return f"has {one} settlements in its largest area instead of {two}" if one > two else None


def messengers(first: Kingdom, second: Kingdom) -> str | None:
    one, two = _longest(first), _longest(second)
    if one is None or (two is not None and one[0] <= two[0]):
        return None
    _, start, end = one
    return f"has an area that reaches from {format_cell(start)} to {format_cell(end)}"


def _longest(kingdom: Kingdom) -> tuple[int, int, int] | None:
    """Return the two settlements of one area that are farthest apart, after their distance."""
    pairs = (pair for area in kingdom.areas for pair in combinations(sorted(area), 2))
    return max(((hexes_apart(*pair), *pair) for pair in pairs), key=lambda it: it[0], default=None)
