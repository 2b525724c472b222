"""Processes that try cases, and are ended when one takes too long or too much memory."""

import multiprocessing
import os
import signal
import tempfile
import threading
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self

from tqdm import tqdm

from fuzzing.cases import Case, Cases
from fuzzing.corpus import Corpus, make_corpus
from fuzzing.trials import MAX_MB, MAX_S, MAX_WAIT_S, Table, peak_mb, run_here

TICK_S = 0.02
# A new process after so many inputs, so that what commands keep does not add up unseen.
INPUTS_EACH = 5_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a case came to."""

    problems: tuple[str, ...]
    seconds: float = 0
    peak_mb: float = 0


class Worker:
    """A process that tries one case at a time."""

    def __init__(self, cases: Cases | None = None) -> None:
        self.cases = cases
        self.process: multiprocessing.process.BaseProcess | None = None
        self.n_inputs = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def corpus(self) -> Corpus:
        """Have the good inputs made."""
        self._start()
        self.pipe.send("corpus")
        found = self.pipe.recv()
        assert isinstance(found, Corpus)
        return found

    def try_case(self, case: Case | int) -> Outcome:
        """Try a case, or that of a number."""
        if self.process is None or self.n_inputs >= INPUTS_EACH:
            self.stop()
            self._start()
        assert self.process is not None
        self.n_inputs += 1
        self.pipe.send(case)
        problem = ""
        try:
            # Only now: to make the input may take more than it.
            self.base_mb = self.pipe.recv()
            start, used = time.monotonic(), _cpu_seconds(self.process.pid)
            while not self.pipe.poll(TICK_S):
                problem = self._too_much(start, used)
                if problem:
                    break
            else:
                outcome = self.pipe.recv()
                assert isinstance(outcome, Outcome)
                return outcome
        except (EOFError, ConnectionError):
            self.process.join()
            problem = f"the process died ({self.process.exitcode})"
        self.stop()
        made = case if isinstance(case, Case) else self._made(case)
        return Outcome((f"{made.arguments[0]}, {made.kind}: {problem}",))

    def _made(self, number: int) -> Case:
        assert self.cases is not None
        return self.cases.make(number)

    def _too_much(self, start: float, used: float) -> str:
        assert self.process is not None
        if _cpu_seconds(self.process.pid) - used > MAX_S:
            return f"more than {MAX_S:g} s"
        if peak_mb(self.process.pid or 0) - self.base_mb > MAX_MB:
            return f"more than {MAX_MB} MB"
        if time.monotonic() - start > MAX_WAIT_S:
            return "no answer"
        return ""

    def _start(self) -> None:
        # Not forked: whoever calls this may have threads.
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, self.cases), daemon=True)
        self.process.start()
        other.close()
        self.pipe.recv()
        self.n_inputs = 0

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None


def _cpu_seconds(pid: int | None) -> float:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    fields = text.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _serve(pipe: Connection, cases: Cases | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Otherwise tqdm makes a lock for processes, which a process that is killed leaves behind.
    tqdm.set_lock(threading.RLock())
    _answer_here()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder}
        os.chdir(folder)
        _warm_up()
        pipe.send("ready")
        table = Table(Path(folder))
        while True:
            try:
                asked = pipe.recv()
            except EOFError:
                return
            if asked == "corpus":
                pipe.send(make_corpus(_command))
            else:
                case = asked if isinstance(asked, Case) else cases.make(asked)
                pipe.send(peak_mb(reset=True))
                pipe.send(_try(case, table))


def _try(case: Case, table: Table) -> Outcome:
    run = run_here(*table.lay(case))
    return Outcome(tuple(table.problems(case, run)), run.seconds, run.peak_mb)


def _answer_here() -> None:
    """Have `kbai analyze` answer in threads, so that its memory and time are seen."""
    import kbai.compute.processes
    from kbai.compute.pools import threads

    kbai.compute.processes.processes = lambda count: threads(1)


def _command(*arguments: str, stdin: bytes = b"") -> bytes:
    run = run_here(list(arguments), stdin)
    assert run.code == 0, (arguments, run.stderr, run.error)
    return run.stdout


def _warm_up() -> None:
    """Import what commands need, so that it does not count as memory of an input."""
    for arguments in (
        ("suggest", "--visits", "2", "--format", "json"),
        ("suggest", "--visits", "2", "--html", "-"),
        ("show", "--svg", "-"),
        ("score",),
        ("playout",),
        ("content",),
    ):
        _command(*arguments)
