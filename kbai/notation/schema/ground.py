"""The keys about walls and scouts on the board; and which hexes are free."""

from __future__ import annotations

from collections.abc import Iterable

from kbai._fast import Terrain
from kbai.content import BUILDABLE
from kbai.core.errors import quote
from kbai.game.cells import format_cell
from kbai.game.pieces import HOUSE, WARRIOR
from kbai.game.setup import Setup
from kbai.notation.dicts import Table, Word
from kbai.notation.names import parse_cell, space_name
from kbai.notation.schema.pieces import Seat, check_needed, read_hex

MAX_SCOUTS = 2


class Ground:
    """Which hexes are free: nothing on them and no warrior beside them (R1.8)."""

    def __init__(self, setup: Setup, seats: Iterable[Seat], others: Iterable[int]) -> None:
        self._setup = setup
        self._taken = {*others}
        for seat in seats:
            self._taken |= {*seat.pieces}
            for cell in seat.cells(WARRIOR):
                self._taken.update(setup.kernel_board.neighbours(cell))

    def has_free(self, terrains: Iterable[str]) -> bool:
        """Return whether a hex of one of these terrains is free."""
        codes = {Terrain[name.upper()] for name in terrains}
        cells = enumerate(self._setup.terrain)
        return any(code in codes and cell not in self._taken for cell, code in cells)


def read_walls(setup: Setup, table: Table, seats: list[Seat]) -> list[int]:
    """Return the cells of the stone walls."""
    # No card shows farmland, but any terrain may take the place of an exhausted one.
    allowed = {*BUILDABLE} - ({"farmland"} if not setup.options.exhausted_any_hex else set())
    walls: set[int] = set()
    for word in table.words("walls"):
        cell = parse_cell(word, path=word.path)
        terrain = Terrain(setup.terrain[cell]).name.lower()
        if terrain not in allowed:
            what = "where there is none" if terrain == "void" else terrain
            if terrain == "special":
                what = space_name(setup, cell)
            message = f"expected a wall on a hex of a card's terrain, got {quote(word)}"
            raise word.error(f"{message}, {what} (R6.2)")
        if cell in walls:
            raise word.error(f"expected each wall once, got {quote(word)} twice (R6.2)")
        _check_nothing_there(cell, word, "a wall", seats)
        walls.add(cell)
    if len(walls) > setup.walls:
        message = f"expected at most {setup.walls} walls, got {len(walls)}"
        raise table.error("walls", f"{message} (R6.2)")
    return sorted(walls)


def _check_nothing_there(cell: int, word: Word, what: str, seats: list[Seat]) -> None:
    for seat in seats:
        if cell in seat.pieces:
            piece = seat.pieces[cell][0]
            other = "settlement" if piece == HOUSE else piece
            message = f"expected one thing on {format_cell(cell)}, got {what} and a {other}"
            raise word.error(f"{message} of {seat.name} (R4.1)")


def read_scouts(setup: Setup, table: Table, seats: list[Seat], walls: list[int]) -> list[int]:
    """Return the cells of the scout tokens."""
    check_needed(setup, table, ("scouts",))
    scouts: set[int] = set()
    for word in table.words("scouts"):
        cell = read_hex(setup, word, climbs=True)
        if cell in scouts:
            raise word.error(f"expected each scout once, got {quote(word)} twice (R4.1)")
        _check_nothing_there(cell, word, "a scout", seats)
        if cell in walls:
            message = f"expected one thing on {format_cell(cell)}, got a scout and a wall"
            raise word.error(f"{message} (R4.1)")
        scouts.add(cell)
    if len(scouts) > MAX_SCOUTS:
        message = f"expected at most {MAX_SCOUTS} scouts, got {len(scouts)}"
        raise table.error("scouts", f"{message} (R6.5)")
    return sorted(scouts)
