"""What a log tells of the whole table: who played, with which cards, on which board."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from kbai.core.errors import ImportedLogError
from kbai.game.seats import N_SEATS, SEATS
from kbai.game.setup import Setup
from kbai.importing.archive import Archive, Event
from kbai.importing.board import find_board
from kbai.importing.events import offer_of, public_events, results_of, terrain_of
from kbai.importing.evidence import board_evidence
from kbai.importing.tables import CARD_STATISTICS, CARDS, CASTLES_CARD, COLORS
from kbai.importing.values import flag, items, mapping, number, one_line

MAX_NAME = 40
N_CARDS = 3


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table."""

    id: int
    name: str
    seat: str


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known of a table before its turns are read."""

    players: tuple[Player, ...]
    """In turn order; the first one begins."""
    setup: Setup
    table: int | None
    date: str
    """Of the first packet, as ``2026-02-13``; empty if that is not told."""
    conceded: tuple[str, ...]
    """The seats that gave up."""
    notes: tuple[str, ...]
    """What else there is to say of the table."""


def survey(archive: Archive) -> Survey:
    """Return what a log tells of its table; raise `ImportedLogError` if it is of another game."""
    events = list(public_events(archive))
    if not any(_is_of_this_game(event) for event in events):
        raise ImportedLogError("this is the log of another game, or of one that never began.")
    begun = _order_of_turns(events)
    players = _players(archive, events, _turn_order(archive, events, begun))
    cards = _cards(archive, events)
    setup = Setup(
        seats=tuple(player.seat for player in players),
        cards=cards,
        board=find_board(board_evidence(archive, events)),
    )
    conceded, left = _gone(events)
    seats = {player.id: player.seat for player in players}
    notes = [f"{seats.get(who, 'somebody')} gave up." for who in conceded]
    notes += [f"{seats.get(who, 'somebody')} left the table." for who in left]
    if not cards:
        notes.append("the log does not tell the scoring cards; the page of the replay does.")
    if len(begun) < len(players) and not _listed_players(archive, events):
        notes.append("the log ends in the first round; the order of the other seats is a guess.")
    return Survey(
        players,
        setup,
        archive.table,
        _date(archive),
        tuple(seats[who] for who in conceded if who in seats),
        tuple(notes),
    )


def _is_of_this_game(event: Event) -> bool:
    if event.kind == "showTerrain":
        return number(event.args.get("pId")) is not None
    return offer_of(event) is not None


# --- players --------------------------------------------------------------------------------------


def _order_of_turns(events: Iterable[Event]) -> list[int]:
    """Return the players' ids in the order of their first turns."""
    shown = (
        number(event.args.get("pId"))
        for event in events
        if event.kind == "showTerrain" and terrain_of(event.args.get("terrain"))
    )
    return list(dict.fromkeys(who for who in shown if who is not None))


def _listed_players(archive: Archive, events: Iterable[Event]) -> list[Mapping[str, Any]]:
    """Return the players as a state of the game lists them, by their place at the table."""
    states = [archive.start, *(event.args for event in events if event.kind == "cancel")]
    for state in states:
        rows = [mapping(row) for row in items(state.get("fplayers"))]
        if rows and all(number(row.get("no")) is not None for row in rows):
            return sorted(rows, key=lambda row: number(row.get("no")) or 0)
    return []


def _turn_order(archive: Archive, events: Sequence[Event], begun: Sequence[int]) -> list[int]:
    """Return all players' ids: in the order of their turns, then those who had none yet."""
    around = [number(row.get("id")) for row in _listed_players(archive, events)]
    first = begun[0] if begun else number(archive.start.get("firstPlayer"))
    if first in around:
        place = around.index(first)
        around = around[place:] + around[:place]
    others = [number(player.get("id")) for player in archive.players]
    others += [number(row.get("player")) for event in events for row in results_of(event)]
    known = dict.fromkeys([*begun, *around, *others, *archive.addressed])
    return [player for player in known if player is not None]


