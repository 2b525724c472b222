"""The log of a table on Board Game Arena: a list of packets, wrapped in one of several ways."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kbai.core.errors import ImportedLogError
from kbai.importing.values import items, mapping, number, one_line

# How deep the list of packets may be wrapped: two layers more than in any known form.
_MAX_WRAPPINGS = 6
_TABLE = re.compile(r"/table/t([0-9]{1,18})", re.ASCII)
_PRIVATE = re.compile(r"/player/p([0-9]{1,18})", re.ASCII)
_MAX_SENTENCE = 200
# Only the history of a running game keeps the names of its events here.
_LIVE_KEY = "originalType"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, by the name that the site gives it."""

    kind: str
    args: Mapping[str, Any]
    packet: int
    """The number of its packet, for messages."""
    move: int | None
    """What undo calls it by: one number for each request of a player."""


@dataclass(frozen=True, slots=True)
class Packet:
    """Events that were sent together."""

    number: int
    time: int | None
    is_public: bool
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Archive:
    """All that a saved file holds."""

    packets: tuple[Packet, ...]
    players: tuple[Mapping[str, Any], ...] = ()
    """As listed beside the packets; not in turn order."""
    addressed: tuple[int, ...] = ()
    """The players who were told something in private."""
    table: int | None = None
    quadrants: tuple[tuple[int, bool], ...] = ()
    """From a page: id and whether it is turned, from the top left to the bottom right."""
    start: Mapping[str, Any] = field(default_factory=dict)
    """From a page: the state at the start of the game."""


def parse_log(text: str) -> Archive:
    """Return what a saved log holds; raise `ImportedLogError` if it is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ImportedLogError(
            "expected the log of a table as JSON, or the page of a replay; "
            "the file is neither, or only a part of one."
        ) from None
    return unwrap_log(data)


def unwrap_log(data: object) -> Archive:
    """Return the packets of a log, however they are wrapped."""
    rows, players = _find_packets(data)
    packets = tuple(_packet(row, place) for place, row in enumerate(rows, start=1))
    if any(_LIVE_KEY in event.args for packet in packets for event in packet.events):
        raise _live_history()
    channels = [str(mapping(row).get("channel")) for row in rows]
    tables = (_TABLE.match(channel) for channel in channels)
    people = (_PRIVATE.match(channel) for channel in channels)
    return Archive(
        packets,
        players,
        tuple(dict.fromkeys(int(match[1]) for match in people if match)),
        next((int(match[1]) for match in tables if match), None),
    )


def _find_packets(data: object) -> tuple[Sequence[Any], tuple[Mapping[str, Any], ...]]:
    """Return the list of packets and the players listed beside it."""
    players: tuple[Mapping[str, Any], ...] = ()
    for _ in range(_MAX_WRAPPINGS):
        if isinstance(data, list):
            if any("data" in mapping(row) for row in data):
                return data, players
            if any(_LIVE_KEY in mapping(mapping(row).get("args")) for row in data):
                raise _live_history()
            break
        wrapping = mapping(data)
        if "error" in wrapping and number(wrapping.get("status", 0)) != 1:
            reason = one_line(wrapping["error"], _MAX_SENTENCE).rstrip(".") or "no reason given"
            raise ImportedLogError(f"the site answered with an error instead of a log: {reason}.")
        if "players" in wrapping:
            players = tuple(map(mapping, items(wrapping["players"])))
        data = wrapping.get("logs", wrapping.get("data"))
    raise ImportedLogError("expected the log of a table of Board Game Arena, found no packets.")


def _packet(row: object, place: int) -> Packet:
    fields = mapping(row)
    identity = number(fields.get("packet_id"))
    identity = place if identity is None else identity
    move = number(fields.get("move_id"))
    events = tuple(
        Event(str(event.get("type", "")), mapping(event.get("args")), identity, move)
        for event in map(mapping, items(fields.get("data")))
    )
    is_public = not str(fields.get("channel", "")).startswith("/player/")
    return Packet(identity, number(fields.get("time")), is_public, events)


def _live_history() -> ImportedLogError:
    return ImportedLogError(
        "this is the history of a running game, which leaves things out; "
        "save the log of the finished table instead."
    )
