"""Feed mutated inputs to the commands: no traceback, no long wait, no flood of memory, no ruin.

    python scripts/fuzz.py [--inputs 200000] [--seed 1] [--kinds line,toml,...] [--workers 1]
    python scripts/fuzz.py --flips 1000
    python scripts/fuzz.py --again fuzz-findings/001.json

Positions in three spellings, games, queries, quadrants, journals, caches and words of the command
line are changed by byte, word, line and structure, and made long and deep. Commands read them in
processes that are ended after 2 s of work or 300 MB of memory; some are run as programs of their
own. What must not be goes into a folder, as small as it quickly gets, with all it takes to see it
again. With --flips, single bits of a journal and of a cache are changed: each change must be
noticed or be without effect. Needs Linux. Exits with 1 if anything was found.
"""

import argparse
import base64
import itertools
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from fuzzing.cases import TEXT, Case, Cases  # noqa: E402  (found through the line above)
from fuzzing.corpus import KINDS  # noqa: E402
from fuzzing.flips import flip_both  # noqa: E402
from fuzzing.trials import Table, run_apart, run_here  # noqa: E402
from fuzzing.workers import Outcome, Worker  # noqa: E402

# Every so-many-th input is also given to a program of its own.
APART = 500
# How long to make a finding smaller.
SHRINK_S = 2.0


