"""Tasks for workers, in a module of their own: a worker process imports it by name."""

import os
import signal
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Chore:
    """A number, what to do with it, and how long."""

    number: int
    what: str = "square"
    seconds: float = 0.0

    @property
    def id(self) -> str:
        return f"{self.what}-{self.number}"


def chores(count, seconds=0.0, **special):
    """Yield chores; ``die=(3,)`` makes number 3 one that dies."""
    by_number = {number: what for what, numbers in special.items() for number in numbers}
    for number in range(count):
        yield Chore(number, by_number.get(number, "square"), seconds)


class Awkward(Exception):
    """Cannot be read again once pickled, as many an exception with arguments of its own."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


def do(chore):
    time.sleep(chore.seconds)
    match chore.what:
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "leave":
            sys.exit(5)
        case "fail":
            raise ValueError(f"no square of {chore.number}")
        case "awkward":
            raise Awkward(1, 2)
        case "unpicklable":
            return threading.Lock()
        case "pid":
            return os.getpid(), signal.getsignal(signal.SIGINT) == signal.SIG_IGN
        case "set up":
            return SET_UP
    return chore.number**2


SET_UP = []


def set_up(*words):
    SET_UP.append((os.getpid(), *words))


def set_up_badly():
    raise OSError("no such tables")


def leave_a_mark(chore):
    """Work with a file in the folder that is named in the task while it lasts."""
    mark = Path(chore.what) / f"{os.getpid()}-{chore.number}"
    try:
        mark.touch()  # in here: whoever sees it may end this process at once
        time.sleep(chore.seconds)
    finally:
        mark.unlink(missing_ok=True)
    return chore.number


def main(kind, what, seconds):
    """Run chores until interrupted, telling the pid and each number that is done."""
    from kbai.compute.cluster import cluster
    from kbai.compute.pools import threads
    from kbai.compute.processes import processes
    from kbai.compute.run import run

    pool = {"processes": processes, "threads": threads}.get(kind)
    factory = pool(2) if pool else cluster("local:2")
    print(os.getpid(), flush=True)
    tasks = (Chore(number, what, float(seconds)) for number in range(10**9))
    function = do if what == "square" else leave_a_mark
    try:
        run(function, tasks, factory, lambda outcome: print(outcome.value, flush=True))
    except KeyboardInterrupt:
        print("stopped", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
