"""How much less gold do small searches make of the houses that are left than strong bots?

    python scripts/small_games.py [--games 80] [--seats 2] [--sets base] [--bot mcts:visits=1000]

One position comes from each game of `--source` with itself, before a turn chosen at random. From
there `--bot` plays on all seats, `--times` times, and `--strong` does so on the same cards. The
difference in gold a seat is fitted in proportion to the houses left. kbai/rollouts/blend.py adds it
to what games of small searches say.
"""

import argparse
from statistics import fmean
from typing import NamedTuple

from self_play import add_options, each, play_on, positive, run
from truth import position_of

from kbai.core.intervals import mean_estimate
from kbai.core.seeds import derive_seed

HOUSES_A_ROW = 10


class Gap(NamedTuple):
    """A position: the houses that a seat has left, and the gold that it makes more."""

    supply: float
    gold: float


def gap_of(args: argparse.Namespace, seed: int) -> Gap:
    """Play the position of a seed on."""
    position = position_of(args, seed)
    gold = []
    for number in range(args.times):
        cards = derive_seed(seed, "deal", number)
        small, strong = (
            fmean(play_on(position, bot, cards, seed + number).final.scores())
            for bot in (args.bot, args.strong)
        )
        gold.append(strong - small)
    return Gap(fmean(seat["supply"] for seat in position.fields()["seats"]), fmean(gold))


def tell(gaps: list[Gap]) -> None:
    """Print the differences by houses left, and the proportion."""
    houses = sum(gap.supply for gap in gaps)
    # Weighted by houses, a proportion is a ratio of sums; its interval is over positions.
    ratio = sum(gap.gold for gap in gaps) / houses
    scale = houses / len(gaps)
    rests = mean_estimate([(gap.gold - ratio * gap.supply) / scale for gap in gaps])
    print(f"a house: {ratio:.3f} +/- {rests.high - rests.value:.3f} gold")
    for low in range(0, int(max(gap.supply for gap in gaps)) + 1, HOUSES_A_ROW):
        part = [gap.gold for gap in gaps if low <= gap.supply < low + HOUSES_A_ROW]
        if part:
            name = f"{low} to {low + HOUSES_A_ROW - 1} left"
            print(f"{name}: {len(part)} positions, {fmean(part):+.2f} gold")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options(parser)
    parser.add_argument("--source", default="mcts:visits=400", help="whose games positions are of")
    parser.add_argument("--strong", default="mcts:visits=4000", help="the strong bot")
    parser.add_argument("--times", type=positive, default=6, help="games from each position")
    parser.set_defaults(games=80, bot="mcts:visits=1000", first_seed=55000000)
    args = parser.parse_args()
    tell(list(each(args, gap_of)))


if __name__ == "__main__":
    run(main)
