"""Turns of searches and reviews as turns of a game file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kbai._fast import Position
from kbai.notation.turns import PlayedTurn, record_turn, record_turns

if TYPE_CHECKING:
    from kbai.review.results import TurnReview
    from kbai.search.results import TurnChoice


def chosen_turn(position: Position, choice: TurnChoice) -> PlayedTurn:
    """Return what is to be played as a turn of a game file."""
    return record_turn(position, choice.steps)


def main_line(position: Position, choice: TurnChoice) -> tuple[PlayedTurn, ...]:
    """Return the turn and the likely continuation."""
    return record_turns(position, (*choice.steps, *choice.line))


def played_turn(review: TurnReview) -> PlayedTurn:
    """Return what was played, with the number it has in the game file."""
    return record_turn(review.position, review.played, number=review.number)
