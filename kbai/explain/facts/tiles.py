"""Location and nomad tiles: which are taken, and which are kept."""

from __future__ import annotations

from kbai.content import TILES_PER_SPACE
from kbai.explain.kingdom import Kingdom
from kbai.explain.words import listed
from kbai.game.cells import format_cell


def tiles(before: Kingdom, first: Kingdom, second: Kingdom) -> str | None:
    """Return the tiles that the first kingdom has and the second has not."""
    had = {*before.own["held"]}
    new = [*_new_locations(first, second), *_new_nomads(before, first, second)]
    gained = [
        f"the {_last(first, index)}{_name(first, index)}" for index in new if index not in had
    ]
    kept = [f"the {_name(first, index)}" for index in new if index in had]
    parts = [f"takes {listed(gained)}"] if gained else []
    parts += [f"keeps {listed(kept)}"] if kept else []
    return listed(parts) if parts else None


def _new_locations(first: Kingdom, second: Kingdom) -> list[int]:
    """Return the locations whose tile the first kingdom has and the second has not."""
    return sorted({*first.own["held"]} - {*second.own["held"]})


def _new_nomads(before: Kingdom, first: Kingdom, second: Kingdom) -> list[int]:
    """Return the nomad spaces whose tile the first kingdom has taken and the second has not.

    Treasure is no tile to keep: it is gold at once.
    """
    setup = first.setup
    gone = sorted({*first.fields["gone"]} - {*second.fields["gone"]})
    found = []
    for index in gone:
        kind = setup.spaces[index].tile
        if kind != "treasure" and kind is not None:
            slot = setup.tile_kinds.index(kind)
            if _count(first, slot) > _count(before, slot):
                found.append(index)
    return found


def _count(kingdom: Kingdom, slot: int) -> int:
    """Return the nomad tiles of a kind that a seat has taken and not had a turn to use."""
    return kingdom.own["fresh"][slot]


def _name(kingdom: Kingdom, index: int) -> str:
    space = kingdom.setup.spaces[index]
    kind = (space.tile or space.kind).replace("_", " ")
    return f"{kind} tile at {format_cell(space.cell)}"


def _last(kingdom: Kingdom, index: int) -> str:
    """Return "last " if nobody can take a tile of that location any more."""
    if kingdom.setup.spaces[index].kind != "location":
        return ""
    is_back = kingdom.setup.options.lost_tiles_return
    seats = kingdom.fields["seats"]
    taken = [index in (seat["held"] if is_back else seat["taken"]) for seat in seats]
    return "last " if sum(taken) == TILES_PER_SPACE else ""
