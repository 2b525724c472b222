"""What `kbai.compute.run.run` knows about workers, and the simplest ones: threads."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from typing import TypeAlias

from kbai.core.errors import ParallelError

# How often a worker may die at the same task.
TRIES = 3


class WorkerDiedError(Exception):
    """A worker process ended while it was at a task."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Workers that are up, and what there is to know about them."""

    executor: Executor
    window: int
    """How many tasks to have under way: enough that no worker waits for the coordinator."""
    stop: Callable[[], None]
    """Drop what is not finished, as soon as the workers allow it."""
    died: type[Exception] = WorkerDiedError
    """What the future of a task raises whose worker died."""
    tries: int = TRIES
    """How often that may happen to a task."""
    exact: bool = True
    """Whether ``died`` means this task, or maybe another one that was at the same worker."""


PoolFactory: TypeAlias = Callable[[], AbstractContextManager[Pool]]


def threads(count: int) -> PoolFactory:
    """Threads of this process, for functions that let go of the GIL; `stop` waits for them."""
    check_count(count)

    @contextmanager
    def opened() -> Iterator[Pool]:
        with ThreadPoolExecutor(count) as executor:
            yield Pool(executor, 2 * count, lambda: executor.shutdown(cancel_futures=True))

    return opened


def count_cores() -> int:
    """Return how many cores there are for this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_count(count: int) -> None:
    """Refuse a number of workers that is none."""
    if count < 1:
        raise ParallelError(f"expected at least one worker, got {count}.")


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Keep Ctrl-C from the threads and processes that are started here: they inherit the mask.

    Otherwise a process would show a traceback when it comes while Python is starting up.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Else it is started with the first process, and unblocks the signal when it is up.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
