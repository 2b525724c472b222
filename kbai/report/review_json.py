"""Reviews as dicts for JSON; docs/review.md explains the keys."""

from __future__ import annotations

from collections.abc import Sequence

from kbai._fast import Position
from kbai.game.setup import setup_of
from kbai.game.sources import name_sources
from kbai.notation.positions import format_line
from kbai.report.numbers import estimate_dict
from kbai.report.suggestion_json import choice_dict, kbai_version, outlooks_dict
from kbai.report.turns import played_turn
from kbai.report.why import why_best, why_dict
from kbai.review.results import MARKS, Change, Review, SeatSummary, TurnReview


def review_dict(review: Review) -> dict[str, object]:
    """Return a review as ``kbai review --format json`` prints it."""
    setup = review.game.setup
    return {
        "version": kbai_version(),
        "name": review.name,
        "header": [list(pair) for pair in review.game.header],
        "visits_per_turn": review.limit.visits,
        "seconds_per_turn": review.limit.seconds,
        "visits": review.visits,
        "games": review.games,
        "seed": review.seed,
        "problem": review.problem or None,
        "turns": [_turn_dict(turn) for turn in review.turns],
        "final": outlooks_dict(setup, review.final) if review.final else None,
        "seats": {setup.seats[summary.seat]: _seat_dict(summary) for summary in review.seats},
    }


def _turn_dict(review: TurnReview) -> dict[str, object]:
    setup = setup_of(review.position)
    played = played_turn(review)
    return {
        "turn": review.number,
        "part": review.part,
        "seat": setup.seats[review.seat],
        "position": format_line(review.position),
        "card": played.card,
        "actions": list(played.actions),
        "mark": review.mark or None,
        "is_best": review.is_best,
        "exact": review.is_exact,
        "games": review.games,
        "loss": _change_dict(review.loss),
        "costs": _by_seat(review.position, review.costs),
        "sources": name_sources(setup, review.source_costs) if review.source_costs else None,
        "why": why_dict(why_best(review)),
        "luck": _by_seat(review.position, review.luck),
        "before": outlooks_dict(setup, review.outlooks),
        "best": choice_dict(review.position, review.best),
        "turns": [choice_dict(review.position, choice) for choice in review.candidates],
    }


def _by_seat(position: Position, changes: Sequence[Change]) -> dict[str, dict[str, object]]:
    pairs = zip(setup_of(position).seats, changes, strict=True)
    return {seat: _change_dict(change) for seat, change in pairs}


def _change_dict(change: Change) -> dict[str, object]:
    return {"win": estimate_dict(change.win), "gold": estimate_dict(change.gold)}


def _seat_dict(summary: SeatSummary) -> dict[str, object]:
    names = ("start", "luck", "loss", "loss_per_turn", "gain", "result", "adjusted")
    return {
        "turns": summary.turns,
        "marks": {mark: count for (mark, _), count in zip(MARKS, summary.marks, strict=True)},
        **{name: _change_dict(getattr(summary, name)) for name in names},
        "rest": summary.rest and _change_dict(summary.rest),
    }
