"""The command line: one module for each command, imported only when that command is called.

A command module imports at its top only what its options need, and the rest inside its functions:
Tab completion imports the module to read the options, and should not wait for the library.
"""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from kbai.cli.config import (
    Config,
    blame_source,
    defaults_of,
    name_variables,
    read_config,
    unknown_variables,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# The module and one-line help of each command. The help is repeated here so that `kbai --help`
# imports no command; a test compares the two.
COMMANDS: dict[str, tuple[str, str]] = {
    "suggest": ("kbai.cli.suggest", "Suggest what to play."),
    "play": ("kbai.cli.play", "Play against bots."),
    "analyze": ("kbai.cli.analyze", "Answer queries, one JSON object per line."),
    "review": (
        "kbai.cli.review",
        "Say what every turn of a game cost, and how lucky its card was.",
    ),
    "serve": ("kbai.cli.serve", "Open the analysis board in your browser."),
    "import": ("kbai.cli.import_logs", "Read games from saved logs of Board Game Arena."),
    "new": ("kbai.cli.new", "Set up a game from a seed."),
    "show": ("kbai.cli.show", "Show a position or a game."),
    "score": ("kbai.cli.score", "Count the gold, card by card."),
    "rules": ("kbai.cli.rules", "Look up the rules that messages cite."),
    "help": ("kbai.cli.help", "Explain a topic or a command."),
    "content": ("kbai.cli.content", "List quadrants, tiles, cards and tasks."),
    "convert": ("kbai.cli.convert", "Convert positions and games between the text forms."),
    "playout": ("kbai.cli.playout", "Play at random to the end of the game."),
    "bots": ("kbai.cli.bots", "List the bots and their options."),
    "bench": ("kbai.cli.bench", "Measure the speed of the search."),
    "perft": ("kbai.cli.perft", "Count the sequences of N steps."),
    "match": ("kbai.cli.match", "Let bots play against each other."),
    "tournament": ("kbai.cli.tournament", "Let all combinations of bots play against each other."),
    "standings": ("kbai.cli.standings", "Print the table of a match or tournament."),
    "export": ("kbai.cli.export", "Take a game out of a match or tournament."),
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and turns kbai's errors into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[name][0]).command
        name_variables(command, name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        is_known = not args or args[0].startswith("-") or args[0] in COMMANDS
        if not is_known and not ctx.resilient_parsing:
            from kbai.core.errors import suggest_name

            ctx.fail(f"{suggest_name('command', args[0], COMMANDS)}.")
        name, command, rest = super().resolve_command(ctx, args)
        if name and command and not ctx.resilient_parsing and not _asks_for_help(name, rest):
            config = ctx.meta[Config.__qualname__] = read_config()
            ctx.default_map = {name: defaults_of(config, command, name, COMMANDS)}
            _tell_of_variables(unknown_variables(command, name, COMMANDS))
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        # The inherited method would import every command for its help.
        found = [
            CompletionItem(name, help=text)
            for name, (_, text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def main(self, *args: Any, **options: Any) -> Any:
        if None in (sys.stdin, sys.stdout, sys.stderr):
            from kbai.cli.streams import open_closed_streams

            open_closed_streams()
        return super().main(*args, **options)

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        with _errors_in_one_line():  # --help and --version print here
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> object:
        with _errors_in_one_line():
            try:
                return super().invoke(ctx)
            except click.UsageError as error:
                raise blame_source(error, ctx.meta.get(Config.__qualname__, Config())) from error


def _tell_of_variables(problems: list[str]) -> None:
    if problems:
        from kbai.cli.notes import print_note

        for problem in problems:
            print_note(f"{problem}.")


def _asks_for_help(name: str, arguments: list[str]) -> bool:
    """Return whether help is wanted, which a wrong configuration file must not prevent."""
    return name == "help" or bool({"-h", "--help"} & {*arguments})


@contextmanager
def _errors_in_one_line() -> Iterator[None]:
    from kbai.core.errors import KbaiError, SeveralErrors
    from kbai.core.printable import printable_message

    try:
        yield
    except SeveralErrors as error:
        raise click.ClickException("\n".join(map(printable_message, error.messages))) from error
    except KbaiError as error:
        raise click.ClickException(printable_message(str(error))) from error
    except click.ClickException as error:
        error.message = printable_message(error.message)  # type: ignore[misc]
        raise
    except MemoryError as error:
        raise click.ClickException("there is not enough memory to do this.") from error
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise  # the reader went away: click exits quietly
        # A full disk, say. The rest of the buffer could not be written at exit either.
        sys.stdout = open(os.devnull, "w")
        reason = error.strerror or str(error)
        raise click.ClickException(f"could not write the result: {reason}.") from error


def _print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from kbai.core.version import installed_version

    version = installed_version()
    click.echo(f"kbai {version}" if version else "kbai, not installed")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-V",
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Suggest turns for Kingdom Builder; set up, draw, score and review games; let bots play.

    INPUT is a file with a position or a game, '-' for stdin, or a position on one line 'kb1 ...'.
    Without INPUT, a command uses the recommended first game. 'kbai help files' says how to write
    one down.
    """
