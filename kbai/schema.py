"""The schema of a position: a plain dict, as TOML and JSON give it, and the kernel's Position.

docs/forms.md lists the keys. Errors carry the path of the key and the word to blame; the
spellings turn these into a line and a column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kbai import content
from kbai._fast import CARD_KINDS, Action, Draw, Phase, Position, Step, Terrain
from kbai.content import BUILDABLE, CARD_TERRAINS, TILES_PER_SPACE
from kbai.errors import NotationError
from kbai.notation import (
    NO_CARD,
    format_cell,
    pack_step,
    parse_card,
    parse_cell,
    parse_name,
    quote,
    setup_of,
    space_name,
)
from kbai.reading import Table, Word, parse_place
from kbai.table import N_SEATS, SEATS, TURNED, Options, Setup

if TYPE_CHECKING:
    from kbai._fast import Fields, SeatFields  # only the stub has them

HIDDEN, REPLACE, ANY = "hidden", "replace", "any"
PHASES = {"pre": Phase.PRE, "post": Phase.POST, "over": Phase.OVER}
MAX_DUE = 3  # houses of a mandatory action (R3.2)
MAX_TILES_OF_A_KIND = 15  # the kernel counts a seat's tiles of a kind in four bits

SEAT_KEYS = ("settlements", "tiles", "used", "fresh", "lost", "gifts", "supply")
BOARD_KEYS = ("board", "map", "locations", "cards", "options", "start")
CARD_KEYS = ("discard", "removed", "spent", "held", "nocard")
KEYS = (*BOARD_KEYS, "turn", "card", "phase", "terrain", "lift", "final", *CARD_KEYS, "seat")
HELD_KEYS = ("seats", "cards")


def position_from_dict(data: Mapping[str, object]) -> Position:
    """Return the position a dict describes, with all defaults filled in and all parts checked."""
    table = Table(data, (), KEYS)
    tables = _seat_tables(table)
    setup = _read_setup(table, tuple(tables), _gift_kinds(tables.values())).shared()
    seats = [_read_pieces(setup, name, tables[name]) for name in setup.seats]
    _check_one_piece_a_cell(seats)
    _read_tiles(setup, seats)
    turn = _read_turn(setup, table, seats)
    _check_turn(setup, table, seats, turn)
    piles = _read_piles(setup, table, turn)
    lift = _read_lift(setup, table, seats, turn)
    fields: Fields = {
        "mover": turn.mover,
        "start": setup.start,
        "phase": turn.phase,
        "due": turn.due,
        "card": turn.card,
        "draw": turn.draw,
        "any_terrain": turn.any_terrain,
        "lift": None,
        "final": _read_final(table, seats, turn),
        "unseen": _kernel_counts(piles.unseen),
        "held": [(_kernel_counts(cards), members) for members, cards in piles.held],
        "no_card": piles.no_card,
        "discard": _kernel_counts(piles.discard),
        "spent": _kernel_counts(piles.spent),
        "seats": [seat.fields(setup) for seat in seats],
    }
    try:
        position = Position.from_fields(setup.kernel_board, fields)
    except ValueError as error:
        raise NotationError(f"the position contradicts itself: {error}.") from error
    if lift is not None:
        if not position.is_legal(lift):
            (word,) = table.words("lift")
            message = "expected a piece that can go somewhere with its tile"
            raise word.error(f"{message}, got {quote(word)} (R4.4)")
        position.apply(lift)
    return position


def position_to_dict(position: Position) -> dict[str, object]:
    """Return a position as a dict without what has its default."""
    setup, fields = setup_of(position), position.fields()
    seats = fields["seats"]
    data: dict[str, object] = setup_to_dict(setup)
    is_over = fields["phase"] == Phase.OVER
    if not is_over:
        data["turn"] = setup.seats[fields["mover"]]
        data["card"] = _card_name(fields)
    if fields["phase"] != Phase.PRE:
        data["phase"] = Phase(fields["phase"]).name.lower()
    if fields["phase"] == Phase.BUILD:
        data["phase"] = f"build{fields['due']}"
    if fields["any_terrain"]:
        data["terrain"] = ANY
    if fields["lift"] is not None:
        slot, cell = fields["lift"]
        data["lift"] = f"{setup.tile_kinds[slot - 1]}@{format_cell(cell)}"
    if fields["final"] != any(seat["supply"] == 0 for seat in seats):
        data["final"] = fields["final"]
    _write_piles(data, setup, fields)
    data["seat"] = {
        name: _seat_to_dict(position, setup, seat)
        for name, seat in zip(setup.seats, seats, strict=True)
    }
    return data


def setup_from_dict(data: Mapping[str, object], seats: Sequence[str]) -> Setup:
    """Return the set-up that the keys about it (`BOARD_KEYS`) describe."""
    return _read_setup(Table(data, (), BOARD_KEYS), tuple(seats))


def setup_to_dict(setup: Setup) -> dict[str, object]:
    """Return the keys of a position that are about the set-up."""
    data: dict[str, object] = {}
    if setup.map:
        data["map"] = list(setup.map)
        if setup.locations:
            places = ((format_cell(cell), kind) for kind, cell in setup.locations)
            data["locations"] = [f"{kind}@{cell}" for cell, kind in places]
    else:
        data["board"] = list(setup.board)
    data["cards"] = list(setup.cards)
    flags = {"true": True, "false": False}
    options = {key: flags.get(value, value) for key, value in setup.options.changed().items()}
    if options:
        data["options"] = options
    if setup.start:
        data["start"] = setup.seats[setup.start]
    return data


def _seat_tables(table: Table) -> dict[str, Table]:
    """Return the table of each seat, in the order they are written."""
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


def _gift_kinds(tables: Iterable[Table]) -> tuple[str, ...]:
    known = content.load().locations
    words = [word for table in tables for word in table.words("gifts")]
    return tuple(dict.fromkeys(parse_name("tile", w, known, path=w.path) for w in words))


def _read_setup(table: Table, seats: tuple[str, ...], gifts: tuple[str, ...] = ()) -> Setup:
    if "map" not in table:
        table.require("board", "four quadrants or a map")
    table.require("cards", "the names of the scoring cards")
    return Setup(
        seats=seats,
        cards=tuple(word.lower() for word in table.words("cards")),
        board=tuple(_parse_quadrant(word) for word in table.words("board")),
        map=_read_map(table),
        locations=tuple(parse_place("location", word) for word in table.words("locations")),
        start=table.seat("start", seats) if "start" in table else 0,
        options=_read_options(table),
        extra_tiles=gifts,
    )


def _parse_quadrant(word: Word) -> str:
    """Return the name of a quadrant, with the mark if it is turned."""
    name = word.lower().removesuffix(TURNED)
    known = content.load().quadrants
    turned = TURNED if word.endswith(TURNED) else ""
    return parse_name("quadrant", name, known, path=word.path, token=str(word)) + turned


def _read_map(table: Table) -> tuple[str, ...]:
    """Return the rows of a map; the letters of a row may stand apart."""
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


@dataclass(slots=True)
class _Seat:
    """A seat while its tables are read."""

    name: str
    table: Table
    cells: dict[int, Word]
    supply: int
    held: set[int] = field(default_factory=set)
    lost: set[int] = field(default_factory=set)
    total: Counter[str] = field(default_factory=Counter)
    fresh: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)

    def ready(self, kind: str) -> int:
        return self.total[kind] - self.fresh[kind] - self.used[kind]

    def fields(self, setup: Setup) -> SeatFields:
        kinds = setup.tile_kinds
        return {
            "cells": sorted(self.cells),
            "supply": self.supply,
            "taken": sorted(self.held | self.lost),
            "held": sorted(self.held),
            "ready": [self.ready(kind) for kind in kinds],
            "fresh": [self.fresh[kind] for kind in kinds],
            "used": [self.used[kind] for kind in kinds],
        }


def _read_pieces(setup: Setup, name: str, table: Table) -> _Seat:
    table.require("settlements", f"the cells of the settlements of {name}")
    cells: dict[int, Word] = {}
    for word in table.words("settlements"):
        cell = parse_cell(word, path=word.path)
        terrain = setup.terrain[cell]
        if terrain == Terrain.SPECIAL:
            what = f"a {space_name(setup, cell)} space"
            raise word.error(f"expected a hex to build on, got {quote(word)}, {what} (R1.8)")
        if terrain == Terrain.MOUNTAIN:
            raise word.error(f"expected a hex to build on, got {quote(word)}, a mountain (R1.5)")
        if cell in cells:
            raise word.error(f"expected each cell once, got {quote(word)} twice for {name} (R4.1)")
        cells[cell] = word
    houses = setup.houses
    if len(cells) > houses:
        message = f"expected at most {houses} settlements of {name}, got {len(cells)} (R2.1)"
        raise table.error("settlements", message)
    supply = houses - len(cells)
    if "supply" in table:
        supply = table.number("supply", 0, houses)
        if supply + len(cells) > houses:
            raise table.error(
                "supply",
                f"expected at most {houses} houses of {name} in all, got {len(cells)} on the board "
                f"and {supply} in supply (R2.1)",
            )
    return _Seat(name, table, cells, supply)


def _check_one_piece_a_cell(seats: Iterable[_Seat]) -> None:
    owners: dict[int, str] = {}
    for seat in seats:
        for cell, word in seat.cells.items():
            if cell in owners:
                both = f"one of {owners[cell]} and one of {seat.name}"
                raise word.error(f"expected one settlement on {word}, got {both} (R4.1)")
            owners[cell] = seat.name


def _read_tiles(setup: Setup, seats: list[_Seat]) -> None:
    """Fill in who holds and has lost which tiles; what is not said follows from the settlements."""
    board = setup.kernel_board
    beside = [{space for cell in s.cells for space in board.spaces_beside(cell)} for s in seats]
    for seat, spaces in zip(seats, beside, strict=True):
        seat.held = _read_held(setup, seat, spaces)
        seat.lost = _read_lost(setup, seat)
    locations = [index for index, space in enumerate(setup.spaces) if space.tile]
    left = {space: _tiles_left(setup, seats, space) for space in locations}
    order = range(len(seats))
    for index in (*order[setup.start :], *order[: setup.start]):
        if "tiles" not in seats[index].table:
            for space in _untaken(seats[index], beside[index], left):
                seats[index].held.add(space)
                left[space] -= 1
    for seat, spaces in zip(seats, beside, strict=True):
        # Where lost tiles come back, the space may have been empty when the seat got there.
        if not setup.options.lost_tiles_return:
            for space in _untaken(seat, spaces, left):
                kind, cell = _place(setup, space)
                message = f"{seat.name} has a settlement beside {cell} and a tile is left there"
                tile = f"'{kind}@{cell}'"
                raise seat.table.error("tiles", f"expected {tile} held or lost: {message} (R5.1)")
        _count_tiles(setup, seat)


def _untaken(seat: _Seat, beside: set[int], left: Mapping[int, int]) -> list[int]:
    """Return the spaces beside a seat's settlements with a tile it has not taken."""
    return sorted(s for s in beside - seat.held - seat.lost if left.get(s))


