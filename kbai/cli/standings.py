"""``kbai standings``."""

from __future__ import annotations

import click

from kbai.arena import runner as arena
from kbai.cli.arena_options import print_standings, sprt_option
from kbai.cli.inputs import format_option, quadrants_option
from kbai.core.errors import ArenaError
from kbai.core.statistics import SprtPlan
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
    plan, results = arena.read_results(file)
    if sprt is not None and plan.kind != "match":
        raise ArenaError(f"{file}: expected a match for a sequential test, got a tournament.")
    print_standings(arena.standings(plan, results, sprt), form)
