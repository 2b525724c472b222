"""What every turn of a game cost."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kbai.api.games import Game, inner_game
from kbai.api.positions import Position, wrap_position
from kbai.api.suggestions import SuggestedTurn, public_outlook, suggested_turn
from kbai.api.values import Change, Outlook
from kbai.api.workers import pool_of
from kbai.compute.cache import Cache
from kbai.core.errors import ReviewError, suggest_name
from kbai.explain.results import Comparison
from kbai.game.setup import setup_of
from kbai.report.document_html import document_html
from kbai.report.document_text import document_text
from kbai.report.review_document import review_document
from kbai.report.review_json import review_dict
from kbai.report.turns import played_turn
from kbai.report.why import why_best
from kbai.review import results
from kbai.review.plan import ReviewOptions, plan_review
from kbai.review.run import find_known, run_reviews
from kbai.search.params import Limit

DEFAULT_LIMIT = Limit(visits=4000)


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn that was played, and what it cost.

    A card drawn within a turn, or a reaction of another seat, divides it into parts, each with a
    number of its own in ``part``.
    """

    number: int
    part: int
    seat: str
    """Who decided."""
    card: str
    position: Position
    """In which the seat decided."""
    played: str
    """What was played: ``"n16 o15 p15"``."""
    best: SuggestedTurn
    """The best turn found: what was played, if nothing better was."""
    mark: str
    """``"??"``, ``"?"``, ``"?!"`` or nothing."""
    is_best: bool
    """Whether nothing better than what was played was found."""
    is_exact: bool
    """Whether the loss is known for certain."""
    games: int
    """How many games were played on from the best turn, and as many from the played one."""
    before: dict[str, Outlook]
    """By seat, what it could expect before the card was turned up."""
    costs: dict[str, Change]
    """By seat, what the best turn would have brought it more than what was played."""
    why: Comparison | None
    """Why the best turn is better than the played one; None if nothing better was found."""
    lucks: dict[str, Change]
    """By seat, what the card brought it, against the mean over all cards that could have come."""

    @property
    def loss(self) -> Change:
        """What the turn cost the one who played it; the intervals are at 90 %."""
        return self.costs[self.seat]

    @property
    def luck(self) -> Change:
        """What the card brought the one who played it."""
        return self.lucks[self.seat]


@dataclass(frozen=True, slots=True)
class SeatReview:
    """The sums of a seat over all turns: ``result = start + luck - loss + gain + rest``."""

    turns: int
    """How many it played."""
    marks: dict[str, int]
    """How many turns have which mark."""
    loss: Change
    """What its own turns cost it."""
    luck: Change
    """What the cards of all turns brought it."""
    gain: Change
    """What the losses of the others brought it."""
    start: Change
    """What it could expect before the first turn."""
    result: Change
    """What came of it; of a game that is not over, what it can expect now."""
    rest: Change | None
    """What the searches do not explain; None if turns in between were left out."""


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game; it prints as tables, and a notebook shows them."""

    game: Game
    turns: tuple[ReviewedTurn, ...]
    seats: dict[str, SeatReview]
    """By seat; empty if there is no turn to review."""
    visits: int
    """How many simulations all searches made."""
    seed: int
    _found: results.Review = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, object]:
        """Return what ``kbai review --format json`` prints; docs/review.md lists the keys."""
        return review_dict(self._found)

    def to_html(self) -> str:
        """Return a page with every turn on its board, as ``kbai review --html`` writes it."""
        from kbai.report.review_page import review_page

        return review_page(self._found)

    def __str__(self) -> str:
        return document_text(review_document(self._found))

    def _repr_html_(self) -> str:
        return document_html(review_document(self._found))


def review_game(
    game: Game,
    limit: Limit = DEFAULT_LIMIT,
    *,
    seed: int = 1,
    turns: range | None = None,
    seats: Sequence[str] = (),
    rollouts: int | None = None,
    workers: int = 1,
    cache: str | os.PathLike[str] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Find out what every turn of a game cost, and how lucky its card was.

    ``limit`` is for the search of one turn; comparing turns and cards takes up to 24 times as many
    visits. ``turns`` and ``seats`` say which turns to look at. ``rollouts`` is how often turns that
    may have been mistakes are played on at most: 0 is never, None as often as takes about as long
    as their searches. ``workers`` is how many searches run at a time: with more than one they run
    in processes, and a script has to call this below ``if __name__ == "__main__":``. ``cache`` is a
    file that keeps what was found out, so that a second review only adds to it. ``on_progress`` is
    called with the number of searches that are done and of all.
    """
    inner = inner_game(game)
    names = tuple(name.lower() for name in seats)
    for name in names:
        if name not in inner.setup.seats:
            raise ReviewError(f"{suggest_name('seat', name, inner.setup.seats)}.")
    plan = plan_review("game", inner, ReviewOptions(limit, seed, turns, names, rollouts))
    found: list[results.Review] = []
    pool = pool_of(workers)
    with Cache(cache) as answers:
        known = find_known([plan], answers)
        done = len(known)
        tasks = len(known.keys() | plan.tasks().keys())

        def keep(id: str, answer: Mapping[str, Any]) -> None:
            nonlocal done
            answers.keep(id, answer)
            done += 1
            if on_progress is not None:
                on_progress(done, tasks)

        def expect(more: int) -> None:
            nonlocal tasks
            tasks += more

        run_reviews(
            [plan],
            workers=pool,
            known=known,
            keep=keep,
            on_review=found.append,
            on_games=expect,
        )
    return _public_review(game, found[0])


def _public_review(game: Game, review: results.Review) -> Review:
    summaries = {game.seats[summary.seat]: summary for summary in review.seats}
    return Review(
        game=game,
        turns=tuple(map(_public_turn, review.turns)),
        seats={seat: _public_seat(summary) for seat, summary in summaries.items()},
        visits=review.visits,
        seed=review.seed,
        _found=review,
    )


def _public_turn(review: results.TurnReview) -> ReviewedTurn:
    position = wrap_position(review.position)
    names = position.seats
    played = played_turn(review)
    setup = setup_of(review.position)
    return ReviewedTurn(
        number=review.number,
        part=review.part,
        seat=names[review.seat],
        card=played.card,
        position=position,
        played=played.summary,
        best=suggested_turn(review.position, review.best),
        mark=review.mark,
        is_best=review.is_best,
        is_exact=review.is_exact,
        games=review.games,
        before={
            seat: public_outlook(setup, outlook)
            for seat, outlook in zip(names, review.outlooks, strict=True)
        },
        costs=_changes(names, review.costs),
        why=why_best(review),
        lucks=_changes(names, review.luck),
    )


def _changes(seats: Sequence[str], changes: Sequence[results.Change]) -> dict[str, Change]:
    return {seat: _change(change) for seat, change in zip(seats, changes, strict=True)}


def _change(change: results.Change) -> Change:
    return Change(change.win, change.gold)


def _public_seat(summary: results.SeatSummary) -> SeatReview:
    marks = (mark for mark, _ in results.MARKS)
    return SeatReview(
        turns=summary.turns,
        marks=dict(zip(marks, summary.marks, strict=True)),
        loss=_change(summary.loss),
        luck=_change(summary.luck),
        gain=_change(summary.gain),
        start=_change(summary.start),
        result=_change(summary.result),
        rest=None if summary.rest is None else _change(summary.rest),
    )
