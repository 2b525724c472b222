"""``kbai bots``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from kbai.cli.options import format_option

if TYPE_CHECKING:
    from kbai.bots.registry import BotKind


@click.command("bots")
@format_option("text", "json")
def command(form: str) -> None:
    """List the bots and their options.

    Name a bot as NAME or NAME:KEY=VALUE,KEY=VALUE; name a program as cmd:PROGRAM ARGUMENTS or
    cmd:KEY=VALUE,KEY=VALUE PROGRAM ARGUMENTS. Options that you leave out have the values shown
    here.
    """
    from kbai.bots.registry import bot_kinds, kinds_to_dict

    kinds = bot_kinds()
    if form == "json":
        click.echo(json.dumps(kinds_to_dict(kinds), indent=2))
        return
    click.echo("\n".join(map(_describe, kinds)))


def _describe(kind: BotKind) -> str:
    lines = [f"{kind.name.ljust(8)} {kind.summary}"]
    pairs = [f"{option.name}={option.default_text}" for option in kind.options]
    width = max(map(len, pairs), default=0)
    for pair, option in zip(pairs, kind.options, strict=True):
        lines.append(f"         {pair.ljust(width)}  {option.summary}")
    return "\n".join(lines)
