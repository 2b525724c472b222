"""Turns as text, one a line, and playing them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from kbai._fast import Draw, Phase, Position
from kbai.content import TERRAIN_CARDS
from kbai.core.errors import IllegalActionError, NotationError
from kbai.game.setup import SEATS, setup_of
from kbai.game.steps import END, draw_step
from kbai.notation.actions import NO_CARD, format_action, parse_card, parse_name, quote
from kbai.notation.illegal import apply_action, why_illegal, why_no_draw

UNFINISHED = "..."
SILO = "silo"
"""Stands for the card in a turn of silo actions."""
_BETWEEN_CARDS = "+"
_WORD = re.compile(r"[^\s,]+")


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat did in a turn; ``end`` is implied unless the turn is not finished.

    >>> format_turn(parse_turn("12 Red flower + grass: choose:grass N16 o15 barn:c7-d9"))
    '12 red flower+grass: choose:grass n16 o15 barn:c7-d9'
    """

    number: int
    seat: str
    card: str
    """The cards turned up first, joined by ``+``; ``none`` or ``silo``."""
    actions: tuple[str, ...] = ()
    """Actions and further cards turned up, in their canonical text."""
    finished: bool = True


def format_turn(turn: Turn) -> str:
    """Return a turn as a line."""
    words = [f"{turn.number} {turn.seat} {turn.card}:", *turn.actions]
    return " ".join(words if turn.finished else [*words, UNFINISHED])


def parse_turn(text: str) -> Turn:
    """Return the turn a line says; whether it is legal is not looked at."""
    head, colon, tail = text.partition(":")
    number, *rest = head.replace(",", " ").split() or [""]
    if not colon or len(rest) < 2:
        example = "12 red flower: n16 o15 o17"
        raise NotationError(f"expected a turn like '{example}', got {quote(text.strip())}.")
    words = turn_words(text)
    finished = not words or words[-1][1] != UNFINISHED
    actions = [_turn_action(word) for _, word in (words if finished else words[:-1])]
    if actions and actions[-1] == "end" and finished:
        actions.pop()
    if "end" in actions:
        raise NotationError("expected 'end' only at the end of a finished turn.", token="end")
    return Turn(
        number=_turn_number(number),
        seat=parse_name("seat", rest[0], SEATS),
        card=_parse_cards(" ".join(rest[1:])),
        actions=tuple(actions),
        finished=finished,
    )


def turn_words(text: str) -> list[tuple[int, str]]:
    """Return the words after the colon of a turn's line, each with its place in the line."""
    start = text.find(":") + 1
    return [(match.start(), match[0]) for match in _WORD.finditer(text, start)]


def _turn_action(word: str) -> str:
    if word == UNFINISHED:
        raise NotationError(f"expected '{UNFINISHED}' only at the end of a turn.", token=word)
    return format_action(word)


def _turn_number(text: str) -> int:
    digits = text.removesuffix(".")
    if not re.fullmatch(r"[1-9][0-9]{0,4}", digits):
        message = f"expected the number of a turn, got {quote(text)}."
        raise NotationError(message, token=text)
    return int(digits)


def _parse_cards(text: str) -> str:
    parts = text.split(_BETWEEN_CARDS)
    # Words that stand for a card stand alone.
    others = (NO_CARD, SILO) if len(parts) == 1 else ()
    return _BETWEEN_CARDS.join(parse_card(part, others=others) for part in parts)


def play_turn(position: Position, turn: Turn) -> list[int]:
    """Play a turn in place and return its steps, cards turned up among them.

    The path of an error is the index of the action to blame, if one is.
    """
    seat = setup_of(position).seats[position.mover]
    if position.is_over:
        raise IllegalActionError(f"turn {turn.number} is not possible: the game is over (R9.1).")
    if turn.seat != seat:
        message = f"expected a turn of {seat}, got one of {turn.seat} (R3.1)."
        raise IllegalActionError(message, token=turn.seat)
    steps = turn_up(position, turn)
    for index, action in enumerate(turn.actions):
        try:
            steps += apply_action(position, action)
        except IllegalActionError as error:
            message = f"turn {turn.number}: {error.message}"
            raise IllegalActionError(message, path=(index,), token=action) from None
    if turn.finished:
        reason = why_illegal(position, END)
        if reason:
            raise IllegalActionError(f"turn {turn.number} cannot end here: {reason}.")
        position.apply(END)
        steps.append(END)
    return steps


def turn_up(position: Position, turn: Turn) -> list[int]:
    """Turn up the cards a turn begins with, check those that lie there, and return the steps."""
    shown = cards_shown(position)
    if not cards_to_come(position):
        if Counter(turn.card.split(_BETWEEN_CARDS)) != Counter(shown.split(_BETWEEN_CARDS)):
            message = f"turn {turn.number}: expected the card {shown}, got {turn.card}."
            raise IllegalActionError(message, token=turn.card)
        return []
    if turn.card in (NO_CARD, SILO):
        message = f"turn {turn.number}: {turn.seat} has a card to turn up, got {turn.card} (R3.1)."
        raise IllegalActionError(message, token=turn.card)
    names = turn.card.split(_BETWEEN_CARDS)
    for name in [] if shown == NO_CARD else shown.split(_BETWEEN_CARDS):
        if name not in names:
            message = f"turn {turn.number}: expected the card {name} as well, got {turn.card}."
            raise IllegalActionError(message, token=turn.card)
        names.remove(name)
    n_cards = cards_to_come(position)
    if len(names) > n_cards or (turn.finished and len(names) < n_cards):
        message = f"expected cards to turn up: {n_cards}, got {len(names)} ({turn.card}; R3.6)"
        raise IllegalActionError(f"turn {turn.number}: {message}.", token=turn.card)
    steps = []
    for name in names:
        card = TERRAIN_CARDS.index(name)
        reason = why_no_draw(position, card)
        if reason:
            raise IllegalActionError(f"turn {turn.number}: {reason}.", token=name)
        position.draw(card)
        steps.append(draw_step(card))
    return steps


def cards_shown(position: Position) -> str:
    """Return the cards of the mover that lie face up, as the line of his turn names them."""
    if position.phase == Phase.SILO:
        return SILO
    shown = zip(TERRAIN_CARDS, position.shown, strict=True)
    return _BETWEEN_CARDS.join(name for name, n in shown for _ in range(n)) or NO_CARD


def cards_to_come(position: Position) -> int:
    """Return how many cards are turned up before the first action of a turn that begins here."""
    if position.pending_draw == Draw.REVEAL:
        return position.hidden
    return int(position.pending_draw == Draw.REPLACE)


def join_cards(shown: str, drawn: list[str]) -> str:
    """Return the cards a turn's line names: those that lay there, then those turned up."""
    if not drawn:
        return shown
    return _BETWEEN_CARDS.join(drawn if shown == NO_CARD else [shown, *drawn])
