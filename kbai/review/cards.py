"""The cards that could have come, and the luck of the one that came."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from kbai.core.uncertainty import Measured, contrast
from kbai.review.odds import Chances, corrected, mean_chances, moved_to_mean, moved_to_row
from kbai.review.plan import Part
from kbai.search.branches import branches
from kbai.search.calibration import log_odds
from kbai.search.evaluate import Sample, Value


@dataclass(frozen=True, slots=True)
class Cards:
    """What each card is worth if the best turn follows it. All were searched alike."""

    values: tuple[Value, ...]
    odds: tuple[float, ...]
    came: int
    """The index of the card that came."""

    @classmethod
    def of(cls, part: Part, answer: Mapping[str, Any]) -> Self:
        """Return the cards of a turn, with the answer to the search for their values."""
        found = branches(part.before)
        came = [branch.position == part.position for branch in found].index(True)
        values = tuple(map(Value.from_payload, answer["values"]))
        return cls(values, tuple(branch.odds for branch in found), came)

    @property
    def is_exact(self) -> bool:
        return all(value.is_exact for value in self.values)

    def luck_in(self, seat: int, of: Callable[[Sample], Sequence[float]]) -> Measured:
        """Return how much the card that came brought a seat, against the mean of all cards."""
        return self._contrast([
            [of(sample)[seat] for sample in value.samples] for value in self.values
        ])  # fmt: skip

    def luck_odds(self, seat: int) -> Measured:
        """Return by how much the card changed the logarithm of a seat's chance."""
        rows = self._rows()
        ratio = rows[self.came][seat] / mean_chances(rows, self.odds)[seat]
        noise = self.noise(seat)
        return Measured(math.log(ratio), noise.variance, noise.freedom)

    def noise(self, seat: int) -> Measured:
        """Return the noise of luck in a seat's log-odds."""
        if self.is_exact:
            return Measured(0.0)
        found = self._contrast([
            [log_odds(sample.wins[seat]) for sample in value.samples] for value in self.values
        ])  # fmt: skip
        return Measured(0.0, found.variance, found.freedom)

    def foreseen(self, level: Chances) -> Chances:
        """Return the chances with the card that came, given those before it was turned up."""
        return self._around(level)[self.came]

    def mean(self, best: Chances) -> Chances:
        """Return the chances before the card was turned up, given those with the card that came.

        The odds of all cards are changed alike.
        """
        return mean_chances(moved_to_row(self._rows(), self.came, best), self.odds)

    def mean_known(self, best: Chances, level: Chances) -> Chances:
        """Return the same where it is known for certain what the card that came led to.

        ``level`` are the chances before the card was turned up, by a search.
        """
        rows = [value.chances() for value in self.values] if self.is_exact else self._around(level)
        rows[self.came] = best
        return mean_chances(rows, self.odds)

    def _rows(self) -> list[Chances]:
        return list(map(corrected, self.values))

    def _around(self, level: Chances) -> list[Chances]:
        return moved_to_mean(self._rows(), self.odds, level)

    def _contrast(self, rows: Sequence[Sequence[float]]) -> Measured:
        weights = [(index == self.came) - odds for index, odds in enumerate(self.odds)]
        return contrast(weights, rows)
