"""Cards about quadrants: where there are few settlements, where many, and who has most."""

from __future__ import annotations

from kbai.explain.kingdom import Kingdom
from kbai.explain.words import QUADRANTS, listed, plural
from kbai.game.cells import N_BOARD_CELLS
from kbai.game.quadrants import N_QUADRANTS, quadrant_of

# Farther away nobody calls it close.
CLOSE = 3


def farmers(first: Kingdom, second: Kingdom) -> str | None:
    one, two = first.quadrants, second.quadrants
    if sum(count > 0 for count in one) > sum(count > 0 for count in two):
        new = [q for q in range(N_QUADRANTS) if one[q] and not two[q]]
        return f"settles {_quadrants_text(new)}"
    if min(one) > min(two):
        return f"has at least {min(one)} settlements in every quadrant instead of {min(two)}"
    if sorted(one) < sorted(two):  # the other turn is stronger where it is weakest
        return None
    stronger = [q for q in range(N_QUADRANTS) if two[q] == min(two) < one[q]]
    weaker = [q for q in range(N_QUADRANTS) if one[q] == min(one) < two[q]]
    # A settlement that is only in another of the weakest quadrants is no difference.
    if len(stronger) > len(weaker) and sorted(one) > sorted(two):
        q = stronger[0]
        return f"has {plural(one[q], 'settlement')} in {_quadrants_text([q])} instead of {two[q]}"
    return _nearer(first, second)


def _nearer(first: Kingdom, second: Kingdom) -> str | None:
    """Return which empty quadrant comes closer, unless the other turn is as close to another."""
    empty = [q for q in range(N_QUADRANTS) if not first.quadrants[q] and not second.quadrants[q]]
    far = [(_hexes_to(first, q), _hexes_to(second, q), q) for q in empty]
    found = [(one, q) for one, two, q in far if one < two and one <= CLOSE]
    others = [two for one, two, _ in far if two < one]
    if not found or min(others, default=CLOSE + 1) <= min(found)[0]:
        return None
    hexes, q = min(found)
    where = "next to" if hexes == 1 else f"within {hexes} hexes of"
    return f"gets {where} free land in {_quadrants_text([q])}"


def _hexes_to(kingdom: Kingdom, place: int) -> int:
    """Return how far the nearest free land in a quadrant is; all is far that is not close."""
    land = {c for c in kingdom.open_land if c < N_BOARD_CELLS and quadrant_of(c) == place}
    reached = {cell for cell in kingdom.pieces if cell < N_BOARD_CELLS}
    for hexes in range(1, CLOSE + 1):
        reached.update(*map(kingdom.board.neighbours, reached))
        if not land.isdisjoint(reached):
            return hexes
    return CLOSE + 1


def homesteaders(first: Kingdom, second: Kingdom) -> str | None:
    one, two = max(first.quadrants), max(second.quadrants)
    place = QUADRANTS[first.quadrants.index(one)]
    return (
        f"has {one} settlements in the {place} quadrant instead of at most {two} in any"
        if one > two
        else None
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
    alone = [q for q in better if _is_alone(first, q)]
    if alone:
        return f"is second in {_quadrants_text(alone)}"
    return f"ties for second in {_quadrants_text(better)}"


def _rank(kingdom: Kingdom, place: int) -> int:
    """Return the rank of a seat's count in a quadrant, 1 for the highest (R8.5)."""
    own = kingdom.quadrants[place]
    if not own and kingdom.setup.options.lords_need_presence:
        return len(kingdom.fields["seats"]) + 1
    higher = {other.quadrants[place] for other in kingdom.others}
    return 1 + sum(count > own for count in higher)


def _is_alone(kingdom: Kingdom, place: int) -> bool:
    own = kingdom.quadrants[place]
    return all(other.quadrants[place] != own for other in kingdom.others)


def _quadrants_text(places: list[int]) -> str:
    names = listed([f"{QUADRANTS[place]}" for place in places])
    return f"the {names} quadrant{'s' if len(places) > 1 else ''}"
