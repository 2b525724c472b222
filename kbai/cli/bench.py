"""``kbai bench``."""

from __future__ import annotations

import json

import click

from kbai.cli.options import format_option
from kbai.cli.progress import progress_bar
from kbai.cli.search_options import SearchOptions, search_options


@click.command("bench")
@search_options("visits", visits=4000, about={"visits": "Number of simulations for each position."})
@format_option("text", "markdown", "json")
def command(search: SearchOptions, form: str) -> None:
    """Measure the speed of the search.

    Searches fixed positions of several sets with a fixed seed in one thread. The signature is
    the same for every build that searches in the same way: it changes with --visits, and with
    any change to the rules, the playouts or the tree. Then measures random games, scoring and
    search by sets and seats. All times are processor times.
    """
    from kbai.bench.profiles import list_profiles, measure_profiles
    from kbai.bench.signature import VISITS, bench_positions, run_bench
    from kbai.cli.drawing import terminal_width
    from kbai.report.bench_document import bench_document
    from kbai.report.bench_json import bench_dict
    from kbai.report.document_formats import format_document

    visits = search.visits or VISITS
    profiles = list_profiles()
    with progress_bar(len(list(bench_positions())) + len(profiles)) as bar:
        found = run_bench(visits, on_row=lambda row: bar.advance())
        rows = measure_profiles(profiles, visits, on_row=lambda row: bar.advance())
    if form == "json":
        click.echo(json.dumps(bench_dict(found, rows)))
    else:
        click.echo(format_document(bench_document(found, rows), form, terminal_width()))
