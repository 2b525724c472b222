"""Measure how the speed of a search changes with the size of its tree, and with threads.

    python scripts/growth.py [--rounds 5] [--nodes 1000 5000 400000] [--threads 1 2]

Sizes and threads take turns, so that whatever else the machine does hits all. With threads each
searches a tree of its own; visits a CPU second say what they cost each other, visits a second also
how much of the machine they got.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from statistics import median

from tqdm import tqdm

from kbai._fast import Position
from kbai._mcts import Tree
from kbai.bots.builtin import MCTS, UCT
from kbai.game.setup import Setup
from kbai.search.params import Limit, SearchParams
from kbai.search.searcher import Searcher

SEARCHES = {"mcts": MCTS, "uct": UCT}
VISITS = 5000  # of a size in a round, in one tree or several
SLICE = 250  # visits of one tree: few, as they make it grow ...
SHARE = 0.05  # ... or so much of its nodes, if that is more
THREAD_VISITS = 20_000  # of each thread


def grow(params: SearchParams, start: Position, nodes: int, seed: int) -> Tree:
    """Return a tree of at least so many nodes."""
    tree = params.make_tree(start, seed=seed, threads=1)
    while tree.nodes < nodes:
        tree.run(min(SLICE, nodes - tree.nodes))
    return tree


def rate_at(params: SearchParams, start: Position, nodes: int, seed: int) -> float:
    """Return the visits a CPU second of trees of so many nodes."""
    size = max(SLICE, int(nodes * SHARE))
    used, done = 0.0, 0
    while done < VISITS:
        tree = grow(params, start, nodes, seed + done)
        before = time.process_time()
        tree.run(size)
        used += time.process_time() - before
        done += size
    return done / used


def rates_with(params: SearchParams, start: Position, threads: int) -> tuple[float, float]:
    """Return the visits a second and a CPU second of so many threads."""
    searcher = Searcher(params, threads)
    searcher.look_at(start, 1)
    cpu, wall = time.process_time(), time.perf_counter()
    done = searcher.run(Limit(THREAD_VISITS * threads))
    return done / (time.perf_counter() - wall), done / (time.process_time() - cpu)


def measure_sizes(
    start: Position, sizes: Sequence[int], rounds: int
) -> dict[str, dict[int, list[float]]]:
    """Return the rates of each round by search and size."""
    rates = {name: {nodes: [] for nodes in sizes} for name in SEARCHES}
    for number in tqdm(range(rounds), desc="sizes", unit="round", disable=None):
        for name, params in SEARCHES.items():
            for nodes in sizes:
                rates[name][nodes].append(rate_at(params, start, nodes, number))
    return rates


def measure_threads(
    start: Position, counts: Sequence[int], rounds: int
) -> dict[str, dict[int, list[tuple[float, float]]]]:
    """Return both rates of each round by search and threads."""
    rates = {name: {threads: [] for threads in counts} for name in SEARCHES}
    for _ in tqdm(range(rounds), desc="threads", unit="round", disable=None):
        for name, params in SEARCHES.items():
            for threads in counts:
                rates[name][threads].append(rates_with(params, start, threads))
    return rates


def share(rates: Sequence[float], first: Sequence[float]) -> str:
    """Return a rate and how much it is of the first one, by rounds."""
    ratio = median(rate / other for rate, other in zip(rates, first, strict=True))
    return f"{median(rates):12,.0f}{ratio:8.0%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--nodes", type=int, nargs="+", default=[1000, 5000, 10_000, 100_000, 400_000]
    )
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    args = parser.parse_args()
    if min(args.rounds, *args.nodes, *args.threads) < 1:
        parser.error("expected at least one round, node and thread")
    start = Setup.first_game().start_position()
    sizes = measure_sizes(start, args.nodes, args.rounds)
    threads = measure_threads(start, args.threads, args.rounds)
    for name in SEARCHES:
        print(f"{name:12}{'visits/s':>12}  of first")
        for nodes, rates in sizes[name].items():
            print(f"{nodes:9,} nodes{share(rates, sizes[name][args.nodes[0]])}")
        print(f"{'':12}{'visits/s':>12}  of first  {'visits/CPU s':>12}  of first")
        for count, pairs in threads[name].items():
            first = threads[name][args.threads[0]]
            columns = zip(zip(*pairs, strict=True), zip(*first, strict=True), strict=True)
            print(f"{count:7} threads" + "".join(share(*column) for column in columns))
        print()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped")
