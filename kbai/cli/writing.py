"""Where commands write pages and pictures: a file, or stdout."""

from __future__ import annotations

import click

from kbai.cli.options import STDOUT, unwritable
from kbai.core.errors import KbaiError
from kbai.core.files import write_text


def write_output(path: str, text: str) -> None:
    """Write a text to where an output option says."""
    if path == STDOUT:
        click.echo(text, nl=False)
        return
    try:
        write_text(path, text)
    except OSError as error:
        raise KbaiError(unwritable(path, error)) from error
