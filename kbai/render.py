"""Quadrants, tiles and cards as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest

from kbai.canvas import LABEL, WIDTH, Pen, draw_hexes, plain, terrain_legend, wrap
from kbai.content import (
    LOCATION_LETTER,
    NOMAD_LETTER,
    SPACE_LETTERS,
    CardInfo,
    Content,
    NomadTile,
    Quadrant,
    Tile,
    select,
)

# Locations are drawn by the letters of their tiles, which explain themselves.
_SPACE_NAMES = {k: name for k, name in SPACE_LETTERS.items() if k != LOCATION_LETTER}
_SPACE_NAMES[NOMAD_LETTER] = "nomad space"


def draw_quadrant(quadrant: Quadrant, *, color: bool, ascii: bool = False) -> str:
    """Draw a quadrant as printed."""
    places = {(row, col): kind for kind, row, col in quadrant.locations}
    return draw_letters(quadrant.grid, locations=places, color=color, ascii=ascii)


def draw_letters(
    rows: Sequence[str],
    *,
    locations: Mapping[tuple[int, int], str],
    color: bool,
    ascii: bool = False,
) -> str:
    """Draw rows of letters; ``locations`` gives the kind of each ``l`` by row and column."""
    tiles = {row * len(rows[0]) + col: kind for (row, col), kind in locations.items()}
    return "\n".join(draw_hexes(rows, Pen(color, ascii), tiles=tiles))


def draw_legend(*, color: bool, ascii: bool = False, letters: str) -> str:
    """Draw what those signs mean that are among the letters of a map."""
    pen = Pen(color, ascii)
    spaces = [f"{pen.mark(k)} {name}" for k, name in _SPACE_NAMES.items() if k in letters]
    return "\n".join(wrap("Legend", [*terrain_legend(pen, letters), *spaces]))


def draw_content(every: Content, *, color: bool, ascii: bool = False) -> str:
    """Draw the quadrants of each set and tell what its tiles and cards do."""
    pen = Pen(color, ascii)
    parts: list[str] = []
    for info in every.sets.values():
        part = select(every, set_name=info.name)
        quadrants = _quadrant_lines([*part.quadrants.values()], pen)
        sections = (
            ("Quadrants", quadrants),
            ("Locations", _text_lines(part.locations.values(), pen)),
            ("Nomad tiles", _text_lines(part.nomads.values(), pen)),
            ("Gold in every game", _text_lines(part.rules.values(), pen)),
            ("Gold by card", _text_lines(part.cards.values(), pen)),
        )
        for title, lines in sections:
            if lines:
                parts.append("\n".join([f"{title} ({info.title})", "", *lines]))
    return "\n\n".join(parts)


def _quadrant_lines(quadrants: Sequence[Quadrant], pen: Pen) -> list[str]:
    """Draw quadrants two abreast and a legend below them."""
    if not quadrants:
        return []
    boxes = []
    for quadrant in quadrants:
        title = quadrant.name if quadrant.official else f"{quadrant.name} (not as printed)"
        drawing = draw_quadrant(quadrant, color=pen.color, ascii=pen.ascii).splitlines()
        boxes.append([pen.bold(title), *drawing])
    lines = []
    for left, right in zip_longest(boxes[::2], boxes[1::2], fillvalue=[""] * len(boxes[0])):
        width = WIDTH // 2 + 2
        for first, second in zip(left, right, strict=True):
            lines.append((first + " " * (width - len(plain(first))) + second).rstrip())
        lines.append("")
    letters = "".join("".join(quadrant.grid) for quadrant in quadrants)
    return [*lines, draw_legend(color=pen.color, ascii=pen.ascii, letters=letters)]


def _text_lines(rows: Collection[Tile | CardInfo], pen: Pen) -> list[str]:
    texts = {row.name: row.text for row in rows}
    for row in rows:
        if isinstance(row, NomadTile) and row.count > 1:
            texts[row.name] += f" ({row.count} tiles)"
    indent = max([LABEL, *map(len, texts)]) + 2
    lines = []
    for name, text in texts.items():
        first, *rest = textwrap.wrap(text, WIDTH - indent)
        lines += [pen.bold(name) + " " * (indent - len(name)) + first]
        lines += [" " * indent + line for line in rest]
    return lines
