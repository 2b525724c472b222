"""Compare the speed of two builds of kbai in one run, by workload (scripts/workloads.py).

    python scripts/compare_builds.py OLD NEW [--rounds 12] [--only "random base"] [--costs]

OLD and NEW are folders with a checkout each, built in place. Both take turns in CPU time, so that
other load of the machine slows down both; it prints the median of the ratios, and their range.
With --costs it counts instructions, simulated mispredictions and first-level misses beside them
(scripts/callgrind.py). `cmd:PROGRAM` instead of a folder is a reference that answers each name of a
workload on stdin with the CPU seconds of one playout.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from callgrind import costs, print_costs, simulate
from self_play import positive, run
from tqdm import tqdm
from workloads import NAMES, SETUPS

WORKER = str(Path(__file__).with_name("workloads.py"))
FEW, MANY = 10, 160  # playouts or visits from each set-up that callgrind sees


class Worker:
    """A process that measures one build, whenever it is asked."""

    def __init__(self, build: str) -> None:
        self.name = build
        reference = build.removeprefix("cmd:") if build.startswith("cmd:") else None
        self.folder = None if reference else Path(build).resolve()
        if self.folder and not (self.folder / "kbai" / "cli").is_dir():
            sys.exit(f"no checkout of kbai: {build}")
        self.process = subprocess.Popen(
            shlex.split(reference) if reference else [sys.executable, WORKER],
            env=os.environ | ({"PYTHONPATH": str(self.folder)} if self.folder else {}),
            cwd=tempfile.gettempdir(),  # otherwise Python finds the build of the current folder
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def seconds(self, workload: str) -> float:
        """Return the CPU seconds of one playout or visit."""
        assert self.process.stdin and self.process.stdout
        print(workload, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"no answer of {self.name}")
        return float(answer)

    def close(self) -> None:
        self.process.communicate()


def ratios(old: Worker, new: Worker, workload: str, rounds: int) -> list[float]:
    """Return how much faster the new build is, round by round. Each begins every other round."""
    found = []
    for number in tqdm(range(rounds), desc=workload, unit="round", disable=None):
        if number % 2:
            after = new.seconds(workload)
            before = old.seconds(workload)
        else:
            before = old.seconds(workload)
            after = new.seconds(workload)
        found.append(before / after)
    return found


def count_costs(build: Worker, workload: str, functions: int) -> None:
    """Print what callgrind says of one playout or visit."""
    if build.folder is None:
        return
    few, many = (simulate([WORKER, workload, str(count)], build.folder) for count in (FEW, MANY))
    print(f"\n{workload}, {build.name}")
    print_costs(costs(few, many, (MANY - FEW) * SETUPS), workload, functions)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=positive, default=12)
    parser.add_argument("--only", choices=NAMES, action="append", help="these workloads")
    parser.add_argument("--costs", action="store_true", help="count too (needs valgrind)")
    parser.add_argument("--functions", type=positive, default=12, help="to print with --costs")
    args = parser.parse_args()
    builds = [Worker(args.old), Worker(args.new)]
    print(f"{'':14}{'times as fast':>14}{'range':>14}")
    for workload in args.only or NAMES:
        builds[0].seconds(workload)  # caches and branches are warm from here on
        builds[1].seconds(workload)
        found = ratios(*builds, workload, args.rounds)
        print(f"{workload:14}{median(found):14.3f} {min(found):7.3f}-{max(found):.3f}", flush=True)
    for build in builds:
        build.close()
    if args.costs:
        for workload in args.only or NAMES:
            for build in builds:
                count_costs(build, workload, args.functions)


if __name__ == "__main__":
    run(main)
