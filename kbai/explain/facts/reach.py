"""Free land next to a kingdom, where its next settlements may go."""

from __future__ import annotations

from collections.abc import Callable

from kbai.explain.kingdom import Kingdom
from kbai.game.cells import N_BOARD_CELLS

# A single hex more tells nothing, unless there was none.
LEAST = 2


def reach(first: Kingdom, second: Kingdom, where: str, counts: Callable[[int], bool]) -> str | None:
    """Return how many more of the free hexes that count for a card are next to settlements.

    Only on the board itself: a seat that is on the island, too, may grow there.
    """
    if any(cell >= N_BOARD_CELLS for cell in first.pieces | second.pieces):
        return None
    land = {cell for cell in land_beside(first) if counts(cell)}
    if land & second.pieces:  # there the other turn has built already
        return None
    one, two = len(land), sum(map(counts, land_beside(second)))
    if one <= two or (two and one < two + LEAST):
        return None
    return f"can grow onto {one} {'hex' if one == 1 else 'hexes'} {where} instead of {two}"


def land_beside(kingdom: Kingdom) -> set[int]:
    """Return the hexes next to settlements on which anybody may build."""
    return {*kingdom.open_land & kingdom.near}
