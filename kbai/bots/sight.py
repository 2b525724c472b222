"""What weak bots see of a game: some of the cards, and no tiles.

They search as the strong ones do, but a simpler game, which is how beginners lose: they overlook
things. A step of the simpler game is the same number as in the real one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

from kbai._fast import Action, Board, Filter, Position, Score, Terrain
from kbai.core.seeds import derive_seed
from kbai.game.setup import Setup, make_board, setup_of
from kbai.game.steps import unpack_step

# Cards that are not only counted: positions hold markers, gold or a deck of their own for them.
_KEPT = (
    Score.FAMILIES,
    Score.SHEPHERDS,
    Score.AMBASSADORS,
    Score.ROVERS,
    Score.SCOUTS,
    Score.MAYORS,
)
# Actions that leave nothing behind which only their tile explains, such as a ship.
_OVERLOOKED = (Action.BUILD, Action.MOVE, Action.WALL, Action.FORT, Action.BAZAAR, Action.SCOUT)
# What a tile can do for those who do not look at it: nothing without the fountain itself.
_USELESS = (Action.FOUNTAIN_BONUS, Filter.NONE, Terrain.VOID)

ALL_CARDS = 99
"""More than any game has."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How much of a game a bot sees."""

    cards: int = ALL_CARDS
    """How many of the cards and tasks, castles apart; which ones the set-up decides."""
    tiles: bool = True
    """Whether it sees what tiles and other extra actions can do."""

    @property
    def is_partial(self) -> bool:
        """Whether the bot may overlook anything."""
        return self != Sight()

    def seen(self, position: Position) -> Position:
        """Return the game that the bot sees, with the same steps as far as it knows them."""
        if not self.is_partial:
            return position
        board = _seen_board(setup_of(position), self)
        try:
            return Position.from_fields(board, position.fields())
        except ValueError:  # somebody else began to use a tile in this turn
            return position

    def known(self, legal: list[int]) -> list[int]:
        """Return the steps among which the bot chooses; there may be none."""
        return legal if self.tiles else [step for step in legal if not unpack_step(step)[1]]


@lru_cache(maxsize=64)
def _seen_board(setup: Setup, sight: Sight) -> Board:
    cards = _seen_cards(setup, setup.kernel_board.cards, sight.cards)
    if sight.tiles:
        return make_board(setup, cards)
    rules = [_USELESS if tile[0] in _OVERLOOKED else tile for tile in setup.kernel_board.tiles]
    return make_board(setup, cards, rules)


def _seen_cards(setup: Setup, cards: tuple[int, ...], count: int) -> list[int]:
    """Return the cards that are seen, the same in the whole game."""
    free = [card for card in cards if card not in _KEPT]
    order = random.Random(derive_seed(0, "sight", *setup.board, *setup.cards))
    missing = order.sample(free, min(len(free), max(0, len(cards) - count)))
    return [card for card in cards if card not in missing]
