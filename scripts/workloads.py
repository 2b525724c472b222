"""What two builds are compared by: playouts at random, informed ones, and visits of `mcts`.

    python scripts/workloads.py                     # for each name on stdin: CPU seconds of one
    python scripts/workloads.py "visits base" 100   # once, with so many from each set-up

It runs in the build that PYTHONPATH names, also in builds of some months ago: it calls little.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator

from kbai import content
from kbai.game.setup import Setup
from kbai.search.params import SearchParams

SETUPS = 8
POLICY = ("candidates", "tile", "least_build", "least_move")  # of informed playouts
# From each set-up in one go: enough to be measured, few enough to take turns often.
SIZES = {"random": 5000, "informed": 1500, "visits": 1500}
SETS = ("base", "all")
NAMES = tuple(f"{kind} {sets}" for sets in SETS for kind in SIZES)

Job = Callable[[int, int], None]  # so many from each set-up, with this seed


def make_jobs() -> dict[str, Job]:
    """Return what is to be done for each name, with all that is not to be measured done."""
    return {f"{kind} {sets}": job for sets in SETS for kind, job in _jobs(sets)}


def _jobs(sets: str) -> Iterator[tuple[str, Job]]:
    names = tuple(content.load().sets) if sets == "all" else (sets,)
    setups = [Setup.random(seed, seats=2, sets=names) for seed in range(SETUPS)]
    starts = [setup.start_position() for setup in setups]
    params = SearchParams()
    policy = {name: getattr(params, name) for name in POLICY}

    def play_at_random(count: int, seed: int) -> None:
        for start in starts:
            start.playouts(count, seed)

    def play_informed(count: int, seed: int) -> None:
        for start in starts:
            start.playouts(count, seed, policy)

    def search(count: int, seed: int) -> None:
        for start in starts:
            params.make_tree(start, seed=seed, threads=1).run(count)

    return iter({"random": play_at_random, "informed": play_informed, "visits": search}.items())


def serve() -> None:
    """Answer each name on stdin with the CPU seconds of one playout or visit."""
    jobs = make_jobs()
    for seed, line in enumerate(sys.stdin):
        name = line.strip()
        size = SIZES[name.split()[0]]
        before = time.thread_time()
        jobs[name](size, seed)
        print(json.dumps((time.thread_time() - before) / size / SETUPS), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", choices=NAMES)
    parser.add_argument("count", nargs="?", type=int, default=100)
    args = parser.parse_args()
    if args.name is None:
        serve()
    else:
        make_jobs()[args.name](args.count, 1)


if __name__ == "__main__":
    main()
