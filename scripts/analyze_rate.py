"""Measure what `kbai analyze` costs beside the searches, and what a second worker brings.

Three ways to answer the same queries take turns, block by block: what `kbai suggest --format json`
does once it has started (read a position, search it, write the answer), one after the other in
this process; the pipe with one worker; the pipe with two. The answers have to be the same. Only
the medians of the ratios mean anything, and only on a machine with two cores that has nothing
else to do.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from typing import IO

from kbai._fast import Position
from kbai.game.setup import Setup
from kbai.game.steps import advance, next_steps
from kbai.notation.positions import format_line, parse_position
from kbai.report.suggestion_json import suggestion_dict
from kbai.search.params import Limit
from kbai.search.suggest import suggest

SEED = 7
TOP = 5


def some_positions(number: int, sets: tuple[str, ...], seats: int) -> list[Position]:
    """Return positions from random games, each on a board of its own."""
    found = []
    for seed in range(number):
        rng = random.Random(seed)
        setup = Setup.random(seed // 10, seats=seats, sets=sets)
        position = setup.start_position()
        for _ in range(rng.randrange(100)):
            before = position.copy()
            advance(position, rng.choice(next_steps(position)))
            if position.is_over:
                position = before
                break
        while position.pending_draw:
            advance(position, rng.choice(next_steps(position)))
        found.append(position)
    return found


class Pipe:
    """`kbai analyze` with some workers, which stays for all blocks."""

    def __init__(self, workers: int, visits: int) -> None:
        command = "from kbai.cli import main; main(prog_name='kbai')"
        options = {"--workers": workers, "--visits": visits, "--seed": SEED, "--top": TOP}
        words = [str(word) for pair in options.items() for word in pair]
        self.process = subprocess.Popen(
            [sys.executable, "-c", command, "analyze", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdin and self.process.stdout
        self.queries: IO[bytes] = self.process.stdin
        self.answers: IO[bytes] = self.process.stdout

    def ask(self, lines: list[bytes]) -> list[bytes]:
        """Return the answers to a block of lines, which fits into what is read ahead."""
        self.queries.write(b"".join(lines))
        self.queries.flush()
        return [self.answers.readline() for _ in lines]

    def close(self) -> float:
        """End it, and return the seconds of all its processes."""
        self.queries.close()
        _, _, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = 0
        return usage.ru_utime + usage.ru_stime


def _suggest(text: str, limit: Limit) -> str:
    """Return what `kbai suggest` prints for a position."""
    suggestion = suggest(parse_position(text), limit, seed=SEED, top=TOP)
    return json.dumps(suggestion_dict(suggestion))


def _without_id(line: bytes) -> dict[str, object]:
    answer = json.loads(line)
    del answer["id"]
    return answer  # type: ignore[no-any-return]


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--visits", type=int, default=200)
    parser.add_argument("--block", type=int, default=50, help="positions in a block, at most 200")
    parser.add_argument("--sets", default="base", help="sets to draw from, with commas")
    parser.add_argument("--seats", type=int, default=2)
    chosen = parser.parse_args()
    limit = Limit(chosen.visits)
    found = some_positions(chosen.positions, tuple(chosen.sets.split(",")), chosen.seats)
    texts = [format_line(position) for position in found]
    lines = [json.dumps({"position": text}).encode() + b"\n" for text in texts]
    idle, one, two = (Pipe(workers, chosen.visits) for workers in (1, 1, 2))
    for pipe in (idle, one, two):
        pipe.ask(lines[:8])  # until all workers are up
    start_up = idle.close()
    plain_cpu, cost, gain = 0.0, [], []
    for start in range(0, len(lines), chosen.block):
        block = slice(start, start + chosen.block)
        before, cpu = time.perf_counter(), time.process_time()
        expected = [_suggest(text, limit) for text in texts[block]]
        plain, after = time.perf_counter() - before, time.process_time()
        plain_cpu += after - cpu
        times = []
        for pipe in (one, two):
            before = time.perf_counter()
            answers = pipe.ask(lines[block])
            times.append(time.perf_counter() - before)
            assert [_without_id(line) for line in answers] == [json.loads(e) for e in expected]
        cost.append(times[0] / plain)
        gain.append(times[0] / times[1])
    pipe_cpu = one.close() - start_up
    two.close()
    print(f"suggest: {1e3 * plain_cpu / len(lines):.2f} ms of a processor a position")
    print(f"time, one worker to suggest: {statistics.median(cost):.2f} (to be at most 1.15)")
    print(f"processor, one worker and its coordinator to suggest: {pipe_cpu / plain_cpu:.2f}")
    print(f"throughput, two workers to one: {statistics.median(gain):.2f} (to be at least 1.8)")


if __name__ == "__main__":
    main()
