"""What single events tell: places, terrains, offers, states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kbai.game.cells import SIZE
from kbai.importing.archive import Archive, Event
from kbai.importing.tables import TERRAINS, States
from kbai.importing.values import items, mapping, number


def public_events(archive: Archive) -> Iterator[Event]:
    """Yield what everybody was told, in order."""
    for packet in archive.packets:
        if packet.is_public:
            yield from packet.events


def cell_at(args: Mapping[str, Any]) -> int | None:
    """Return the cell of a place; ``x`` is its row and ``y`` its column."""
    row, column = number(args.get("x")), number(args.get("y"))
    if row is None or column is None or not (0 <= row < SIZE and 0 <= column < SIZE):
        return None
    return row * SIZE + column


def cells_at(places: object) -> frozenset[int] | None:
    """Return the cells of a list of places; nothing if one of them is none."""
    cells = [cell_at(mapping(place)) for place in items(places)]
    return None if None in cells else frozenset(cell for cell in cells if cell is not None)


def terrain_of(value: object) -> str | None:
    """Return the terrain that a number stands for."""
    code = number(value)
    return TERRAINS[code] if code is not None and 0 <= code < len(TERRAINS) else None


def state_of(event: Event) -> int | None:
    """Return the state that a game has come to, if the event tells of one."""
    return number(event.args.get("id")) if event.kind == "gameStateChange" else None


def offer_of(event: Event) -> tuple[str, frozenset[int]] | None:
    """Return the terrain and the hexes offered for a settlement of the mandatory action."""
    offer = mapping(event.args.get("args"))
    if state_of(event) != States.BUILD or offer.get("tileName"):
        return None
    terrain, cells = terrain_of(offer.get("terrain")), cells_at(offer.get("hexes"))
    return (terrain, cells) if terrain and cells else None


def results_of(event: Event) -> list[Mapping[str, Any]]:
    """Return what the end of a table says of each player; nothing for other events."""
    if state_of(event) != States.END:
        return []
    return [mapping(row) for row in items(mapping(event.args.get("args")).get("result"))]
