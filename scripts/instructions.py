"""Instructions, mispredictions and misses of one playout, by function (scripts/callgrind.py).

    python scripts/instructions.py [--informed] [--seats 2] [--sets all | --position FILE]

Needs valgrind. Unlike seconds, these do not depend on the load of the machine. With --sets it
prints the mean of twenty random set-ups. A placement is a house, a figure or a moved piece.
"""

import argparse
import json
from pathlib import Path

from callgrind import costs, print_costs, simulate, total
from self_play import run
from workloads import POLICY

from kbai import content
from kbai._fast import Position
from kbai.bench.profiles import count_placements
from kbai.game.seats import SEATS
from kbai.game.setup import Setup
from kbai.notation.positions import format_line, parse_position
from kbai.search.params import SearchParams

SETUPS = 20
RUN = """
import json, sys
from kbai.notation.positions import parse_position
starts = [parse_position(line) for line in sys.stdin]
policy = json.loads(sys.argv[2])
for start in starts:
    start.playouts(int(sys.argv[1]), 1, policy)
"""


def find_starts(seats: int, sets: str, file: Path | None) -> list[Position]:
    """Return the positions that are played out."""
    if file:
        return [parse_position(file.read_text(encoding="utf-8"))]
    if not sets:
        return [Setup.first_game(seats=SEATS[:seats]).start_position()]
    names = tuple(content.load().sets) if sets == "all" else tuple(sets.split(","))
    setups = [Setup.random(seed, seats=seats, sets=names) for seed in range(SETUPS)]
    return [setup.start_position() for setup in setups]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--informed", action="store_true", help="as a search plays, not at random")
    parser.add_argument("--seats", type=int, default=2, choices=range(2, 6))
    parser.add_argument("--sets", default="", help="base,nomads,... or all; the first game if left")
    parser.add_argument("--position", type=Path, help="start here instead of with the first game")
    parser.add_argument("--playouts", type=int, default=2000)
    parser.add_argument("--functions", type=int, default=12, help="how many to print")
    args = parser.parse_args()
    if args.position and not args.position.is_file():
        parser.error(f"no such file: {args.position}")
    starts = find_starts(args.seats, args.sets, args.position)
    params = SearchParams()
    policy = {name: getattr(params, name) for name in POLICY} if args.informed else None
    few = 100 // len(starts)
    many = few + args.playouts // len(starts)
    lines = "".join(format_line(start) + "\n" for start in starts)
    runs = [simulate(["-c", RUN, str(n), json.dumps(policy)], None, lines) for n in (few, many)]
    by_function = costs(*runs, (many - few) * len(starts))
    cost = total(by_function).instructions
    placements = count_placements(starts, SETUPS, policy)
    print(
        f"{cost:.0f} instructions a playout, {placements:.1f} placements, "
        f"{cost / placements:.0f} instructions each"
    )
    print_costs(by_function, "playout", args.functions)


if __name__ == "__main__":
    run(main)
