"""How drawings and tables come to this terminal: in colour or not, in Unicode or not, how wide."""

from __future__ import annotations

import os
import sys
from typing import TypedDict


class Style(TypedDict):
    """The keywords of the functions in `kbai.draw.terminal_content` and `kbai.draw.terminal`."""

    color: bool
    ascii: bool


def drawing_style(color: bool | None, ascii: bool) -> Style:
    """Return how to draw on stdout, given what was asked for."""
    if color is None:
        dumb = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        color = sys.stdout.isatty() and not dumb
    from kbai.draw.terminal_hexes import UNICODE_SIGNS

    return Style(color=color, ascii=ascii or not _can_write(UNICODE_SIGNS))


def terminal_width() -> int | None:
    """Return the width of the terminal; None if stdout is a file or a pipe: nothing is folded."""
    if not sys.stdout.isatty():
        return None
    import shutil  # which also loads what reads archives

    return max(shutil.get_terminal_size().columns, 40)


def _can_write(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
