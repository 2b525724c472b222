"""Workers: every task gets exactly one outcome, whoever is killed, and nobody is left behind."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from chores import Chore, chores, do, leave_a_mark, set_up, set_up_badly
from pids import is_running, state
from places import TESTS

from kbai.compute.cluster import cluster
from kbai.compute.pools import Pool, threads
from kbai.compute.processes import ProcessExecutor, processes
from kbai.compute.run import Crashed, Done, Failed, run
from kbai.core.errors import KbaiError, ParallelError

# Longer than a busy machine needs to import Dask and to answer.
PATIENCE_S = 120
posix = pytest.mark.skipif(os.name != "posix", reason="signals between processes need POSIX")
POOLS = [
    pytest.param(threads(2), id="threads"),
    pytest.param(processes(2), id="processes"),
]


def outcomes(tasks, pool, function=do, **options):
    got = []
    run(function, tasks, pool, got.append, **options)
    return got


def numbers(got):
    return [outcome.task.number for outcome in got]


def values(got):
    return {outcome.task.number: outcome.value for outcome in got if isinstance(outcome, Done)}


@pytest.mark.parametrize("pool", POOLS)
def test_every_task_has_one_result_handed_over_here(pool):
    here = []
    got = outcomes(chores(300), pool, function=do)
    run(do, chores(20), pool, lambda _: here.append(threading.current_thread()))
    assert sorted(numbers(got)) == list(range(300))
    assert values(got) == {number: number**2 for number in range(300)}
    assert set(here) == {threading.main_thread()} and len(here) == 20
    assert outcomes([], pool) == []


@pytest.mark.parametrize("pool", POOLS)
def test_in_order_means_the_order_of_the_tasks(pool):
    tasks = [Chore(n, seconds=0.01 * (n % 4 == 0)) for n in range(40)]
    assert numbers(outcomes(tasks, pool, in_order=True)) == list(range(40))
    assert numbers(outcomes(tasks, pool)) != list(range(40))  # as they come


@pytest.mark.parametrize("in_order", [False, True])
def test_only_a_window_of_tasks_is_taken(in_order):
    taken, handed = 0, 0

    def endless():
        nonlocal taken
        while True:
            assert taken - handed < 5
            yield Chore(taken)
            taken += 1

    class Enough(Exception):
        pass

    def on_done(_):
        nonlocal handed
        handed += 1
        if handed == 50:
            raise Enough

    with pytest.raises(Enough):
        run(do, endless(), threads(3), on_done, window=5, in_order=in_order)
    assert 50 <= taken <= 55


@pytest.mark.parametrize("pool", POOLS)
def test_an_exception_is_a_result_and_the_rest_goes_on(pool):
    got = outcomes(chores(10, fail=(3,), awkward=(4,)), pool, in_order=True)
    assert numbers(got) == list(range(10))
    assert [type(outcome) for outcome in got] == [*[Done] * 3, *[Failed] * 2, *[Done] * 5]
    assert [got[n].message for n in (3, 4)] == ["ValueError: no square of 3", "Awkward: 1 2"]
    assert "chores.py" in got[3].trace


def test_what_cannot_be_pickled_is_a_failure_of_that_task():
    tasks = [*chores(4, unpicklable=(1,)), Chore(4, what=threading.Lock())]
    got = outcomes(tasks, processes(1), in_order=True)
    assert [type(outcome) for outcome in got] == [Done, Failed, Done, Done, Failed]
    assert "cannot pickle" in got[1].message and "cannot pickle" in got[4].message


@pytest.mark.slow
def test_processes_are_used_and_ignore_ctrl_c():
    got = outcomes([Chore(n, "pid", 0.2) for n in range(6)], processes(2))
    assert {ignores for _, ignores in values(got).values()} == {True}
    pids = {pid for pid, _ in values(got).values()}
    assert len(pids) == 2 and os.getpid() not in pids
    assert not any(map(is_running, pids))  # gone when run returns


@pytest.mark.parametrize("pool", POOLS)
def test_a_worker_is_set_up_once_before_its_first_task(pool):
    got = outcomes([Chore(n, "set up", 0.1) for n in range(8)], pool,
                   initializer=set_up, initargs=("a", "b"))  # fmt: skip
    for value in values(got).values():
        assert [entry[1:] for entry in value[-1:]] == [("a", "b")]
        assert len({entry[0] for entry in value}) == len(value)


@pytest.mark.parametrize("pool", POOLS)
def test_a_worker_that_cannot_be_set_up_ends_the_run(pool):
    with pytest.raises(ParallelError, match="could not be set up: OSError: no such tables"):
        outcomes(chores(10**9), pool, initializer=set_up_badly)


def wait_until(holds, seconds=300):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    assert holds()


@pytest.mark.slow
@posix
def test_a_task_that_kills_its_worker_is_recorded_and_the_rest_goes_on():
    got = outcomes(chores(30, die=(3, 20), leave=(7,)), processes(2), in_order=True)
    assert numbers(got) == list(range(30))
    crashed = {o.task.number: o.message for o in got if isinstance(o, Crashed)}
    assert crashed == {
        3: "the worker died each time this was tried (killed by SIGKILL)",
        20: "the worker died each time this was tried (killed by SIGKILL)",
        7: "the worker died each time this was tried (exit code 5)",
    }
    assert len(values(got)) == 27


@pytest.mark.slow
@posix
def test_a_task_is_tried_three_times(tmp_path):
    tried = tmp_path / "tried"
    got = outcomes([Chore(0, str(tried))], processes(1), function=die_after_a_mark)
    assert isinstance(got[0], Crashed) and tried.read_text() == "xxx"


def die_after_a_mark(chore):
    with open(chore.what, "a") as file:
        file.write("x")
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
@posix
@pytest.mark.parametrize("in_order", [False, True])
def test_workers_killed_at_random_moments_cost_nothing(tmp_path, in_order):
    """No task is killed twice, so every task must come out well."""
    rng = random.Random(int(in_order))
    stop = threading.Event()
    killed = {}

    def kill_some():
        while not stop.wait(rng.uniform(0.02, 0.2)) and len(killed) < 8:
            pids = {int(mark.name.split("-")[0]) for mark in tmp_path.iterdir()}
            if fresh := sorted(pids - {*killed.values()}):
                kill(rng.choice(fresh))

    def kill(pid):
        # It may have gone on to another task since we looked; now it stays at its task.
        try:
            os.kill(pid, signal.SIGSTOP)
            wait_until(lambda: state(pid) in "TZ")
            at_work = {int(mark.name.split("-")[1]) for mark in tmp_path.glob(f"{pid}-*")}
            if at_work and not at_work & killed.keys():
                os.kill(pid, signal.SIGKILL)
                killed.update(dict.fromkeys(at_work, pid))
            else:
                os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass  # all is done, and the workers are gone

    killer = threading.Thread(target=kill_some)
    killer.start()
    tasks = [Chore(n, str(tmp_path), 0.02) for n in range(100)]
    got = outcomes(tasks, processes(3), function=leave_a_mark, in_order=in_order)
    stop.set()
    killer.join()
    assert Counter(numbers(got)) == Counter(range(100))
    assert not in_order or numbers(got) == list(range(100))
    assert len(values(got)) == 100 and killed
    assert not any(map(is_running, killed.values()))


@posix
def test_an_idle_worker_that_is_killed_costs_nothing():
    executor = ProcessExecutor(1)
    try:
        for number in range(4):
            pid, _ = executor.submit(do, Chore(number, "pid")).result(PATIENCE_S)
            os.kill(pid, signal.SIGKILL)
            # Other threads of a process end a moment after its first one.
            wait_until(lambda: not any(process.is_alive() for process in executor._running))
    finally:
        executor.shutdown()
    with pytest.raises(RuntimeError, match="after shutdown"):
        executor.submit(do, Chore(0))


@pytest.mark.slow
def test_workers_that_cannot_start_end_the_run(monkeypatch):
    monkeypatch.setattr("kbai.compute.processes._work", set_up_badly)  # takes no pipe
    with pytest.raises(ParallelError, match=r"could not be started: exit code 1\.$"):
        outcomes(chores(10**9), processes(2))


def coordinator(*arguments):
    return subprocess.Popen(
        [sys.executable, str(TESTS / "chores.py"), *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(TESTS.parent)},
    )  # fmt: skip


def group_is_empty(group):
    found = [p for p in Path("/proc").iterdir() if p.name.isdigit()]
    for process in found:
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            return False
    return True


linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
EVERYWHERE = ["threads", "processes", "cluster"]


@pytest.mark.slow
@posix
@linux
@pytest.mark.parametrize("kind", EVERYWHERE)
@pytest.mark.parametrize("moment", ["starting", "working"])
def test_ctrl_c_stops_everything_and_keeps_what_is_finished(kind, moment):
    """As in a terminal: the signal goes to the coordinator and to all of its children."""
    process = coordinator(kind, "square", 0.05)
    process.stdout.readline()
    read = [process.stdout.readline() for _ in range(5 if moment == "working" else 0)]
    time.sleep(random.random() * 0.3)
    os.killpg(process.pid, signal.SIGINT)
    rest, told = process.communicate(timeout=300)
    *done, last = [*read, *rest.splitlines(keepends=True)]
    assert (last, told, process.returncode) == ("stopped\n", "", 0)
    squares = [int(line) for line in done]
    assert len(set(squares)) == len(squares) and set(squares) <= {n * n for n in range(1000)}
    wait_until(lambda: group_is_empty(process.pid))


def coordinator_at_work(tmp_path):
    """Return a coordinator whose two workers have begun tasks of half an hour."""
    process = coordinator("processes", tmp_path, 1800)
    process.stdout.readline()
    wait_until(lambda: len(list(tmp_path.iterdir())) == 2)
    return process


@posix
@linux
def test_ctrl_c_does_not_wait_for_long_tasks_and_lets_them_clean_up(tmp_path):
    process = coordinator_at_work(tmp_path)
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=300) == ("stopped\n", "")
    assert time.monotonic() - start < 300
    assert list(tmp_path.iterdir()) == []
    wait_until(lambda: group_is_empty(process.pid))


@posix
@linux
def test_a_coordinator_that_is_killed_leaves_nobody_behind(tmp_path):
    process = coordinator_at_work(tmp_path)
    process.kill()
    process.communicate(timeout=300)
    wait_until(lambda: group_is_empty(process.pid))


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("in_order", [False, True])
def test_ctrl_c_comes_between_two_results(pool, in_order):
    """On the way into the journal nothing is interrupted, and nothing comes after the end."""
    got, whole = [], []

    def on_done(outcome):
        got.append(outcome)
        if len(got) == 10:
            signal.raise_signal(signal.SIGINT)
            time.sleep(0.05)
        whole.append(outcome)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        run(do, chores(10**9), pool, on_done, in_order=in_order)
    assert signal.getsignal(signal.SIGINT) is before
    assert got == whole and 10 <= len(got) <= 30
    assert len(set(numbers(got))) == len(got)
    assert not in_order or numbers(got) == list(range(len(got)))


def test_an_error_of_the_journal_ends_the_workers():
    pids = set()

    def on_done(outcome):
        pids.add(outcome.value[0])
        if len(pids) == 2:
            raise KbaiError("the disk is full.")

    with pytest.raises(KbaiError, match="disk"):
        run(do, (Chore(n, "pid", 0.1) for n in range(10**9)), processes(2), on_done)
    assert not any(map(is_running, pids))


@pytest.mark.parametrize("make", [threads, processes])
def test_no_workers_at_all_are_refused(make):
    with pytest.raises(ParallelError, match="at least one worker, got 0"):
        make(0)


@pytest.mark.parametrize("text", ["local:0", "local:", "local:x", "scheduler", "foo://host:1", ""])
def test_an_address_that_is_none_says_what_is_expected(text):
    with pytest.raises(ParallelError, match=r"expected a cluster like tcp://host:8786 or local:4"):
        cluster(text)


def test_a_missing_extra_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ParallelError, match=r"pip install 'kbai\[cluster\]'"):
        outcomes(chores(1), cluster("local:1"))


@pytest.mark.slow
def test_a_cluster_that_does_not_answer_is_one_sentence(capfd):
    with pytest.raises(ParallelError, match="tcp://127.0.0.1:9 does not answer: .* 0.5 s"):
        outcomes(chores(1), cluster("tcp://127.0.0.1:9", timeout_s=0.5))
    assert capfd.readouterr() == ("", "")


def test_a_cluster_with_tls_needs_certificates(capfd):
    pytest.importorskip("distributed")
    with pytest.raises(ParallelError, match=r"tls://h:1 needs certificates; .*docs/cluster.md"):
        outcomes(chores(1), cluster("tls://h:1"))
    assert capfd.readouterr() == ("", "")


def test_a_local_cluster_without_keys_says_how_to_get_them(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(ParallelError, match=r"pip install 'kbai\[cluster\]'"):
        outcomes(chores(1), cluster("local:1"))


@pytest.mark.slow
def test_nobody_else_can_connect_to_a_local_cluster(capfd):
    dask = pytest.importorskip("distributed")
    with cluster("local:1")() as pool:
        client = pool.executor._client
        info = client.scheduler_info()
        (worker,) = info["workers"].values()
        addresses = [info["address"], client.scheduler.address, worker["nanny"], *info["workers"]]
        assert all(address.startswith("tls://127.0.0.1:") for address in addresses)
        place = addresses[0].removeprefix("tls://")
        for address, keys in ((f"tcp://{place}", None), (f"tls://{place}", stranger(dask))):
            with pytest.raises(OSError):
                dask.Client(address, security=keys, timeout=2, set_as_default=False)
        assert pool.executor.submit(abs, -3).result(PATIENCE_S) == 3


CLOSING = """
import asyncio, sys
from kbai.compute.quiet_worker import dask_setup

