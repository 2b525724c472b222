"""Cards that pay for every settlement in the right place: how many more there are."""

from __future__ import annotations

from kbai.explain.kingdom import Kingdom
from kbai.explain.words import plural


def fishermen(first: Kingdom, second: Kingdom) -> str | None:
    return _more("fishermen", "beside water", first, second)


def miners(first: Kingdom, second: Kingdom) -> str | None:
    return _more("miners", "beside a mountain", first, second)


def workers(first: Kingdom, second: Kingdom) -> str | None:
    kinds = {space.kind for space in first.setup.spaces}
    places = "castles and locations" if kinds <= {"castle", "location"} else "special spaces"
    return _more("workers", f"beside {places}", first, second)


def vassals(first: Kingdom, second: Kingdom) -> str | None:
    return _more("vassals", "where the quadrants meet", first, second)


def travelers(first: Kingdom, second: Kingdom) -> str | None:
    return _more("travelers", "on the edge of the board", first, second)


def captains(first: Kingdom, second: Kingdom) -> str | None:
    return _more("captains", "with three or more own neighbours", first, second)


def chainers(first: Kingdom, second: Kingdom) -> str | None:
    return _more("chainers", "with exactly two own neighbours", first, second)


def scouts(first: Kingdom, second: Kingdom) -> str | None:
    return _more("scouts", f"beside {first.setup.scouted}", first, second)


def capitols(first: Kingdom, second: Kingdom) -> str | None:
    capitol = "the capitol" if len(first.setup.capitols) == 1 else "a capitol"
    return _more("capitols", f"within two hexes of {capitol}", first, second)


def _more(source: str, where: str, first: Kingdom, second: Kingdom) -> str | None:
    """These cards pay 1 gold for each settlement, so their gold is the number."""
    more = first.gold[source] - second.gold[source]
    return f"has {plural(more, 'more settlement')} {where}" if more > 0 else None
