"""How a hex, a grid of hexes and a labelled list look as text for a terminal.

A hex is four characters wide and one line high, and every other row is shifted by two: what
looks like a brick wall is the hex grid. The four characters are bracket, mark, mark, bracket.
A house is a capital letter followed by the terrain it stands on, another piece a capital letter
followed by a letter of its own, a location two letters (``Ta`` is a tavern), a nomad tile two
letters of which the first is small (``ou`` is an outpost), terrain a single sign, so the marks
differ without colour, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kbai.content import SEA_LETTER, TERRAIN_LETTERS, NomadTile, load

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
LABEL = 12
"""The least width of a label."""

# Hexes have the letters of the map. These are for what lies on them and has no letter there.
WALL, CAVE, CAPITOL = "#", "c", "K"
# Pieces other than houses, and the tokens of the mover, by the letter they are drawn with.
WARRIOR, WAGON, SHIP, HALL, HALL_CENTRE, SCOUT = "x", "w", "s", "h", "H", "i"

_UNICODE = {"G": "„", "C": "╱", "D": "·", "F": "✿", "T": "♣", "W": "≈", "M": "▲"}
_UNICODE |= {"S": "ψ", "A": "≡", "k": "♜♜", "n": "::", "p": "♛♛", "o": "()"}
_UNICODE |= {WALL: "▓▓", CAVE: "∩▲", CAPITOL: "♜★"}
_ASCII = {"G": ",", "C": "/", "D": ".", "F": "*", "T": "&", "W": "~", "M": "^"}
_ASCII |= {"S": '"', "A": "=", "k": "##", "n": "::", "p": "@@", "o": "()"}
_ASCII |= {WALL: "%%", CAVE: "n^", CAPITOL: "#!"}
_HOUSE = "⌂"
UNICODE_SIGNS = "".join(_UNICODE.values()) + _HOUSE
"""What the encoding of the output needs to have; otherwise drawings are in ASCII."""

# Background and foreground from the 256 colours; seats stand out from every terrain.
_TERRAIN_COLORS = {
    "G": (149, 107),
    "C": (130, 94),
    "D": (186, 143),
    "F": (218, 175),
    "T": (28, 22),
    "S": (65, 22),
    "A": (221, 136),
    "W": (74, 31),
    "M": (246, 240),
    CAVE: (246, 16),
    "k": (236, 220),
    CAPITOL: (236, 226),
    "l": (236, 231),
    "n": (236, 180),
    "p": (236, 207),
    "o": (236, 215),
    WALL: (250, 238),
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
# Locations that share their first two letters with another one.
_LOCATION_MARKS = {
    "barracks": "Bk",
    "bazaar": "Bz",
    "canoe": "Cn",
    "cathedral": "Ct",
    "foresters_lodge": "Fl",
    "fort": "Ft",
    "fountain": "Fn",
    "mountain_station": "Ms",
    "palisade": "Pl",
    "wagon": "Wg",
    "watchtower": "Wt",
    "water_mill": "Wm",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on a hex: its owner, and its letter unless it is a house."""

    seat: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Pen:
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

    def seat(self, name: str, sign: str = "") -> str:
        """Draw the letter of a seat and the sign beside it."""
        return self.paint(SEAT_LETTERS[name] + sign, _SEAT_COLORS[name], bold=True)

    def hex(
        self, letter: str, *, tile: str = "", piece: Piece | None = None, around: str = "  "
    ) -> str:
        """Draw one hex: its letter, tile, piece, and the brackets around it."""
        if letter == SEA_LETTER:
            return " " * 4
        colors = _TERRAIN_COLORS[letter]
        if tile:
            middle = self.paint(tile_mark(tile), colors, bold=True)
        elif piece:
            middle = self.seat(piece.seat, piece.figure or self.under(letter))
        else:
            middle = self.paint(self.sign(letter).rjust(2), colors)
        left, right = (self.ground(letter, side, strong=True) for side in around)
        return left + middle + right

    def under(self, letter: str) -> str:
        """Return the sign beside the letter of a house: its terrain unless that has a colour."""
        return self.sign(letter)[0] if self.ascii or not self.color else _HOUSE

    def ground(self, letter: str, text: str, *, strong: bool = False) -> str:
        """Draw a text on the terrain of a letter, so that it stands out or like its own sign."""
        colors = _TERRAIN_COLORS[letter]
        if strong:
            colors = (colors[0], 231 if letter in "TSkKMlnpo" else 16)
        return self.paint(text, colors, bold=strong)

    def mark(self, letter: str, *, tile: str = "", piece: Piece | None = None) -> str:
        """Draw a hex as a legend shows it."""
        return self.hex(letter, tile=tile, piece=piece).strip()


def tile_mark(kind: str) -> str:
    """Return the two letters for a location, or for a nomad space with this tile on it."""
    tile = load().tile(kind)
    if not isinstance(tile, NomadTile):
        return _LOCATION_MARKS.get(kind, kind[:2].capitalize())
    letters = {name: letter for letter, name in TERRAIN_LETTERS.items()}
    return kind[0] + letters[tile.terrain] if tile.terrain else kind[:2]


def draw_hexes(
    rows: Sequence[str],
    pen: Pen,
    *,
    tiles: Mapping[int, str],
    pieces: Mapping[int, Piece] | None = None,
    around: Mapping[int, str] | None = None,
    first: int = 0,
    prefix: str = "",
) -> list[str]:
    """Draw rows of hexes between column letters and row numbers.

    Cells count row by row from ``first``; the numbers of the rows begin with ``prefix``.
    """
    width = len(rows[0])
    # A letter is above the right half of its hex in straight rows, the left half in shifted ones.
    header = " " * 6 + "   ".join(chr(ord("a") + col) for col in range(width))
    lines = [header]
    for row, letters in enumerate(rows):
        hexes = "".join(
            pen.hex(
                letter,
                tile=tiles.get(cell, ""),
                piece=(pieces or {}).get(cell),
                around=(around or {}).get(cell, "  "),
            )
            for cell, letter in enumerate(letters, start=first + row * width)
        )
        before, after = ("  ", "") if row % 2 else ("", "  ")
        name = f"{prefix}{row + 1}"
        lines.append(f"{name:>2} {before}{hexes}{after} {name}")
    return [*lines, header]


def terrain_legend(pen: Pen, letters: str) -> list[str]:
    """Explain the signs of the terrains that a map uses."""
    names = TERRAIN_LETTERS.items()
    return [f"{pen.mark(letter)} {name}" for letter, name in names if letter in letters]


def wrap(label: str, items: Iterable[str], gap: str = "  ") -> list[str]:
    """Put items after a label, with a gap between them, in lines no longer than `WIDTH`."""
    indent = max(len(plain(label)), LABEL)
    lines = [label.ljust(indent)]
    for item in items:
        between = gap if len(plain(lines[-1])) > indent else ""
        if between and len(plain(lines[-1] + between + item)) > WIDTH:
            lines.append(" " * indent)
            between = ""
        lines[-1] += between + item
    return lines


def wrap_text(label: str, text: str) -> list[str]:
    """Put a sentence after a label, in lines no longer than `WIDTH`."""
    return wrap(label, text.split(), " ")


def plain(text: str) -> str:
    """Return a text without its colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