def _read_held(setup: Setup, seat: _Seat, beside: set[int]) -> set[int]:
    held = _read_spaces(setup, seat.table, "tiles")
    for space, word in held.items():
        if space not in beside:
            cell = _place(setup, space)[1]
            message = f"expected a settlement of {seat.name} beside {cell} to hold {quote(word)}"
            raise word.error(f"{message}, got none (R5.3)")
    return set(held)


def _read_lost(setup: Setup, seat: _Seat) -> set[int]:
    lost = _read_spaces(setup, seat.table, "lost")
    for space, word in lost.items():
        if space in seat.held:
            raise word.error(f"expected a tile held or lost, got {quote(word)} as both (R5.2)")
    return set(lost)


def _read_spaces(setup: Setup, table: Table, key: str) -> dict[int, Word]:
    """Return the spaces a list of tiles names, by their index."""
    kinds = {space.cell: (index, space.tile) for index, space in enumerate(setup.spaces)}
    spaces: dict[int, Word] = {}
    for word in table.words(key):
        kind, cell = parse_place("tile", word)
        index, here = kinds.get(cell, (-1, None))
        if here is None:
            message = f"expected the cell of a location space, got {quote(word)}"
            raise word.error(f"{message}; {_list_locations(setup)}")
        if here != kind:
            raise word.error(f"expected '{here}@{format_cell(cell)}', got {quote(word)}")
        if index in spaces:
            raise word.error(f"expected each space once, got {quote(word)} twice (R5.2)")
        spaces[index] = word
    return spaces


