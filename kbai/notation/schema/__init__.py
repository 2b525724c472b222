"""Positions as plain dicts, as TOML and JSON give them, and back.

docs/forms.md lists the keys. Errors name the path of the key and the word to blame; the spellings
turn these into a line and a column. Each module of this package reads some of the keys: the set-up,
the pieces of the seats, the tiles, what else lies on the board, the turn, what is under way in it,
the terrain cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from kbai._fast import Draw, Phase, Position, Terrain
from kbai.content import TERRAIN_CARDS
from kbai.core.errors import NotationError, quote
from kbai.game.cells import format_cell, format_row
from kbai.game.pieces import pieces_of
from kbai.game.setup import Setup, setup_of
from kbai.notation.dicts import Table
from kbai.notation.names import NO_CARD
from kbai.notation.schema.ground import Ground, read_scouts, read_walls
from kbai.notation.schema.pieces import (
    GOLD_SOURCES,
    SEAT_KEYS,
    check_seats_together,
    check_tokens,
    default_supply,
    default_tokens,
    read_gold,
    read_pieces,
    read_tokens,
    seat_tables,
)
from kbai.notation.schema.piles import (
    CARD_KEYS,
    named_counts,
    piles_to_dict,
    read_piles,
    removed_cards,
    seats_without_card,
)
from kbai.notation.schema.setup import (
    BOARD_KEYS,
    loose_kinds,
    setup_from_dict,
    setup_to_dict,
    shared_setup,
)
from kbai.notation.schema.tiles import (
    check_nomad_tiles,
    place,
    read_gone,
    read_tiles,
    tiles_to_dict,
)
from kbai.notation.schema.turn import (
    ANY,
    CHOOSE,
    HIDDEN,
    NOT_CHOSEN,
    REPLACE,
    TURN_KEYS,
    check_used_tiles,
    count_silos,
    default_owed,
    is_final_by_default,
    read_final,
    read_phase,
    read_turn,
)
from kbai.notation.schema.under_way import (
    doing_to_text,
    read_built,
    read_doing,
    read_lift,
    read_moved,
    read_outpost,
    read_reacting,
    read_repeat,
    waits_for_end,
)

if TYPE_CHECKING:
    from kbai._fast import Fields, SeatFields  # only the stub has them

__all__ = [
    "BOARD_KEYS",
    "GOLD_SOURCES",
    "KEYS",
    "SEAT_KEYS",
    "doing_to_text",
    "position_from_dict",
    "position_to_dict",
    "removed_cards",
    "seats_without_card",
    "setup_from_dict",
    "setup_to_dict",
]

KEYS = (*BOARD_KEYS, *TURN_KEYS, *CARD_KEYS, "seat")


def position_from_dict(data: Mapping[str, object]) -> Position:
    """Return the position that a dict describes, with defaults filled in and everything checked."""
    table = Table(data, (), KEYS)
    tables = seat_tables(table)
    setup = shared_setup(table, tuple(tables), loose_kinds(table, tables.values()))
    seats = [read_pieces(setup, name, tables[name]) for name in setup.seats]
    check_seats_together(seats)
    walls = read_walls(setup, table, seats)
    scouts = read_scouts(setup, table, seats, walls)
    # Silo actions neither win nor lose tiles, nor do some moves before they end.
    settled = read_phase(table)[0] in (Phase.SILO, Phase.OVER) and _has_silos(setup)
    settled |= waits_for_end(setup, table)
    read_tiles(setup, seats, settled=settled)
    gone = read_gone(setup, table, seats, settled=settled)
    for seat in seats:
        read_tokens(seat)
    check_tokens(seats)
    read_gold(setup, seats)
    ground = Ground(setup, seats, (*walls, *scouts))
    turn = read_turn(setup, table, seats, ground)
    check_used_tiles(setup, seats, turn)
    mover = seats[turn.mover]
    doing = read_doing(setup, table, seats, turn)
    repeat = read_repeat(setup, table, mover, turn)
    reacting = read_reacting(setup, table, seats, turn)
    piles = read_piles(setup, table, seats, turn)
    outpost = read_outpost(table, turn, doing)
    check_nomad_tiles(setup, table, seats, gone)
    lift = read_lift(setup, table, seats, turn, doing)
    fields: Fields = {
        "mover": turn.mover,
        "start": setup.start,
        "phase": turn.phase,
        "due": turn.due,
        "card": turn.card,
        "hand": turn.hand,
        "draw": turn.draw,
        "terrain": turn.terrain,
        "lift": None,
        "doing": None if doing is None else (setup.tile_kinds.index(doing[0]) + 1, doing[1]),
        "repeat": repeat,
        "reacting": reacting,
        "owed": turn.owed,
        "silos": turn.silos,
        "scouts": scouts,
        "outpost": outpost,
        "built": read_built(setup, table, mover, turn),
        "moved": read_moved(setup, table, mover, doing),
        "walls": walls,
        "gone": gone,
        "final": read_final(setup, table, seats, turn),
        "unseen": piles.unseen,
        "held": piles.held,
        "discard": piles.discard,
        "spent": piles.spent,
        "seats": [seat.fields(setup) for seat in seats],
    }
    position = _make_position(setup, table, fields)
    if lift is not None:
        if not position.is_legal(lift):
            (word,) = table.words("lift")
            message = "expected a piece that can go somewhere with its tile"
            raise word.error(f"{message}, got {quote(word)} (R4.4)")
        position.apply(lift)
    return position


def _has_silos(setup: Setup) -> bool:
    return any(space.kind == "silo" for space in setup.spaces)


def _make_position(setup: Setup, table: Table, fields: Fields) -> Position:
    try:
        return Position.from_fields(setup.kernel_board, fields)
    except ValueError as error:
        if fields["outpost"] and _is_position(setup, fields | {"outpost": False}):
            message = "expected a house to build for the outpost, but there is none"
            raise table.error("outpost", f"{message} (R7.1)") from error
        without: dict[str, object] = {"outpost": False, "doing": None, "moved": []}
        if fields["doing"] and _is_position(setup, fields | without):
            (word,) = table.words("doing")
            message = f"expected an action that has a next step, got {quote(word)}"
            raise word.error(message) from error
        if fields["repeat"] and _is_position(setup, fields | {"outpost": False, "repeat": 0}):
            (word,) = table.words("repeat")
            message = f"expected a tile that has a step to repeat, got {quote(word)}"
            raise word.error(f"{message} (R6.5)") from error
        if fields["reacting"] and _is_position(setup, fields | {"reacting": []}):
            word = table.words("reacting")[-1]
            message = f"expected a seat with a hex to react on, got {quote(word)}"
            raise word.error(f"{message} (R6.4)") from error
        raise NotationError(f"the position contradicts itself: {error}.") from error


def _is_position(setup: Setup, fields: Mapping[str, object]) -> bool:
    try:
        Position.from_fields(setup.kernel_board, cast("Fields", fields))
    except ValueError:
        return False
    return True


def position_to_dict(position: Position) -> dict[str, object]:
    """Return a position as a dict; values that equal their default are left out."""
    setup, fields = setup_of(position), position.fields()
    data: dict[str, object] = setup_to_dict(setup)
    data |= _turn_to_dict(setup, fields)
    data |= _action_to_dict(position, setup, fields)
    houses = [(seat["supply"], seat["temple"]) for seat in fields["seats"]]
    if fields["final"] != is_final_by_default(setup, houses):
        data["final"] = fields["final"]
    if fields["walls"]:
        data["walls"] = [format_cell(cell) for cell in fields["walls"]]
    if fields["gone"]:
        data["gone"] = [format_cell(setup.spaces[space].cell) for space in fields["gone"]]
    data |= piles_to_dict(setup, fields)
    data["seat"] = {
        name: _seat_to_dict(position, setup, seat)
        for name, seat in zip(setup.seats, fields["seats"], strict=True)
    }
    return data


def _turn_to_dict(setup: Setup, fields: Fields) -> dict[str, object]:
    """Return whose turn it is, the cards turned up, the phase and the terrain."""
    data: dict[str, object] = {}
    phase = Phase(fields["phase"])
    if phase is not Phase.OVER:
        data["turn"] = setup.seats[fields["mover"]]
    if phase not in (Phase.SILO, Phase.OVER):
        data["card"] = _card_name(fields)
    if any(fields["hand"]):
        data["hand"] = named_counts(fields["hand"])
    if phase is not Phase.PRE:
        data["phase"] = f"build{fields['due']}" if phase is Phase.BUILD else phase.name.lower()
    if fields["terrain"] == Terrain.SPECIAL:
        data["terrain"] = ANY
    elif fields["terrain"] >= 0:
        terrain = Terrain(fields["terrain"]).name.lower()
        if terrain != data["card"]:
            data["terrain"] = terrain
    return data


def _card_name(fields: Fields) -> str:
    if fields["card"] >= 0:
        return TERRAIN_CARDS[fields["card"]]
    if fields["card"] == NOT_CHOSEN:
        return CHOOSE
    return {Draw.REVEAL: HIDDEN, Draw.REPLACE: REPLACE}.get(Draw(fields["draw"]), NO_CARD)


def _action_to_dict(position: Position, setup: Setup, fields: Fields) -> dict[str, object]:
    """Return what is under way within the turn."""
    data: dict[str, object] = {}
    if fields["lift"] is not None:
        slot, cell = fields["lift"]
        data["lift"] = f"{setup.tile_kinds[slot - 1]}@{format_cell(cell)}"
    if fields["doing"] is not None:
        data["doing"] = doing_to_text(setup, fields["doing"])
    if fields["repeat"]:
        data["repeat"] = setup.tile_kinds[fields["repeat"] - 1]
    if fields["outpost"]:
        data["outpost"] = True
    if fields["reacting"]:
        data["reacting"] = [
            f"{setup.seats[taker]}:{setup.seats[asked]}" for taker, asked in fields["reacting"]
        ]
    if fields["built"]:
        data["built"] = [format_cell(cell) for cell in fields["built"]]
    if fields["moved"]:
        data["moved"] = [format_cell(cell) for cell in fields["moved"]]
    mover = fields["seats"][fields["mover"]]
    if fields["owed"] != default_owed(fields["phase"], mover["temple"]):
        data["owed"] = fields["owed"]
    if fields["phase"] == Phase.SILO:
        cells = [*pieces_of(position.board, mover)]
        if fields["silos"] != count_silos(setup, cells):
            data["silos"] = fields["silos"]
    if fields["scouts"]:
        data["scouts"] = [format_cell(cell) for cell in fields["scouts"]]
    return data


def _seat_to_dict(position: Position, setup: Setup, seat: SeatFields) -> dict[str, object]:
    data: dict[str, object] = {"settlements": [format_cell(cell) for cell in seat["cells"]]}
    data |= tiles_to_dict(setup, position.board, seat)
    if seat["warriors"]:
        data["warriors"] = [format_cell(cell) for cell in seat["warriors"]]
    for key, cell in (("wagon", seat["wagon"]), ("ship", seat["ship"]), ("hall", seat["hall"])):
        if cell >= 0:
            data[key] = format_cell(cell)
    cathedrals = sum(place(setup, space)[0] == "cathedral" for space in seat["held"])
    if seat["tokens"] != default_tokens(cathedrals):
        data["tokens"] = seat["tokens"]
    if seat["temple"]:
        data["temple"] = seat["temple"]
    if seat["mayors"]:
        data["mayors"] = [format_row(row) for row in seat["mayors"]]
    if seat["roved"]:
        data["roved"] = [str(quadrant + 1) for quadrant in seat["roved"]]
    if seat["hidden"] > 1:  # the mover's card, or `nocard`, tell of fewer
        data["hidden"] = seat["hidden"]
    houses = (len(seat["cells"]), len(seat["mayors"]), seat["temple"])
    if seat["supply"] != default_supply(setup, *houses):
        data["supply"] = seat["supply"]
    gold = dict(zip(GOLD_SOURCES, seat["gold"], strict=True))
    if any(gold.values()):
        data["gold"] = {source: amount for source, amount in gold.items() if amount}
    return data
