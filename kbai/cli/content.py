"""``kbai content``."""

from __future__ import annotations

import json

import click

from kbai import content
from kbai.cli.options import drawing_options, format_option, quadrants_option


@click.command("content")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--set", "set_name", metavar="NAME", help="Only what is in this set, such as base.")
@click.option("--kind", type=click.Choice(tuple(content.KINDS)), help="Only things of this kind.")
@quadrants_option
@format_option("text", "json")
@drawing_options
def command(
    names: tuple[str, ...],
    set_name: str | None,
    kind: str | None,
    form: str,
    color: bool | None,
    ascii: bool,
) -> None:
    """List quadrants, tiles, cards and tasks.

    Draws quadrants and islands, and says what tiles, cards and tasks do: those called NAME, or
    all of them.
    """
    from kbai.cli.drawing import drawing_style
    from kbai.draw.terminal_content import draw_content, draw_sets

    wanted = [name.lower() for name in names]
    part = content.select(content.load(), names=wanted, set_name=set_name, kind=kind)
    if form == "json":
        click.echo(json.dumps(content.content_to_dict(part), indent=2))
        return
    style = drawing_style(color, ascii)
    texts = [draw_content(part, **style)]
    if kind == "sets" or not (names or kind):
        texts.insert(0, draw_sets(content.load(), part.sets, **style))
    click.echo("\n\n".join(filter(None, texts)), color=style["color"])
