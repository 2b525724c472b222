"""``kbai convert``."""

from __future__ import annotations

from collections.abc import Iterator

import click

from kbai._fast import Position
from kbai.cli.inputs import input_argument, next_turn, note_layouts, read_text, turn_option
from kbai.core.errors import PlacedError
from kbai.game.setup import setup_of
from kbai.notation.games import Game, format_game, read_any
from kbai.notation.positions import SPELLINGS, clean_text, first_line, format_position, is_line

GAME = "kbg"


@click.command("convert")
@input_argument
@click.option(
    "--to",
    "form",
    type=click.Choice([*SPELLINGS, GAME], case_sensitive=False),
    help="The form to print.  [default: line for a position, kbg for a game]",
)
@turn_option
def command(source: str | None, form: str | None, turn: int | str | None) -> None:
    """Convert positions and games between the text forms.

    INPUT may hold several positions, each on a line 'kb1 ...'; then each gives one line. The
    number after the last turn stands for the position at the end of a game.
    """
    text, name = read_text(source)
    for item in read_items(text, name):
        note_layouts(setup_of(item.start if isinstance(item, Game) else item))
        if turn is not None:
            if not isinstance(item, Game):
                raise click.UsageError("--turn needs a game file, but INPUT is a position.")
            item = item.position_before(next_turn(item, turn))
        # As bytes: the header of a game may hold what the terminal's encoding does not.
        click.echo(format_item(item, form).rstrip("\n").encode())


def read_items(text: str, name: str | None) -> Iterator[Position | Game]:
    """Iterate over the positions of a text that has one on each line, or return what it holds."""
    if not is_line(first_line(clean_text(text))):
        yield read_any(text, file=name)
        return
    for number, line in enumerate(clean_text(text).split("\n"), start=1):
        if first_line(line):
            try:
                yield read_any(line)
            except PlacedError as error:
                raise error.located(file=name, line=number) from error.__cause__


def format_item(item: Position | Game, form: str | None) -> str:
    """Return a position or a game in a form; without one in its usual form."""
    if isinstance(item, Game):
        if form not in (None, GAME):
            raise click.UsageError(f"--to {form} needs a position; --turn N takes one from a game.")
        return format_game(item)
    return format_game(Game(item)) if form == GAME else format_position(item, form or "line")
