"""``kbai content``."""

from __future__ import annotations

import json

import click

from kbai import content
from kbai.cli.completion import complete_content, complete_things
from kbai.cli.options import drawing_options, format_option, quadrants_option

# What is printed if a set has no things of a kind.
NONE = "none"


@click.command("content")
@click.argument("names", metavar="[NAME]...", nargs=-1, shell_complete=complete_things)
@click.option(
    "--set",
    "set_name",
    metavar="NAME",
    shell_complete=complete_content,
    help="Only what is in this set, such as base.",
)
@click.option("--kind", type=click.Choice(tuple(content.KINDS)), help="Only things of this kind.")
@click.option(
    "--lang",
    "language",
    type=click.Choice(content.LANGUAGES, case_sensitive=False),
    help="Print the names in this language, too.",
)
@quadrants_option
@format_option("text", "json")
@drawing_options
def command(
    names: tuple[str, ...],
    set_name: str | None,
    kind: str | None,
    language: str | None,
    form: str,
    color: bool | None,
    ascii: bool,
) -> None:
    """List quadrants, tiles, cards and tasks.

    Draws quadrants and islands, and says what tiles, cards and tasks do: those called NAME, or
    all of them. NAME may be English, Dutch, German or Spanish; a name of several words may have
    spaces: 'rope bridge'.
    """
    from kbai.cli.drawing import drawing_style
    from kbai.draw.terminal_content import draw_content, draw_sets

    wanted = ["_".join(name.lower().replace("-", " ").replace("_", " ").split()) for name in names]
    part = content.select(content.load(), names=wanted, set_name=set_name, kind=kind)
    if form == "json":
        click.echo(json.dumps(content.content_to_dict(part, language), indent=2))
        return
    style = drawing_style(color, ascii)
    texts = [draw_content(part, **style, language=language)]
    if kind == "sets" or not (names or kind):
        texts.insert(0, draw_sets(content.load(), part.sets, **style))
    click.echo("\n\n".join(filter(None, texts)) or NONE, color=style["color"])
