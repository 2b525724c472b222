"""Running the searches of reviews on any workers."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kbai import content
from kbai.compute.cache import Cache
from kbai.compute.pools import PoolFactory
from kbai.compute.run import Done, Outcome, run
from kbai.core.errors import ReviewError, ShapeError
from kbai.review.assemble import assemble
from kbai.review.plan import Plan
from kbai.review.results import Review
from kbai.review.searches import SearchTask, run_task


def find_known(plans: Iterable[Plan], cache: Cache) -> dict[str, Mapping[str, Any]]:
    """Return the answers in a cache to the searches of reviews; what does not fit is left out."""
    tasks = {id: task for plan in plans for id, task in plan.tasks().items()}
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
    quadrants: Sequence[Sequence[tuple[str, str]]] = (),
) -> None:
    """Run all searches whose answers are not known, and call ``on_review`` in order.

    ``keep`` gets every new answer. Ctrl-C is raised after ``on_review`` has got the turns that are
    reviewed by then.
    """
    waiting = deque((plan, plan.tasks()) for plan in plans)
    tasks = {id: task for _, each in waiting for id, task in each.items()}
    uses = Counter(id for _, each in waiting for id in each)
    answers: dict[str, Mapping[str, Any]] = dict(known)

    def hand_over() -> None:
        while waiting and waiting[0][1].keys() <= answers.keys():
            plan, done = waiting.popleft()
            on_review(assemble(plan, answers))
            for id in done:
                uses[id] -= 1
                if not uses[id]:  # there may be a thousand games
                    del answers[id]

    def take(outcome: Outcome[SearchTask, dict[str, Any]]) -> None:
        if not isinstance(outcome, Done):
            raise ReviewError(f"a search has failed: {outcome.message.rstrip('.')}.")
        keep(outcome.task.id, outcome.value)
        answers[outcome.task.id] = outcome.value
        hand_over()

    hand_over()
    try:
        run(
            run_task,
            [task for id, task in tasks.items() if id not in known],
            workers,
            take,
            initializer=content.use_quadrants if quadrants else None,
            initargs=tuple(quadrants),
        )
    except KeyboardInterrupt:
        for part in (plan.known_part(answers) for plan, _ in waiting):
            if part.turns:
                on_review(assemble(part, answers))
        raise
