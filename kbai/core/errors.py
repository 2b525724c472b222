"""The errors that kbai raises on purpose; every message is a sentence for the user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Self

from kbai.core.printable import printable

# Longer pieces of input are cut where an error quotes them.
MAX_QUOTE = 40
# How alike a word and a name must be for the one to be meant as the other. Words of other
# languages often look a little like some name.
MIN_LIKENESS = 0.66
NO_ALIASES: Mapping[str, str] = MappingProxyType({})
# With more names than this, nobody reads a list of them.
MAX_LISTED = 40
# Of a word to blame, so much is kept: it is searched for in the input.
MAX_TOKEN = 200


class KbaiError(Exception):
    """Base of all errors caused by input rather than by a bug."""


class SeveralErrors(KbaiError):
    """What was wrong with several inputs, a line for each."""

    def __init__(self, messages: Iterable[str]) -> None:
        self.messages = tuple(messages)
        super().__init__("\n".join(self.messages))


class ContentError(KbaiError):
    """A data file does not describe a set that can be played."""


class PlacedError(KbaiError):
    """An error about a piece of text, with as much about its place as is known.

    ``path`` and ``token`` say which key and which word are to blame; whoever has the
    text at hand turns them into a line and a column with `located`.
    """

    def __init__(
        self,
        message: str,
        *,
        path: tuple[str | int, ...] = (),
        token: str = "",
        line: int | None = None,
        column: int | None = None,
        file: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.token = token[:MAX_TOKEN]
        self.line = line
        self.column = column
        self.file = file

    def __str__(self) -> str:
        place = [printable(self.file)] if self.file else []
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.column is not None:
            place.append(f"column {self.column}")
        return f"{', '.join(place)}: {self.message}" if place else self.message

    def located(
        self, *, line: int | None = None, column: int | None = None, file: str | None = None
    ) -> Self:
        """Return a copy with these parts of the place filled in; the others stay."""
        return type(self)(
            self.message,
            path=self.path,
            token=self.token,
            line=self.line if line is None else line,
            column=self.column if column is None else column,
            file=self.file if file is None else file,
        )


class NotationError(PlacedError, ValueError):
    """A text is not one of kbai's forms, or its parts contradict each other."""


class IllegalActionError(PlacedError, ValueError):
    """An action is well-formed but against the rules."""


class ImportedLogError(PlacedError, ValueError):
    """A log or page of another site that no game can be read from, or not all of it."""


class StoreError(KbaiError, OSError):
    """A journal of results cannot be read or written."""


class ShapeError(KbaiError, ValueError):
    """A value does not have the keys and types it must have; the message is a phrase."""


class ParallelError(KbaiError):
    """Workers cannot be started or reached."""


class BotError(KbaiError, ValueError):
    """A bot is unknown, has no such option, or cannot be started."""


class SearchError(KbaiError, ValueError):
    """A search that cannot be made."""


class QueryError(KbaiError, ValueError):
    """A query of an analysis that cannot be answered."""

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = None if field is None else field[:MAX_TOKEN]
        """The key that caused the error, if there is one."""


class ArenaError(KbaiError, ValueError):
    """A match or tournament that cannot be played."""


class ReviewError(KbaiError, ValueError):
    """A game that cannot be reviewed."""


class BotFault(KbaiError):
    """A bot gave no legal answer in a game, and loses it."""


def quote(value: object) -> str:
    """Return a piece of input as an error shows it: on one line, and not too long."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and abs(value) >= 10**MAX_QUOTE:
        return "a huge number"
    if isinstance(value, str) and len(value) > MAX_QUOTE:
        return repr(value[:MAX_QUOTE] + "...")
    return repr(value)


def suggest_name(
    what: str, name: str, known: Iterable[str], aliases: Mapping[str, str] = NO_ALIASES
) -> str:
    """Return a phrase: ``unknown card 'fishers'; did you mean 'fishermen'? (known: ...)``.

    ``aliases`` are other words for the known names.
    """
    import difflib  # only mistakes need it

    names = list(known)
    meanings = dict(aliases) | {known_name.lower(): known_name for known_name in names}
    typed = name[:MAX_QUOTE].lower()
    near = difflib.get_close_matches(typed, list(meanings), n=1, cutoff=MIN_LIKENESS)
    hint = f"; did you mean {meanings[near[0]]!r}?" if near else ""
    if len(names) <= MAX_LISTED:
        hint += f" (known: {', '.join(names) or 'none'})"
    elif near:
        hint += f" ({len(names)} names are known)"
    else:
        hint += f" (known: {', '.join(names[:3])} and {len(names) - 3} more)"
    return f"unknown {what} {quote(name)}{hint}"
