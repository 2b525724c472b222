"""The keys about the set-up: the board and what lies on it, the cards, the options."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from kbai import content
from kbai.content import CARD_TERRAINS
from kbai.core.errors import NotationError, quote
from kbai.game.cells import format_cell
from kbai.game.options import DEFAULT_OPTIONS, Options
from kbai.game.quadrants import TURNED
from kbai.game.setup import Setup
from kbai.notation.dicts import Table, Word, parse_place
from kbai.notation.names import name_meant, parse_cell, parse_name

BOARD_KEYS = (
    "board",
    "map",
    "locations",
    "island",
    "caves",
    "capitols",
    "nomads",
    "cards",
    "tasks",
    "scouted",
    "options",
    "start",
)


def setup_from_dict(data: Mapping[str, object], seats: Sequence[str]) -> Setup:
    """Return the set-up that the keys about it (`BOARD_KEYS`) describe."""
    return read_setup(Table(data, (), BOARD_KEYS), tuple(seats))


def _card_name(word: Word, known: Collection[str]) -> str:
    """Return what a card is called here; an unknown one is told with all the others."""
    try:
        return content.find_name(word, known) or word.lower()
    except NotationError as error:
        raise NotationError(error.message, path=word.path, token=str(word)) from None


def setup_to_dict(setup: Setup) -> dict[str, object]:
    """Return the keys of a position that are about the set-up."""
    data: dict[str, object] = {}
    if setup.map:
        data["map"] = list(setup.map)
        if setup.locations:
            data["locations"] = [f"{kind}@{format_cell(cell)}" for kind, cell in setup.locations]
    else:
        data["board"] = list(setup.board)
    if setup.island:
        data["island"] = setup.island
    for key, cells in (("caves", setup.caves), ("capitols", setup.capitols)):
        if cells:
            data[key] = [format_cell(cell) for cell in cells]
    if setup.nomads:
        data["nomads"] = [f"{kind}@{format_cell(cell)}" for kind, cell in setup.nomads]
    data["cards"] = list(setup.cards)
    if setup.tasks:
        data["tasks"] = list(setup.tasks)
    if setup.scouted:
        data["scouted"] = setup.scouted
    flags = {"true": True, "false": False}
    options = {key: flags.get(value, value) for key, value in setup.options.changed().items()}
    if options:
        data["options"] = options
    if setup.start:
        data["start"] = setup.seats[setup.start]
    return data


def loose_kinds(table: Table, seats: Iterable[Table]) -> tuple[str, ...]:
    """Return the kinds of tiles that seats have, whether or not a space has them."""
    nomads = content.load().nomads
    kinds = []
    for seat in seats:
        kinds += [kind for _, kind in (*read_gifts(seat), *read_nomads(seat))]
    # The tile of an action under way has already left the game.
    for key, mark in (("doing", ":"), ("lift", "@")):
        names = (name_meant(word.partition(mark)[0], nomads) for word in table.words(key))
        kinds += [name for name in names if name in nomads]
    return tuple(dict.fromkeys(kinds))


def read_gifts(seat: Table) -> list[tuple[Word, str]]:
    """Return the tiles of a seat that come from no space: each word, and the kind it means."""
    every = content.load()
    gifts = {**every.locations, **every.bonuses}
    found = []
    for word in seat.words("gifts"):
        if word.lower() in every.nomads:
            message = f"expected location tiles as gifts, got the nomad tile {quote(word)}"
            raise word.error(f"{message}; it belongs to 'nomads'")
        if word.lower() in every.commons:
            message = f"expected tiles as gifts, got {quote(word)}, which needs no tile"
            raise word.error(f"{message} (R3.3)")
        found.append((word, parse_name("tile", word, gifts, path=word.path)))
    return found


def read_nomads(seat: Table) -> list[tuple[Word, str]]:
    """Return the nomad tiles that a seat holds: each word, and the kind it means."""
    known = content.load().nomads
    return [
        (word, parse_name("nomad tile", word, known, path=word.path))
        for word in seat.words("nomads")
    ]


def read_setup(table: Table, seats: tuple[str, ...], loose: tuple[str, ...] = ()) -> Setup:
    """Return the set-up a position's table describes; ``loose`` kinds of tiles have no space."""
    every = content.load()
    if "map" not in table:
        table.require("board", "four quadrants or a map")
    table.require("cards", "the names of the scoring cards")
    island = table.word("island", "island")
    scouted = table.word("scouted", "terrain")
    return Setup(
        seats=seats,
        cards=tuple(_card_name(word, every.cards) for word in table.words("cards")),
        board=tuple(_parse_quadrant(word) for word in table.words("board")),
        map=_read_map(table),
        locations=tuple(
            parse_place("location", word, every.locations) for word in table.words("locations")
        ),
        island=parse_name("island", island, every.islands, path=island.path) if island else "",
        caves=_read_cells(table, "caves"),
        capitols=_read_cells(table, "capitols"),
        nomads=tuple(
            parse_place("nomad tile", word, every.nomads, "outpost@c7")
            for word in table.words("nomads")
        ),
        tasks=tuple(
            parse_name("task", word, every.tasks, path=word.path) for word in table.words("tasks")
        ),
        scouted=(
            parse_name("terrain with cards", scouted, CARD_TERRAINS, path=scouted.path)
            if scouted
            else ""
        ),
        start=table.seat("start", seats) if "start" in table else 0,
        options=_read_options(table),
        extra_tiles=loose,
    )


