"""Candidates of a search as a line of the cache has them, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from kbai.core.intervals import Estimate
from kbai.search.results import Outlook, TurnChoice


def choice_to_payload(choice: TurnChoice) -> dict[str, Any]:
    """Return a turn as the cache keeps it."""
    return {
        "steps": list(choice.steps),
        "visits": choice.visits,
        "utility": choice.utility,
        "exact": choice.is_proven,
        "line": list(choice.line),
        "seats": [
            [*map(_estimate_to_payload, (seat.win, seat.gold, seat.margin)), list(seat.sources)]
            for seat in choice.seats
        ],
    }


def choice_from_payload(payload: Mapping[str, Any]) -> TurnChoice:
    """Return a turn from a line of the cache."""
    return TurnChoice(
        steps=tuple(payload["steps"]),
        visits=payload["visits"],
        utility=payload["utility"],
        is_proven=payload["exact"],
        seats=tuple(
            Outlook(
                _estimate_from_payload(win),
                _estimate_from_payload(gold),
                _estimate_from_payload(margin),
                tuple(sources),
            )
            for win, gold, margin, sources in payload["seats"]
        ),
        line=tuple(payload["line"]),
    )


def _estimate_to_payload(estimate: Estimate) -> list[float | None]:
    ends = (estimate.value, estimate.low, estimate.high)
    return [number if math.isfinite(number) else None for number in ends]


def _estimate_from_payload(payload: Sequence[float | None]) -> Estimate:
    value, low, high = payload
    assert value is not None
    return Estimate(value, -math.inf if low is None else low, math.inf if high is None else high)
