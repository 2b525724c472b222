"""Turns: reading a line, playing it, and writing what was played."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from kbai._fast import Draw, Phase, Position
from kbai.content import TERRAIN_CARDS, join_names
from kbai.core.errors import IllegalActionError, NotationError, quote
from kbai.game.seats import SEATS
from kbai.game.setup import setup_of
from kbai.game.steps import END, advance, draw_step, drawn_card, is_draw, split_turns
from kbai.notation.actions import action_cells, format_action, format_step
from kbai.notation.illegal import apply_action, why_illegal, why_no_draw
from kbai.notation.names import NO_CARD, parse_card, parse_name

END_WORD = "end"
UNFINISHED = "..."
SILO = "silo"
"""Takes the place of the card in a turn of silo actions."""
_BETWEEN_CARDS = "+"
_WORD = re.compile(r"[^\s,]+")
# Of one turn, far beyond any legal one.
MAX_ACTIONS = 1_000


@dataclass(frozen=True, slots=True)
class Turn:
    """What a line says that a seat did in its turn; a finished turn ends without saying so.

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

    @property
    def words(self) -> tuple[str, ...]:
        """What the line says after its colon."""
        return self.actions if self.finished else (*self.actions, UNFINISHED)

    @property
    def summary(self) -> str:
        """What was done: the words, or ``end`` if there are none."""
        return " ".join(self.words) or END_WORD

    @property
    def text(self) -> str:
        """The line without the number of the turn."""
        return " ".join((f"{self.seat} {self.card}:", *self.words))

    @property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each action that names some: one, or where from and where to.

        >>> parse_turn("3 red grass: choose:grass b1 barn:b1-c1").paths
        ((1,), (1, 2))
        """
        paths = map(action_cells, self.actions)
        return tuple(path for path in paths if path)

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that the actions name, including those that pieces left."""
        return tuple(cell for path in self.paths for cell in path)


@dataclass(frozen=True, slots=True)
class PlayedTurn(Turn):
    """A turn that was played, with its steps."""

    steps: tuple[int, ...] = ()
    """Cards turned up among them."""


def format_turn(turn: Turn) -> str:
    """Return a turn as a line."""
    return f"{turn.number} {turn.text}"


def parse_turn(text: str) -> Turn:
    """Return the turn that a line describes, legal or not."""
    text = join_names(text)
    head, colon, tail = text.partition(":")
    number, *rest = head.replace(",", " ").split() or [""]
    if not colon or len(rest) < 2:
        example = "12 red flower: n16 o15 o17"
        raise NotationError(f"expected a turn like '{example}', got {quote(text.strip())}.")
    words = turn_words(text)
    if len(words) > MAX_ACTIONS:
        message = f"expected at most {MAX_ACTIONS:,} actions in a turn, got more."
        raise NotationError(message)
    finished = not words or words[-1][1] != UNFINISHED
    actions = [_turn_action(word) for _, word in (words if finished else words[:-1])]
    if actions and actions[-1] == END_WORD and finished:
        actions.pop()
    if END_WORD in actions:
        message = f"expected '{END_WORD}' only at the end of a finished turn."
        raise NotationError(message, token=END_WORD)
    return Turn(
        number=_turn_number(number),
        seat=parse_name("seat", rest[0], SEATS),
        card=_parse_cards(" ".join(rest[1:])),
        actions=tuple(actions),
        finished=finished,
    )


def turn_words(text: str) -> list[tuple[int, str]]:
    """Return the first words after the colon of a turn's line, each with its offset."""
    text = join_names(text)
    start = text.find(":") + 1
    words = islice(_WORD.finditer(text, start), MAX_ACTIONS + 1)
    return [(match.start(), match[0]) for match in words]


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
    # A word in place of a card stands alone.
    others = (NO_CARD, SILO) if len(parts) == 1 else ()
    return _BETWEEN_CARDS.join(parse_card(part, others=others) for part in parts)


def play_turn(position: Position, turn: Turn) -> PlayedTurn:
    """Play a turn in place, and return it with its steps.

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
    return PlayedTurn(turn.number, turn.seat, turn.card, turn.actions, turn.finished, tuple(steps))


def record_turns(
    start: Position, steps: Iterable[int], *, first: int = 1
) -> tuple[PlayedTurn, ...]:
    """Return the turns that legal steps make; ``first`` is the number of the first one."""
    position = start.copy()
    turns = enumerate(split_turns(steps), first)
    return tuple(_record_turn(position, number, part) for number, part in turns)


def record_turn(start: Position, steps: Iterable[int], *, number: int = 1) -> PlayedTurn:
    """Return the turn that legal steps make, or begin."""
    return record_turns(start, steps, first=number)[0]


def _record_turn(position: Position, number: int, steps: tuple[int, ...]) -> PlayedTurn:
    """Return the turn that some steps make, and make them in place."""
    seat = setup_of(position).seats[position.mover]
    shown = cards_shown(position)
    n_cards = cards_to_come(position)
    if not all(map(is_draw, steps[:n_cards])):
        raise ValueError("a turn begins with the turning up of its cards")
    drawn = [TERRAIN_CARDS[drawn_card(step)] for step in steps[:n_cards]]
    for step in steps[:n_cards]:
        advance(position, step)
    actions: list[str] = []
    for step in steps[n_cards:]:
        text = format_step(position, step)
        advance(position, step)
        if step == END:
            continue
        if actions and actions[-1].endswith("-") and text.startswith("-"):
            actions[-1] += text.removeprefix("-")
        else:
            actions.append(text)
    card = join_cards(shown, drawn)
    return PlayedTurn(number, seat, card, tuple(actions), steps[-1] == END, steps)


def turn_up(position: Position, turn: Turn) -> list[int]:
    """Turn up the cards at the beginning of a turn, check those face up, and return the steps."""
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
    """Return the mover's cards that lie face up, as the line of a turn names them."""
    if position.phase == Phase.SILO:
        return SILO
    shown = zip(TERRAIN_CARDS, position.shown, strict=True)
    return _BETWEEN_CARDS.join(name for name, n in shown for _ in range(n)) or NO_CARD


def cards_to_come(position: Position) -> int:
    """Return how many cards are to be turned up before the first action of the turn."""
    if position.pending_draw == Draw.REVEAL:
        return position.hidden
    return int(position.pending_draw == Draw.REPLACE)


def join_cards(shown: str, drawn: list[str]) -> str:
    """Return the cards that a turn's line names: those face up before, then those turned up."""
    if not drawn:
        return shown
    return _BETWEEN_CARDS.join(drawn if shown == NO_CARD else [shown, *drawn])
