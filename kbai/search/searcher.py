"""The trees of a search: how they grow, one in each thread, for how long, and what they choose."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, fields
from typing import Any, Protocol, TypeVar

from kbai._fast import Position
from kbai._mcts import Tree
from kbai.core.errors import SearchError
from kbai.core.seeds import derive_seed

# Seconds between two moments at which a search can be stopped and tells how far it is.
SLICE_S = 0.05
# How many visits the first slice has, before their cost is known, and how fast slices grow.
FIRST_SLICE = 8
GROWTH = 4
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop searching; the first limit reached ends it."""

    visits: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.visits is None and self.seconds is None:
            raise SearchError("expected a limit of visits or seconds, got none.")
        if self.visits is not None and self.visits < 1:
            raise SearchError(f"expected at least one visit, got {self.visits}.")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise SearchError(f"expected more than 0 seconds, got {self.seconds}.")

    def part(self, share: float) -> Limit:
        """Return the limit of a search that gets this share of the visits and seconds."""
        return Limit(
            None if self.visits is None else max(1, round(self.visits * share)),
            None if self.seconds is None else self.seconds * share,
        )


def _knob(default: Any, summary: str, *, low: float = 0, high: float = math.inf,
          choices: tuple[str, ...] = ()) -> Any:  # fmt: skip
    """Return a field of `SearchParams` that tells what it is and which values it takes."""
    about = {"summary": summary, "low": low, "high": high, "choices": choices}
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True)
class SearchParams:
    """How a search is made; all defaults are here. Gold is meant where no unit is given."""

    selection: str = _knob(
        "puct",
        "Which step a visit takes: puct, plain ucb, or flat (each in turn).",
        choices=("puct", "ucb", "flat"),
    )
    playout: str = _knob(
        "informed", "How a game is played to its end.", choices=("informed", "random")
    )
    exploration: float = _knob(0.45, "How much is tried that looks worse so far.", high=100)
    fpu: float = _knob(0.1, "How much worse than its parent an untried step counts.", high=1)
    priors: bool = _knob(True, "Whether steps that gain something at once are tried first.")
    prior_temperature: float = _knob(
        2.0, "How many gold more make a step 2.7 times as likely to be tried.", low=0.01, high=1000
    )
    merge: bool = _knob(
        True, "Whether orders of the same steps, and turns to come of a seat, are one node."
    )
    horizon: int = _knob(99, "How many turns after the present one the tree covers.", high=9999)
    margin_weight: float = _knob(0.85, "The share of the margin in the utility.", high=1)
    margin_scale: float = _knob(
        15.0, "A margin of so much counts as three quarters of all.", low=0.1, high=1000
    )
    experience: float = _knob(
        20.0, "What counts in priors of the utility a step gained elsewhere in the tree.", high=1000
    )
    candidates: int = _knob(4, "Of informed playouts: pieces tried for a move.", low=1, high=64)
    tile: float = _knob(0.6, "What a location tile is worth for each turn to come.", high=1000)
    least_build: float = _knob(
        0.5, "Of informed playouts: worth of a house below which no tile is used.", high=1000
    )
    least_move: float = _knob(
        0.5, "Of informed playouts: gain of a move below which it is not made.", high=1000
    )
    memory: int = _knob(1000, "What all trees together may take, in megabytes.", low=1, high=10**6)
    fair_share: float = _knob(
        0.25, "Of the most visits: what a step needs to be chosen for its utility.", high=1
    )
    clear: float = _knob(
        2.0, "By how many standard errors its utility must then be the better one.", high=100
    )

    def __post_init__(self) -> None:
        for item in fields(self):
            value, about = getattr(self, item.name), item.metadata
            if isinstance(item.default, str):
                wanted, good = " or ".join(about["choices"]), value in about["choices"]
            else:
                low, high = about["low"], about["high"]
                wanted, good = f"{low:g} to {high:g}", low <= value <= high
            if not good:
                raise SearchError(f"expected {wanted} for {item.name}, got {value!r}.")

    def make_tree(self, position: Position, *, seed: int, threads: int) -> Tree:
        """Return the tree of one of some threads."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        for name in ("memory", "fair_share", "clear"):
            del values[name]
        # A tree needs a megabyte at least.
        memory = max(self.memory * MEGABYTE // threads, MEGABYTE)
        return Tree(position, seed=seed, memory=memory, **values)


class Candidate(Protocol):
    """What one chooses between, from the view of the one who chooses."""

    @property
    def visits(self) -> int: ...
    @property
    def utility(self) -> float: ...
    @property
    def is_proven(self) -> bool: ...
    @property
    def sure(self) -> float: ...


C = TypeVar("C", bound=Candidate)


def ranked(candidates: Iterable[C], params: SearchParams, top: int) -> list[C]:
    """Return the best candidates, best first; of equal ones that which came first."""
    left = list(candidates)
    chosen: list[C] = []
    while left and len(chosen) < top:
        chosen.append(best_of(left, params))
        left.remove(chosen[-1])
    return chosen


def best_of(candidates: Sequence[C], params: SearchParams) -> C:
    """Return the candidate with the most visits, or another one if it is clearly better.

    What is proven gets no more visits, and does not need them; what is sure needs none, either.
    """
    others = [candidate for candidate in candidates if not candidate.is_proven]
    if not others:
        return max(candidates, key=lambda candidate: candidate.sure)
    favourite = max(others, key=lambda candidate: candidate.visits)
    fair = params.fair_share * favourite.visits
    rival = max((c for c in others if c.visits >= fair), key=lambda candidate: candidate.utility)
    if rival.utility - favourite.utility > params.clear * _standard_error(rival, favourite):
        favourite = rival
    surest = max(candidates, key=lambda candidate: candidate.sure)
    return surest if surest.sure > favourite.utility else favourite


def _standard_error(one: Candidate, other: Candidate) -> float:
    """Return at most the standard error of a difference: utilities are between 0 and 1."""
    variances = (c.utility * (1 - c.utility) / max(c.visits, 1) for c in (one, other))
    return math.sqrt(max(sum(variances), 0.0))


@dataclass(slots=True)
class Choice:
    """A step of the root, in all trees together."""

    step: int
    visits: int
    utility: float
    """Of the seat that decides."""
    is_proven: bool
    sure: float
    """The utility that it can make sure of with its own next steps; -1 if it knows none."""


class Searcher:
    """Looks at one position after another and keeps what is of use for the next one.

    Each thread has a tree of its own, with a seed of its own: the same positions, seeds, visits
    and number of threads give the same answers.
    """

    def __init__(self, params: SearchParams, threads: int = 1) -> None:
        if threads < 1:
            raise SearchError(f"expected at least one thread, got {threads}.")
        self.params = params
        self.threads = threads
        self.trees: list[Tree] = []
        self.position: Position | None = None

    def forget(self) -> None:
        """Give back the memory."""
        self.trees = []

    def look_at(self, position: Position, seed: int) -> None:
        """Go on from here, with what the trees have about it already; ``seed`` is for new ones."""
        self.position = position.copy()
        for number in range(self.threads):
            if self.trees[number:] and self.trees[number].move_to(position):
                continue
            tree_seed = derive_seed(seed, "tree", number)
            tree = self.params.make_tree(position, seed=tree_seed, threads=self.threads)
            self.trees[number : number + 1] = [tree]

    def restrict(self, allow: Sequence[Sequence[int]], avoid: Sequence[Sequence[int]]) -> None:
        """Look only at turns that begin with steps of ``allow`` and do not end as ``avoid``.

        Before the first visit; an empty ``allow`` allows all. See `kbai._mcts.Tree.restrict`.
        """
        for tree in self.trees:
            try:
                tree.restrict(allow, avoid)
            except ValueError as error:
                raise SearchError("expected a turn that is allowed, got none.") from error

    @property
    def visits(self) -> int:
        """How often the position was visited, when it was a part of earlier searches included."""
        return sum(tree.visits for tree in self.trees)

    def run(self, limit: Limit, on_progress: Callable[[int], None] = lambda visits: None) -> int:
        """Search until the limit and return the visits made; ``on_progress`` is told them.

        Ctrl-C ends it as soon as all threads have finished their slice; the trees stay good.
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

    def choices(self) -> list[Choice]:
        """Return the steps that were tried, in the order in which the first tree prefers them."""
        assert self.position is not None
        actor = self.position.actor
        found: dict[int, Choice] = {}
        for tree in self.trees:
            for edge in tree.edges():
                if edge.visits:
                    utility = edge.seats[actor].utility
                    new = Choice(edge.step, edge.visits, utility, edge.is_proven, edge.sure)
                    old = found.get(edge.step)
                    found[edge.step] = new if old is None else _merged(old, new)
        return list(found.values())

    def best_step(self) -> int | None:
        """Return the step to be made; None if too few visits were made to tell."""
        choices = self.choices()
        return best_of(choices, self.params).step if choices else None


