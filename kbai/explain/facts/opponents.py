"""What a turn takes from the others, or shuts them out of."""

from __future__ import annotations

from kbai._fast import Terrain
from kbai.content import BUILDABLE
from kbai.explain.kingdom import Kingdom
from kbai.explain.words import listed, space_text


def opponents(first: Kingdom, second: Kingdom) -> str | None:
    """Return what the others have less of after the first turn, as it stands now."""
    found = _gold_taken(first, second)
    return found if found is not None else _shut_out(first, second)


def _gold_taken(first: Kingdom, second: Kingdom) -> str | None:
    """Return whose gold is lower now, and by which source."""
    losses = []
    for one, two in zip(first.others(), second.others(), strict=True):
        name = first.setup.seats[one.seat]
        for source in one.gold:
            less = two.gold[source] - one.gold[source]
            if less > 0:
                losses.append((less, name, source.replace("_", " ")))
            elif less < 0:
                return None
    if not losses:
        return None
    less, name, source = max(losses)
    return f"leaves {name} {less} gold less of {source} for now"


def _shut_out(first: Kingdom, second: Kingdom) -> str | None:
    """Return the castle beside which no land is free any more, and who had not reached it."""
    for space in first.setup.spaces:
        if space.kind != "castle" or _has_room(first, space.cell):
            continue
        names = [
            first.setup.seats[one.seat] for one in first.others() if not one.touches(space.cell)
        ]
        if names and _has_room(second, space.cell):
            castle = space_text(first.setup, space.cell)
            return f"leaves {listed(names)} no free land at {castle}"
    return None


def _has_room(kingdom: Kingdom, cell: int) -> bool:
    """Tell whether there is free land beside a hex."""
    land = {Terrain[name.upper()] for name in BUILDABLE}
    near = kingdom.board.neighbours(cell)
    return any(c not in kingdom.occupied and kingdom.board.terrain(c) in land for c in near)
