"""Quadrants, tiles and cards as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import zip_longest

from kbai.content import (
    LOCATION_LETTER,
    NOMAD_LETTER,
    SEA_LETTER,
    SPACE_LETTERS,
    TILES_PER_SPACE,
    BonusTile,
    CardInfo,
    Content,
    Island,
    NomadTile,
    Quadrant,
    TaskInfo,
    Tile,
    in_language,
    select,
)
from kbai.draw.terminal_hexes import LABEL, WIDTH, Pen, draw_hexes, plain, terrain_legend, wrap

# How a row is called.
Label = Callable[[str], str]

# Texts fit the usual terminal; only boards are wider.
TEXT_WIDTH = 80

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
    """Draw a legend of the signs that a map uses; ``letters`` are those of the map."""
    pen = Pen(color, ascii)
    spaces = [f"{pen.mark(k)} {name}" for k, name in _SPACE_NAMES.items() if k in letters]
    return "\n".join(wrap("Legend", [*terrain_legend(pen, letters), *spaces]))


def draw_island(island: Island, *, color: bool, ascii: bool = False) -> str:
    """Draw an island without the empty columns to its right."""
    width = max(len(row.rstrip(SEA_LETTER)) for row in island.grid)
    rows = [row[:width] for row in island.grid]
    tiles = {row * width + col: kind for kind, row, col in island.locations}
    return "\n".join(draw_hexes(rows, Pen(color, ascii), tiles=tiles, prefix="~"))


def draw_sets(every: Content, names: Iterable[str], *, color: bool, ascii: bool = False) -> str:
    """Say what is in each of these boxes, in numbers."""
    texts = {name: f"{every.sets[name].title}: {_amounts(every, name)}." for name in names}
    return "\n".join(["Sets", "", *_table_lines(texts, Pen(color, ascii))])


def _amounts(every: Content, name: str) -> str:
    """Say how many of everything are in a box."""
    part, info = select(every, set_name=name), every.sets[name]
    shared = [
        (len(part.quadrants), "quadrant", "quadrants"),
        (len(part.islands), "side of an island", "sides of an island"),
        (_count_location_tiles(part), "location tile", "location tiles"),
        (sum(tile.count for tile in part.bonuses.values()), "bonus tile", "bonus tiles"),
        (len(part.commons), "action for everybody", "actions for everybody"),
        (sum(tile.count for tile in part.nomads.values()), "nomad tile", "nomad tiles"),
        (len(part.cards), "scoring card", "scoring cards"),
        (len(part.tasks), "task", "tasks"),
        (sum(info.deck.values()), "terrain card", "terrain cards"),
        (info.walls, "stone wall", "stone walls"),
        (info.scouts, "scout", "scouts"),
        (info.tokens, "token", "tokens"),
        (len(info.capitols), "capitol", "capitols"),
        (info.caves, "cave in each quadrant", "caves in each quadrant"),
    ]
    names = {key: key.replace("_", " ") for key in info.figures}
    figures = [(count, names[key], f"{names[key]}s") for key, count in info.figures.items()]
    each = [(info.houses, "settlement", "settlements"), *figures]
    lists = [
        ", ".join(f"{n} {one if n == 1 else more}" for n, one, more in amounts if n)
        for amounts in (shared, each)
    ]
    return "; for each seat ".join(filter(None, lists))


def _count_location_tiles(part: Content) -> int:
    """Count the tiles of a box's own locations."""
    grids: list[Quadrant | Island] = [*part.quadrants.values(), *part.islands.values()]
    spaces = [kind for grid in grids for kind, _, _ in grid.locations if kind in part.locations]
    return TILES_PER_SPACE * len(spaces)


def draw_content(
    every: Content, *, color: bool, ascii: bool = False, language: str | None = None
) -> str:
    """Draw the quadrants of each set and say what its tiles and cards do.

    In a language, names come in it, followed by kbai's own.
    """
    pen = Pen(color, ascii)

    def label(name: str) -> str:
        shown = name if language is None else in_language(every.names, name, language)
        return name if shown == name else f"{shown} ({name})"

    parts: list[str] = []
    for info in every.sets.values():
        part = select(every, set_name=info.name)
        sections = (
            ("Quadrants", _grid_lines([*part.quadrants.values()], pen, label)),
            ("Islands", _grid_lines([*part.islands.values()], pen, label)),
            ("Locations", _text_lines(part.locations.values(), pen, label)),
            ("Bonus tiles", _text_lines(part.bonuses.values(), pen, label)),
            ("Actions for everybody", _text_lines(part.commons.values(), pen, label)),
            ("Nomad tiles", _text_lines(part.nomads.values(), pen, label)),
            ("Gold in every game", _text_lines(part.rules.values(), pen, label)),
            ("Gold by card", _text_lines(part.cards.values(), pen, label)),
            ("Tasks", _text_lines(part.tasks.values(), pen, label)),
        )
        for title, lines in sections:
            if lines:
                parts.append("\n".join([f"{title} ({info.title})", "", *lines]))
    return "\n\n".join(parts)


def _grid_lines(items: Sequence[Quadrant | Island], pen: Pen, label: Label) -> list[str]:
    """Draw quadrants or islands side by side, with a legend below."""
    if not items:
        return []
    boxes = []
    for item in items:
        title = label(item.name)
        title += "" if item.official else " (not as printed)"
        if isinstance(item, Island):
            drawing = draw_island(item, color=pen.color, ascii=pen.ascii)
        else:
            drawing = draw_quadrant(item, color=pen.color, ascii=pen.ascii)
        boxes.append([pen.bold(title), *drawing.splitlines()])
    lines = []
    for left, right in zip_longest(boxes[::2], boxes[1::2], fillvalue=[""] * len(boxes[0])):
        width = WIDTH // 2 + 2
        for first, second in zip(left, right, strict=True):
            lines.append((first + " " * (width - len(plain(first))) + second).rstrip())
        lines.append("")
    letters = "".join("".join(item.grid) for item in items)
    return [*lines, draw_legend(color=pen.color, ascii=pen.ascii, letters=letters)]


def _text_lines(rows: Collection[Tile | CardInfo | TaskInfo], pen: Pen, label: Label) -> list[str]:
    texts = {row.name: row.text for row in rows}
    for row in rows:
        if isinstance(row, NomadTile) and row.count > 1:
            texts[row.name] += f" ({row.count} tiles)"
        elif isinstance(row, BonusTile):
            texts[row.name] += f" (with two tiles of {row.location})"
        elif isinstance(row, TaskInfo):
            texts[row.name] += f" ({row.gold} gold)"
    return _table_lines({label(name): text for name, text in texts.items()}, pen)


def _table_lines(texts: Mapping[str, str], pen: Pen) -> list[str]:
    """Put texts beside their names."""
    indent = max([LABEL, *map(len, texts)]) + 2
    lines = []
    for name, text in texts.items():
        first, *rest = textwrap.wrap(text, TEXT_WIDTH - indent)
        lines += [pen.bold(name) + " " * (indent - len(name)) + first]
        lines += [" " * indent + line for line in rest]
    return lines
