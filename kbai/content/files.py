"""Reading the data files: TOML tables become rows; errors name the file and the key.

The match is complete in both directions: every row names a rule of the kernel, and every rule of
the kernel is named by a row.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import TypeVar

from kbai._fast import Action, Filter, Score, Space
from kbai.content.items import (
    BONUS_ACTIONS,
    CAVE,
    COMMON_ACTIONS,
    FIGURES,
    ISLAND_COLUMNS,
    ISLAND_ROWS,
    LETTERS,
    LOCATION_LETTER,
    NOMAD_ACTIONS,
    OWN_SET,
    QUADRANT_SIZE,
    SEA_LETTER,
    SPACE_LETTERS,
    TERRAIN_CARDS,
    TERRAIN_FILTERS,
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
from kbai.content.names import LANGUAGES, Names, fold
from kbai.core.errors import ContentError, NotationError, quote, suggest_name
from kbai.core.texts import MAX_POSITION, read_file
from kbai.core.toml import TomlError, parse_toml

Member = TypeVar("Member", bound=IntEnum)
Value = TypeVar("Value", str, int, bool, list[object], dict[str, object])
Row = TypeVar(
    "Row", Quadrant, Island, Location, BonusTile, CommonAction, NomadTile, CardInfo, TaskInfo
)


def read_content(files: Iterable[tuple[str, str]]) -> Content:
    """Read sets from pairs of file name and TOML text; their key ``order`` sorts them."""
    tables = [_Table.parse(name, text) for name, text in files]
    content = Content()
    for table in sorted(tables, key=lambda table: table.take("order", int)):
        _read_set(table, content)
    # Actions after the last turn come last, whatever their box.
    by_time = sorted(content.commons.values(), key=lambda row: row.action in COMMON_ACTIONS)
    content.commons.clear()
    content.commons.update({row.name: row for row in by_time})
    _check_all_used(content)
    return content


def read_folder(path: str) -> tuple[tuple[str, str], ...]:
    """Return the names and texts of the TOML files in a folder."""
    files = []
    name = path
    try:
        found = sorted(item.path for item in os.scandir(path) if item.name.endswith(".toml"))
        for name in found:
            if stat.S_ISFIFO(os.stat(name).st_mode):
                continue  # to open it would wait for whoever writes to it
            files.append((name, read_file(name, MAX_POSITION)))
    except OSError as error:
        raise ContentError(f"{name}: expected quadrants to read: {error.strerror}.") from error
    except NotationError as error:
        raise ContentError(str(error)) from error
    return tuple(files)


def read_own(files: Iterable[tuple[str, str]], content: Content) -> None:
    """Read users' own quadrants and islands; they may replace those of kbai."""
    quadrants: dict[str, Quadrant] = {}
    islands: dict[str, Island] = {}
    for file, text in files:
        table = _Table.parse(file, text)
        for row in table.rows("quadrant"):
            box = _read_box(row, content.quadrants, content)
            _add(row, quadrants, content.names, _read_quadrant(row, box, content.locations))
        for row in table.rows("island"):
            box = _read_box(row, content.islands, content)
            _add(row, islands, content.names, _read_island(row, box, content.locations))
        table.finish()
    content.quadrants.update(quadrants)
    content.islands.update(islands)
    rows: list[Quadrant | Island] = [*quadrants.values(), *islands.values()]
    if any(row.set == OWN_SET for row in rows):
        content.sets.setdefault(OWN_SET, SetInfo(OWN_SET, "Quadrants of your own"))


def _read_box(table: _Table, known: Mapping[str, Quadrant | Island], content: Content) -> str:
    """Return the set of a user's row: the one it names, that of the row it replaces, or its own."""
    name = table.take("name", str)
    box = table.take("set", str, default=known[name].set if name in known else OWN_SET)
    if box != OWN_SET and box not in content.sets:
        raise table.error("set", suggest_name("set", box, (*content.sets, OWN_SET)))
    return box


def _read_set(table: _Table, content: Content) -> None:
    name = table.take("name", str)
    if name in content.sets:
        raise table.error("name", f"the set {name!r} is there twice")
    _read_names(table, name, content.names)
    for row in table.rows("word"):
        word = row.take("name", str)
        _read_names(row, word, content.names)
        row.finish()
    # Locations first: other rows name them.
    for row in table.rows("location"):
        _add(row, content.locations, content.names, _read_location(row, name))
    for row in table.rows("bonus"):
        _add(row, content.bonuses, content.names, _read_bonus(row, name, content.locations))
    for row in table.rows("common"):
        _add(row, content.commons, content.names, _read_common(row, name))
    for row in table.rows("nomad"):
        _add(row, content.nomads, content.names, _read_nomad(row, name))
    _check_tile_names(table, content)
    for row in table.rows("rule"):
        _add(row, content.rules, content.names, _read_card(row, name))
    for row in table.rows("card"):
        _add(row, content.cards, content.names, _read_card(row, name))
    for row in table.rows("task"):
        _add(row, content.tasks, content.names, _read_task(row, name))
    for row in table.rows("quadrant"):
        _add(row, content.quadrants, content.names, _read_quadrant(row, name, content.locations))
    for row in table.rows("island"):
        _add(row, content.islands, content.names, _read_island(row, name, content.locations))
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
        scouts=table.take("scouts", int, default=0),
        tokens=table.take("tokens", int, default=0),
        capitols=_read_capitols(table, content.quadrants),
        caves=table.take("caves", int, default=0),
    )
    table.finish()


