"""The turns of a log that shows no cards, from the states that the game went through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kbai.importing.archive import Archive, Event
from kbai.importing.events import offer_of, public_events, state_of, terrain_of
from kbai.importing.tables import BACK, TERRAINS, States
from kbai.importing.values import number


def with_cards(archive: Archive) -> Archive:
    """Return a log that shows a card at the start of each turn, and its back at the end."""
    shown = (e for e in public_events(archive) if e.kind == "showTerrain")
    if any(terrain_of(event.args.get("terrain")) for event in shown):
        return archive
    turns = _Turns()
    packets = (
        replace(packet, events=tuple(turns.add(packet.events))) if packet.is_public else packet
        for packet in archive.packets
    )
    return replace(archive, packets=tuple(packets))


class _Turns:
    def __init__(self) -> None:
        self.mover: int | None = None
        self.has_card = False

    def add(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            state, who = state_of(event), number(event.args.get("active_player"))
            if state == States.TURN and who != self.mover:
                yield from self.end(event)
                self.mover, self.has_card = who, False
            elif state == States.SCORING:
                yield from self.end(event)
                self.mover = None
            offer = offer_of(event)
            if offer is not None and self.mover is not None and not self.has_card:
                self.has_card = True
                yield self.show(event, TERRAINS.index(offer[0]))
            yield event

    def end(self, event: Event) -> Iterator[Event]:
        if self.mover is not None:
            yield self.show(event, BACK)

    def show(self, event: Event, terrain: int | str) -> Event:
        args = {"pId": self.mover, "terrain": terrain}
        return Event("showTerrain", args, event.packet, event.move)
