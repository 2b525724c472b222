"""How commands write games, pages and pictures: into a file, or to stdout."""

from __future__ import annotations

import os

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


def write_new(path: str, text: str, *, overwrite: bool) -> None:
    """Write a file into a folder, which is made if it is not there."""
    if os.path.lexists(path) and not overwrite:
        raise KbaiError(f"{click.format_filename(path)} exists; --force overwrites it.")
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        write_text(path, text)
    except OSError as error:
        raise KbaiError(unwritable(path, error)) from error
