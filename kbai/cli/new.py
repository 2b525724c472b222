"""``kbai new``."""

from __future__ import annotations

import random
from typing import Any

import click

from kbai._fast import Position
from kbai.cli.completion import complete_seats
from kbai.cli.new_setup import make_setup, new_setup_options, parse_seats
from kbai.cli.options import card_option, format_option, quadrants_option, seed_option
from kbai.cli.seeds import draw_seed, tell_seed
from kbai.cli.setup_options import blamed_options
from kbai.core.seeds import derive_seed
from kbai.game.setup import Setup

GAME = "kbg"


@click.command("new")
@seed_option()
@click.option(
    "--seats",
    shell_complete=complete_seats,
    metavar="N|A,B,...",
    callback=parse_seats,
    default="2",
    show_default=True,
    help="Number of seats, or their colours in turn order.",
)
@new_setup_options
@card_option("Card turned up for the first turn.  [default: random; with kbg none]")
@quadrants_option
@format_option("toml", "json", "line", GAME)
def command(
    seed: int | None, seats: tuple[str, ...], card: str | None, form: str, **chosen: Any
) -> None:
    """Set up a game from a seed.

    Prints a position in which the first card has been turned up. The same seed gives the same
    position. With --format kbg, prints the beginning of a game file, to note a game while you play.
    """
    number = draw_seed() if seed is None else seed
    setup = make_setup(number, seats, **chosen)
    if seed is None:
        tell_seed(number)
    click.echo(format_start(setup, number, card, form).rstrip("\n"))


def format_start(setup: Setup, seed: int, card: str | None, form: str) -> str:
    """Return the start of a game as a position, or as a game file to go on with."""
    from kbai.notation.games import Game, format_game
    from kbai.notation.positions import format_position
    from kbai.notation.turns import Turn, play_turn

    start = setup.start_position()
    if card is None and form == GAME:
        return format_game(Game(start))
    if card is None:
        return format_position(deal(setup, seed), form)
    position = start.copy()
    with blamed_options():
        turn = play_turn(position, Turn(1, setup.seats[start.mover], card, finished=False))
    return format_game(Game(start, (turn,))) if form == GAME else format_position(position, form)


def deal(setup: Setup, seed: int) -> Position:
    """Return the start position with the first card turned up."""
    position = setup.start_position()
    counts = position.draws()
    generator = random.Random(derive_seed(seed, "deal"))
    position.draw(generator.choices(range(len(counts)), counts)[0])
    return position
