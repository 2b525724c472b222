"""``kbai import``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from kbai.cli.notes import print_note
from kbai.core.errors import KbaiError, SeveralErrors

if TYPE_CHECKING:
    from kbai.importing.bga import Imported


@click.command("import")
@click.argument(
    "names", metavar="FILE...", nargs=-1, required=True, type=click.Path(allow_dash=True)
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Folder for the game files, one for each log.  [default: print one game]",
)
@click.option("--anonymous", is_flag=True, help="Leave out the names of the players.")
@click.option("--force", is_flag=True, help="Overwrite game files that exist.")
def command(names: tuple[str, ...], out: str | None, anonymous: bool, force: bool) -> None:
    """Read games from saved logs of Board Game Arena.

    FILE is the saved log of a table or the saved page of a replay, a folder with such files, or '-'
    for stdin. Prints the game file; on stderr, what the log was compared with. If the log and the
    rules differ, the game goes up to there and the exit code is 1.
    """
    if force and out is None:
        raise click.UsageError("--force needs --out.")
    if out is None and (len(names) > 1 or os.path.isdir(names[0])):
        raise click.UsageError("several logs need --out DIR.")
    run = _Run(out, anonymous, force)
    for name in names:
        for path in _logs_of(name, run):
            run.add(path)
    if run.problems:
        raise SeveralErrors(run.problems)


def _logs_of(name: str, run: _Run) -> Iterator[str]:
    from kbai.cli.game_sources import is_log_file

    if not os.path.isdir(name):
        yield name
        return
    folders = os.walk(name)
    paths = sorted(os.path.join(place, file) for place, _, files in folders for file in files)
    logs = [path for path in paths if is_log_file(path)]
    if not logs:
        folder = click.format_filename(name)
        run.problems.append(f"expected saved logs or pages in the folder {folder!r}, got none.")
    yield from logs


@dataclass(slots=True)
class _Run:
    out: str | None
    anonymous: bool
    force: bool
    problems: list[str] = field(default_factory=list)
    written: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Which log each game file of this run was made of, and its text."""

    def add(self, path: str) -> None:
        """Import one log; what is wrong with it is told at the end."""
        from kbai.cli.reading import read_text
        from kbai.importing.reading import read_log

        try:
            text, name = read_text(path)
            imported = read_log(text, file=name, anonymous=self.anonymous)
            self.write(path, imported)
        except KbaiError as error:
            self.problems.append(str(error))
            return
        shown = click.format_filename(path)
        print_note(f"{shown}: {imported.summary}")
        for note in imported.notes:
            print_note(f"{shown}: {note}")
        if imported.difference:
            sentence = imported.difference.removesuffix(".")
            self.problems.append(f"{shown}: {sentence}. The game is imported up to there.")

    def write(self, path: str, imported: Imported) -> None:
        from kbai.cli.writing import write_new
        from kbai.notation.games import format_game

        text = format_game(imported.game)
        if self.out is None:
            # As bytes: a name may hold what the terminal's encoding does not.
            click.echo(text.rstrip("\n").encode())
            return
        target = os.path.join(self.out, _file_name(path, imported.table))
        if target in self.written:
            first, before = self.written[target]
            if text == before:
                return  # a log and the page of the same table
            shown, other = map(click.format_filename, (path, first))
            raise KbaiError(f"{shown}: not the same game as {other}, of the same table; left out.")
        self.written[target] = path, text
        write_new(target, text, overwrite=self.force)


def _file_name(path: str, table: int | None) -> str:
    if table is not None:
        return f"bga-{table}.kbg"
    stem = re.sub(r"[^\w.-]+", "-", os.path.basename(path).split(".")[0]).strip("-.")
    return f"{stem or 'game'}.kbg"
