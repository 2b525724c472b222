"""Compare the speed of two builds of kbai in one run, and whether they search in the same way.

    python scripts/compare_builds.py OLD NEW [--rounds 10] [--visits 4000]

OLD and NEW are folders with a checkout each, built in place. `kbai bench` runs in each of them in
turn, so that other load of the machine slows down both. Look at the ratio of each pair of runs.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tqdm import tqdm

from kbai.core.intervals import mean_estimate

RUN = "from kbai.cli import main; main(prog_name='kbai')"
FIGURES = ("visits_per_second", "playouts_per_second")


def bench(folder: Path, visits: int) -> dict[str, object]:
    """Return what ``kbai bench --format json`` prints in a build."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, "bench", "--visits", str(visits), "--format", "json"],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=tempfile.gettempdir(),  # otherwise Python finds the build of the current folder
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def ratio(pairs: list[tuple[float, float]]) -> str:
    """Return how much faster the second of each pair is, with an interval."""
    logs = mean_estimate([math.log(new / old) for old, new in pairs])
    value, low, high = map(math.exp, (logs.value, logs.low, logs.high))
    return f"{value:.3f} times as many ({low:.3f}-{high:.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--visits", type=int, default=4000)
    args = parser.parse_args()
    for folder in (args.old, args.new):
        if not (folder / "kbai" / "cli").is_dir():
            parser.error(f"no checkout of kbai: {folder}")
    found = [
        (bench(args.old.resolve(), args.visits), bench(args.new.resolve(), args.visits))
        for _ in tqdm(range(max(args.rounds, 2)), unit="round", disable=None)
    ]
    for figure in FIGURES:
        pairs = [(float(old[figure]), float(new[figure])) for old, new in found]
        print(f"{figure.replace('_', ' ')}: {ratio(pairs)}")
    signatures = [sorted({str(build["signature"]) for build in builds})
                  for builds in zip(*found, strict=True)]  # fmt: skip
    same = "the same search" if signatures[0] == signatures[1] else "another search"
    print(f"signatures {', '.join(signatures[0])} and {', '.join(signatures[1])}: {same}")


if __name__ == "__main__":
    main()