def _list_locations(setup: Setup) -> str:
    places = [f"{space.tile}@{format_cell(space.cell)}" for space in setup.spaces if space.tile]
    return f"there are {', '.join(places)}" if places else "this board has none"


def _place(setup: Setup, space: int) -> tuple[str, str]:
    return setup.spaces[space].tile or "", format_cell(setup.spaces[space].cell)


def _tiles_left(setup: Setup, seats: list[_Seat], space: int) -> int:
    """Return how many tiles lie on a space; the error if more were taken than there are."""
    returns = setup.options.lost_tiles_return
    takers = [s for s in seats if space in s.held or (not returns and space in s.lost)]
    if len(takers) > TILES_PER_SPACE:
        kind, cell = _place(setup, space)
        names = ", ".join(seat.name for seat in takers)
        key = "tiles" if space in takers[-1].held else "lost"
        message = f"expected at most {TILES_PER_SPACE} seats with a tile from {cell}, got {names}"
        raise NotationError(
            f"{message} (R2.2).", path=takers[-1].table.where(key), token=f"{kind}@{cell}"
        )
    return TILES_PER_SPACE - len(takers)


def _count_tiles(setup: Setup, seat: _Seat) -> None:
    """Count the tiles of a seat by kind and state."""
    table = seat.table
    for space in seat.held:
        seat.total[_place(setup, space)[0]] += 1
    for word in table.words("gifts"):
        seat.total[word.lower()] += 1
        if seat.total[word.lower()] > MAX_TILES_OF_A_KIND:
            message = f"expected at most {MAX_TILES_OF_A_KIND} tiles of a kind for {seat.name}"
            raise word.error(f"{message}, got more {word.lower()} tiles")
    for key, counts in (("used", seat.used), ("fresh", seat.fresh)):
        for word in table.words(key):
            kind = parse_name("tile", word, content.load().locations, path=word.path)
            counts[kind] += 1
            if seat.ready(kind) < 0:
                message = f"expected no more {kind} tiles {key} than {seat.name} holds"
                raise word.error(f"{message} ({seat.total[kind]}), got {quote(word)} once more")


