"""Reviews as text and as dicts for JSON; docs/review.md explains the columns and keys."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from kbai._fast import Position
from kbai.core.intervals import Estimate
from kbai.game.setup import setup_of
from kbai.notation.positions import format_line
from kbai.notation.turns import PlayedTurn, record_turn
from kbai.report.scores import format_table
from kbai.report.suggestion_json import (
    choice_dict,
    chosen_turn,
    estimate_dict,
    kbai_version,
    outlooks_dict,
)
from kbai.review.results import MARKS, Change, Review, SeatSummary, TurnReview

BEST = "="
PERCENT, GOLD = "win %", "gold"
LEGEND = (
    ("win %", "chance of the seat to win before its card was turned up"),
    ("luck", "what the card changed of it, against the mean over all cards that could have come"),
    ("best", f"the best turn found; '{BEST}' if nothing better than what was played was found"),
    ("loss", "what was played has cost, against the best turn: in chances to win, then in gold"),
    ("+/-", "of what stands before it, an interval at 95 %; of a loss at 90 %"),
    (" ".join(mark for mark, _ in reversed(MARKS)), "a loss of {marks} % at least, beyond doubt"),
)


def turn_of(review: TurnReview, steps: Sequence[int]) -> PlayedTurn:
    """Return steps from where the seat decides as a turn of a game file."""
    return record_turn(review.position, steps, number=review.number)


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
        "seed": review.seed,
        "problem": review.problem or None,
        "turns": [_turn_dict(turn) for turn in review.turns],
        "final": outlooks_dict(setup, review.final) if review.final else None,
        "seats": {setup.seats[summary.seat]: _seat_dict(summary) for summary in review.seats},
    }


def _turn_dict(review: TurnReview) -> dict[str, object]:
    setup = setup_of(review.position)
    played = turn_of(review, review.played)
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
        "loss": _change_dict(review.loss),
        "costs": _by_seat(review.position, review.costs),
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


# --- text ---------------------------------------------------------------------------------------


def review_text(review: Review) -> str:
    """Return a review for a terminal: the turns, the seats, and what remains."""
    return "\n\n".join(_paragraphs(review))


def _paragraphs(review: Review) -> Iterator[str]:
    yield _title(review)
    if review.problem:
        yield f"Reviewed up to where it can be read. {review.problem}"
    if not review.turns:
        yield "There is no turn to review."
        return
    yield _turn_table(review)
    yield _seat_table(review)
    if all(summary.rest for summary in review.seats):
        yield "How the results came about:"
        yield _check_table(review)
    yield _legend()


def _title(review: Review) -> str:
    limits = [f"{review.limit.visits:,} visits"] if review.limit.visits else []
    limits += [f"{review.limit.seconds:g} s"] if review.limit.seconds else []
    how = f"{' or '.join(limits)} a turn, seed {review.seed}"
    pairs = zip(review.game.setup.seats, review.game.result or (), strict=False)
    result = ", ".join(f"{seat} {gold}" for seat, gold in pairs)
    return f"{review.name}: {result or 'not played to its end'} ({how})"


def _turn_table(review: Review) -> str:
    head = ["turn", "", "seat", "card", PERCENT, "luck", "+/-", "played", "best", "loss", "+/-",
            GOLD, "+/-"]  # fmt: skip
    rows = [head, *map(_turn_row, review.turns)]
    for column in (1, 2, 3, 7, 8):  # texts
        width = max(len(row[column]) for row in rows)
        for row in rows:
            row[column] = row[column].ljust(width)
    return "\n".join(line.rstrip() for line in format_table(rows, names=1).splitlines())


def _turn_row(review: TurnReview) -> list[str]:
    played = turn_of(review, review.played)
    luck = review.luck[review.seat].win
    loss = review.loss
    return [
        str(review.number) if not review.part else "",
        review.mark,
        setup_of(review.position).seats[review.seat],
        played.card,
        _percent(review.outlooks[review.seat].win.value),
        _percent(luck.value, signed=True) if review.draws else "",
        _half(luck, 100) if review.draws else "",
        played.summary,
        BEST if review.is_best else chosen_turn(review.position, review.best).summary,
        _percent(loss.win.value),
        "" if review.is_best else _half(loss.win, 100),
        f"{loss.gold.value:z.1f}",
        "" if review.is_best else _half(loss.gold, 1),
    ]


def _percent(share: float, *, signed: bool = False) -> str:
    return f"{100 * share:+.1f}" if signed else f"{100 * share:z.1f}"


def _half(estimate: Estimate, scale: float) -> str:
    half = scale * (estimate.high - estimate.value)
    return f"{half:.1f}" if math.isfinite(half) else "?"


def _seat_table(review: Review) -> str:
    marks = [mark for mark, _ in reversed(MARKS)]
    head = ["seat", "turns", *marks, "loss %", "+/-", "a turn", "loss gold", "+/-", "luck %", "+/-",
            "luck gold", "+/-"]  # fmt: skip
    rows = [head]
    for summary in review.seats:
        rows.append([
            review.game.setup.seats[summary.seat],
            str(summary.turns),
            *(str(count) for count in reversed(summary.marks)),
            _percent(summary.loss.win.value), _half(summary.loss.win, 100),
            _percent(summary.loss_per_turn.win.value),
            f"{summary.loss.gold.value:.1f}", _half(summary.loss.gold, 1),
            _percent(summary.luck.win.value, signed=True), _half(summary.luck.win, 100),
            f"{summary.luck.gold.value:+.1f}", _half(summary.luck.gold, 1),
        ])  # fmt: skip
    return format_table(rows)


def _check_table(review: Review) -> str:
    head = ["", "start", "+ luck", "- own losses", "+ others' losses", "+ rest", "+/-", "= result",
            "without luck"]  # fmt: skip
    rows = [head]
    scales: tuple[tuple[str, float, Callable[[Change], Estimate]], ...] = (
        (PERCENT, 100, lambda change: change.win),
        (GOLD, 1, lambda change: change.gold),
    )
    for name, scale, side in scales:
        for summary in review.seats:
            assert summary.rest is not None
            numbers = [side(getattr(summary, key)).value * scale
                       for key in ("start", "luck", "loss", "gain", "rest", "result",
                                   "adjusted")]  # fmt: skip
            texts = [f"{number:z.1f}" for number in numbers]
            texts.insert(5, _half(side(summary.rest), scale))
            rows.append([f"{review.game.setup.seats[summary.seat]}, {name}", *texts])
    return format_table(rows)


def _legend() -> str:
    marks = ", ".join(f"{100 * least:g}" for _, least in reversed(MARKS))
    rows = [(word, text.format(marks=marks)) for word, text in LEGEND]
    width = max(len(word) for word, _ in rows)
    return "\n".join(f"{word.ljust(width)}  {text}" for word, text in rows)
