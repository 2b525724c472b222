"""Counting sequences of steps, the usual way to compare two engines."""

from __future__ import annotations

from collections.abc import Iterator

from kbai._fast import Position
from kbai.game.steps import advance, next_steps
from kbai.notation.actions import format_step

# The kernel counts this deep in one go: long enough to be fast, short enough for Ctrl-C.
KERNEL_DEPTH = 2


def count_sequences(position: Position, depth: int) -> int:
    """Count like the kernel, but in pieces between which Python can be interrupted."""
    if depth <= KERNEL_DEPTH:
        return position.perft(depth)
    return sum(count_sequences(_after(position, s), depth - 1) for s in next_steps(position))


def divide_sequences(position: Position, depth: int) -> Iterator[tuple[str, int]]:
    """Iterate over the next steps, each with the number of sequences that begin with it."""
    for step in next_steps(position) if depth else ():
        yield format_step(position, step), count_sequences(_after(position, step), depth - 1)


def _after(position: Position, step: int) -> Position:
    child = position.copy()
    advance(child, step)
    return child
