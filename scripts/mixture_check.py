"""How should a suggestion divide its time between the tree and games played on?

    python scripts/mixture_check.py FILE [--games 24] [--first-seed 9000000]

One position comes from each game of `--source` with itself. It is searched by trees of several
sizes. Their best turns are played on by small searches, as `kbai suggest` does it, with many visits
or with few, and by mcts:visits=4000 on other cards: that is the truth. So every mixture of a tree,
a number of turns played on and a number of games of each can be tried on the same games. FILE keeps
them; run it again with the same FILE to go on where it stopped.

The table has, for the time that two cores have in so many seconds, the mixtures that recommend the
best turns and those that forecast them best: the error of the margin and of the chance to win of
the first turn, the noise of the true games taken off, and by how much gold and how many points the
recommended turn is worth more than that of the largest tree alone.
"""

import argparse
import json
import math
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, stdev, variance
from typing import NamedTuple

from self_play import add_options, each, play_on, positive, run
from truth import position_of

from kbai._fast import Position
from kbai.core.points import margins_of, points_of
from kbai.core.seeds import derive_seed
from kbai.game.steps import end_of
from kbai.rollouts.blend import blended
from kbai.rollouts.compare import RolledOut
from kbai.rollouts.games import QUICK, Ending, RolloutGame, play_rollout, visits_for
from kbai.rollouts.luck import FairDeals
from kbai.search.params import Limit
from kbai.search.results import Suggestion, TurnChoice
from kbai.search.suggest import suggest

BOT = "mcts:visits=4000"
TREES = (4_000, 32_000, 256_000)
TURNS = (1, 2, 4)
GAMES = (4, 8, 16, 32, 64)
# What the visits of a turn in these games are divided by.
PARTS = (1, QUICK)
BUDGETS = (0.5, 1, 2, 5, 15, 60)
CORES = 2
SHOWN = 3


class Mixture(NamedTuple):
    """How much of everything there is."""

    visits: int
    turns: int
    games: int
    part: int
    """What their visits are divided by."""

    def __str__(self) -> str:
        if not self.games:
            return f"{self.visits:,} visits"
        name = "games" if self.part == 1 else "quick games"
        return f"{self.visits:,} visits, {self.turns} turns, {self.games} {name} each"


MIXTURES = [Mixture(visits, 1, 0, 1) for visits in TREES] + [
    Mixture(visits, turns, games, part)
    for visits in TREES for turns in TURNS for games in GAMES for part in PARTS
]  # fmt: skip


class Answer(NamedTuple):
    """What a mixture says of a position, what it costs, and what is true of the turn it chose."""

    cpu: float
    margin: float
    win: float
    true_margin: float
    true_win: float
    margin_noise: float
    win_noise: float


class Played:
    """The turns of a position, and the games from where they lead."""

    def __init__(self, position: Position, seed: int, times: int) -> None:
        self.position = position
        self.seed = seed
        self.times = times
        self.deals = FairDeals(position, derive_seed(seed, "rollouts"))
        self.small: dict[int, dict[tuple[int, ...], list[Ending]]] = {part: {} for part in PARTS}
        self.true: dict[tuple[int, ...], list[list[int]]] = {}
        self.cpu = dict.fromkeys(PARTS, 0.0)
        """Of all small games, by their part."""

    def add(self, turn: TurnChoice) -> None:
        """Play the games of a turn."""
        if turn.steps in self.true:
            return
        end = end_of(self.position, turn.steps)
        number = len(self.true)
        deals = [self.deals[game] for game in range(max(GAMES))]
        for part in PARTS:
            visits = visits_for(end) // part
            began = time.process_time()
            self.small[part][turn.steps] = [
                play_rollout(RolloutGame(end, visits, cards, derive_seed(cards, number)))
                for cards in deals
            ]
            self.cpu[part] += time.process_time() - began
        self.true[turn.steps] = [
            list(play_on(end, BOT, derive_seed(self.seed, "true", number), number).final.scores())
            for number in range(self.times)
        ]

    def cpu_of_a_game(self, part: int) -> float:
        return self.cpu[part] / max(1, sum(map(len, self.small[part].values())))


def first_of(found: Suggestion, mixture: Mixture, played: Played) -> TurnChoice:
    """Return the turn that a mixture recommends."""
    chosen = found.turns[: mixture.turns]
    if not mixture.games:
        return chosen[0]
    small = played.small[mixture.part]
    numbers = tuple(range(mixture.games))
    rolled = [RolledOut(tuple(small[turn.steps][: mixture.games]), numbers) for turn in chosen]
    seat = found.position.actor
    return max(blended(found.position, chosen, rolled), key=lambda turn: turn.seats[seat].win.value)


