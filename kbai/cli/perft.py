"""``kbai perft``."""

from __future__ import annotations

import json

import click

from kbai.cli.options import format_option, input_argument


@click.command("perft")
@click.argument("depth", metavar="N", type=click.IntRange(0, 100))
@input_argument
@click.option("--divide", is_flag=True, help="Also list the count for each first step.")
@format_option("text", "json")
def command(depth: int, source: str | None, divide: bool, form: str) -> None:
    """Count the sequences of N steps.

    A step is to build, to lift a piece, to put it down, to end the turn, or to turn up a card.
    Two engines that agree on the counts from INPUT agree on the rules.
    """
    from kbai.bench.perft import count_sequences, divide_sequences
    from kbai.cli.reading import read_position

    position = read_position(source)
    parts = {}
    for step, count in divide_sequences(position, depth) if divide else ():
        parts[step] = count
        if form == "text":
            click.echo(f"{step} {count}")
    total = sum(parts.values()) if parts else count_sequences(position, depth)
    if form == "json":
        result: dict[str, object] = {"depth": depth, "count": total}
        click.echo(json.dumps(result | {"divide": parts} if divide else result))
    else:
        click.echo(f"total {total}" if divide else total)
