"""The keys about tiles: who holds, has used or has lost which, and which lie on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from kbai import content
from kbai._fast import Action, Board
from kbai.content import TILES_PER_SPACE
from kbai.core.errors import NotationError, quote
from kbai.game.cells import format_cell
from kbai.game.pieces import pieces_of
from kbai.game.setup import Setup
from kbai.notation.dicts import Table, Word, parse_place
from kbai.notation.names import name_meant, parse_cell, parse_name
from kbai.notation.schema.pieces import Seat
from kbai.notation.schema.setup import read_gifts, read_nomads

if TYPE_CHECKING:
    from kbai._fast import SeatFields  # only the stub has it

MAX_TILES_OF_A_KIND = 15  # the kernel counts a seat's tiles of a kind in four bits
# Tiles that work without being used up (R6.4).
_NEVER_USED = (Action.TEMPLE_BONUS, Action.FOUNTAIN_BONUS)


def read_tiles(setup: Setup, seats: list[Seat], *, settled: bool) -> None:
    """Fill in who holds and has lost which tiles; the defaults follow from the settlements.

    ``settled``: the last turn is over, and silo actions move pieces without gain or loss.
    """
    board = setup.kernel_board
    beside = [{space for cell in s.pieces for space in board.spaces_beside(cell)} for s in seats]
    for seat, spaces in zip(seats, beside, strict=True):
        seat.held = _read_held(setup, seat, None if settled else spaces)
        seat.lost = _read_lost(setup, seat)
    locations = [i for i, space in enumerate(setup.spaces) if space.kind == "location"]
    left = {space: _tiles_left(setup, seats, space) for space in locations}
    order = range(len(seats))
    for index in (*order[setup.start :], *order[: setup.start]):
        if "tiles" not in seats[index].table:
            for space in _untaken(seats[index], beside[index], left):
                seats[index].held.add(space)
                left[space] -= 1
    for seat, spaces in zip(seats, beside, strict=True):
        # If lost tiles return to their space, it may have been empty when the seat got there.
        if not setup.options.lost_tiles_return and not settled:
            for space in _untaken(seat, spaces, left):
                kind, cell = place(setup, space)
                message = f"{seat.name} has a settlement beside {cell} and a tile is left there"
                tile = f"'{kind}@{cell}'"
                raise seat.table.error("tiles", f"expected {tile} held or lost: {message} (R5.1)")
        _count_tiles(setup, seat)


def _untaken(seat: Seat, beside: set[int], left: Mapping[int, int]) -> list[int]:
    """Return the spaces beside a seat's settlements with a tile it has not taken."""
    return sorted(s for s in beside - seat.held - seat.lost if left.get(s))


def _read_held(setup: Setup, seat: Seat, beside: set[int] | None) -> set[int]:
    held = _read_spaces(setup, seat.table, "tiles")
    for space, word in held.items():
        if beside is not None and space not in beside:
            cell = place(setup, space)[1]
            message = f"expected a settlement of {seat.name} beside {cell} to hold {quote(word)}"
            raise word.error(f"{message}, got none (R5.3)")
    return set(held)


def _read_lost(setup: Setup, seat: Seat) -> set[int]:
    lost = _read_spaces(setup, seat.table, "lost")
    for space, word in lost.items():
        if space in seat.held:
            raise word.error(f"expected a tile held or lost, got {quote(word)} as both (R5.2)")
    return set(lost)


def _read_spaces(setup: Setup, table: Table, key: str) -> dict[int, Word]:
    """Return the spaces that a list of tiles names, as indices."""
    if not table.is_given(key):
        return {}
    known = content.load().locations
    kinds = {s.cell: (i, s.tile) for i, s in enumerate(setup.spaces) if s.kind == "location"}
    spaces: dict[int, Word] = {}
    for word in table.words(key):
        kind, cell = parse_place("tile", word, known)
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
    locations = [space for space in setup.spaces if space.kind == "location"]
    places = [f"{space.tile}@{format_cell(space.cell)}" for space in locations]
    return f"there are {', '.join(places)}" if places else "this board has none"


