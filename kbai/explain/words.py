"""Numbers, hexes and places in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kbai.game.cells import format_cell, format_row
from kbai.game.setup import Setup

QUADRANTS = ("top left", "top right", "bottom left", "bottom right")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def plural(count: int, what: str) -> str:
    """Return a number of things.

    >>> plural(1, "more row"), plural(2000, "more row")
    ('1 more row', '2,000 more rows')
    """
    return f"{count} {what}" if count == 1 else f"{count:,} {what}s"


def ordinal(number: int) -> str:
    """Return which one of several it is.

    >>> ordinal(3), ordinal(11)
    ('third', '11th')
    """
    if number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number > 20 else "th"
    return f"{number}{ending}"


def listed(texts: Sequence[str]) -> str:
    """Return texts as a list in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = texts
    return f"{', '.join(most)} and {last}" if most else last


def rows_text(rows: Iterable[int]) -> str:
    """Return the names of rows: ``row 7``, ``rows 7 and 8``."""
    names = [format_row(row) for row in sorted(rows)]
    return f"row{'s' if len(names) > 1 else ''} {listed(names)}"


def space_text(setup: Setup, cell: int) -> str:
    """Return a special space and where it is: ``the castle at l12``, ``the oasis at h13``."""
    space = next(space for space in setup.spaces if space.cell == cell)
    kind = space.kind if space.kind != "nomad" else "nomad space"
    name = space.tile if space.tile and space.kind == "location" else kind
    return f"the {name.replace('_', ' ')} at {format_cell(cell)}"
