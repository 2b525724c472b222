"""Cards about quadrants: where there are few settlements, where many, and who has most."""

from __future__ import annotations

from kbai.explain.kingdom import Kingdom
from kbai.explain.words import QUADRANTS, listed
from kbai.game.quadrants import N_QUADRANTS


def farmers(first: Kingdom, second: Kingdom) -> str | None:
    one, two = first.quadrants, second.quadrants
    if sum(count > 0 for count in one) > sum(count > 0 for count in two):
        new = [q for q in range(N_QUADRANTS) if one[q] and not two[q]]
        return f"settles {_quadrants_text(new)}"
    if min(one) <= min(two):
        return None
    return f"has at least {min(one)} settlements in every quadrant, not {min(two)}"


def homesteaders(first: Kingdom, second: Kingdom) -> str | None:
    one, two = max(first.quadrants), max(second.quadrants)
    place = QUADRANTS[first.quadrants.index(one)]
    return (
        f"has {one} settlements in the {place} quadrant, not {two} at most" if one > two else None
    )


def lords(first: Kingdom, second: Kingdom) -> str | None:
    ranks = [(_rank(first, q), _rank(second, q)) for q in range(N_QUADRANTS)]
    better = [q for q, (one, two) in enumerate(ranks) if one < two and one <= 2]
    if not better or any(one > two and two <= 2 for one, two in ranks):
        return None
    leading = [q for q in better if ranks[q][0] == 1]
    if leading:
        alone = [q for q in leading if _is_alone(first, q)]
        if alone:
            return f"has the most settlements in {_quadrants_text(alone)}"
        return f"ties for the most settlements in {_quadrants_text(leading)}"
    return f"is second in {_quadrants_text(better)}"


def _rank(kingdom: Kingdom, place: int) -> int:
    """Return the rank of a seat's count in a quadrant, 1 for the highest (R8.5)."""
    own = kingdom.quadrants[place]
    if not own and kingdom.setup.options.lords_need_presence:
        return len(kingdom.fields["seats"]) + 1
    higher = {other.quadrants[place] for other in kingdom.others()}
    return 1 + sum(count > own for count in higher)


def _is_alone(kingdom: Kingdom, place: int) -> bool:
    own = kingdom.quadrants[place]
    return all(other.quadrants[place] < own for other in kingdom.others())


def _quadrants_text(places: list[int]) -> str:
    names = listed([f"{QUADRANTS[place]}" for place in places])
    return f"the {names} quadrant{'s' if len(places) > 1 else ''}"
