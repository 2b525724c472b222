"""The cards of a game from a seed: the draw pile and the hidden hands."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kbai._fast import Draw, Position
from kbai.core.seeds import derive_seed


class Deal:
    """Where the unseen cards are: the draw pile and the hidden hands.

    The order of the cards depends on the seed and on nothing that is done in the game, as far
    as the piles hold the same cards. A deal follows one game; for another one make it anew.
    """

    def __init__(self, position: Position, seed: int) -> None:
        fields = position.fields()
        self.seed = seed
        self.n_shuffles = 0
        self.hands: list[list[int]] = [[] for _ in fields["seats"]]
        """By seat, oldest first."""
        for number, (counts, seats) in enumerate(fields["held"]):
            cards = shuffled(position.board.deck, counts, derive_seed(seed, "held", number))
            for seat, card in zip(seats, cards, strict=True):
                self.hands[seat].append(card)
        self.pile: list[int] = []
        """The top card is the last one."""
        self._refill(position)
        for seat in range(len(fields["seats"])):
            self.fill_hand(position, seat)

    def draw(self, position: Position) -> int:
        """Take the next card and return it; a draw must be pending."""
        if position.pending_draw == Draw.REVEAL:
            return self.hands[position.mover].pop(0)
        return self._take(position)

    def fill_hand(self, position: Position, seat: int) -> None:
        """Give a seat the hidden cards that it drew, as at the end of its turn."""
        hidden = position.fields()["seats"][seat]["hidden"]
        while len(self.hands[seat]) < hidden:
            self.hands[seat].append(self._take(position))

    def _take(self, position: Position) -> int:
        if not self.pile:
            self._refill(position)
        return self.pile.pop()

    def _refill(self, position: Position) -> None:
        # The kernel shuffled in the step before: all cards that are unseen now are the new pile and
        # the hands filled from it.
        seed = derive_seed(self.seed, "shuffle", self.n_shuffles)
        self.pile = shuffled(position.board.deck, position.fields()["unseen"], seed)
        self.n_shuffles += 1


def shuffled(deck: Sequence[int], counts: Sequence[int], seed: int) -> list[int]:
    """Return this many cards of each kind in random order, all orders equally likely.

    Each card of the deck has its place among all others, be they there or not: two piles that
    differ by a card have all others in the same order, so that games stay comparable.
    """
    generator = random.Random(seed)
    places = []
    for card, (most, count) in enumerate(zip(deck, counts, strict=True)):
        of_a_kind = [generator.random() for _ in range(most)]
        places += [(place, card) for place in of_a_kind[:count]]
    return [card for _, card in sorted(places)]
