"""``kbai playout``."""

from __future__ import annotations

import click

from kbai.cli.options import input_argument, seed_option, turn_option
from kbai.cli.seeds import draw_seed, tell_seed


@click.command("playout")
@input_argument
@turn_option
@seed_option()
def command(source: str | None, turn: int | str | None, seed: int | None) -> None:
    """Play at random to the end of the game.

    Prints the game from INPUT on as a game file. Each tile is used or not with equal odds; hexes
    and cards are chosen at random. The same seed gives the same game.
    """
    from kbai.cli.reading import read_moment
    from kbai.notation.games import format_game, record_game

    start = read_moment(source, turn).position
    number = draw_seed() if seed is None else seed
    game = record_game(start, start.copy().playout_steps(number), header=[("Seed", str(number))])
    click.echo(format_game(game), nl=False)
    if seed is None:
        tell_seed(number)
