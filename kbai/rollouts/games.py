"""One game played on from a position, by a small search on every seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kbai._fast import Position
from kbai.arena.play import play
from kbai.bots.protocol import View
from kbai.bots.search_bot import SearchBot
from kbai.rollouts.luck import deal_for
from kbai.search.calibration import is_simple
from kbai.search.params import Limit, SearchParams

VISITS = {True: 2000, False: 4000}
"""Of a turn, by whether all tiles just build or move: other tiles leave more to choose from. Fewer
make more games, but games of players who see less (docs/strength.md)."""
QUICK = 2
"""If there is time for a few games only, a turn gets the visits divided by this."""
MEMORY_MB = 64
"""Of a search: far more than so few visits need."""

Ending: TypeAlias = tuple[tuple[int, ...], ...]
"""How a game ended: gold by seat and source, as `Position.score_detail` has it."""


@dataclass(frozen=True, slots=True)
class RolloutGame:
    """A game to be played."""

    position: Position
    visits: int
    cards: int
    """The seed of the cards: games of two turns with the same one meet the same luck."""
    seed: int
    """Of the decisions."""


def visits_for(position: Position) -> int:
    """Return how many visits a turn gets in games from a position."""
    return VISITS[is_simple(position)]


def play_rollout(game: RolloutGame) -> Ending:
    """Play a game to its end."""
    params = SearchParams(memory=MEMORY_MB)
    bots = [SearchBot(params, Limit(game.visits)) for _ in range(game.position.board.seats)]

    def choose(view: View) -> int:
        return bots[view.seat].choose(view)

    deal = deal_for(game.position, game.cards)
    return play(game.position, deal, choose, seed=game.seed).final.score_detail()
