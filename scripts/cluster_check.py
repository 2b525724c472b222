"""Measure a Dask cluster of processes on this machine: the same answers, the rate, what it costs.

    python scripts/cluster_check.py [queries] [reviews] [--rounds 5] [--queries 2000] [--games 20]

A scheduler with one worker and another with two, each a process of its own as on other machines,
take turns to answer queries or to review games. All answers have to be those of one machine, byte
by byte. Then a worker is killed on the way, and after it the coordinator (`kbai` itself), both
with kill -9, and the same command runs again: nothing may be lost, and nothing be there twice.

Reviews have as many visits as `kbai review` gives them, and a round of 20 takes 15 minutes on two
cores; with fewer, the coordinator has more to do for each second of a worker's.

Rates count from the first answer to the last, and want two cores that have nothing else to do.
"busy" does not: it is the share of that time in which the workers worked, or waited for a core.
CPU seconds are those beyond what `kbai` needs to start, connect and answer one query.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import psutil  # type: ignore[import-untyped]  # a part of Dask
from analyze_rate import some_positions
from self_play import positive, run

from kbai.notation.positions import format_line

KBAI = [sys.executable, "-m", "kbai"]
DASK = [sys.executable, "-m", "dask"]
# Each worker is a process with one thread, and nobody starts another if it dies.
WORKER = ["--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
POLL_S = 0.02
HEAD = """\
                                                 CPU seconds                      coordinator
         workers    done  seconds  per s  busy  workers  scheduler  coordinator  to worker"""


@dataclass(frozen=True)
class Job:
    """A command, and the file that grows by a line with each result."""

    name: str
    words: tuple[str, ...]
    keeps: str
    """The option that names the file."""

    def start(self, kept: Path, out: Path, *options: str) -> subprocess.Popen[bytes]:
        with out.open("wb") as file:
            command = [*KBAI, *self.words, self.keeps, str(kept), *options]
            return subprocess.Popen(command, stdout=file)

    def result(self, kept: Path, out: Path) -> bytes:
        """Return all answers: what was printed, or what was written to the file instead."""
        return out.read_bytes() or kept.read_bytes()


class Cluster:
    """A scheduler and its workers, as they would be started on other machines."""

    def __init__(self, folder: Path, workers: int) -> None:
        folder.mkdir()
        self.folder = folder
        self.place = folder / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", *options)
        wait_for(self.place.exists)
        self.address = json.loads(self.place.read_text())["address"]
        self.workers = [self.add_worker() for _ in range(workers)]

    def add_worker(self) -> subprocess.Popen[bytes]:
        return self._start("worker", *WORKER, "--local-directory", str(self.folder))

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        command = [*DASK, *words, "--scheduler-file", str(self.place)]
        self.processes.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        return self.processes[-1]

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@dataclass(frozen=True)
class Run:
    """A command on a cluster, and what it took."""

    name: str
    workers: int
    done: int
    seconds: float
    busy: float
    worker_cpu: float
    scheduler_cpu: float
    coordinator_cpu: float

    @property
    def rate(self) -> float:
        return self.done / self.seconds

    @property
    def share(self) -> float:
        return self.coordinator_cpu / self.worker_cpu

    def __str__(self) -> str:
        return (
            f"{self.name:8} {self.workers:7}  {self.done:6}  {self.seconds:7.2f}  {self.rate:5.0f}"
            f"  {self.busy:4.0%}  {self.worker_cpu:7.2f}  {self.scheduler_cpu:9.2f}  "
            f"{self.coordinator_cpu:11.2f}  {self.share:9.1%}"
        )


def wait_for(is_there: Callable[[], bool], patience_s: float = 600) -> None:
    """Wait until something is so."""
    end = time.monotonic() + patience_s
    while not is_there():
        if time.monotonic() > end:
            raise TimeoutError(f"nothing happened for {patience_s:.0f} seconds")
        time.sleep(POLL_S)


def n_lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def cpu_of(process: subprocess.Popen[bytes]) -> float:
    times = psutil.Process(process.pid).cpu_times()
    return float(times.user + times.system)


def time_with_work(process: subprocess.Popen[bytes]) -> float:
    """Return how long the busiest thread ran, or waited for a core; 0 where nobody counts it."""
    files = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    return max((sum(map(int, file.read_text().split()[:2])) for file in files), default=0) / 1e9


def measure(job: Job, cluster: Cluster, folder: Path, start_cpu: float) -> tuple[Run, bytes]:
    """Run a command to its end; return what it took, and its answers."""
    kept, out = folder / "kept", folder / "out"
    kept.unlink(missing_ok=True)
    before = [cpu_of(process) for process in (cluster.scheduler, *cluster.workers)]
    process = job.start(kept, out, "--cluster", cluster.address)
    wait_for(lambda: n_lines(kept) > 0)
    begin, first, work = time.time(), n_lines(kept), [*map(time_with_work, cluster.workers)]
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.args
    worked = [time_with_work(each) - then for each, then in zip(cluster.workers, work, strict=True)]
    after = [cpu_of(process) for process in (cluster.scheduler, *cluster.workers)]
    scheduler, *workers = (now - then for now, then in zip(after, before, strict=True))
    seconds = kept.stat().st_mtime - begin
    return Run(
        name=job.name,
        workers=len(workers),
        done=n_lines(kept) - first,
        seconds=seconds,
        busy=sum(worked) / len(worked) / seconds,
        worker_cpu=sum(workers),
        scheduler_cpu=scheduler,
        coordinator_cpu=usage.ru_utime + usage.ru_stime - start_cpu,
    ), job.result(kept, out)


def kill_on_the_way(job: Job, cluster: Cluster, folder: Path, expected: bytes, total: int) -> None:
    """Kill a worker after a quarter of the results, and the coordinator after half of them."""
    kept, out = folder / "kept", folder / "out"
    kept.unlink(missing_ok=True)
    process = job.start(kept, out, "--cluster", cluster.address)
    wait_for(lambda: n_lines(kept) > total // 4)
    cluster.workers.pop(0).kill()
    cluster.workers.append(cluster.add_worker())
    wait_for(lambda: n_lines(kept) > total // 2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    left = n_lines(kept)
    assert left < total, f"{job.name}: everything was done before the coordinator was killed"
    again = job.start(kept, out, "--cluster", cluster.address)
    assert again.wait() == 0, again.args
    assert job.result(kept, out) == expected, f"{job.name}: other answers after the kills"
    lines = kept.read_bytes().splitlines()
    assert len(lines) == total, f"{job.name}: expected {total} lines, got {len(lines)}"
    assert len({*lines}) == total, f"{job.name}: a line is there twice"
    print(
        f"{job.name}: a worker killed at {total // 4:,} of {total:,} lines, the coordinator at ",
        end="",
    )
    print(f"{left:,}; resumed: the same answers, none lost, none twice", flush=True)


@contextmanager
def two_clusters(folder: Path) -> Iterator[tuple[Cluster, Cluster]]:
    with ExitStack() as stack:
        made = []
        for workers in (1, 2):
            made.append(Cluster(folder / f"cluster{workers}", workers))
            stack.callback(made[-1].close)
        yield made[0], made[1]


def make_queries(path: Path, number: int) -> None:
    positions = some_positions(number, ("base",), 2)
    path.write_text("".join(f"{format_line(position)}\n" for position in positions))


def make_jobs(folder: Path, args: argparse.Namespace) -> tuple[Job, list[Job]]:
    """Return a command that does next to nothing, and those to be measured."""
    single, queries, games = (folder / name for name in ("query", "queries", "games"))
    make_queries(single, 1)
    make_queries(queries, args.queries)
    match = ["match", "greedy", "greedy", "--groups", str(-(-args.games // 2)), "--seed", "1"]
    subprocess.run([*KBAI, *match, "--out", games], check=True, stdout=subprocess.DEVNULL)
    search = ("--visits", str(args.visits), "--seed", "7")
    look = ("--visits", str(args.review_visits), "--format", "json")
    jobs = [
        Job("queries", ("analyze", str(queries), *search), "--resume"),
        Job("reviews", ("review", str(games), *look), "--cache"),
    ]
    return Job("start", ("analyze", str(single), *search), "--resume"), [
        job for job in jobs if not args.what or job.name in args.what
    ]


def check(
    job: Job, clusters: tuple[Cluster, Cluster], folder: Path, start: float, rounds: int
) -> None:
    """Compare two workers with one, and kill some."""
    kept, out = folder / "kept", folder / "out"
    kept.unlink(missing_ok=True)
    near = job.start(kept, out)
    assert near.wait() == 0, near.args
    expected, total = job.result(kept, out), n_lines(kept)
    print(HEAD)
    ratios, busy, shares = [], [], []
    for _ in range(rounds):
        runs = []
        for cluster in clusters:
            found, answers = measure(job, cluster, folder, start)
            assert answers == expected, f"{job.name}: other answers than on one machine"
            runs.append(found)
            shares.append(found.share)
            print(found, flush=True)
        one, two = runs
        ratios.append(two.rate / one.rate)
        busy.append(two.busy)
    print(f"{job.name}: the same bytes as on one machine in {2 * rounds} runs")
    for what, values, form in (
        ("rate of two workers to one", ratios, ".2f"),
        ("share of the time that two workers are busy", busy, ".0%"),
        ("coordinator's CPU to a worker's", shares, ".1%"),
    ):
        low, middle, high = min(values), median(values), max(values)
        print(f"{job.name}: {what}: {middle:{form}} ({low:{form}} to {high:{form}})")
    kill_on_the_way(job, clusters[1], folder, expected, total)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="*", metavar="queries|reviews", help="both if left out")
    parser.add_argument("--rounds", type=positive, default=5)
    parser.add_argument("--queries", type=positive, default=2000)
    parser.add_argument("--visits", type=positive, default=50, help="of a query")
    parser.add_argument("--games", type=positive, default=20)
    parser.add_argument("--review-visits", type=positive, default=4000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, two_clusters(Path(name)) as clusters:
        folder = Path(name)
        idle, jobs = make_jobs(folder, args)
        starts = [measure(idle, cluster, folder, 0)[0] for cluster in (*clusters, *clusters)]
        start = min(each.coordinator_cpu for each in starts)
        print(f"start of the coordinator: {start:.2f} s of CPU")
        for job in jobs:
            check(job, clusters, folder, start, args.rounds)


if __name__ == "__main__":
    run(main)
