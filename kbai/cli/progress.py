"""How far a run of games has come, on a terminal."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from kbai.arena import Plan, Result

# A bar for what is over sooner would only flicker.
BAR_AFTER_S = 1.0
# How many bots a bar tells the score of.
BAR_BOTS = 4
# How much of a name: the bar itself needs room, too.
BAR_NAME = 16


class Score:
    """The share of the points of each bot so far, complete groups or not."""

    def __init__(self, results: Iterable[Result]) -> None:
        self.points: defaultdict[str, float] = defaultdict(float)
        self.games: Counter[str] = Counter()
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Count a game."""
        if result.is_counted:
            game = result.in_turn_order()
            for (bot, _), points in zip(game.seats, game.points, strict=True):
                self.points[bot] += points
                self.games[bot] += 1

    def __str__(self) -> str:
        shares = {bot: self.points[bot] / games for bot, games in self.games.items()}
        best = sorted(shares, key=lambda bot: (-shares[bot], bot))[:BAR_BOTS]
        return ", ".join(f"{bot[:BAR_NAME]} {shares[bot]:.0%}" for bot in best)


@contextmanager
def progress_bar(
    plan: Plan, earlier: Sequence[Result]
) -> Iterator[Callable[[Sequence[Result]], None]]:
    """Show on a terminal how many games are done, and the score; return what to tell of games."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    score = Score(earlier)
    with tqdm(
        total=plan.n_games,
        initial=plan.n_done(earlier),
        unit=" games",
        delay=BAR_AFTER_S,
        disable=None,  # unless stderr is a terminal
        leave=False,
        dynamic_ncols=True,
        file=sys.stderr,
    ) as bar:

        def show(results: Sequence[Result]) -> None:
            if bar.disable:
                return
            for result in results:
                score.add(result)
            bar.set_postfix_str(str(score), refresh=False)
            bar.update(len(results))

        yield show
