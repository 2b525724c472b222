"""Which searches a worker gets next: on other machines several at once.

To send a task there and to get its answer takes the coordinator and the scheduler some
milliseconds, whatever the task is. So a bundle has searches for about a second.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from kbai.compute.pools import Pool
from kbai.review.plan import ReviewOptions
from kbai.review.searches import SearchTask, run_task

# The visits of a turn times the tasks of a bundle, and the most tasks of one.
VISITS = 16_000
MOST = 64
# Bundles under way for each worker of a cluster. What comes up meanwhile waits until there are some
# to send together.
AHEAD = 4


@dataclass(frozen=True, slots=True)
class Bundle:
    """Searches that one worker makes, one after the other."""

    tasks: tuple[SearchTask, ...]

    @property
    def id(self) -> str:
        """That of the first: a task is in one bundle."""
        return self.tasks[0].id


def run_bundle(bundle: Bundle) -> list[dict[str, Any]]:
    """Make all searches and return their answers, as a cache keeps them."""
    return [run_task(task) for task in bundle.tasks]


class Bundler:
    """The tasks that wait, and how many bundles of them are under way."""

    def __init__(self, options: Iterable[ReviewOptions]) -> None:
        self.waiting: deque[SearchTask] = deque()
        self.running = 0
        visits = [each.limit.visits for each in options]
        # Searches of a given time keep their own clocks, and how long they take is not known here.
        self.most = min((VISITS // each if each else 1 for each in visits), default=1)
        self.pool: Pool | None = None

    def open(self, wake: Callable[[], None], pool: Pool) -> None:
        """Note for whom the bundles are; nobody has to be woken."""
        self.pool = pool

    def bundles(self) -> Iterator[Bundle | None]:
        """Yield bundles; None while there is nothing to send, but may be."""
        while self.waiting or self.running:
            size = self._size()
            if size:
                self.running += 1
                yield Bundle(tuple([self.waiting.popleft() for _ in range(size)]))
            else:
                yield None

    def _size(self) -> int:
        """Return how many tasks the next bundle has."""
        if self.pool is None or not self.pool.is_far:
            return min(1, len(self.waiting))
        enough = AHEAD * self.pool.size
        if self.running >= enough:
            return 0
        # Few at the end, so that every worker has some.
        fair = -(-len(self.waiting) // enough)
        return min(max(1, self.most), MOST, fair)