@dataclass(slots=True)
class _Turn:
    """Whose turn it is and how far it has come."""

    mover: int
    phase: Phase
    due: int = 0
    card: int = -1
    draw: Draw = Draw.NONE
    any_terrain: bool = False


def _read_turn(setup: Setup, table: Table, seats: list[_Seat]) -> _Turn:
    phase, due = _read_phase(table)
    if phase is Phase.OVER:
        for key in ("turn", "card", "terrain", "lift", "spent"):
            if key in table and table.get(key) != "-":
                raise table.error(key, f"expected no {key!r} when the phase is over (R9.1)")
        return _Turn(setup.start, phase)
    table.require("turn", "the seat whose turn it is")
    table.require("card", "the terrain card turned up, or hidden")
    turn = _Turn(table.seat("turn", setup.seats), phase, due)
    others = (HIDDEN, REPLACE, NO_CARD)
    name = parse_card(table.text("card"), others=others, path=table.where("card"))
    if name in CARD_TERRAINS:
        turn.card = CARD_TERRAINS.index(name)
    elif name != NO_CARD:
        turn.draw = Draw.REVEAL if name == HIDDEN else Draw.REPLACE
    turn.any_terrain = _read_terrain(setup, table, name)
    reason = _why_void(setup, seats, turn)
    if reason and turn.phase in (Phase.PRE, Phase.BUILD):
        if "phase" in table:
            message = f"expected the phase post, as {reason}, got {quote(table.text('phase'))}"
            raise table.error("phase", f"{message} (R3.2)")
        turn.phase = Phase.POST
    if turn.draw is Draw.REVEAL and turn.phase is not Phase.PRE and not reason:
        message = "expected the phase pre as long as the card is hidden"
        raise table.error("phase", f"{message}, got {quote(table.text('phase'))} (R3.1)")
    if turn.due > seats[turn.mover].supply:
        message = f"expected no more houses to build than the {seats[turn.mover].supply} in supply"
        raise table.error("phase", f"{message}, got {quote(table.text('phase'))} (R3.2)")
    return turn


