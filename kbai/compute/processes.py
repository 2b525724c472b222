"""Processes of this machine. If one is killed, only the task it was working on is affected.

In a pool of `concurrent.futures`, a killed process breaks the pool and all its tasks, and nobody
can tell which task was to blame. Here every process has its own pipe and its own thread. They are
spawned, not forked: a fork would copy the locks that threads of the coordinator hold, and would
keep the pipes of the other processes open. The price is that each worker starts a new Python once
per run, and that a script that calls `run` needs ``if __name__ == "__main__":``.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from kbai.compute.pools import Pool, PoolFactory, WorkerDiedError, check_count, interrupts_blocked

P = ParamSpec("P")
R = TypeVar("R")

# How often a process may die while it starts; that costs no task.
START_TRIES = 10
# Seconds that a process has after Ctrl-C to end by itself and to close the programs it started. It
# needs a moment, unless the machine has far more to do than it can.
PATIENCE_S = 20.0
SPAWN = multiprocessing.get_context("spawn")


def processes(count: int) -> PoolFactory:
    """Return processes of this machine."""
    check_count(count)

    @contextmanager
    def opened() -> Iterator[Pool]:
        executor = ProcessExecutor(count)
        try:
            yield Pool(executor, 2 * count, executor.kill, size=count)
        except BaseException:
            executor.kill()
            raise
        executor.shutdown()

    return opened


class ProcessExecutor(Executor):
    """Processes that may be killed: the task that one was working on gets a `WorkerDiedError`."""

    def __init__(self, count: int) -> None:
        self._calls: queue.SimpleQueue[tuple[Future[Any], Any] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()  # of all that follows
        self._running: set[_Process] = set()
        self._closed = False
        with interrupts_blocked():
            self._threads = [
                threading.Thread(target=self._serve, daemon=True) for _ in range(count)
            ]
            for thread in self._threads:
                thread.start()

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Call a function in one of the processes."""
        future: Future[R] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot submit after shutdown")
            self._calls.put((future, (fn, args, kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes end when they have nothing left to do."""
        with self._lock:
            self._closed = True
        if cancel_futures:
            self._cancel_waiting()
        for _ in self._threads:
            self._calls.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def kill(self) -> None:
        """End the processes now, even during a task."""
        with self._lock:
            self._closed = True
            running = list(self._running)
        self._cancel_waiting()
        for process in running:
            process.terminate()
        deadline = time.monotonic() + PATIENCE_S
        for process in running:
            process.end(deadline)
        self.shutdown()

    def _cancel_waiting(self) -> None:
        while True:
            try:
                item = self._calls.get_nowait()
            except queue.Empty:
                return
            if item is not None and item[0].cancel():
                item[0].set_running_or_notify_cancel()  # wakes up whoever waits for it

    def _serve(self) -> None:
        """Hand calls to one process, and start another when it is gone."""
        process: _Process | None = None
        while (item := self._calls.get()) is not None:
            future, call = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if process is None or not process.is_alive():  # killed while it was idle
                    self._forget(process)
                    process = self._start()
                future.set_result(process.call(call))
            except WorkerDiedError as error:
                self._forget(process)
                process = None
                future.set_exception(error)
            except Exception as error:  # the call cannot be pickled, say: the process is fine
                future.set_exception(error)
        self._forget(process)

    def _start(self) -> _Process:
        for _ in range(START_TRIES):
            with self._lock:
                if self._closed:
                    raise BrokenExecutor("the workers were stopped")
                process = _Process()
                self._running.add(process)
            if process.is_ready():
                return process
            self._forget(process)
        raise BrokenExecutor(f"a worker process could not be started: {process.fate}")

    def _forget(self, process: _Process | None) -> None:
        if process is not None:
            process.close()
            process.end(time.monotonic() + PATIENCE_S)
            with self._lock:
                self._running.discard(process)


class _Process:
    """One process and the coordinator's end of its pipe."""

    def __init__(self) -> None:
        self._pipe, theirs = SPAWN.Pipe()
        # A daemon, so that it surely ends when the coordinator does.
        self._process = SPAWN.Process(target=_work, args=(theirs,), daemon=True)
        self._waiting = threading.Lock()  # two threads must not wait for one process
        try:
            self._process.start()
        finally:
            theirs.close()  # otherwise we would not notice when the process closes it

    def is_ready(self) -> bool:
        try:
            self._pipe.recv_bytes()
        except (EOFError, OSError):
            return False
        return True

    def is_alive(self) -> bool:
        with self._waiting:
            return self._process.is_alive()

    def call(self, call: Any) -> Any:
        data = pickle.dumps(call)
        try:
            self._pipe.send_bytes(data)
            data = self._pipe.recv_bytes()
        except (EOFError, OSError) as error:
            self.end(time.monotonic() + PATIENCE_S)
            raise WorkerDiedError(self.fate) from error
        fine, value = pickle.loads(data)
        if not fine:
            raise value
        return value

    def terminate(self) -> None:
        with self._waiting:
            self._process.terminate()

    def close(self) -> None:
        """Tell the process to end; only for the thread that talks to it."""
        self._pipe.close()

    def end(self, deadline: float) -> None:
        """Wait for the process to end, and kill it at the deadline."""
        with self._waiting:
            self._process.join(max(0.0, deadline - time.monotonic()))
            if self._process.exitcode is None:
                self._process.kill()
                self._process.join()

    @property
    def fate(self) -> str:
        code = self._process.exitcode or 0
        try:
            return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        except ValueError:
            return f"killed by signal {-code}"


def _work(pipe: Connection) -> None:
    """Be a worker: answer calls until the pipe is closed."""
    sys.stdout = sys.stderr  # results go through the pipe; what a bot prints is talk
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Exit as after an error, so that programs started here are closed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if hasattr(signal, "pthread_sigmask"):  # programs started here need not inherit the mask
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    try:
        pipe.send_bytes(b"ready")
        while True:
            pipe.send_bytes(_answer(pipe.recv_bytes()))
    except (EOFError, OSError):
        pass  # the coordinator needs no more, or is gone


def _answer(data: bytes) -> bytes:
    try:
        function, args, kwargs = pickle.loads(data)
        return pickle.dumps((True, function(*args, **kwargs)))
    except Exception as error:
        try:
            answer = pickle.dumps((False, error))
            pickle.loads(answer)  # some exceptions can be pickled but not unpickled
        except Exception:
            answer = pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return answer


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)  # even during a task: nobody waits for its result
