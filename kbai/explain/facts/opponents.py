"""What a turn takes from the others, or shuts them out of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from kbai._fast import Terrain
from kbai.content import BUILDABLE, CARD_TERRAINS
from kbai.explain.facts.choices import free_terrains
from kbai.explain.facts.links import FEW, merchant_spaces, settlements_to_link
from kbai.explain.kingdom import Kingdom
from kbai.explain.words import listed, plural, space_text

_Pairs: TypeAlias = Sequence[tuple[Kingdom, Kingdom]]
"""The kingdoms of other seats after the first turn, each with what it is after the second."""


def opponents(first: Kingdom, second: Kingdom, only: int | None = None) -> str | None:
    """Return what the others have less of after the first turn, as it stands now.

    ``only`` is the seat that it is about, if not all of them.
    """
    both = zip(first.others, second.others, strict=True)
    pairs = [pair for pair in both if only in (None, pair[0].seat)]
    finders = (_gold_taken, _cut_off, _shut_out, _choice_taken)
    return next(filter(None, (find(first, second, pairs) for find in finders)), None)


def _gold_taken(first: Kingdom, second: Kingdom, pairs: _Pairs) -> str | None:
    """Return whose gold is lower now, and by which source."""
    losses = []
    for one, two in pairs:
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
    return f"takes {less} gold of {source} from {name} for now"


def _cut_off(first: Kingdom, second: Kingdom, pairs: _Pairs) -> str | None:
    """Return which link of Merchants takes another seat more settlements."""
    if "merchants" not in first.setup.cards:
        return None
    spaces = merchant_spaces(first)
    found = []
    for one, two in pairs:
        now = settlements_to_link(one, spaces)
        for space, (needed, other) in settlements_to_link(two, spaces).items():
            if needed < now.get(space, (FEW + 1, 0))[0]:
                found.append((needed, one.seat, space, other))
    if not found:
        return None
    needed, seat, space, other = min(found)
    places = f"{space_text(first.setup, space)} to {space_text(first.setup, other)}"
    more = plural(needed, "more settlement")
    return f"blocks {first.setup.seats[seat]}'s shortest link from {places} ({more})"


def _shut_out(first: Kingdom, second: Kingdom, pairs: _Pairs) -> str | None:
    """Return the castle beside which no land is free any more, and who had not reached it."""
    for space in first.setup.spaces:
        if space.kind != "castle" or _has_room(first, space.cell):
            continue
        names = [first.setup.seats[one.seat] for one, _ in pairs if not one.touches(space.cell)]
        if names and _has_room(second, space.cell):
            castle = space_text(first.setup, space.cell)
            return f"leaves {listed(names)} no free land at {castle}"
    return None


def _choice_taken(first: Kingdom, second: Kingdom, pairs: _Pairs) -> str | None:
    """Return which terrain another seat could build on anywhere after the second turn only."""
    for one, two in pairs:
        lost = free_terrains(two) - free_terrains(one)
        names = [name for name in CARD_TERRAINS if name in lost and name in one.open_terrains]
        if names:
            seat = first.setup.seats[one.seat]
            return f"leaves {seat} no free choice of hexes on {listed(names)}"
    return None


def _has_room(kingdom: Kingdom, cell: int) -> bool:
    """Tell whether there is free land beside a hex."""
    land = {Terrain[name.upper()] for name in BUILDABLE}
    near = kingdom.board.neighbours(cell)
    return any(c not in kingdom.occupied and kingdom.board.terrain(c) in land for c in near)
