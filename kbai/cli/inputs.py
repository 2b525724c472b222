"""What the commands read: positions, games, and people's own quadrants.

A position or a game is a file, stdin, a line ``kb1 ...``, or the first-game position.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import resources
from typing import Any, BinaryIO, TypeVar

import click

from kbai import content
from kbai._fast import Position
from kbai.api.files import decode_text
from kbai.core.errors import KbaiError
from kbai.game.setup import Setup, setup_of
from kbai.notation.games import Game, read_any
from kbai.notation.positions import is_line

STDIN = "-"
STDIN_NAME = "stdin"
LAST = "last"
# A position has some kilobytes, a game some ten; nobody means a device to be read to its end.
MAX_BYTES = 16_000_000

Command = TypeVar("Command", bound=Callable[..., Any])

seed_option = click.option(
    "--seed", type=int, help="Where all chance comes from.  [default: drawn]"
)


def draw_seed() -> int:
    """Return a seed that a person can copy."""
    return secrets.randbelow(2**32)


def quadrants_option(command: Command) -> Command:
    """Add the option ``--quadrants``; what it reads is known to all that comes after it."""
    return click.option(
        "--quadrants",
        metavar="DIR",
        type=click.Path(exists=True, file_okay=False),
        # Other options and INPUT may name these quadrants.
        is_eager=True,
        expose_value=False,
        callback=_use_quadrants,
        help="A folder with quadrants of your own.",
    )(command)


def _use_quadrants(ctx: click.Context, _param: click.Parameter, folder: str | None) -> None:
    if ctx.resilient_parsing:
        return
    usual = os.path.join(click.get_app_dir("kbai"), "quadrants")
    folders = [usual] if os.path.isdir(usual) else []
    if folder is not None:
        folders.append(folder)
    found = tuple(map(content.read_folder, folders))
    content.use_quadrants(*found)
    ctx.meta[_use_quadrants.__qualname__] = found


def quadrants_in_use() -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return what was read for ``--quadrants``, for workers that need it, too."""
    found: tuple[tuple[tuple[str, str], ...], ...]
    found = click.get_current_context().meta.get(_use_quadrants.__qualname__, ())
    return found


def note_layouts(setup: Setup) -> None:
    """Tell on stderr, once a command, that a layout in play is not the printed one."""
    note_names(setup.own_layouts)


def note_names(own_layouts: Iterable[str]) -> None:
    """Tell on stderr, once a command, which layouts are not the printed ones."""
    names = ", ".join(own_layouts)
    meta = click.get_current_context().meta
    if names and not meta.get(note_names.__qualname__):
        meta[note_names.__qualname__] = True
        click.echo(f"note: not laid out as printed: {names}.", err=True)


def input_argument(command: Command) -> Command:
    """Add the argument INPUT, passed as ``source``, and the option ``--quadrants``."""
    # A path only so that shells complete file names; reading tells what is wrong with it.
    kind = click.Path(allow_dash=True)
    argument = click.argument("source", metavar="[INPUT]", type=kind, required=False)
    return argument(quadrants_option(command))


def turn_option(command: Command) -> Command:
    """Add the option ``--turn``, an int, LAST or None."""
    return click.option(
        "--turn",
        callback=_parse_turn,
        metavar=f"N|{LAST}",
        help="In a game: the position before this turn.",
    )(command)


def _parse_turn(_ctx: click.Context, _param: click.Parameter, text: str | None) -> int | str | None:
    if text is None or text.strip().lower() == LAST:
        return text and LAST
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise click.BadParameter(f"expected the number of a turn or {LAST!r}, got {text!r}.")
    return int(text)


def next_turn(game: Game, turn: int | str | None) -> int:
    """Return the number of the turn that comes after the position meant; None: after the last."""
    if isinstance(turn, int):
        return turn
    return game.turns[-1].number + (turn is None) if game.turns else 1


def format_option(*choices: str) -> Callable[[Command], Command]:
    """Return an option ``--format``; the first choice is the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(choices, case_sensitive=False),
        default=choices[0],
        show_default=True,
        help="How to print the result.",
    )


def read_input(source: str | None) -> Position | Game:
    """Return the position or game that INPUT names; without INPUT the first-game position."""
    text, name = read_text(source)
    found = read_any(text, file=name)
    note_layouts(setup_of(found.start if isinstance(found, Game) else found))
    return found


def read_position(source: str | None) -> Position:
    """Return the position that INPUT names; of a game the final one."""
    found = read_input(source)
    return found.final_position() if isinstance(found, Game) else found


def read_text(source: str | None) -> tuple[str, str | None]:
    """Return the text that INPUT names and the name of its file, if it has one."""
    if source is None:
        folder = resources.files("kbai").joinpath("data").joinpath("positions")
        return folder.joinpath("first-game.toml").read_text("utf-8"), None
    if is_line(source):
        return source, None
    name = STDIN_NAME if source == STDIN else click.format_filename(source)
    try:
        data = _read_stdin() if source == STDIN else _read_file(source)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else str(error)
        message = f"expected a file to read, '-' or a line 'kb1 ...', got {name!r}: {reason}."
        raise KbaiError(message) from error
    if len(data) > MAX_BYTES:
        raise KbaiError(f"{name}: expected at most {MAX_BYTES:,} bytes, got more.")
    return decode_text(data, name), name


@contextmanager
def open_stream(source: str) -> Iterator[Callable[[int], bytes]]:
    """Return a function that reads some bytes of a file or stdin, as soon as there are any."""
    name = STDIN_NAME if source == STDIN else click.format_filename(source)
    with ExitStack() as stack:
        try:
            if source == STDIN:
                # Unbuffered: whoever waits for a buffer could not be stopped at the end.
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


def _read_stdin() -> bytes:
    return _stdin().read(MAX_BYTES + 1)


def _read_file(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read(MAX_BYTES + 1)
