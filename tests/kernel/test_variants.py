"""The same games whichever way they are computed: for which processor, and with a trace or not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import kbai
from kbai import content
from kbai._cpu import has_avx2, has_avx512
from kbai._fast import Position
from kbai.game.setup import Setup
from kbai.game.steps import advance, end_of

SETS = tuple(content.load().sets)
POLICY = {"candidates": 4, "tile": 0.75, "least_build": 0.5, "least_move": 0.5}
PLAY = """
from kbai import _fast, _mcts, content
from kbai.game.steps import advance, end_of
from kbai.game.setup import Setup
from kbai.search.params import SearchParams
policy = {policy}
for sets in (("base",), tuple(content.load().sets)):
    for seed in range(10):
        setup = Setup.random(seed, seats=2 + seed % 4, sets=sets)
        start = _fast.Position(setup.kernel_board, setup.start)
        print(start.playouts(20, seed), start.playouts(20, seed, policy))
        for candidates in (1, 3, 7):
            print(start.playouts(5, seed, policy | {"candidates": candidates}))
for seed in range(4):
    position = Setup.random(seed, seats=2, sets=("base",)).start_position()
    position.draw(seed)
    tree = SearchParams(model="learned").make_tree(position, seed=seed, threads=1)
    tree.run(300)
    print(tree.edges())
print(*sorted({_fast.__file__, _mcts.__file__}))
"""


def play(**variables: str) -> tuple[str, list[str]]:
    """Return what games brought in a process of its own, and the compiled modules it used."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY.replace("{policy}", repr(POLICY))],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(kbai.__file__).parent.parent), **variables},
    )
    *games, files = done.stdout.splitlines()
    return "\n".join(games), files.split()


def test_builds_for_all_kinds_of_processor_play_the_same_games():
    games, files = play(KBAI_BASELINE="")
    avx2_games, avx2_files = play(KBAI_BASELINE="avx2")
    baseline_games, baseline_files = play(KBAI_BASELINE="1")
    assert games == avx2_games == baseline_games
    assert not any("avx" in file for file in baseline_files)
    assert all("avx2" in file for file in avx2_files) == has_avx2()
    assert any("avx512" in file for file in files) == has_avx512()


def compare(start: Position, seed: int) -> None:
    """Play a game to its end in both ways."""
    traced, plain = start.copy(), start.copy()
    traced.playout_steps(seed)
    plain.playout(seed)
    assert plain == traced
    plain.check()
    informed = start.copy()
    informed.playout_steps(seed, POLICY)
    informed.check()
    assert start.playouts(1, seed, POLICY)[0] == list(informed.scores())


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize(
    "sets", [("base",), ("base", "capitol", "caves", "island"), SETS], ids=["base", "small", "all"]
)
def test_a_game_is_the_same_with_and_without_a_trace(sets, seats):
    for seed in range(40):
        setup = Setup.random(seed, seats=seats, sets=sets)
        start = setup.start_position()
        steps = start.copy().playout_steps(seed)
        # From the start, and from anywhere in the middle of a turn.
        for count in (0, len(steps) // 3, len(steps) * 2 // 3, len(steps) - 4):
            compare(end_of(start, steps[:count]), seed)


def test_so_it_is_where_houses_are_missing():
    for seed in range(40):
        setup = Setup.random(seed, seats=2, sets=("base",))
        position = setup.start_position()
        for step in position.copy().playout_steps(seed)[:30]:
            advance(position, step)
        fields = position.fields()
        for seat in fields["seats"]:
            seat["supply"] -= 9
        compare(Position.from_fields(setup.kernel_board, fields), seed)
