"""Standings for programs: one JSON object, or CSV with a row for each bot.

Numbers are not rounded, shares go from 0 to 1, and an infinite end of an interval is left out.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping

from kbai.arena.ratings import Rating
from kbai.arena.standings import Standings
from kbai.arena.summaries import Summary
from kbai.core.intervals import Estimate
from kbai.core.printable import printable
from kbai.report.standings_ranking import ranked


def standings_json(standings: Standings) -> str:
    """Return the standings as one JSON object."""
    return json.dumps(standings_dict(standings), indent=2, allow_nan=False)


def standings_dict(standings: Standings) -> dict[str, object]:
    """Return the standings as ``--format json`` prints them."""
    plan, sprt = standings.plan, standings.sprt
    return {
        "plan": plan.to_dict(),
        "games": standings.games,
        "games_planned": plan.n_games,
        "groups": standings.groups,
        "groups_planned": len(plan.lineups) * plan.groups,
        "bots": _bot_dicts(standings),
        "elo": standings.elo and _estimate_dict(standings.elo),
        "sprt": sprt and {
            "decision": sprt.decision,
            "groups": sprt.groups,
            "llr": sprt.llr,
            "low": sprt.low,
            "high": sprt.high,
            "reason": sprt.reason,
        },
        "outcomes": dict(standings.outcomes),
        "faults": {label: dict(counts) for label, counts in standings.faults.items()},
        "reasons": dict(standings.reasons),
        "lost": [
            {"id": game.id, "outcome": game.outcome, "reason": game.reason, "bots": list(game.bots)}
            for game in standings.lost
        ],
    }  # fmt: skip


def _bot_dicts(standings: Standings) -> list[dict[str, object]]:
    return [
        _bot_dict(row, rating, number, rank)
        for number, table in enumerate(ranked(standings), start=1)
        for rank, (row, rating) in enumerate(table, start=1)
    ]


def _bot_dict(row: Summary, rating: Rating, table: int, rank: int) -> dict[str, object]:
    return {
        "table": table,
        "rank": rank,
        "bot": row.bot,
        "groups": row.groups,
        "games": row.games,
        "points": row.points,
        "share": _estimate_dict(row.share),
        "fair": row.fair,
        "gold": _estimate_dict(row.gold),
        "margin": _estimate_dict(row.margin),
        "rating": _estimate_dict(rating.elo),
        "variance_factor": row.variance_factor,
        "seat": [
            {"games": t.games, "wins": t.wins, "ties": t.ties, "points": t.points, "gold": t.gold}
            for t in row.seats
        ],
    }


def _estimate_dict(estimate: Estimate) -> dict[str, float | None]:
    ends = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {key: end if math.isfinite(end) else None for key, end in ends.items()}


def standings_csv(standings: Standings) -> str:
    """Return one row per bot."""
    rows = [_flat(row) for row in _bot_dicts(standings)]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["bot"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().rstrip("\n")


def _flat(row: Mapping[str, object]) -> dict[str, object]:
    """Return a dict without dicts in it: ``share.low`` becomes ``share_low``."""
    flat: dict[str, object] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            inner = _flat(value).items()
            flat |= {key if name == "value" else f"{key}_{name}": item for name, item in inner}
        elif isinstance(value, list):
            flat |= _flat({f"{key}_{number}": item for number, item in enumerate(value, start=1)})
        else:
            flat[key] = printable(value) if isinstance(value, str) else value
    return flat
