"""The trees of a search: how they grow, one in each thread, and for how long."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from kbai._fast import Position
from kbai._mcts import Tree
from kbai.core.errors import SearchError
from kbai.core.seeds import derive_seed
from kbai.search.params import Limit, SearchParams
from kbai.search.ranking import StepChoice, best_of, step_choices

if TYPE_CHECKING:
    from concurrent.futures import Future

# A search can be stopped, and reports its progress, once in so many seconds.
SLICE_S = 0.05
# Visits of the first slice, before their cost is known, and how fast slices may grow.
FIRST_SLICE = 8
GROWTH = 4


class Searcher:
    """Searches one position after another, and keeps what helps with the next one.

    Each thread has its own tree with its own seed: the same positions, seeds, visits and number of
    threads give the same answers.
    """

    def __init__(self, params: SearchParams, threads: int = 1) -> None:
        if threads < 1:
            raise SearchError(f"expected at least one thread, got {threads}.")
        self.params = params
        self.threads = threads
        self.trees: list[Tree] = []
        self.position: Position | None = None

    def forget(self) -> None:
        """Drop the trees and free their memory."""
        self.trees = []

    def look_at(self, position: Position, seed: int) -> None:
        """Make this the position to search, reusing the trees if they contain it.

        New trees get their seeds from ``seed``.
        """
        self.position = position.copy()
        for number in range(self.threads):
            if self.trees[number:] and self.trees[number].move_to(position):
                continue
            tree_seed = derive_seed(seed, "tree", number)
            tree = self.params.make_tree(position, seed=tree_seed, threads=self.threads)
            self.trees[number : number + 1] = [tree]

    def restrict(self, allow: Sequence[Sequence[int]], avoid: Sequence[Sequence[int]]) -> None:
        """Search only turns that begin with steps of ``allow`` and do not end as ``avoid``.

        Call it before the first visit. An empty ``allow`` allows all. See
        `kbai._mcts.Tree.restrict`.
        """
        for tree in self.trees:
            try:
                tree.restrict(allow, avoid)
            except ValueError as error:
                raise SearchError("expected a turn that is allowed, got none.") from error

    def follow(self, share: float) -> None:
        """Begin this share of the visits with steps of the best turn known."""
        for tree in self.trees:
            tree.follow(share)

    @property
    def visits(self) -> int:
        """Visits of the position, those of earlier searches included."""
        return sum(tree.visits for tree in self.trees)

    def run(self, limit: Limit, on_progress: Callable[[int], None] = lambda visits: None) -> int:
        """Search until the limit, and return the visits made; ``on_progress`` gets them too.

        After Ctrl-C the threads finish their slice, and the trees stay usable.
        """
        shares = split(limit.visits, self.threads)
        deadline = None if limit.seconds is None else time.perf_counter() + limit.seconds
        runners = [
            _Runner(tree, visits, deadline) for tree, visits in zip(self.trees, shares, strict=True)
        ]
        if self.threads == 1:
            for visits in runners[0].slices():
                on_progress(visits)
        else:
            _run_together(runners, on_progress)
        return sum(runner.done for runner in runners)

    def choices(self) -> list[StepChoice]:
        """Return the steps that were tried, in the order in which the first tree prefers them."""
        assert self.position is not None
        return step_choices(self.trees, self.position.actor)

    def best_step(self, among: Collection[int] | None = None) -> int | None:
        """Return the best step, maybe among some only; None after too few visits to tell."""
        choices = [each for each in self.choices() if among is None or each.step in among]
        return best_of(choices, self.params).step if choices else None


def split(visits: int | None, parts: int) -> list[int | None]:
    """Return the visits of each part; None means no limit.

    >>> split(7, 3)
    [3, 2, 2]
    """
    if visits is None:
        return [None] * parts
    return [visits // parts + (number < visits % parts) for number in range(parts)]


class _Runner:
    """Makes the visits of one tree in slices; it can be stopped between them."""

    def __init__(self, tree: Tree, visits: int | None, deadline: float | None) -> None:
        self.tree = tree
        self.visits = visits
        self.deadline = deadline
        self.done = 0
        self.is_stopped = False  # set by another thread

    def slices(self) -> Iterator[int]:
        """Make the visits; after each slice, yield how many have been made."""
        size = FIRST_SLICE
        while not self.is_stopped:
            if self.visits is not None:
                size = min(size, self.visits - self.done)
            if size <= 0:
                return
            before = time.perf_counter()
            self.tree.run(size)
            now = time.perf_counter()
            self.done += size
            yield self.done
            room = SLICE_S
            if self.deadline is not None:
                # Without a deadline, make all visits even of a proven tree: the moment at which a
                # proof is noticed depends on the slices, and so on the speed of the machine.
                if now >= self.deadline or self.tree.is_proven:
                    return
                room = min(room, self.deadline - now)
            size = max(1, min(int(size * room / max(now - before, 1e-9)), size * GROWTH))

    def run(self) -> None:
        """Make all visits."""
        for _ in self.slices():
            pass


def _run_together(runners: Sequence[_Runner], on_progress: Callable[[int], None]) -> None:
    from concurrent.futures import ThreadPoolExecutor, wait

    with ThreadPoolExecutor(len(runners)) as executor:
        futures = [executor.submit(runner.run) for runner in runners]
        try:
            while wait(futures, timeout=SLICE_S).not_done:
                on_progress(sum(runner.done for runner in runners))
        finally:
            for runner in runners:
                runner.is_stopped = True
            _wait_for_all(futures)
    for future in futures:
        future.result()


def _wait_for_all(futures: Sequence[Future[None]]) -> None:
    """Wait until no thread uses its tree, a moment, even if Ctrl-C is pressed again meanwhile."""
    from concurrent.futures import wait

    while True:
        try:
            wait(futures)
            return
        except KeyboardInterrupt:
            continue
