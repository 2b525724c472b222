"""Where the games to review come from: files, folders, logs, journals of matches, stdin."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

import click

from kbai.arena.results import read_results
from kbai.cli.damage import DamageNotes
from kbai.cli.reading import STDIN, read_text
from kbai.compute.journal import is_header
from kbai.core.errors import KbaiError
from kbai.core.texts import MAX_LOG
from kbai.importing.reading import holds_game, read_game
from kbai.notation.games import Game

GAME_SUFFIX = ".kbg"
# Of saved logs and pages of Board Game Arena, and what all of them hold.
LOG_SUFFIXES = (".json", ".html", ".htm")
LOG_MARK = b"packet_id"
# How much of a file is read to recognise a journal.
START_BYTES = 64


@dataclass(frozen=True, slots=True)
class Source:
    """A game, as far as it could be read; no game if nothing could."""

    name: str
    game: Game | None
    problem: str = ""


def find_games(names: tuple[str, ...]) -> Iterator[Source]:
    """Yield the games that arguments name, in order; a file that cannot be read is a problem."""
    for name in names:
        try:
            yield from _games_of(name)
        except KbaiError as error:
            yield Source(click.format_filename(name), None, str(error))


def _games_of(name: str) -> Iterator[Source]:
    if os.path.isdir(name):
        yield from _games_in_folder(name)
    elif name != STDIN and _is_journal(name):
        yield from _games_in_journal(name)
    else:
        yield _read_file(name)


def _games_in_folder(folder: str) -> Iterator[Source]:
    found = sorted(
        path
        for place, _, files in os.walk(folder)
        for path in (os.path.join(place, file) for file in files)
        # A pipe is no file of the folder: to read it would wait for whoever writes to it.
        if os.path.isfile(path)
        and (path.endswith(GAME_SUFFIX) or _is_journal(path) or is_log_file(path))
    )
    if not found:
        what = f"game files '*{GAME_SUFFIX}', saved logs or journals of matches"
        raise KbaiError(f"expected {what} in the folder {folder!r}, got none.")
    yield from find_games(tuple(found))


def _games_in_journal(path: str) -> Iterator[Source]:
    notes = DamageNotes()
    _, results = read_results(path, on_damage=notes.add, on_torn=notes.add)
    played = [each for each in results if each.game]  # the others could not be played
    if not played:
        raise KbaiError(f"{click.format_filename(path)}: expected games in the journal, got none.")
    for result in sorted(played, key=lambda each: (each.deal, each.lineup, each.rotation)):
        yield _read_game(f"{click.format_filename(path)} {result.id}", result.game)


def _read_file(name: str) -> Source:
    if name != STDIN and not os.path.exists(name):
        what = f"{click.format_filename(name)!r}: there is no such file"
        raise KbaiError(f"expected a game file, a folder of games or a journal, got {what}.")
    text, file = read_text(name)
    if not text.strip():
        raise KbaiError(f"{file}: expected a game, got an empty file.")
    if not holds_game(text):
        raise KbaiError(f"{click.format_filename(name)}: expected a game, got a position.")
    return _read_game(file or name, text)


def _read_game(name: str, text: str) -> Source:
    game, error = read_game(text, file=name)
    return Source(name, game, str(error) if error else "")


def is_log_file(path: str) -> bool:
    """Tell whether a file of a folder is a saved log or page of Board Game Arena."""
    try:
        if not path.lower().endswith(LOG_SUFFIXES) or not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            return LOG_MARK in file.read(MAX_LOG)
    except (OSError, ValueError):
        return False


def _is_journal(path: str) -> bool:
    try:
        if not os.path.isfile(path):  # opening a pipe would wait
            return False
        with open(path, "rb") as file:
            return is_header(file.read(START_BYTES))
    except (OSError, ValueError):  # ValueError: a NUL in the name; reading reports it
        return False
