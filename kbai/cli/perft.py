"""``kbai perft``."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from kbai.cli.notes import print_note
from kbai.cli.options import format_option, input_argument, turn_option
from kbai.cli.progress import Bar, progress_bar

if TYPE_CHECKING:
    from kbai._fast import Position

# A count that takes longer is estimated first, so that you know what you are waiting for.
ESTIMATE_AFTER_S = 3.0
UNITS = (("years", 31_557_600.0), ("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0))


@click.command("perft")
@click.argument("depth", metavar="N", type=click.IntRange(0, 100))
@input_argument
@turn_option
@click.option("--divide", is_flag=True, help="Also list the count for each first step.")
@format_option("text", "json")
def command(
    depth: int, source: str | None, turn: int | str | None, divide: bool, form: str
) -> None:
    """Count the sequences of N steps.

    A step is to build, to lift a piece, to put it down, to end the turn, or to turn up a card.
    Two engines that agree on the counts from INPUT agree on the rules. If it takes long, says
    about how many sequences there are, and how long to count them.
    """
    from kbai.bench.perft import count_sequences, divide_sequences
    from kbai.cli.reading import read_moment

    position = read_moment(source, turn).position
    parts = {}
    with progress_bar(None) as bar:
        watch = _watch_count(bar, position, depth)
        for step, count in divide_sequences(position, depth, watch) if divide else ():
            parts[step] = count
            if form == "text":
                with bar.paused():
                    click.echo(f"{step} {count}")
        total = sum(parts.values()) if parts else count_sequences(position, depth, watch)
    if form == "json":
        result: dict[str, object] = {"depth": depth, "count": total}
        click.echo(json.dumps(result | {"divide": parts} if divide else result))
    else:
        click.echo(f"total {total}" if divide else total)


def _watch_count(bar: Bar, position: Position, depth: int) -> Callable[[int], None]:
    """Return what is told of each piece that is counted."""
    start = time.monotonic()
    total = 0
    about = ""

    def show(count: int) -> None:
        nonlocal total, about
        total += count
        seconds = time.monotonic() - start
        if not about and seconds > ESTIMATE_AFTER_S:
            from kbai.bench.perft import estimate_sequences

            estimate = estimate_sequences(position, depth)
            about = f" of about {estimate:.1e}"
            left = _duration(max(estimate - total, 0.0) / total * seconds) if total else "long"
            with bar.paused():
                note = f"about {estimate:.1e} sequences; to count them takes about {left} more"
                print_note(f"{note}.")
        bar.advance(count, f"{total:,}{about} sequences")

    return show


def _duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> _duration(150), _duration(3e20)
    ('2.5 minutes', '9.5e+12 years')
    """
    name, length = next(((n, s) for n, s in UNITS if seconds >= s), ("seconds", 1.0))
    return f"{seconds / length:.2g} {name}"
