"""A tournament in a process of its own, for tests that kill it.

python tournament.py FILE WORKERS
"""

import sys

from kbai.arena import runner as arena
from kbai.compute import run as parallel

PLAN = arena.Plan(
    bots=("random", "random", "random"), seats=2, groups=34, seed=5, kind="round_robin"
)  # 204 games


def lines(path) -> list[bytes]:
    """Return the lines of a journal but for the header, in an order of their own."""
    return sorted(path.read_bytes().splitlines()[1:])


def main() -> None:
    file, workers = sys.argv[1:]
    kinds = {"threads": parallel.threads(2), "cluster": parallel.cluster("local:2")}
    pool = kinds[workers] if workers in kinds else parallel.processes(int(workers))
    with arena.open_journal(file, PLAN) as journal:
        arena.run_plan(PLAN, workers=pool, journal=journal)


if __name__ == "__main__":
    main()
