"""``kbai bots``."""

from __future__ import annotations

import json

import click

from kbai.cli.notes import print_note
from kbai.cli.options import format_option


@click.command("bots")
@format_option("text", "json")
def command(form: str) -> None:
    """List the bots and their options.

    Options that you leave out have the values shown here. 'kbai help bots' says how to name a bot
    and its options.
    """
    from kbai.bots.registry import bot_kinds
    from kbai.report.bots import bots_dict, bots_text

    kinds = bot_kinds(lambda error: print_note(str(error)))
    click.echo(json.dumps(bots_dict(kinds), indent=2) if form == "json" else bots_text(kinds))
