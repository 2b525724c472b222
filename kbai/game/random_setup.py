"""Random draws for a set-up (R2.4).

Each has its own generator, so that one draw more or less leaves all others unchanged.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from kbai import content
from kbai.content import MOUNTAIN_LETTER, TERRAIN_CARDS
from kbai.core.errors import NotationError
from kbai.core.seeds import derive_seed
from kbai.game.cells import N_BOARD_CELLS, distance
from kbai.game.quadrants import N_QUADRANTS, TURNED, placed_quadrant, quadrant_of

# How far caves keep from special spaces: the first of these that leaves a mountain (R6.7).
CAVE_DISTANCES = (3, 2)


def draw_names(
    generator: random.Random, what: str, names: list[str], count: int
) -> tuple[str, ...]:
    """Draw some of the names, in a random order."""
    if len(names) < count:
        raise NotationError(f"expected at least {count} {what} to draw from, got {len(names)}.")
    return tuple(generator.sample(names, count))


def draw_island(seed: int, sets: Collection[str]) -> str:
    """Draw the side of the island that faces up; nothing if its box is not in use."""
    sides = [name for name, item in content.load().islands.items() if item.set in sets]
    return _generator(seed, "island").choice(sides) if sides else ""


def draw_nomads(seed: int, cells: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Draw a nomad tile for each nomad space."""
    pool = [tile.name for tile in content.load().nomads.values() for _ in range(tile.count)]
    drawn = draw_names(_generator(seed, "nomads"), "nomad tiles", pool, len(cells))
    return tuple(zip(drawn, cells, strict=True))


def draw_tasks(seed: int, board: Sequence[str]) -> tuple[str, ...]:
    """Draw a task for each quadrant from a box that has tasks."""
    every = content.load()
    boxes = {task.set for task in every.tasks.values()}
    count = sum(placed_quadrant(name).set in boxes for name in board)
    return draw_names(_generator(seed, "tasks"), "tasks", [*every.tasks], count)


def draw_scouted(seed: int, deck: Sequence[int]) -> str:
    """Turn up the top card of a deck and return its terrain; of a marsh card, the other half."""
    terrains = [name.rpartition("_")[2] for name in TERRAIN_CARDS]
    return _generator(seed, "scouted").choices(terrains, deck)[0]


def draw_capitols(
    seed: int, sets: Collection[str], board: Sequence[str], castles: Sequence[int]
) -> tuple[int, ...]:
    """Draw a castle for the capitol of each quadrant that has one (R8.4)."""
    every = content.load()
    wanted = {name for box in sets for name in every.sets[box].capitols}
    generator = _generator(seed, "capitols")
    capitols = []
    for place, name in enumerate(board):
        if name.removesuffix(TURNED) in wanted:
            here = [cell for cell in castles if quadrant_of(cell) == place]
            capitols += generator.sample(here, min(len(here), 1))
    return tuple(capitols)


def draw_caves(
    seed: int, sets: Collection[str], letters: str, spaces: Sequence[int]
) -> tuple[int, ...]:
    """Draw mountains for the caves of each quadrant, away from all special spaces (R6.7)."""
    count = sum(content.load().sets[box].caves for box in sets)
    generator = _generator(seed, "caves")
    caves = []
    for place in range(N_QUADRANTS if count else 0):
        for apart in CAVE_DISTANCES:
            free = cave_cells(letters, spaces, place, apart)
            if free:
                caves += generator.sample(free, min(len(free), count))
                break
    return tuple(caves)


def cave_cells(letters: str, spaces: Sequence[int], place: int, apart: int) -> list[int]:
    """Return the mountains of a quadrant at least this far from every special space.

    ``letters`` are those of all cells, ``spaces`` the cells of the special spaces.
    """
    near = [space for space in spaces if space < N_BOARD_CELLS]
    return [
        cell
        for cell, letter in enumerate(letters[:N_BOARD_CELLS])
        if letter == MOUNTAIN_LETTER
        and quadrant_of(cell) == place
        and all(distance(cell, space) >= apart for space in near)
    ]


def _generator(seed: int, what: str) -> random.Random:
    return random.Random(derive_seed(seed, what))
