"""Forecasts of win probability and gold, from the playouts of a search.

A quick policy plays the playouts, so they have known biases. They are too sure of who wins, because
they know little about the turns to come. They favour a seat whose turn has just been searched over
those still to move. And they undervalue location tiles, and cards that leave a free choice of
hexes. These biases were measured in games of `mcts` against itself (docs/strength.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from kbai._fast import Action, Board, Position

# About how many houses a seat builds in a turn, if it has no other one.
LAST_TURN = 5
# Added to every share, so that a win that no playout has seen is still possible.
DOUBT = 0.01


class Correction(NamedTuple):
    """The odds of a seat are (share + DOUBT) ** steepness * e ** (the sum of its bonuses)."""

    steepness: float
    last: float
    """Bonus of the last seat of a round; earlier seats get a part of it, the first one nothing."""
    early: float
    """Bonus of the seat that has had its turn, with a full supply ..."""
    mover: float
    """... and with its last house. The part of the supply that is left, squared, lies between."""
    tile: float
    """Bonus for each location tile."""
    choice: float
    """Bonus for each terrain that no settlement of the seat touches."""
    gold_per_house: float
    """Gold that playouts miss, for each house left in the supply ..."""
    gold_per_tile: float
    """... for each tile, with a full supply ..."""
    gold_per_choice: float
    """... and for each terrain that no settlement touches, with a full supply."""


# Keys: are there two seats, and do all tiles just build or move, as in the base game?
# scripts/fit_forecasts.py fits these numbers.
CORRECTIONS = {
    (True, True): Correction(0.80, 0.30, -0.06, -0.40, 0.35, 0.15, 0.11, 3.0, 1.85),
    (True, False): Correction(0.71, 0.15, -0.06, -0.44, 0.2, 0.06, 0.36, 1.4, 0.9),
    (False, True): Correction(0.87, 0.35, -0.06, -0.43, 0.45, 0.15, 0.06, 2.8, 1.85),
    (False, False): Correction(0.66, 0.3, 0.0, -0.50, 0.3, 0.1, 0.25, 1.25, 0.85),
}


class Misjudged(NamedTuple):
    """How far forecasts of a long search are off, as standard deviations, and a bias.

    Measured on positions that strong bots played to their end many times (scripts/truth.py,
    scripts/truth_check.py).
    """

    win: float
    """Of a chance to win, in log-odds."""
    gold: float
    margin: float
    mover: float
    """Gold by which the seat that has had its turn is forecast too well."""


# By the same as CORRECTIONS.
MISJUDGED = {
    (True, True): Misjudged(win=0.75, gold=5.2, margin=4.6, mover=0.8),
    (True, False): Misjudged(win=1.35, gold=7.5, margin=9.0, mover=0.7),
    (False, True): Misjudged(win=0.80, gold=4.8, margin=4.0, mover=0.0),
    (False, False): Misjudged(win=1.35, gold=7.0, margin=8.5, mover=0.7),
}


def misjudged_in(position: Position) -> Misjudged:
    """Return how far forecasts are off on the board of a position."""
    return MISJUDGED[_kind_of(position)]


def _kind_of(position: Position) -> tuple[bool, bool]:
    board = position.board
    return board.seats == 2, _is_simple(board)


def is_simple(position: Position) -> bool:
    """Return whether all tiles on the board just build or move, as in the base game."""
    return _is_simple(position.board)


# Every turn of a suggestion asks it.
@lru_cache(maxsize=64)
def _is_simple(board: Board) -> bool:
    return all(tile[0] in (Action.BUILD, Action.MOVE) for tile in board.tiles)


def tiles_of(seat: Mapping[str, Any]) -> int:
    """Return how many location tiles a seat of `Position.fields` has, used or not."""
    return sum(sum(seat[name]) for name in ("ready", "fresh", "used"))


class Forecast:
    """Forecasts for one position, after the turn of ``mover``, by default the position's."""

    def __init__(self, position: Position, mover: int | None = None) -> None:
        kind = _kind_of(position)
        self.correction = correction = CORRECTIONS[kind]
        self.misjudged = MISJUDGED[kind]
        self.mover = position.mover if mover is None else mover
        fields = position.fields()
        seats, start = fields["seats"], fields["start"]
        self._factors = []
        """What multiplies the odds of each seat."""
        self.tile_gold: list[float] = []
        """The gold of each seat that playouts miss for its tiles ..."""
        self.choice_gold: list[float] = []
        """... for its free choices of hexes ..."""
        self._more = []
        """... and in all."""
        places = [(number - start) % len(seats) for number in range(len(seats))]
        is_last_round = not all(seat["supply"] for seat in seats)
        for number, (seat, untouched) in enumerate(zip(seats, position.untouched(), strict=True)):
            bonus = correction.last * places[number] / (len(seats) - 1)
            if number == self.mover:
                full = (seat["supply"] / position.board.houses) ** 2
                bonus += full * correction.early + (1 - full) * correction.mover
            tiles, left = tiles_of(seat), seat["supply"]
            if is_last_round:
                # Whoever has no turn left makes no more of anything.
                is_done = places[number] <= places[self.mover]
                left = 0 if is_done else min(left, LAST_TURN)
            if left:
                bonus += correction.tile * tiles + correction.choice * untouched
            self._factors.append(math.exp(bonus))
            share = left / position.board.houses
            self.tile_gold.append(correction.gold_per_tile * tiles * share)
            self.choice_gold.append(correction.gold_per_choice * untouched * share)
            more = self.tile_gold[-1] + self.choice_gold[-1]
            self._more.append(correction.gold_per_house * left + more)

    def chances(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Return each seat's win probability.

        ``shares`` are the seats' shares of the playouts' wins; both add up to 1.
        """
        steepness = self.correction.steepness
        pairs = zip(shares, self._factors, strict=True)
        odds = [(share + DOUBT) ** steepness * factor for share, factor in pairs]
        total = sum(odds)
        return tuple(each / total for each in odds)

    def chance_if(self, shares: Sequence[float], seat: int, share: float) -> float:
        """Return a seat's win probability for another share of its own, the others scaled."""
        rest = 1 - shares[seat]
        others = [
            (1 - share) * (old / rest if rest else 1 / (len(shares) - 1)) for old in shares
        ]  # fmt: skip
        others[seat] = share
        return self.chances(others)[seat]

    def gold(self, gold: Sequence[float]) -> tuple[float, ...]:
        """Return the gold of each seat at the end of the game, from that of the playouts.

        Playouts get less out of the remaining houses than players do.
        """
        return tuple(amount + more for amount, more in zip(gold, self._more, strict=True))

    def margin(self, margin: Sequence[float], gold: Sequence[float]) -> tuple[float, ...]:
        """Return by how much each seat will be ahead of the best other one.

        ``margin`` and ``gold`` are those of the playouts. A margin changes by as much as the gold
        of its two seats does.
        """
        forecasts = self.gold(gold)
        bias = self.misjudged.mover
        more = [new - old - bias * (seat == self.mover) for seat, (new, old) in
                enumerate(zip(forecasts, gold, strict=True))]  # fmt: skip
        found = []
        for seat, amount in enumerate(margin):
            others = [other for other in range(len(gold)) if other != seat]
            rival = max(others, key=lambda other: forecasts[other])
            found.append(amount + more[seat] - more[rival])
        return tuple(found)


def odds_interval(chance: float, low: float, high: float, spread: float) -> tuple[float, float]:
    """Return the ends of an interval of a chance, given those of its noise alone.

    ``spread`` is what else there is of doubt, in log-odds and as wide as the interval is to be.
    """
    middle = log_odds(chance)
    down = math.hypot(middle - log_odds(low), spread)
    up = math.hypot(log_odds(high) - middle, spread)
    return chance_of(middle - down), chance_of(middle + up)


# Nearer to certainty no interval begins.
_SUREST = 1e-4


def log_odds(chance: float) -> float:
    """Return the log-odds of a chance, which may be 0 or 1."""
    chance = min(max(chance, _SUREST), 1 - _SUREST)
    return math.log(chance / (1 - chance))


def chance_of(odds: float) -> float:
    """Return the chance with these log-odds."""
    return 1 / (1 + math.exp(-odds))