class Findings:
    """What was found, by cause: how often, by which commands, and the smallest input of each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts: Counter[str] = Counter()
        self.commands: dict[str, Counter[str]] = {}
        self.cases: dict[str, tuple[Case, str, str]] = {}
        self.lock = threading.Lock()

    def add(self, case: Case, problems: tuple[str, ...], origin: str) -> None:
        with self.lock:
            for problem in problems:
                command, _, cause = problem.partition(": ")
                # The cause is mostly in what the commands share.
                key = cause if " at " in cause else f"{cause} [{case.kind}]"
                self.counts[key] += 1
                self.commands.setdefault(key, Counter())[command] += 1
                known = self.cases.get(key)
                if known is None or len(case.data) < len(known[0].data):
                    self.cases[key] = case, problem, origin

    def write(self) -> None:
        """Make each input small and write it down, and a page about all of them."""
        if not self.counts:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        page = self.folder / "findings.md"
        with Worker() as worker, page.open("w") as file:
            for number, (key, count) in enumerate(self.counts.most_common(), start=1):
                text = self._write_one(worker, number, key, count)
                print(text, file=file)
                print(text)

    def _write_one(self, worker: Worker, number: int, key: str, count: int) -> str:
        case, problem, origin = self.cases[key]
        small, is_alone = shrink(worker, case, problem)
        data = asdict(small) | {
            "data": base64.b64encode(small.data).decode(),
            "problem": problem, "count": count, "origin": origin, "alone": is_alone,
        }  # fmt: skip
        path = self.folder / f"{number:03}"
        path.with_suffix(".json").write_text(json.dumps(data, indent=1) + "\n")
        path.with_suffix(".input").write_bytes(small.data)
        alone = "" if is_alone else ", not seen when tried alone"
        by = ", ".join(f"{name} ({n})" for name, n in self.commands[key].most_common(5))
        start = small.data if len(small.data) <= 600 else small.data[:300] + b"..."
        return (
            f"- {count} x {key}\n"
            f"  by {by}; {path.name}, {len(small.data):,} bytes, {origin}{alone}\n"
            f"  `kbai {' '.join(small.arguments)}` with `{start!r}`"
        )


def shrink(worker: Worker, case: Case, problem: str) -> tuple[Case, bool]:
    """Return a smaller case with the same problem, and whether it has it alone, without others."""
    if problem not in worker.try_case(case).problems:
        return case, False
    end = time.monotonic() + SHRINK_S
    size = len(case.data) // 2
    while size and time.monotonic() < end:
        start = 0
        while start < len(case.data) and time.monotonic() < end:
            data = case.data[:start] + case.data[start + size :]
            smaller = Case(case.kind, data, case.arguments)
            if problem in worker.try_case(smaller).problems:
                case = smaller
            else:
                start += size
        size //= 2
    return case, True


def fuzz(args: argparse.Namespace, findings: Findings) -> int:
    """Try the fixed inputs and the mutated ones; return how many."""
    with Worker() as maker:
        cases = Cases(maker.corpus(), args.seed, args.kinds)
    fixed = [] if args.mutated_only else cases.fixed()
    numbers = itertools.count(-len(fixed))
    lock = threading.Lock()
    end = time.monotonic() + args.seconds
    done: Counter[str] = Counter()
    bar = tqdm(total=len(fixed) + args.inputs, unit="input", disable=None)

    def work() -> None:
        with Worker(cases) as worker, tempfile.TemporaryDirectory() as folder:
            table = Table(Path(folder))
            while True:
                with lock:
                    number = next(numbers)
                if number >= args.inputs or time.monotonic() > end:
                    return
                outcome = _try(worker, table, number)
                if outcome.problems:
                    case = fixed[number] if number < 0 else cases.make(number)
                    origin = "fixed" if number < 0 else f"seed {args.seed} number {number}"
                    findings.add(case, outcome.problems, origin)
                with lock:
                    done["inputs"] += 1
                    bar.update()

    def _try(worker: Worker, table: Table, number: int) -> Outcome:
        outcome = worker.try_case(fixed[number] if number < 0 else number)
        if number % APART == 0 and not outcome.problems:
            case = fixed[number] if number < 0 else cases.make(number)
            outcome = Outcome(tuple(f"{text} [a program]" for text in _apart(case, table)))
        return outcome

    threads = [threading.Thread(target=work, daemon=True) for _ in range(args.workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    bar.close()
    return done["inputs"]


def _apart(case: Case, table: Table) -> list[str]:
    """Try a case in a program of its own; what no program can be given is left out."""
    if TEXT in case.arguments and (b"\0" in case.data or len(case.data) > 100_000):
        return []
    arguments, stdin = table.lay(case)
    return table.problems(case, run_apart(arguments, stdin, table.folder))


def again(path: Path) -> int:
    """Try one finding again, without any protection, and show what comes."""
    data = json.loads(path.read_text())
    case = Case(data["kind"], base64.b64decode(data["data"]), tuple(data["arguments"]))
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder))
        run = run_apart(*table.lay(case), table.folder)
        print(run.stdout.decode("utf-8", "replace"))
        print(repr(run.stderr.decode("utf-8", "replace")[-4000:]).replace("\\n", "\n"))
        print(f"exit code {run.code}, {run.seconds:.2f} s, {run.peak_mb:.0f} MB")
        return int(bool(table.problems(case, run)))


def flips(args: argparse.Namespace) -> int:
    """Flip bits of a journal and a cache, and tell what goes unnoticed."""

    def make(*arguments: str, stdin: bytes = b"") -> bytes:
        run = run_here(list(arguments), stdin)
        assert run.code == 0, run.stderr
        return run.stdout

    with tempfile.TemporaryDirectory() as folder:
        found = flip_both(Path(folder), make, args.flips, args.seed)
    causes = Counter((text.partition(",")[0], text.rpartition(": ")[2]) for text in found)
    for text in found[:20]:
        print(text)
    for (command, cause), count in causes.most_common():
        print(f"{count:6} {command}: {cause}")
    print(f"{args.flips} bits of a journal and of a cache: {len(found)} unnoticed")
    return int(bool(found))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", type=lambda text: tuple(text.split(",")), default=KINDS)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin none after that")
    parser.add_argument("--mutated-only", action="store_true", help="leave out the fixed inputs")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--flips", type=int, help="flip so many bits of a journal and of a cache")
    parser.add_argument("--again", type=Path, help="try a finding again")
    args = parser.parse_args()
    for kind in args.kinds:
        if kind not in KINDS:
            parser.error(f"unknown kind {kind!r}, known are {', '.join(KINDS)}")
    if args.again:
        return again(args.again)
    if args.flips:
        return flips(args)
    findings = Findings(args.findings)
    count = fuzz(args, findings)
    findings.write()
    causes = len(findings.counts)
    print(f"{count:,} inputs, {findings.counts.total():,} findings of {causes} causes")
    return int(bool(findings.counts))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped")
