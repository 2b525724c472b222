"""Where commands write pages and pictures: a file, or stdout."""

from __future__ import annotations

import click

from kbai.cli.options import STDOUT, unwritable
from kbai.core.errors import KbaiError


def write_output(path: str, text: str) -> None:
    """Write a text to where an output option says."""
    if path == STDOUT:
        click.echo(text, nl=False)
        return
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise KbaiError(unwritable(path, error)) from error
