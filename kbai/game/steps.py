"""Steps, which the kernel and the search tree write as numbers; only this module takes them apart.

A step of a seat holds a kind, the slot of its tile (0: no tile) and a cell. Some kinds have another
number in place of the cell. Turning up a card is a chance step: nobody decides it, and its number
is negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kbai._fast import Position, Step

_KIND_SHIFT, _SLOT_SHIFT = 24, 16
_SLOT_MASK, _CELL_MASK = 0xFF, 0xFFFF
# A choice has a card and a terrain in place of the cell.
_TERRAIN_CODES = 16
_KINDS = tuple(Step)


def pack_step(kind: Step, slot: int = 0, cell: int = 0) -> int:
    """Return the number of a step.

    >>> unpack_step(pack_step(Step.BUILD, 2, 122)) == (Step.BUILD, 2, 122)
    True
    """
    return kind << _KIND_SHIFT | slot << _SLOT_SHIFT | cell


def unpack_step(step: int) -> tuple[Step, int, int]:
    """Return the kind, slot and cell of a step that a seat makes."""
    return _KINDS[step >> _KIND_SHIFT], step >> _SLOT_SHIFT & _SLOT_MASK, step & _CELL_MASK


END = pack_step(Step.END)


def choose_step(card: int, terrain: int) -> int:
    """Return the step that plays a card of the hand for a terrain."""
    return pack_step(Step.CHOOSE, 0, card * _TERRAIN_CODES + terrain)


def unpack_choice(cell: int) -> tuple[int, int]:
    """Return the card and the terrain of a choice, from the number in place of its cell."""
    return divmod(cell, _TERRAIN_CODES)


def draw_step(card: int) -> int:
    """Return the chance step that turns up a card.

    >>> drawn_card(draw_step(3)), is_draw(draw_step(0)), is_draw(END)
    (3, True, False)
    """
    return -1 - card


def is_draw(step: int) -> bool:
    """Tell whether a step turns up a card."""
    return step < 0


def drawn_card(step: int) -> int:
    """Return the card that a chance step turns up."""
    return -1 - step


def next_steps(position: Position) -> list[int]:
    """Return the legal steps, or the chance steps if a card is to be turned up."""
    if position.pending_draw:
        return [draw_step(card) for card, count in enumerate(position.draws()) if count]
    return position.legal()


def advance(position: Position, step: int) -> None:
    """Make a legal step in place, or turn up a card."""
    if is_draw(step):
        position.draw(drawn_card(step))
    else:
        position.apply(step)


def end_of(position: Position, steps: Iterable[int]) -> Position:
    """Return the position that legal steps lead to."""
    end = position.copy()
    for step in steps:
        advance(end, step)
    return end


def split_turns(steps: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Yield the steps of each turn, up to its end; the last turn may lack it."""
    turn: list[int] = []
    for step in steps:
        turn.append(step)
        if step == END:
            yield tuple(turn)
            turn = []
    if turn:
        yield tuple(turn)


def is_same_turn(position: Position, one: Sequence[int], other: Sequence[int]) -> bool:
    """Tell whether two ways to play a turn are one decision: they lead to the same position."""
    return one == other or end_of(position, one) == end_of(position, other)


def is_same_decision(start: Position, steps: Sequence[int], now: Position) -> bool:
    """Tell whether the seat that decides at the start still does ``now``, after these steps.

    Its decision is over when it ends its turn, when a card is to be drawn, when another seat is to
    react, and at the end of the game.
    """
    is_ended = bool(steps) and steps[-1] == END
    return not (is_ended or now.is_over or now.pending_draw) and now.actor == start.actor
