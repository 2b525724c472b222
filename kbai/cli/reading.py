"""How commands read positions, games and streams of queries.

A position or a game is a file, stdin, a line ``kb1 ...``, or the recommended first game.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import click

from kbai._fast import Position
from kbai.cli.quadrants import note_layouts
from kbai.content import DATA
from kbai.core.errors import KbaiError, NotationError, PlacedError
from kbai.core.texts import MAX_FILE, MAX_LOG, read_file, read_stream
from kbai.game.hand import before_card
from kbai.game.setup import setup_of
from kbai.importing.kinds import is_log
from kbai.importing.reading import read_any
from kbai.notation.positions import clean_text, first_line, is_line

if TYPE_CHECKING:
    from kbai.notation.games import Game
    from kbai.notation.turns import Turn

STDIN = "-"
STDIN_NAME = "stdin"


class Moment(NamedTuple):
    """A position, and in a game the turns before and after it."""

    position: Position
    last: Turn | None = None
    coming: Turn | None = None


def read_moment(source: str | None, turn: int | str | None) -> Moment:
    """Return the position that INPUT and ``--turn`` mean."""
    return find_moment(read_input(source), turn)


def find_moment(found: Position | Game, turn: int | str | None) -> Moment:
    """Return the position that ``--turn`` means; in a game without it the final one."""
    if isinstance(found, Position):
        if turn is not None:
            raise click.UsageError("--turn needs a game file, but INPUT is a position.")
        return Moment(found)
    number = _next_turn(found, turn)
    turns = {item.number: item for item in found.turns}
    return Moment(found.position_before(number), turns.get(number - 1), turns.get(number))


def turn_up(moment: Moment, card: str | None, *, reveal: bool) -> Position:
    """Return the position with the card that ``--card`` names, or that ``--reveal`` looks up."""
    if reveal and card is not None:
        raise click.UsageError("--card and --reveal contradict each other.")
    if reveal and moment.coming is None:
        raise click.UsageError("--reveal needs a turn that has been played; name it with --turn.")
    card = moment.coming.card if reveal and moment.coming else card
    if card is None:
        return moment.position
    from kbai.notation.turns import Turn, play_turn

    position = (before_card(moment.position) or moment.position).copy()
    try:
        play_turn(position, Turn(1, setup_of(position).seats[position.mover], card, finished=False))
    except PlacedError as error:
        message = error.message.removeprefix("turn 1").removeprefix(" is not possible").lstrip(": ")
        raise click.BadParameter(message, param_hint="'--card'") from error
    return position


def _next_turn(game: Game, turn: int | str | None) -> int:
    """Return the number of the turn that comes after the position; None: after the last turn."""
    if isinstance(turn, int):
        return turn
    return game.turns[-1].number + (turn is None) if game.turns else 1


def read_input(source: str | None) -> Position | Game:
    """Return the position or game that INPUT names; without INPUT the first-game position."""
    text, name = read_text(source)
    found = read_any(text, file=name)
    note_own(found)
    return found


def note_own(found: Position | Game) -> None:
    """Say on stderr if a layout in play is not the printed one."""
    note_layouts(setup_of(found if isinstance(found, Position) else found.start).own_layouts)


def read_text(source: str | None) -> tuple[str, str | None]:
    """Return the text that INPUT names and the name of its file, if it has one."""
    if source is None:
        return read_file(os.path.join(DATA, "positions", "first-game.toml"), MAX_FILE), None
    if is_line(source):
        return source, None
    name = STDIN_NAME if source == STDIN else click.format_filename(source)
    try:
        if source == STDIN:
            text = read_stream(_stdin(), MAX_LOG, name)
        else:
            text = read_file(source, MAX_LOG, name)
    except NotationError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else str(error)
        message = f"expected a file to read, '-' or a line 'kb1 ...', got {name!r}: {reason}."
        raise KbaiError(message) from error
    if len(text) > MAX_FILE and not is_log(text):
        raise NotationError(f"expected at most {MAX_FILE:,} bytes, got more.", file=name)
    return text, name


def read_items(text: str, name: str | None) -> Iterator[Position | Game]:
    """Iterate over the positions of a text that has one on each line, or over its one item."""
    if not is_line(first_line(clean_text(text))):
        yield read_any(text, file=name)
        return
    for number, line in enumerate(clean_text(text).split("\n"), start=1):
        if first_line(line):
            try:
                yield read_any(line)
            except PlacedError as error:
                raise error.located(file=name, line=number) from error.__cause__


@contextmanager
def open_stream(source: str) -> Iterator[Callable[[int], bytes]]:
    """Return a function that reads bytes of a file or stdin as soon as there are any."""
    name = STDIN_NAME if source == STDIN else click.format_filename(source)
    with ExitStack() as stack:
        try:
            if source == STDIN:
                # Unbuffered: a read that waits to fill a buffer could not be stopped.
                stream = getattr(_stdin(), "raw", _stdin())
            else:
                stream = stack.enter_context(open(source, "rb", buffering=0))
        except (OSError, ValueError) as error:
            raise _unreadable(name, error) from error

        def read(size: int) -> bytes:
            try:
                data: bytes = stream.read(size)
            except OSError as error:
                raise _unreadable(name, error) from error
            return data

        yield read


def _unreadable(name: str, error: OSError | ValueError) -> KbaiError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return KbaiError(f"expected a file to read or '-', got {name!r}: {reason}.")


def _stdin() -> BinaryIO:
    if sys.stdin is None:
        raise OSError(0, "stdin is closed")
    return sys.stdin.buffer
