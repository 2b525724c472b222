"""Positions for the tests: by their text, or from random games."""

import random
from collections.abc import Iterator

from kbai._fast import Position
from kbai.notation import advance
from kbai.spelling import parse_position
from kbai.table import Options, Setup

FIRST_GAME = "kb1 board=tavern,paddock,oasis,farm cards=fishermen,knights,merchants"


def position(rest: str) -> Position:
    """Return a position on the first-game board."""
    return parse_position(f"{FIRST_GAME} {rest}")


def random_starts(games: int) -> Iterator[tuple[int, Position]]:
    """Iterate over seeds and start positions with random boards, seats and options."""
    generator = random.Random(games)
    for seed in range(games):
        options = Options(
            lords_need_presence=generator.random() < 0.3,
            vacated_hex_counts=generator.random() < 0.5,
            exhausted_card=generator.choice(("remove", "discard")),
            exhausted_any_hex=generator.random() < 0.3,
            lost_tiles_return=generator.random() < 0.5,
        )
        setup = Setup.random(seed, seats=generator.randint(2, 5), options=options)
        yield seed, Position(setup.kernel_board, setup.start)


def random_positions(games: int, share: float = 0.1) -> Iterator[Position]:
    """Iterate over a share of the positions of random games, and the end of each."""
    generator = random.Random(games)
    for seed, current in random_starts(games):
        for step in current.copy().playout_steps(seed):
            if generator.random() < share:
                yield current.copy()
            advance(current, step)
        yield current
