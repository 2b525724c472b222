"""Compare what `mcts` forecasts in games against itself with how these games ended.

    python scripts/calibration.py [--games 200] [--visits 2000] [--seats 2] [--sets base]

Before every turn the seat that has it is asked for its chance to win if it plays its best turn.
Prints ten bins of forecasts: their mean, how often the seat won (a shared victory counts as its
share) with an interval, and the difference. Turns of one game are not independent; the intervals
are over games. Then the same for the gold.
"""

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from self_play import add_options, each, play_game, positive, run

from kbai._fast import Position
from kbai.core.intervals import mean_estimate
from kbai.core.points import margins_of, points_of
from kbai.core.seeds import derive_seed
from kbai.game.steps import advance
from kbai.report.document import number_table
from kbai.report.table_text import table_text
from kbai.search.params import Limit
from kbai.search.suggest import suggest

BINS = 10
# In one row of the table of biases.
ROUNDS = 2


class Forecast(NamedTuple):
    """What was said before a turn, and what came."""

    game: int
    turn: int
    win: float
    gold: float
    margin: float
    won: float
    got: int
    ahead: int


def forecasts_in(args: argparse.Namespace, seed: int) -> list[Forecast]:
    """Play a game and return the forecasts of its turns."""
    start, played = play_game(args, seed)
    golds = played.final.scores()
    found = []
    current, is_asked = start.copy(), False
    for step in played.steps:
        if not is_asked and not current.pending_draw:
            is_asked = True
            found.append(forecast(current, args, seed, len(found), golds))
        mover = current.mover
        advance(current, step)
        is_asked = is_asked and current.mover == mover and not current.is_over
    return found


def forecast(
    position: Position, args: argparse.Namespace, seed: int, turn: int, golds: Sequence[int]
) -> Forecast:
    """Return what the search says of a position, beside how the game ended."""
    search_seed = derive_seed(seed, "forecast", turn)
    best = suggest(position, Limit(args.visits), seed=search_seed).turns[0]
    seat = position.actor
    outlook = best.seats[seat]
    return Forecast(
        seed, turn, outlook.win.value, outlook.gold.value, outlook.margin.value,
        points_of(golds)[seat], golds[seat], margins_of(golds)[seat],
    )  # fmt: skip


def by_game(found: list[Forecast], value) -> list[float]:
    """Return the mean of a value for each game."""
    games: dict[int, list[float]] = {}
    for item in found:
        games.setdefault(item.game, []).append(value(item))
    return [sum(values) / len(values) for values in games.values()]


def bin_rows(found: list[Forecast]) -> list[list[str]]:
    """Return the table of the bins."""
    rows = [["forecast %", "turns", "games", "mean %", "won %", "+/-", "difference"]]
    for number in range(BINS):
        part = [f for f in found if min(int(f.win * BINS), BINS - 1) == number]
        name = f"{100 * number // BINS}-{100 * (number + 1) // BINS}"
        if not part:
            rows.append([name, "0", "0", "", "", "", ""])
            continue
        mean = sum(f.win for f in part) / len(part)
        won = sum(f.won for f in part) / len(part)
        spread = mean_estimate(by_game(part, lambda f: f.won))
        rows.append([
            name, str(len(part)), str(len({f.game for f in part})), f"{100 * mean:.1f}",
            f"{100 * won:.1f}", f"{50 * (spread.high - spread.low):.1f}",
            f"{100 * (won - mean):+.1f}",
        ])  # fmt: skip
    return rows


def round_rows(found: list[Forecast], seats: int) -> list[list[str]]:
    """Return by how much forecasts were too high, early and late in the games.

    In a round every seat has one turn, and one of them wins in the end. So the chances of those
    whose turn it is are even in the mean, whoever wins: that column has hardly any luck in it, and
    with two seats neither has the margin. Intervals are over games.
    """
    rows = [["rounds", "forecasts", "win %", "+/-", "gold", "margin", "+/-"]]
    size = ROUNDS * seats
    for low in range(0, max(f.turn for f in found) + 1, size):
        part = [f for f in found if low <= f.turn < low + size]
        rows.append(bias_row(f"{low // seats + 1}-{low // seats + ROUNDS}", part))
    return [*rows, bias_row("all", found)]


def bias_row(name: str, part: list[Forecast]) -> list[str]:
    win, gold, margin = (
        mean_estimate(by_game(part, value))
        for value in (
            lambda f: 100 * (f.win - f.won),
            lambda f: f.gold - f.got,
            lambda f: f.margin - f.ahead,
        )
    )
    return [
        name, str(len(part)), f"{win.value:+.1f}", f"{win.high - win.value:.1f}",
        f"{gold.value:+.1f}", f"{margin.value:+.1f}", f"{margin.high - margin.value:.1f}",
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--visits", type=positive, default=2000, help="of a forecast and of a turn")
    parser.set_defaults(games=200)
    args = parser.parse_args()
    args.bot = args.bot or f"mcts:visits={args.visits}"
    found = [item for items in each(args, forecasts_in) for item in items]
    games = f"{args.bot}, {args.games} games, {args.seats} seats, {args.sets}"
    print(f"{games}, {args.visits} visits a forecast\n")
    print(table_text(number_table(*bin_rows(found))))
    print("\nHow much higher the forecasts were than what came:\n")
    print(table_text(number_table(*round_rows(found, args.seats))))


if __name__ == "__main__":
    run(main)