def _read_phase(table: Table) -> tuple[Phase, int]:
    if "phase" not in table:
        return Phase.PRE, 0
    name = table.text("phase").strip().lower()
    if name in PHASES:
        return PHASES[name], 0
    match = re.fullmatch(f"build([1-{MAX_DUE}])", name)
    if match is None:
        message = f"expected the phase pre, build1 to build{MAX_DUE}, post or over"
        raise table.error("phase", f"{message}, got {quote(table.text('phase'))}")
    return Phase.BUILD, int(match[1])


def _read_terrain(setup: Setup, table: Table, card: str) -> bool:
    """Return whether any buildable terrain stands for the card."""
    if "terrain" not in table:
        return False
    name = table.text("terrain").strip().lower()
    if name == card:
        return False
    if name != ANY:
        raise table.error("terrain", f"expected the terrain any or none, got {quote(name)}")
    if not setup.options.exhausted_any_hex:
        message = "expected the terrain any only with the option exhausted_any_hex"
        raise table.error("terrain", f"{message} (R3.5)")
    if card not in CARD_TERRAINS:
        raise table.error("terrain", f"expected a terrain card with the terrain any, got {card!r}")
    return True


def _why_void(setup: Setup, seats: list[_Seat], turn: _Turn) -> str:
    """Return why nothing can be built in the mandatory action; nothing if it can."""
    if not seats[turn.mover].supply:
        return f"{seats[turn.mover].name} has no house left in supply"
    if turn.card < 0 and turn.draw is Draw.NONE:
        return f"{seats[turn.mover].name} has no card"
    if turn.any_terrain and not _is_any_free(setup, seats, BUILDABLE):
        return "no buildable hex is free"
    return ""


def _is_any_free(setup: Setup, seats: list[_Seat], terrains: Iterable[str]) -> bool:
    codes = {Terrain[name.upper()] for name in terrains}
    occupied = {cell for seat in seats for cell in seat.cells}
    return any(code in codes and cell not in occupied for cell, code in enumerate(setup.terrain))


def _check_turn(setup: Setup, table: Table, seats: list[_Seat], turn: _Turn) -> None:
    """Raise if card, options and tiles contradict each other."""
    options = setup.options
    if turn.draw is Draw.REPLACE and options.exhausted_any_hex:
        message = "expected no card to be replaced with the option exhausted_any_hex"
        raise table.error("card", f"{message}, got {quote(table.text('card'))} (R3.5)")
    if turn.card >= 0 and not turn.any_terrain:
        name = CARD_TERRAINS[turn.card]
        if not _is_any_free(setup, seats, (name,)):
            instead = "terrain = 'any'" if options.exhausted_any_hex else "card = 'replace'"
            message = f"expected a card with a free hex, got {name!r}, whose hexes are all taken"
            raise table.error("card", f"{message}; {instead} says that (R3.5)")
    for index, seat in enumerate(seats):
        for key, counts in (("used", seat.used), ("fresh", seat.fresh)):
            if not counts:
                continue
            if index != turn.mover or turn.phase is Phase.OVER:
                message = f"expected {key} tiles only for the seat whose turn it is"
                raise seat.table.error(key, f"{message}, got some for {seat.name} (R3.1)")
            if turn.draw is Draw.REVEAL:
                message = f"expected no {key} tiles as long as the card is hidden"
                raise seat.table.error(key, f"{message} (R3.1)")


def _read_lift(setup: Setup, table: Table, seats: list[_Seat], turn: _Turn) -> int | None:
    """Return the step that has lifted a piece, if one has."""
    words = table.words("lift")
    if not words:
        return None
    if len(words) > 1:
        raise words[1].error(f"expected one piece in hand, got {quote(words[1])} as another")
    word, seat = words[0], seats[turn.mover]
    kind, cell = parse_place("tile", word)
    if content.load().locations[kind].action is not Action.MOVE:
        raise word.error(f"expected a tile that moves a piece, got {quote(word)} (R6.1)")
    if cell not in seat.cells:
        message = f"expected a piece of {seat.name} in hand, got {quote(word)}"
        raise word.error(f"{message}, where {seat.name} has none (R4.4)")
    if seat.ready(kind) < 1:
        message = f"expected a tile that {seat.name} holds and has not used this turn"
        raise word.error(f"{message}, got {quote(word)} (R3.3)")
    if turn.draw is not Draw.NONE:
        raise word.error(f"expected nothing in hand until the card is turned up, got {quote(word)}")
    if turn.phase is Phase.BUILD:
        message = "expected nothing in hand within the mandatory action"
        raise word.error(f"{message}, got {quote(word)} (R3.2)")
    return pack_step(Step.LIFT, setup.tile_kinds.index(kind) + 1, cell)


