"""A tournament in a process of its own, for tests that kill it.

python tournament.py FILE WORKERS
"""

import sys

from kbai.arena.plan import Plan
from kbai.arena.results import open_results
from kbai.arena.runner import run_plan
from kbai.bots.specs import parse_spec
from kbai.compute.cluster import cluster
from kbai.compute.pools import threads
from kbai.compute.processes import processes

PLAN = Plan(
    bots=(parse_spec("random"),) * 3, seats=2, groups=34, seed=5, kind="round_robin"
)  # 204 games


def lines(path) -> list[bytes]:
    """Return the lines of a journal but for the header, in an order of their own."""
    return sorted(path.read_bytes().splitlines()[1:])


def main() -> None:
    file, workers = sys.argv[1:]
    kinds = {"threads": threads(2), "cluster": cluster("local:2")}
    pool = kinds[workers] if workers in kinds else processes(int(workers))
    with open_results(file, PLAN) as journal:
        run_plan(PLAN, workers=pool, journal=journal)


if __name__ == "__main__":
    main()