class Worker:
    async def close(self, reason):
        print(f"closing: {reason}", file=sys.stderr)
        return "closed"

async def main():
    worker = Worker()
    dask_setup(worker)
    print("at work", file=sys.stderr)
    print(await worker.close(reason="the end"))

asyncio.run(main())
"""


def test_a_worker_of_a_local_cluster_is_quiet_once_it_closes():
    done = subprocess.run([sys.executable, "-c", CLOSING], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("closed\n", "at work\n")


@pytest.mark.slow
def test_a_local_cluster_needs_no_port_that_another_one_has(recwarn):
    pytest.importorskip("distributed")
    with cluster("local:1")(), cluster("local:1")() as pool:
        assert pool.executor.submit(abs, -3).result(PATIENCE_S) == 3
    assert [str(warning.message) for warning in recwarn] == []


def stranger(dask):
    """Return keys as good as those of the cluster, but others."""
    return dask.Security.temporary()


@pytest.mark.slow
@posix
def test_a_local_cluster_survives_what_processes_survive(capfd):
    tasks = chores(40, die=(5,), fail=(6,))
    got = outcomes(tasks, cluster("local:2"), in_order=True, initializer=set_up)
    assert numbers(got) == list(range(40)) and len(values(got)) == 38
    assert got[5] == Crashed(Chore(5, "die"), "the worker died each time this was tried")
    assert isinstance(got[6], Failed) and got[6].message == "ValueError: no square of 6"
    assert capfd.readouterr() == ("", "")


SCHEDULER = """
import asyncio, distributed, sys
async def main():
    async with distributed.Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
