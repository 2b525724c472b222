"""Fit the numbers of kbai/search/calibration.py to games of `mcts` against itself.

    python scripts/fit_forecasts.py [--games 200] [--visits 2000] [--seats 2] [--sets base]

After every turn the position is searched, as reviews do it; with `--before` the position before it,
as suggestions do, for the turn with the most visits. The chances to win that the shares of the
playouts give are fitted by maximum likelihood to who won (a shared victory counts as its share),
for some values of the doubt; the gold for houses, tiles and free choices by least squares. Standard
errors are over games, whose turns are not independent. Check the numbers on other games:
scripts/calibration.py.
"""

import argparse
import math
import random
import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from self_play import add_options, each, play_game, positive, run

from kbai._fast import Position
from kbai._mcts import TurnNode
from kbai.core.points import points_of
from kbai.core.seeds import derive_seed
from kbai.game.steps import end_of
from kbai.notation.games import record_game
from kbai.report.document import number_table
from kbai.report.table_text import table_text
from kbai.review.plan import parts_of
from kbai.review.searches import PARAMS
from kbai.search.calibration import DOUBT, tiles_of
from kbai.search.params import Limit
from kbai.search.results import MAX_TURNS
from kbai.search.searcher import Searcher

DOUBTS = (0.002, 0.005, 0.01, 0.02, 0.04)
NEWTON_STEPS = 12
# How far one of them goes at most: from afar they overshoot.
LONGEST = 0.5
# Nearer than that they need not come.
CLOSE = 1e-3
# What the weights would be if nothing were known, with a standard error of 1: so that a few games
# that one seat always wins can be fitted, too.
NAMES = ("steepness", "last", "early", "mover", "tile", "choice")
PRIOR = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
RESAMPLES = 20


class Seen(NamedTuple):
    """What a search says of a position, by seat, beside how the game ended."""

    shares: tuple[float, ...]
    places: tuple[float, ...]
    """In the round, 0 for the first seat and 1 for the last."""
    left: tuple[float, ...]
    """Of the mover, the part of the supply that is left, squared; 0 for the other seats ..."""
    moved: tuple[float, ...]
    """... and the rest of 1."""
    tiles: tuple[int, ...]
    untouched: tuple[int, ...]
    gold: tuple[float, ...]
    supply: tuple[int, ...]
    houses: int
    """That a seat had at the start."""
    won: tuple[float, ...]
    got: tuple[int, ...]


def seen_in(args: argparse.Namespace, seed: int) -> list[Seen]:
    """Play a game and return what searches say after its turns, or before them."""
    start, played = play_game(args, seed)
    got = played.final.scores()
    found = []
    for number, part in enumerate(parts_of(record_game(start, played.steps))):
        position = part.position if args.before else part.after
        if position.is_over:
            continue
        searcher = Searcher(PARAMS)
        searcher.look_at(position, derive_seed(seed, "fit", number))
        searcher.run(Limit(args.visits))
        tree = searcher.trees[0]
        node, after = tree.root(), position
        if args.before:
            node = max(tree.turns(MAX_TURNS), key=lambda turn: turn.visits)
            after = end_of(position, node.steps)
        if not (node.is_proven or after.is_over):
            found.append(seen_of(node, after, part.seat, got))
    return found


def seen_of(node: TurnNode, after: Position, mover: int, got: Sequence[int]) -> Seen:
    """Return what a node of a search says of the position that a seat's turn has led to."""
    fields = after.fields()
    houses = after.board.houses
    seats = range(len(got))
    left = (fields["seats"][mover]["supply"] / houses) ** 2
    return Seen(
        tuple(seat.win for seat in node.seats),
        tuple((seat - fields["start"]) % len(got) / (len(got) - 1) for seat in seats),
        tuple((seat == mover) * left for seat in seats),
        tuple((seat == mover) * (1 - left) for seat in seats),
        tuple(map(tiles_of, fields["seats"])),
        after.untouched(),
        tuple(seat.gold for seat in node.seats),
        tuple(seat["supply"] for seat in fields["seats"]),
        houses,
        tuple(points_of(got)),
        tuple(got),
    )


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def features(seen: Seen, doubt: float) -> list[tuple[float, ...]]:
    """Return what the odds of each seat depend on."""
    logs = [math.log(share + doubt) for share in seen.shares]
    columns = zip(logs, seen.places, seen.left, seen.moved, seen.tiles, seen.untouched, strict=True)
    return [tuple(map(float, row)) for row in columns]


