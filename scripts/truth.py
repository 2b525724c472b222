"""Play positions to their end many times by strong bots: what they are worth, to measure against.

    python scripts/truth.py FILE --games 100 --first-seed 8000000

One position comes from each game of `--source` with itself, before a turn chosen at random, its
card turned up. From there `--bot` plays on all seats, `--times` times, each time with other cards.
A line of FILE has the position and the gold of every seat at the end of each of these games. Run
it again with the same FILE to go on where it stopped.
"""

import argparse
import json
import random
from pathlib import Path

from self_play import add_options, each, play_on, positive, run, start_of

from kbai._fast import Phase, Position
from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bots.protocol import View
from kbai.bots.specs import make_bot
from kbai.core.seeds import derive_seed
from kbai.notation.positions import format_line


def beginnings(args: argparse.Namespace, seed: int) -> list[Position]:
    """Return the positions before each turn of the game of a seed, the card turned up."""
    start = start_of(args, seed)
    bots = [make_bot(args.source) for _ in range(args.seats)]
    found: list[Position] = []

    def choose(view: View) -> int:
        here = view.position
        is_new = not found or found[-1].mover != here.mover or here.phase < found[-1].phase
        if here.phase == Phase.PRE and here.actor == here.mover and is_new:
            found.append(here.copy())
        return bots[view.seat].choose(view)

    play(start, Deal(start, derive_seed(seed, "cards")), choose, seed=seed)
    return found


def position_of(args: argparse.Namespace, seed: int) -> Position:
    """Return the position of a seed: before a turn chosen at random."""
    return random.Random(derive_seed(seed, "turn")).choice(beginnings(args, seed))


def line_of(args: argparse.Namespace, seed: int) -> str:
    """Return the line of a seed."""
    if str(seed) in args.done:
        return ""
    position = position_of(args, seed)
    gold = [
        play_on(position, args.bot, derive_seed(seed, "deal", number), seed + number).final.scores()
        for number in range(args.times)
    ]
    data = {"seed": seed, "bot": args.bot, "position": format_line(position)}
    return json.dumps(data | {"mover": position.mover, "gold": gold})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    add_options(parser)
    parser.add_argument("--source", default="mcts:visits=400", help="whose games positions are of")
    parser.add_argument("--times", type=positive, default=32, help="games from each position")
    parser.set_defaults(bot="mcts:visits=4000", games=100)
    args = parser.parse_args()
    kept = args.file.read_text().splitlines() if args.file.exists() else []
    args.done = {str(json.loads(line)["seed"]) for line in kept}
    with args.file.open("a") as file:
        for line in each(args, line_of):
            if line:
                file.write(line + "\n")
                file.flush()


if __name__ == "__main__":
    run(main)