def answers_for(args: argparse.Namespace, seed: int) -> str:
    """Return the line of a seed: the answers of all mixtures, or none if nothing is in doubt."""
    if str(seed) in args.done:
        return ""
    position = position_of(args, seed)
    found, cpu = [], []
    for visits in TREES:
        began = time.process_time()
        found.append(suggest(position, Limit(visits), seed=seed, top=max(TURNS)))
        cpu.append(time.process_time() - began)
    if any(turn.is_proven for tree in found for turn in tree.turns):
        return json.dumps({"seed": seed, "answers": []})
    played = Played(position, seed, args.times)
    for tree in found:
        for turn in tree.turns[: max(TURNS)]:
            played.add(turn)
    answers = []
    for mixture in MIXTURES:
        number = TREES.index(mixture.visits)
        turn = first_of(found[number], mixture, played)
        outlook = turn.seats[position.actor]
        golds = played.true[turn.steps]
        margins = [margins_of(gold)[position.actor] for gold in golds]
        wins = [points_of(gold)[position.actor] for gold in golds]
        answers.append(Answer(
            cpu[number] + mixture.turns * mixture.games * played.cpu_of_a_game(mixture.part),
            outlook.margin.value, outlook.win.value, fmean(margins), fmean(wins),
            variance(margins) / len(margins), variance(wins) / len(wins),
        ))  # fmt: skip
    return json.dumps({"seed": seed, "answers": answers})


def error_of(errors: list[float], noise: list[float]) -> float:
    return math.sqrt(max(0.0, fmean(error**2 for error in errors) - fmean(noise)))


def gain_of(gains: list[float]) -> str:
    return f"{fmean(gains):+6.2f} +/- {1.96 * stdev(gains) / math.sqrt(len(gains)):.2f}"


def rows_of(data: list[list[Answer]]) -> Iterator[tuple[Mixture, float, float, float, float, str]]:
    """Yield each mixture with its cost, its errors, the gold it gains, and its figures as text."""
    base = [answers[TREES.index(max(TREES))] for answers in data]
    for number, mixture in enumerate(MIXTURES):
        rows = [answers[number] for answers in data]
        margin = error_of([row.margin - row.true_margin for row in rows],
                          [row.margin_noise for row in rows])  # fmt: skip
        win = 100 * error_of([row.win - row.true_win for row in rows],
                             [row.win_noise for row in rows])  # fmt: skip
        gold = [row.true_margin - other.true_margin for row, other in zip(rows, base, strict=True)]
        points = [100 * (row.true_win - other.true_win)
                  for row, other in zip(rows, base, strict=True)]  # fmt: skip
        text = (f"{margin:4.1f} gold {win:5.1f} points; gains {gain_of(gold)} gold, "
                f"{gain_of(points)} points")  # fmt: skip
        yield mixture, fmean(row.cpu for row in rows), margin, win, fmean(gold), text


def tell(data: list[list[Answer]]) -> None:
    """Print the best mixtures of each budget."""
    found = list(rows_of(data))
    print(f"{len(data)} positions in which something was in doubt")
    for budget in BUDGETS:
        rows = [row for row in found if row[1] <= CORES * budget]
        print(f"\n{budget:g} s:")
        for name, key in (
            ("errors", lambda row: row[2] / 2.5 + row[3] / 8),
            ("choice", lambda row: -row[4]),
        ):
            for mixture, cpu, *_, text in sorted(rows, key=key)[:SHOWN]:
                print(f"  by {name}: {mixture} ({cpu:.2f} CPU s): {text}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    add_options(parser)
    parser.add_argument("--source", default="mcts:visits=400", help="whose games positions are of")
    parser.add_argument("--times", type=positive, default=16, help="true games of each turn")
    parser.set_defaults(games=24)
    args = parser.parse_args()
    kept = args.file.read_text().splitlines() if args.file.exists() else []
    args.done = {str(json.loads(line)["seed"]) for line in kept}
    with args.file.open("a") as file:
        for line in each(args, answers_for):
            if line:
                file.write(line + "\n")
                file.flush()
    lines = [json.loads(line)["answers"] for line in args.file.read_text().splitlines()]
    tell([[Answer(*answer) for answer in answers] for answers in lines if answers])


if __name__ == "__main__":
    run(main)
