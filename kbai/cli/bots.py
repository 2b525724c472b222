"""``kbai bots``."""

from __future__ import annotations

import json

import click

from kbai.bots.registry import BotKind, bot_kinds, kinds_to_dict
from kbai.cli.inputs import format_option


@click.command("bots")
@format_option("text", "json")
def command(form: str) -> None:
    """List the bots and their options.

    A bot is named by NAME or NAME:KEY=VALUE,KEY=VALUE, a program by cmd:PROGRAM ARGUMENTS or
    cmd:KEY=VALUE,KEY=VALUE PROGRAM ARGUMENTS. Options not named have the values shown here.
    """
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
