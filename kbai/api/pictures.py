"""Positions as pictures."""

from __future__ import annotations

from kbai.api.games import Game, inner_game
from kbai.api.positions import Position, kernel_of
from kbai.api.turns import play_text
from kbai.draw.svg import draw_picture


def draw_svg(position: Position | Game, *, turn: str = "", label: str = "Next turn") -> str:
    """Return a picture of a position as the text of an SVG file.

    The actions of ``turn``, a legal one such as ``"n16 o15 p15"``, are numbered on the board; the
    label says what it is. Of a game it is the position after its last turn, which is outlined.
    """
    last = None
    if isinstance(position, Game):
        last = next(reversed(inner_game(position).turns), None)
        position = position.final_position()
    kernel = kernel_of(position)
    numbered = play_text(kernel.copy(), turn) if turn else None
    return draw_picture(kernel, last=last, numbered=numbered, label=label)
