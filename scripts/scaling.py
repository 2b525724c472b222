"""Measure how much more two workers play than one, and what the coordinator costs.

    python scripts/scaling.py [--bot random] [--workers 2] [--seconds 15] [--rounds 3]

Runs with one worker and with more take turns, each of about so many seconds from the start of its
workers to its last game on the disk. The ratio of their games a second wants a machine that has
nothing else to do; CPU seconds are much the same on a busy one.
"""

import argparse
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from kbai.arena.plan import Plan
from kbai.arena.results import open_results
from kbai.arena.runner import run_plan
from kbai.bots.specs import BotSpec, parse_spec
from kbai.compute.processes import processes

HEAD = """\
                                  CPU s per 1000 games  coordinator
workers   games  seconds  games/s  worker  coordinator  to worker"""


@dataclass(frozen=True)
class Run:
    """A match and what it took."""

    workers: int
    games: int
    seconds: float
    worker_cpu: float
    coordinator_cpu: float

    @property
    def rate(self) -> float:
        return self.games / self.seconds

    def __str__(self) -> str:
        worker, coordinator = (
            1000 * cpu / self.games for cpu in (self.worker_cpu, self.coordinator_cpu)
        )
        return (
            f"{self.workers:7}  {self.games:6}  {self.seconds:7.1f}  {self.rate:7.1f}  "
            f"{worker:6.2f}  {coordinator:11.3f}  {coordinator / worker:9.1%}"
        )


def run(bot: BotSpec, workers: int, groups: int) -> Run:
    """Play a match of a bot against itself."""
    plan = Plan((bot, bot), seats=2, groups=groups, seed=1)
    before = [_cpu(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        with open_results(Path(folder) / "journal", plan) as journal:
            run_plan(plan, workers=processes(workers), journal=journal)
    seconds = time.perf_counter() - start
    after = [_cpu(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    coordinator, worker = (now - then for now, then in zip(after, before, strict=True))
    return Run(workers, plan.n_games, seconds, worker, coordinator)


def _cpu(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bot", default="random", help="a bot that plays against itself")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    bot = parse_spec(args.bot)
    groups = 1
    while (trial := run(bot, 1, groups)).seconds < args.seconds / 4:
        groups *= 2
    groups = max(1, round(trial.rate * args.seconds / 2))
    print(HEAD)
    ratios = []
    for _ in range(args.rounds):
        one, more = run(bot, 1, groups), run(bot, args.workers, groups * args.workers)
        ratios.append(more.rate / one.rate)
        print(one, more, sep="\n", flush=True)
    low, high = min(ratios), max(ratios)
    print(f"{args.workers} workers: {median(ratios):.2f} times the games ({low:.2f}-{high:.2f})")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped")
