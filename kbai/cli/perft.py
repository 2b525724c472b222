"""``kbai perft``."""

from __future__ import annotations

import json

import click

from kbai._fast import Position
from kbai.cli.inputs import format_option, input_argument, read_position
from kbai.game.steps import advance, next_steps
from kbai.notation.actions import format_step

# The kernel counts this deep in one go: long enough to be fast, short enough for Ctrl-C.
KERNEL_DEPTH = 2


@click.command("perft")
@click.argument("depth", metavar="N", type=click.IntRange(0, 100))
@input_argument
@click.option("--divide", is_flag=True, help="List the count below each first step, too.")
@format_option("text", "json")
def command(depth: int, source: str | None, divide: bool, form: str) -> None:
    """Count the sequences of N steps.

    A step is a build, the lifting or the putting down of a piece, the end of a turn, or the
    turning up of a card. Two engines that agree on the counts from INPUT agree on the rules.
    """
    position = read_position(source)
    parts = {}
    for step in next_steps(position) if divide and depth else ():
        text = format_step(position, step)
        parts[text] = count_sequences(_after(position, step), depth - 1)
        if form == "text":
            click.echo(f"{text} {parts[text]}")
    total = sum(parts.values()) if parts else count_sequences(position, depth)
    if form == "json":
        result: dict[str, object] = {"depth": depth, "count": total}
        click.echo(json.dumps(result | {"divide": parts} if divide else result))
    else:
        click.echo(f"total {total}" if divide else total)


def count_sequences(position: Position, depth: int) -> int:
    """Count like the kernel, but in pieces between which Python can be interrupted."""
    if depth <= KERNEL_DEPTH:
        return position.perft(depth)
    return sum(count_sequences(_after(position, s), depth - 1) for s in next_steps(position))


def _after(position: Position, step: int) -> Position:
    child = position.copy()
    advance(child, step)
    return child