def place(setup: Setup, space: int) -> tuple[str, str]:
    """Return the kind of tile of a space and the name of its cell."""
    return setup.spaces[space].tile or "", format_cell(setup.spaces[space].cell)


def _tiles_left(setup: Setup, seats: list[Seat], space: int) -> int:
    """Return how many tiles lie on a space; raise if more were taken than there were."""
    returns = setup.options.lost_tiles_return
    takers = [s for s in seats if space in s.held or (not returns and space in s.lost)]
    if len(takers) > TILES_PER_SPACE:
        kind, cell = place(setup, space)
        names = ", ".join(seat.name for seat in takers)
        key = "tiles" if space in takers[-1].held else "lost"
        message = f"expected at most {TILES_PER_SPACE} seats with a tile from {cell}, got {names}"
        raise NotationError(
            f"{message} (R2.2).", path=takers[-1].table.where(key), token=f"{kind}@{cell}"
        )
    return TILES_PER_SPACE - len(takers)


def _without_gifts(setup: Setup, held: Iterable[int]) -> Counter[str]:
    """Return the tiles of a seat that come from spaces, and what follows from these.

    Two tiles of a kind bring its bonus tile (R5.5); some actions everybody has without a tile.
    """
    every = content.load()
    tiles = Counter(place(setup, space)[0] for space in held)
    for bonus in every.bonuses.values():
        if tiles[bonus.location] > 1:
            tiles[bonus.name] += 1
    for common in every.commons.values():
        if common.name in setup.tile_kinds and common.action is not Action.SILO:
            tiles[common.name] += 1
    return tiles


def _count_tiles(setup: Setup, seat: Seat) -> None:
    """Count the tiles of a seat by kind and state."""
    table = seat.table
    seat.total = _without_gifts(setup, seat.held)
    for word, kind in read_gifts(table):
        seat.total[kind] += 1
        if seat.total[kind] > MAX_TILES_OF_A_KIND:
            message = f"expected at most {MAX_TILES_OF_A_KIND} tiles of a kind for {seat.name}"
            raise word.error(f"{message}, got more {kind} tiles")
    every = content.load()
    for word, kind in read_nomads(table):
        if every.nomads[kind].action is Action.TREASURE:
            message = "expected nomad tiles that are kept, got a treasure, which is gold at once"
            raise word.error(f"{message} (R7.1)")
        seat.total[kind] += 1
    for key, counts in (("used", seat.used), ("fresh", seat.fresh)):
        for word in table.words(key):
            kind = parse_name("tile", word, every.tiles, path=word.path)
            problem = _why_never(key, kind)
            if problem:
                raise word.error(problem.format(quote(word)))
            counts[kind] += 1
            if seat.ready(kind) < 0:
                message = f"expected no more {kind} tiles {key} than {seat.name} holds"
                raise word.error(f"{message} ({seat.total[kind]}), got {quote(word)} once more")


def _why_never(key: str, kind: str) -> str:
    """Return why a kind of tile is never used or never fresh, as a format of the word."""
    every = content.load()
    action = every.tile(kind).action
    if key == "fresh":
        if action is Action.CANOE:
            return "expected fresh tiles, got {}, which is ready at once (R6.4)"
        return (
            "expected fresh tiles, got {}, which needs no tile (R3.3)"
            if kind in every.commons
            else ""
        )
    if kind in every.nomads:
        message = "expected location tiles used, got {}, a nomad tile"
        return f"{message}, which leaves the game when it is used (R7.1)"
    if action in _NEVER_USED:
        return "expected tiles used, got {}, which works without being used (R6.4)"
    if action is Action.SILO:
        return "expected tiles used, got {}, which is for after the last turn (R9.2)"
    return ""


