"""Results as text and as dicts for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from kbai._fast import Position
from kbai.game.setup import Setup, setup_of

if TYPE_CHECKING:  # who counts gold need not load the search
    from kbai.bench.profiles import ProfileRow
    from kbai.bench.signature import Bench

# Gold that is not from cards or tasks, in the order of the kernel.
CASTLES, TREASURE, PALACES, CAPITOLS = "castles", "treasure", "palaces", "capitols"
TOTAL = "total"

Number = TypeVar("Number", int, float)


def name_sources(setup: Setup, gold: Sequence[Number]) -> dict[str, Number]:
    """Return the gold of a seat, in the order of `Position.score_detail`, by source.

    Castles come first, then what the board has of treasure (nomad spaces), palaces and capitols,
    then each card and each task.
    """
    named = zip(_source_names(setup), gold, strict=True)
    return {name: points for name, points in named if name}


@lru_cache(maxsize=64)
def _source_names(setup: Setup) -> tuple[str, ...]:
    """Return the names of the sources; nothing where the board has none of it."""
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


def score_text(position: Position) -> str:
    """Return the gold as a table: a row for each card, a column for each seat."""
    columns = score_rows(position)
    names = list(next(iter(columns.values())))
    head = ["", *columns]
    rows = [[name, *(str(gold[name]) for gold in columns.values())] for name in names]
    return format_table([head, *rows])


def bench_dict(bench: Bench, profiles: Sequence[ProfileRow]) -> dict[str, object]:
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
        "profiles": [
            {
                "name": row.name,
                "playouts_per_second": row.playouts_per_second,
                "placements": row.placements,
                "ns_per_placement": row.ns_per_placement,
                "ns_per_scoring": row.ns_per_scoring,
                "visits_per_second": row.visits_per_second,
            }
            for row in profiles
        ],
    }


BENCH_LEGEND = """\
playouts/s     random games from the first turn to the gold of all seats, and their placements
ns/placement   what such a game takes for each house, figure or piece put down
ns/scoring     what it takes to count the gold of one seat at the end of a game
visits/s       of the search of the mcts bot, with a tree that is still small"""


def bench_text(bench: Bench, profiles: Sequence[ProfileRow]) -> str:
    """Return the figures as tables, the signature in the last line."""
    rows = [
        (row.name, row.visits / row.visit_seconds, row.playouts / row.playout_seconds)
        for row in bench.rows
    ]
    rows.append(("all", bench.visits_per_second, bench.playouts_per_second))
    table = [[name, f"{visits:,.0f}", f"{playouts:,.0f}"] for name, visits, playouts in rows]
    head = ["position", "visits/s", "random playouts/s"]
    parts = [
        format_table([head, *table]),
        _profile_table(profiles),
        BENCH_LEGEND,
        f"signature {bench.signature}",
    ]
    return "\n\n".join(parts)


def _profile_table(profiles: Sequence[ProfileRow]) -> str:
    head = ["game", "playouts/s", "placements", "ns/placement", "ns/scoring", "visits/s"]
    rows = [
        [
            row.name,
            f"{row.playouts_per_second:,.0f}",
            f"{row.placements:.1f}",
            f"{row.ns_per_placement:.1f}",
            f"{row.ns_per_scoring:.0f}",
            f"{row.visits_per_second:,.0f}",
        ]
        for row in profiles
    ]
    return format_table([head, *rows])


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
