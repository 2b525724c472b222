"""The content that comes with kbai in a form that loads fast: `kbai.content.packed`.

To read and check the data files takes longer than to count the gold of a position. So their rows
are kept as a Python module, together with a hash of the files that they were read from. If a file
has changed since, the module does not count. ``scripts/pack_content.py`` writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Any

from kbai._fast import Action, Filter, Score
from kbai.content.items import (
    BonusTile,
    CardInfo,
    CommonAction,
    Content,
    Island,
    Location,
    NomadTile,
    Quadrant,
    SetInfo,
    TaskInfo,
)
from kbai.content.names import Names
from kbai.core.hashes import blake2b

_FAMILIES: dict[str, type[Any]] = {
    "sets": SetInfo,
    "quadrants": Quadrant,
    "islands": Island,
    "locations": Location,
    "bonuses": BonusTile,
    "commons": CommonAction,
    "nomads": NomadTile,
    "cards": CardInfo,
    "rules": CardInfo,
    "tasks": TaskInfo,
}
# How a value is made again from what is kept of it, by the type of its field.
_MAKERS: dict[Any, Callable[[Any], Any]] = {
    Action: Action,
    Filter: Filter,
    Score: Score,
    Mapping[str, int]: lambda pairs: MappingProxyType(dict(pairs)),
}


def hash_files(files: Iterable[tuple[str, str]]) -> str:
    """Return a hash of the names and texts of some files."""
    found = blake2b(digest_size=16)
    for name, text in sorted(files):
        for part in (name.encode(), text.encode()):
            found.update(b"%d:" % len(part) + part)
    return found.hexdigest()


def load_packed(files: Iterable[tuple[str, str]]) -> Content | None:
    """Return the content of some files if it has been packed, otherwise nothing."""
    try:
        from kbai.content.packed import HASH, ROWS
    except ImportError:
        return None
    return unpack(ROWS) if hash_files(files) == HASH else None


def pack(content: Content) -> tuple[Any, ...]:
    """Return content as tuples of texts and numbers.

    >>> from kbai.content import load
    >>> unpack(pack(load())).cards == load().cards
    True
    """
    families = [
        tuple(
            tuple(_plain(getattr(row, name)) for name in type(row).__annotations__)
            for row in getattr(content, family).values()
        )
        for family in _FAMILIES
    ]
    return (*families, _plain(content.names))


def unpack(rows: tuple[Any, ...]) -> Content:
    """Return the content of which `pack` has made these tuples."""
    families: dict[str, Any] = {}
    for (family, kind), packed in zip(_FAMILIES.items(), rows[:-1], strict=True):
        makers = [_MAKERS.get(type) for type in kind.__annotations__.values()]
        families[family] = {
            row[0]: kind(*[
                value if make is None else make(value)
                for value, make in zip(row, makers, strict=True)
            ])
            for row in packed
        }  # fmt: skip
    names: dict[str, Names] = {name: MappingProxyType(dict(own)) for name, own in rows[-1]}
    return Content(**families, names=names)


def _plain(value: Any) -> Any:
    if isinstance(value, IntEnum):
        return int(value)
    if isinstance(value, Mapping):
        return tuple((key, _plain(item)) for key, item in value.items())
    return value
