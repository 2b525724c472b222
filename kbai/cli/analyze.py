"""``kbai analyze``."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from kbai.cli.cluster import cluster_option, cluster_pool, refuse_workers
from kbai.cli.options import quadrants_option
from kbai.cli.progress import Bar, progress_bar
from kbai.cli.quadrants import note_layouts, quadrants_in_use
from kbai.cli.search_options import SearchOptions, search_options
from kbai.cli.seeds import draw_seed, tell_seed

if TYPE_CHECKING:
    from kbai.analyze.answers import Reply, Settings

STDIN = "-"


@click.command("analyze")
@click.argument("source", metavar="[FILE|-]", type=click.Path(allow_dash=True), default=STDIN)
@quadrants_option
@search_options(
    "visits", "time", "top", "seed", "memory", "workers",
    visits=1000, about={
        "visits": "Number of simulations for each answer.",
        "time": "How long to search for each answer.",
    },
)  # fmt: skip
@click.option(
    "--unordered", is_flag=True, help="Print each answer as soon as it is ready, not in order."
)
@click.option(
    "--resume",
    metavar="OUT",
    type=click.Path(dir_okay=False),
    help="Write the answers to this file; if it has answers of an earlier run, add those that are "
    "missing. Needs --seed.",
)
@cluster_option
def command(
    source: str, search: SearchOptions, unordered: bool, resume: str | None, cluster: str | None
) -> None:
    """Answer queries, one JSON object per line.

    Reads queries from FILE or stdin and prints an answer to each as one line of JSON; the shortest
    query is '{"position": "kb1 ..."}', or just the line 'kb1 ...'. The options hold for queries
    that do not say otherwise. A line that cannot be answered gets an error as its answer, and the
    others go on. 'kbai help queries' has all keys.
    """
    from kbai.analyze.known import known_answers
    from kbai.analyze.scheduler import FAR, NEAR
    from kbai.analyze.service import analyze
    from kbai.cli.reading import open_stream
    from kbai.compute.lines import LineFile
    from kbai.compute.pools import count_cores
    from kbai.compute.processes import processes
    from kbai.core.errors import KbaiError

    if resume is not None and unordered:
        raise click.UsageError("--resume and --unordered contradict each other.")
    if resume is not None and search.seed is None:
        raise click.UsageError("--resume needs --seed, so that all answers have the same one.")
    refuse_workers(cluster, search.workers)
    settings = _make_settings(search)
    workers = cluster_pool(cluster) if cluster else processes(search.workers or count_cores())
    # If the answers themselves are on the terminal, they show how far it is.
    hidden = resume is None and sys.stdout.isatty()
    with ExitStack() as stack:
        out = None if resume is None else stack.enter_context(LineFile(resume))
        read = stack.enter_context(open_stream(source))
        bar = stack.enter_context(progress_bar(_size(source), is_hidden=hidden))
        summary = analyze(
            read,
            out.write if out else lambda text: click.echo(text, nl=False),  # which flushes
            settings,
            workers,
            in_order=not unordered,
            on_done=_watch_answers(bar),
            quadrants=quadrants_in_use(),
            pace=FAR if cluster else NEAR,
            known=known_answers(out) if out else iter(()),
        )
    if summary.failed:
        raise KbaiError(f"{summary.failed:,} of {summary.lines:,} lines could not be answered.")


def _make_settings(search: SearchOptions) -> Settings:
    from kbai.analyze.answers import Settings
    from kbai.analyze.queries import Defaults

    seed = search.seed
    if seed is None:
        seed = draw_seed()
        tell_seed(seed)
    return Settings(Defaults(search.limit, seed, search.top), search.params)


def _watch_answers(bar: Bar) -> Callable[[int, Reply], None]:
    """Return what is told the bytes of the input that are done, and the reply to them."""
    answers = 0

    def show(n_bytes: int, reply: Reply) -> None:
        nonlocal answers
        answers += 1
        note_layouts(reply.own_layouts)
        bar.advance(n_bytes, f"{answers:,} answers")

    return show


def _size(source: str) -> int | None:
    """Return the bytes of a regular file, None for a pipe or a device."""
    try:
        found = os.fstat(sys.stdin.fileno()) if source == STDIN else os.stat(source)
    except (OSError, ValueError):
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None
