"""The cells of the board and of the island: their numbers, their names, and their distances.

The kernel numbers the cells of the board row by row. Those of the island come after them.
"""

from __future__ import annotations

from kbai.content import ISLAND_COLUMNS, ISLAND_ROWS, QUADRANT_SIZE

SIZE = 2 * QUADRANT_SIZE
N_BOARD_CELLS = SIZE * SIZE
COLUMNS = "abcdefghijklmnopqrst"
ISLAND_MARK = "~"
GRIDS = {"": (0, SIZE, SIZE), ISLAND_MARK: (N_BOARD_CELLS, ISLAND_COLUMNS, ISLAND_ROWS)}
"""First cell, columns and rows of the board and of the island, by the mark before a cell."""

# Looked up hundreds of times for each position.
CELL_NAMES = tuple(
    f"{mark}{COLUMNS[column]}{row + 1}"
    for mark, (_, columns, rows) in GRIDS.items()
    for row in range(rows)
    for column in range(columns)
)
CELL_NUMBERS = {name: cell for cell, name in enumerate(CELL_NAMES)}


def format_cell(cell: int) -> str:
    """Return the name of a cell, such as ``c7``, or ``~b3`` on the island."""
    return CELL_NAMES[cell]


def format_row(row: int) -> str:
    """Return the name of a row; the rows of the island come after those of the board."""
    return str(row + 1) if row < SIZE else f"{ISLAND_MARK}{row - SIZE + 1}"


def distance(first: int, second: int) -> int:
    """Return the distance between two cells of the board (R1.1)."""
    rows = second // SIZE - first // SIZE
    # Odd rows are shifted right by half a hex.
    slant = _slant(second) - _slant(first)
    return max(abs(rows), abs(slant), abs(slant + rows))


def _slant(cell: int) -> int:
    row, col = divmod(cell, SIZE)
    return col - row // 2
