"""Counting gold."""

from __future__ import annotations

from kbai.api.games import Game
from kbai.api.positions import Position, kernel_of
from kbai.report.scores import score_rows


def score(position: Position | Game) -> dict[str, dict[str, int]]:
    """Return each seat's gold if the game ended now: by card, and as the ``"total"``.

    Of a game it is the gold after its last turn.
    """
    return score_rows(
        kernel_of(position.final_position() if isinstance(position, Game) else position)
    )
