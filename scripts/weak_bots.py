"""Bots with one weakness each, for ``py:scripts/weak_bots.py:CLASS``.

All are `mcts` but for the weakness: `NoTiles` never uses a tile, the others do not know that a
certain scoring card is in play. The summary of many reviews has to find it
(scripts/summary_check.py).
"""

from __future__ import annotations

from dataclasses import replace

from kbai._fast import Position
from kbai.bots.protocol import View
from kbai.bots.search_bot import SearchBot
from kbai.game.setup import setup_of
from kbai.game.steps import unpack_step
from kbai.search.params import Limit, SearchParams
from kbai.search.ranking import best_of

VISITS = 400


class NoTiles(SearchBot):
    """Knows everything, but never uses a tile."""

    def __init__(self) -> None:
        super().__init__(SearchParams(), Limit(VISITS))

    def search(self, view: View, legal: list[int]) -> int:
        plain = [step for step in legal if not unpack_step(step)[1]]
        if not plain:  # no base game leads here
            return super().search(view, legal)
        self.searcher.look_at(view.position, view.seed)
        visits = self.searcher.run(self.budget.next_limit())
        self.budget.spend(visits, 0.0)
        choices = [choice for choice in self.searcher.choices() if choice.step in plain]
        return best_of(choices, self.params).step if choices else plain[0]


class IgnoresCard(SearchBot):
    """Plays as if one of the scoring cards were not there."""

    card = ""

    def __init__(self) -> None:
        super().__init__(SearchParams(), Limit(VISITS))

    def search(self, view: View, legal: list[int]) -> int:
        return super().search(replace(view, position=without_card(view.position, self.card)), legal)


class IgnoresMerchants(IgnoresCard):
    """Connects nothing on purpose."""

    card = "merchants"


class IgnoresFarmers(IgnoresCard):
    """Does not care for the sector with the fewest settlements."""

    card = "farmers"


class IgnoresMiners(IgnoresCard):
    """Sees nothing in mountains."""

    card = "miners"


def without_card(position: Position, card: str) -> Position:
    """Return a position in which a card, if it is there, brings no gold."""
    setup = setup_of(position)
    if card not in setup.cards:
        return position
    others = replace(setup, cards=tuple(name for name in setup.cards if name != card))
    return Position.from_fields(others.kernel_board, position.fields())
