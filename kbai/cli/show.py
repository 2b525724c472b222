"""``kbai show``."""

from __future__ import annotations

import click

from kbai.cli.options import drawing_options, input_argument, output_option, turn_option


@click.command("show")
@input_argument
@turn_option
@output_option("--svg", help="Write an SVG picture to this file instead")
@drawing_options
def command(
    source: str | None, turn: int | str | None, svg: str | None, color: bool | None, ascii: bool
) -> None:
    """Show a position or a game.

    Draws the board and lists what is known of cards and tiles. In a game, the hexes of the
    previous turn are marked. With --turn, the turn that comes next is printed above the board; in
    a picture it appears as numbers on the hexes.
    """
    from kbai.cli.drawing import drawing_style
    from kbai.cli.reading import read_moment
    from kbai.cli.writing import write_output
    from kbai.draw.svg import draw_picture
    from kbai.draw.terminal import draw_position
    from kbai.notation.turns import format_turn

    moment = read_moment(source, turn)
    if svg is not None:
        write_output(svg, draw_picture(moment.position, last=moment.last, numbered=moment.coming))
        return
    style = drawing_style(color, ascii)
    if moment.coming:
        click.echo(f"{format_turn(moment.coming)}\n")
    cells = moment.last.cells if moment.last else ()
    click.echo(draw_position(moment.position, **style, highlight=cells), color=style["color"])
