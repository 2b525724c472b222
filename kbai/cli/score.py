"""``kbai score``."""

from __future__ import annotations

import click

from kbai.cli.options import format_option, input_argument, turn_option


@click.command("score")
@input_argument
@turn_option
@format_option("text", "markdown", "json")
def command(source: str | None, turn: int | str | None, form: str) -> None:
    """Count the gold, card by card.

    Counts each seat's gold in INPUT as if the game ended now; for a game file, at its end or
    before --turn.
    """
    from kbai.cli.drawing import terminal_width
    from kbai.cli.reading import read_moment
    from kbai.report.document_formats import format_document
    from kbai.report.scores import score_dict, score_document

    position = read_moment(source, turn).position
    if form == "json":
        import json

        click.echo(json.dumps(score_dict(position)))
    else:
        click.echo(format_document(score_document(position), form, terminal_width()))
