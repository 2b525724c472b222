"""``kbai score``."""

from __future__ import annotations

import json

import click

from kbai.cli.options import format_option, input_argument


@click.command("score")
@input_argument
@format_option("text", "markdown", "json")
def command(source: str | None, form: str) -> None:
    """Count the gold, card by card.

    Counts each seat's gold in INPUT as if the game ended now; for a game file, at its end.
    """
    from kbai.cli.reading import read_position
    from kbai.report.document_formats import format_document
    from kbai.report.scores import score_dict, score_document

    position = read_position(source)
    if form == "json":
        click.echo(json.dumps(score_dict(position)))
    else:
        click.echo(format_document(score_document(position), form))
