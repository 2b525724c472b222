"""All turns of a position, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kbai._fast import Position
from kbai.game.steps import is_same_decision
from kbai.notation.turns import record_turn


def iterate_turns(position: Position) -> Iterator[str]:
    """Yield the text of every sequence of steps that is a turn, in the order of the steps."""
    return _turns(position, position, (), lambda after: True)


def distinct_turns(position: Position) -> Iterator[str]:
    """Yield as `iterate_turns` does, but of turns that lead to the same position only the first.

    What is remembered of a position is its hash: 64 bits from all that is in it.
    """
    seen: set[int] = set()

    def is_new(after: Position) -> bool:
        count = len(seen)
        seen.add(hash(after))
        return len(seen) > count

    return _turns(position, position, (), is_new)


def _turns(
    start: Position, position: Position, steps: tuple[int, ...], is_new: Callable[[Position], bool]
) -> Iterator[str]:
    for step in position.legal():
        after = position.copy()
        after.apply(step)
        if not is_new(after):
            continue
        so_far = (*steps, step)
        if is_same_decision(start, so_far, after):
            yield from _turns(start, after, so_far, is_new)
        else:
            yield record_turn(start, so_far).summary