def _players(archive: Archive, events: Sequence[Event], order: list[int]) -> tuple[Player, ...]:
    if len(order) not in N_SEATS:
        raise ImportedLogError(
            f"expected {N_SEATS[0]} to {N_SEATS[-1]} players, the log names {len(order)}."
        )
    names: dict[int, str] = {}
    colors: dict[int, str] = {}
    results = (row for event in events for row in results_of(event))
    for row in (*archive.players, *_listed_players(archive, events), *results):
        who = number(row.get("id"))
        who = number(row.get("player")) if who is None else who
        if who is not None:
            names[who] = names.get(who) or clean_name(row.get("name"))
            colors[who] = colors.get(who) or str(row.get("color", "")).lower().lstrip("#")
    for event in events:
        who = number(event.args.get("player_id"))
        if who is not None and not names.get(who):
            names[who] = clean_name(event.args.get("player_name"))
    seats = _seats(order, colors)
    return tuple(Player(who, names.get(who, ""), seats[who]) for who in order)


def _seats(order: Iterable[int], colors: Mapping[int, str]) -> dict[int, str]:
    """Give everybody the seat of their colour, or a free one if there is none."""
    order = list(order)
    seats: dict[int, str] = {}
    for who in order:
        seat = COLORS.get(colors.get(who, ""))
        if seat and seat not in seats.values():
            seats[who] = seat
    free = [seat for seat in SEATS if seat not in seats.values()]
    for who in order:
        if who not in seats:
            seats[who] = free.pop(0)
    return seats


def clean_name(value: object) -> str:
    """Return a player's name without markup, and without what has a meaning in a header."""
    text = re.sub(r"<[^<>]{0,200}>", "", str(value or "")[: 20 * MAX_NAME])
    return one_line(re.sub(r"[,#]", " ", html.unescape(text)), MAX_NAME)


def _gone(events: Iterable[Event]) -> tuple[list[int], list[int]]:
    """Return who gave up and who left the table before the end."""
    conceded: list[int] = []
    left: list[int] = []
    for event in events:
        who = number(event.args.get("player_id"))
        if event.kind == "playerConcedeGame" and who is not None:
            conceded.append(who)
        for row in results_of(event):
            who = number(row.get("player"))
            if who is not None and flag(row.get("concede")):
                conceded.append(who)
            if who is not None and flag(row.get("zombie")):
                left.append(who)
    return list(dict.fromkeys(conceded)), list(dict.fromkeys(left))


# --- cards and date -------------------------------------------------------------------------------


def _cards(archive: Archive, events: Iterable[Event]) -> tuple[str, ...]:
    """Return the cards as the scoring names them, or the statistics at the end, or the page."""
    scored: set[int] = set()
    counted: set[int] = set()
    for event in events:
        card = number(event.args.get("objectiveId"))
        if event.kind == "scoringEnd" and card is not None:
            scored.add(card)
        for row in results_of(event):
            keys = map(number, mapping(row.get("stats")))
            counted |= {key - CARD_STATISTICS for key in keys if key is not None} & CARDS.keys()
    rows = items(archive.start.get("objectives"))
    listed = {card for card in (number(mapping(row).get("id")) for row in rows) if card is not None}
    for found in (scored, counted, listed):
        cards = found - {CASTLES_CARD}
        unknown = sorted(cards - CARDS.keys())
        if unknown:
            message = f"the log has a scoring card of number {unknown[0]}, which is not known."
            raise ImportedLogError(message)
        if len(cards) == N_CARDS:  # fewer: it was cut off
            return tuple(CARDS[card] for card in sorted(cards))
    return ()


def _date(archive: Archive) -> str:
    for packet in archive.packets:
        if packet.time is not None and 0 < packet.time < 2**33:
            return datetime.fromtimestamp(packet.time, UTC).date().isoformat()
    return ""
