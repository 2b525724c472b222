"""Measure what `kbai serve` promises: how soon it answers, what it refuses, what it keeps.

Starts servers of its own on free ports. Ends with code 1 if something is not as it should be.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from kbai.notation.games import parse_game
from kbai.web.catalogue import DEMO
from kbai.web.searches import MAX_ANSWERS, MAX_KEPT

FIRST = "kb1 board=tavern,paddock,oasis,farm cards=fishermen,knights,merchants red=- blue=-"
START = f"{FIRST} turn=red card=flower"
CARDS = ("grass", "canyon", "desert", "flower", "forest")
# In the second half. 350 answers that are never dropped would be 3.5 MB, and a tree is larger.
MOST_GROWTH_MB = 1.5


class Server:
    """A running server, and what to ask it."""

    def __init__(self, folder: str, *options: str) -> None:
        command = [sys.executable, "-m", "kbai", "serve", "--port", "0", "--no-browser",
                   "--games", folder, *options]  # fmt: skip
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert self.process.stdout is not None
        address = self.process.stdout.readline().decode()
        self.port = int(address.rstrip("/\n").rpartition(":")[2])

    def open(self, method: str, path: str, body: object = None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"content-type": "application/json"} if method == "POST" else {}
        connection.request(method, path, data if method == "POST" else None, headers)
        response = connection.getresponse()
        response.kept_connection = connection  # type: ignore[attr-defined]
        return response

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        response = self.open(method, path, body)
        return response.status, response.read()

    def json(self, method: str, path: str, body: object = None) -> Any:
        return json.loads(self.ask(method, path, body)[1])

    @property
    def memory_mb(self) -> float:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.partition("VmRSS:")[2].split()[0]) / 1024

    @property
    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def server(*options: str) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        running = Server(folder, *options)
        try:
            yield running
        finally:
            running.process.kill()
            _, talk = running.process.communicate()
            expect("no traceback", b"Traceback" not in talk, talk.decode()[-500:])


def expect(what: str, is_so: bool, found: object = "") -> None:
    print(f"{'ok ' if is_so else 'NO '} {what}: {found}")
    if not is_so:
        sys.exit(1)


def check_speed() -> None:
    """First update, rate of updates, a closed client, other requests meanwhile."""
    with server() as running:
        running.ask("GET", "/api/catalogue")
        firsts, rates = [], []
        for number in range(10):
            position = f"{FIRST} turn=red card={('flower', 'grass', 'canyon')[number % 3]} " \
                       f"discard=desert:{number % 5}"  # fmt: skip
            before = time.perf_counter()
            response = running.open("POST", "/api/suggest", {"position": position, "seconds": 1})
            response.readline()
            firsts.append(time.perf_counter() - before)
            rates.append(len(response.read().splitlines()))
        print(
            f"    first update: median {statistics.median(firsts):.3f} s, most {max(firsts):.3f} s"
        )
        print(f"    updates in a second: at most {max(rates) + 1}")
        expect("ten updates a second at most", max(rates) + 1 <= 11, max(rates) + 1)
        stream = running.open("POST", "/api/suggest", {"position": DEMO, "seconds": 100})
        stream.readline()
        waits = []
        for _ in range(60):
            before = time.perf_counter()
            running.ask("POST", "/api/view", {"position": DEMO})
            waits.append(time.perf_counter() - before)
            time.sleep(0.02)
        print(f"    other requests meanwhile: median {1000 * statistics.median(waits):.1f} ms")
        stream.kept_connection.sock.close()  # type: ignore[attr-defined]
        stream.close()
        before = time.perf_counter()
        while running_searches(running):
            if time.perf_counter() - before > 5:
                break
            time.sleep(0.01)
        print(f"    a closed client is noticed after {time.perf_counter() - before:.3f} s or less")


def running_searches(running: Server) -> bool:
    """Tell whether the server still uses the processor."""
    before = running.cpu_s
    time.sleep(0.1)
    return running.cpu_s - before > 0.04


def check_crowd() -> None:
    """Twenty clients at once."""
    with server() as running:
        answers: list[tuple[int, bytes]] = []

        def ask() -> None:
            answers.append(running.ask("POST", "/api/suggest", {"position": START, "seconds": 1}))

        threads = [threading.Thread(target=ask) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        good = [body for status, body in answers if status == 200]
        refused = [
            json.loads(body)["error"]["message"] for status, body in answers if status == 503
        ]
        expect("20 clients get answers or a refusal", len(good) + len(refused) == 20,
               f"{len(good)} answered, {len(refused)} refused: {refused[:1]}")  # fmt: skip


def check_memory(count: int) -> None:
    """Many suggestions, each for another position.

    Memory grows until as many answers are kept as may be, and settles: Python collects its garbage
    late. From halfway on it must not grow any more.
    """
    points = (MAX_ANSWERS, (MAX_ANSWERS + count) // 2, count)
    if count < 2 * MAX_ANSWERS:
        expect("enough suggestions to judge memory by", False, count)
    with server("--memory", "300") as running:

        def ask(position: str) -> None:
            body = {"position": position, "seconds": 0.05}
            status, _ = running.ask("POST", "/api/suggest", body)
            assert status == 200, position

        sizes = []
        for number in range(1, count + 1):
            # Other piles each time, so that no answer is known.
            counts = [number // 5**place % 5 for place in range(len(CARDS))]
            piles = ",".join(f"{card}:{n}" for card, n in zip(CARDS, counts, strict=True))
            ask(f"{START} discard={piles}")
            if number in points:
                # The last trees are as large as the machine was quiet: let them be dropped.
                for last in range(MAX_KEPT):
                    ask(f"{FIRST} phase=over discard=grass:{last}")
                sizes.append(running.memory_mb)
        found = ", ".join(f"{size:.1f} MB after {n}" for n, size in zip(points, sizes, strict=True))
        expect(
            f"memory is flat over {count} suggestions", sizes[2] - sizes[1] < MOST_GROWTH_MB, found
        )


def check_mutations(count: int) -> None:
    """Requests that were changed at random."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "web"))
    from test_security import mutated, request_seeds

    with server() as running:
        game = running.json("POST", "/api/games", {"text": START})
        rng = random.Random(2)
        seeds = request_seeds(game["id"])
        found: dict[int, int] = {}
        for _ in range(count):
            path, data = mutated(seeds, rng)
            response = running.open("POST", path, data)
            found[response.status] = found.get(response.status, 0) + 1
            if response.status != 200:
                assert json.loads(response.read())["error"]["message"], (path, data)
            else:
                response.readline()
            response.kept_connection.close()  # type: ignore[attr-defined]
        expect(f"{count} mutated requests get an answer or a sentence",
               set(found) <= {200, 400, 404, 413, 503}, found)  # fmt: skip


