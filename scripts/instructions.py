"""Instructions of one random playout: the difference of two callgrind runs.

    python scripts/instructions.py [--seats 2] [--position FILE]

Needs valgrind. Instructions, unlike seconds, are the same on a busy machine.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RUN = """
import sys
from kbai._fast import Position
from kbai.spelling import parse_position
from kbai.table import Setup
count, seats, file = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
if file:
    start = parse_position(open(file).read())
else:
    names = ("red", "blue", "green", "yellow", "white")[:seats]
    start = Position(Setup.first_game(seats=names).kernel_board)
start.playouts(count, 1)
"""


def instructions(count: int, seats: int, file: str) -> int:
    """Return the instructions of a process that plays ``count`` games."""
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
             sys.executable, "-c", RUN, str(count), str(seats), file],
            capture_output=True, text=True, check=True,
            # One hash seed: dictionaries of different order would cost different numbers.
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )
    found = re.search(r"Collected : (\d+)", result.stderr)
    assert found, result.stderr
    return int(found[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seats", type=int, default=2, choices=range(2, 6))
    parser.add_argument("--position", type=Path, help="start here instead of with the first game")
    parser.add_argument("--playouts", type=int, default=2000)
    args = parser.parse_args()
    if args.position and not args.position.is_file():
        parser.error(f"no such file: {args.position}")
    file = str(args.position or "")
    few = instructions(100, args.seats, file)
    many = instructions(100 + args.playouts, args.seats, file)
    print(f"{(many - few) / args.playouts:.0f} instructions a playout")


if __name__ == "__main__":
    main()
