"""Play many random games on the kernel and the reference engine and compare every step.

    python scripts/differential.py [--games 5000] [--first-seed 0] [--workers 2]

Prints how often each rule occurred. Exits with 1 at the first difference, naming the seed and the
position, or if an event never occurred; four hundred games are enough to meet all of them.
"""

import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tqdm import tqdm

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import differential  # noqa: E402  (found through the line above)


def attempt(seed: int) -> Counter[str] | str:
    """Return what one game met, or the sentence that says where the engines differ."""
    try:
        return differential.play(seed)
    except Exception as problem:  # whatever it is, the seed must be known
        return f"seed {seed}: {type(problem).__name__}: {problem}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    seeds = range(args.first_seed, args.first_seed + args.games)
    seen: Counter[str] = Counter()
    with ProcessPoolExecutor(args.workers) as pool:
        results = pool.map(attempt, seeds, chunksize=8)
        for result in tqdm(results, total=args.games, unit="game", disable=None):
            if isinstance(result, str):
                pool.shutdown(cancel_futures=True)
                print(result)
                return 1
            seen += result
    missing = [event for event in differential.EVENTS if not seen[event]]
    print(f"{args.games} games, {seen['steps']} steps, no difference")
    print(differential.summary(seen))
    if missing:
        print(f"never occurred: {', '.join(missing)}")
    return 1 if missing else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped")
