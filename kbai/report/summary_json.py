"""Summaries as dicts for JSON; docs/review.md explains the keys."""

from __future__ import annotations

from dataclasses import asdict

from kbai.core.intervals import Estimate
from kbai.game.setup import setup_of
from kbai.notation.positions import format_line
from kbai.report.numbers import estimate_dict
from kbai.report.suggestion_json import kbai_version
from kbai.report.summary_sentences import advice, overview
from kbai.report.turns import chosen_turn, played_turn
from kbai.report.why import why_best, why_dict
from kbai.review.results import MARKS
from kbai.summary.results import CardRow, Compared, Summary, TileRow, WorstTurn


def summary_dict(summary: Summary) -> dict[str, object]:
    """Return a summary as ``kbai review --summary --format json`` prints it."""
    marks = zip(MARKS, summary.marks, strict=True)
    return {
        "version": kbai_version(),
        "player": summary.player,
        "games": summary.games,
        "turns": summary.turns,
        "visits_per_turn": summary.limit.visits,
        "seconds_per_turn": summary.limit.seconds,
        "seed": summary.seed,
        "advice": [*advice(summary)],
        "overview": overview(summary),
        "findings": [
            {"kind": each.kind, "name": each.name, "p": each.chance, "compared": each.compared}
            for each in summary.findings
        ],
        "points": _maybe(summary.points),
        "marks": {mark: count for (mark, _), count in marks},
        "loss": {"win": _compared(summary.loss), "gold": _compared(summary.loss_gold)},
        "loss_per_game": summary.loss_per_game,
        "luck": estimate_dict(summary.luck),
        "unbuilt": _compared(summary.built),
        "phases": {
            row.phase: {"turns": row.turns, "loss": _compared(row.loss), "share": row.share}
            for row in summary.phases
        },
        "cards": {row.card: _card_dict(row) for row in summary.cards},
        "tiles": {row.kind: _tile_dict(row) for row in summary.tiles},
        "worst": [*map(_worst_dict, summary.worst)],
        "history": [asdict(row) for row in summary.history],
    }


def _maybe(estimate: Estimate | None) -> dict[str, float | None] | None:
    return None if estimate is None else estimate_dict(estimate)


def _compared(compared: Compared) -> dict[str, object]:
    return {
        "player": estimate_dict(compared.own),
        "others": _maybe(compared.others),
        "more": _maybe(compared.more),
    }


def _card_dict(row: CardRow) -> dict[str, object]:
    return {
        "games": row.games,
        "gold": _compared(row.gold),
        "apart": estimate_dict(row.apart),
        "loss": _compared(row.loss),
        "without": _maybe(row.without),
    }


def _tile_dict(row: TileRow) -> dict[str, object]:
    return {
        "turns": row.turns,
        "used": row.played,
        "best": row.best,
        "unused": _compared(row.unused),
        "cost": row.cost,
    }


def _worst_dict(worst: WorstTurn) -> dict[str, object]:
    review = worst.turn.review
    played, best = played_turn(review), chosen_turn(review.position, review.best)
    return {
        "game": worst.game,
        "turn": review.number,
        "part": review.part,
        "seat": setup_of(review.position).seats[review.seat],
        "position": format_line(review.position),
        "card": played.card,
        "actions": list(played.actions),
        "best": list(best.actions),
        "mark": review.mark or None,
        "loss": {
            "win": estimate_dict(review.loss.win),
            "gold": estimate_dict(review.loss.gold),
        },
        "phase": worst.turn.phase,
        "unused": list(worst.turn.unused),
        "sources": dict(worst.turn.sources) or None,
        "why": why_dict(why_best(review)),
    }
