"""Gold that is scored when it happens: treasure and the red cards (R8.1)."""

from __future__ import annotations

from kbai.explain.kingdom import Kingdom
from kbai.explain.words import plural


def treasure(first: Kingdom, second: Kingdom) -> str | None:
    return "takes a treasure" if _more("treasure", first, second) > 0 else None


def families(first: Kingdom, second: Kingdom) -> str | None:
    is_new = _more("families", first, second) > 0
    return "builds its three houses in a line" if is_new else None


def shepherds(first: Kingdom, second: Kingdom) -> str | None:
    return _at_once("shepherds", "", first, second)


def ambassadors(first: Kingdom, second: Kingdom) -> str | None:
    return _at_once("ambassadors", ", building beside other players", first, second)


def rovers(first: Kingdom, second: Kingdom) -> str | None:
    more = _more("rovers", first, second)
    return f"builds in {plural(more, 'more quadrant')} this turn" if more > 0 else None


def _at_once(source: str, why: str, first: Kingdom, second: Kingdom) -> str | None:
    more = _more(source, first, second)
    return f"scores {more} gold more at once{why}" if more > 0 else None


def _more(source: str, first: Kingdom, second: Kingdom) -> int:
    """Both turns begin in the same position, so what differs was scored in them."""
    return first.gold[source] - second.gold[source]
