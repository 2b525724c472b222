"""``kbai playout``."""

from __future__ import annotations

import click

from kbai.cli.inputs import draw_seed, input_argument, read_position, seed_option
from kbai.notation.games import format_game, record_game


@click.command("playout")
@input_argument
@seed_option
def command(source: str | None, seed: int | None) -> None:
    """Play at random to the end of the game.

    Prints the game from INPUT on as a game file: every tile is used with even odds, hexes and
    cards are drawn. The same seed gives the same game; a seed that was drawn is told on stderr.
    """
    start = read_position(source)
    number = draw_seed() if seed is None else seed
    game = record_game(start, start.copy().playout_steps(number), header=[("Seed", str(number))])
    click.echo(format_game(game), nl=False)
    if seed is None:
        click.echo(f"seed: {number}", err=True)
