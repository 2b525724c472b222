"""How drawings come to this terminal: with colour or not, with Unicode or not."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TypedDict, TypeVar

import click

from kbai.draw.terminal_hexes import UNICODE_SIGNS

# Of a progress bar, at most. Behind it a terminal shows '^C'; where that breaks the line, the bar
# would be there twice.
BAR_WIDTH = 100
ROOM = 6

Function = TypeVar("Function", bound=Callable[..., object])


class Style(TypedDict):
    """The keywords of the functions in `kbai.draw.terminal_content` and `kbai.draw.terminal`."""

    color: bool
    ascii: bool


def drawing_options(function: Function) -> Function:
    """Add ``--color/--no-color`` and ``--ascii`` to a command."""
    color = click.option(
        "--color/--no-color",
        default=None,
        help="With or without colours.  [default: with, on a terminal and unless NO_COLOR is set]",
    )
    plain = click.option("--ascii", is_flag=True, help="Draw with 7-bit characters only.")
    return color(plain(function))


def drawing_style(color: bool | None, ascii: bool) -> Style:
    """Return how to draw on stdout, given what was asked for."""
    if color is None:
        dumb = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        color = sys.stdout.isatty() and not dumb
    return Style(color=color, ascii=ascii or not _can_write(UNICODE_SIGNS))


def _can_write(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def bar_width() -> int:
    """Return how wide a progress bar on stderr can be."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):  # it is no terminal
        columns = 0
    return min(columns or BAR_WIDTH, BAR_WIDTH) - ROOM