def shared_setup(table: Table, seats: tuple[str, ...], loose: tuple[str, ...]) -> Setup:
    """Return the set-up as `read_setup` does, once for all positions of a game."""
    items = tuple(
        (key, tuple(value) if isinstance(value, list) else value)
        for key, value in table.items(BOARD_KEYS).items()
    )
    try:
        hash(items)
    except TypeError:  # options in a table
        return read_setup(table, seats, loose).shared()
    return _read_once(items, seats, loose, content.load())


@lru_cache(maxsize=64)
def _read_once(
    items: tuple[tuple[str, object], ...],
    seats: tuple[str, ...],
    loose: tuple[str, ...],
    _every: content.Content,
) -> Setup:
    data = {key: list(value) if isinstance(value, tuple) else value for key, value in items}
    return read_setup(Table(data, (), BOARD_KEYS), seats, loose).shared()


def _read_cells(table: Table, key: str) -> tuple[int, ...]:
    return tuple(parse_cell(word, path=word.path) for word in table.words(key))


def _parse_quadrant(word: Word) -> str:
    """Return the name of a quadrant, with the mark if it is turned."""
    name = word.lower().removesuffix(TURNED)
    known = content.load().quadrants
    turned = TURNED if word.endswith(TURNED) else ""
    return parse_name("quadrant", name, known, path=word.path, token=str(word)) + turned


def _read_map(table: Table) -> tuple[str, ...]:
    """Return the rows of a map; there may be blanks between letters."""
    value = table.get("map")
    if "map" not in table:
        return ()
    rows = re.split(r"[\n/]", value) if isinstance(value, str) else value
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise table.error("map", f"expected 20 rows of letters for 'map', got {quote(value)}")
    # Terrains in capitals, spaces in small letters.
    case = str.maketrans({letter.lower(): letter for letter in content.TERRAIN_LETTERS})
    joined = ("".join(row.lower().split()) for row in rows)
    found = tuple(row.translate(case) for row in joined if row)
    if not found:
        raise table.error("map", "expected 20 rows of letters for 'map', got none")
    return found


def _read_options(table: Table) -> Options:
    if "options" not in table:
        return DEFAULT_OPTIONS
    value = table.get("options")
    pairs: dict[str, str | bool] = {}
    if isinstance(value, dict):
        for key, setting in value.items():
            if not isinstance(setting, str | bool):
                message = f"expected text or true or false for {quote(key)}, got {quote(setting)}."
                raise NotationError(message, path=(*table.where("options"), key))
            pairs[key.strip().lower()] = setting
        return Options.parse(pairs)
    for word in table.words("options"):
        key, colon, setting = word.replace("=", ":").partition(":")
        if not colon:
            message = f"expected an option like 'lost_tiles_return:true', got {quote(word)}"
            raise word.error(message)
        if key.lower() in pairs:
            raise word.error(f"expected each option once, got {quote(key)} twice")
        pairs[key.lower()] = setting.lower()
    return Options.parse(pairs)
