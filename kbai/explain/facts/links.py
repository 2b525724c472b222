"""Cards that pay for what a settlement area connects: special spaces and mountains."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kbai._fast import Terrain
from kbai.explain.facts.paths import settlements_to
from kbai.explain.kingdom import Kingdom, connected, hexes_apart
from kbai.explain.words import listed, plural, space_text
from kbai.game.cells import N_BOARD_CELLS, format_cell

# Farther away nobody plans for it.
FEW = 3


def merchants(first: Kingdom, second: Kingdom) -> str | None:
    spaces = {cell: (cell,) for cell in merchant_spaces(first)}
    names = {cell: space_text(first.setup, cell) for cell in spaces}
    if _linked(first, spaces) == _linked(second, spaces):
        return _nearer(first, second, names)
    return _new_links(first, second, spaces, names)


def merchant_spaces(kingdom: Kingdom) -> list[int]:
    """Return the special spaces that count for Merchants (R8.2)."""
    has_silos = kingdom.setup.options.special_spaces == "all"
    return [space.cell for space in kingdom.setup.spaces if has_silos or space.kind != "silo"]


def _nearer(first: Kingdom, second: Kingdom, names: Mapping[int, str]) -> str | None:
    """Return which space takes fewer settlements to be linked, if it takes only a few.

    Nothing if the other turn comes as close to linking another one.
    """
    one, two = settlements_to_link(first, names), settlements_to_link(second, names)
    found, others = _fewer(one, two), _fewer(two, one)
    if not found or (others and min(others)[0] <= min(found)[0]):
        return None
    needed, space, other = min(found)
    return (
        f"needs only {plural(needed, 'more settlement')} to link {names[space]} to {names[other]}"
    )


def _fewer(
    one: Mapping[int, tuple[int, int]], two: Mapping[int, tuple[int, int]]
) -> list[tuple[int, int, int]]:
    """Return the spaces that take fewer settlements: how many, and to be linked to what."""
    return [
        (needed, space, other)
        for space, (needed, other) in one.items()
        if needed < two.get(space, (FEW + 1, 0))[0]
    ]


def settlements_to_link(kingdom: Kingdom, spaces: Collection[int]) -> dict[int, tuple[int, int]]:
    """Return for spaces that are not linked how many settlements it takes, and to what."""
    touched = _groups(kingdom, {cell: (cell,) for cell in spaces})
    linked = frozenset[int]().union(*(group for group in touched if len(group) > 1))
    found: dict[int, tuple[int, int]] = {}
    for area, group in zip(kingdom.areas, touched, strict=True):
        if not group:
            continue
        needed = settlements_to(kingdom, area, FEW)
        for space in needed.keys() & (frozenset(spaces) - linked):
            others = sorted(group - {space})
            if others:
                best = (needed[space], others[0])
                found[space] = min(found.get(space, best), best)
    return found


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
        if len(new) == len(group) == 2:
            return " to ".join(names[each] for each in new)
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
