"""The gold of each seat by source: table and dict for JSON."""

from __future__ import annotations

from kbai._fast import Position
from kbai.game.setup import setup_of
from kbai.game.sources import name_sources
from kbai.report.document import Document, document, number_table

TOTAL = "total"


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
