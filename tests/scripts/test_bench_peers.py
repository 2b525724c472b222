"""The scripts that measure speed: against OpenSpiel, there or not, and of large trees."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

import kbai

# As much of OpenSpiel as is called; a rollout takes no time but that of Python.
PEER = """
def load_game(name):
    return Game()

class Game:
    def new_initial_state(self):
        return "start"

class RandomRolloutEvaluator:
    def __init__(self, n_rollouts, seed):
        self.n_rollouts = n_rollouts

class MCTSBot:
    def __init__(self, game, evaluator, uct_c, max_simulations, max_memory_mb, solve, seed,
                 verbose):
        self.rollouts = max_simulations * evaluator.n_rollouts

    def mcts_search(self, state):
        assert state == "start"
        sum(range(100 * self.rollouts))
"""


def run_script(name, *args, folder=""):
    path = os.pathsep.join([str(folder), str(Path(kbai.__file__).parents[1])])
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / name, *args],
        env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


def test_without_open_spiel_one_sentence_says_how_to_get_it(tmp_path):
    (tmp_path / "pyspiel.py").write_text("raise ImportError")
    done = run_script("bench_peers.py", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        'OpenSpiel is not installed: `pip install -e ".[bench]"` gets it, and then run this again.'
    ]


def test_with_open_spiel_ratios_are_those_to_its_best_game(tmp_path):
    (tmp_path / "pyspiel.py").write_text(PEER)
    done = run_script(
        "bench_peers.py", "--rounds", "1", "--seconds", "0", "--simulations", "100", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    rates, ratios = (
        {
            name: figures.replace(",", "").split()
            for name, figures in re.findall(r"^(.+?)  +(\d.*)$", table, re.M)
        }
        for table in done.stdout.split("\n\n")
    )
    best = {
        kind: max(float(rates[f"{game}, {kind}"][0]) for game in
                  ("y(board_size=16)", "havannah(board_size=8)", "hex(board_size=11)"))
        for kind in ("random playouts", "MCTS")
    }  # fmt: skip
    wanted = {"random playouts": "20", "uct": "15", "mcts": "6"}
    assert ratios.keys() == wanted.keys()
    for name, (middle, low, high, bar) in ratios.items():
        ours = float(rates[f"kbai, {name}"][0])
        theirs = best["random playouts" if name == "random playouts" else "MCTS"]
        assert abs(float(middle) - ours / theirs) < 0.1
        assert low == middle == high and bar == wanted[name]


@pytest.mark.slow
def test_growth_measures_each_size_and_number_of_threads():
    done = run_script("growth.py", "--rounds", "1", "--nodes", "50", "100", "--threads", "1", "2")
    assert done.returncode == 0, done.stderr
    for search in done.stdout.strip().split("\n\n"):
        assert re.match(r"(mcts|uct) +visits/s", search)
        assert re.search(r"^ +50 nodes .* 100%\n +100 nodes .*%\n", search, re.M)
        assert re.search(r"^ +1 threads .* 100% .* 100%\n +2 threads .*%$", search, re.M)
