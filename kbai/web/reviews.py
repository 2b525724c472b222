"""Reviews that are started from the page: one at a time, with progress, and ended with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kbai.compute.cache import Cache
from kbai.compute.pools import threads
from kbai.core.errors import ReviewError, StoreError
from kbai.draw.svg_curves import Line, Moment, draw_curve, moment_x
from kbai.notation.games import Game
from kbai.report.review_json import review_dict
from kbai.report.turns import chosen_turn, played_turn
from kbai.review.plan import ReviewOptions, plan_review
from kbai.review.results import Review
from kbai.review.run import find_known, run_reviews
from kbai.search.params import Limit

# Visits for each turn; kbai review takes 4,000 unless told otherwise.
VISITS = {"quick": 300, "usual": 1_500, "thorough": 4_000}
SEED = 1


class StoppedError(Exception):
    """Nobody waits for the review any more."""


class Reviewer:
    """Reviews games, and keeps what its searches found in a file, if one is named.

    It is the file of ``kbai review``, and open only while a review runs, so that both can have it.
    """

    def __init__(self, *, workers: int, cache: str | None = None) -> None:
        self._workers = workers
        self._cache = cache
        self.lock = threading.Lock()
        """Held by the review that is running."""

    def review(
        self, game: Game, visits: int, on_progress: Callable[[int, int], None]
    ) -> dict[str, object]:
        """Return the review of a game; ``on_progress`` gets what is done, and may raise."""
        plan = plan_review("the game", game, ReviewOptions(Limit(visits), SEED))
        if not plan.turns:
            raise ReviewError("expected a game with a finished turn to review, got none.")
        found: list[Review] = []
        with _open(self._cache) as answers:
            known = find_known([plan], answers)
            ids = known.keys() | plan.tasks().keys()
            done = len(known)

            def keep(id: str, answer: Mapping[str, Any]) -> None:
                nonlocal done
                done += 1
                answers.keep(id, answer)
                on_progress(done, max(done, len(ids)))

            on_progress(done, len(ids))
            pool = threads(self._workers)
            run_reviews([plan], workers=pool, known=known, keep=keep, on_review=found.append)
        return review_answer(found[0])


def _open(path: str | None) -> Cache:
    """Open the cache; a review goes on without one, for example while another one has it."""
    try:
        return Cache(path, lambda error: None)
    except StoreError:
        return Cache(None)


def review_answer(review: Review) -> dict[str, object]:
    """Return a review with the curve of the game and each turn's text."""
    data = review_dict(review)
    count = len(review.turns) + bool(review.final)
    texts = [
        {
            "number": turn.number,
            "x": moment_x(index, count),
            "played": played_turn(turn).summary,
            "best": chosen_turn(turn.position, turn.best).summary,
        }
        for index, turn in enumerate(review.turns)
    ]
    end = moment_x(count - 1, count)
    return {**data, "texts": texts, "curve": _curve(review), "end_x": end}


def _curve(review: Review) -> str:
    """Draw the chance of winning over the turns; each moment links to its turn."""
    outlooks = [turn.outlooks for turn in review.turns]
    if review.final:
        outlooks.append(review.final)
    moments = [
        Moment(
            target=f"turn-{turn.number}",
            label=str(turn.number),
            tip=f"{turn.number} {review.game.setup.seats[turn.seat]}",
            mark=turn.mark,
            seat=turn.seat,
        )
        for turn in review.turns
    ]
    lines = [*_lines(review.game.setup.seats, outlooks)]
    return draw_curve(lines, moments, title="Chance of winning, in %", low=0, high=100)


def _lines(seats: Sequence[str], outlooks: Sequence[Sequence[Any]]) -> Iterator[Line]:
    for index, seat in enumerate(seats):
        wins = [moment[index].win for moment in outlooks]
        yield Line(
            seat,
            values=tuple(100 * win.value for win in wins),
            lows=tuple(100 * min(max(win.low, 0.0), win.value) for win in wins),
            highs=tuple(100 * max(min(win.high, 1.0), win.value) for win in wins),
        )
