"""Positions as text for a terminal: the board, what everybody has, and what the signs mean."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from kbai._fast import Phase, Position
from kbai.content import (
    CASTLE_LETTER,
    LOCATION_LETTER,
    NOMAD_LETTER,
    PALACE_LETTER,
    SILO_LETTER,
)
from kbai.draw import facts
from kbai.draw import terminal_hexes as hexes
from kbai.draw.terminal_hexes import LABEL, Pen, Piece, draw_hexes, terrain_legend, wrap, wrap_text
from kbai.game import pieces
from kbai.game.cells import N_BOARD_CELLS, SIZE
from kbai.game.setup import Setup, setup_of
from kbai.notation.turns import Turn

if TYPE_CHECKING:
    from kbai._fast import Fields  # only the stub has them

_LAST_TURN, _IN_HAND = "[]", "<>"
_FIRST = "1]"
_BRACKETS = ((_LAST_TURN, "last turn"), (_IN_HAND, "lifted, not put down yet"))
_FIGURES = {
    pieces.HOUSE: "",
    pieces.WARRIOR: hexes.WARRIOR,
    pieces.WAGON: hexes.WAGON,
    pieces.SHIP: hexes.SHIP,
    pieces.HALL: hexes.HALL,
}
# What a letter after that of a seat means; the seat is filled in.
_FIGURE_TEXTS = {
    hexes.WARRIOR: "warrior of {}, nothing may be placed beside it",
    hexes.WAGON: "wagon of {}",
    hexes.SHIP: "ship of {}",
    hexes.HALL: "city hall of {}, seven settlements",
    hexes.SCOUT: "scout of {}, until the turn ends",
}


def draw_position(
    position: Position,
    *,
    color: bool,
    ascii: bool = False,
    highlight: Collection[int] = (),
    numbered: Turn | None = None,
) -> str:
    """Draw the board and everything known about a position.

    ``highlight`` cells get brackets; where the actions of a turn lead to gets their numbers, too.
    """
    pen = Pen(color, ascii)
    setup = setup_of(position)
    fields = position.fields()
    around = dict.fromkeys(highlight, _LAST_TURN)
    if numbered:
        around |= _numbers(numbered)
    if fields["lift"] is not None:
        around[fields["lift"][1]] = _IN_HAND
    letters = board_letters(setup, fields)
    standing = standing_pieces(position, setup, fields)
    parts = [
        *_draw_boards(setup, fields, pen, letters, standing, around),
        _turn_lines(setup, fields, pen),
        _seat_lines(position, setup, fields, pen),
        _pile_lines(setup, fields),
        _legend_lines(setup, fields, pen, letters, standing, around),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts)


def _numbers(turn: Turn) -> dict[int, str]:
    """Return what to put around the hexes of a turn: number and bracket where an action ends."""
    around = dict.fromkeys(turn.cells, _LAST_TURN)
    for number, path in enumerate(turn.paths, start=1):
        around[path[-1]] = (str(number) if number < 10 else "+") + _LAST_TURN[1]
    return around


def board_letters(setup: Setup, fields: Fields) -> str:
    """Return the letter of each cell, for those without a piece or a tile."""
    cells = list("".join(setup.letters))
    marks = ((fields["walls"], hexes.WALL), (setup.caves, hexes.CAVE))
    for places, letter in (*marks, (setup.capitols, hexes.CAPITOL)):
        for cell in places:
            cells[cell] = letter
    return "".join(cells)


def standing_pieces(position: Position, setup: Setup, fields: Fields) -> dict[int, Piece]:
    """Return the pieces on the board, and the scouts."""
    found = pieces.all_pieces(position.board, fields)
    standing = {
        cell: Piece(setup.seats[seat], _FIGURES[name]) for cell, (seat, name) in found.items()
    }
    for name, seat in zip(setup.seats, fields["seats"], strict=True):
        if seat["hall"] >= 0:
            standing[seat["hall"]] = Piece(name, hexes.HALL_CENTRE)
    mover = setup.seats[fields["mover"]]
    return standing | dict.fromkeys(fields["scouts"], Piece(mover, hexes.SCOUT))


def _draw_boards(
    setup: Setup,
    fields: Fields,
    pen: Pen,
    letters: str,
    standing: dict[int, Piece],
    around: dict[int, str],
) -> list[list[str]]:
    """Draw the board, and the island below it."""
    tiles = facts.lying_tiles(setup, fields)
    boards = []
    first = 0
    for rows in (setup.letters[:SIZE], setup.letters[SIZE:]):
        if not rows:
            continue
        width = len(rows[0])
        starts = range(first, first + len(rows) * width, width)
        lines = draw_hexes(
            [letters[start : start + width] for start in starts],
            pen,
            tiles=tiles,
            pieces=standing,
            around=around,
            first=first,
            prefix="~" if first else "",
        )
        title = ["Island: hexes are named ~a1, ~b3 and so on; sea around it"] if first else []
        boards.append([*title, *lines])
        first = N_BOARD_CELLS
    return boards


def _turn_lines(setup: Setup, fields: Fields, pen: Pen) -> list[str]:
    text = facts.turn_text(setup, fields)
    if fields["phase"] != Phase.OVER:
        name = setup.seats[fields["mover"]]
        text = text.replace(name, pen.bold(name), 1)
    lines = wrap_text("Turn", text)
    for label, names in facts.set_up_texts(setup):
        lines += wrap_text(label, names)
    return lines


def _seat_lines(position: Position, setup: Setup, fields: Fields, pen: Pen) -> list[str]:
    """List what each seat has: a row for each, then what only some of them have."""
    lines = [" " * LABEL + "settlements  supply  gold  tiles"]
    acting = facts.acting_seat(position)
    for name, seat, gold in zip(setup.seats, fields["seats"], position.scores(), strict=True):
        arrow = ">" if name == acting else " "
        count = facts.settlements(position, seat)
        numbers = f"{count:>11}  {seat['supply']:>6}  {gold:>4}  "
        lines += wrap(f"{arrow} {pen.seat(name)} {name:<8}{numbers}", facts.tile_texts(setup, seat))
    for label, items in facts.belongings(setup, fields):
        lines += wrap(label, items)
    return lines


def _pile_lines(setup: Setup, fields: Fields) -> list[str]:
    rows = [*facts.piles(setup, fields), *facts.lying_texts(setup, fields)]
    return [line for label, items in rows for line in wrap(label, items)]


# Spaces without a tile, and what lies on hexes, by letter.
_SPACE_TEXTS = {
    CASTLE_LETTER: "castle",
    hexes.CAPITOL: "castle with a capitol",
    PALACE_LETTER: "palace",
    SILO_LETTER: "silo",
}
_GROUND_TEXTS = {hexes.WALL: "stone wall", hexes.CAVE: "cave in a mountain"}


def _legend_lines(
    setup: Setup,
    fields: Fields,
    pen: Pen,
    letters: str,
    standing: dict[int, Piece],
    around: dict[int, str],
) -> list[str]:
    """Explain the signs that occur."""
    tiles = [
        (space.kind, space.tile if index not in fields["gone"] else None)
        for index, space in enumerate(setup.spaces)
    ]
    spaces = [f"{pen.mark(k)} {text}" for k, text in _SPACE_TEXTS.items() if k in letters]
    for space, letter in (("location", LOCATION_LETTER), ("nomad", NOMAD_LETTER)):
        kinds = dict.fromkeys(tile for kind, tile in tiles if kind == space and tile)
        spaces += [f"{pen.mark(letter, tile=kind)} {kind}" for kind in kinds]
    if ("nomad", None) in tiles:
        spaces.append(f"{pen.mark(NOMAD_LETTER)} nomad space without a tile")
    seat = setup.seats[0]
    marks = [f"{pen.mark('T', piece=Piece(seat))} settlement of {seat} on forest"]
    for figure, text in _FIGURE_TEXTS.items():
        owner = next((piece.seat for piece in standing.values() if piece.figure == figure), None)
        if owner:
            marks.append(f"{pen.mark('T', piece=Piece(owner, figure))} {text.format(owner)}")
    marks += [f"{pen.mark(k)} {text}" for k, text in _GROUND_TEXTS.items() if k in letters]
    brackets = around.values()
    marks += [f"{sides[0]} {sides[1]} {text}" for sides, text in _BRACKETS if sides in brackets]
    if _FIRST in brackets:
        marks.append(f"{_FIRST[0]} {_FIRST[1]} first action of the turn")
    lines = wrap("Terrain", terrain_legend(pen, "".join(setup.letters)))
    lines += wrap("Spaces", spaces) if spaces else []
    return [*lines, *wrap("Marks", marks)]
