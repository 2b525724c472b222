"""Chances to win and gold as games turn out, from what the playouts of a search say.

Playouts are played by a quick policy. They know too little of how the next turns will be played,
so they are too sure of who wins; and they think too well of a seat that has had its turn of a
round, which was searched, against those whose turns are still to come. How much so was measured
in games of `mcts` against itself (docs/strength.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kbai._fast import Action, Position

# Added to every share, so that one that no playout has seen is not impossible.
DOUBT = 0.01


@dataclass(frozen=True, slots=True)
class Correction:
    """Seats have odds of (share + DOUBT) ** steepness, times e ** what holds for them."""

    steepness: float
    last: float
    """For the last seat of a round; seats before it have a part of it, the first one nothing."""
    mover: float
    gold_per_house: float
    """What a seat gains more than playouts do, for each house that it has not built."""


# By whether two play, and whether all tiles just build or move, as those of the base game do.
# scripts/fit_forecasts.py finds such numbers.
CORRECTIONS = {
    (True, True): Correction(0.85, 0.32, -0.23, 0.29),
    (True, False): Correction(0.64, 0.0, -0.18, 0.46),
    (False, True): Correction(0.85, 0.0, -0.40, 0.24),
    (False, False): Correction(0.64, 0.3, -0.25, 0.43),
}


def correction_for(position: Position) -> Correction:
    """Return what holds for the board of a position."""
    is_simple = all(tile[0] in (Action.BUILD, Action.MOVE) for tile in position.board.tiles)
    return CORRECTIONS[position.board.seats == 2, is_simple]


def forecast(
    position: Position, shares: Sequence[float], mover: int | None = None
) -> tuple[float, ...]:
    """Return each seat's chance to win after the turn of a position, or of another ``mover``.

    ``shares`` are those of the playouts, by seat; they add up to 1, and so do the chances.
    """
    mover = position.mover if mover is None else mover
    correction = correction_for(position)
    n_seats, start = len(shares), position.fields()["start"]
    odds = []
    for seat, share in enumerate(shares):
        place = (seat - start) % n_seats / (n_seats - 1)
        bonus = correction.last * place + correction.mover * (seat == mover)
        odds.append((share + DOUBT) ** correction.steepness * math.exp(bonus))
    return tuple(each / sum(odds) for each in odds)


def forecast_gold(position: Position, gold: Sequence[float]) -> tuple[float, ...]:
    """Return the gold of each seat at the end, from that of the playouts.

    Playouts make less of the houses still to come than those who think.
    """
    rate = correction_for(position).gold_per_house
    seats = position.fields()["seats"]
    return tuple(
        amount + rate * seat["supply"] for amount, seat in zip(gold, seats, strict=True)
    )


def forecast_if(position: Position, shares: Sequence[float], seat: int, share: float) -> float:
    """Return a seat's chance if its share were another one, and those of the others in step."""
    rest = 1 - shares[seat]
    others = [
        (1 - share) * (old / rest if rest else 1 / (len(shares) - 1)) for old in shares
    ]  # fmt: skip
    others[seat] = share
    return forecast(position, others)[seat]
