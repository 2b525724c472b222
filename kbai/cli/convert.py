"""``kbai convert``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kbai.cli.options import input_argument, turn_option

if TYPE_CHECKING:
    from kbai._fast import Position
    from kbai.notation.games import Game

# Those of `kbai.notation.positions`, which is not imported for them; a test compares.
SPELLINGS = ("line", "toml", "json")
GAME = "kbg"


@click.command("convert")
@input_argument
@click.option(
    "--to",
    "form",
    type=click.Choice([*SPELLINGS, GAME], case_sensitive=False),
    help="Form to print.  [default: line for a position, kbg for a game]",
)
@turn_option
def command(source: str | None, form: str | None, turn: int | str | None) -> None:
    """Convert positions and games between the text forms.

    INPUT may hold several positions, each on its own line 'kb1 ...'; each becomes one line. Of a
    game, --to line, toml or json prints the position at its end, or that of --turn.
    """
    from kbai.cli.reading import find_moment, note_own, read_items, read_text

    for item in read_items(*read_text(source)):
        note_own(item)
        is_position = turn is not None or form in SPELLINGS
        text = format_item(find_moment(item, turn).position if is_position else item, form)
        # As bytes: the header of a game may hold what the terminal's encoding does not.
        click.echo(text.rstrip("\n").encode())


def format_item(item: Position | Game, form: str | None) -> str:
    """Return a position or a game in a form; without one, in its usual form."""
    from kbai.notation.games import Game, format_game
    from kbai.notation.positions import format_position

    if isinstance(item, Game):
        return format_game(item)
    return format_game(Game(item)) if form == GAME else format_position(item, form or "line")
