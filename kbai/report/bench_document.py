"""The figures of ``kbai bench`` as a document."""

from __future__ import annotations

from collections.abc import Sequence

from kbai.bench.profiles import ProfileRow
from kbai.bench.signature import Bench
from kbai.report.document import Document, Table, Terms, Text, document, number_table

TERMS = (
    ("visits/s", "visits of the mcts bot's search per second, while its tree is still small"),
    ("playouts/s", "random games per second, from the first turn to the final scoring"),
    ("placements", "houses, figures and other pieces placed in such a game, on average"),
    ("ns/placement", "time such a game takes for each placement"),
    ("ns/scoring", "time to count one seat's gold at the end of a game"),
)


def bench_document(bench: Bench, profiles: Sequence[ProfileRow]) -> Document:
    """Return the figures as tables; the signature comes last."""
    return document(
        _position_table(bench),
        _profile_table(profiles),
        Terms(TERMS),
        Text(f"signature {bench.signature}"),
    )


def _position_table(bench: Bench) -> Table:
    rows = [
        (row.name, row.visits / row.visit_seconds, row.playouts / row.playout_seconds)
        for row in bench.rows
    ]
    rows.append(("all", bench.visits_per_second, bench.playouts_per_second))
    return number_table(
        ("position", "visits/s", "random playouts/s"),
        *((name, f"{visits:,.0f}", f"{playouts:,.0f}") for name, visits, playouts in rows),
    )


def _profile_table(profiles: Sequence[ProfileRow]) -> Table:
    return number_table(
        ("game", "playouts/s", "placements", "ns/placement", "ns/scoring", "visits/s"),
        *(
            (
                row.name,
                f"{row.playouts_per_second:,.0f}",
                f"{row.placements:.1f}",
                f"{row.ns_per_placement:.1f}",
                f"{row.ns_per_scoring:.0f}",
                f"{row.visits_per_second:,.0f}",
            )
            for row in profiles
        ),
    )
