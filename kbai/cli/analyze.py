"""``kbai analyze``."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from kbai.analyze.queries import MAX_SECONDS, MAX_TOP, MAX_VISITS, Defaults
from kbai.analyze.service import Reply, Settings, analyze
from kbai.cli.drawing import bar_width
from kbai.cli.inputs import (
    STDIN,
    draw_seed,
    note_names,
    open_stream,
    quadrants_in_use,
    quadrants_option,
    seed_option,
)
from kbai.compute.pools import count_cores
from kbai.compute.processes import processes
from kbai.core.errors import KbaiError
from kbai.search.params import Limit, SearchParams

DEFAULT_VISITS = 1000
BAR = "{percentage:3.0f}%|{bar}| {desc} [{elapsed}<{remaining}]"
# Of a pipe nobody knows how long it is.
BAR_OF_PIPE = "{desc} [{elapsed}]"


@click.command("analyze")
@click.argument("source", metavar="[FILE|-]", type=click.Path(allow_dash=True), default=STDIN)
@quadrants_option
@click.option(
    "--visits",
    metavar="N",
    type=click.IntRange(1, MAX_VISITS),
    help=f"How many games to look at for each answer.  [default: {DEFAULT_VISITS}; no limit with "
    "--time]",
)
@click.option(
    "--time",
    "seconds",
    metavar="SECONDS",
    type=click.FloatRange(0, MAX_SECONDS, min_open=True),
    help="How long to search for each answer.",
)
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(1, MAX_TOP),
    default=5,
    show_default=True,
    help="How many turns to list.",
)
@seed_option
@click.option(
    "--memory",
    metavar="MB",
    type=click.IntRange(1, 10**6),
    default=SearchParams().memory,
    show_default=True,
    help="What a search may take, in megabytes.",
)
@click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1, 256),
    help="Answers that are looked for at the same time.  [default: as many as there are cores]",
)
@click.option("--unordered", is_flag=True, help="Print answers as they come, not in order.")
def command(
    source: str,
    visits: int | None,
    seconds: float | None,
    top: int,
    seed: int | None,
    memory: int,
    workers: int | None,
    unordered: bool,
) -> None:
    """Answer queries, one JSON object a line.

    Reads queries from FILE or stdin and prints an answer for each as one line of JSON:
    '{"position": "kb1 ..."}' is the shortest query. The options hold for queries that do not say
    otherwise. A line that cannot be answered gets an error for an answer; the others go on.
    docs/analysis.md has all keys.
    """
    limit = Limit(DEFAULT_VISITS if visits is None and seconds is None else visits, seconds)
    if seed is None:
        seed = draw_seed()
        click.echo(f"seed: {seed}", err=True)
    settings = Settings(Defaults(limit, seed, top), SearchParams(memory=memory))
    with open_stream(source) as read, _progress_bar(source) as show:
        summary = analyze(
            read,
            _write,
            settings,
            processes(workers or count_cores()),
            in_order=not unordered,
            on_done=show,
            quadrants=quadrants_in_use(),
        )
    if summary.failed:
        raise KbaiError(f"{summary.failed:,} of {summary.lines:,} lines could not be answered.")


def _write(text: bytes) -> None:
    click.echo(text, nl=False)  # which flushes


@contextmanager
def _progress_bar(source: str) -> Iterator[Callable[[int, Reply], None]]:
    """Show on a terminal how much of the input is done; return what to tell of replies."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    size = _size(source)
    answers = 0
    with tqdm(
        total=size,
        bar_format=BAR_OF_PIPE if size is None else BAR,
        # Where the answers themselves are on the terminal, they show how far it is.
        disable=True if sys.stdout.isatty() else None,
        leave=False,
        ncols=bar_width(),
        mininterval=0.2,
        miniters=0,
        file=sys.stderr,
    ) as bar:

        def show(n_bytes: int, reply: Reply) -> None:
            nonlocal answers
            answers += 1
            note_names(reply.own_layouts)
            bar.set_description_str(f"{answers:,} answers", refresh=False)
            bar.update(n_bytes)

        yield show


def _size(source: str) -> int | None:
    """Return the bytes of a file; None if it is none."""
    try:
        found = os.fstat(sys.stdin.fileno()) if source == STDIN else os.stat(source)
    except (OSError, ValueError):
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None
