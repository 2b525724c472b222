"""``kbai export``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from kbai.cli.options import quadrants_option
from kbai.core.errors import ArenaError

if TYPE_CHECKING:
    from kbai.arena.results import Result


@click.command("export")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "--game",
    "wanted",
    metavar="ID",
    help="Game to print; the beginning of its id is enough.  [default: list all games]",
)
@quadrants_option
def command(file: str, wanted: str | None) -> None:
    """Take a game out of a match or tournament.

    FILE is a journal written with --out. Prints the game file; without --game, lists the games:
    id, number of the deal and of turns, bots and gold by seat. Damaged lines are left out, with a
    note on stderr that has their number.
    """
    from kbai.arena.results import read_results
    from kbai.cli.damage import DamageNotes
    from kbai.cli.drawing import terminal_width
    from kbai.core.printable import printable_lines
    from kbai.report.document_text import document_text
    from kbai.report.game_list import games_document

    notes = DamageNotes()
    _, results = read_results(file, on_damage=notes.add, on_torn=notes.add)
    if wanted is None:
        games = sorted(results, key=lambda game: (game.deal, game.lineup, game.rotation))
        text = document_text(games_document(games), terminal_width())
    else:
        text = find_game(file, results, wanted.strip().lower()).game.rstrip("\n")
    # As bytes: the name of a program may hold what the terminal's encoding does not.
    click.echo(printable_lines(text).encode())


def find_game(file: str, results: Iterable[Result], wanted: str) -> Result:
    """Return the one game whose id begins like this."""
    found = [game for game in results if game.id.startswith(wanted)]
    if not found:
        raise ArenaError(f"{file}: no game has an id that begins with {wanted!r}.")
    if len(found) > 1:
        ids = ", ".join(sorted(game.id for game in found)[:3])
        raise ArenaError(
            f"{file}: {len(found)} games have ids that begin with {wanted!r}, such as {ids}."
        )
    if not found[0].game:
        raise ArenaError(f"{file}: this game could not be played: {found[0].reason}.")
    return found[0]
