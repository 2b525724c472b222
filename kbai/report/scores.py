"""The gold of each seat by source: names, table and dict for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from kbai._fast import Position
from kbai.game.setup import Setup, setup_of
from kbai.report.document import Document, document, number_table

# Sources of gold other than cards and tasks, in the kernel's order.
CASTLES, TREASURE, PALACES, CAPITOLS = "castles", "treasure", "palaces", "capitols"
TOTAL = "total"

Number = TypeVar("Number", int, float)


def name_sources(setup: Setup, gold: Sequence[Number]) -> dict[str, Number]:
    """Return the gold of a seat, in the order of `Position.score_detail`, by source.

    Castles come first, then treasure (nomad spaces), palaces and capitols if the board has them,
    then each card and each task.
    """
    named = zip(_source_names(setup), gold, strict=True)
    return {name: points for name, points in named if name}


@lru_cache(maxsize=64)
def _source_names(setup: Setup) -> tuple[str, ...]:
    """Return the names of the sources; an empty one for what the board does not have."""
    has_palaces = any(space.kind == "palace" for space in setup.spaces)
    return (
        CASTLES,
        TREASURE if setup.nomad_cells else "",
        PALACES if has_palaces else "",
        CAPITOLS if setup.capitols else "",
        *setup.cards,
        *setup.tasks,
    )


def score_rows(position: Position) -> dict[str, dict[str, int]]:
    """Return each seat's gold if the game ended now, by source, and the total."""
    setup = setup_of(position)
    details = zip(setup.seats, position.score_detail(), strict=True)
    return {seat: name_sources(setup, gold) | {TOTAL: sum(gold)} for seat, gold in details}


def score_dict(position: Position) -> dict[str, object]:
    """Return the gold of all seats as ``kbai score --format json`` prints it."""
    return {"seats": score_rows(position)}


def score_document(position: Position) -> Document:
    """Return the gold as a table: a row for each source, a column for each seat."""
    columns = score_rows(position)
    names = next(iter(columns.values()))
    rows = ([name, *(str(gold[name]) for gold in columns.values())] for name in names)
    return document(number_table(["", *columns], *rows))
