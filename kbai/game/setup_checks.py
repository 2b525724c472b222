"""Checks of a set-up: names are known, things lie where they belong, the kernel has room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from kbai import content
from kbai._fast import MAX_SPACES, MAX_TILE_KINDS
from kbai.content import CARD_TERRAINS, LETTERS, LOCATION_LETTER, NOMAD_LETTER
from kbai.core.errors import NotationError
from kbai.game.cells import CELL_NAMES, SIZE
from kbai.game.quadrants import N_QUADRANTS, TURNED
from kbai.game.seats import N_SEATS, SEATS

# The kernel counts a seat's tiles of one kind in four bits.
MAX_SPACES_OF_A_KIND = 15
# The card that takes a terrain out of the deck (R2.4).
SCOUTS = "scouts"


def check_seat_count(count: int) -> None:
    if count not in N_SEATS:
        raise NotationError(
            f"expected {N_SEATS[0]} to {N_SEATS[-1]} seats, got {count}.",
            path=("seats",),
            token=str(count),
        )


def check_seats(seats: tuple[str, ...]) -> None:
    check_names("seat", "seats", seats, SEATS)
    check_seat_count(len(seats))


def check_names(
    what: str,
    key: str,
    names: tuple[str, ...],
    known: Collection[str],
    strip: Callable[[str], str] = str,
) -> None:
    """Raise unless all names are known and different."""
    seen: set[str] = set()
    for index, text in enumerate(names):
        name = strip(text)
        if name not in known:
            message = f"{content.unknown_name(what, name, known)}."
            raise NotationError(message, path=(key, index), token=text)
        if name in seen:
            message = f"expected each {what} once, got {name!r} twice."
            raise NotationError(message, path=(key, index), token=text)
        seen.add(name)


def check_board(
    board: tuple[str, ...], rows: tuple[str, ...], locations: tuple[tuple[str, int], ...]
) -> None:
    if rows:
        if board:
            raise NotationError("expected a board or a map, got both.", path=("map",))
        _check_map(rows)
        _check_locations(rows, locations)
        return
    if not board:
        raise NotationError("expected a board of four quadrants or a map, got neither.")
    if locations:
        raise NotationError(
            "expected locations only with a map, as quadrants have their own; got "
            f"{_place_name(*locations[0])!r}.",
            path=("locations", 0),
            token=_place_name(*locations[0]),
        )
    if len(board) != N_QUADRANTS:
        raise NotationError(
            f"expected {N_QUADRANTS} quadrants, got {len(board)}: {', '.join(board)}.",
            path=("board",),
        )
    known = content.load().quadrants
    check_names("quadrant", "board", board, known, strip=lambda text: text.removesuffix(TURNED))


def _check_map(rows: tuple[str, ...]) -> None:
    if len(rows) != SIZE:
        raise NotationError(f"expected {SIZE} rows in the map, got {len(rows)}.", path=("map",))
    for index, row in enumerate(rows):
        for letter in row:
            if letter not in LETTERS:
                raise NotationError(
                    f"expected letters {' '.join(LETTERS)} in row {index + 1} of the map, "
                    f"got {letter!r}.",
                    path=("map", index),
                    token=letter,
                )
        if len(row) != SIZE:
            raise NotationError(
                f"expected {SIZE} letters in row {index + 1} of the map, got {len(row)}.",
                path=("map", index),
                token=row,
            )


def _check_locations(rows: tuple[str, ...], locations: tuple[tuple[str, int], ...]) -> None:
    letters = "".join(rows)
    known = content.load().locations
    named: set[int] = set()
    for index, (kind, cell) in enumerate(locations):
        place = _place_name(kind, cell)
        problem = ""
        if kind not in known:
            problem = content.unknown_name("location", kind, known)
        elif cell not in range(len(letters)) or letters[cell] != LOCATION_LETTER:
            problem = f"expected a location on a cell marked 'l' in the map, got {place!r}"
        elif cell in named:
            problem = f"expected one location on each cell, got {place!r} as a second"
        if problem:
            raise NotationError(f"{problem}.", path=("locations", index), token=place)
        named.add(cell)
    for cell, letter in enumerate(letters):
        if letter == LOCATION_LETTER and cell not in named:
            raise NotationError(
                f"expected the kind of every location of the map, "
                f"got none for the 'l' on {_name_of(cell)}.",
                path=("locations",),
            )


def check_nomads(letters: str, nomads: tuple[tuple[str, int], ...]) -> None:
    """Raise unless each nomad tile lies on a nomad space of its own and is in the box (R2.3)."""
    known = content.load().nomads
    laid: Counter[str] = Counter()
    named: set[int] = set()
    for index, (kind, cell) in enumerate(nomads):
        place = _place_name(kind, cell)
        problem = ""
        if kind not in known:
            problem = content.unknown_name("nomad tile", kind, known)
        elif cell not in range(len(letters)) or letters[cell] != NOMAD_LETTER:
            cells = [_name_of(c) for c, letter in enumerate(letters) if letter == NOMAD_LETTER]
            where = f"there are {', '.join(cells)}" if cells else "this board has none"
            problem = f"expected a nomad tile on a nomad space, got {place!r}; {where}"
        elif cell in named:
            problem = f"expected one nomad tile on each space, got {place!r} as a second"
        elif laid[kind] == known[kind].count:
            problem = f"expected at most {known[kind].count} {kind} tiles, got {place!r} once more"
        if problem:
            raise NotationError(f"{problem}.", path=("nomads", index), token=place)
        named.add(cell)
        laid[kind] += 1


def check_cells(
    what: str, key: str, cells: tuple[int, ...], letters: str, letter: str, ground: str
) -> None:
    """Raise unless all cells are on the board, have this letter, and are different."""
    for index, cell in enumerate(cells):
        problem = ""
        if cell not in range(len(letters)) or letters[cell] != letter:
            problem = f"expected {ground} of the board for a {what}, got {_name_of(cell)!r}"
        elif cell in cells[:index]:
            problem = f"expected one {what} on each cell, got {_name_of(cell)!r} twice"
        if problem:
            raise NotationError(f"{problem}.", path=(key, index), token=_name_of(cell))


def check_scouted(scouted: str, cards: tuple[str, ...]) -> None:
    """Raise unless there is a scouted terrain exactly if the card Scouts is in play (R2.4)."""
    if SCOUTS in cards and not scouted:
        raise NotationError(
            f"expected the terrain taken out for the card {SCOUTS!r} "
            f"({', '.join(CARD_TERRAINS)}), got none.",
            path=("scouted",),
        )
    if scouted and SCOUTS not in cards:
        raise NotationError(
            f"expected a terrain taken out only with the card {SCOUTS!r}, got {scouted!r}.",
            path=("scouted",),
            token=scouted,
        )
    if scouted and scouted not in CARD_TERRAINS:
        message = f"{content.unknown_name('terrain with cards', scouted, CARD_TERRAINS)}."
        raise NotationError(message, path=("scouted",), token=scouted)


def check_limits(space_tiles: Sequence[str | None], n_tile_kinds: int) -> None:
    """Raise if the kernel has no room for spaces with these tiles, or for the kinds of tiles."""
    if len(space_tiles) > MAX_SPACES:
        raise NotationError(
            f"expected at most {MAX_SPACES} castles, locations and other spaces, "
            f"got {len(space_tiles)}.",
            path=("map",),
        )
    if n_tile_kinds > MAX_TILE_KINDS:
        raise NotationError(
            f"expected at most {MAX_TILE_KINDS} kinds of tiles, got {n_tile_kinds}.",
            path=("locations",),
        )
    for kind, count in Counter(tile for tile in space_tiles if tile).items():
        if count > MAX_SPACES_OF_A_KIND:
            raise NotationError(
                f"expected at most {MAX_SPACES_OF_A_KIND} locations of a kind, "
                f"got {count} of {kind!r}.",
                path=("locations",),
                token=kind,
            )


def _place_name(kind: str, cell: int) -> str:
    return f"{kind}@{_name_of(cell)}"


def _name_of(cell: int) -> str:
    """Return the name of a number that need not be a cell."""
    return CELL_NAMES[cell] if 0 <= cell < len(CELL_NAMES) else f"cell {cell}"
