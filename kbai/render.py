"""Boards and positions as text for a terminal.

A hex is four characters wide and one line high, and every other row is shifted by two: what
looks like a brick wall is the hex grid. The four characters are bracket, mark, mark, bracket.
A settlement is a capital letter followed by the terrain it stands on, a location two letters
(``Ta`` is a tavern), a nomad tile two letters of which the first is small (``ou`` is an outpost),
terrain a single sign, so the marks can be told apart without colour.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from kbai._fast import Action, Draw, Phase, Position
from kbai.content import (
    CARD_TERRAINS,
    CASTLE_LETTER,
    LOCATION_LETTER,
    NOMAD_LETTER,
    TERRAIN_LETTERS,
    TILES_PER_SPACE,
    CardInfo,
    Content,
    NomadTile,
    Quadrant,
    Tile,
    load,
    select,
)
from kbai.notation import Turn, format_cell, parse_cell, setup_of
from kbai.schema import GOLD_SOURCES
from kbai.table import Setup

if TYPE_CHECKING:
    from kbai._fast import Fields, SeatFields

SEAT_LETTERS: dict[str, str] = {
    "red": "R",
    "blue": "B",
    "green": "G",
    "yellow": "Y",
    "white": "W",
    "black": "K",
    "orange": "O",
    "purple": "P",
}
WIDTH = 100
"""No line is longer than this."""

# By letter of the map; a stone wall has none, so it goes by a sign of its own.
_WALL = "#"
_UNICODE = {"G": "„", "C": "╱", "D": "·", "F": "✿", "T": "♣", "W": "≈", "M": "▲"}
_UNICODE |= {"k": "♜♜", "n": "::", _WALL: "▓▓"}
_ASCII = {"G": ",", "C": "/", "D": ".", "F": "*", "T": "&", "W": "~", "M": "^"}
_ASCII |= {"k": "##", "n": "::", _WALL: "%%"}
_HOUSE = "⌂"
UNICODE_SIGNS = "".join(_UNICODE.values()) + _HOUSE
"""What an output stream must be able to write unless ASCII is asked for."""
_LABEL = 12
_LAST_TURN, _IN_HAND = "[]", "<>"
_BRACKETS = ((_LAST_TURN, "last turn"), (_IN_HAND, "lifted, not put down yet"))
# Background and foreground out of the 256 colours; a seat is to stand out from every terrain.
_TERRAIN_COLORS = {
    "G": (149, 107),
    "C": (130, 94),
    "D": (186, 143),
    "F": (218, 175),
    "T": (28, 22),
    "W": (74, 31),
    "M": (246, 240),
    "k": (236, 220),
    "l": (236, 231),
    "n": (236, 180),
    _WALL: (250, 238),
}
_SEAT_COLORS = {
    "red": (160, 231),
    "blue": (20, 231),
    "green": (46, 16),
    "yellow": (226, 16),
    "white": (231, 16),
    "black": (16, 231),
    "orange": (208, 16),
    "purple": (91, 231),
}


@dataclass(frozen=True, slots=True)
class _Pen:
    """How to draw: with or without colour, with or without characters beyond ASCII."""

    color: bool
    ascii: bool

    def sign(self, letter: str) -> str:
        return (_ASCII if self.ascii else _UNICODE)[letter]

    def paint(self, text: str, colors: tuple[int, int], *, bold: bool = False) -> str:
        if not self.color:
            return text
        background, foreground = colors
        weight = "1;" if bold else ""
        return f"\x1b[{weight}48;5;{background};38;5;{foreground}m{text}\x1b[0m"

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.color else text

    def hex(self, letter: str, *, tile: str = "", seat: str = "", around: str = "  ") -> str:
        """Draw one hex: its letter, its tile, who stands there, the brackets around it."""
        colors = _TERRAIN_COLORS[letter]
        if tile:
            middle = self.paint(tile_mark(tile), colors, bold=True)
        elif seat:
            under = self.sign(letter) if self.ascii or not self.color else _HOUSE
            middle = self.paint(SEAT_LETTERS[seat] + under, _SEAT_COLORS[seat], bold=True)
        else:
            middle = self.paint(self.sign(letter).rjust(2), colors)
        strong = (colors[0], 231 if letter in "TkMln" else 16)
        left, right = (self.paint(side, strong, bold=True) for side in around)
        return left + middle + right


def tile_mark(kind: str) -> str:
    """Return the two letters a location, or a nomad space with this tile on it, is drawn with."""
    tile = load().tile(kind)
    if not isinstance(tile, NomadTile):
        return kind[:2].capitalize()
    letters = {name: letter for letter, name in TERRAIN_LETTERS.items()}
    return kind[0] + letters[tile.terrain] if tile.terrain else kind[:2]


def turn_cells(turn: Turn) -> tuple[int, ...]:
    """Return the cells that the actions of a turn name, those that pieces left included."""
    words = re.findall(r"(?<![\w=])[a-t][0-9]+\b", " ".join(turn.actions))
    return tuple(map(parse_cell, words))


def draw_position(
    position: Position, *, color: bool, ascii: bool = False, highlight: Collection[int] = ()
) -> str:
    """Draw the board and all that is known of a position; ``highlight`` cells get brackets."""
    pen = _Pen(color, ascii)
    setup = setup_of(position)
    fields = position.fields()
    around = dict.fromkeys(highlight, _LAST_TURN)
    if fields["lift"] is not None:
        around[fields["lift"][1]] = _IN_HAND
    seats = {
        cell: name
        for name, seat in zip(setup.seats, fields["seats"], strict=True)
        for cell in seat["cells"]
    }
    tiles = {
        space.cell: space.tile
        for index, space in enumerate(setup.spaces)
        if space.tile and index not in fields["gone"]
    }
    cells = list("".join(setup.letters))
    for wall in fields["walls"]:
        cells[wall] = _WALL
    width = len(setup.letters[0])
    rows = ["".join(cells[start : start + width]) for start in range(0, len(cells), width)]
    board = _draw_hexes(rows, pen, tiles=tiles, seats=seats, around=around)
    parts = [
        board,
        _turn_lines(setup, fields, pen),
        _seat_table(position, setup, fields, pen),
        _pile_lines(setup, fields),
        _legend_lines(setup, fields, pen, around.values()),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts)


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
    return "\n".join(_draw_hexes(rows, _Pen(color, ascii), tiles=tiles))


def draw_legend(*, color: bool, ascii: bool = False, letters: str = CASTLE_LETTER) -> str:
    """Draw what the signs for the terrains mean, and those for castles and nomad spaces."""
    pen = _Pen(color, ascii)
    names = {CASTLE_LETTER: "castle", NOMAD_LETTER: "nomad space"}
    spaces = [f"{pen.hex(k).strip()} {name}" for k, name in names.items() if k in letters]
    return "\n".join(_wrap("Legend", [*_terrain_legend(pen), *spaces]))


def draw_content(every: Content, *, color: bool, ascii: bool = False) -> str:
    """Draw the quadrants of each set and tell what its tiles and cards do."""
    pen = _Pen(color, ascii)
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


def _quadrant_lines(quadrants: Sequence[Quadrant], pen: _Pen) -> list[str]:
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
            lines.append((first + " " * (width - len(_plain(first))) + second).rstrip())
        lines.append("")
    letters = "".join("".join(quadrant.grid) for quadrant in quadrants)
    return [*lines, draw_legend(color=pen.color, ascii=pen.ascii, letters=letters)]


def _text_lines(rows: Collection[Tile | CardInfo], pen: _Pen) -> list[str]:
    texts = {row.name: row.text for row in rows}
    for row in rows:
        if isinstance(row, NomadTile) and row.count > 1:
            texts[row.name] += f" ({row.count} tiles)"
    indent = max([_LABEL, *map(len, texts)]) + 2
    lines = []
    for name, text in texts.items():
        first, *rest = textwrap.wrap(text, WIDTH - indent)
        lines += [pen.bold(name) + " " * (indent - len(name)) + first]
        lines += [" " * indent + line for line in rest]
    return lines


def _draw_hexes(
    rows: Sequence[str],
    pen: _Pen,
    *,
    tiles: Mapping[int, str],
    seats: Mapping[int, str] | None = None,
    around: Mapping[int, str] | None = None,
) -> list[str]:
    """Draw rows of hexes between column letters and row numbers; cells count row by row."""
    width = len(rows[0])
    # A letter stands over the right half of its hex in straight rows, the left half in shifted.
    header = " " * 6 + "   ".join(chr(ord("a") + col) for col in range(width))
    lines = [header]
    for row, letters in enumerate(rows):
        hexes = "".join(
            pen.hex(
                letter,
                tile=tiles.get(cell, ""),
                seat=(seats or {}).get(cell, ""),
                around=(around or {}).get(cell, "  "),
            )
            for cell, letter in enumerate(letters, start=row * width)
        )
        before, after = ("  ", "") if row % 2 else ("", "  ")
        lines.append(f"{row + 1:>2} {before}{hexes}{after} {row + 1}")
    return [*lines, header]


def _turn_lines(setup: Setup, fields: Fields, pen: _Pen) -> list[str]:
    cards = ", ".join(setup.cards) or "none"
    turn = [_turn_text(setup, fields, pen), *_action_texts(setup, fields)]
    return [*_wrap("Turn", turn), *_wrap("Cards", [cards])]


def _action_texts(setup: Setup, fields: Fields) -> list[str]:
    """Tell what is under way within the turn."""
    texts = []
    if fields["doing"] is not None:
        slot, left = fields["doing"]
        kind = setup.tile_kinds[slot - 1]
        if load().tile(kind).action is Action.SWORD:
            texts.append(f"the {kind} is to take a settlement of {setup.seats[left]}")
        else:
            texts.append(f"{kind} under way, steps to go: {left}")
    if fields["outpost"]:
        texts.append("an outpost is declared")
    if fields["built"]:
        texts.append(f"built: {' '.join(map(format_cell, fields['built']))}")
    return texts


def _turn_text(setup: Setup, fields: Fields, pen: _Pen) -> str:
    if fields["phase"] == Phase.OVER:
        return "the game is over"
    name = pen.bold(setup.seats[fields["mover"]])
    if fields["draw"] == Draw.REVEAL:
        text = f"{name} is to turn up a card"
    elif fields["draw"] == Draw.REPLACE:
        text = f"{name} is to replace an exhausted card"
    elif fields["card"] < 0:
        text = f"{name} has no card"
    elif fields["any_terrain"]:
        text = f"{name} plays {CARD_TERRAINS[fields['card']]}, for which any terrain stands"
    else:
        text = f"{name} plays {CARD_TERRAINS[fields['card']]}"
    states = {
        Phase.PRE: "the mandatory action is to come",
        Phase.BUILD: f"houses of the mandatory action to go: {fields['due']}",
        Phase.POST: "the mandatory action is done",
    }
    text += f"; {states[Phase(fields['phase'])]}"
    return f"{text}; last round" if fields["final"] else text


def _seat_table(position: Position, setup: Setup, fields: Fields, pen: _Pen) -> list[str]:
    lines = [" " * _LABEL + "settlements  supply  gold  tiles"]
    rows = zip(setup.seats, fields["seats"], position.scores(), strict=True)
    for index, (name, seat, gold) in enumerate(rows):
        over = fields["phase"] == Phase.OVER
        arrow = ">" if index == fields["mover"] and not over else " "
        mark = pen.paint(SEAT_LETTERS[name], _SEAT_COLORS[name], bold=True)
        numbers = f"{len(seat['cells']):>11}  {seat['supply']:>6}  {gold:>4}  "
        lines += _wrap(f"{arrow} {mark} {name:<8}{numbers}", _tile_texts(setup, seat))
    for name, seat in zip(setup.seats, fields["seats"], strict=True):
        so_far = dict(zip(GOLD_SOURCES, seat["gold"], strict=True))
        texts = [f"{source} {amount}" for source, amount in so_far.items() if amount]
        lines += _wrap("Gold so far", [f"{name}:", *texts]) if texts else []
    return lines


def _tile_texts(setup: Setup, seat: SeatFields) -> list[str]:
    states = ((seat["ready"], ""), (seat["used"], " used"), (seat["fresh"], " fresh"))
    texts = [
        f"{kind}{state}" if count == 1 else f"{count} {kind}{state}"
        for counts, state in states
        for kind, count in zip(setup.tile_kinds, counts, strict=True)
        if count
    ]
    lost = (setup.spaces[index] for index in sorted({*seat["taken"]} - {*seat["held"]}))
    return [*texts, *(f"{s.tile}@{format_cell(s.cell)} lost" for s in lost)] or ["none"]


def _pile_lines(setup: Setup, fields: Fields) -> list[str]:
    held = (counts for counts, _ in fields["held"])
    known = [fields["unseen"], fields["discard"], fields["spent"], *held]
    in_play = [sum(counts) for counts in zip(*known, strict=True)]
    if fields["card"] >= 0:
        in_play[fields["card"]] += 1
    removed = [total - count for total, count in zip(setup.deck, in_play, strict=True)]
    lines = _wrap("Unseen", _count_texts(fields["unseen"]))
    for label, counts in (("Discard", fields["discard"]), ("Spent", fields["spent"])):
        lines += _wrap(label, _count_texts(counts)) if any(counts) else []
    lines += _wrap("Removed", _count_texts(removed)) if any(removed) else []
    for counts, seats in fields["held"]:
        names = "+".join(setup.seats[seat] for seat in seats)
        lines += _wrap("Held", [f"{names}:", *_count_texts(counts)])
    if fields["no_card"]:
        lines += _wrap("No card", [setup.seats[seat] for seat in fields["no_card"]])
    lines += _wrap("Tiles left", _space_texts(setup, fields))
    if setup.nomad_cells:
        lying = [
            f"{space.tile}@{format_cell(space.cell)}"
            for index, space in enumerate(setup.spaces)
            if space.kind == "nomad" and space.tile and index not in fields["gone"]
        ]
        lines += _wrap("Nomads left", lying or ["none"])
    if _has_walls(setup, fields):
        lines += _wrap("Walls left", [str(setup.walls - len(fields["walls"]))])
    return lines


def _has_walls(setup: Setup, fields: Fields) -> bool:
    kinds = (load().tile(kind) for kind in setup.tile_kinds)
    return bool(fields["walls"]) or any(tile.action is Action.WALL for tile in kinds)


def _count_texts(counts: Sequence[int]) -> list[str]:
    pairs = ((name, counts[card]) for card, name in enumerate(CARD_TERRAINS))
    return [f"{name} {count}" for name, count in pairs if count] or ["none"]


def _space_texts(setup: Setup, fields: Fields) -> list[str]:
    returned = setup.options.lost_tiles_return
    taken = Counter(
        space for seat in fields["seats"] for space in seat["held" if returned else "taken"]
    )
    return [
        f"{space.tile}@{format_cell(space.cell)} {TILES_PER_SPACE - taken[index]}"
        for index, space in enumerate(setup.spaces)
        if space.kind == "location"
    ] or ["none"]


def _legend_lines(setup: Setup, fields: Fields, pen: _Pen, brackets: Collection[str]) -> list[str]:
    tiles = [
        (space.kind, space.tile if index not in fields["gone"] else None)
        for index, space in enumerate(setup.spaces)
    ]
    spaces = [f"{pen.hex(CASTLE_LETTER).strip()} castle"]
    for space, letter in (("location", LOCATION_LETTER), ("nomad", NOMAD_LETTER)):
        kinds = dict.fromkeys(tile for kind, tile in tiles if kind == space and tile)
        spaces += [f"{pen.hex(letter, tile=kind).strip()} {kind}" for kind in kinds]
    if ("nomad", None) in tiles:
        spaces.append(f"{pen.hex(NOMAD_LETTER).strip()} nomad space without a tile")
    seat = setup.seats[0]
    marks = [f"{pen.hex('T', seat=seat).strip()} settlement of {seat} on forest"]
    if fields["walls"]:
        marks.append(f"{pen.hex(_WALL).strip()} stone wall")
    marks += [f"{sides[0]} {sides[1]} {text}" for sides, text in _BRACKETS if sides in brackets]
    lines = _wrap("Terrain", _terrain_legend(pen))
    return [*lines, *_wrap("Spaces", spaces), *_wrap("Marks", marks)]


def _terrain_legend(pen: _Pen) -> list[str]:
    return [f"{pen.hex(letter).strip()} {name}" for letter, name in TERRAIN_LETTERS.items()]


def _wrap(label: str, items: Iterable[str]) -> list[str]:
    """Set items after a label, in lines that keep to `WIDTH`."""
    indent = max(len(_plain(label)), _LABEL)
    lines = [label.ljust(indent)]
    for item in items:
        gap = "  " if len(_plain(lines[-1])) > indent else ""
        if gap and len(_plain(lines[-1] + gap + item)) > WIDTH:
            lines.append(" " * indent)
            gap = ""
        lines[-1] += gap + item
    return lines


def _plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
