"""Rules twice: the kernel and the reference engine agree on random games."""

import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import differential
import pytest

GAMES = 420
A_FEW = 20  # for the quick loop: every mix of sets, not every event
BATCH = 10
SECONDS = 150  # on a slow machine fewer games, but never fewer than it takes to meet every event


def play_batch(first: int, count: int = BATCH) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in range(first, first + count):
        seen += differential.play(seed)
        seen["games"] += 1
    return seen


def test_kernel_and_reference_agree_on_a_few_games():
    seen = play_batch(GAMES, A_FEW)
    assert seen["games"] == A_FEW and seen["steps"] > 10 * A_FEW


@pytest.mark.slow
def test_kernel_and_reference_agree_on_random_games(capsys):
    seen: Counter[str] = Counter()
    began = time.monotonic()
    with ProcessPoolExecutor() as pool:
        for batch in pool.map(play_batch, range(0, GAMES, BATCH)):
            seen += batch
            if time.monotonic() - began > SECONDS and not missing(seen):
                pool.shutdown(cancel_futures=True)
                break
    with capsys.disabled():
        print(f"\n{seen['games']} games, {seen['steps']} steps on both engines")
        print(differential.summary(seen))
    assert not missing(seen)


def missing(seen: Counter[str]) -> list[str]:
    return [event for event in differential.EVENTS if not seen[event]]
