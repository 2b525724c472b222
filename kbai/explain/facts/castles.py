"""Castles: which are reached, or nearly."""

from __future__ import annotations

from kbai.explain.kingdom import Kingdom, hexes_apart
from kbai.explain.words import listed, space_text
from kbai.game.cells import N_BOARD_CELLS

# Farther away nobody calls it close.
CLOSE = 3


def castles(first: Kingdom, second: Kingdom) -> str | None:
    cells = [space.cell for space in first.setup.spaces if space.kind == "castle"]
    new = [cell for cell in cells if first.touches(cell) and not second.touches(cell)]
    lost = [cell for cell in cells if second.touches(cell) and not first.touches(cell)]
    if len(new) > len(lost):
        return f"reaches {listed([space_text(first.setup, cell) for cell in new])}"
    if len(new) < len(lost):
        return None
    free = [cell for cell in cells if not (first.touches(cell) or second.touches(cell))]
    return _closer(first, second, free)


def _closer(first: Kingdom, second: Kingdom, cells: list[int]) -> str | None:
    """Return which castle comes closer, unless the other turn comes as close to another one."""
    far = [(_distance(first, cell), _distance(second, cell), cell) for cell in cells]
    found = [(one, cell) for one, two, cell in far if one < two and one <= CLOSE]
    others = [two for one, two, _ in far if two < one]
    if not found or min(others, default=CLOSE + 1) <= min(found)[0]:
        return None
    hexes, cell = min(found)
    return f"comes within {hexes} hexes of {space_text(first.setup, cell)}"


def _distance(kingdom: Kingdom, cell: int) -> int:
    """Return how far the nearest settlement is; one on the island is far from all of the board."""
    pieces = [
        piece for piece in kingdom.pieces if (piece < N_BOARD_CELLS) == (cell < N_BOARD_CELLS)
    ]
    return min((hexes_apart(cell, piece) for piece in pieces), default=N_BOARD_CELLS)
