"""A player compared with the others in the same games."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from kbai.core.uncertainty import Measured, mean_of
from kbai.summary.facts import GameFacts, TurnFacts
from kbai.summary.rates import Rate, combine, difference
from kbai.summary.results import Compared


@dataclass(frozen=True, slots=True)
class PlayerGame:
    """A game as one player has it; a bot may play against itself and have several seats."""

    number: int
    """Among all games."""
    game: GameFacts
    seats: frozenset[int]
    """Those of the player."""

    def without_unused(self) -> PlayerGame:
        """Return the game without turns in which a tile was left that the best turn used."""
        turns = tuple(turn for turn in self.game.turns if not turn.unused)
        return replace(self, game=replace(self.game, turns=turns))

    def turns(self, *, own: bool) -> Iterator[TurnFacts]:
        """Iterate over the turns of the player or of the others."""
        return (turn for turn in self.game.turns if (turn.review.seat in self.seats) == own)


def games_of(games: Iterable[GameFacts], player: str) -> list[PlayerGame]:
    """Return the games in which turns of a player were reviewed."""
    found = []
    for number, game in enumerate(games):
        seats = frozenset(seat for seat, name in enumerate(game.players) if name == player)
        if any(turn.review.seat in seats for turn in game.turns):
            found.append(PlayerGame(number, game, seats))
    return found


@dataclass(frozen=True, slots=True)
class Pair:
    """A rate of the player, and the same rate of the others."""

    own: Rate = field(default_factory=Rate)
    others: Rate = field(default_factory=Rate)

    def compared(self) -> Compared:
        """Return both with their intervals."""
        has_others = self.others.count > 0
        return Compared(
            self.own.measured().estimate(),
            self.others.measured().estimate() if has_others else None,
            self.more().estimate() if has_others else None,
        )

    def more(self) -> Measured:
        """Return how much higher the player's rate is; without others, the rate itself."""
        return difference(self.own, self.others)

    def more_if_alike(self) -> Measured:
        """Return how much higher the player's rate is, with the noise there is if both play alike.

        The noise is that of the others. The player's own would hide a weakness: it costs much
        in some games and nothing in others, so it spreads the more the larger it is.
        """
        games = sorted(self.own.sums.keys() & self.others.sums.keys())
        if len(games) < 2:
            return Measured(0.0, math.inf, 1)
        own, others = ([rate.of_game(game) for game in games] for rate in (self.own, self.others))
        noise = mean_of(others)
        return Measured(fmean(own) - noise.value, 2 * noise.variance, noise.freedom)

    def apart_from(self, rest: Pair) -> Measured:
        """Return how much more this is the player's own than the rest is."""
        return combine([
            (1.0, self.own), (-1.0, self.others), (-1.0, rest.own), (1.0, rest.others),
        ])  # fmt: skip


def per_turn(
    games: Sequence[PlayerGame],
    amount: Callable[[TurnFacts], float],
    where: Callable[[TurnFacts], bool] = lambda turn: True,
) -> Pair:
    """Return an amount per turn, over the turns that are chosen."""
    pair = Pair()
    for game in games:
        for rate, own in ((pair.own, True), (pair.others, False)):
            for turn in filter(where, game.turns(own=own)):
                rate.add(game.number, amount(turn))
    return pair


def per_game(games: Sequence[PlayerGame], amount: Callable[[TurnFacts], float]) -> Pair:
    """Return the sum of an amount over the turns of a game, per player."""
    pair = Pair()
    for game in games:
        for rate, own in ((pair.own, True), (pair.others, False)):
            turns = list(game.turns(own=own))
            if turns:
                players = {turn.review.seat for turn in turns}
                rate.add(game.number, sum(map(amount, turns)), len(players))
    return pair
