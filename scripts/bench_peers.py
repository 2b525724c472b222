"""Compare our playouts and searches with those of OpenSpiel, both in one run.

    python scripts/bench_peers.py [--rounds 5] [--seconds 1] [--simulations 10000]

Needs OpenSpiel (`pip install -e ".[bench]"`). Its games are placement games of about the length of
ours, its playouts and its search (MCTSBot with RandomRolloutEvaluator) run in C++ from the first
move to the last. Ours is the first game of the rule book, cards drawn as chance nodes. All run in
one thread and take turns, so that whatever else the machine does hits all; seconds are those of the
processor. A simulation is a way down the tree and one playout; each search starts a new tree.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from types import ModuleType

from tqdm import tqdm

from kbai._fast import Position
from kbai.bots.builtin import MCTS, UCT
from kbai.game.setup import Setup
from kbai.search.params import Limit, SearchParams
from kbai.search.searcher import Searcher

GAMES = ("y(board_size=16)", "havannah(board_size=8)", "hex(board_size=11)")
SEED = 1
PLAYOUTS = 1000  # in one go
UCT_C = 2.0  # exploration of OpenSpiel's search, as in its examples
MEMORY_MB = 2000  # more than any of its searches here takes: it never has to collect garbage
MISSING = (
    'OpenSpiel is not installed: `pip install -e ".[bench]"` gets it, and then run this again.'
)


@dataclass(frozen=True)
class Contender:
    """Something that is measured: a job that does so many playouts or simulations."""

    name: str
    size: int
    job: Callable[[], object]

    def rate(self, seconds: float) -> float:
        """Do the job for so long and return how much was done a second."""
        start = time.process_time()
        done, used = 0, 0.0
        while not done or used < seconds:
            self.job()
            done += self.size
            used = time.process_time() - start
        return done / used


@dataclass(frozen=True)
class Duel:
    """Our way to do something, theirs, and how many times as much ours should do."""

    name: str
    ours: Contender
    theirs: Sequence[Contender]
    wanted: float


def our_playouts(start: Position) -> Contender:
    return Contender("kbai, random playouts", PLAYOUTS, lambda: start.playouts(PLAYOUTS, SEED))


def our_search(name: str, params: SearchParams, start: Position, simulations: int) -> Contender:
    def search() -> None:
        searcher = Searcher(params)
        searcher.look_at(start, SEED)
        searcher.run(Limit(simulations))

    return Contender(f"kbai, {name}", simulations, search)


def their_search(pyspiel: ModuleType, name: str, simulations: int) -> Contender:
    return Contender(f"{name}, MCTS", simulations, _their_job(pyspiel, name, simulations, 1))


def their_playouts(pyspiel: ModuleType, name: str) -> Contender:
    """Return a search of one simulation: the rollouts from the first move, and no tree."""
    job = _their_job(pyspiel, name, 1, PLAYOUTS)
    return Contender(f"{name}, random playouts", PLAYOUTS, job)


def _their_job(
    pyspiel: ModuleType, name: str, simulations: int, rollouts: int
) -> Callable[[], object]:
    game = pyspiel.load_game(name)
    start = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, SEED)
    bot = pyspiel.MCTSBot(
        game, evaluator, UCT_C, simulations, MEMORY_MB, solve=False, seed=SEED, verbose=False
    )
    return lambda: bot.mcts_search(start)


def find_duels(pyspiel: ModuleType, simulations: int) -> list[Duel]:
    """Return what is compared; both searches of ours meet the same one of theirs."""
    start = Setup.first_game().start_position()
    playouts = [their_playouts(pyspiel, name) for name in GAMES]
    searches = [their_search(pyspiel, name, simulations) for name in GAMES]
    return [
        Duel("random playouts", our_playouts(start), playouts, 20),
        Duel("uct", our_search("uct", UCT, start, simulations), searches, 15),
        Duel("mcts", our_search("mcts", MCTS, start, simulations), searches, 6),
    ]


def measure(
    contenders: Sequence[Contender], rounds: int, seconds: float
) -> dict[Contender, list[float]]:
    """Let all take turns, after one that does not count."""
    rates: dict[Contender, list[float]] = {contender: [] for contender in contenders}
    with tqdm(total=(rounds + 1) * len(contenders), unit="run", disable=None) as bar:
        for number in range(rounds + 1):
            for contender in contenders:
                rate = contender.rate(seconds if number else 0)
                if number:
                    rates[contender].append(rate)
                bar.update()
    return rates


def compare(duel: Duel, rates: dict[Contender, list[float]]) -> list[float]:
    """Return in each round how many times as much we did as their best game."""
    best = max(duel.theirs, key=lambda contender: median(rates[contender]))
    return [our / their for our, their in zip(rates[duel.ours], rates[best], strict=True)]


def row(name: str, figures: Sequence[float], form: str) -> str:
    """Return a line of a table: the median and the range."""
    values = (median(figures), min(figures), max(figures))
    return f"{name:40}" + "".join(f"{value:{form}}" for value in values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1, help="of each run of a round, at least")
    parser.add_argument("--simulations", type=int, default=10_000, help="of one search")
    args = parser.parse_args()
    if args.rounds < 1 or args.simulations < 1:
        parser.error("expected at least one round and one simulation")
    try:
        import pyspiel
    except ImportError:
        sys.exit(MISSING)
    duels = find_duels(pyspiel, args.simulations)
    contenders = dict.fromkeys(c for duel in duels for c in (duel.ours, *duel.theirs))
    rates = measure(list(contenders), args.rounds, args.seconds)
    print(f"{'a second':40}{'median':>10}{'low':>10}{'high':>10}")
    for contender, found in rates.items():
        print(row(contender.name, found, "10,.0f"))
    print(f"\n{'times the best of OpenSpiel':40}{'median':>10}{'low':>10}{'high':>10}  wanted")
    for duel in duels:
        print(row(duel.name, compare(duel, rates), "10.1f") + f"{duel.wanted:8g}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped")
