"""One bit changed in a journal or in a cache: noticed, or without effect on the result."""

import json
import random
from pathlib import Path

from fuzzing.corpus import REVIEW, Command
from fuzzing.trials import Run, Table, run_here

MATCH = ("match", "greedy", "random", "--groups", "3", "--seed", "5")


def journal_flips(table: Table, make: Command, count: int, seed: int) -> list[str]:
    """Return the flips of a journal that change a result and are not noticed."""
    path = table.folder / "flipped.jsonl"
    path.unlink(missing_ok=True)
    make(*MATCH, "--threads", "--workers", "1", "--out", str(path))
    good = path.read_bytes()
    ids = [json.loads(line).get("id", "") for line in good.splitlines()]
    reads = [("standings", str(path), "--format", "json"), ("export", str(path))]
    # The game of each line as well; the header has none.
    games = [("export", str(path), "--game", id) for id in ids if id]
    before = {command: run_here(list(command), b"") for command in (*reads, *games)}
    rng = random.Random(seed)
    found = []
    for bit in rng.sample(range(8 * len(good)), min(count, 8 * len(good))):
        path.write_bytes(flipped(good, bit))
        line = good[: bit // 8].count(b"\n")
        for command in [*reads, *(game for game in games if game[-1] == ids[line])]:
            now = run_here(list(command), b"")
            if problem := _unnoticed(before[command], now, f"line {line + 1}"):
                found.append(f"{command[0]}, bit {bit} (line {line + 1}): {problem}")
    return found


def cache_flips(table: Table, make: Command, count: int, seed: int) -> list[str]:
    """Return the flips of a cache that change a review and are not noticed."""
    path = table.folder / "flipped-cache.jsonl"
    path.unlink(missing_ok=True)
    command = ["review", str(table.game), *REVIEW, "--cache", str(path)]
    make(*command)
    good = path.read_bytes()
    before = run_here(command, b"")
    rng = random.Random(seed)
    found = []
    for bit in rng.sample(range(8 * len(good)), min(count, 8 * len(good))):
        path.write_bytes(flipped(good, bit))
        if problem := _unnoticed(before, run_here(command, b"")):
            found.append(f"review, bit {bit}: {problem}")
    return found


def flipped(data: bytes, bit: int) -> bytes:
    """Return the bytes with one bit changed."""
    byte, place = divmod(bit, 8)
    return data[:byte] + bytes([data[byte] ^ 1 << place]) + data[byte + 1 :]


def _unnoticed(before: Run, now: Run, name: str = "") -> str:
    """Return what is wrong: neither the same result, nor a refusal, nor a word with this name.

    Without a name the result must be the same if there is one.
    """
    if now.error is not None:
        return type(now.error).__name__
    if now.code:
        return "" if now.stderr.strip() else "an error without a message"
    if now.stdout == before.stdout or (name and name.encode() in now.stderr):
        return ""
    return "another result, and not a word"


def flip_both(folder: Path, make: Command, count: int, seed: int) -> list[str]:
    """Flip bits of a journal and of a cache, so many each."""
    table = Table(folder)
    return [*journal_flips(table, make, count, seed), *cache_flips(table, make, count, seed)]
