"""What a seat has on the board, counted from the pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from kbai._fast import Board, Position, Terrain
from kbai.content import BUILDABLE
from kbai.game.cells import CELL_NAMES, GRIDS, N_BOARD_CELLS, SIZE
from kbai.game.pieces import all_pieces, pieces_of
from kbai.game.quadrants import N_QUADRANTS, quadrant_of
from kbai.game.setup import Setup, setup_of
from kbai.game.sources import name_sources

if TYPE_CHECKING:
    from kbai._fast import Fields, SeatFields  # only the stub has them


@dataclass(frozen=True)
class Kingdom:
    """The settlements of a seat in a position, and what they touch."""

    position: Position
    seat: int

    @cached_property
    def fields(self) -> Fields:
        return self.position.fields()

    @cached_property
    def own(self) -> SeatFields:
        """What the position says of the seat."""
        return self.fields["seats"][self.seat]

    @property
    def board(self) -> Board:
        return self.position.board

    @property
    def setup(self) -> Setup:
        return setup_of(self.position)

    @cached_property
    def pieces(self) -> frozenset[int]:
        """The hexes with a settlement (R1.7)."""
        return frozenset(pieces_of(self.board, self.own))

    @cached_property
    def near(self) -> frozenset[int]:
        """The hexes beside a settlement."""
        return frozenset(near for cell in self.pieces for near in self.board.neighbours(cell))

    @cached_property
    def occupied(self) -> frozenset[int]:
        """The hexes on which anything stands."""
        walls = (*self.fields["walls"], *self.fields["scouts"])
        return frozenset((*all_pieces(self.board, self.fields), *walls))

    @cached_property
    def blocked(self) -> frozenset[int]:
        """The hexes beside warriors, where nobody may build (R6.3.3)."""
        warriors = [cell for seat in self.fields["seats"] for cell in seat["warriors"]]
        return frozenset(near for cell in warriors for near in self.board.neighbours(cell))

    @cached_property
    def open_terrains(self) -> dict[str, frozenset[int]]:
        """The hexes of each terrain on which anybody may build."""
        taken = self.occupied | self.blocked
        free = {name: cells - taken for name, cells in _cells_by_terrain(self.board).items()}
        return {name: cells for name, cells in free.items() if cells}

    @cached_property
    def open_land(self) -> frozenset[int]:
        """Those of the terrains that cards and location tiles build on."""
        return frozenset().union(*(self.open_terrains.get(name, ()) for name in BUILDABLE))

    @cached_property
    def gold(self) -> dict[str, int]:
        """The gold of each source if the game ended now."""
        return name_sources(self.setup, self.position.score_detail()[self.seat])

    @cached_property
    def rows(self) -> Counter[int]:
        """Settlements by row; the rows of the island come after those of the board."""
        return Counter(place_of(cell)[0] for cell in self.pieces)

    @cached_property
    def quadrants(self) -> tuple[int, ...]:
        """Settlements in each quadrant."""
        counts = Counter(quadrant_of(cell) for cell in self.pieces if cell < N_BOARD_CELLS)
        return tuple(counts[place] for place in range(N_QUADRANTS))

    @cached_property
    def areas(self) -> tuple[frozenset[int], ...]:
        """The settlement areas (R1.9)."""
        return connected(self.board, self.pieces)

    def touches(self, space: int) -> bool:
        """Tell whether a settlement is beside a hex."""
        return space in self.near

    def beside(self, space: int) -> int:
        """Return how many settlements are beside a hex."""
        return len(self.pieces.intersection(self.board.neighbours(space)))

    @cached_property
    def others(self) -> tuple[Kingdom, ...]:
        """The kingdoms of the other seats."""
        seats = range(len(self.fields["seats"]))
        return tuple(Kingdom(self.position, seat) for seat in seats if seat != self.seat)


@lru_cache(maxsize=16)  # each turn of a review asks for the same board some ten times
def _cells_by_terrain(board: Board) -> dict[str, frozenset[int]]:
    cells: dict[int, list[int]] = {}
    for cell in range(len(CELL_NAMES)):
        cells.setdefault(board.terrain(cell), []).append(cell)
    return {Terrain(terrain).name.lower(): frozenset(found) for terrain, found in cells.items()}


def connected(board: Board, cells: Iterable[int]) -> tuple[frozenset[int], ...]:
    """Return the connected groups of some hexes."""
    left, found = {*cells}, []
    while left:
        group: set[int] = set()
        border = [left.pop()]
        while border:
            cell = border.pop()
            group.add(cell)
            near = left.intersection(board.neighbours(cell))
            left -= near
            border += near
        found.append(frozenset(group))
    return tuple(sorted(found, key=min))


def place_of(cell: int) -> tuple[int, int]:
    """Return the row and the column of a cell; island rows come after those of the board."""
    if cell < N_BOARD_CELLS:
        return divmod(cell, SIZE)
    first, columns, _ = GRIDS["~"]
    row, column = divmod(cell - first, columns)
    return SIZE + row, column


def hexes_apart(one: int, other: int) -> int:
    """Return the distance of two hexes that are both on the board, or both on the island (R1.1)."""
    (row, column), (other_row, other_column) = place_of(one), place_of(other)
    down = other_row - row
    slant = (other_column - other_row // 2) - (column - row // 2)
    return max(abs(down), abs(slant), abs(slant + down))
