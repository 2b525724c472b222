"""``kbai show``."""

from __future__ import annotations

import click

from kbai.cli.drawing import drawing_options, drawing_style
from kbai.cli.inputs import input_argument, next_turn, read_input, turn_option
from kbai.facts import turn_cells
from kbai.record import Game
from kbai.scene import draw_position
from kbai.turns import format_turn


@click.command("show")
@input_argument
@turn_option
@drawing_options
def command(source: str | None, turn: int | str | None, color: bool | None, ascii: bool) -> None:
    """Show a position or a game.

    Draws the board and tells what is known of cards and tiles. In a game the hexes of the turn
    before are bracketed, and with --turn the turn that comes next is printed above the board.
    """
    found = read_input(source)
    style = drawing_style(color, ascii)
    highlight: tuple[int, ...] = ()
    if isinstance(found, Game):
        number = next_turn(found, turn)
        position = found.position_before(number)
        turns = {item.number: item for item in found.turns}
        if number in turns:
            click.echo(f"{format_turn(turns[number])}\n")
        if number - 1 in turns:
            highlight = turn_cells(turns[number - 1])
    elif turn is None:
        position = found
    else:
        raise click.UsageError("--turn needs a game file, but INPUT is a position.")
    click.echo(draw_position(position, **style, highlight=highlight), color=style["color"])
