"""Any text that holds a position or a game: kbai's own forms, and logs from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kbai._fast import Position
from kbai.core.errors import ImportedLogError, PlacedError
from kbai.importing.kinds import is_log
from kbai.notation.positions import is_game, parse_position

if TYPE_CHECKING:
    from kbai.importing.bga import Imported
    from kbai.notation.games import Game


def holds_game(text: str) -> bool:
    """Tell whether a text is meant as a game, in a game file or a log, not as a position."""
    return is_log(text) or is_game(text)


def read_any(text: str, *, file: str | None = None) -> Position | Game:
    """Return the position or the game that a text holds; a game must be right to its end."""
    if not holds_game(text):
        return parse_position(text, file=file)
    game, problem = read_game(text, file=file)
    if problem is not None:
        raise problem from problem.__cause__
    return game


def read_game(text: str, *, file: str | None = None) -> tuple[Game, PlacedError | None]:
    """Return the game that a text holds as far as it can be read, and what is wrong after that."""
    from kbai.notation import games  # with all that knows turns: positions do without

    if not is_log(text):
        return games.read_game(text, file=file)
    imported = read_log(text, file=file)
    problem = ImportedLogError(imported.difference, file=file) if imported.difference else None
    return imported.game, problem


def read_log(text: str, *, file: str | None = None, anonymous: bool = False) -> Imported:
    """Return the game of a log; an error names the file."""
    # Imported here, because it takes as long to load as all the rest.
    from kbai.importing.bga import import_game

    try:
        return import_game(text, anonymous=anonymous)
    except ImportedLogError as error:
        raise error.located(file=file) from error.__cause__
