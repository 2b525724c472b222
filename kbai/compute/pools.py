"""What `kbai.compute.run.run` knows about workers, and the simplest ones: threads."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from kbai.core.errors import ParallelError

if TYPE_CHECKING:
    from concurrent.futures import Executor

# How often a worker may die at the same task.
TRIES = 3


class WorkerDiedError(Exception):
    """A worker process ended during a task."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Workers that are ready, and what `run` has to know about them."""

    executor: Executor
    window: int
    """How many tasks to have in progress: enough that no worker waits for the coordinator."""
    stop: Callable[[], None]
    """Drop what is not finished, as soon as the workers allow it."""
    died: type[Exception] = WorkerDiedError
    """What the future of a task raises whose worker died."""
    tries: int = TRIES
    """How often that may happen to a task."""
    exact: bool = True
    """Whether ``died`` surely means this task, not another one on the same worker."""
    size: int = 1
    """How many tasks can run at a time; of a cluster, when it was connected."""
    is_far: bool = False
    """Whether it costs as much to send a task as to search a little."""


PoolFactory: TypeAlias = Callable[[], AbstractContextManager[Pool]]


def threads(count: int) -> PoolFactory:
    """Return threads of this process, for functions that release the GIL; `stop` waits for them."""
    from concurrent.futures import ThreadPoolExecutor

    check_count(count)

    @contextmanager
    def opened() -> Iterator[Pool]:
        with ThreadPoolExecutor(count) as executor:
            stop = partial(executor.shutdown, cancel_futures=True)
            yield Pool(executor, 2 * count, stop, size=count)

    return opened


def count_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_count(count: int) -> None:
    """Refuse a number of workers below one."""
    if count < 1:
        raise ParallelError(f"expected at least one worker, got {count}.")


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Keep Ctrl-C from threads and processes that are started here, which inherit the mask.

    Otherwise a process would print a traceback if Ctrl-C came while Python starts up.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # Otherwise it starts with the first process, and unblocks the signal once it is ready.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
