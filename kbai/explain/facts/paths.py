"""How many more settlements it takes to get from here to there."""

from __future__ import annotations

from collections.abc import Collection

from kbai.explain.kingdom import Kingdom


def settlements_to(kingdom: Kingdom, start: Collection[int], most: int) -> dict[int, int]:
    """Return how many settlements on free land it takes to stand beside or on each hex.

    From some settlements on, over free land and other settlements of the seat; hexes that need
    more than ``most`` are left out.
    """
    pieces, land, neighbours = kingdom.pieces, kingdom.open_land, kingdom.board.neighbours
    needed = dict.fromkeys(start, 0)
    near: dict[int, int] = {}
    border = list(start)
    for cost in range(most + 1):
        farther: list[int] = []
        while border:
            for side in neighbours(border.pop()):
                near.setdefault(side, cost)
                if side in needed:
                    continue
                if side in pieces:
                    needed[side] = cost
                    border.append(side)
                elif side in land and cost < most:
                    farther.append(side)
        border = [side for side in {*farther} if side not in needed]
        needed |= dict.fromkeys(border, cost + 1)
    return near | {cell: min(cost, near.get(cell, cost)) for cell, cost in needed.items()}
