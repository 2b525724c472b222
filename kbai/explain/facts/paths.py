"""How many more settlements it takes to get from here to there."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from kbai._fast import Terrain
from kbai.content import BUILDABLE
from kbai.explain.kingdom import Kingdom

_LAND = frozenset(Terrain[name.upper()] for name in BUILDABLE)


def settlements_to(kingdom: Kingdom, start: Collection[int], most: int) -> dict[int, int]:
    """Return how many settlements on free land it takes to stand beside or on each hex.

    From some settlements on, over free land and other settlements of the seat; hexes that need
    more than ``most`` are left out.
    """
    needed = dict.fromkeys(start, 0)
    queue = deque(start)
    near: dict[int, int] = {}
    while queue:
        cell = queue.popleft()
        cost = needed[cell]
        for side in kingdom.board.neighbours(cell):
            near[side] = min(near.get(side, cost), cost)
            more = cost + (side not in kingdom.pieces)
            if more > most or not _is_passable(kingdom, side) or needed.get(side, most + 1) <= more:
                continue
            needed[side] = more
            if more == cost:
                queue.appendleft(side)
            else:
                queue.append(side)
    return near | {cell: min(cost, near.get(cell, cost)) for cell, cost in needed.items()}


def _is_passable(kingdom: Kingdom, cell: int) -> bool:
    if cell in kingdom.pieces:
        return True
    is_free = cell not in kingdom.occupied and cell not in kingdom.blocked
    return is_free and kingdom.board.terrain(cell) in _LAND