def chances(weights: Sequence[float], rows: Sequence[Sequence[float]]) -> list[float]:
    """Return the chance of each seat."""
    scores = [dot(weights, row) for row in rows]
    odds = [math.exp(score - max(scores)) for score in scores]
    return [each / sum(odds) for each in odds]


def fit(found: Sequence[Seen], doubt: float) -> tuple[list[float], float]:
    """Return the weights, as in PRIOR, and the mean loss of likelihood, by Newton's method."""
    numbers = range(len(PRIOR))
    weights = list(PRIOR)
    data = [(features(seen, doubt), seen.won) for seen in found]
    for _ in range(NEWTON_STEPS):
        slope = [prior - weight for prior, weight in zip(PRIOR, weights, strict=True)]
        curve = [[float(i == j) for j in numbers] for i in numbers]
        for rows, won in data:
            p = chances(weights, rows)
            mean = [dot(p, column) for column in zip(*rows, strict=True)]
            for row, share, mine in zip(rows, p, won, strict=True):
                for i in numbers:
                    slope[i] += (mine - share) * row[i]
                    for j in numbers:
                        curve[i][j] += share * (row[i] - mean[i]) * (row[j] - mean[j])
        steps = solve(curve, slope)
        share = min(1.0, LONGEST / max(map(abs, steps)))
        weights = [w + share * step for w, step in zip(weights, steps, strict=True)]
        if max(map(abs, steps)) < CLOSE:
            break
    loss = statistics.fmean(
        -sum(mine * math.log(p) for mine, p in zip(won, chances(weights, rows), strict=True))
        for rows, won in data
    )
    return weights, loss


def solve(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    """Return the solution of linear equations, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, vector, strict=True)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(size):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[size] / row[i] for i, row in enumerate(rows)]


def more_gold(found: Iterable[Seen]) -> list[float]:
    """Return what seats gain more than playouts say: for each house left, tile and free choice."""
    # Nearly nothing in the diagonal: there are games without tiles.
    curve = [[1e-6 * (i == j) for j in range(3)] for i in range(3)]
    slope = [0.0] * 3
    for seen in found:
        columns = zip(seen.supply, seen.tiles, seen.untouched, seen.gold, seen.got, strict=True)
        for supply, tiles, untouched, gold, got in columns:
            left = supply / seen.houses
            row = (supply, tiles * left, untouched * left)
            for i in range(3):
                slope[i] += row[i] * (got - gold)
                for j in range(3):
                    curve[i][j] += row[i] * row[j]
    return solve(curve, slope)


def spread(games: Sequence[list[Seen]], value) -> list[float]:
    """Return the standard errors of numbers that are made of games."""
    generator = random.Random(1)
    draws = []
    for _ in range(RESAMPLES):
        drawn = generator.choices(games, k=len(games))
        draws.append(value([seen for game in drawn for seen in game]))
    return [statistics.stdev(column) for column in zip(*draws, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--visits", type=positive, default=2000, help="of a search and of a turn")
    parser.add_argument("--before", action="store_true", help="search before turns, not after")
    parser.set_defaults(games=200)
    args = parser.parse_args()
    args.bot = args.bot or f"mcts:visits={args.visits}"
    games = list(each(args, seen_in))
    found = [seen for game in games for seen in game]
    print(
        f"{args.bot}, {args.games} games, {args.seats} seats, {args.sets}, {len(found)} positions\n"
    )
    rows = [["doubt", *NAMES, "log loss"]]
    for doubt in DOUBTS:
        weights, loss = fit(found, doubt)
        rows.append([f"{doubt:g}", *(f"{weight:.2f}" for weight in weights), f"{loss:.4f}"])
    errors = spread(games, lambda drawn: fit(drawn, DOUBT)[0])
    rows.append(["+/-", *(f"{error:.2f}" for error in errors), ""])
    print(table_text(number_table(*rows)))
    errors = spread(games, more_gold)
    numbers = zip(("house left", "tile", "free choice"), more_gold(found), errors, strict=True)
    print()
    for name, number, error in numbers:
        print(f"gold for each {name}: {number:.3f} +/- {error:.3f}")


if __name__ == "__main__":
    run(main)