def _read_final(table: Table, seats: list[_Seat], turn: _Turn) -> bool:
    empty = [seat.name for seat in seats if not seat.supply]
    fixed = bool(empty) or turn.phase is Phase.OVER
    if "final" not in table:
        return fixed
    final = table.flag("final")
    if fixed and not final:
        reason = f"{empty[0]} has no house left" if empty else "the phase is over"
        raise table.error("final", f"expected final = true, as {reason}, got false (R9.1)")
    return final


@dataclass(slots=True)
class _Piles:
    """Where the terrain cards are."""

    discard: list[int]
    spent: list[int]
    held: list[tuple[list[int], list[int]]]
    """Seats and their cards, oldest first."""
    no_card: list[int]
    unseen: list[int]


def _read_piles(setup: Setup, table: Table, turn: _Turn) -> _Piles:
    piles = _Piles(
        discard=table.counts("discard"),
        spent=table.counts("spent"),
        held=_read_held_hands(setup, table),
        no_card=table.seats("nocard", setup.seats),
        unseen=[],
    )
    options = setup.options
    if any(piles.spent):
        if options.exhausted_card != "discard" or options.exhausted_any_hex:
            message = "expected spent cards only with the option exhausted_card = 'discard'"
            raise table.error("spent", f"{message} (R3.5)")
        if turn.draw is Draw.REVEAL:
            message = "expected no spent cards as long as the card is hidden"
            raise table.error("spent", f"{message} (R3.1)")
    piles.unseen = _count_unseen(setup, table, turn, piles)
    _check_hands(setup, table, turn, piles)
    return piles


def _count_unseen(setup: Setup, table: Table, turn: _Turn, piles: _Piles) -> list[int]:
    """Return what the other piles leave of the deck."""
    parts = {
        "discard": piles.discard,
        "removed": table.counts("removed"),
        "spent": piles.spent,
        "held": [sum(cards[i] for _, cards in piles.held) for i in range(len(CARD_TERRAINS))],
        "card": [int(i == turn.card) for i in range(len(CARD_TERRAINS))],
    }
    unseen = []
    for index, name in enumerate(CARD_TERRAINS):
        total = setup.deck[index]
        named = sum(counts[index] for counts in parts.values())
        if named > total:
            where = [f"{key} {counts[index]}" for key, counts in parts.items() if counts[index]]
            key = next(key for key, counts in parts.items() if counts[index])
            message = f"expected at most {total} {name} cards in the game, got {named}"
            raise table.error(key, f"{message} ({', '.join(where)}; R2.1)")
        unseen.append(total - named)
    return unseen


def _read_held_hands(setup: Setup, table: Table) -> list[tuple[list[int], list[int]]]:
    value = table.get("held")
    if "held" not in table or value == "-":
        return []
    if not isinstance(value, list):
        raise table.error("held", f"expected a list of tables for 'held', got {quote(value)}")
    groups: list[tuple[list[int], list[int]]] = []
    seen: set[int] = set()
    for index, data in enumerate(value):
        where = (*table.where("held"), index)
        if not isinstance(data, dict):
            message = f"expected a table with seats and cards, got {quote(data)}."
            raise NotationError(message, path=where)
        group = Table(data, where, HELD_KEYS)
        group.require("seats", "the seats that hold these cards")
        group.require("cards", "the cards these seats hold")
        seats, cards = group.seats("seats", setup.seats), group.counts("cards")
        again = seen.intersection(seats)
        if again:
            name = setup.seats[min(again)]
            raise group.error("seats", f"expected each seat once in 'held', got {name} twice")
        if not seats or len(seats) != sum(cards):
            message = f"expected as many cards as seats, got {sum(cards)} and {len(seats)}"
            raise group.error("cards", f"{message} (R3.7)")
        seen.update(seats)
        groups.append((seats, cards))
    return groups