def _merged(one: Choice, other: Choice) -> Choice:
    visits, sure = one.visits + other.visits, max(one.sure, other.sure)
    if one.is_proven or other.is_proven:
        utility = one.utility if one.is_proven else other.utility
        return Choice(one.step, visits, utility, True, sure)
    utility = (one.visits * one.utility + other.visits * other.utility) / visits
    return Choice(one.step, visits, utility, False, sure)


def split(visits: int | None, parts: int) -> list[int | None]:
    """Return how many of the visits each part makes; None: there is no limit.

    >>> split(7, 3)
    [3, 2, 2]
    """
    if visits is None:
        return [None] * parts
    return [visits // parts + (number < visits % parts) for number in range(parts)]


class _Runner:
    """Makes the visits of one tree, in slices between which it can be stopped."""

    def __init__(self, tree: Tree, visits: int | None, deadline: float | None) -> None:
        self.tree = tree
        self.visits = visits
        self.deadline = deadline
        self.done = 0
        self.is_stopped = threading.Event()

    def slices(self) -> Iterator[int]:
        """Make the visits, and yield how many are made after each slice."""
        size = FIRST_SLICE
        while not self.is_stopped.is_set():
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
                # Without a deadline the visits are made even if nothing is left to find out:
                # when that is noticed depends on the slices.
                if now >= self.deadline or self.tree.is_proven:
                    return
                room = min(room, self.deadline - now)
            size = max(1, min(int(size * room / max(now - before, 1e-9)), size * GROWTH))

    def run(self) -> None:
        """Make all visits."""
        for _ in self.slices():
            pass


def _run_together(runners: Sequence[_Runner], on_progress: Callable[[int], None]) -> None:
    with ThreadPoolExecutor(len(runners)) as executor:
        futures = [executor.submit(runner.run) for runner in runners]
        try:
            while wait(futures, timeout=SLICE_S).not_done:
                on_progress(sum(runner.done for runner in runners))
        finally:
            for runner in runners:
                runner.is_stopped.set()
    for future in futures:
        future.result()
