"""Check that the numbers of a list of turns agree with its order and with their intervals.

    python scripts/suggest_checks.py order [--games 200] [--rollouts 8]
    python scripts/suggest_checks.py seeds [--games 1] [--times 30]

`order` looks at one position of each game of `--source` with itself: no turn may stand above one
that is better in every number that is printed, beyond its interval. `seeds` searches a position
many times with other seeds: the intervals should hold the mean of what all of them say.
"""

import argparse
from statistics import fmean, stdev

from self_play import add_options, each, positive, run
from truth import position_of

from kbai._fast import Position
from kbai.core.intervals import Estimate
from kbai.rollouts.suggest import RolloutPlan, add_rollouts
from kbai.search.params import Limit
from kbai.search.results import Outlook, Suggestion
from kbai.search.suggest import suggest


def ask(position: Position, args: argparse.Namespace, seed: int) -> Suggestion:
    found = suggest(position, Limit(args.visits), seed=seed, top=5)
    if not args.rollouts:
        return found
    return add_rollouts(found, RolloutPlan(args.rollouts))


def is_better(low: Outlook, high: Outlook) -> bool:
    """Return whether a lower line is better than a higher one, in every number of the table."""
    pairs: list[tuple[Estimate, Estimate]] = [
        (low.win, high.win),
        (low.gold, high.gold),
        (low.margin, high.margin),
    ]
    return all(one.value > other.high for one, other in pairs)


def order_of(args: argparse.Namespace, seed: int) -> tuple[bool, bool]:
    """Return whether the order of a position is wrong, and whether a lower line wins more often."""
    position = position_of(args, seed)
    lines = [turn.seats[position.actor] for turn in ask(position, args, seed).turns]
    pairs = [(low, high) for n, low in enumerate(lines) for high in lines[:n]]
    is_wrong = any(is_better(low, high) for low, high in pairs)
    return is_wrong, any(low.win.value > lines[0].win.value for low in lines)


def seeds_of(args: argparse.Namespace, seed: int) -> tuple[int, float, float]:
    """Return how many intervals hold the mean, the mean and the spread of the chances."""
    position = position_of(args, seed)
    wins = [ask(position, args, seed + n).turns[0].seats[position.actor].win
            for n in range(args.times)]  # fmt: skip
    mean = fmean(win.value for win in wins)
    return sum(win.low <= mean <= win.high for win in wins), mean, stdev(w.value for w in wins)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("check", choices=("order", "seeds"))
    add_options(parser)
    parser.set_defaults(games=None)
    parser.add_argument("--source", default="mcts:visits=1000", help="whose games positions are of")
    parser.add_argument("--visits", type=positive, default=4000, help="of a search")
    parser.add_argument("--rollouts", type=int, default=0, help="games of the best turn")
    parser.add_argument("--times", type=positive, default=30, help="seeds of a position")
    args = parser.parse_args()
    args.games = args.games or (200 if args.check == "order" else 1)
    if args.check == "order":
        found = list(each(args, order_of))
        wrong, higher = map(sum, zip(*found, strict=True))
        print(
            f"{len(found)} positions: {wrong} with a turn above one better in every number; "
            f"in {higher} a lower line wins more often than the first, within the interval"
        )
        return
    for held, mean, spread in each(args, seeds_of):
        print(
            f"{held} of {args.times} intervals hold the mean of {100 * mean:.1f} %; the searches "
            f"differ by {100 * spread:.1f} points (standard deviation)"
        )


if __name__ == "__main__":
    run(main)