def _check_hands(setup: Setup, table: Table, turn: _Turn, piles: _Piles) -> None:
    """Raise unless every seat has one hand card, or none, and the unseen cards suffice."""
    held = {seat for seats, _ in piles.held for seat in seats}
    has_no_card = {*piles.no_card}
    for seat in sorted(held & has_no_card):
        name = setup.seats[seat]
        raise table.error("nocard", f"expected {name} in 'held' or in 'nocard', got both")
    hidden = {*range(len(setup.seats))} - held - has_no_card
    if turn.phase is not Phase.OVER:
        mover = setup.seats[turn.mover]
        is_hidden = turn.draw is Draw.REVEAL
        if turn.mover in has_no_card and (turn.card >= 0 or turn.draw is not Draw.NONE):
            message = f"expected card = 'none', as {mover} is in 'nocard'"
            raise table.error("card", f"{message}, got {quote(table.text('card'))}")
        if turn.mover in held and not is_hidden:
            message = f"expected the hidden cards of others in 'held', but that of {mover}"
            raise table.error("held", f"{message} has been turned up")
        if not is_hidden:
            hidden -= {turn.mover}
    unseen = sum(piles.unseen)
    if unseen < len(hidden):
        names = ", ".join(setup.seats[seat] for seat in sorted(hidden))
        message = f"expected an unseen card for each of the hands of {names}"
        key = next((key for key in CARD_KEYS[:4] if key in table), "discard")
        raise table.error(key, f"{message}, got {unseen}")
    if turn.draw is Draw.REPLACE and unseen == len(hidden):
        message = "expected a card to draw when one is to be replaced, but the draw pile is empty"
        raise table.error("card", f"{message} (R3.7)")


def _kernel_counts(counts: list[int]) -> list[int]:
    return counts + [0] * (CARD_KINDS - len(counts))


def _card_name(fields: Fields) -> str:
    if fields["card"] >= 0:
        return CARD_TERRAINS[fields["card"]]
    return {Draw.REVEAL: HIDDEN, Draw.REPLACE: REPLACE}.get(Draw(fields["draw"]), NO_CARD)


def _named_counts(counts: Sequence[int]) -> dict[str, int]:
    return {name: counts[i] for i, name in enumerate(CARD_TERRAINS) if counts[i]}


def _write_piles(data: dict[str, object], setup: Setup, fields: Fields) -> None:
    removed = list(setup.deck)
    hands = [counts for counts, _ in fields["held"]]
    for counts in (fields["unseen"], fields["discard"], fields["spent"], *hands):
        removed = [left - count for left, count in zip(removed, counts, strict=True)]
    if fields["card"] >= 0:
        removed[fields["card"]] -= 1
    piles = {"discard": fields["discard"], "removed": removed, "spent": fields["spent"]}
    data |= {key: _named_counts(counts) for key, counts in piles.items() if any(counts)}
    if fields["held"]:
        data["held"] = [
            {"seats": [setup.seats[seat] for seat in seats], "cards": _named_counts(counts)}
            for counts, seats in fields["held"]
        ]
    if fields["no_card"]:
        data["nocard"] = [setup.seats[seat] for seat in fields["no_card"]]


def _seat_to_dict(position: Position, setup: Setup, seat: SeatFields) -> dict[str, object]:
    board, kinds = position.board, setup.tile_kinds
    data: dict[str, object] = {"settlements": [format_cell(cell) for cell in seat["cells"]]}
    beside = {space for cell in seat["cells"] for space in board.spaces_beside(cell)}
    if seat["held"] or any(setup.spaces[space].tile for space in beside):
        data["tiles"] = ["@".join(_place(setup, space)) for space in seat["held"]]
    for key, counts in (("used", seat["used"]), ("fresh", seat["fresh"])):
        if any(counts):
            data[key] = _repeated(kinds, counts)
    lost = [space for space in seat["taken"] if space not in seat["held"]]
    if lost:
        data["lost"] = ["@".join(_place(setup, space)) for space in lost]
    from_spaces = Counter(setup.spaces[space].tile for space in seat["held"])
    tiles = zip(kinds, seat["ready"], seat["fresh"], seat["used"], strict=True)
    gifts = [sum(counts) - from_spaces[kind] for kind, *counts in tiles]
    if any(gifts):
        data["gifts"] = _repeated(kinds, gifts)
    if seat["supply"] != setup.houses - len(seat["cells"]):
        data["supply"] = seat["supply"]
    return data


def _repeated(names: Sequence[str], counts: Sequence[int]) -> list[str]:
    return [name for name, count in zip(names, counts, strict=True) for _ in range(count)]
