"""Compare forecasts with games that strong bots played from the same positions.

    python scripts/truth_check.py FILE [--visits 4000] [--rollouts 64] [--replay 32]

FILE was made by scripts/truth.py. Errors are root mean squares with the noise of these games taken
off; a bias is that of the seat whose turn it is. An interval holds if it comes within two standard
errors of the games. Positions in which all that can follow is known are counted apart: the numbers
are exact there, and bots miss them by a little. Use one file to choose the numbers of
kbai/search/calibration.py and another one to check them.

Below them are the chances of all seats by tenths: how often they were forecast to win, and how
often they did.

Bots may play another turn than the one that is recommended. So with `--replay` the recommended turn
is played as well, and mcts:visits=4000 plays so many games on from there: the test of the first
line of a list. Then there are two tables.
"""

import argparse
import json
import math
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean, stdev, variance
from typing import NamedTuple

from self_play import play_on, positive, run
from tqdm import tqdm

from kbai._fast import Position
from kbai.core.intervals import Estimate
from kbai.core.points import margins_of, points_of
from kbai.core.seeds import derive_seed
from kbai.game.steps import end_of
from kbai.notation.positions import parse_position
from kbai.rollouts.suggest import RolloutPlan, add_rollouts
from kbai.search.calibration import log_odds
from kbai.search.params import Limit
from kbai.search.results import TurnChoice
from kbai.search.suggest import suggest

BOT = "mcts:visits=4000"


class Compared(NamedTuple):
    """A forecast, and what games say: the mean and the square of its standard error."""

    forecast: Estimate
    games: float
    noise: float

    @property
    def error(self) -> float:
        return self.forecast.value - self.games

    @property
    def holds(self) -> bool:
        room = 2 * math.sqrt(self.noise)
        return self.forecast.low - room <= self.games <= self.forecast.high + room


class Case(NamedTuple):
    """What is forecast of a turn, beside games."""

    rows: dict[str, Compared]
    """Of the seat to move."""
    chances: list[tuple[float, float]]
    """Of every seat: as forecast, and as games say."""


class Found(NamedTuple):
    """What is forecast of a position, and the CPU seconds that took."""

    cases: tuple[Case, ...]
    """Beside games from the position, from the recommended turn; none if what follows is known."""
    seconds: float


def compare(args: argparse.Namespace, line: str) -> Found:
    """Return what is forecast of a position, beside its games."""
    data = json.loads(line)
    position, seed = parse_position(data["position"]), data["seed"]
    began = time.process_time()
    found = suggest(position, Limit(args.visits), seed=seed, top=args.turns)
    first = found.turns[0].steps
    if args.rollouts:
        plan = RolloutPlan(games=args.rollouts, visits=args.small)
        found = add_rollouts(found, plan)
    seconds = time.process_time() - began
    # Bots play the turn that a tree recommends. One that games find to be better is worth more than
    # what bots reach.
    turn = turn_with(found.turns, first)
    best = found.turns[0]
    if turn.is_proven or best.is_proven:
        return Found((), seconds)
    cases = [case_of(turn, data["mover"], data["gold"])]
    if args.replay:
        golds = replayed(end_of(position, best.steps), args.replay, seed)
        cases.append(case_of(best, data["mover"], golds))
    return Found(tuple(cases), seconds)


def turn_with(turns: Sequence[TurnChoice], steps: tuple[int, ...]) -> TurnChoice:
    """Return the turn with these steps, or the one that they are a variant of."""
    return next(
        turn
        for turn in turns
        if steps in (turn.steps, *(variant.steps for variant in turn.variants))
    )


def case_of(turn: TurnChoice, mover: int, golds: Sequence[Sequence[int]]) -> Case:
    """Return what is forecast of a turn, beside the gold of all seats in some games."""
    outlook = turn.seats[mover]
    points = [points_of(gold) for gold in golds]
    played = {
        "win": [each[mover] for each in points],
        "margin": [margins_of(gold)[mover] for gold in golds],
        "gold": [gold[mover] for gold in golds],
    }
    noise = {name: variance(values) / len(values) for name, values in played.items()}
    # If all games were won, the next one could still be lost.
    n = len(golds)
    chance = (sum(played["win"]) + 1) / (n + 2)
    noise["win"] = max(noise["win"], chance * (1 - chance) / n)
    rows = {
        name: Compared(getattr(outlook, name), fmean(values), noise[name])
        for name, values in played.items()
    }
    won = map(fmean, zip(*points, strict=True))
    chances = [(seat.win.value, share) for seat, share in zip(turn.seats, won, strict=True)]
    return Case(rows, chances)


