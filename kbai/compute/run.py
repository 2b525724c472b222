"""Many tasks on many workers: every result arrives, whatever happens to a worker.

The workers themselves are in the modules `pools`, `processes` and `cluster`.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from types import FrameType
from typing import Generic, Protocol, TypeAlias, TypeVar

from kbai.compute.pools import Pool, PoolFactory, WorkerDiedError
from kbai.core.errors import KbaiError, ParallelError


class Task(Protocol):
    """What to do, as a frozen value that can be pickled."""

    @property
    def id(self) -> str:
        """A hash of its content."""


T = TypeVar("T", bound=Task)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Done(Generic[T, R]):
    """A task and the value that the function returned."""

    task: T
    value: R


@dataclass(frozen=True, slots=True)
class Failed(Generic[T]):
    """A task the function raised an exception for."""

    task: T
    message: str
    trace: str
    """The traceback, for people."""


@dataclass(frozen=True, slots=True)
class Crashed(Generic[T]):
    """A task whose worker died each time it was tried."""

    task: T
    message: str


Outcome: TypeAlias = Done[T, R] | Failed[T] | Crashed[T]


def run(
    function: Callable[[T], R],
    tasks: Iterable[T | None],
    executor_factory: PoolFactory,
    on_done: Callable[[Outcome[T, R]], None],
    *,
    in_order: bool = False,
    window: int | None = None,
    listen: Callable[[Callable[[], None], Pool], None] | None = None,
    initializer: Callable[..., object] | None = None,
    initargs: tuple[object, ...] = (),
) -> None:
    """Call ``function`` for every task, and ``on_done`` here exactly once with each outcome.

    ``tasks`` may be endless: at most ``window`` of them are in progress. If there is none at
    present it yields None, and is asked again after the next outcome, or when someone calls the
    function that ``listen`` was given, together with the workers.
    ``in_order`` holds an outcome back until all earlier tasks have theirs.
    ``initializer`` is called once per worker process, before its first task.

    Ctrl-C in the main thread ends the run between two calls of ``on_done``: what is finished is
    handed over (with ``in_order`` up to the first gap, so that the rest can follow later), the
    workers are ended and `KeyboardInterrupt` is raised. A second Ctrl-C does not wait. An
    exception in ``tasks`` or ``on_done`` ends the workers, too. Raises `ParallelError` if workers
    cannot be started or reached.
    """
    job = _Job(function, initializer, initargs, os.urandom(8).hex())
    with executor_factory() as pool:
        coordinator = _Coordinator(job, iter(tasks), pool, on_done, in_order, window)
        if listen is not None:
            listen(coordinator.wake, pool)
        with _interrupts(coordinator.interrupt):
            try:
                coordinator.run()
            except BaseException:
                pool.stop()
                raise


class _Call(Enum):
    """What the coordinator receives besides outcomes."""

    STOP = 1
    WAKE = 2


@dataclass(slots=True)
class _Place(Generic[T, R]):
    """A task in progress, and its number in the order of the tasks."""

    number: int
    task: T
    deaths: int = 0
    outcome: Outcome[T, R] | None = None


class _Coordinator(Generic[T, R]):
    def __init__(
        self,
        job: _Job[T, R],
        tasks: Iterator[T | None],
        pool: Pool,
        on_done: Callable[[Outcome[T, R]], None],
        in_order: bool,
        window: int | None,
    ) -> None:
        self.job = job
        self.tasks = tasks
        self.taken = 0
        self.pool = pool
        self.on_done = on_done
        self.in_order = in_order
        self.window = pool.window if window is None else max(1, window)
        # Filled by the threads of the executor, and by Ctrl-C. A simple queue is reentrant: the
        # signal may come during another put.
        self.arrivals: queue.SimpleQueue[tuple[_Place[T, R], Future[_Reply[R]]] | _Call]
        self.arrivals = queue.SimpleQueue()
        self.running = 0
        self.places: dict[int, _Place[T, R]] = {}  # without a delivered outcome, in order
        self.suspects: deque[_Place[T, R]] = deque()  # to be tried alone

    def interrupt(self) -> None:
        self.arrivals.put(_Call.STOP)

    def wake(self) -> None:
        self.arrivals.put(_Call.WAKE)

    def run(self) -> None:
        more = True
        while True:
            if self.suspects:
                if not self.running:
                    self.submit(self.suspects.popleft())
            elif more:
                more = self.take()
            if not (self.running or more):
                return
            try:
                # Windows cannot interrupt a wait without a timeout.
                arrival = self.arrivals.get(timeout=1)
            except queue.Empty:
                continue
            if arrival is _Call.STOP:
                self.stop()
                raise KeyboardInterrupt
            if not isinstance(arrival, _Call):
                self.running -= 1
                self.settle(*arrival)

    def stop(self) -> None:
        """Drop what is not finished, and deliver what is."""
        self.pool.stop()
        while not self.arrivals.empty():
            arrival = self.arrivals.get()
            if not isinstance(arrival, _Call) and _is_finished(arrival[1]):
                self.settle(*arrival)

    def take(self) -> bool:
        """Submit tasks while there is room; return whether there may be more."""
        while len(self.places) < self.window:
            try:
                task = next(self.tasks)
            except StopIteration:
                return False
            if task is None:
                break
            place: _Place[T, R] = _Place(self.taken, task)
            self.taken += 1
            self.places[place.number] = place
            self.submit(place)
        return True

    def submit(self, place: _Place[T, R]) -> None:
        future = self.pool.executor.submit(self.job, place.task)
        self.running += 1
        future.add_done_callback(lambda future: self.arrivals.put((place, future)))

    def settle(self, place: _Place[T, R], future: Future[_Reply[R]]) -> None:
        """Make an outcome of what came back, or send the task out again."""
        try:
            reply = future.result()
        except self.pool.died as error:
            place.deaths += 1
            if place.deaths < self.pool.tries:
                self.submit(place) if self.pool.exact else self.suspects.append(place)
                return
            how = f" ({error})" if isinstance(error, WorkerDiedError) else ""
            place.outcome = Crashed(place.task, f"the worker died each time this was tried{how}")
        except CancelledError as error:
            raise ParallelError("the connection to the workers is lost.") from error
        except BrokenExecutor as error:
            raise ParallelError(f"{error}.") from error
        except Exception as error:
            # The function's own exceptions come back as text. This is a task or a value that cannot
            # be pickled, or a connection that broke while the answer was on its way.
            place.deaths += 1
            if place.deaths < self.pool.tries:
                self.submit(place)
                return
            place.outcome = Failed(place.task, _message(error), _trace(error))
        else:
            if isinstance(reply, _NotReady):
                raise ParallelError(f"a worker could not be set up: {reply.message}.")
            if isinstance(reply, _Raised):
                place.outcome = Failed(place.task, reply.message, reply.trace)
            else:
                place.outcome = Done(place.task, reply.value)
        self.hand_over(place)

    def hand_over(self, place: _Place[T, R]) -> None:
        for ready in list(self.places.values()) if self.in_order else [place]:
            if ready.outcome is None:
                return
            del self.places[ready.number]
            self.on_done(ready.outcome)


def _is_finished(future: Future[_Reply[R]]) -> bool:
    return not future.cancelled() and future.exception() is None


@dataclass(frozen=True, slots=True)
class _Value(Generic[R]):
    value: R


@dataclass(frozen=True, slots=True)
class _Raised:
    message: str
    trace: str


@dataclass(frozen=True, slots=True)
class _NotReady:
    message: str


_Reply: TypeAlias = _Value[R] | _Raised | _NotReady

# In a worker: the runs it is set up for. A worker of a cluster may serve many.
_set_up: set[str] = set()
_setting_up = threading.Lock()


@dataclass(frozen=True, slots=True)
class _Job(Generic[T, R]):
    """What a worker is sent with each task; an exception comes back as text.

    Not every exception can be pickled and unpickled.
    """

    function: Callable[[T], R]
    initializer: Callable[..., object] | None
    initargs: tuple[object, ...]
    run: str

    def __call__(self, task: T) -> _Reply[R]:
        if self.initializer is not None:
            try:
                with _setting_up:
                    if self.run not in _set_up:
                        self.initializer(*self.initargs)
                        _set_up.add(self.run)
            except Exception as error:
                return _NotReady(_message(error))
        try:
            return _Value(self.function(task))
        except Exception as error:
            return _Raised(_message(error), _trace(error))


def _message(error: BaseException) -> str:
    """Return the text of an error; those of kbai are sentences already."""
    return str(error) if isinstance(error, KbaiError) else f"{type(error).__name__}: {error}"


def _trace(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


@contextmanager
def _interrupts(tell: Callable[[], None]) -> Iterator[None]:
    """Report the first Ctrl-C, so that it takes effect between two results; not the second."""
    ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if not ours:  # someone else handles it, or ignores it
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        tell()

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
