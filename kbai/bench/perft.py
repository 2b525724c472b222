"""Counting sequences of steps, the usual way to compare two engines."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from kbai._fast import Position
from kbai.game.steps import advance, next_steps
from kbai.notation.actions import format_step

# The kernel counts this deep in one go: long enough to be fast, short enough for Ctrl-C.
KERNEL_DEPTH = 2
# Random sequences of an estimate.
PROBES = 100


def count_sequences(
    position: Position, depth: int, on_counted: Callable[[int], None] = lambda count: None
) -> int:
    """Count like the kernel, but in pieces between which Python can be interrupted.

    ``on_counted`` is told the count of each piece.
    """
    if depth <= KERNEL_DEPTH:
        count = position.perft(depth)
        on_counted(count)
        return count
    steps = next_steps(position)
    return sum(count_sequences(_after(position, s), depth - 1, on_counted) for s in steps)


def divide_sequences(
    position: Position, depth: int, on_counted: Callable[[int], None] = lambda count: None
) -> Iterator[tuple[str, int]]:
    """Iterate over the next steps, each with the number of sequences that begin with it."""
    for step in next_steps(position) if depth else ():
        count = count_sequences(_after(position, step), depth - 1, on_counted)
        yield format_step(position, step), count


def estimate_sequences(position: Position, depth: int, *, seed: int = 1) -> float:
    """Return about how many sequences there are, from random ones.

    A random sequence stands for as many as the product of the choices on its way: their mean is
    the count (Knuth's estimate of the size of a tree).
    """
    generator = random.Random(seed)
    total = 0.0
    for _ in range(PROBES):
        here, product = position, 1.0
        for _ in range(depth):
            steps = next_steps(here)
            product *= len(steps)
            if not steps:
                break
            here = _after(here, generator.choice(steps))
        total += product
    return total / PROBES


def _after(position: Position, step: int) -> Position:
    child = position.copy()
    advance(child, step)
    return child
