"""Random draws for a set-up (R2.4).

Each has its own generator, so that one draw more or less leaves all others unchanged.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from kbai import content
from kbai.content import TERRAIN_CARDS
from kbai.core.errors import NotationError
from kbai.core.seeds import derive_seed
from kbai.game.quadrants import N_QUADRANTS, placed_quadrant
from kbai.game.sites import capitol_sites, cave_sites

if TYPE_CHECKING:
    from random import Random


def draw_names(generator: Random, what: str, names: list[str], count: int) -> tuple[str, ...]:
    """Draw some of the names, in a random order."""
    if len(names) < count:
        raise NotationError(f"expected at least {count} {what} to draw from, got {len(names)}.")
    return tuple(generator.sample(names, count))


def draw_island(seed: int, sets: Collection[str]) -> str:
    """Draw the side of the island that faces up; nothing if its box is not in use."""
    sides = [name for name, item in content.load().islands.items() if item.set in sets]
    return draws_of(seed, "island").choice(sides) if sides else ""


def draw_nomads(seed: int, cells: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Draw a nomad tile for each nomad space."""
    pool = [tile.name for tile in content.load().nomads.values() for _ in range(tile.count)]
    drawn = draw_names(draws_of(seed, "nomads"), "nomad tiles", pool, len(cells))
    return tuple(zip(drawn, cells, strict=True))


def draw_tasks(seed: int, board: Sequence[str]) -> tuple[str, ...]:
    """Draw a task for each quadrant from a box that has tasks."""
    every = content.load()
    boxes = {task.set for task in every.tasks.values()}
    count = sum(placed_quadrant(name).set in boxes for name in board)
    return draw_names(draws_of(seed, "tasks"), "tasks", [*every.tasks], count)


def draw_scouted(seed: int, deck: Sequence[int]) -> str:
    """Turn up the top card of a deck and return its terrain; of a marsh card, the other half."""
    terrains = [name.rpartition("_")[2] for name in TERRAIN_CARDS]
    return draws_of(seed, "scouted").choices(terrains, deck)[0]


def draw_capitols(
    seed: int, sets: Collection[str], board: Sequence[str], castles: Sequence[int]
) -> tuple[int, ...]:
    """Draw a castle for the capitol of each quadrant that has one (R8.4)."""
    every = content.load()
    wanted = {name for box in sets for name in every.sets[box].capitols}
    generator = draws_of(seed, "capitols")
    capitols = []
    for here in capitol_sites(board, castles, wanted).values():
        capitols += generator.sample(here, min(len(here), 1))
    return tuple(capitols)


def draw_caves(seed: int, sets: Collection[str], letters: str) -> tuple[int, ...]:
    """Draw mountains for the caves of each quadrant, away from all special spaces (R6.7)."""
    count = sum(content.load().sets[box].caves for box in sets)
    generator = draws_of(seed, "caves")
    caves = []
    for place in range(N_QUADRANTS if count else 0):
        sites = cave_sites(letters, place)
        caves += generator.sample(sites, min(len(sites), count))
    return tuple(caves)


def draws_of(seed: int, what: str) -> Random:
    """Return the generator of one kind of draw."""
    from random import Random

    return Random(derive_seed(seed, what))
