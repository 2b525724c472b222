"""Cards for games that are played on: the next ones come about as often as their odds say.

A few games with random cards can all begin with a lucky one. So many deals are made, sorted by
their next cards, and every so many-th is taken, from a random first one. Each deal is as likely as
any other to be among them, so nothing is biased; but no card comes far too often or too rarely.
"""

from __future__ import annotations

import random
from functools import lru_cache

from kbai._fast import Position
from kbai.arena.deals import Deal
from kbai.core.seeds import derive_seed

# Games whose deals are chosen together, and how many deals there are to choose each from.
BLOCK = 16
CHOICE = 8
# By how many of the next cards deals are sorted: the first one decides an eighth to a fifth of the
# luck of a game, the second one a sixteenth (docs/strength.md).
CARDS = 3


class FairDeals:
    """Seeds of the cards of game after game from about the same position."""

    def __init__(self, position: Position, seed: int) -> None:
        self.position = position
        self.seed = seed
        self._block = lru_cache(maxsize=2)(self._make_block)

    def __getitem__(self, game: int) -> int:
        """Return the seed for a game, counted from 0."""
        return self._block(game // BLOCK)[game % BLOCK]

    def _make_block(self, number: int) -> list[int]:
        generator = random.Random(derive_seed(self.seed, "block", number))
        seeds = [generator.getrandbits(64) for _ in range(BLOCK * CHOICE)]
        seeds.sort(key=lambda seed: next_cards(self.position, seed))
        chosen = seeds[generator.randrange(CHOICE) :: CHOICE]
        generator.shuffle(chosen)  # games may stop in the middle of a block
        return chosen


def deal_for(position: Position, cards: int) -> Deal:
    """Return the deal of a seed."""
    return Deal(position, derive_seed(cards, "cards"))


def next_cards(position: Position, cards: int) -> list[int]:
    """Return the next cards that come into play with the deal of a seed."""
    deal = deal_for(position, cards)
    seats = len(deal.hands)
    in_turn = [deal.hands[(position.mover + seat) % seats] for seat in range(seats)]
    return [*sum(in_turn, []), *reversed(deal.pile)][:CARDS]
