"""What a log or page tells of its board, from the most certain source to the least."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kbai.core.errors import ImportedLogError
from kbai.game.quadrants import TURNED
from kbai.importing.archive import Archive, Event
from kbai.importing.board import CASTLE, Evidence
from kbai.importing.events import cell_at, offer_of, terrain_of
from kbai.importing.tables import (
    CASTLE_LOCATION,
    CASTLES_CARD,
    ENGLISH_TERRAINS,
    LOCATIONS,
    QUADRANTS,
    TURNED_FROM,
)
from kbai.importing.values import items, mapping, number


def board_evidence(archive: Archive, events: Sequence[Event]) -> Iterator[Evidence]:
    """Yield what each source tells of the board; the last one is all that the log tells."""
    yield Evidence(quadrants=_quadrant_names(archive))
    boards = [archive.start, *(event.args for event in events if event.kind == "cancel")]
    for fields in boards[:2]:
        yield Evidence(spaces=_spaces(mapping(fields.get("board"))))
    first = _first_offer(events)
    yield Evidence(every=first)
    everything = Evidence(every=first)
    for fields in boards:
        everything.spaces |= _spaces(mapping(fields.get("board")))
    _add_events(everything, events)
    yield everything


def _quadrant_names(archive: Archive) -> tuple[str, ...]:
    names = []
    for quadrant, is_turned in archive.quadrants:
        place = quadrant % TURNED_FROM
        if place >= len(QUADRANTS):
            return ()  # older pages number turned quadrants otherwise; the log tells what they are
        turned = is_turned or quadrant >= TURNED_FROM
        names.append(QUADRANTS[place] + (TURNED if turned else ""))
    bare = {name.removesuffix(TURNED) for name in names}
    return tuple(names) if len(bare) == len(names) else ()


def _spaces(board: Mapping[str, Any]) -> dict[int, str]:
    """Return the castles and locations that a state of the board lists."""
    found = {}
    for row in map(mapping, items(board.get("locations"))):
        cell, kind = cell_at(row), location_kind(row.get("location"))
        if cell is not None and kind is not None:
            found[cell] = kind
    return found


def location_kind(value: object) -> str | None:
    """Return the kind of a location or castle; one of an expansion raises `ImportedLogError`."""
    code = number(value)
    if code is None:
        return None
    kind = CASTLE if code == CASTLE_LOCATION else LOCATIONS.get(code)
    if kind is None:
        raise ImportedLogError(
            f"the log has a location of number {code}, which is not in the base game; "
            "logs of games with expansions cannot be read."
        )
    return kind


def _first_offer(events: Sequence[Event]) -> dict[str, frozenset[int]]:
    """Return the hexes offered while the board is empty: all of their terrain."""
    for event in events:
        if event.kind in ("build", "move"):
            break
        offer = offer_of(event)
        if offer is not None:
            return dict([offer])
    return {}


def _add_events(evidence: Evidence, events: Sequence[Event]) -> None:
    by_tile = False
    card: str | None = None
    for event in events:
        cell = cell_at(event.args)
        match event.kind:
            case "gameStateChange":
                offer = offer_of(event)
                if offer is not None:
                    evidence.terrain |= dict.fromkeys(offer[1], offer[0])
            case "showTerrain":
                card = terrain_of(event.args.get("terrain"))
            case "useTile":
                by_tile = True
            case "cancel":
                by_tile = False
            case "obtainTile":
                kind = location_kind(event.args.get("location"))
                if cell is not None and kind is not None:
                    evidence.spaces[cell] = kind
            case "build" | "move" if cell is not None:
                # A settlement of the mandatory action stands on the terrain of its card.
                name = str(event.args.get("terrainName")).lower()
                terrain = ENGLISH_TERRAINS.get(name.removeprefix("a ")) or (
                    card if event.kind == "build" and not by_tile else None
                )
                if terrain is not None:
                    evidence.terrain.setdefault(cell, terrain)
                by_tile = False
            case "scoringEnd" if number(event.args.get("objectiveId")) == CASTLES_CARD:
                for part in map(mapping, items(event.args.get("detail"))):
                    cells = (cell_at(mapping(place)) for place in items(part.get("hexes")))
                    evidence.spaces |= {cell: CASTLE for cell in cells if cell is not None}
