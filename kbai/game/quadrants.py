"""The four quadrants of a board: their names, how they lie, and which cells they cover."""

from __future__ import annotations

from functools import lru_cache

from kbai import content
from kbai.content import QUADRANT_SIZE
from kbai.game.cells import SIZE

N_QUADRANTS = 4
TURNED = "*"
"""Ends the name of a quadrant that is turned by 180 degrees (R1.3)."""


def placed_quadrant(text: str) -> content.Quadrant:
    """Return the quadrant that a name such as ``oasis*`` means, turned if it says so."""
    quadrant = content.load().quadrants[text.removesuffix(TURNED)]
    return _turned(quadrant) if text.endswith(TURNED) else quadrant


_turned = lru_cache(maxsize=128)(content.Quadrant.turned)


def quadrant_of(cell: int) -> int:
    """Return the place of the quadrant a cell of the board is in, 0 to 3 (R1.4)."""
    return 2 * (cell // SIZE // QUADRANT_SIZE) + cell % SIZE // QUADRANT_SIZE
