"""Games of a bot against itself, one for each seed, for the scripts that need many of them."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import Pool
from typing import NoReturn, TypeVar

from tqdm import tqdm

from kbai import content
from kbai._fast import Position
from kbai.arena.deals import Deal
from kbai.arena.play import Played, play
from kbai.bots.specs import make_bot
from kbai.core.errors import KbaiError
from kbai.core.seeds import derive_seed
from kbai.game.setup import Setup

T = TypeVar("T")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which games are played, by whom, and on how many processes."""
    parser.add_argument("--games", type=positive)
    parser.add_argument("--bot", help="who plays")
    parser.add_argument("--seats", type=int, default=2, choices=range(2, 6))
    parser.add_argument("--sets", default="base", help="base,nomads,... or all")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--workers", type=positive, default=os.cpu_count())


def positive(text: str) -> int:
    """Return a number of at least one."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {number}")
    return number


def start_of(args: argparse.Namespace, seed: int) -> Position:
    """Return the first position of a game."""
    names = content.load().sets if args.sets == "all" else args.sets.split(",")
    setup = Setup.random(seed, seats=args.seats, sets=tuple(names))
    return setup.start_position()


def play_on(start: Position, bot: str, cards: int, seed: int) -> Played:
    """Have a bot play against itself to the end of the game."""
    bots = [make_bot(bot) for _ in range(start.board.seats)]
    return play(start, Deal(start, cards), lambda view: bots[view.seat].choose(view), seed=seed)


def play_game(args: argparse.Namespace, seed: int) -> tuple[Position, Played]:
    """Return how the game of a seed begins, and how it goes on."""
    start = start_of(args, seed)
    return start, play_on(start, args.bot, derive_seed(seed, "cards"), seed)


def each(args: argparse.Namespace, work: Callable[[argparse.Namespace, int], T]) -> Iterator[T]:
    """Yield what is found in the game of every seed, in order."""
    seeds = range(args.first_seed, args.first_seed + args.games)
    with Pool(args.workers, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        found = pool.imap(partial(work, args), seeds)
        yield from tqdm(found, total=len(seeds), unit="game", disable=None)


def run(main: Callable[[], int | None]) -> NoReturn:
    """Run a script; a mistake of the one who calls it, or Ctrl-C, is told in one line.

    Whoever reads what it prints may stop doing so.
    """
    try:
        sys.exit(main())
    except KbaiError as error:
        sys.exit(f"Error: {error}")
    except KeyboardInterrupt:
        sys.exit("stopped")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to flush
        sys.exit(1)
    except OSError as error:  # such as a folder that is not there
        sys.exit(f"Error: {error}")