def check_kills(count: int) -> None:
    """Kill the server at random moments of a game."""
    rng = random.Random(3)
    for number in range(count):
        with tempfile.TemporaryDirectory() as folder:
            running = Server(folder, "--threads", "1")
            body = {"text": f"{FIRST} turn=red card=hidden", "players": ["greedy", "random"],
                    "told": False}  # fmt: skip
            id = running.json("POST", "/api/games", body)["id"]
            known: list[str] = []
            is_over = threading.Event()

            def play(running: Server = running, id: str = id, known: list[str] = known,
                     is_over: threading.Event = is_over) -> None:  # fmt: skip
                try:
                    while True:
                        state = running.json("POST", f"/api/games/{id}", {"do": "bot"})
                        known[:] = [node["text"] for node in state["nodes"]]
                        if state["waiting"] == "over":
                            break
                except (OSError, http.client.HTTPException, ValueError):
                    pass
                is_over.set()

            thread = threading.Thread(target=play)
            thread.start()
            time.sleep(rng.uniform(0.05, 1.2))
            running.process.send_signal(signal.SIGKILL)
            is_over.wait(20)
            running.process.communicate()
            thread.join()
            files = [*Path(folder).glob("*.kbg")]
            text = files[0].read_text() if files else ""
            kept = (
                [turn.summary for turn in parse_game(text).turns if turn.finished] if text else []
            )
            expect(f"kill {number + 1}: every turn that was told is in the file",
                   kept[: len(known)] == known, f"{len(known)} told, {len(kept)} kept")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suggestions", type=int, default=1000, help="for the check of memory")
    parser.add_argument("--mutations", type=int, default=5000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--only", choices=["speed", "crowd", "mutations", "kills", "memory"])
    options = parser.parse_args()
    checks: dict[str, Callable[[], None]] = {
        "speed": check_speed,
        "crowd": check_crowd,
        "mutations": lambda: check_mutations(options.mutations),
        "kills": lambda: check_kills(options.kills),
        "memory": lambda: check_memory(options.suggestions),
    }
    for name, check in checks.items():
        if options.only in (None, name):
            check()


if __name__ == "__main__":
    main()
