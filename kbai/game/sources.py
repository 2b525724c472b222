"""Where gold comes from: the names of what `Position.score_detail` counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from kbai.game.setup import Setup

# Sources of gold other than cards and tasks, in the kernel's order.
CASTLES, TREASURE, PALACES, CAPITOLS = "castles", "treasure", "palaces", "capitols"

Number = TypeVar("Number", int, float)


def name_sources(setup: Setup, gold: Sequence[Number]) -> dict[str, Number]:
    """Return the gold of a seat, in the order of `Position.score_detail`, by source.

    Castles come first, then treasure (nomad spaces), palaces and capitols if the board has them,
    then each card and each task.
    """
    named = zip(_source_names(setup), gold, strict=True)
    return {name: points for name, points in named if name}


@lru_cache(maxsize=64)
def _source_names(setup: Setup) -> tuple[str, ...]:
    """Return the names of the sources; an empty one for what the board does not have."""
    has_palaces = any(space.kind == "palace" for space in setup.spaces)
    return (
        CASTLES,
        TREASURE if setup.nomad_cells else "",
        PALACES if has_palaces else "",
        CAPITOLS if setup.capitols else "",
        *setup.cards,
        *setup.tasks,
    )