def read_gone(setup: Setup, table: Table, seats: Iterable[Seat], *, settled: bool) -> list[int]:
    """Return the nomad spaces whose tile is gone: every settlement beside one takes its tile.

    Not if ``settled``: then pieces move without taking tiles.
    """
    laid = {s.cell: i for i, s in enumerate(setup.spaces) if s.kind == "nomad" and s.tile}
    gone: set[int] = set()
    for word in table.words("gone"):
        cell = parse_cell(word, path=word.path)
        if cell not in laid:
            places = [f"{kind}@{format_cell(where)}" for kind, where in setup.nomads]
            where = f"there were {', '.join(places)}" if places else "no nomad tile was laid"
            message = f"expected a nomad space whose tile was taken, got {quote(word)}"
            raise word.error(f"{message}; {where} (R7.1)")
        if laid[cell] in gone:
            raise word.error(f"expected each space once in 'gone', got {quote(word)} twice")
        gone.add(laid[cell])
    if settled:
        return sorted(gone)
    if not laid:
        return []
    board = setup.kernel_board
    for seat in seats:
        beside = {s for cell in seat.pieces for s in board.spaces_beside(cell)}
        for space in sorted(beside.intersection(laid.values()) - gone):
            if "gone" in table:
                kind, cell_text = place(setup, space)
                message = f"expected {cell_text!r}, too: {seat.name} has a settlement beside it"
                raise table.error("gone", f"{message} and took the {kind} tile (R7.1)")
            gone.add(space)
    return sorted(gone)


def check_nomad_tiles(setup: Setup, table: Table, seats: list[Seat], gone: list[int]) -> None:
    """Raise if there are more nomad tiles of a kind in the game than in the box (R2.3)."""
    known = content.load().nomads
    tiles = Counter(
        space.tile
        for index, space in enumerate(setup.spaces)
        if space.kind == "nomad" and space.tile and index not in gone
    )
    # The tile of an action under way has left the game, but still counts as one of the box.
    doing = [(word, name_meant(word.partition(":")[0], known)) for word in table.words("doing")]
    for word, kind in doing + [pair for seat in seats for pair in read_nomads(seat.table)]:
        tiles[kind] += 1
        if kind in known and tiles[kind] > known[kind].count:
            message = f"expected at most {known[kind].count} {kind} tiles, those on the board"
            raise word.error(f"{message} included, got {quote(word)} once more (R2.3)")


def tiles_to_dict(setup: Setup, board: Board, seat: SeatFields) -> dict[str, object]:
    """Return the keys of a seat that are about tiles."""
    kinds = setup.tile_kinds
    data: dict[str, object] = {}
    beside = {space for cell in pieces_of(board, seat) for space in board.spaces_beside(cell)}
    if seat["held"] or any(setup.spaces[space].kind == "location" for space in beside):
        data["tiles"] = ["@".join(place(setup, space)) for space in seat["held"]]
    for key, counts in (("used", seat["used"]), ("fresh", seat["fresh"])):
        if any(counts):
            data[key] = _repeated(zip(kinds, counts, strict=True))
    lost = [space for space in seat["taken"] if space not in seat["held"]]
    if lost:
        data["lost"] = ["@".join(place(setup, space)) for space in lost]
    given = _without_gifts(setup, seat["held"])
    tiles = zip(kinds, seat["ready"], seat["fresh"], seat["used"], strict=True)
    loose = {kind: sum(counts) - given[kind] for kind, *counts in tiles}
    known = content.load().nomads
    for key, is_nomad in (("nomads", True), ("gifts", False)):
        part = _repeated((kind, n) for kind, n in loose.items() if (kind in known) is is_nomad)
        if part:
            data[key] = part
    return data


def _repeated(counts: Iterable[tuple[str, int]]) -> list[str]:
    return [name for name, count in counts for _ in range(count)]
