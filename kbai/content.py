"""What the boxes hold: quadrants, tiles and cards, read from ``data/*.toml`` and checked.

Both ways complete: every row resolves to a rule of the kernel, and every rule of the kernel
is used by a row. People may add quadrants and islands of their own (`use_quadrants`).
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import IntEnum
from functools import lru_cache
from importlib import resources
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeVar

from kbai._fast import Action, Filter, Score, Space
from kbai.errors import ContentError, NotationError, suggest_name

TERRAIN_LETTERS: dict[str, str] = {
    "G": "grass",
    "C": "canyon",
    "D": "desert",
    "F": "flower",
    "T": "forest",
    "S": "marsh",
    "A": "farmland",
    "W": "water",
    "M": "mountain",
}
MARSH_LETTER = "S"
MOUNTAIN_LETTER = "M"
CASTLE_LETTER = "k"
LOCATION_LETTER = "l"
NOMAD_LETTER = "n"
PALACE_LETTER = "p"
SILO_LETTER = "o"
SPACE_LETTERS: dict[str, str] = {
    CASTLE_LETTER: "castle",
    LOCATION_LETTER: "location",
    NOMAD_LETTER: "nomad",
    PALACE_LETTER: "palace",
    SILO_LETTER: "silo",
}
LETTERS = "".join(TERRAIN_LETTERS) + "".join(SPACE_LETTERS)
# No hex at all; only the grid of an island has it.
SEA_LETTER = "."

TERRAINS: tuple[str, ...] = tuple(TERRAIN_LETTERS.values())
# The terrains with plain cards; a marsh card shows marsh and one of them.
CARD_TERRAINS: tuple[str, ...] = TERRAINS[:5]
TERRAIN_CARDS: tuple[str, ...] = (*CARD_TERRAINS, *(f"marsh_{name}" for name in CARD_TERRAINS))
BUILDABLE: tuple[str, ...] = TERRAINS[:7]

QUADRANT_SIZE = 10
ISLAND_ROWS, ISLAND_COLUMNS = 5, 10
# The kernel deals this many location tiles to every space (R2.2).
TILES_PER_SPACE = 2
# The kernel gives these to every player, if their tile is in play (R2.4).
FIGURES: dict[str, int] = {"warrior": 2, "wagon": 1, "ship": 1, "city_hall": 1}
# What only a nomad tile, a bonus tile, or an action without a tile does.
NOMAD_ACTIONS = (
    Action.DONATION,
    Action.RESETTLEMENT,
    Action.OUTPOST,
    Action.SWORD,
    Action.TREASURE,
)
BONUS_ACTIONS = (Action.TEMPLE_BONUS, Action.FOUNTAIN_BONUS)
COMMON_ACTIONS = (Action.SILO,)
# What an action everybody has may need besides a terrain or a kind of space.
CAVE = "cave"
# The filters that are about one terrain.
TERRAIN_FILTERS = (Filter.TERRAIN, Filter.BESIDE)
# The set of people's own quadrants, unless they name another.
OWN_SET = "own"

# What people ask for, and the parts of the content it means.
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

Member = TypeVar("Member", bound=IntEnum)
Value = TypeVar("Value", str, int, bool, list[object], dict[str, object])


@dataclass(frozen=True, slots=True)
class Quadrant:
    """One of the boards of which four make the table, as printed."""

    name: str
    set: str
    grid: tuple[str, ...]
    """Ten rows of ten letters out of `LETTERS`."""
    locations: tuple[tuple[str, int, int], ...]
    """Kind, row and column of each location, by row and column."""
    official: bool = True
    """Whether this is the printed layout."""

    def turned(self) -> Quadrant:
        """Return the quadrant turned by 180 degrees (R1.3)."""
        last = QUADRANT_SIZE - 1
        grid = tuple(row[::-1] for row in reversed(self.grid))
        places = tuple((kind, last - row, last - col) for kind, row, col in self.locations[::-1])
        return Quadrant(self.name, self.set, grid, places, self.official)


@dataclass(frozen=True, slots=True)
class Island:
    """One side of the small board that lies apart from the others."""

    name: str
    set: str
    grid: tuple[str, ...]
    """Five rows of ten letters out of `LETTERS` and `SEA_LETTER`."""
    locations: tuple[tuple[str, int, int], ...]
    """Kind, row and column of each location, by row and column."""
    official: bool = True
    """Whether this is the printed layout."""


@dataclass(frozen=True, slots=True)
class Location:
    """A kind of location and what its tile allows."""

    name: str
    set: str
    action: Action
    filter: Filter
    terrain: str | None
    """The terrain of one of `TERRAIN_FILTERS`."""
    text: str


@dataclass(frozen=True, slots=True)
class BonusTile:
    """What the holder of two tiles of one location may do besides."""

    name: str
    set: str
    location: str
    action: Action
    filter: Filter
    terrain: str | None
    """The terrain of one of `TERRAIN_FILTERS`."""
    text: str


@dataclass(frozen=True, slots=True)
class CommonAction:
    """An action everybody has, without a tile, if the board has what it needs."""

    name: str
    set: str
    needs: str
    """A terrain, a kind of space, or `CAVE`."""
    action: Action
    filter: Filter
    terrain: str | None
    """The terrain of one of `TERRAIN_FILTERS`."""
    text: str


@dataclass(frozen=True, slots=True)
class NomadTile:
    """A kind of nomad tile and what it allows in the one turn its holder has it."""

    name: str
    set: str
    count: int
    """How many there are in the box."""
    action: Action
    filter: Filter
    terrain: str | None
    """The terrain of one of `TERRAIN_FILTERS`."""
    text: str


Tile = Location | BonusTile | CommonAction | NomadTile


@dataclass(frozen=True, slots=True)
class CardInfo:
    """A scoring card, or a rule that pays whatever cards are in play."""

    name: str
    set: str
    score: Score
    text: str


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """A task: what earns its gold once, at the end."""

    name: str
    set: str
    score: Score
    gold: int
    text: str


@dataclass(frozen=True, slots=True)
class SetInfo:
    """A box: what it adds besides the rows that name it as their set."""

    name: str
    title: str
    deck: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Number of terrain cards by the names in `TERRAIN_CARDS`, those of this box only."""
    houses: int = 0
    """Of each player."""
    walls: int = 0
    """Stone walls for all players together."""
    figures: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Of each player, by the names in `FIGURES`."""
    capitols: tuple[str, ...] = ()
    """The quadrants that get a capitol on one of their castles (R8.4)."""
    caves: int = 0
    """In each quadrant."""


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """All sets together; every dict is in the canonical order of its names."""

    sets: dict[str, SetInfo] = field(default_factory=dict)
    quadrants: dict[str, Quadrant] = field(default_factory=dict)
    islands: dict[str, Island] = field(default_factory=dict)
    locations: dict[str, Location] = field(default_factory=dict)
    bonuses: dict[str, BonusTile] = field(default_factory=dict)
    commons: dict[str, CommonAction] = field(default_factory=dict)
    nomads: dict[str, NomadTile] = field(default_factory=dict)
    cards: dict[str, CardInfo] = field(default_factory=dict)
    rules: dict[str, CardInfo] = field(default_factory=dict)
    tasks: dict[str, TaskInfo] = field(default_factory=dict)

    @property
    def tiles(self) -> dict[str, Tile]:
        """All kinds of tiles: locations, bonus tiles, actions without a tile, nomad tiles."""
        return {**self.locations, **self.bonuses, **self.commons, **self.nomads}

    def tile(self, name: str) -> Tile:
        """Return the kind of tile with this name."""
        families: tuple[Mapping[str, Tile], ...] = (self.locations, self.bonuses, self.commons)
        for family in families:
            if name in family:
                return family[name]
        return self.nomads[name]


Row = TypeVar(
    "Row", Quadrant, Island, Location, BonusTile, CommonAction, NomadTile, CardInfo, TaskInfo
)


# The files with people's own quadrants, by folder: name and text of each.
_Folders = tuple[tuple[tuple[str, str], ...], ...]
_added: _Folders = ()


def load() -> Content:
    """Return the content in use: what comes with kbai, and what `use_quadrants` has added."""
    return _load(_added)


def use_quadrants(*folders: Iterable[tuple[str, str]]) -> None:
    """Add quadrants and islands to the content in use, in place of those added before.

    A folder is what `read_folder` returns. A row wins over one of the same name that comes with
    kbai or from an earlier folder. If a file is wrong nothing changes.
    """
    global _added
    added = tuple(filter(None, map(tuple, folders)))
    _load(added)
    _added = added


def read_folder(path: str) -> tuple[tuple[str, str], ...]:
    """Return name and text of the TOML files in a folder."""
    files = []
    name = path
    try:
        for name in sorted(item.path for item in os.scandir(path) if item.name.endswith(".toml")):
            with open(name, encoding="utf-8") as stream:
                files.append((name, stream.read()))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "this is not text in UTF-8"
        raise ContentError(f"{name}: expected quadrants to read: {reason}.") from error
    return tuple(files)


@lru_cache(maxsize=8)
def _load(added: _Folders) -> Content:
    if not added:
        folder = resources.files("kbai") / "data"
        found = [item for item in folder.iterdir() if item.name.endswith(".toml")]
        return read_content((item.name, item.read_text("utf-8")) for item in found)
    shipped = _load(())
    content = Content(**{f.name: dict(getattr(shipped, f.name)) for f in fields(Content)})
    for files in added:
        _read_own(files, content)
    return content


def _read_own(files: Iterable[tuple[str, str]], content: Content) -> None:
    """Read people's own quadrants and islands; they may replace what is there."""
    quadrants: dict[str, Quadrant] = {}
    islands: dict[str, Island] = {}
    for file, text in files:
        table = _Table.parse(file, text)
        for row in table.rows("quadrant"):
            box = _read_box(row, content.quadrants, content)
            _add(row, quadrants, _read_quadrant(row, box, content.locations))
        for row in table.rows("island"):
            box = _read_box(row, content.islands, content)
            _add(row, islands, _read_island(row, box, content.locations))
        table.finish()
    content.quadrants.update(quadrants)
    content.islands.update(islands)
    rows: list[Quadrant | Island] = [*quadrants.values(), *islands.values()]
    if any(row.set == OWN_SET for row in rows):
        content.sets.setdefault(OWN_SET, SetInfo(OWN_SET, "Quadrants of your own"))


