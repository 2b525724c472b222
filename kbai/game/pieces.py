"""Where every piece stands: houses, figures, and the seven hexes of a city hall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kbai._fast import Board

if TYPE_CHECKING:
    from kbai._fast import Fields, SeatFields  # only the stub has them

HOUSE, WARRIOR, WAGON, SHIP, HALL = "house", "warrior", "wagon", "ship", "city hall"
# Of each seat, on the board or in the reserve (R1.6).
FIGURES: dict[str, int] = {WARRIOR: 2, WAGON: 1, SHIP: 1, HALL: 1}


def hall_cells(board: Board, centre: int) -> tuple[int, ...]:
    """Return the hexes that a city hall covers: its centre and all neighbours."""
    return (centre, *board.neighbours(centre))


def pieces_of(board: Board, seat: SeatFields) -> dict[int, str]:
    """Return the piece on each hex that counts as a settlement of a seat (R1.7)."""
    pieces = dict.fromkeys(seat["cells"], HOUSE) | dict.fromkeys(seat["warriors"], WARRIOR)
    for cell, name in ((seat["wagon"], WAGON), (seat["ship"], SHIP)):
        if cell >= 0:
            pieces[cell] = name
    if seat["hall"] >= 0:
        pieces |= dict.fromkeys(hall_cells(board, seat["hall"]), HALL)
    return pieces


def all_pieces(board: Board, fields: Fields) -> dict[int, tuple[int, str]]:
    """Return the seat and the piece on each hex that has one."""
    return {
        cell: (index, name)
        for index, seat in enumerate(fields["seats"])
        for cell, name in pieces_of(board, seat).items()
    }


def reserve_of(seat: SeatFields) -> dict[str, int]:
    """Return how many figures of each kind a seat has not placed."""
    return {
        WARRIOR: FIGURES[WARRIOR] - len(seat["warriors"]),
        WAGON: int(seat["wagon"] < 0),
        SHIP: int(seat["ship"] < 0),
        HALL: int(seat["hall"] < 0),
    }
