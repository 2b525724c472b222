"""``kbai bench``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from kbai.bench.profiles import list_profiles, measure_profiles
from kbai.bench.signature import VISITS, bench_positions, run_bench
from kbai.cli.drawing import bar_width
from kbai.cli.inputs import format_option
from kbai.report.scores import bench_dict, bench_text


@click.command("bench")
@click.option(
    "--visits",
    metavar="N",
    type=click.IntRange(1, 10**9),
    default=VISITS,
    show_default=True,
    help="How often each position is visited.",
)
@format_option("text", "json")
def command(visits: int, form: str) -> None:
    """Measure the speed of the search.

    Searches fixed positions of several sets with a fixed seed in one thread. The signature is
    the same for every build that searches in the same way: it changes with the visits, and with
    any change of the rules, the playouts or the tree. Then measures random games, scoring and
    search by sets and seats. All times are those of the processor.
    """
    profiles = list_profiles()
    with _progress_bar(len(list(bench_positions())) + len(profiles)) as show:
        found = run_bench(visits, on_row=show)
        rows = measure_profiles(profiles, visits, on_row=show)
    tell = json.dumps(bench_dict(found, rows)) if form == "json" else bench_text(found, rows)
    click.echo(tell)


@contextmanager
def _progress_bar(parts: int) -> Iterator[Callable[[object], None]]:
    """Show on a terminal how many parts are measured; return what to tell of each."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    with tqdm(
        total=parts,
        bar_format="{percentage:3.0f}%|{bar}| [{elapsed}<{remaining}]",
        disable=None,  # unless stderr is a terminal
        leave=False,
        ncols=bar_width(),
        file=sys.stderr,
    ) as bar:
        yield lambda row: bar.update(1)