def _read_box(table: _Table, known: Mapping[str, Quadrant | Island], content: Content) -> str:
    """Return the set people's own row belongs to: as it says, as what it replaces, or its own."""
    name = table.take("name", str)
    box = table.take("set", str, default=known[name].set if name in known else OWN_SET)
    if box != OWN_SET and box not in content.sets:
        raise table.error("set", suggest_name("set", box, (*content.sets, OWN_SET)))
    return box


def read_content(files: Iterable[tuple[str, str]]) -> Content:
    """Read sets from pairs of file name and TOML text; the key ``order`` of each sorts them."""
    tables = [_Table.parse(name, text) for name, text in files]
    content = Content()
    for table in sorted(tables, key=lambda table: table.take("order", int)):
        _read_set(table, content)
    # What comes after the last turn comes last, whatever its box.
    by_time = sorted(content.commons.values(), key=lambda row: row.action in COMMON_ACTIONS)
    content.commons.clear()
    content.commons.update({row.name: row for row in by_time})
    _check_all_used(content)
    return content


def select(
    every: Content,
    *,
    names: Collection[str] = (),
    set_name: str | None = None,
    kind: str | None = None,
) -> Content:
    """Return the part of the content with these names, of this set, of this one of `KINDS`.

    A quadrant and a location may share a name: both are taken.
    """
    if set_name is not None and set_name not in every.sets:
        raise NotationError(f"{suggest_name('set', set_name, every.sets)}.", token=set_name)
    sets = {name: item for name, item in every.sets.items() if set_name in (None, name)}
    families = KINDS[kind] if kind else tuple(chain.from_iterable(KINDS.values()))
    rows: dict[str, dict[str, Any]] = {
        family: {
            name: row for name, row in getattr(every, family).items() if set_name in (None, row.set)
        }
        for family in families
    }
    known = list(dict.fromkeys(chain.from_iterable(rows.values() if families else [sets])))
    for name in names:
        if name not in known:
            what = _KIND_NAMES[kind] if kind else "quadrant, island, tile, card or task"
            raise NotationError(f"{suggest_name(what, name, known)}.", token=name)
    wanted = names or known
    parts = {
        family: {name: row for name, row in part.items() if name in wanted}
        for family, part in rows.items()
    }
    if not families:
        sets = {name: item for name, item in sets.items() if name in wanted}
    return Content(sets=sets, **parts)


