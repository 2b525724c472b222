"""``kbai show``."""

from __future__ import annotations

import click

from kbai.cli.drawing import drawing_options, drawing_style
from kbai.cli.inputs import input_argument, next_turn, read_input, turn_option
from kbai.cli.outputs import output_option, write_output
from kbai.draw.svg import draw_picture
from kbai.draw.terminal import draw_position
from kbai.notation.games import Game
from kbai.notation.turns import Turn, format_turn


@click.command("show")
@input_argument
@turn_option
@output_option("--svg", help="Draw a picture into this file instead")
@drawing_options
def command(
    source: str | None, turn: int | str | None, svg: str | None, color: bool | None, ascii: bool
) -> None:
    """Show a position or a game.

    Draws the board and tells what is known of cards and tiles. In a game the hexes of the turn
    before are marked, and with --turn the turn that comes next is printed above the board; a
    picture has it as numbers on the hexes.
    """
    found = read_input(source)
    last: Turn | None = None
    coming: Turn | None = None
    if isinstance(found, Game):
        number = next_turn(found, turn)
        position = found.position_before(number)
        turns = {item.number: item for item in found.turns}
        last, coming = turns.get(number - 1), turns.get(number)
    elif turn is None:
        position = found
    else:
        raise click.UsageError("--turn needs a game file, but INPUT is a position.")
    if svg is not None:
        write_output(svg, draw_picture(position, last=last, numbered=coming))
        return
    style = drawing_style(color, ascii)
    if coming:
        click.echo(f"{format_turn(coming)}\n")
    cells = last.cells if last else ()
    click.echo(draw_position(position, **style, highlight=cells), color=style["color"])
