"""What searches and reviews say of a seat."""

from __future__ import annotations

from dataclasses import dataclass

from kbai.core.intervals import Estimate


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a seat can expect at the end of the game."""

    win: Estimate
    """Its chance of winning, 0 to 1; a tie counts as a share."""
    gold: Estimate
    margin: Estimate
    """Its gold minus the best opponent's."""
    sources: dict[str, float]
    """Its gold by card; empty if it was not counted."""


@dataclass(frozen=True, slots=True)
class Change:
    """By how much the outlook of a seat changes."""

    win: Estimate
    """In chances of winning, -1 to 1."""
    gold: Estimate