def content_to_dict(every: Content) -> dict[str, object]:
    """Return content as plain values for JSON."""
    return {
        "sets": {
            item.name: {
                "title": item.title,
                "houses": item.houses,
                "walls": item.walls,
                "deck": dict(item.deck),
                "figures": dict(item.figures),
                "capitols": list(item.capitols),
                "caves": item.caves,
            }
            for item in every.sets.values()
        },
        "quadrants": {n: _grid_to_dict(item) for n, item in every.quadrants.items()},
        "islands": {n: _grid_to_dict(item) for n, item in every.islands.items()},
        "locations": {n: _tile_to_dict(item) for n, item in every.locations.items()},
        "bonuses": {
            n: {"location": item.location, **_tile_to_dict(item)}
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
        "locations": [f"{kind}@{_cell_name(row, col)}" for kind, row, col in item.locations],
    }


def _tile_to_dict(tile: Tile) -> dict[str, object]:
    return {
        "set": tile.set,
        "action": tile.action.name.lower(),
        "filter": tile.filter.name.lower(),
        "terrain": tile.terrain,
        "text": tile.text,
    }


def _read_set(table: _Table, content: Content) -> None:
    name = table.take("name", str)
    if name in content.sets:
        raise table.error("name", f"the set {name!r} is there twice")
    # What names a location comes after it.
    for row in table.rows("location"):
        _add(row, content.locations, _read_location(row, name))
    for row in table.rows("bonus"):
        _add(row, content.bonuses, _read_bonus(row, name, content.locations))
    for row in table.rows("common"):
        _add(row, content.commons, _read_common(row, name))
    for row in table.rows("nomad"):
        _add(row, content.nomads, _read_nomad(row, name))
    _check_tile_names(table, content)
    for row in table.rows("rule"):
        _add(row, content.rules, _read_card(row, name))
    for row in table.rows("card"):
        _add(row, content.cards, _read_card(row, name))
    for row in table.rows("task"):
        _add(row, content.tasks, _read_task(row, name))
    for row in table.rows("quadrant"):
        _add(row, content.quadrants, _read_quadrant(row, name, content.locations))
    for row in table.rows("island"):
        _add(row, content.islands, _read_island(row, name, content.locations))
    tiles = table.take("tiles_per_space", int)
    if tiles != TILES_PER_SPACE:
        raise table.error("tiles_per_space", f"expected {TILES_PER_SPACE}, got {tiles}")
    content.sets[name] = SetInfo(
        name=name,
        title=table.take("title", str),
        deck=_read_deck(table),
        houses=table.take("houses", int),
        walls=table.take("walls", int, default=0),
        figures=_read_figures(table),
        capitols=_read_capitols(table, content.quadrants),
        caves=table.take("caves", int, default=0),
    )
    table.finish()


def _add(table: _Table, known: dict[str, Row], row: Row) -> str:
    if row.name in known:
        raise table.error("name", f"{row.name!r} is there twice")
    table.finish()
    known[row.name] = row
    return row.name


def _check_tile_names(table: _Table, content: Content) -> None:
    """Raise if two kinds of tiles share a name: text forms tell them apart by it."""
    families: dict[str, tuple[str, Mapping[str, Tile]]] = {
        "location": ("a location", content.locations),
        "bonus": ("a bonus tile", content.bonuses),
        "common": ("a common action", content.commons),
        "nomad": ("a nomad tile", content.nomads),
    }
    seen: dict[str, str] = {}
    for key, (what, names) in families.items():
        for name in names:
            if name in seen:
                raise table.error(key, f"{name!r} is the name of {seen[name]}, too")
            seen[name] = what


def _read_location(table: _Table, set_name: str) -> Location:
    action, rule, terrain = _read_action(table)
    _check_action(table, "a location tile", action)
    return Location(
        name=table.take("name", str),
        set=set_name,
        action=action,
        filter=rule,
        terrain=terrain,
        text=table.take("text", str),
    )


def _read_bonus(table: _Table, set_name: str, known: Mapping[str, Location]) -> BonusTile:
    action, rule, terrain = _read_action(table)
    _check_action(table, "a bonus tile", action)
    location = table.take("location", str)
    if location not in known:
        raise table.error("location", suggest_name("location", location, known))
    return BonusTile(
        name=table.take("name", str),
        set=set_name,
        location=location,
        action=action,
        filter=rule,
        terrain=terrain,
        text=table.take("text", str),
    )


def _read_common(table: _Table, set_name: str) -> CommonAction:
    action, rule, terrain = _read_action(table)
    _check_action(table, "an action without a tile", action)
    needs = table.take("needs", str)
    known = (*TERRAINS, *SPACE_LETTERS.values(), CAVE)
    if needs not in known:
        raise table.error("needs", suggest_name("terrain or space", needs, known))
    return CommonAction(
        name=table.take("name", str),
        set=set_name,
        needs=needs,
        action=action,
        filter=rule,
        terrain=terrain,
        text=table.take("text", str),
    )


def _read_nomad(table: _Table, set_name: str) -> NomadTile:
    action, rule, terrain = _read_action(table)
    if action not in NOMAD_ACTIONS:
        message = f"expected what a nomad tile does, got {action.name.lower()!r} of a location"
        raise table.error("action", message)
    count = table.take("count", int)
    if count < 1:
        raise table.error("count", f"expected at least 1 tile, got {count}")
    return NomadTile(
        name=table.take("name", str),
        set=set_name,
        count=count,
        action=action,
        filter=rule,
        terrain=terrain,
        text=table.take("text", str),
    )


def _read_action(table: _Table) -> tuple[Action, Filter, str | None]:
    """Read what a tile does, where, and on which terrain if the filter asks for one."""
    rule = table.take_member("filter", Filter)
    terrain = None
    if rule in TERRAIN_FILTERS:
        terrain = table.take("terrain", str)
        if terrain not in TERRAINS:
            raise table.error("terrain", suggest_name("terrain", terrain, TERRAINS))
    return table.take_member("action", Action), rule, terrain


def _check_action(table: _Table, what: str, action: Action) -> None:
    """Raise if this action belongs to another sort of tile."""
    owners: dict[str, tuple[Action, ...]] = {
        "a nomad tile": NOMAD_ACTIONS,
        "a bonus tile": BONUS_ACTIONS,
        "an action without a tile": COMMON_ACTIONS,
    }
    for owner, actions in owners.items():
        if action in actions and owner != what:
            message = f"expected what {what} does, got {action.name.lower()!r} of {owner}"
            raise table.error("action", message)


def _read_card(table: _Table, set_name: str) -> CardInfo:
    return CardInfo(
        name=table.take("name", str),
        set=set_name,
        score=table.take_member("score", Score),
        text=table.take("text", str),
    )


def _read_task(table: _Table, set_name: str) -> TaskInfo:
    gold = table.take("gold", int)
    if gold < 1:
        raise table.error("gold", f"expected at least 1 gold, got {gold}")
    return TaskInfo(
        name=table.take("name", str),
        set=set_name,
        score=table.take_member("score", Score),
        gold=gold,
        text=table.take("text", str),
    )


def _read_deck(table: _Table) -> Mapping[str, int]:
    deck = {}
    for name, count in table.take("deck", dict).items():
        if name not in TERRAIN_CARDS:
            raise table.error("deck", suggest_name("terrain card", name, TERRAIN_CARDS))
        if type(count) is not int or count < 0:
            raise table.error("deck", f"expected a number of {name} cards, got {count!r}")
        deck[name] = count
    return MappingProxyType(deck)


def _read_figures(table: _Table) -> Mapping[str, int]:
    figures = {}
    for name, count in table.take("figures", dict, default={}).items():
        if name not in FIGURES:
            raise table.error("figures", suggest_name("figure", name, FIGURES))
        if count != FIGURES[name]:
            message = f"expected {FIGURES[name]} of the figure {name!r}, got {count!r}"
            raise table.error("figures", message)
        figures[name] = FIGURES[name]
    return MappingProxyType(figures)


def _read_capitols(table: _Table, known: Mapping[str, Quadrant]) -> tuple[str, ...]:
    names = table.take("capitols", list, default=[])
    for name in names:
        if name not in known:
            raise table.error("capitols", suggest_name("quadrant", str(name), known))
    return tuple(map(str, names))


def _read_quadrant(table: _Table, set_name: str, known: Mapping[str, Location]) -> Quadrant:
    grid = _read_grid(table)
    return Quadrant(
        name=_read_name(table),
        set=set_name,
        grid=grid,
        locations=_read_spaces(table, grid, known),
        official=table.take("official", bool, default=True),
    )


def _read_island(table: _Table, set_name: str, known: Mapping[str, Location]) -> Island:
    grid = _read_island_grid(table)
    return Island(
        name=_read_name(table),
        set=set_name,
        grid=grid,
        locations=_read_spaces(table, grid, known),
        official=table.take("official", bool, default=True),
    )


def _read_name(table: _Table) -> str:
    """Return a name that can stand in a line of text."""
    name = table.take("name", str)
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        message = f"expected a name of small letters, digits and '_' like 'my_farm', got {name!r}"
        raise table.error("name", message)
    return name


def _read_spaces(
    table: _Table, grid: tuple[str, ...], known: Mapping[str, Location]
) -> tuple[tuple[str, int, int], ...]:
    """Read the locations and compare them and the numbers of other spaces with the grid."""
    places = sorted(_read_places(table, known), key=lambda place: place[1:])
    named = [(row, col) for _, row, col in places]
    marked = [
        (row, col)
        for row, line in enumerate(grid)
        for col, letter in enumerate(line)
        if letter == LOCATION_LETTER
    ]
    if named != marked:
        drawn, given = (" ".join(_cell_name(*c) for c in cells) for cells in (marked, named))
        message = f"expected the letters 'l' of the grid ({drawn or 'none'}), got {given or 'none'}"
        raise table.error("locations", message)
    for letter, kind in SPACE_LETTERS.items():
        if letter != LOCATION_LETTER:
            key = f"{kind}s"
            _check_drawn(table, grid, key, letter, table.take(key, int, default=0))
    return tuple(places)


def _check_drawn(table: _Table, grid: tuple[str, ...], key: str, letter: str, count: int) -> None:
    n_drawn = "".join(grid).count(letter)
    if count != n_drawn:
        raise table.error(key, f"expected {count} letters {letter!r} in the grid, got {n_drawn}")


def _read_grid(table: _Table) -> tuple[str, ...]:
    grid = _read_rows(table, QUADRANT_SIZE, LETTERS)
    for number, row in enumerate(grid, start=1):
        if len(row) != QUADRANT_SIZE:
            message = f"expected {QUADRANT_SIZE} letters in row {number}, got {row!r}"
            raise table.error("grid", message)
    return grid


def _read_island_grid(table: _Table) -> tuple[str, ...]:
    """Read the grid of an island and fill its rows up with sea."""
    grid = _read_rows(table, ISLAND_ROWS, LETTERS + SEA_LETTER)
    for number, row in enumerate(grid, start=1):
        if len(row) > ISLAND_COLUMNS:
            message = f"expected at most {ISLAND_COLUMNS} letters in row {number}, got {row!r}"
            raise table.error("grid", message)
    return tuple(row.ljust(ISLAND_COLUMNS, SEA_LETTER) for row in grid)


def _read_rows(table: _Table, count: int, letters: str) -> tuple[str, ...]:
    lines = table.take("grid", str).splitlines()
    rows = tuple("".join(line.split()) for line in lines if line.strip())
    if len(rows) != count:
        raise table.error("grid", f"expected {count} rows, got {len(rows)}")
    for number, row in enumerate(rows, start=1):
        wrong = row.strip(letters)
        if wrong:
            message = f"expected letters out of {letters} in row {number}, got {wrong[0]!r}"
            raise table.error("grid", message)
    return rows


def _read_places(table: _Table, known: Mapping[str, Location]) -> Iterator[tuple[str, int, int]]:
    for text in table.take("locations", list):
        match = re.fullmatch(r"(.+)@([a-j])([1-9]|10)", str(text))
        if match is None:
            raise table.error("locations", f"expected a location like 'tavern@c7', got {text!r}")
        kind, column, row = match.groups()
        if kind not in known:
            raise table.error("locations", suggest_name("location", kind, known))
        yield kind, int(row) - 1, ord(column) - ord("a")


def _cell_name(row: int, col: int) -> str:
    return f"{chr(ord('a') + col)}{row + 1}"


def _check_all_used(content: Content) -> None:
    """Raise if the kernel knows a rule that no row of any set uses."""
    tiles = content.tiles.values()
    paid = (content.cards, content.rules, content.tasks)
    scores = {row.score for family in paid for row in family.values()}
    drawn = {letter for item in content.quadrants.values() for row in item.grid for letter in row}
    spaces = {Space[name.upper()] for letter, name in SPACE_LETTERS.items() if letter in drawn}
    used: list[tuple[type[IntEnum], str, str, set[IntEnum]]] = [
        (Action, "tile", "action", {tile.action for tile in tiles}),
        (Filter, "tile", "filter", {tile.filter for tile in tiles}),
        (Score, "card, rule or task", "score", {*scores}),
        (Space, "quadrant", "grid", {*spaces}),
    ]
    for family, table, key, members in used:
        for member in family:
            if member not in members:
                name = member.name.lower()
                raise ContentError(f"data, {table}, key {key!r}: {name!r} is used by no row.")


@dataclass(slots=True)
class _Table:
    """A TOML table that knows where it stands and which of its keys have been read."""

    file: str
    label: str
    data: dict[str, object]
    seen: set[str] = field(default_factory=set)

    @classmethod
    def parse(cls, file: str, text: str) -> _Table:
        try:
            return cls(file, "", tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise ContentError(f"{file}: this is not TOML: {error}.") from error

    def error(self, key: str, message: str) -> ContentError:
        place = ", ".join(part for part in (self.file, self.label, f"key {key!r}") if part)
        return ContentError(f"{place}: {message}.")

    def take(self, key: str, kind: type[Value], *, default: Value | None = None) -> Value:
        """Return the value of a key; the error if it is missing or not of this type."""
        self.seen.add(key)
        value = self.data.get(key, default)
        if value is None:
            raise self.error(key, f"expected a value ({kind.__name__}), got nothing")
        # bool is a subclass of int, so isinstance would let `houses = true` pass.
        if type(value) is not kind:
            raise self.error(key, f"expected a value of type {kind.__name__}, got {value!r}")
        return value

    def take_member(self, key: str, family: type[Member]) -> Member:
        """Return the member of a kernel enum that the value of a key names in lower case."""
        name = self.take(key, str)
        known = {member.name.lower(): member for member in family}
        if name not in known:
            raise self.error(key, suggest_name(f"{family.__name__} of the kernel", name, known))
        return known[name]

    def rows(self, key: str) -> Iterator[_Table]:
        """Iterate over an array of tables; a missing one is empty."""
        for number, data in enumerate(self.take(key, list, default=[]), start=1):
            if not isinstance(data, dict):
                raise self.error(key, f"expected tables [[{key}]], got {data!r}")
            name = data.get("name")
            label = f"{key} {name!r}" if isinstance(name, str) else f"{key} number {number}"
            yield _Table(self.file, label, data)

    def finish(self) -> None:
        """Raise if a key has not been read: it is misspelt or belongs elsewhere."""
        for key in self.data:
            if key not in self.seen:
                raise self.error(key, suggest_name("key", key, sorted(self.seen)))
