"""Chances to win and gold as games turn out, from what the playouts of a search say.

Playouts are played by a quick policy. They know too little of how the next turns will be played,
so they are too sure of who wins; and they think too well of a seat that has had its turn of a
round, which was searched, against those whose turns are still to come. And they make too little
of location tiles and of cards that leave a free choice of hexes. How much so was measured in games
of `mcts` against itself (docs/strength.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    tile: float
    """For each location tile of a seat."""
    choice: float
    """For each terrain that it has no settlement beside."""
    gold_per_house: float
    """What a seat gains more than playouts do, for each house that it has not built ..."""
    gold_per_tile: float
    """... for each of its tiles, if all houses were left ..."""
    gold_per_choice: float
    """... and for each of these terrains."""


# By whether two play, and whether all tiles just build or move, as those of the base game do.
# scripts/fit_forecasts.py finds such numbers.
CORRECTIONS = {
    (True, True): Correction(0.85, 0.30, -0.20, 0.35, 0.15, 0.11, 3.0, 1.85),
    (True, False): Correction(0.64, 0.0, -0.18, 0.0, 0.0, 0.26, 1.4, 1.1),
    (False, True): Correction(0.80, 0.1, -0.45, 0.3, 0.15, 0.04, 2.8, 1.8),
    (False, False): Correction(0.70, 0.4, -0.25, 0.2, 0.15, 0.25, 1.25, 0.85),
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
    fields = position.fields()
    n_seats, start = len(shares), fields["start"]
    columns = zip(shares, map(tiles_of, fields["seats"]), position.untouched(), strict=True)
    odds = []
    for seat, (share, tiles, untouched) in enumerate(columns):
        place = (seat - start) % n_seats / (n_seats - 1)
        bonus = correction.last * place + correction.mover * (seat == mover)
        bonus += correction.tile * tiles + correction.choice * untouched
        odds.append((share + DOUBT) ** correction.steepness * math.exp(bonus))
    return tuple(each / sum(odds) for each in odds)


def tiles_of(seat: Mapping[str, Any]) -> int:
    """Return how many location tiles a seat of `Position.fields` has, used in this turn or not."""
    return sum(sum(seat[name]) for name in ("ready", "fresh", "used"))


def forecast_gold(position: Position, gold: Sequence[float]) -> tuple[float, ...]:
    """Return the gold of each seat at the end, from that of the playouts.

    Playouts make less of the houses still to come than those who think.
    """
    correction = correction_for(position)
    columns = zip(gold, position.fields()["seats"], position.untouched(), strict=True)
    found = []
    for amount, seat, untouched in columns:
        more = correction.gold_per_tile * tiles_of(seat) + correction.gold_per_choice * untouched
        rate = correction.gold_per_house + more / position.board.houses
        found.append(amount + rate * seat["supply"])
    return tuple(found)


def forecast_if(
    position: Position, shares: Sequence[float], seat: int, share: float, mover: int | None = None
) -> float:
    """Return a seat's chance if its share were another one, and those of the others in step."""
    rest = 1 - shares[seat]
    others = [
        (1 - share) * (old / rest if rest else 1 / (len(shares) - 1)) for old in shares
    ]  # fmt: skip
    others[seat] = share
    return forecast(position, others, mover)[seat]
