"""Where caves and capitols may lie, whether they are drawn or named by hand (R6.7, R8.4)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from kbai.content import MOUNTAIN_LETTER, SPACE_LETTERS
from kbai.core.errors import NotationError
from kbai.game.cells import N_BOARD_CELLS, distance, format_cell
from kbai.game.quadrants import TURNED, quadrant_of

# How far caves keep from special spaces: the first of these that leaves a mountain.
CAVE_DISTANCES = (3, 2)


def cave_cells(letters: str, place: int, apart: int) -> list[int]:
    """Return the mountains of a quadrant at least this far from every special space.

    ``letters`` are those of all cells. The island is no part of this.
    """
    board = letters[:N_BOARD_CELLS]
    spaces = [cell for cell, letter in enumerate(board) if letter in SPACE_LETTERS]
    return [
        cell
        for cell, letter in enumerate(board)
        if letter == MOUNTAIN_LETTER
        and quadrant_of(cell) == place
        and all(distance(cell, space) >= apart for space in spaces)
    ]


def cave_sites(letters: str, place: int) -> list[int]:
    """Return the mountains of a quadrant that may have a cave; there may be none."""
    choices = (cave_cells(letters, place, apart) for apart in CAVE_DISTANCES)
    return next(filter(None, choices), [])


def capitol_sites(
    board: Sequence[str], castles: Sequence[int], wanted: Collection[str]
) -> dict[int, list[int]]:
    """Return the castles of each quadrant of a board that gets a capitol, by its place."""
    return {
        place: [cell for cell in castles if quadrant_of(cell) == place]
        for place, name in enumerate(board)
        if name.removesuffix(TURNED) in wanted
    }


def check_count(key: str, cells: Sequence[int], most: int) -> None:
    """Raise if there are more caves or capitols than in the boxes."""
    if len(cells) > most:
        _blame(key, cells, most, f"expected at most {most} {key}, got {len(cells)}")


def check_sites(
    what: str, key: str, cells: Sequence[int], sites: Mapping[int, Sequence[int]], ground: str
) -> None:
    """Raise unless each cell is one of the sites of its quadrant, and the only one there."""
    rule = {"caves": "R6.7", "capitols": "R8.4"}[key]
    for index, cell in enumerate(cells):
        place = quadrant_of(cell)
        here = [format_cell(site) for site in sites.get(place, ())]
        problem = ""
        if cell not in sites.get(place, ()):
            problem = f"expected {ground} for a {what}, got {format_cell(cell)!r}"
            problem += f"; in its quadrant {' '.join(here) or 'nothing'} would do"
        elif place in map(quadrant_of, cells[:index]):
            problem = f"expected one {what} in a quadrant, got {format_cell(cell)!r} as a second"
        if problem:
            _blame(key, cells, index, f"{problem} ({rule})")


def _blame(key: str, cells: Sequence[int], index: int, problem: str) -> None:
    raise NotationError(f"{problem}.", path=(key, index), token=format_cell(cells[index]))
