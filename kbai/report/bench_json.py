"""The figures of ``kbai bench`` as dicts for JSON."""

from __future__ import annotations

from collections.abc import Sequence

from kbai.bench.profiles import ProfileRow
from kbai.bench.signature import Bench


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