"""
WORKER = """
import asyncio, distributed, sys
async def main():
    async with distributed.Worker(sys.argv[1], nthreads=1, dashboard=False) as worker:
        await worker.finished()
"""


class Cluster:
    """A scheduler and its workers, each a process by itself, on ports of their choice."""

    def __init__(self):
        self.processes = []

    def start(self, code, *arguments, without=""):
        self.processes.append(subprocess.Popen(
            [sys.executable, "-c", f"{code}\n{without}\nasyncio.run(main())", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)])},
        ))  # fmt: skip
        return self.processes[-1]

    def start_all(self, workers, **options):
        self.scheduler = self.start(SCHEDULER, **options)
        self.address = self.scheduler.stdout.readline().strip()
        self.workers = [self.start(WORKER, self.address) for _ in range(workers)]

    def pool(self):
        return cluster(self.address, timeout_s=PATIENCE_S, workers_s=PATIENCE_S)

    def end(self):
        for process in self.processes:
            process.kill()
            process.communicate(timeout=300)


@pytest.fixture
def servers():
    made = Cluster()
    yield made
    made.end()


@pytest.mark.slow
@posix
def test_a_cluster_by_address_and_a_worker_of_it_killed(servers):
    servers.start_all(workers=2)
    got = []

    def on_done(outcome):
        got.append(outcome)
        if len(got) == 20:
            servers.workers[0].kill()

    run(do, chores(100, seconds=0.01), servers.pool(), on_done, in_order=True)
    assert numbers(got) == list(range(100))
    assert [each for each in got if not isinstance(each, Done)] == []


def test_an_answer_that_got_lost_on_its_way_is_asked_for_again():
    class Lossy(ThreadPoolExecutor):
        lost = 0

        def submit(self, function, task):
            if task.number == 2 and not self.lost:
                self.lost += 1
                future = Future()
                future.set_exception(OSError("the connection broke"))
                return future
            return super().submit(function, task)

    @contextmanager
    def opened():
        with Lossy(2) as executor:
            yield Pool(executor, 4, executor.shutdown)

    got = outcomes(chores(5), opened)
    assert sorted(values(got)) == list(range(5))


@pytest.mark.slow
def test_a_cluster_that_cannot_do_it_says_why(servers, monkeypatch):
    servers.start_all(workers=0)
    with pytest.raises(ParallelError, match="has no workers"):
        outcomes(chores(1), cluster(servers.address, timeout_s=PATIENCE_S, workers_s=0.5))
    servers.start(WORKER, servers.address)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "99")
    with pytest.raises(ParallelError, match="the scheduler has kbai .*, here is 99"):
        outcomes(chores(1), servers.pool())


@pytest.mark.slow
def test_a_cluster_without_kbai_says_so(servers):
    servers.start_all(workers=1, without="sys.modules['kbai'] = None")
    with pytest.raises(ParallelError, match="cannot run kbai: .*kbai"):
        outcomes(chores(1), servers.pool())


@pytest.mark.slow
@posix
def test_a_scheduler_that_dies_is_one_sentence(servers, capfd):
    servers.start_all(workers=1)
    got = []

    def on_done(outcome):
        got.append(outcome)
        if len(got) == 5:
            servers.scheduler.kill()

    with pytest.raises(ParallelError, match="connection to the workers is lost"):
        run(do, chores(10**9, seconds=0.05), servers.pool(), on_done)
    assert len(got) >= 5
    assert capfd.readouterr() == ("", "")
