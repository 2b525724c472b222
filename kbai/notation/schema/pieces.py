"""The keys of a seat about its pieces: houses, figures, city hall, supply, markers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from kbai import content
from kbai._fast import MAX_TOKENS, Action, Filter, Gold, Terrain
from kbai.content import BUILDABLE, ISLAND_ROWS
from kbai.core.errors import NotationError, quote
from kbai.game.cells import ISLAND_MARK, SIZE, format_cell
from kbai.game.pieces import FIGURES, HALL, HOUSE, SHIP, WAGON, WARRIOR, hall_cells
from kbai.game.quadrants import N_QUADRANTS
from kbai.game.seats import N_SEATS, SEATS
from kbai.game.setup import Setup
from kbai.notation.dicts import Table, Word
from kbai.notation.names import parse_cell, parse_name, space_name
from kbai.notation.schema.setup import read_gifts

if TYPE_CHECKING:
    from kbai._fast import SeatFields  # only the stub has it

GOLD_SOURCES = tuple(source.name.lower() for source in Gold)
MAX_GOLD = 999  # from one source; far beyond any game
GOLD_UNITS = dict(zip(GOLD_SOURCES, (3, 2, 2, 1, 1), strict=True))  # gold comes in these amounts
N_HALL_HEXES = 7
SEAT_KEYS = (
    "settlements",
    "tiles",
    "used",
    "fresh",
    "lost",
    "nomads",
    "gifts",
    "warriors",
    "wagon",
    "ship",
    "hall",
    "tokens",
    "temple",
    "mayors",
    "roved",
    "hidden",
    "supply",
    "gold",
)
# The tile that a key needs, and the section of the rules about it.
_TILE_OF_KEY = {
    "warriors": (Action.WARRIOR, "R6.3"),
    "wagon": (Action.WAGON, "R6.3"),
    "ship": (Action.SHIP, "R6.3"),
    "hall": (Action.HALL, "R6.3"),
    "tokens": (Action.CATHEDRAL, "R6.5"),
    "temple": (Action.TEMPLE, "R6.4"),
    "hand": (Action.CROSSROADS, "R6.3"),
    "scouts": (Action.SCOUT, "R6.5"),
    "reacting": (Action.CANOE, "R6.4"),
    "repeat": (Action.BAZAAR, "R6.5"),
}
_CARD_OF_KEY = {"mayors": "mayors", "roved": "rovers"}


@dataclass(slots=True, eq=False, repr=False)
class Seat:
    """A seat while its table is read."""

    name: str
    table: Table
    pieces: dict[int, tuple[str, Word]] = field(default_factory=dict)
    """The piece on each hex, and the word of the input that puts it there."""
    hall: int = -1
    temple: int = 0
    mayors: list[int] = field(default_factory=list)
    roved: list[int] = field(default_factory=list)
    supply: int = 0
    tokens: int = 0
    hidden: int = 0
    held: set[int] = field(default_factory=set)
    lost: set[int] = field(default_factory=set)
    total: Counter[str] = field(default_factory=Counter)
    fresh: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)
    gold: dict[str, int] = field(default_factory=dict)

    def cells(self, *pieces: str) -> list[int]:
        """Return the cells of these kinds of pieces."""
        return sorted([cell for cell, (piece, _) in self.pieces.items() if piece in pieces])

    def cell(self, piece: str) -> int:
        """Return the cell of the only piece of a kind, -1 if there is none."""
        return next((cell for cell, (kind, _) in self.pieces.items() if kind == piece), -1)

    def ready(self, kind: str) -> int:
        return self.total[kind] - self.fresh[kind] - self.used[kind]

    def fields(self, setup: Setup) -> SeatFields:
        kinds = setup.tile_kinds
        return {
            "cells": self.cells(HOUSE),
            "warriors": self.cells(WARRIOR),
            "wagon": self.cell(WAGON),
            "ship": self.cell(SHIP),
            "hall": self.hall,
            "tokens": self.tokens,
            "temple": self.temple,
            "mayors": self.mayors,
            "roved": self.roved,
            "hidden": self.hidden,
            "supply": self.supply,
            "taken": sorted(self.held | self.lost),
            "held": sorted(self.held),
            "ready": [self.ready(kind) for kind in kinds],
            "fresh": [self.fresh[kind] for kind in kinds],
            "used": [self.used[kind] for kind in kinds],
            "gold": [self.gold.get(source, 0) for source in GOLD_SOURCES],
        }


def seat_tables(table: Table) -> dict[str, Table]:
    """Return the table of each seat, in the order of the input."""
    value = table.get("seat")
    if not isinstance(value, dict):
        table.require("seat", "the seats with their settlements")
        raise table.error("seat", f"expected a table for each seat, got {quote(value)}")
    tables: dict[str, Table] = {}
    for key, data in value.items():
        where = (*table.where("seat"), key)
        name = parse_name("seat", key, SEATS, path=where)
        if name in tables:
            message = f"expected the seat {name} once, got it twice."
            raise NotationError(message, path=where, token=key)
        if not isinstance(data, dict):
            message = f"expected a table for the seat {name}, got {quote(data)}."
            raise NotationError(message, path=where)
        tables[name] = Table(data, where, SEAT_KEYS)
    if len(tables) not in N_SEATS:
        message = f"expected {N_SEATS[0]} to {N_SEATS[-1]} seats, got {len(tables)}"
        raise table.error("seat", message)
    return tables


def has_action(setup: Setup, action: Action) -> bool:
    """Return whether a tile with this action is in the game."""
    return action in setup.actions


def check_needed(setup: Setup, table: Table, keys: Iterable[str]) -> None:
    """Raise if a key is given whose tile or card is not in the game."""
    for key in table.known(keys):
        if not table.is_given(key) or table.get(key) in (0, "0"):
            continue
        if key in _CARD_OF_KEY and _CARD_OF_KEY[key] not in setup.cards:
            message = f"expected {key!r} only with the card {_CARD_OF_KEY[key]}, which is not"
            raise table.error(key, f"{message} in play (R8.8)")
        action, rule = _TILE_OF_KEY.get(key, (None, ""))
        if action is not None and not has_action(setup, action):
            every = content.load().locations.values()
            kind = next(tile.name for tile in every if tile.action is action)
            message = f"expected {key!r} only with {kind} tiles, which are not in this game"
            raise table.error(key, f"{message} ({rule})")


def read_pieces(setup: Setup, name: str, table: Table) -> Seat:
    """Return a seat with its pieces and markers, and what is left in its supply."""
    seat = Seat(name, table)
    table.require("settlements", f"the cells of the settlements of {name}")
    check_needed(setup, table, SEAT_KEYS)
    climbs, swims = _can_climb(setup), _can_swim(setup)
    for word in table.words("settlements"):
        _add_piece(seat, read_hex(setup, word, climbs=climbs, swims=swims), HOUSE, word)
    if len(seat.pieces) > setup.houses:
        message = f"expected at most {setup.houses} settlements of {name}, got {len(seat.pieces)}"
        raise table.error("settlements", f"{message} (R2.1)")
    _read_figures(setup, seat)
    _read_hall(setup, seat)
    if table.is_given("temple"):
        seat.temple = table.number("temple", 0, setup.houses)
    seat.mayors = _read_rows(setup, table)
    seat.roved = _read_quadrants(table)
    _read_supply(setup, seat)
    return seat


def read_hex(setup: Setup, word: Word, *, climbs: bool, swims: bool = True) -> int:
    """Return the cell of a hex that can hold a piece, on mountains and water if it can be there."""
    cell = parse_cell(word, path=word.path)
    terrain = setup.terrain[cell]
    if terrain == Terrain.VOID:
        message = f"expected a hex of this board, got {quote(word)}, where there is none"
        raise word.error(f"{message} (R1.1)")
    if terrain == Terrain.SPECIAL:
        what = space_name(setup, cell)
        raise word.error(f"expected a hex to build on, got {quote(word)}, {what} (R1.8)")
    if terrain == Terrain.MOUNTAIN and not climbs:
        raise word.error(f"expected a hex to build on, got {quote(word)}, a mountain (R1.5)")
    if terrain == Terrain.WATER and not swims:
        message = f"expected a hex to build on, got {quote(word)}, water"
        raise word.error(f"{message}, which no tile of this game builds on or moves to (R1.5)")
    return cell


def _can_climb(setup: Setup) -> bool:
    """Return whether there can be houses on mountains."""
    return _has_donations(setup) or has_action(setup, Action.FOUNTAIN_BONUS)


def _can_swim(setup: Setup) -> bool:
    """Return whether there can be houses on water."""
    return _has_donations(setup) or _has_boats(setup)


@lru_cache(maxsize=64)
def _has_boats(setup: Setup) -> bool:
    """Return whether a tile in the game brings houses to water."""
    return any(map(_brings_to_water, map(content.load().tile, setup.tile_kinds)))


def _brings_to_water(tile: content.Tile) -> bool:
    is_there = tile.terrain == "water" or tile.filter is Filter.SHORE
    return is_there and tile.action is not Action.SHIP  # which is no house


def _has_donations(setup: Setup) -> bool:
    """Return whether nomad tiles may have been in the game, though they have left it since."""
    every = content.load()
    return bool(setup.nomad_cells) or any(kind in every.nomads for kind in setup.extra_tiles)


def _add_piece(seat: Seat, cell: int, piece: str, word: Word) -> None:
    if cell in seat.pieces:
        before = seat.pieces[cell][0]
        if before == piece == HOUSE:
            message = f"expected each cell once, got {quote(word)} twice for {seat.name}"
            raise word.error(f"{message} (R4.1)")
        both = f"a {before} and a {piece} of {seat.name}"
        raise word.error(f"expected one piece on {format_cell(cell)}, got {both} (R4.1)")
    seat.pieces[cell] = piece, word


def _read_figures(setup: Setup, seat: Seat) -> None:
    table = seat.table
    for key, piece in (("warriors", WARRIOR), ("wagon", WAGON), ("ship", SHIP)):
        words = table.words(key)
        most = FIGURES[piece]
        if len(words) > most:
            what = f"at most {most} {piece}s" if most > 1 else f"one {piece}"
            message = f"expected {what} of {seat.name}, got {quote(words[most])} as another"
            raise words[most].error(f"{message} (R1.6)")
        for word in words:
            cell = read_hex(setup, word, climbs=piece == WAGON)
            if setup.options.figure_moves == "own_tile":
                _check_own_ground(setup, piece, cell, word)
            _add_piece(seat, cell, piece, word)


def _check_own_ground(setup: Setup, piece: str, cell: int, word: Word) -> None:
    """Raise if a figure stands where neither its own tile nor another one could bring it."""
    terrain = Terrain(setup.terrain[cell]).name.lower()
    if (terrain == "water") != (piece == SHIP):
        message = f"expected the {piece} where its own tile leads, got {quote(word)}, {terrain}"
        raise word.error(f"{message}, with the option figure_moves:own_tile (R4.4)")


def _read_hall(setup: Setup, seat: Seat) -> None:
    word = seat.table.word("hall", "centre of a city hall")
    if word is None:
        return
    centre = parse_cell(word, path=word.path)
    is_hex = setup.terrain[centre] != Terrain.VOID
    cells = hall_cells(setup.kernel_board, centre) if is_hex else ()
    if len(cells) < N_HALL_HEXES:
        message = f"expected the centre of seven hexes for the city hall, got {quote(word)}"
        raise word.error(f"{message} (R6.3)")
    for cell in cells:
        terrain = Terrain(setup.terrain[cell]).name.lower()
        if terrain not in BUILDABLE:
            what = space_name(setup, cell) if terrain == "special" else terrain
            message = f"expected seven buildable hexes for the city hall around {quote(word)}"
            raise word.error(f"{message}, got {format_cell(cell)}, {what} (R6.3)")
        _add_piece(seat, cell, HALL, word)
    seat.hall = centre


def _read_rows(setup: Setup, table: Table) -> list[int]:
    """Return the rows marked for the card Mayors; those of the island come last."""
    rows: set[int] = set()
    for word in table.words("mayors", numbers=True):
        digits = word.removeprefix(ISLAND_MARK)
        first, count = (SIZE, ISLAND_ROWS) if digits != word else (0, SIZE)
        if not (digits.isdecimal() and digits.isascii() and 1 <= int(digits[:4]) <= count):
            message = f"expected rows from 1 to {SIZE}, or ~1 to ~{ISLAND_ROWS} on the island"
            raise word.error(f"{message}, got {quote(word)} (R8.8)")
        row = first + int(digits) - 1
        if first and not setup.island:
            message = f"expected rows of this board, which has no island, got {quote(word)}"
            raise word.error(f"{message} (R6.6)")
        if row in rows:
            raise word.error(f"expected each row once in 'mayors', got {quote(word)} twice")
        rows.add(row)
    return sorted(rows)


def _read_quadrants(table: Table) -> list[int]:
    """Return the quadrants built in during this turn."""
    found: set[int] = set()
    for word in table.words("roved", numbers=True):
        if word not in map(str, range(1, N_QUADRANTS + 1)):
            message = f"expected quadrants from 1 to {N_QUADRANTS}, got {quote(word)}"
            raise word.error(f"{message} (R8.8)")
        if int(word) - 1 in found:
            raise word.error(f"expected each quadrant once in 'roved', got {quote(word)} twice")
        found.add(int(word) - 1)
    return sorted(found)


def default_supply(setup: Setup, houses: int, mayors: int, temple: int) -> int:
    """Return the houses in the supply of a seat: those that are nowhere else."""
    return setup.houses - houses - mayors - temple


def _read_supply(setup: Setup, seat: Seat) -> None:
    table, houses = seat.table, len(seat.cells(HOUSE))
    seat.supply = default_supply(setup, houses, len(seat.mayors), seat.temple)
    places = [f"{houses} on the board"]
    places += [f"{len(seat.mayors)} on rows"] if seat.mayors else []
    places += [f"{seat.temple} on temple tiles"] if seat.temple else []
    message = f"expected at most {setup.houses} houses of {seat.name} in all"
    if seat.supply < 0:
        key = "temple" if seat.temple else "mayors"
        raise table.error(key, f"{message}, got {' and '.join(places)} (R2.1)")
    if "supply" in table:
        supply = table.number("supply", 0, setup.houses)
        if supply > seat.supply:
            places.append(f"{supply} in supply")
            raise table.error("supply", f"{message}, got {' and '.join(places)} (R2.1)")
        seat.supply = supply


def check_seats_together(seats: Iterable[Seat]) -> None:
    """Raise if two seats have a piece on one hex, or a marker on one row."""
    owners: dict[int, Seat] = {}
    rows: dict[int, Seat] = {}
    for seat in seats:
        for cell, (piece, word) in seat.pieces.items():
            if cell in owners:
                other = owners[cell]
                before = other.pieces[cell][0]
                if before == piece == HOUSE:
                    both = f"one of {other.name} and one of {seat.name}"
                    raise word.error(f"expected one settlement on {word}, got {both} (R4.1)")
                both = f"a {before} of {other.name} and a {piece} of {seat.name}"
                raise word.error(f"expected one piece on {format_cell(cell)}, got {both} (R4.1)")
            owners[cell] = seat
        for row in seat.mayors:
            if row in rows:
                both = f"{rows[row].name} and {seat.name}"
                message = f"expected each row marked once in 'mayors', got one by {both}"
                raise seat.table.error("mayors", f"{message} (R8.8)")
            rows[row] = seat


def read_gold(setup: Setup, seats: Iterable[Seat]) -> None:
    """Fill in the gold scored during the game."""
    n_treasures = 0
    for seat in seats:
        table = seat.table
        seat.gold = table.amounts("gold", GOLD_SOURCES, MAX_GOLD)
        for source, amount in seat.gold.items():
            unit = GOLD_UNITS[source]
            problem = ""
            if source == "treasure":
                n_treasures += amount // unit
                if not setup.nomad_cells:
                    problem = "expected gold from treasure only on a board with nomad spaces (R7.1)"
                elif n_treasures > content.load().nomads[source].count:
                    problem = "expected gold from no more treasures than there are (R2.3)"
            elif source not in setup.cards:
                problem = f"expected gold from cards in play, got some from {source} (R8.6)"
            if amount % unit:
                problem = f"expected gold from {source} in steps of {unit}, got {amount} (R8.1)"
            if amount and problem:
                raise NotationError(f"{problem}.", path=table.where("gold"), token=source)


def read_tokens(seat: Seat) -> None:
    """Fill in the cathedral tokens; the tiles are known by now."""
    every = content.load()
    kinds = [kind for kind in seat.total if every.tile(kind).action is Action.CATHEDRAL]
    held = sum(seat.total[kind] for kind in kinds)
    gifts = [kind for _, kind in read_gifts(seat.table) if kind in kinds]
    seat.tokens = default_tokens(held - len(gifts))
    if seat.table.is_given("tokens"):
        seat.tokens = seat.table.number("tokens", 0, MAX_TOKENS)
        if seat.tokens and not held:
            message = f"expected no tokens for {seat.name}, who holds no cathedral tile"
            raise seat.table.error("tokens", f"{message}, got {seat.tokens} (R5.4)")


def check_tokens(seats: Iterable[Seat]) -> None:
    """Raise if the seats have more cathedral tokens than there are."""
    total = 0
    for seat in seats:
        total += seat.tokens
        if total > MAX_TOKENS:
            message = f"expected at most {MAX_TOKENS} tokens in all, got {total}"
            raise seat.table.error("tokens", f"{message} (R6.5)")


def default_tokens(held: int) -> int:
    """Return the tokens of a seat that holds this many cathedral tiles from spaces."""
    return int(held > 0)
