"""Names in texts: cells, cards, seats, tiles."""

from __future__ import annotations

import re
from collections.abc import Collection

from kbai._fast import Position, Terrain
from kbai.content import CARD_TERRAINS, TERRAIN_CARDS, find_name, unknown_name
from kbai.core.errors import NotationError, quote
from kbai.game.cells import CELL_NUMBERS, COLUMNS, GRIDS, ISLAND_MARK, format_cell
from kbai.game.quadrants import TURNED
from kbai.game.setup import Setup

NO_CARD = "none"
MARSH = "marsh"
_CARD_WORD = re.compile(r"[^\s_/-]+")
_CELL = re.compile(r"(~?)([a-t])0*([0-9]{1,2})", re.ASCII)


def parse_name(
    what: str,
    text: str,
    known: Collection[str],
    *,
    path: tuple[str | int, ...] = (),
    token: str | None = None,
) -> str:
    """Return the known name that a text means, in any language of the rule books.

    ``token`` is the word to blame if the text is only a part of it.
    """
    name = text.strip().lower()
    if name in known:
        return name
    blamed = text if token is None else token
    try:
        found = find_name(text, known)
    except NotationError as error:
        raise NotationError(error.message, path=path, token=blamed) from None
    if found is None:
        message = f"{unknown_name(what, text.strip(), known)}."
        raise NotationError(message, path=path, token=blamed)
    return found


def name_meant(text: str, known: Collection[str]) -> str:
    """Return the known name that a text means, or the text if it means none.

    A quadrant may be turned, which the ``*`` at its end says.

    >>> from kbai.content import load
    >>> name_meant("Taverne*", load().quadrants), name_meant("nowhere", load().quadrants)
    ('tavern*', 'nowhere')
    """
    word = text.strip().lower()
    bare = word.removesuffix(TURNED)
    return (find_name(bare, known) or bare) + word[len(bare) :]


def parse_card(text: str, *, others: tuple[str, ...] = (), path: tuple[str | int, ...] = ()) -> str:
    """Return the terrain card a text names, or one of the other words allowed in its place."""
    words = _CARD_WORD.findall(text.lower())
    name = "_".join(words)
    if name not in TERRAIN_CARDS and name not in others:
        name = find_name(name, (*CARD_TERRAINS, *others)) or _marsh_card(words)
    if name not in (*TERRAIN_CARDS, *others):
        # List the marsh cards only if one is meant: the list is long enough.
        known = TERRAIN_CARDS if "marsh" in name else CARD_TERRAINS
        message = f"{unknown_name('card', text.strip(), (*known, *others))}."
        raise NotationError(message, path=path, token=text)
    return name


def _marsh_card(words: list[str]) -> str:
    """Return the card with marsh and another terrain, which may come in either order."""
    halves = [find_name(word, (*CARD_TERRAINS, MARSH)) or word for word in words]
    return "_".join(sorted(halves, key=lambda half: half != MARSH))


def card_terrain(card: str) -> str:
    """Return the terrain of a plain card, or the half of a marsh card that is not marsh."""
    return card.removeprefix("marsh_")


def parse_cell(text: str, *, path: tuple[str | int, ...] = (), token: str | None = None) -> int:
    """Return the kernel's number of a cell such as ``c7``, or ``~b3`` on the island.

    >>> parse_cell("c7"), format_cell(122), format_cell(421)
    (122, 'c7', '~b3')
    """
    cell = CELL_NUMBERS.get(text)
    if cell is not None:
        return cell
    match = _CELL.fullmatch(text.strip().lower())
    if match is not None:
        first, columns, rows = GRIDS[match[1]]
        column, row = COLUMNS.index(match[2]), int(match[3])
        if column < columns and 1 <= row <= rows:
            return first + (row - 1) * columns + column
    first, columns, rows = GRIDS[ISLAND_MARK if text.strip().startswith(ISLAND_MARK) else ""]
    last = format_cell(first + rows * columns - 1)
    message = f"expected a cell from {format_cell(first)} to {last}, got {quote(text)}."
    raise NotationError(message, path=path, token=text if token is None else token)


def terrain_name(position: Position, cell: int) -> str:
    """Return the terrain of a cell."""
    return Terrain(position.board.terrain(cell)).name.lower()


def space_name(setup: Setup, cell: int) -> str:
    """Return what a special space is called, such as ``a castle space``."""
    for space in setup.spaces:
        if space.cell == cell:
            name = space.tile if space.tile and space.kind == "location" else space.kind
            return f"{'an' if name[0] in 'aeio' else 'a'} {name} space"
    raise AssertionError(f"cell {cell} is special but no space")
