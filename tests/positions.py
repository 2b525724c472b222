"""Positions for the tests: by their text, or from random games."""

import random
from collections.abc import Iterator
from dataclasses import replace

from kbai import content
from kbai._fast import Position, Step
from kbai.core.seeds import derive_seed
from kbai.game.options import DEFAULT_OPTIONS, Options
from kbai.game.quadrants import TURNED
from kbai.game.setup import Setup
from kbai.game.steps import advance, is_draw, next_steps, unpack_step
from kbai.notation.positions import parse_position

FIRST_GAME = "kb1 board=tavern,paddock,oasis,farm cards=fishermen,knights,merchants"
# Nomad spaces on c6, h6, f8 (quarry), n4 (caravan), e14 (village) and q18 (garden).
NOMADS_BOARD = "kb1 board=quarry,caravan,village,garden"
NOMADS_LAID = "nomads=outpost@n4,sword@c6,donation_water@h6,treasure@f8,resettlement@e14"
NOMADS_CARDS = "cards=families,shepherds,ambassadors"
NOMADS_GAME = f"{NOMADS_BOARD} {NOMADS_LAID} {NOMADS_CARDS}"
START = f"{FIRST_GAME} red=- blue=- turn=red card=flower"
# Two turns of the first game, as a file.
GAME_TEXT = """\
Board: tavern,paddock,oasis,farm
Cards: fishermen,knights,merchants
Seats: red,blue

1 red flower: n16 o15 o17
2 blue canyon: c6 b6 d7
"""
# A turn in a game with Nomads, and what its line ends with.
NOMADS_LINE = (
    "kb1 board=quarry,caravan,village,oracle "
    "nomads=outpost@n4,sword@c6,donation_water@h6,treasure@f8,resettlement@e14 "
    "cards=families,shepherds,ambassadors red=b1,d6/used=quarry/fresh=sword/nomads=outpost,sword/"
    "gifts=quarry/gold=treasure:3,families:2 blue=t20/gold=ambassadors:1 turn=red card=grass "
)
NOMADS_END = "walls=a1,c1 gone=n4,c6,f8"
# What random games are played with, in turn.
SETS = (
    ("base",),
    ("base", "nomads"),
    ("nomads",),
    ("crossroads", "marshlands"),
    ("crossroads", "harvest"),
    ("marshlands", "harvest"),
    ("base", "crossroads", "capitol", "caves", "island"),
    ("marshlands", "harvest", "nomads", "caves", "island"),
    tuple(content.load().sets),
)


def random_setup(
    seed: int, *, seats: int, sets: tuple[str, ...], options: Options = DEFAULT_OPTIONS
) -> Setup:
    """Draw a set-up with quadrants and cards from these sets alone, be base among them or not.

    More of what an expansion brings is then in play than in a game that people would set up.
    """
    every = content.load()
    generator = random.Random(derive_seed(seed, "setup"))
    names = generator.sample([n for n, item in every.quadrants.items() if item.set in sets], 4)
    board = tuple(name + generator.choice(("", TURNED)) for name in names)
    start = generator.randrange(seats)
    cards = generator.sample([n for n, card in every.cards.items() if card.set in sets], 3)
    setup = Setup.random(
        seed, seats=seats, sets=sets, board=board, cards=tuple(cards), options=options
    )
    return replace(setup, start=start)


def position(rest: str, start: str = FIRST_GAME) -> Position:
    """Return a position on the first-game board, or on another one."""
    return parse_position(f"{start} {rest}")


def nomads_position(rest: str) -> Position:
    """Return a position on the board of the four Nomads quadrants."""
    return position(rest, NOMADS_GAME)


def random_starts(games: int) -> Iterator[tuple[int, Position]]:
    """Iterate over seeds and start positions with random boards, sets, seats and options."""
    generator = random.Random(games)
    for seed in range(games):
        options = Options(
            lords_need_presence=generator.random() < 0.3,
            vacated_hex_counts=generator.random() < 0.5,
            exhausted_card=generator.choice(("remove", "discard")),
            exhausted_any_hex=generator.random() < 0.3,
            lost_tiles_return=generator.random() < 0.5,
            sword_targets=generator.choice(("each", "one")),
            sword_cancels_end=generator.random() < 0.3,
            figure_moves=generator.choice(("own_terrain", "any_terrain", "own_tile")),
            canoe_self=generator.random() < 0.3,
            island_knights=generator.random() < 0.5,
            special_spaces=generator.choice(("books", "all")),
            crossroads_identical_any=generator.random() < 0.3,
            marsh_cards_always=generator.random() < 0.3,
            red_cards_any_turn=generator.random() < 0.3,
            move_tiles=generator.choice(("each_step", "at_end")),
        )
        seats = generator.randint(2, 5)
        setup = random_setup(seed, seats=seats, sets=SETS[seed % len(SETS)], options=options)
        yield seed, setup.start_position()


def busy_steps(start: Position, seed: int) -> list[int]:
    """Return the steps of a game whose players like tiles and spaces, so that all are used."""
    generator = random.Random(seed)
    current, steps = start.copy(), []
    while not current.is_over:
        options = next_steps(current)
        tiles = [step for step in options if not is_draw(step) and unpack_step(step)[1]]
        near = [step for step in options if not is_draw(step) and _gains(current, step)]
        for choice in (tiles, near):
            if choice and generator.random() < 0.5:
                options = choice
        steps.append(generator.choice(options))
        advance(current, steps[-1])
    return steps


def _gains(current: Position, step: int) -> bool:
    kind, _, cell = unpack_step(step)
    return kind in (Step.BUILD, Step.PUT) and bool(current.board.spaces_beside(cell))


def random_positions(games: int, share: float = 0.1) -> Iterator[Position]:
    """Iterate over a share of the positions of random games, and the end of each."""
    generator = random.Random(games)
    for seed, current in random_starts(games):
        # Every other game of each of the sets is a busy one.
        is_busy = seed // len(SETS) % 2 == 0
        for step in busy_steps(current, seed) if is_busy else current.copy().playout_steps(seed):
            if generator.random() < share:
                yield current.copy()
            advance(current, step)
        yield current
