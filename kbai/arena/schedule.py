"""Which games a worker plays next: bundles that take about a second."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from kbai.arena.plan import GameKey, Plan
from kbai.compute.journal import content_id

# A task takes about a second: much longer than sending it, and short enough for Ctrl-C.
TASK_SECONDS = 1.0
MAX_BUNDLE = 256


@dataclass(frozen=True, slots=True)
class GamesTask:
    """Some games of a plan, for one worker."""

    plan: Plan
    keys: tuple[GameKey, ...]

    @property
    def id(self) -> str:
        return content_id([[key.lineup, key.deal, key.rotation] for key in self.keys])


class Bundler:
    """Makes tasks of about a second; games of a bundle that killed its workers are tried alone."""

    def __init__(self, plan: Plan, keys: Iterator[GameKey]) -> None:
        self.plan = plan
        self.keys = keys
        self.is_at_end = False
        self.seconds = TASK_SECONDS  # of a game: the first tasks are single games
        self.alone: list[GameKey] = []

    @property
    def has_more(self) -> bool:
        return not self.is_at_end or bool(self.alone)

    def tasks(self) -> Iterator[GamesTask]:
        while True:
            size = max(1, min(MAX_BUNDLE, round(TASK_SECONDS / max(self.seconds, 1e-6))))
            keys = tuple(islice(self.keys, size))
            if not keys:
                break
            yield GamesTask(self.plan, keys)
        self.is_at_end = True
        while self.alone:
            yield GamesTask(self.plan, (self.alone.pop(),))

    def learn(self, n_games: int, seconds: float) -> None:
        """Adjust the time of a game: to slow games at once, to quick ones step by step."""
        each = seconds / n_games
        self.seconds = each if each > self.seconds else (self.seconds + 3 * each) / 4
