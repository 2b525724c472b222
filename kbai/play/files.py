"""Where games under way are kept: the only module of the package that reads and writes."""

from __future__ import annotations

import os
import re
from dataclasses import replace

from kbai.core.errors import KbaiError
from kbai.core.files import write_text
from kbai.core.texts import MAX_GAME, read_file
from kbai.importing.reading import read_any
from kbai.notation.games import Game, format_game
from kbai.play.live import LiveGame, begin, resume
from kbai.play.players import PERSON
from kbai.play.variations import add_variations, format_variations, strip_variations

SUFFIX = ".kbg"
_COMMENT = re.compile(r"(?:^|\s)#", re.M)


def format_live(live: LiveGame) -> str:
    """Return the text of the file that keeps a game: the game itself, then its variations."""
    comments = format_variations(live.tree)
    return format_game(live.game()) + (f"\n{comments}" if comments else "")


def parse_live(
    text: str,
    *,
    seed: int,
    players: tuple[str, ...] | None = None,
    told: bool | None = None,
    file: str | None = None,
) -> tuple[LiveGame, list[str]]:
    """Return the game that a text holds, to go on with, and what of it was left out.

    The text is a game file, a saved log, or a position at which a new game begins. ``seed`` is for
    a game that has none; ``players`` and ``told`` are in place of what the text says.
    """
    found = read_any(text, file=file)
    if not isinstance(found, Game):
        everybody = (PERSON,) * found.board.seats
        return begin(found, players=players or everybody, seed=seed, told=bool(told)), []
    live = resume(found, seed=seed, players=players, told=told)
    tree, problems = add_variations(live.tree, text)
    return replace(live, tree=tree), problems


def has_own_comments(text: str) -> bool:
    """Tell whether a game file has comments that would get lost if the game were saved there."""
    return bool(_COMMENT.search(strip_variations(text)))


def save(live: LiveGame, path: str) -> None:
    """Write a game to its file; until that is complete, the file is as it was before."""
    try:
        write_text(path, format_live(live))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise KbaiError(f"expected a file to save the game in, got {path!r}: {reason}.") from error


def load(path: str, *, seed: int) -> tuple[LiveGame, list[str]]:
    """Return the game of a file, to go on with, and what of it was left out."""
    return parse_live(read_file(path, MAX_GAME), seed=seed, file=path)


def free_name(folder: str, seed: int) -> str:
    """Return the path of a new file for a game."""
    path, count = os.path.join(folder, f"game-{seed}{SUFFIX}"), 1
    while os.path.lexists(path):
        count += 1
        path = os.path.join(folder, f"game-{seed}-{count}{SUFFIX}")
    return path
