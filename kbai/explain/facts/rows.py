"""Cards about rows: which are settled, and how full they are."""

from __future__ import annotations

from kbai.explain.facts.reach import land_beside
from kbai.explain.kingdom import Kingdom, place_of
from kbai.explain.words import plural, rows_text
from kbai.game.cells import SIZE


def discoverers(first: Kingdom, second: Kingdom) -> str | None:
    new, lost = first.rows.keys() - second.rows.keys(), second.rows.keys() - first.rows.keys()
    if len(new) <= len(lost):
        return _new_rows_beside(first, second)
    if not lost:
        return f"also settles {rows_text(new)}"
    return f"settles {plural(len(new) - len(lost), 'more row')}"


def _new_rows_beside(first: Kingdom, second: Kingdom) -> str | None:
    """Return in how many rows without a settlement there is free land next to the kingdom."""
    one, two = (
        len({place_of(cell)[0] for cell in land_beside(kingdom)} - kingdom.rows.keys())
        for kingdom in (first, second)
    )
    rows = plural(one, "new row")
    return f"is next to free hexes in {rows} instead of {two}" if one > two else None


def knights(first: Kingdom, second: Kingdom) -> str | None:
    one, two = (_counted_rows(kingdom) for kingdom in (first, second))
    most, other = max(one.values(), default=0), max(two.values(), default=0)
    if most <= other:
        return None
    row = min(row for row, count in one.items() if count == most)
    return f"has {most} settlements in {rows_text([row])} instead of at most {other} in any row"


def rangers(first: Kingdom, second: Kingdom) -> str | None:
    one, two = ([*kingdom.rows.values()].count(1) for kingdom in (first, second))
    more = plural(one - two, "more row")
    return f"has {more} with a single settlement" if one > two else None


def mayors(first: Kingdom, second: Kingdom) -> str | None:
    new = {*first.own["mayors"]} - {*second.own["mayors"]}
    return f"claims {rows_text(new)}" if new else None


def _counted_rows(kingdom: Kingdom) -> dict[int, int]:
    """Return the rows that knights count: those of the island only by an option (R6.6)."""
    has_island = kingdom.setup.options.island_knights
    return {row: count for row, count in kingdom.rows.items() if has_island or row < SIZE}
