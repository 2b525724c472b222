"""The score that the progress bar of a match shows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from kbai.arena.results import Result

# How many bots the progress bar shows, and how much of a name: the bar needs room too.
BAR_BOTS = 4
BAR_NAME = 16


class Score:
    """The share of the points of each bot so far, in complete groups or not."""

    def __init__(self, results: Iterable[Result]) -> None:
        self.points: defaultdict[str, float] = defaultdict(float)
        self.games: Counter[str] = Counter()
        self.add(*results)

    def add(self, *results: Result) -> None:
        """Count games."""
        for result in results:
            if result.is_counted:
                game = result.in_turn_order()
                for (bot, _), points in zip(game.seats, game.points, strict=True):
                    self.points[bot] += points
                    self.games[bot] += 1

    def __str__(self) -> str:
        shares = {bot: self.points[bot] / games for bot, games in self.games.items()}
        best = sorted(shares, key=lambda bot: (-shares[bot], bot))[:BAR_BOTS]
        return ", ".join(f"{bot[:BAR_NAME]} {shares[bot]:.0%}" for bot in best)
