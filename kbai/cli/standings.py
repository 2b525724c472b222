"""``kbai standings``."""

from __future__ import annotations

import click

from kbai.arena.results import read_results
from kbai.arena.sprt import SprtPlan
from kbai.arena.standings import compute_standings
from kbai.cli.arena_options import print_standings, sprt_option
from kbai.cli.inputs import format_option, quadrants_option
from kbai.core.errors import ArenaError
from kbai.report.standings import FORMATS


@click.command("standings")
@click.argument("file", metavar="FILE", type=click.Path())
@sprt_option
@quadrants_option
@format_option(*FORMATS)
def command(file: str, sprt: SprtPlan | None, form: str) -> None:
    """Print the table of a match or tournament.

    FILE is what --out has written, also while games are being added to it.
    """
    plan, results = read_results(file)
    if sprt is not None and plan.kind != "match":
        raise ArenaError(f"{file}: expected a match for a sequential test, got a tournament.")
    print_standings(compute_standings(plan, results, sprt), form)
