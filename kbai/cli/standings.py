"""``kbai standings``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kbai.cli.arena_options import sprt_option, standings_format_option
from kbai.cli.options import quadrants_option

if TYPE_CHECKING:
    from kbai.arena.sprt import SprtPlan


@click.command("standings")
@click.argument("file", metavar="FILE", type=click.Path())
@sprt_option
@quadrants_option
@standings_format_option
def command(file: str, sprt: SprtPlan | None, form: str) -> None:
    """Print the table of a match or tournament.

    FILE is a journal written with --out, finished or not. Damaged lines are left out, with a note
    on stderr that has their number.
    """
    from kbai.arena.results import read_results
    from kbai.arena.standings import compute_standings
    from kbai.cli.damage import DamageNotes
    from kbai.cli.run_arena import print_standings
    from kbai.core.errors import ArenaError

    notes = DamageNotes()
    plan, results = read_results(file, on_damage=notes.add, on_torn=notes.add)
    if sprt is not None and plan.kind != "match":
        raise ArenaError(f"{file}: expected a match for a sequential test, got a tournament.")
    print_standings(compute_standings(plan, results, sprt), form)