def _add(table: _Table, known: dict[str, Row], names: dict[str, Names], row: Row) -> str:
    if row.name in known:
        raise table.error("name", f"{row.name!r} is there twice")
    _read_names(table, row.name, names)
    table.finish()
    known[row.name] = row
    return row.name


def _read_names(table: _Table, name: str, names: dict[str, Names]) -> None:
    """Read what something is called in other languages, if the table says so."""
    found: dict[str, tuple[str, ...]] = {}
    for language, texts in table.take("names", dict, default={}).items():
        if language not in LANGUAGES:
            raise table.error("names", suggest_name("language", language, LANGUAGES))
        if not isinstance(texts, list) or not all(isinstance(t, str) and fold(t) for t in texts):
            raise table.error("names", f"expected a list of names, got {quote(texts)}")
        found[language] = tuple(texts)
    # A quadrant and its location share their names.
    names[name] = MappingProxyType(found or dict(names.get(name, {})))


def _check_tile_names(table: _Table, content: Content) -> None:
    """Raise if two kinds of tiles share a name, as texts know tiles by their name alone."""
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
        count=table.take("count", int),
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
    """Read what a tile does, where, and on which terrain if its filter needs one."""
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
            raise table.error("deck", f"expected a number of {name} cards, got {quote(count)}")
        deck[name] = count
    return MappingProxyType(deck)


def _read_figures(table: _Table) -> Mapping[str, int]:
    figures = {}
    for name, count in table.take("figures", dict, default={}).items():
        if name not in FIGURES:
            raise table.error("figures", suggest_name("figure", name, FIGURES))
        if count != FIGURES[name]:
            message = f"expected {FIGURES[name]} of the figure {name!r}, got {quote(count)}"
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
    """Return a name that can be a word of a text."""
    name = table.take("name", str)
    if not re.fullmatch("[a-z][a-z0-9_]*", name):
        message = (
            f"expected a name of small letters, digits and '_' like 'my_farm', got {quote(name)}"
        )
        raise table.error("name", message)
    return name


def _read_spaces(
    table: _Table, grid: tuple[str, ...], known: Mapping[str, Location]
) -> tuple[tuple[str, int, int], ...]:
    """Read the locations; check them, and the numbers of other spaces, against the grid."""
    places = sorted(_read_places(table, known), key=lambda place: place[1:])
    named = [(row, col) for _, row, col in places]
    marked = [
        (row, col)
        for row, line in enumerate(grid)
        for col, letter in enumerate(line)
        if letter == LOCATION_LETTER
    ]
    if named != marked:
        drawn, given = (" ".join(grid_cell(*c) for c in cells) for cells in (marked, named))
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
            message = f"expected {QUADRANT_SIZE} letters in row {number}, got {quote(row)}"
            raise table.error("grid", message)
    return grid


def _read_island_grid(table: _Table) -> tuple[str, ...]:
    """Read the grid of an island and pad its rows with sea."""
    grid = _read_rows(table, ISLAND_ROWS, LETTERS + SEA_LETTER)
    for number, row in enumerate(grid, start=1):
        if len(row) > ISLAND_COLUMNS:
            message = f"expected at most {ISLAND_COLUMNS} letters in row {number}, got {quote(row)}"
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
            raise table.error(
                "locations", f"expected a location like 'tavern@c7', got {quote(text)}"
            )
        kind, column, row = match.groups()
        if kind not in known:
            raise table.error("locations", suggest_name("location", kind, known))
        yield kind, int(row) - 1, ord(column) - ord("a")


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
    """A TOML table that knows its place and which of its keys have been read."""

    file: str
    label: str
    data: dict[str, object]
    seen: set[str] = field(default_factory=set)

    @classmethod
    def parse(cls, file: str, text: str) -> _Table:
        try:
            return cls(file, "", parse_toml(text))
        except TomlError as error:
            place = f" (line {error.line}, column {error.column})" if error.line else ""
            raise ContentError(f"{file}: this is not TOML: {error}{place}.") from error

    def error(self, key: str, message: str) -> ContentError:
        place = ", ".join(part for part in (self.file, self.label, f"key {quote(key)}") if part)
        return ContentError(f"{place}: {message}.")

    def take(self, key: str, kind: type[Value], *, default: Value | None = None) -> Value:
        """Return the value of a key; raise if it is missing or not of this type."""
        self.seen.add(key)
        value = self.data.get(key, default)
        if value is None:
            raise self.error(key, f"expected a value ({kind.__name__}), got nothing")
        # bool is a subclass of int: isinstance would accept `houses = true`.
        if type(value) is not kind:
            raise self.error(key, f"expected a value of type {kind.__name__}, got {quote(value)}")
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
                raise self.error(key, f"expected tables [[{key}]], got {quote(data)}")
            name = data.get("name")
            label = f"{key} {quote(name)}" if isinstance(name, str) else f"{key} number {number}"
            yield _Table(self.file, label, data)

    def finish(self) -> None:
        """Raise if a key has not been read: it is misspelt or in the wrong place."""
        for key in self.data:
            if key not in self.seen:
                raise self.error(key, suggest_name("key", key, sorted(self.seen)))
