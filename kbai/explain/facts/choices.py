"""Free choices: terrains whose card lets a seat build anywhere (R4.2)."""

from __future__ import annotations

from kbai.content import CARD_TERRAINS, TERRAIN_CARDS
from kbai.explain.kingdom import Kingdom
from kbai.explain.words import listed
from kbai.notation.names import card_terrain


def choices(first: Kingdom, second: Kingdom) -> str | None:
    """Return the terrains on which the first kingdom may build anywhere and the second not."""
    new = free_terrains(first) - free_terrains(second)
    names = [name for name in CARD_TERRAINS if name in new]
    return f"can build anywhere on {listed(names)}" if names else None


def free_terrains(kingdom: Kingdom) -> frozenset[str]:
    """Return the terrains with cards and free hexes, but none of these beside a settlement."""
    free = kingdom.open_terrains
    return frozenset(
        name
        for name in free.keys() & _terrains_with_cards(kingdom)
        if free[name].isdisjoint(kingdom.near)
    )


def _terrains_with_cards(kingdom: Kingdom) -> frozenset[str]:
    """Return the terrains that a card can name; Scouts takes one out of the deck (R2.4)."""
    pairs = zip(TERRAIN_CARDS, kingdom.setup.deck, strict=True)
    return frozenset(card_terrain(card) for card, count in pairs if count)
