"""Palaces and Noblewomen: who has the most settlements around a space."""

from __future__ import annotations

from collections.abc import Collection

from kbai.explain.kingdom import Kingdom
from kbai.explain.words import listed, space_text


def palaces(first: Kingdom, second: Kingdom) -> str | None:
    return _won(first, second, ("palace",))


def noblewomen(first: Kingdom, second: Kingdom) -> str | None:
    has_silos = first.setup.options.special_spaces == "all"
    return _won(first, second, ("castle", "location", "nomad", *(("silo",) if has_silos else ())))


def _won(first: Kingdom, second: Kingdom, kinds: Collection[str]) -> str | None:
    cells = [space.cell for space in first.setup.spaces if space.kind in kinds]
    new = [cell for cell in cells if _has_most(first, cell) and not _has_most(second, cell)]
    lost = [cell for cell in cells if _has_most(second, cell) and not _has_most(first, cell)]
    if len(new) <= len(lost):
        return None
    alone = [cell for cell in new if _is_ahead(first, cell)]
    verb = "has the most settlements" if alone else "ties for the most settlements"
    names = listed([space_text(first.setup, cell) for cell in alone or new])
    return f"{verb} around {names}"


def _has_most(kingdom: Kingdom, cell: int) -> bool:
    own = kingdom.beside(cell)
    return own > 0 and all(other.beside(cell) <= own for other in kingdom.others)


def _is_ahead(kingdom: Kingdom, cell: int) -> bool:
    return all(other.beside(cell) < kingdom.beside(cell) for other in kingdom.others)
