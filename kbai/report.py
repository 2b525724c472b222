"""Results as text and as dicts for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from kbai._fast import Position
from kbai.notation import setup_of
from kbai.table import Setup

if TYPE_CHECKING:  # who counts gold need not load the search
    from kbai.bench import Bench

# Gold that is not from cards or tasks, in the order of the kernel.
CASTLES, TREASURE, PALACES, CAPITOLS = "castles", "treasure", "palaces", "capitols"
TOTAL = "total"

Number = TypeVar("Number", int, float)


def name_sources(setup: Setup, gold: Sequence[Number]) -> dict[str, Number]:
    """Return the gold of a seat, in the order of `Position.score_detail`, by source.

    Castles come first, then what the board has of treasure (nomad spaces), palaces and capitols,
    then each card and each task.
    """
    absent = set()
    if not setup.nomad_cells:
        absent.add(TREASURE)
    if not any(space.kind == "palace" for space in setup.spaces):
        absent.add(PALACES)
    if not setup.capitols:
        absent.add(CAPITOLS)
    names = (CASTLES, TREASURE, PALACES, CAPITOLS, *setup.cards, *setup.tasks)
    named = zip(names, gold, strict=True)
    return {name: points for name, points in named if name not in absent}


def score_rows(position: Position) -> dict[str, dict[str, int]]:
    """Return each seat's gold if the game ended now, by source, and the total."""
    setup = setup_of(position)
    details = zip(setup.seats, position.score_detail(), strict=True)
    return {seat: name_sources(setup, gold) | {TOTAL: sum(gold)} for seat, gold in details}


def score_dict(position: Position) -> dict[str, object]:
    """Return the gold of all seats as ``kbai score --format json`` prints it."""
    return {"seats": score_rows(position)}


def score_text(position: Position) -> str:
    """Return the gold as a table: a row for each card, a column for each seat."""
    columns = score_rows(position)
    names = list(next(iter(columns.values())))
    head = ["", *columns]
    rows = [[name, *(str(gold[name]) for gold in columns.values())] for name in names]
    return format_table([head, *rows])


def bench_dict(bench: Bench) -> dict[str, object]:
    """Return the figures as ``kbai bench --format json`` prints them."""
    return {
        "signature": bench.signature,
        "visits_per_second": bench.visits_per_second,
        "playouts_per_second": bench.playouts_per_second,
        "positions": [
            {
                "name": row.name,
                "visits_per_second": row.visits / row.visit_seconds,
                "playouts_per_second": row.playouts / row.playout_seconds,
            }
            for row in bench.rows
        ],
    }


def bench_text(bench: Bench) -> str:
    """Return the figures as a table."""
    rows = [
        (row.name, row.visits / row.visit_seconds, row.playouts / row.playout_seconds)
        for row in bench.rows
    ]
    rows.append(("all", bench.visits_per_second, bench.playouts_per_second))
    table = [[name, f"{visits:,.0f}", f"{playouts:,.0f}"] for name, visits, playouts in rows]
    head = ["position", "visits/s", "random playouts/s"]
    return f"{format_table([head, *table])}\n\nsignature {bench.signature}"

def format_table(rows: Sequence[Sequence[str]], names: int = 0) -> str:
    """Return rows of texts as lines, the column of names to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            text.ljust(width) if column == names else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
