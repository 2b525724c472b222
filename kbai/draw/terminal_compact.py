"""A board for a game under way: it fits a terminal of 80 columns and 24 lines.

What everybody has stands beside it. A hex is three characters wide, and every other row is shifted
by one; where there is room it is four wide, shifted by two. On a narrow terminal it is two wide,
one for a mark and one for the terrain or the seat. The letters of the columns stand above the board
and again between its halves, where they mark the border of the quadrants. On a terminal too narrow
even for that, a sentence says so: a board whose lines are broken cannot be read.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from kbai._fast import Position
from kbai.content import SEA_LETTER, load
from kbai.draw import facts
from kbai.draw.terminal import board_letters, standing_pieces
from kbai.draw.terminal_hexes import Pen, Piece, plain, tile_mark
from kbai.game.cells import COLUMNS, N_BOARD_CELLS, SIZE
from kbai.game.setup import setup_of
from kbai.notation.actions import CHOOSE
from kbai.notation.turns import Turn

if TYPE_CHECKING:
    from kbai._fast import SeatFields  # only the stub has them

NARROW_HEX, HEX, WIDE_HEX = 2, 3, 4
PANEL_WIDTH = 11
MARGINS = 8
"""The numbers of the rows at both sides, the border of the quadrants, and a shift by one."""
NARROWEST = NARROW_HEX * SIZE + MARGINS
HALF = SIZE // 2
INDENT = 4
CAN, WAS = "[]", "*"
"""Around a hex that is possible now; before a hex of the last turn."""


def draw_compact(
    position: Position,
    *,
    color: bool,
    ascii: bool = False,
    width: int = 80,
    possible: Collection[int] = (),
    last: Sequence[Turn] = (),
) -> str:
    """Draw the board and, if there is room, what everybody has beside it, else below it.

    ``possible`` cells get brackets, those of the ``last`` turns a star.
    """
    if width < NARROWEST:
        return _too_narrow(position, Pen(color, ascii), width)
    pen = Pen(color, ascii)
    size = hex_size(width)
    board_width = size * SIZE + MARGINS + (size == WIDE_HEX)
    changed = {cell for turn in last for cell in turn.cells}
    lines = _board_lines(position, pen, {*possible}, changed, size)
    panel = _panel_lines(position, pen)
    told = ["", "last:", *(line for turn in last for line in _turn_lines(turn, pen))]
    if last and len(panel) + len(told) <= len(lines):
        panel += told
    if width >= board_width + 1 + PANEL_WIDTH and len(panel) <= len(lines):
        panel += [""] * (len(lines) - len(panel))
        pairs = zip(lines, panel, strict=True)
        lines = [_pad(line, board_width) + " " + beside for line, beside in pairs]
    else:
        lines += ["", *_rows_below(position, pen, width)]
    return "\n".join(line.rstrip() for line in lines)


def hex_size(width: int) -> int:
    """Return how many characters wide a hex is."""
    if width >= WIDE_HEX * SIZE + MARGINS + 2 + PANEL_WIDTH:
        return WIDE_HEX
    return HEX if width >= HEX * SIZE + MARGINS else NARROW_HEX


def _too_narrow(position: Position, pen: Pen, width: int) -> str:
    text = f"The board needs {NARROWEST} columns, and your terminal has {width}. Make it wider or "
    text += "its letters smaller, then type board."
    lines = [*textwrap.wrap(text, width), "", *_rows_below(position, pen, width)]
    return "\n".join(line.rstrip() for line in lines)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - len(plain(text)))


def _board_lines(
    position: Position, pen: Pen, possible: set[int], last: set[int], size: int
) -> list[str]:
    setup, fields = setup_of(position), position.fields()
    letters = board_letters(setup, fields)
    standing = standing_pieces(position, setup, fields)
    tiles = facts.lying_tiles(setup, fields)
    lifted = fields["lift"][1] if fields["lift"] else -1

    def draw_row(first: int, width: int, row: int, name: str, split: bool) -> str:
        cells = range(first + row * width, first + (row + 1) * width)
        drawn = [
            _hex(
                pen,
                letters[cell],
                tiles.get(cell, ""),
                standing.get(cell),
                cell in possible,
                cell in last,
                cell == lifted,
                size,
            )
            for cell in cells
        ]
        if split:
            drawn.insert(HALF, "|" if pen.ascii else "│")
        shift = " " * max(1, size - HEX + 1)
        before, after = (shift, "") if row % 2 else ("", shift)
        return f"{name:>2} {before}{''.join(drawn)}{after} {name}"

    lines = [_letters(" ", SIZE, " ", size)]
    for row in range(SIZE):
        if row == HALF:
            dash, cross = ("-", "+") if pen.ascii else ("─", "┼")
            lines.append(_letters(dash, SIZE, cross, size))
        lines.append(draw_row(0, SIZE, row, str(row + 1), True))
    if setup.island:
        width = len(setup.letters[SIZE])
        lines += ["", _letters(" ", width, "", size)]
        for row in range(len(setup.letters) - SIZE):
            lines.append(draw_row(N_BOARD_CELLS, width, row, f"~{row + 1}", False))
    return lines


def _letters(fill: str, width: int, middle: str, size: int) -> str:
    after = fill * (size > NARROW_HEX)
    names = [f"{fill * (size - 1 - len(after))}{letter}{after}" for letter in COLUMNS[:width]]
    if width == SIZE:
        names.insert(HALF, middle)
    return f"   {''.join(names)}"


def _hex(
    pen: Pen,
    letter: str,
    tile: str,
    piece: Piece | None,
    is_possible: bool,
    is_last: bool,
    is_lifted: bool,
    size: int,
) -> str:
    """Draw a hex: a sign for its terrain, or two letters for what is on it."""
    if letter == SEA_LETTER:
        return " " * size
    before = "<" if is_lifted else CAN[0] if is_possible else WAS if is_last else " "
    after = CAN[1] if is_possible else " "
    strong = is_possible or is_last
    if piece and size == NARROW_HEX:
        if piece.figure and before == " ":
            return pen.seat(piece.seat, piece.figure)
        return pen.ground(letter, before, strong=True) + pen.seat(piece.seat)
    if piece:
        under = piece.figure or pen.under(letter)
        right = pen.ground(letter, after, strong=True) if size == WIDE_HEX else ""
        return pen.ground(letter, before, strong=True) + pen.seat(piece.seat, under) + right
    sign = tile_mark(tile) if tile else pen.sign(letter)
    if size == NARROW_HEX:
        text = sign if len(sign) == NARROW_HEX and before == " " else before + sign[-1]
        return pen.ground(letter, text, strong=strong or len(sign) == NARROW_HEX)
    if len(sign) == 1:
        gap = " " if size == WIDE_HEX else ""
        return pen.ground(letter, before + gap + sign + after, strong=strong)
    return pen.ground(letter, before + sign + (after if size == WIDE_HEX else ""), strong=True)


def _panel_lines(position: Position, pen: Pen) -> list[str]:
    """Return what each seat has, and the cards, in lines as narrow as the panel."""
    setup, fields = setup_of(position), position.fields()
    acting = facts.acting_seat(position)
    lines = ["  left gold"]
    for name, seat, gold in zip(setup.seats, fields["seats"], position.scores(), strict=True):
        arrow = ">" if name == acting else " "
        lines.append(f"{arrow}{pen.seat(name, ' ')}{seat['supply']:>3} {gold:>4}")
        lines += _in_rows(_tiles_in_short(setup.tile_kinds, seat))
    lines += ["", "cards:"]
    lines += [name[:PANEL_WIDTH] for name in (*setup.cards, *setup.tasks)]
    return lines


def _turn_lines(turn: Turn, pen: Pen) -> list[str]:
    """Return a turn in lines as narrow as the panel."""
    card, words = turn.card, list(turn.words)
    for word in turn.words:
        if word.startswith(f"{CHOOSE}:"):
            card = re.split("[:/]", word)[-1]
            words.remove(word)
    rest = " ".join(words).replace(":", " ") or "-"
    lines = textwrap.wrap(rest, PANEL_WIDTH, break_on_hyphens=False)
    return [f"{pen.seat(turn.seat, ' ')}{card[: PANEL_WIDTH - 2]}", *lines]


def _rows_below(position: Position, pen: Pen, width: int) -> list[str]:
    """Return what each seat has, and the cards, in lines that a terminal does not break."""
    setup, fields = setup_of(position), position.fields()
    acting = facts.acting_seat(position)
    rows = []
    for name, seat, gold in zip(setup.seats, fields["seats"], position.scores(), strict=True):
        arrow = ">" if name == acting else " "
        tiles = " ".join(_tiles_in_short(setup.tile_kinds, seat))
        text = f"{seat['supply']} left, gold {gold}  {tiles}".rstrip()
        first, *more = textwrap.wrap(text, width - INDENT)
        rows += [f"{arrow}{pen.seat(name, ' ')} {first}", *(" " * INDENT + line for line in more)]
    cards = f"cards: {', '.join((*setup.cards, *setup.tasks))}"
    return [*rows, *textwrap.wrap(cards, width, subsequent_indent=" " * INDENT)]


def _tiles_in_short(kinds: Iterable[str], seat: SeatFields) -> list[str]:
    """Return the tiles of a seat by their two letters; those not ready in parentheses."""
    commons = load().commons
    found = []
    for kind, ready, used, fresh in zip(
        kinds, seat["ready"], seat["used"], seat["fresh"], strict=True
    ):
        if kind not in commons:
            found += [tile_mark(kind)] * ready + [f"({tile_mark(kind)})"] * (used + fresh)
    return found


def _in_rows(items: list[str]) -> list[str]:
    """Put items into lines as narrow as the panel."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + 1 + len(item) <= PANEL_WIDTH:
            lines[-1] += f" {item}"
        else:
            lines.append(f" {item}")
    return lines
