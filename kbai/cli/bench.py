"""``kbai bench``."""

from __future__ import annotations

import json

import click

from kbai.bench import VISITS, run_bench
from kbai.cli.inputs import format_option
from kbai.report import bench_dict, bench_text


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
    any change of the rules, the playouts or the tree.
    """
    found = run_bench(visits)
    click.echo(json.dumps(bench_dict(found)) if form == "json" else bench_text(found))
