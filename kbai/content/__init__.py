"""What is in the boxes: quadrants, tiles and cards, read from ``data/*.toml`` and checked.

You can add quadrants and islands of your own (`use_quadrants`).
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import fields
from functools import lru_cache
from itertools import chain
from typing import Any

from kbai.content.compiled import load_packed
from kbai.content.items import (
    BONUS_ACTIONS,
    BUILDABLE,
    CARD_TERRAINS,
    CASTLE_LETTER,
    CAVE,
    COMMON_ACTIONS,
    FIGURES,
    ISLAND_COLUMNS,
    ISLAND_ROWS,
    LETTERS,
    LOCATION_LETTER,
    MARSH_LETTER,
    MOUNTAIN_LETTER,
    NOMAD_ACTIONS,
    NOMAD_LETTER,
    OWN_SET,
    PALACE_LETTER,
    QUADRANT_SIZE,
    SEA_LETTER,
    SILO_LETTER,
    SPACE_LETTERS,
    TERRAIN_CARDS,
    TERRAIN_FILTERS,
    TERRAIN_LETTERS,
    TERRAINS,
    TILES_PER_SPACE,
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
    Tile,
    grid_cell,
)
from kbai.content.names import LANGUAGES, NameIndex, in_language
from kbai.core.errors import NotationError, quote, suggest_name

__all__ = [
    "BONUS_ACTIONS",
    "BUILDABLE",
    "CARD_TERRAINS",
    "CASTLE_LETTER",
    "CAVE",
    "COMMON_ACTIONS",
    "FIGURES",
    "ISLAND_COLUMNS",
    "ISLAND_ROWS",
    "KINDS",
    "LANGUAGES",
    "LETTERS",
    "LOCATION_LETTER",
    "MARSH_LETTER",
    "MOUNTAIN_LETTER",
    "NOMAD_ACTIONS",
    "NOMAD_LETTER",
    "OWN_SET",
    "PALACE_LETTER",
    "QUADRANT_SIZE",
    "SEA_LETTER",
    "SILO_LETTER",
    "SPACE_LETTERS",
    "TERRAINS",
    "TERRAIN_CARDS",
    "TERRAIN_FILTERS",
    "TERRAIN_LETTERS",
    "TILES_PER_SPACE",
    "BonusTile",
    "CardInfo",
    "CommonAction",
    "Content",
    "Island",
    "Location",
    "NomadTile",
    "Quadrant",
    "SetInfo",
    "TaskInfo",
    "Tile",
    "content_to_dict",
    "find_name",
    "in_language",
    "join_names",
    "load",
    "read_folder",
    "select",
    "shipped_files",
    "unknown_name",
    "use_quadrants",
    "with_base",
]

BASE = "base"
# A real folder: compiled modules cannot be imported from an archive.
DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")

# What you can ask for, and the parts of the content that it stands for.
KINDS: dict[str, tuple[str, ...]] = {
    "sets": (),
    "quadrants": ("quadrants",),
    "islands": ("islands",),
    "locations": ("locations",),
    "bonuses": ("bonuses",),
    "commons": ("commons",),
    "nomads": ("nomads",),
    "cards": ("cards", "rules"),
    "tasks": ("tasks",),
}

_KIND_NAMES = {
    "sets": "set",
    "quadrants": "quadrant",
    "islands": "island",
    "locations": "location",
    "bonuses": "bonus tile",
    "commons": "common action",
    "nomads": "nomad tile",
    "cards": "card",
    "tasks": "task",
}


# The files with users' own quadrants, by folder: name and text of each.
_Folders = tuple[tuple[tuple[str, str], ...], ...]
_added: _Folders = ()


def load() -> Content:
    """Return the content in use: what comes with kbai, and what `use_quadrants` has added."""
    return _load(_added)


def use_quadrants(*folders: Iterable[tuple[str, str]]) -> None:
    """Add quadrants and islands to the content in use, replacing those added before.

    A folder is what `read_folder` returns. A row replaces one of the same name that comes
    with kbai or from an earlier folder. If a file is wrong, nothing changes.
    """
    global _added
    added = tuple(filter(None, map(tuple, folders)))
    _load(added)
    _added = added


def read_folder(path: str) -> tuple[tuple[str, str], ...]:
    """Return the names and texts of the TOML files in a folder."""
    from kbai.content import files

    return files.read_folder(path)


@lru_cache(maxsize=8)
def _load(added: _Folders) -> Content:
    if not added:
        files = shipped_files()
        found = load_packed(files)
        if found is None:
            from kbai.content.files import read_content

            found = read_content(files)
        return found
    from kbai.content.files import read_own

    shipped = _load(())
    content = Content(**{f.name: dict(getattr(shipped, f.name)) for f in fields(Content)})
    for folder in added:
        read_own(folder, content)
    return content


def shipped_files() -> list[tuple[str, str]]:
    """Return the names and texts of the files that come with kbai."""
    found = []
    for name in sorted(os.listdir(DATA)):
        if name.endswith(".toml"):
            with open(os.path.join(DATA, name), encoding="utf-8") as file:
                found.append((name, file.read()))
    return found


@lru_cache(maxsize=8)
def _index(added: _Folders) -> NameIndex:
    return NameIndex(_load(added).names)


def find_name(text: str, known: Collection[str]) -> str | None:
    """Return the known name that a text means, in any language; nothing if it means none.

    Case, accents, spaces and apostrophes do not matter. Raise `NotationError` if several names
    share a translation; of tiles, the one that usually has it is meant.

    >>> find_name("Händler", load().cards), find_name("city hall", load().locations)
    ('merchants', 'city_hall')
    """
    name = text.strip().lower()
    if name in known:
        return name
    index = _index(_added)
    found = index.find(text, known)
    # What a tile means shows on the board; the wrong card would only show in the gold.
    if not all(row in load().cards for row in found):
        found = [row for row in found if index.is_usual(text, row)] or found
    if len(found) > 1:
        meanings = " or ".join(map(repr, found))
        raise NotationError(f"{quote(text.strip())} may mean {meanings}.", token=text)
    return found[0] if found else None


def unknown_name(what: str, name: str, known: Collection[str]) -> str:
    """Return the phrase about a name that is not known, with what may be meant."""
    return suggest_name(what, name, known, _index(_added).aliases_of(known))


def join_names(text: str) -> str:
    """Return a text of the same length in which names of several words are one word each."""
    return _index(_added).join(text) if " " in text else text


def with_base(sets: Collection[str]) -> tuple[str, ...]:
    """Return these sets and the base game: every expansion is added to it (R2.4).

    >>> with_base(["nomads"])
    ('base', 'nomads')
    """
    return tuple(sets) if BASE in sets else (BASE, *sets)


def select(
    every: Content,
    *,
    names: Collection[str] = (),
    set_name: str | None = None,
    kind: str | None = None,
) -> Content:
    """Return the part of the content with these names, this set and this one of `KINDS`.

    If a quadrant and a location share a name, you get both.
    """
    if set_name is not None:
        found = find_name(set_name, every.sets)
        if found is None:
            raise NotationError(f"{unknown_name('set', set_name, every.sets)}.", token=set_name)
        set_name = found
    sets = {name: item for name, item in every.sets.items() if set_name in (None, name)}
    families = KINDS[kind] if kind else tuple(chain.from_iterable(KINDS.values()))
    rows: dict[str, dict[str, Any]] = {
        family: {
            name: row for name, row in getattr(every, family).items() if set_name in (None, row.set)
        }
        for family in families
    }
    known = list(dict.fromkeys(chain.from_iterable(rows.values() if families else [sets])))
    wanted = known
    if names:
        what = _KIND_NAMES[kind] if kind else "quadrant, island, tile, card or task"
        wanted = [row for name in names for row in _rows_called(what, name, known)]
    parts = {
        family: {name: row for name, row in part.items() if name in wanted}
        for family, part in rows.items()
    }
    names_of = {name: every.names[name] for name in wanted if name in every.names}
    if not families:
        sets = {name: item for name, item in sets.items() if name in wanted}
    return Content(sets=sets, names=names_of, **parts)


def _rows_called(what: str, name: str, known: Collection[str]) -> list[str]:
    """Return the rows that a name means: all of them if several share a translation."""
    if name in known:
        return [name]
    found = _index(_added).find(name, known)
    if not found:
        raise NotationError(f"{unknown_name(what, name, known)}.", token=name)
    return found


def content_to_dict(every: Content, language: str | None = None) -> dict[str, object]:
    """Return content as plain values for JSON; with a language, rows have their name in it."""
    families = _families_to_dict(every)
    names = {n: {k: list(v) for k, v in row.items()} for n, row in every.names.items()}
    if language is not None:
        for family in families.values():
            for name, row in family.items():
                row["name"] = in_language(every.names, name, language)
    return {**families, "names": names}


def _families_to_dict(every: Content) -> dict[str, dict[str, dict[str, object]]]:
    return {
        "sets": {
            item.name: {
                "title": item.title,
                "houses": item.houses,
                "walls": item.walls,
                "deck": dict(item.deck),
                "figures": dict(item.figures),
                "scouts": item.scouts,
                "tokens": item.tokens,
                "capitols": list(item.capitols),
                "caves": item.caves,
            }
            for item in every.sets.values()
        },
        "quadrants": {n: _grid_to_dict(item) for n, item in every.quadrants.items()},
        "islands": {n: _grid_to_dict(item) for n, item in every.islands.items()},
        "locations": {n: _tile_to_dict(item) for n, item in every.locations.items()},
        "bonuses": {
            n: {"location": item.location, "count": item.count, **_tile_to_dict(item)}
            for n, item in every.bonuses.items()
        },
        "commons": {
            n: {"needs": item.needs, **_tile_to_dict(item)} for n, item in every.commons.items()
        },
        "nomads": {
            n: {"count": item.count, **_tile_to_dict(item)} for n, item in every.nomads.items()
        },
        "cards": {n: {"set": c.set, "text": c.text} for n, c in every.cards.items()},
        "rules": {n: {"set": c.set, "text": c.text} for n, c in every.rules.items()},
        "tasks": {
            n: {"set": task.set, "gold": task.gold, "text": task.text}
            for n, task in every.tasks.items()
        },
    }


def _grid_to_dict(item: Quadrant | Island) -> dict[str, object]:
    return {
        "set": item.set,
        "official": item.official,
        "grid": list(item.grid),
        "locations": [f"{kind}@{grid_cell(row, col)}" for kind, row, col in item.locations],
    }


def _tile_to_dict(tile: Tile) -> dict[str, object]:
    return {
        "set": tile.set,
        "action": tile.action.name.lower(),
        "filter": tile.filter.name.lower(),
        "terrain": tile.terrain,
        "text": tile.text,
    }
