"""What one thing costs in a simulated processor, by function: the difference of two callgrind runs.

Needs valgrind. Instructions, mispredicted branches and misses of the first-level caches do not
depend on the load of the machine. In the difference the start of Python does not count.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

SIMULATE = ("--branch-sim=yes", "--cache-sim=yes")
MISPREDICTED = ("Bcm", "Bim")  # conditional and indirect branches
MISSED = ("I1mr", "D1mr", "D1mw")  # instructions, data read and data written


@dataclass(frozen=True, slots=True)
class Cost:
    """What a function itself costs, without those that it calls."""

    instructions: float = 0
    mispredictions: float = 0
    misses: float = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.instructions + other.instructions,
            self.mispredictions + other.mispredictions,
            self.misses + other.misses,
        )


def read_events(lines: Iterable[str]) -> dict[str, Counter[str]]:
    """Return the events of each function of a callgrind file, without those of its calls."""
    events: list[str] = []
    names: dict[str, str] = {}  # each is written once, and then its number stands for it
    found: dict[str, Counter[str]] = {}
    here, is_call = Counter[str](), False
    for line in lines:
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("fn="):
            number, _, name = line[3:].strip().partition(" ")
            here = found.setdefault(names.setdefault(number, name or number), Counter())
        elif line.startswith(("cfn=", "cfi=", "cob=")):
            number, _, name = line[4:].strip().partition(" ")
            if line.startswith("cfn=") and name:
                names.setdefault(number, name)
        elif line.startswith("calls="):
            is_call = True  # what the call cost comes next
        elif re.match(r"[\d+*-]", line):
            if not is_call:
                here.update(dict(zip(events, map(int, line.split()[1:]), strict=False)))
            is_call = False
    return found


def simulate(
    command: Sequence[str], folder: Path | None, text: str = ""
) -> dict[str, Counter[str]]:
    """Return the events of each function of a command of Python, with the build of a folder."""
    env = {**os.environ, "PYTHONHASHSEED": "0"}  # dictionaries of one order cost the same
    if folder is not None:
        env["PYTHONPATH"] = str(folder)
    with tempfile.TemporaryDirectory() as place:
        out = Path(place, "out")
        subprocess.run(
            ["valgrind", "--tool=callgrind", *SIMULATE, f"--callgrind-out-file={out}",
             sys.executable, *command],
            input=text, env=env, cwd=tempfile.gettempdir(), capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        with out.open(encoding="utf-8") as lines:
            return read_events(lines)


def costs(
    few: dict[str, Counter[str]], many: dict[str, Counter[str]], times: int
) -> dict[str, Cost]:
    """Return what one of ``times`` things costs that ``many`` did and ``few`` did not, by function;
    the most expensive function first."""
    found = {}
    for name, events in many.items():
        more = events.copy()
        more.subtract(few.get(name, Counter()))
        if any(more.values()):
            found[name] = Cost(
                more["Ir"] / times,
                sum(more[event] for event in MISPREDICTED) / times,
                sum(more[event] for event in MISSED) / times,
            )
    return dict(sorted(found.items(), key=lambda item: -item[1].instructions))


def total(by_function: dict[str, Cost]) -> Cost:
    return sum(by_function.values(), start=Cost())


def short_name(function: str) -> str:
    """Return the name of a function as it is in the source, where Cython made it longer."""
    name = re.sub(r"^__pyx_f_4kbai_\d+_(fast|mcts)_", "", function)
    return re.sub(r"'\d+$", "", name)


def print_costs(by_function: dict[str, Cost], what: str, most: int) -> None:
    """Print what one playout or visit costs, and the most expensive functions."""
    print(f"{'instructions':>14}{'mispredicted':>14}{'missed':>10}  of a {what}")
    rows = [("in all", total(by_function)), *list(by_function.items())[:most]]
    for name, cost in rows:
        figures = f"{cost.instructions:14,.0f}{cost.mispredictions:14.1f}{cost.misses:10.1f}"
        print(f"{figures}  {short_name(name)}")
