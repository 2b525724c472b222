"""Compare what a tree says about the first two ideas of positions, source by source, with games.

    python scripts/why_check.py --games 40 --sets all

One position comes from each game of `--source` with itself, before a turn chosen at random. A tree
finds the first two ideas, and small searches play both on, `--times` times with the same cards. For
each source of gold that differs, the tree's difference is compared with the mean of the games. With
`--times 0` only the sentences are printed, with the positions they are about.
"""

import argparse
import math
from dataclasses import dataclass, replace
from statistics import fmean

from self_play import add_options, each, positive, run
from truth import position_of

from kbai.core.uncertainty import Measured, mean_of
from kbai.explain.compare import compare, evidence_between
from kbai.explain.evidence import QUANTILE, is_clear
from kbai.game.steps import end_of
from kbai.notation.positions import format_line
from kbai.notation.turns import record_turn
from kbai.rollouts.compare import roll_out
from kbai.search.params import Limit
from kbai.search.suggest import suggest


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in one position."""

    text: str
    pairs: tuple[tuple[Measured, Measured], ...]
    """By source: what the tree says, and what the games say."""


def check(args: argparse.Namespace, seed: int) -> Checked | None:
    """Return what tree and games say about a position of the game of a seed."""
    position = position_of(args, seed)
    found = suggest(position, Limit(args.visits), seed=seed, top=2)
    if len(found.turns) < 2 or found.turns[0].is_proven:
        return None
    first, second = found.turns
    why = compare(position, first, second)
    if why is None:
        return None
    turns = [record_turn(position, turn.steps) for turn in found.turns]
    lines = [format_line(position), *(turn.text for turn in turns), why.sentence]
    if not args.times:
        return Checked("\n  ".join(lines), ())
    ends = [end_of(position, turn.steps) for turn in found.turns]
    rolled = roll_out(ends, position.actor, games=args.times, seed=seed)
    played = [
        replace(turn, endings=tuple(zip(games.rounds, games.endings, strict=True)))
        for turn, games in zip(found.turns, rolled, strict=True)
    ]
    evidence = evidence_between(position, *played)
    assert evidence is not None
    pairs = [
        (evidence.tree[name], mean_of(games))
        for name, games in evidence.games.items()
        if any(games) or evidence.tree[name].value
    ]
    return Checked("\n  ".join(lines), tuple(pairs))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_options(parser)
    parser.add_argument("--source", default="mcts:visits=100", help="whose games positions are of")
    parser.add_argument("--visits", type=positive, default=20_000, help="of the tree")
    parser.add_argument("--times", type=int, default=16, help="games from each turn")
    parser.set_defaults(games=20, first_seed=7_700_000)
    args = parser.parse_args()
    checked = [found for found in each(args, check) if found is not None]
    for found in checked:
        print(found.text)
    pairs = [pair for found in checked for pair in found.pairs]
    if pairs:
        print(summary(pairs))


def summary(pairs: list[tuple[Measured, Measured]]) -> str:
    """Return how far trees are off, and how often games agree."""
    error = fmean((tree.value - games.value) ** 2 for tree, games in pairs)
    noise = fmean(games.variance for _, games in pairs)
    inside = sum(
        abs(tree.value - games.value)
        <= QUANTILE * math.sqrt(tree.variance) + 2 * math.sqrt(games.variance)
        for tree, games in pairs
    )
    clear = [pair for pair in pairs if is_clear(pair[0])]
    agreed = sum(tree.value * games.value > 0 for tree, games in clear)
    return (
        f"{len(pairs)} differences: off by {math.sqrt(max(error - noise, 0.0)):.2f} gold "
        f"(noise of the games {math.sqrt(noise):.2f} taken off), {inside} intervals hold; "
        f"{agreed} of {len(clear)} clear ones have the same sign in the games"
    )


if __name__ == "__main__":
    run(main)
