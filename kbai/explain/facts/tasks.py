"""Tasks: which is fulfilled, and which is nearer to it (R8.9)."""

from __future__ import annotations

from kbai._fast import Terrain
from kbai.explain.kingdom import Kingdom, connected, place_of
from kbai.explain.words import listed, plural, space_text
from kbai.game.cells import N_BOARD_CELLS, SIZE, format_cell

EDGES = ("top", "bottom", "left", "right")
_SIDES = 6
# So few settlements are beside a space anyway.
_FEW = 2


def home_country(first: Kingdom, second: Kingdom) -> str | None:
    if first.gold["home_country"] <= second.gold["home_country"]:
        return None
    board = first.board
    by_terrain: dict[int, list[int]] = {}
    for cell in _on_board(first):
        by_terrain.setdefault(board.terrain(cell), []).append(cell)
    for terrain, cells in sorted(by_terrain.items()):
        ground = (c for c in range(N_BOARD_CELLS) if board.terrain(c) == terrain)
        for area in connected(board, ground):
            if area <= {*cells}:
                name = Terrain(terrain).name.lower()
                return f"covers the whole area of {name} at {format_cell(min(area))}"
    raise AssertionError("a home country is on the board")


def fortress(first: Kingdom, second: Kingdom) -> str | None:
    if first.gold["fortress"] <= second.gold["fortress"]:
        return None
    cell = min(c for c in _on_board(first) if first.beside(c) == _SIDES)
    return f"surrounds its settlement on {format_cell(cell)} on all sides"


def place_of_refuge(first: Kingdom, second: Kingdom) -> str | None:
    is_counted = first.setup.options.special_spaces == "all"
    kinds = ("castle", "location", "nomad") + (("palace", "silo") if is_counted else ())
    spaces = [s.cell for s in first.setup.spaces if s.kind in kinds and s.cell < N_BOARD_CELLS]
    cell = max(spaces, key=first.beside, default=None)
    if cell is None:
        return None
    one, two = first.beside(cell), max(map(second.beside, spaces))
    if one <= max(two, _FEW):
        return None
    if one == _SIDES:
        return f"surrounds {space_text(first.setup, cell)} on all sides"
    space = space_text(first.setup, cell)
    return f"has {one} settlements around {space} instead of at most {two} around any"


def road(first: Kingdom, second: Kingdom) -> str | None:
    one, two = _longest_diagonal(first), _longest_diagonal(second)
    return (
        f"has {one} settlements in a diagonal line instead of {two}" if one > max(two, 2) else None
    )


def advance(first: Kingdom, second: Kingdom) -> str | None:
    one, two = _per_edge(first), _per_edge(second)
    edge = max(EDGES, key=lambda name: one[name])
    most, other = one[edge], max(two.values())
    if most <= other:
        return None
    instead = f"at most {other} on any" if other else "none"
    return f"has {plural(most, 'settlement')} on the {edge} edge instead of {instead}"


def compass_points(first: Kingdom, second: Kingdom) -> str | None:
    one, two = _per_edge(first), _per_edge(second)
    new = [name for name in EDGES if one[name] and not two[name]]
    lost = [name for name in EDGES if two[name] and not one[name]]
    if len(new) <= len(lost):
        return None
    return f"reaches the {listed(new)} edge{'s' if len(new) > 1 else ''}"


def _on_board(kingdom: Kingdom) -> list[int]:
    return sorted(cell for cell in kingdom.pieces if cell < N_BOARD_CELLS)


def _per_edge(kingdom: Kingdom) -> dict[str, int]:
    """Return the settlements on each edge; a corner belongs to two."""
    places = [place_of(cell) for cell in _on_board(kingdom)]
    last = SIZE - 1
    return {
        "top": sum(row == 0 for row, _ in places),
        "bottom": sum(row == last for row, _ in places),
        "left": sum(column == 0 for _, column in places),
        "right": sum(column == last for _, column in places),
    }


def _longest_diagonal(kingdom: Kingdom) -> int:
    """Return the most settlements that follow each other on a diagonal."""
    places = {place_of(cell) for cell in _on_board(kingdom)}
    longest = 0
    for row, column in places:
        for is_left in (True, False):
            count, place = 0, (row, column)
            while place in places:
                count += 1
                place = _below(*place, is_left=is_left)
            longest = max(longest, count)
    return longest


def _below(row: int, column: int, *, is_left: bool) -> tuple[int, int]:
    """Return the hex to the lower left or right; odd rows are shifted right by half a hex."""
    shift = row % 2
    return row + 1, column - 1 + shift if is_left else column + shift
