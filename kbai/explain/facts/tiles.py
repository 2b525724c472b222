"""Location and nomad tiles: which are taken, and which are kept."""

from __future__ import annotations

from kbai.content import TILES_PER_SPACE
from kbai.explain.kingdom import Kingdom
from kbai.explain.words import listed
from kbai.game.cells import format_cell


def tiles(before: Kingdom, first: Kingdom, second: Kingdom) -> str | None:
    """Return the tiles that the first kingdom has and the second has not."""
    gained, kept = [], []
    for index in sorted(_tiles(first) - _tiles(second)):
        if index in _tiles(before):
            kept.append(f"the {_name(first, index)}")
        else:
            gained.append(f"the {_last(first, index)}{_name(first, index)}")
    parts = [f"takes {listed(gained)}"] if gained else []
    parts += [f"keeps {listed(kept)}"] if kept else []
    return listed(parts) if parts else None


def _tiles(kingdom: Kingdom) -> frozenset[int]:
    """Return the spaces whose tile the seat has, or has had if it is a nomad tile."""
    spaces = kingdom.setup.spaces
    nomads = {index for index in kingdom.own["taken"] if spaces[index].kind == "nomad"}
    return frozenset(nomads.union(kingdom.own["held"]))


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
