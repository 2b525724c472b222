"""The options that commands share: what to read, what to write, how to draw, which seed.

Nothing here imports the library: Tab completion reads options and stays fast.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from kbai.cli.completion import complete_card
from kbai.cli.quadrants import use_quadrants

STDOUT = "-"
LAST = "last"

Command = TypeVar("Command", bound=Callable[..., Any])


class NumberOption(click.Option):
    """An option whose help leaves out the range; a number outside it is told when it comes."""

    def get_help_extra(self, ctx: click.Context) -> Any:
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


def seed_option(default: int | None = None) -> Callable[[Command], Command]:
    """Return the option ``--seed``; without a default it is None, and a random one is used."""
    ending = "a random one, printed on stderr" if default is None else str(default)
    return click.option(
        "--seed",
        type=int,
        metavar="N",
        default=default,
        help=f"Random seed.  [default: {ending}]",
    )


def workers_option(command: Command) -> Command:
    """Add ``--workers``."""
    return click.option(
        "--workers",
        cls=NumberOption,
        metavar="N",
        type=click.IntRange(1, 1000),
        help="Number of parallel workers.  [default: one per core]",
    )(command)


def quadrants_option(command: Command) -> Command:
    """Add ``--quadrants``; all that is read after it knows these quadrants."""
    return click.option(
        "--quadrants",
        metavar="DIR",
        type=click.Path(exists=True, file_okay=False),
        # Other options and INPUT may name these quadrants.
        is_eager=True,
        expose_value=False,
        callback=use_quadrants,
        help="Folder with quadrants of your own.",
    )(command)


def input_argument(command: Command) -> Command:
    """Add the argument INPUT, passed as ``source``, and the option ``--quadrants``."""
    # A path only so that shells complete file names; reading tells what is wrong with it.
    kind = click.Path(allow_dash=True)
    argument = click.argument("source", metavar="[INPUT]", type=kind, required=False)
    return argument(quadrants_option(command))


def card_option(text: str) -> Callable[[Command], Command]:
    """Return the option ``--card``, passed as the name of a terrain card, or several with '+'."""
    return click.option(
        "--card",
        metavar="TERRAIN",
        callback=_parse_card,
        shell_complete=complete_card,
        help=text,
    )


def _parse_card(ctx: click.Context, _param: click.Parameter, text: str | None) -> str | None:
    if text is None or ctx.resilient_parsing:
        return text
    from kbai.core.errors import NotationError
    from kbai.notation.names import parse_card

    try:
        return "+".join(map(parse_card, text.split("+")))
    except NotationError as error:
        raise click.BadParameter(error.message) from error


def turn_option(command: Command) -> Command:
    """Add ``--turn``, passed as an int, LAST or None."""
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


def format_option(*choices: str) -> Callable[[Command], Command]:
    """Return an option ``--format``; the first choice is the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(choices, case_sensitive=False),
        default=choices[0],
        show_default=True,
        help="Output format.",
    )


def output_option(name: str, *, help: str) -> Callable[[Command], Command]:
    """Return an option for a file to write; one that cannot be written is refused at once."""
    return click.option(
        name,
        metavar="FILE",
        type=click.Path(dir_okay=False, allow_dash=True),
        callback=_check_writable,
        help=f"{help}; '-' is stdout.",
    )


def is_given(name: str) -> bool:
    """Return whether the command line has this option, if only with its default."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def yields(name: str, rival: str) -> bool:
    """Return whether an option is only a default of the user, and its rival has been typed."""
    return is_given(rival) and not is_given(name)


def refuse_two_outputs(html: str | None, form: str, *, board: bool = False) -> None:
    """Refuse a page on stdout together with an option about what else would be printed there."""
    other = "--board" if board else f"--format {form}"
    if html == STDOUT and (board or form != "text"):
        raise click.UsageError(f"--html - and {other} both print on stdout; give --html a file.")


def _check_writable(ctx: click.Context, _param: click.Parameter, path: str | None) -> str | None:
    # Opening a pipe or a device could already do something; such a path is tried at the end only.
    if path is None or path == STDOUT or ctx.resilient_parsing:
        return path
    target = os.path.realpath(path)  # of a link, be it to a file that does not exist yet
    is_there = os.path.exists(target)
    if is_there and not os.path.isfile(target):
        return path
    try:
        with open(target, "a"):
            pass
        if not is_there:
            os.remove(target)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise click.BadParameter(unwritable(path, error)) from error
    return path


def unwritable(path: str, error: Exception) -> str:
    """Return the sentence about a file that cannot be written."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"expected a file to write, got {click.format_filename(path)!r}: {reason}."


def drawing_options(command: Command) -> Command:
    """Add ``--color/--no-color`` and ``--ascii``."""
    color = click.option(
        "--color/--no-color",
        default=None,
        help="Use colours or not.  [default: on a terminal, unless NO_COLOR is set]",
    )
    plain = click.option("--ascii", is_flag=True, help="Draw with ASCII characters only.")
    return color(plain(command))
