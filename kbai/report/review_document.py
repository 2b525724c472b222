"""Reviews as documents: every turn, the sums of each seat, and how the results came about.

docs/review.md explains the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kbai.core.intervals import Estimate
from kbai.game.setup import setup_of
from kbai.report.document import (
    Column,
    Document,
    Heading,
    Kind,
    Row,
    Section,
    Table,
    Terms,
    Text,
    number_table,
)
from kbai.report.numbers import HALF_WIDTH, LEVEL_TEXT, decimal, half_width, percent, reach
from kbai.report.turns import chosen_turn, played_turn
from kbai.report.why import why_best
from kbai.review.results import CERTAIN, MARKS, Change, Review, SeatSummary, TurnReview
from kbai.search.params import Limit

WIN, GOLD, GAMES = "win %", "gold", "games"
SAME = "="
"""Stands for the best turn if it is the one that was played."""
PROBLEM, SEATS, RESULTS, TERMS = "problem", "seats", "results", "terms"
"""Sections that pages show, too."""

ABOUT_CHANCES = (
    f"A {WIN} is how often the seat would win if strong players played on from there. "
    "It does not know who sits at your table, nor which cards will come. "
    "Where a game is open it may be off by 20 points; --html and --format json have its interval. "
    "A loss is known more closely, because both turns are judged by the same searches and cards."
)


def review_document(review: Review) -> Document:
    """Return a review: the turns, the seats, and how the results came about."""
    return Document(tuple(_sections(review)))


def _sections(review: Review) -> Iterator[Section]:
    yield Section("title", (Heading(_title(review), level=1),))
    if review.problem:
        text = f"Reviewed as far as the file can be read. {review.problem}"
        yield Section(PROBLEM, (Text(text, is_warning=True),))
    if not review.turns:
        yield Section("turns", (Text("There is no turn to review."),))
        return
    yield Section("turns", (_turn_table(review),))
    reasons = tuple(_reasons(review))
    if reasons:
        yield Section(
            "why", (Heading("The best turn compared with the played one, in gold:"), Terms(reasons))
        )
    yield Section(SEATS, (_seat_table(review),))
    adds_up = all(summary.rest for summary in review.seats)
    if adds_up:
        yield Section(RESULTS, (Heading("How the results came about:"), _result_table(review)))
    yield Section(TERMS, (Terms(tuple(_terms(review, adds_up=adds_up))), Text(ABOUT_CHANCES)))


def _title(review: Review) -> str:
    pairs = zip(review.game.setup.seats, review.game.result or (), strict=False)
    result = ", ".join(f"{seat} {gold}" for seat, gold in pairs)
    how = f"{limit_text(review.limit)} a turn, seed {review.seed}"
    return f"{review.name}: {result or 'unfinished'} ({how})"


def limit_text(limit: Limit) -> str:
    """Return when the search for a turn stopped."""
    limits = [f"{limit.visits:,} visits"] if limit.visits else []
    limits += [f"{limit.seconds:g} s"] if limit.seconds else []
    return " or ".join(limits)


def _reasons(review: Review) -> Iterator[tuple[str, str]]:
    """Yield each turn with a mark, and a sentence: the best turn against what was played."""
    for turn in review.turns:
        why = why_best(turn) if turn.mark else None
        if why is not None:
            number = f"{turn.number}.{turn.part + 1}" if turn.part else str(turn.number)
            seat = review.game.setup.seats[turn.seat]
            yield f"{number} {seat} {turn.mark}", why.sentence


def _turn_table(review: Review) -> Table:
    columns = (
        Column("turn"),
        Column("", Kind.NAME),
        Column("seat", Kind.NAME),
        Column("card", Kind.NAME),
        *map(Column, (WIN, "luck", HALF_WIDTH)),
        Column("played", Kind.PROSE),
        Column("best", Kind.PROSE),
        *map(Column, ("loss", HALF_WIDTH, GOLD, HALF_WIDTH)),
        *([Column(GAMES)] if review.games else []),
    )
    rows = (_turn_row(turn, with_games=review.games > 0) for turn in review.turns)
    return Table(columns, tuple(rows))


def _turn_row(review: TurnReview, *, with_games: bool) -> Row:
    played = played_turn(review)
    best = chosen_turn(review.position, review.best)
    luck = review.luck[review.seat].win
    loss = review.loss
    return Row((
        str(review.number) if not review.part else "",
        review.mark,
        setup_of(review.position).seats[review.seat],
        played.card,
        percent(review.outlooks[review.seat].win.value),
        *(_points(luck, signed=True) if review.draws else ("", "")),
        played.summary,
        SAME if review.is_best else best.summary,
        *((percent(loss.win.value), "") if review.is_best else _points(loss.win)),
        *((decimal(loss.gold.value), "") if review.is_best else _gold(loss.gold)),
        *([str(review.games or "")] if with_games else []),
    ))  # fmt: skip


def _points(estimate: Estimate, *, signed: bool = False) -> tuple[str, str]:
    """Return a change of the chance of winning, in points of a hundred, and its `reach`."""
    return percent(estimate.value, signed=signed), reach(estimate, scale=100.0)


def _gold(estimate: Estimate, *, signed: bool = False) -> tuple[str, str]:
    return decimal(estimate.value, signed=signed), half_width(estimate)


def _seat_table(review: Review) -> Table:
    marks = [mark for mark, _ in reversed(MARKS)]
    head = ["seat", "turns", *marks, "loss %", HALF_WIDTH, "a turn", "loss gold", HALF_WIDTH]
    head += ["luck %", HALF_WIDTH, "luck gold", HALF_WIDTH]
    rows = (
        (
            review.game.setup.seats[summary.seat],
            str(summary.turns),
            *(str(count) for count in reversed(summary.marks)),
            *_points(summary.loss.win),
            percent(summary.loss_per_turn.win.value),
            *_gold(summary.loss.gold),
            *_points(summary.luck.win, signed=True),
            *_gold(summary.luck.gold, signed=True),
        )
        for summary in review.seats
    )
    return number_table(head, *rows)


def _result_table(review: Review) -> Table:
    head = ("", "start", "+ luck", "- own losses", "+ others' losses", "+ rest", HALF_WIDTH,
            "= result", "without luck")  # fmt: skip
    sides: tuple[tuple[str, float, Callable[[Change], Estimate]], ...] = (
        (WIN, 100.0, lambda change: change.win),
        (GOLD, 1.0, lambda change: change.gold),
    )
    rows = (
        (
            f"{review.game.setup.seats[summary.seat]}, {name}",
            *_result_cells(summary, scale, side),
        )
        for name, scale, side in sides
        for summary in review.seats
    )
    return number_table(head, *rows)


def _result_cells(
    summary: SeatSummary, scale: float, side: Callable[[Change], Estimate]
) -> tuple[str, ...]:
    assert summary.rest is not None

    def number(change: Change) -> str:
        return decimal(scale * side(change).value)

    return (
        *map(number, (summary.start, summary.luck, summary.loss, summary.gain, summary.rest)),
        reach(side(summary.rest), scale=scale),
        *map(number, (summary.result, summary.adjusted)),
    )


def _terms(review: Review, *, adds_up: bool) -> Iterator[tuple[str, str]]:
    yield WIN, "the seat's chance of winning before its card was turned up"
    yield "luck", "what the card changed, compared with the mean of all cards that could have come"
    yield "best", f"the best turn found; '{SAME}' if nothing better than the played turn was found"
    yield "loss", "what the played turn cost against the best one: in points of win %, then in gold"
    yield (
        HALF_WIDTH,
        f"how far the {LEVEL_TEXT} interval of the number to its left reaches towards 0",
    )
    if review.games:
        yield GAMES, "played on from each of the two turns, with the same cards for both"
    marks = ", ".join(f"{100 * least:g}" for _, least in reversed(MARKS))
    signs = " ".join(mark for mark, _ in reversed(MARKS))
    yield signs, f"a loss of at least {marks} points that is at least {CERTAIN} times its +/-"
    if adds_up:
        yield (
            "rest",
            "what the other columns leave open: searches one turn apart do not quite agree",
        )
        yield (
            "without luck",
            "the result, with the odds (the gold) taken off again that all cards brought",
        )
