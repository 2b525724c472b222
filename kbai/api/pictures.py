"""Positions as pictures."""

from __future__ import annotations

from kbai.api.positions import Position, kernel_of
from kbai.api.turns import play_text
from kbai.draw.svg import draw_picture


def draw_svg(position: Position, *, turn: str = "", label: str = "Next turn") -> str:
    """Return a picture of a position as the text of an SVG file.

    The actions of ``turn``, a legal one such as ``"n16 o15 p15"``, are numbered on the board; the
    label says what it is.
    """
    kernel = kernel_of(position)
    if not turn:
        return draw_picture(kernel)
    return draw_picture(kernel, numbered=play_text(kernel.copy(), turn), label=label)
