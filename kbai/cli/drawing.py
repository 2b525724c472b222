"""How drawings come to this terminal: with colour or not, with Unicode or not."""

from __future__ import annotations

import os
import sys
from typing import TypedDict

from kbai.draw.terminal_hexes import UNICODE_SIGNS


class Style(TypedDict):
    """The keywords of the functions in `kbai.draw.terminal_content` and `kbai.draw.terminal`."""

    color: bool
    ascii: bool


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
