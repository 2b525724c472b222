"""Cards that pay for every settlement in the right place: how many more there are."""

from __future__ import annotations

from kbai._fast import Terrain
from kbai.explain.facts.links import merchant_spaces
from kbai.explain.facts.reach import reach
from kbai.explain.kingdom import Kingdom, place_of
from kbai.explain.words import plural
from kbai.game.cells import SIZE

_INNER = (SIZE // 2 - 1, SIZE // 2)
_EDGE = (0, SIZE - 1)


def fishermen(first: Kingdom, second: Kingdom) -> str | None:
    return _more_or_reach("fishermen", "beside water", Terrain.WATER, first, second)


def miners(first: Kingdom, second: Kingdom) -> str | None:
    return _more_or_reach("miners", "beside a mountain", Terrain.MOUNTAIN, first, second)


def workers(first: Kingdom, second: Kingdom) -> str | None:
    kinds = {space.kind for space in first.setup.spaces}
    places = "castles and locations" if kinds <= {"castle", "location"} else "special spaces"
    where, spaces = f"beside {places}", frozenset(merchant_spaces(first))

    def counts(cell: int) -> bool:
        return not spaces.isdisjoint(first.board.neighbours(cell))

    return _more("workers", where, first, second) or reach(first, second, where, counts)


def vassals(first: Kingdom, second: Kingdom) -> str | None:
    where = "where the quadrants meet"
    return _more("vassals", where, first, second) or reach(first, second, where, _is_inner)


def travelers(first: Kingdom, second: Kingdom) -> str | None:
    where = "on the edge of the board"
    return _more("travelers", where, first, second) or reach(first, second, where, _is_on_edge)


def captains(first: Kingdom, second: Kingdom) -> str | None:
    return _more("captains", "beside three or more own ones", first, second)


def chainers(first: Kingdom, second: Kingdom) -> str | None:
    return _more("chainers", "beside exactly two own ones", first, second)


def scouts(first: Kingdom, second: Kingdom) -> str | None:
    terrain = first.setup.scouted
    number = Terrain[terrain.upper()]
    return _more_or_reach("scouts", f"beside {terrain}", number, first, second)


def capitols(first: Kingdom, second: Kingdom) -> str | None:
    capitol = "the capitol" if len(first.setup.capitols) == 1 else "a capitol"
    return _more("capitols", f"within two hexes of {capitol}", first, second)


def _is_inner(cell: int) -> bool:
    return any(number in _INNER for number in place_of(cell))


def _is_on_edge(cell: int) -> bool:
    return any(number in _EDGE for number in place_of(cell))


def _more_or_reach(
    source: str, where: str, terrain: int, first: Kingdom, second: Kingdom
) -> str | None:
    """For settlements beside a terrain, and not on it."""
    board = first.board

    def counts(cell: int) -> bool:
        near = (board.terrain(side) for side in board.neighbours(cell))
        return board.terrain(cell) != terrain and terrain in near

    return _more(source, where, first, second) or reach(first, second, where, counts)


def _more(source: str, where: str, first: Kingdom, second: Kingdom) -> str | None:
    """These cards pay 1 gold for each settlement, so their gold is the number."""
    more = first.gold[source] - second.gold[source]
    return f"has {plural(more, 'more settlement')} {where}" if more > 0 else None
