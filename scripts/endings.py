"""Compare the search with the solution on last turns of games.

    python scripts/endings.py [--positions 50] [--visits 20000 | --time 5] [--states 300000]

The positions are the last turns of games from seeds, solved by trying everything; those with more
states are left out. Prints each position in which the suggested turn is not a best one, with what
it loses in gold, and how many there were.
"""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from kbai.notation.positions import format_line
from kbai.search.params import Limit, SearchParams

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import endings  # noqa: E402  (found through the line above)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--visits", type=int)
    parser.add_argument("--time", type=float, help="seconds; 5 unless visits are given")
    parser.add_argument("--states", type=int, default=300_000, help="how many a position may have")
    parser.add_argument("--first-seed", type=int, default=0)
    args = parser.parse_args()
    seconds = args.time or (None if args.visits else 5.0)
    limit, params = Limit(args.visits, seconds), SearchParams()
    found = endings.endings(args.positions, args.states, params, args.first_seed)
    losses = []
    for ending in tqdm(found, total=args.positions, unit="position", disable=None):
        losses.append(endings.loss(ending, limit, params))
        if losses[-1] > 0:
            size = f"{len(ending.values)} states"
            print(f"{ending.name}, {size}, {losses[-1]:.2f} gold lost: "
                  f"{format_line(ending.position)}")  # fmt: skip
    wrong = [loss for loss in losses if loss > 0]
    print(f"{len(losses) - len(wrong)} of {len(losses)} solved; "
          f"at most {max(losses):.2f} gold lost")  # fmt: skip
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
