"""Many queries and their answers, one JSON object per line; docs/analysis.md has all keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kbai import content
from kbai.analyze.answers import Reply, Settings, answer_bundle
from kbai.analyze.known import KnownAnswer
from kbai.analyze.scheduler import NEAR, Pace, Scheduler
from kbai.compute.pools import PoolFactory
from kbai.compute.run import run


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of an analysis."""

    lines: int
    failed: int
    """Lines that have an error among their answers."""


def analyze(
    read: Callable[[int], bytes],
    write: Callable[[bytes], None],
    settings: Settings,
    workers: PoolFactory,
    *,
    in_order: bool = True,
    on_done: Callable[[int, Reply], None] = lambda n_bytes, reply: None,
    quadrants: tuple[tuple[tuple[str, str], ...], ...] = (),
    pace: Pace = NEAR,
    known: Iterator[KnownAnswer] = iter(()),  # noqa: B008  (nothing to share)
) -> Summary:
    """Answer all lines from ``read``, which returns no bytes at the end, and ``write`` the answers.

    ``read`` is called in a thread of its own, ``write`` with one or more whole lines. ``on_done``
    is told each reply, and how many bytes of the input are done with it. Answers of an earlier run
    that are ``known``, in order, are neither searched nor written again. Ctrl-C ends it after an
    answer and is raised.
    """
    scheduler = Scheduler(read, write, settings, in_order, on_done, pace, known)
    try:
        run(
            answer_bundle,
            scheduler,
            workers,
            scheduler.take_replies,
            listen=scheduler.open,
            initializer=content.use_quadrants if quadrants else None,
            initargs=quadrants,
        )
    finally:
        scheduler.close()
    return Summary(scheduler.n_read, scheduler.n_failed)
