"""How far a run of games has come, on a terminal."""

from __future__ import annotations

import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kbai.arena.plan import Plan
from kbai.arena.results import Result, count_done
from kbai.cli.drawing import bar_width

# How often the bar is drawn if nothing happens: its clock goes on, however long a game takes.
TICK_S = 1.0
BAR = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_noinv_fmt}{postfix}]"
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
    with (
        tqdm(
            total=plan.n_games,
            initial=count_done(plan, earlier),
            unit=" games",
            bar_format=BAR,
            disable=None,  # unless stderr is a terminal
            leave=False,
            ncols=bar_width(),
            smoothing=0.1,  # games come in bundles: the rate of the last one says little
            mininterval=0.2,
            miniters=0,  # any number of new games is worth it
            file=sys.stderr,
        ) as bar,
        _ticking(bar),
    ):

        def show(results: Sequence[Result]) -> None:
            if bar.disable:
                return
            for result in results:
                score.add(result)
            bar.set_postfix_str(str(score), refresh=False)
            bar.update(len(results))

        try:
            yield show
        except KeyboardInterrupt:
            bar.leave = True  # with what the terminal has put behind it
            raise


@contextmanager
def _ticking(bar: Any) -> Iterator[None]:
    """Draw a bar again now and then, though nothing has happened."""
    is_over = threading.Event()

    def tick() -> None:
        while not is_over.wait(TICK_S):
            bar.refresh()

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