def replayed(position: Position, times: int, seed: int) -> list[tuple[int, ...]]:
    """Return the gold at the end of so many games from a position, all with other cards."""
    return [
        play_on(position, BOT, derive_seed(seed, "replay", number), number).final.scores()
        for number in range(times)
    ]


def error_of(rows: Sequence[Compared]) -> float:
    squares = fmean(row.error**2 for row in rows) - fmean(row.noise for row in rows)
    return math.sqrt(max(squares, 0.0))


def needed(rows: Sequence[Compared], scale: Callable[[float], float]) -> float:
    """Return the standard deviation whose 95 % interval would hold 95 of 100 of the games."""
    gaps = []
    for row in rows:
        room = 2 * math.sqrt(row.noise)
        low, high = scale(row.games - room), scale(row.games + room)
        gaps.append(max(low - scale(row.forecast.value), scale(row.forecast.value) - high, 0.0))
    return sorted(gaps)[math.ceil(0.95 * len(gaps)) - 1] / 1.96


def tell(title: str, cases: Sequence[Case]) -> None:
    """Print how forecasts compare with games."""
    print(f"\n{title}")
    for name in ("win", "margin", "gold"):
        rows = [case.rows[name] for case in cases]
        factor = 100 if name == "win" else 1
        bias = [factor * row.error for row in rows]
        spread = needed(rows, log_odds if name == "win" else float)
        unit = " in log-odds" if name == "win" else ""
        print(
            f"{name:7} error {factor * error_of(rows):5.2f}  bias {fmean(bias):+.2f} "
            f"+/- {1.96 * stdev(bias) / math.sqrt(len(bias)):.2f}  intervals hold "
            f"{sum(row.holds for row in rows)} of {len(rows)}; 95 % need a deviation of "
            f"{spread:.2f}{unit}"
        )
    tell_tenths(cases)


def tell_tenths(cases: Sequence[Case]) -> None:
    """Print what became of forecasts, by tenths; the seats of a position are no cases apart."""
    table: dict[int, dict[int, list[tuple[float, float]]]] = {}
    for number, case in enumerate(cases):
        for pair in case.chances:
            tenth = min(int(10 * pair[0]), 9)
            table.setdefault(tenth, {}).setdefault(number, []).append(pair)
    for tenth, positions in sorted(table.items()):
        pairs = [pair for group in positions.values() for pair in group]
        mean, won = (100 * fmean(column) for column in zip(*pairs, strict=True))
        sums = [sum(share - chance for chance, share in group) for group in positions.values()]
        error = 196 * math.hypot(*sums) / len(pairs)
        print(f"{10 * tenth:3} to {10 * tenth + 10} %: {len(pairs):4} cases, forecast {mean:4.1f}, "
              f"won {won:4.1f}, {won - mean:+.1f} +/- {error:.1f}")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--visits", type=positive, default=4000, help="of the tree")
    parser.add_argument("--rollouts", type=int, default=0, help="games of the best turn")
    parser.add_argument("--turns", type=positive, default=4, help="turns played on")
    parser.add_argument("--small", type=positive, help="visits of a turn in them")
    parser.add_argument("--replay", type=int, default=0, help="games from the recommended turn")
    parser.add_argument("--workers", type=positive, default=os.cpu_count())
    args = parser.parse_args()
    lines = args.file.read_text().splitlines()
    with Pool(args.workers) as pool:
        todo = pool.imap(partial(compare, args), lines)
        found = list(tqdm(todo, total=len(lines), unit="position", disable=None))
    seconds = fmean(each.seconds for each in found)
    compared = [each.cases for each in found if each.cases]
    print(f"{len(compared)} positions, {seconds:.2f} CPU seconds each; "
          f"{len(found) - len(compared)} more are known exactly")  # fmt: skip
    titles = ("Against games from the position:", "Against games from the recommended turn:")
    for title, cases in zip(titles, zip(*compared, strict=True), strict=False):
        tell(title, cases)


if __name__ == "__main__":
    run(main)
