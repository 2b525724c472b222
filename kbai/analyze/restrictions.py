"""The turns that a search may consider or has to avoid: from text to steps."""

from __future__ import annotations

from functools import partial

from kbai._fast import Position
from kbai.analyze.queries import Query, blaming
from kbai.core.errors import NotationError, QueryError, quote
from kbai.game.seats import SEATS
from kbai.game.setup import setup_of
from kbai.game.steps import END, is_same_decision
from kbai.notation.illegal import apply_action, why_illegal
from kbai.notation.turns import cards_shown, parse_turn, turn_up


def begin_steps(position: Position, text: str) -> tuple[int, ...]:
    """Return the steps that a turn begins with, all of them if the text ends with ``end``."""
    trial, steps, _ = _play(position, text)
    if text.split()[-1].lower() == "end" and is_same_decision(position, steps, trial):
        return (*steps, _end(trial))
    return steps


def whole_steps(position: Position, text: str) -> tuple[int, ...]:
    """Return the steps of a turn to its end, or until its seat no longer decides."""
    trial, steps, is_finished = _play(position, text)
    if not is_same_decision(position, steps, trial):
        return steps
    if not is_finished:
        raise NotationError(f"expected a whole turn, got {quote(text)}.")
    return (*steps, _end(trial))


def _end(position: Position) -> int:
    reason = why_illegal(position, END)
    if reason:
        raise NotationError(f"expected a whole turn, which cannot end here: {reason}.")
    return END


def _play(position: Position, text: str) -> tuple[Position, tuple[int, ...], bool]:
    """Return the position after a turn, its steps, and whether it is finished.

    What comes after a card that is drawn on the way, or after another seat's reaction, is no
    part of this decision.
    """
    seat = setup_of(position).seats[position.mover]
    first = text.split()[0].lower()
    if first in SEATS:
        text = f"1 {text}"
    elif not first[0].isdigit():
        text = f"1 {seat} {cards_shown(position)}: {text}"
    turn = parse_turn(text)
    if turn.seat != seat:
        raise NotationError(f"expected a turn of {seat}, got one of {turn.seat}.")
    turn_up(position, turn)
    trial = position.copy()
    steps: list[int] = []
    for action in turn.actions:
        if not is_same_decision(position, steps, trial):
            break
        steps += apply_action(trial, action)
    return trial, tuple(steps), turn.finished


def allowed_and_avoided(
    query: Query, position: Position
) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Return the steps of the turns to allow and to avoid in a position."""
    found = []
    for key, texts, read in (
        ("allow", query.allow, begin_steps),
        ("avoid", query.avoid, whole_steps),
    ):
        if texts and (position.pending_draw or position.is_over):
            message = f"expected a position with a known card for {key!r}, got one without."
            raise QueryError(message, field=key)
        found.append([blaming(key, partial(read, position, text)) for text in texts])
    return found[0], found[1]
