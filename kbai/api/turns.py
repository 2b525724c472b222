"""Turns from text, for the position they are played from."""

from __future__ import annotations

import re

from kbai._fast import Position
from kbai.core.errors import IllegalActionError
from kbai.game.seats import SEATS
from kbai.game.setup import setup_of
from kbai.notation.turns import PlayedTurn, Turn, cards_shown, parse_turn, play_turn


def read_turn(position: Position, text: str, number: int = 1) -> Turn:
    """Return the turn that a text means: actions, maybe after ``flower:`` or ``red flower:``.

    A whole line of a game file keeps its own number.
    """
    words = text.split()
    first = words[0].lower() if words else ""
    seat = setup_of(position).seats[position.mover]
    if first.removesuffix(".").isdigit():
        return parse_turn(text)
    if first in SEATS:
        return parse_turn(f"{number} {text}")
    if any(word.endswith(":") for word in words):
        return parse_turn(f"{number} {seat} {text}")
    return parse_turn(f"{number} {seat} {cards_shown(position)}: {text}")


def play_text(position: Position, text: str) -> PlayedTurn:
    """Play the turn that a text means in place, and return it."""
    turn = read_turn(position, text)
    try:
        return play_turn(position, turn)
    except IllegalActionError as error:
        # Nobody has counted the turns before this position.
        message = error.message.removeprefix(f"turn {turn.number}: ")
        message = re.sub(rf"^turn {turn.number}\b", "the turn", message)
        raise IllegalActionError(message, path=error.path, token=error.token) from None
