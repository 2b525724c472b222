"""What the best of some turns owes to luck.

Whoever chooses the best of a few noisy forecasts chooses luck as well, so what is chosen is
forecast too well. How much of the differences is noise shows in the games: turns that are far
apart, compared with the error of a difference, really differ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

# How far apart the turns of a list are, as a standard deviation in gold, and as how many turns that
# counts, beside those that are compared.
TURNS_APART = 1.5
TURNS_KNOWN = 3


@dataclass(frozen=True, slots=True)
class Ahead:
    """By how much a seat is better off after a turn than after the main one, or worse."""

    odds: float
    """Of winning, in log-odds."""
    gold: float
    margin: float
    sources: tuple[float, ...] = ()
    """The gold by source; empty if not counted."""
    variance: float = 0.0
    """Of the error of the margin."""


def owed_to_luck(turns: Sequence[Sequence[Ahead]], seat: int, share: float) -> tuple[Ahead, ...]:
    """Return what the best turn of a seat owes to luck, by seat.

    ``turns`` has those to choose from, each by seat; one of them is the main one. Where they stand
    in the mean is known best; ``share`` is how far that is by games of all of them, and not by what
    a tree says of the main one. Each turn is as far from the mean as is to be believed.
    """
    best = max(turns, key=lambda turn: turn[seat].odds)
    part = part_believed([turn[seat] for turn in turns])

    def luck(mean: float, lead: float) -> float:
        return share * part * mean + (1 - part) * lead

    return tuple(
        Ahead(
            odds=luck(fmean(one.odds for one in by_turn), first.odds),
            gold=luck(fmean(one.gold for one in by_turn), first.gold),
            margin=luck(fmean(one.margin for one in by_turn), first.margin),
        )
        for first, by_turn in zip(best, zip(*turns, strict=True), strict=True)
    )


def part_believed(turns: Sequence[Ahead]) -> float:
    """Return the part of the differences between turns that is to be believed."""
    apart = len(turns) - 1
    # The error of the main turn is in all differences, so half of the variance is that of a turn.
    noise = math.fsum(turn.variance for turn in turns) / apart / 2
    middle = fmean(turn.margin for turn in turns)
    squares = math.fsum((turn.margin - middle) ** 2 for turn in turns)
    known = TURNS_KNOWN * TURNS_APART**2
    variance = max(0.0, (known + squares - apart * noise) / (TURNS_KNOWN + apart))
    return variance / (variance + noise)
