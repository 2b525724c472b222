"""Running the searches and games of reviews on any workers."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any, TypeAlias

from kbai import content
from kbai.compute.cache import Cache
from kbai.compute.pools import PoolFactory
from kbai.compute.run import Done, Outcome, run
from kbai.core.errors import ReviewError, ShapeError
from kbai.review.assemble import assemble
from kbai.review.bundles import Bundle, Bundler, run_bundle
from kbai.review.games import TurnGames, games_tasks
from kbai.review.judge import judge
from kbai.review.plan import Plan
from kbai.review.results import Review
from kbai.review.searches import SearchTask

Answers: TypeAlias = dict[str, Mapping[str, Any]]


def find_known(plans: Iterable[Plan], cache: Cache) -> Answers:
    """Return the answers in a cache to the tasks of reviews; what does not fit is left out."""
    plans = list(plans)
    tasks = {id: task for plan in plans for id, task in plan.tasks().items()}
    known = _fitting(tasks, cache)
    # Which games there may be depends on what searches have found.
    games: dict[str, SearchTask] = {
        task.id: task
        for plan in plans
        for turn in plan.known_part(known).turns
        for task in takewhile(
            lambda task: task.id in cache.ids,
            games_tasks(judge(turn, known), turn, plan.options),
        )
    }
    return known | _fitting(games, cache)


def _fitting(tasks: Mapping[str, SearchTask], cache: Cache) -> Answers:
    found = cache.find(tasks.keys())
    return {id: answer for id, answer in found.items() if _fits(tasks[id], answer)}


def _fits(task: SearchTask, answer: Mapping[str, Any]) -> bool:
    try:
        task.check(answer)
    except ShapeError:
        return False
    return True


def run_reviews(
    plans: Iterable[Plan],
    *,
    workers: PoolFactory,
    known: Mapping[str, Mapping[str, Any]],
    keep: Callable[[str, Mapping[str, Any]], None],
    on_review: Callable[[Review], None],
    on_games: Callable[[int], None] = lambda tasks: None,
    quadrants: Sequence[Sequence[tuple[str, str]]] = (),
) -> None:
    """Run all tasks whose answers are not known, and call ``on_review`` in order.

    ``keep`` gets every new answer. ``on_games`` is told how many tasks come on top of those of the
    plans: which turns are played on turns out on the way. Ctrl-C is raised after ``on_review`` has
    got the turns that are reviewed by then.
    """
    progress = _Progress(plans, known, on_review, on_games)

    def take(outcome: Outcome[Bundle, list[dict[str, Any]]]) -> None:
        if not isinstance(outcome, Done):
            raise ReviewError(f"a search has failed: {outcome.message.rstrip('.')}.")
        progress.bundler.running -= 1
        for task, answer in zip(outcome.task.tasks, outcome.value, strict=True):
            keep(task.id, answer)
            progress.take(task.id, answer)

    progress.hand_over()
    try:
        run(
            run_bundle,
            progress.bundler.bundles(),
            workers,
            take,
            listen=progress.bundler.open,
            initializer=content.use_quadrants if quadrants else None,
            initargs=tuple(quadrants),
        )
    except KeyboardInterrupt:
        progress.hand_over_parts()
        raise


class _Progress:
    """Which tasks are left, and which reviews are done."""

    def __init__(
        self,
        plans: Iterable[Plan],
        known: Mapping[str, Mapping[str, Any]],
        on_review: Callable[[Review], None],
        on_games: Callable[[int], None],
    ) -> None:
        self.answers: Answers = dict(known)
        self.on_review = on_review
        self.on_games = on_games
        self.waiting = deque(_Pending(plan) for plan in plans)
        self.bundler = Bundler(pending.plan.options for pending in self.waiting)
        # A task may be part of several turns, and a turn of several games.
        self.users: dict[str, list[tuple[_Pending, int]]] = {}
        self.uses = Counter(id for pending in self.waiting for id in pending.ids)
        tasks = {id: task for each in self.waiting for id, task in each.plan.tasks().items()}
        self.bundler.waiting.extend(task for id, task in tasks.items() if id not in known)
        for pending in self.waiting:
            for place, turn in enumerate(pending.plan.turns):
                for task in turn.tasks():
                    self.users.setdefault(task.id, []).append((pending, place))
            for place in range(len(pending.plan.turns)):
                self._go_on(pending, place)
            pending.missing -= self.answers.keys()

    def take(self, id: str, answer: Mapping[str, Any]) -> None:
        """Note an answer."""
        self.answers[id] = answer
        for pending, place in self.users.pop(id, ()):
            pending.missing.discard(id)
            self._go_on(pending, place)
        self.hand_over()

    def _go_on(self, pending: _Pending, place: int) -> None:
        """Have a turn played on, if all searches say it should be."""
        games = pending.games.get(place)
        if games is None:
            turn = pending.plan.turns[place]
            if any(task.id not in self.answers for task in turn.tasks()):
                return
            games = TurnGames(turn, self.answers, pending.plan.options)
            pending.games[place] = games
        task = games.go_on(self.answers)
        if task is None:
            return
        if task.id not in self.users:
            self.bundler.waiting.appendleft(task)
            self.on_games(1)
        if task.id not in pending.ids:
            self.uses[task.id] += 1
        pending.ids.add(task.id)
        pending.missing.add(task.id)
        self.users.setdefault(task.id, []).append((pending, place))

    def hand_over(self) -> None:
        """Hand over the reviews that are done, in order."""
        while self.waiting and not self.waiting[0].missing:
            pending = self.waiting.popleft()
            judged = {place: games.found for place, games in pending.games.items()}
            self.on_review(assemble(pending.plan, self.answers, judged))
            for id in pending.ids:  # there may be a thousand games
                self.uses[id] -= 1
                if not self.uses[id]:
                    del self.answers[id]

    def hand_over_parts(self) -> None:
        """Hand over what is known of the others."""
        for pending in self.waiting:
            part = pending.plan.known_part(self.answers)
            if part.turns:
                self.on_review(assemble(part, self.answers))


class _Pending:
    """A review that is not done."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.ids = set(plan.tasks())
        self.missing = set(self.ids)
        self.games: dict[int, TurnGames] = {}  # of turns that are searched, by their place
