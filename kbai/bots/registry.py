"""The bots by name: kbai's own, those you register, and those of installed packages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import metadata

from kbai.bots.builtin import BUILTIN
from kbai.bots.kinds import BotKind, BotOption
from kbai.bots.protocol import Bot
from kbai.core.errors import BotError, quote, suggest_name

ENTRY_POINTS = "kbai.bots"

_KINDS = {kind.name: kind for kind in BUILTIN}


def register(
    name: str,
    make: Callable[[Mapping[str, str]], Bot],
    *,
    options: tuple[BotOption, ...] = (),
    summary: str,
    has_program: bool = False,
) -> None:
    """Add a bot under a name."""
    if name in _KINDS:
        raise ValueError(f"there is a bot {name!r} already")
    _KINDS[name] = BotKind(name, make, summary, options, has_program)


def bot_kinds(on_broken: Callable[[BotError], None] = lambda error: None) -> tuple[BotKind, ...]:
    """Return all bots: kbai's own, then those of installed packages in order of their names.

    ``on_broken`` is told of each bot of a package that cannot be loaded; the others are returned.
    """
    found = [*_KINDS.values()]
    for name in sorted({entry.name for entry in _entries()} - {*_KINDS}):
        try:
            found.append(find_kind(name))
        except BotError as error:
            on_broken(error)
    return tuple(found)


def find_kind(name: str) -> BotKind:
    """Return the bot of this name; packages are loaded only for names that kbai does not have."""
    if name in _KINDS:
        return _KINDS[name]
    for entry in _entries():
        if entry.name == name:
            return _load_entry(entry)
    known = (*_KINDS, *sorted({entry.name for entry in _entries()}))
    raise BotError(f"{suggest_name('bot', name, known)}.")


def _entries() -> metadata.EntryPoints:
    return metadata.entry_points(group=ENTRY_POINTS)


def _load_entry(entry: metadata.EntryPoint) -> BotKind:
    what = f"the bot {entry.name!r} at {entry.value!r}"
    try:
        kind: object = entry.load()
    except (Exception, SystemExit) as error:  # whatever an installed package may raise
        raise BotError(f"expected to load {what}, got {type(error).__name__}: {error}.") from error
    if not isinstance(kind, BotKind) or kind.name != entry.name:
        raise BotError(f"expected a BotKind called like it for {what}, got {quote(kind)}.")
    return kind
