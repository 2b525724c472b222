"""Cards that pay for what a settlement area connects: special spaces and mountains."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kbai._fast import Terrain
from kbai.explain.kingdom import Kingdom, connected, hexes_apart
from kbai.explain.words import listed, space_text
from kbai.game.cells import N_BOARD_CELLS, format_cell


def merchants(first: Kingdom, second: Kingdom) -> str | None:
    is_counted = first.setup.options.special_spaces == "all"
    spaces = {s.cell: (s.cell,) for s in first.setup.spaces if is_counted or s.kind != "silo"}
    names = {cell: space_text(first.setup, cell) for cell in spaces}
    found = _new_links(first, second, spaces, names)
    if found is not None:
        return found
    if _linked(second, spaces) - _linked(first, spaces):
        return None
    new = [cell for cell in spaces if first.touches(cell) and not second.touches(cell)]
    lost = [cell for cell in spaces if second.touches(cell) and not first.touches(cell)]
    return f"reaches {listed([names[cell] for cell in new])}" if new and not lost else None


def geologists(first: Kingdom, second: Kingdom) -> str | None:
    board = first.board
    cells = [c for c in range(N_BOARD_CELLS) if board.terrain(c) == Terrain.MOUNTAIN]
    mountains = {min(cells): cells for cells in map(sorted, connected(board, cells))}
    names = {key: f"the mountain at {format_cell(key)}" for key in mountains}
    return _new_links(first, second, mountains, names)


def _new_links(
    first: Kingdom,
    second: Kingdom,
    things: Mapping[int, Collection[int]],
    names: Mapping[int, str],
) -> str | None:
    """Return what the first connects and the second does not; nothing if it also loses some."""
    new = _linked(first, things) - _linked(second, things)
    if not new or _linked(second, things) - _linked(first, things):
        return None
    groups = [group for group in _groups(first, things) if new & group and len(group) > 1]
    return listed([f"links {_link(sorted(new & group), group, things, names)}" for group in groups])


def _link(
    new: list[int],
    group: frozenset[int],
    things: Mapping[int, Collection[int]],
    names: Mapping[int, str],
) -> str:
    """Return what is linked to what; of many things that were linked before, the nearest."""
    if len(new) > 1:
        return listed([names[each] for each in new])
    (only,) = new

    def apart(other: int) -> int:
        return min(hexes_apart(a, b) for a in things[only] for b in things[other])

    nearest = min(group - {only}, key=lambda other: (apart(other), other))
    return f"{names[only]} to {names[nearest]}"


def _linked(kingdom: Kingdom, things: Mapping[int, Collection[int]]) -> frozenset[int]:
    """Return what is connected with another thing by an area."""
    groups = (group for group in _groups(kingdom, things) if len(group) > 1)
    return frozenset().union(*groups)


def _groups(kingdom: Kingdom, things: Mapping[int, Collection[int]]) -> list[frozenset[int]]:
    """Return for each area what it touches; who stands on a mountain touches it, too."""
    found = []
    for area in kingdom.areas:
        near = area.union(*(kingdom.board.neighbours(cell) for cell in area))
        found.append(frozenset(k for k, cells in things.items() if not near.isdisjoint(cells)))
    return found
