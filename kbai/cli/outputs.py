"""Where the commands write pages and pictures: a file, or stdout."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from kbai.core.errors import KbaiError

STDOUT = "-"

Command = TypeVar("Command", bound=Callable[..., Any])


def output_option(name: str, *, help: str) -> Callable[[Command], Command]:
    """Return an option for a file to write; one that cannot be written is refused at once."""
    return click.option(
        name,
        metavar="FILE",
        type=click.Path(dir_okay=False, allow_dash=True),
        callback=_check_writable,
        help=f"{help}; '-' is stdout.",
    )


def _check_writable(ctx: click.Context, _param: click.Parameter, path: str | None) -> str | None:
    # A pipe or a device has no harm done to it only by being written at the end.
    if path is None or path == STDOUT or ctx.resilient_parsing:
        return path
    is_there = os.path.exists(path)
    if is_there and not os.path.isfile(path):
        return path
    try:
        with open(path, "a"):
            pass
        if not is_there:
            os.remove(path)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise click.BadParameter(_reason(path, error)) from error
    return path


def write_output(path: str, text: str) -> None:
    """Write a text to where an output option says."""
    if path == STDOUT:
        click.echo(text, nl=False)
        return
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise KbaiError(_reason(path, error)) from error


def _reason(path: str, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"expected a file to write, got {click.format_filename(path)!r}: {reason}."
