"""Suggestions and reviews as pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kbai._fast import Position
from kbai.core.intervals import Estimate
from kbai.draw import facts
from kbai.draw.svg import last_layer, pieces_layer, turn_layer
from kbai.draw.svg_curves import Line, Moment, draw_curve, moment_x
from kbai.draw.svg_symbols import BEST, LAST, PLAYED
from kbai.game.setup import setup_of
from kbai.notation.turns import PlayedTurn, Turn, record_turn
from kbai.report.html import NAME, NUMBER, Curve, Page, Part, Row, Rows, View, render_page
from kbai.report.page_parts import (
    candidate_rows,
    game_line,
    gold_text,
    percent,
    seat_rows,
    source_parts,
    win_interval,
)
from kbai.report.reviews import review_dict
from kbai.report.suggestion_json import chosen_turn, main_line, suggestion_dict
from kbai.report.suggestion_text import LEGEND, final_text, suggestion_title
from kbai.review.results import MARKS, Change, Review, SeatSummary, TurnReview
from kbai.search.params import Limit
from kbai.search.results import Outlook, Suggestion, TurnChoice


def suggestion_page(suggestion: Suggestion) -> str:
    """Return a page with the turns of a suggestion, each on its board."""
    position = suggestion.position
    setup = setup_of(position)
    names = {"seat": setup.seats[position.actor], "seats": ", ".join(setup.seats)}
    notes = tuple((word.format(**names), text.format(**names)) for word, text in LEGEND)
    title = suggestion_title(suggestion) if suggestion.turns else final_text(suggestion)
    page = Page(
        title=title[0].upper() + title[1:].rstrip(":."),
        lines=(game_line(setup), facts.turn_text(setup, position.fields())),
        setup=setup,
        views=tuple(
            _choice_view(position, choice, rank)
            for rank, choice in enumerate(suggestion.turns, start=1)
        ) or (_final_view(position),),
        list_title="Turns",
        data=suggestion_dict(suggestion),
        summary_title="What to expect of them",
        summary=candidate_rows(position, suggestion.turns) if suggestion.turns else None,
        notes=notes if suggestion.turns else (),
    )  # fmt: skip
    return render_page(page)


def _choice_view(position: Position, choice: TurnChoice, rank: int) -> View:
    setup = setup_of(position)
    seat = setup.seats[position.actor]
    turn = chosen_turn(position, choice)
    own = choice.seats[position.actor]
    card = f"{turn.card}: " if choice.odds < 1 else ""
    line, *rest = main_line(position, choice)
    return View(
        id=f"turn-{rank}",
        seat=seat,
        number=str(rank),
        what=card + turn.summary,
        worth=f"{percent(own.win.value)} %",
        short=f"{rank} of the list",
        title=line,
        facts=(
            ("Win %", f"{percent(own.win.value)} ({win_interval(choice, position.actor)})"),
            ("Gold", gold_text(setup, choice)),
            ("Visits", f"{choice.visits:,}"),
        ),
        board=pieces_layer(position) + turn_layer(turn, kind=PLAYED),
        keys=((PLAYED, "the actions of the turn, in order"),),
        parts=(
            *source_parts(setup, {"": choice}),
            Part("What may follow", lines=tuple(rest)),
            Part("On the table", seat_rows(position)),
        ),
    )


def _final_view(position: Position) -> View:
    setup = setup_of(position)
    return View(
        id="board-1",
        seat=setup.seats[0],
        number="",
        what="",
        worth="",
        short="The end",
        title="The board at the end",
        facts=(),
        board=pieces_layer(position),
        keys=(),
        parts=(Part("On the table", seat_rows(position)),),
    )


def review_page(review: Review) -> str:
    """Return a page with the curves of a game and its turns, each on its board."""
    setup = review.game.setup
    views = tuple(_turn_views(review))
    worst = max(range(len(views)), key=lambda i: _gravity(review.turns[i]), default=0)
    page = Page(
        title=f"Review of {review.name}",
        lines=tuple(_review_lines(review)),
        setup=setup,
        views=views,
        list_title="Turns, and what they lost in win %",
        # Without the turns looked at, which would make up half of the page.
        data=review_dict(replace(review, turns=tuple(map(_without_candidates, review.turns)))),
        problem=review.problem,
        summary_title="By seat",
        summary=_summary_rows(review),
        check=_check_rows(review),
        curves=tuple(_curves(review)),
        notes=REVIEW_NOTES,
        first=worst,
    )
    return render_page(page)


REVIEW_NOTES = (
    ("loss", "what the best turn found would have brought more, in points of win % and in gold"),
    ("marks", ", ".join(f"{mark} from {100 * loss:g} points" for mark, loss in MARKS)
              + " of loss, where its interval does not reach 0"),
    ("luck", "what is to be expected with the card drawn, less the mean over all that could come"),
    ("without luck", "the result less the luck of all cards"),
    ("+/-", "half of the interval at 95 %"),
)  # fmt: skip


def _without_candidates(turn: TurnReview) -> TurnReview:
    return replace(turn, candidates=())


def _gravity(turn: TurnReview) -> tuple[int, float]:
    """Return what is larger for worse marks, and among these for larger losses."""
    marks = ["", *(mark for mark, _ in reversed(MARKS))]
    return marks.index(turn.mark), turn.loss.win.value if turn.mark else 0.0


def _review_lines(review: Review) -> Iterator[str]:
    setup = review.game.setup
    yield "; ".join([*(f"{key}: {value}" for key, value in review.game.header if key != "Seed"),
                     game_line(setup)])  # fmt: skip
    if review.game.result:
        pairs = zip(setup.seats, review.game.result, strict=True)
        yield "Result: " + ", ".join(f"{seat} {gold}" for seat, gold in pairs)
    yield f"Searched with {_limit_text(review.limit)} a turn, seed {review.seed}."


def _limit_text(limit: Limit) -> str:
    visits = "" if limit.visits is None else f"{limit.visits:,} visits"
    seconds = "" if limit.seconds is None else f"{limit.seconds:g} s"
    return " or ".join(filter(None, (visits, seconds)))


# By seat.


def _summary_rows(review: Review) -> Rows:
    setup = review.game.setup
    marks = [mark for mark, _ in MARKS]
    columns: tuple[tuple[str, Callable[[SeatSummary], str]], ...] = (
        ("turns", lambda seat: str(seat.turns)),
        ("loss, win %", lambda seat: _points(seat.loss.win)),
        ("a turn", lambda seat: _points(seat.loss_per_turn.win)),
        ("loss, gold", lambda seat: _gold(seat.loss.gold)),
        *((mark, lambda seat, i=index: str(seat.marks[i])) for index, mark in enumerate(marks)),
        ("luck, win %", lambda seat: _points(seat.luck.win, sign="+")),
        ("luck, gold", lambda seat: _gold(seat.luck.gold, sign="+")),
        ("result, win %", lambda seat: percent(seat.result.win.value)),
        ("result, gold", lambda seat: f"{seat.result.gold.value:.1f}"),
        ("without luck, win %", lambda seat: _points(seat.adjusted.win)),
        ("without luck, gold", lambda seat: _gold(seat.adjusted.gold)),
    )
    return Rows(
        head=("", *(name for name, _ in columns)),
        classes=(NAME, *(NUMBER,) * len(columns)),
        body=tuple(
            Row((setup.seats[seat.seat], *(text(seat) for _, text in columns)))
            for seat in review.seats
        ),
    )


def _check_rows(review: Review) -> Rows | None:
    """Return how the result of each seat came about; None if turns in between were left out."""
    body = []
    for seat in review.seats:
        if seat.rest is None:
            return None
        terms = (
            ("", seat.start),
            ("+", seat.luck),
            ("-", seat.loss),
            ("+", seat.gain),
            ("+", seat.rest),
            ("=", seat.result),
        )
        wins = [_term(sign, percent(change.win.value)) for sign, change in terms]
        golds = [_term(sign, f"{change.gold.value:z.1f}") for sign, change in terms]
        name = review.game.setup.seats[seat.seat]
        body += [Row((name, "win %", *wins)), Row(("", "gold", *golds))]
    names = ("start", "luck", "own losses", "others' losses", "rest", "result")
    return Rows(("", "", *names), (NAME, NAME, *(NUMBER,) * len(names)), tuple(body))


def _term(sign: str, number: str) -> str:
    return f"{sign} ({number})" if sign and number.startswith("-") else f"{sign} {number}"


def _points(estimate: Estimate, sign: str = "") -> str:
    return _with_half(estimate, 100.0, sign)


def _gold(estimate: Estimate, sign: str = "") -> str:
    return _with_half(estimate, 1.0, sign)


def _with_half(estimate: Estimate, scale: float, sign: str) -> str:
    value = format(scale * estimate.value, f"{sign}z.1f")
    half = scale * (estimate.high - estimate.low) / 2
    return f"{value} \u00b1 {half:.1f}" if math.isfinite(half) and half else value


# The curves.


def _curves(review: Review) -> Iterator[Curve]:
    if not review.turns:
        return
    outlooks = [turn.outlooks for turn in review.turns]
    if review.final:
        outlooks.append(review.final)
    moments = [
        Moment(
            target=_view_id(turn),
            label=str(turn.number),
            tip=f"{_number(turn)} {review.game.setup.seats[turn.seat]}",
            mark=turn.mark,
            seat=turn.seat,
        )
        for turn in review.turns
    ]
    wins = _lines(review, outlooks, lambda outlook: outlook.win, 100.0)
    title = "Chance to win in %"
    yield Curve(title, draw_curve(wins, moments, title=title, low=0, high=100))
    golds = _lines(review, outlooks, lambda outlook: outlook.gold, 1.0)
    title = "Gold at the end"
    values = [value for line in golds for value in line.values]
    drawing = draw_curve(golds, moments, title=title, low=min(values), high=max(values))
    yield Curve(title, drawing)


def _lines(
    review: Review,
    outlooks: Sequence[tuple[Outlook, ...]],
    of: Callable[[Outlook], Estimate],
    scale: float,
) -> list[Line]:
    lines = []
    for index, seat in enumerate(review.game.setup.seats):
        estimates = [of(moment[index]) for moment in outlooks]
        lines.append(
            Line(
                seat,
                values=tuple(scale * estimate.value for estimate in estimates),
                lows=tuple(scale * _known(e.low, e.value) for e in estimates),
                highs=tuple(scale * _known(e.high, e.value) for e in estimates),
            )
        )
    return lines


def _known(end: float, value: float) -> float:
    return end if math.isfinite(end) else value


# The turns.


def _turn_views(review: Review) -> Iterator[View]:
    turns = {turn.number: turn for turn in review.game.turns}
    count = len(review.turns) + bool(review.final)
    before: TurnReview | None = None
    for index, turn in enumerate(review.turns):
        last = turns.get(turn.number - 1)
        if turn.part and before is not None:
            last = _played(before)
        yield _turn_view(review, turn, last=last, x=moment_x(index, count))
        before = turn


def _view_id(turn: TurnReview) -> str:
    return f"turn-{turn.number}-{turn.part}" if turn.part else f"turn-{turn.number}"


def _number(turn: TurnReview) -> str:
    return f"{turn.number}.{turn.part + 1}" if turn.part else str(turn.number)


def _played(turn: TurnReview) -> PlayedTurn:
    return record_turn(turn.position, turn.played, number=turn.number)


def _turn_view(review: Review, turn: TurnReview, *, last: Turn | None, x: float) -> View:
    seat = review.game.setup.seats[turn.seat]
    played = _played(turn)
    best = chosen_turn(turn.position, turn.best)
    number = _number(turn)
    layers = [last_layer(last) if last else "", pieces_layer(turn.position)]
    keys = [(LAST, "the turn before")] * bool(last)
    if turn.is_best:
        layers.append(turn_layer(played, kind=PLAYED))
        keys.append((PLAYED, "played"))
    else:
        # Side by side, where both are on one hex.
        layers += [turn_layer(best, kind=BEST, dx=8), turn_layer(played, kind=PLAYED, dx=-8)]
        keys += [(PLAYED, "played"), (BEST, "best")]
    choices = {choice.steps: choice for choice in (turn.best, *turn.candidates)}
    mine = choices.get(turn.played)
    named = {"played": mine} if mine and not turn.is_best else {}
    sources = {**named, "best": turn.best} if named else {"": turn.best}
    return View(
        id=_view_id(turn),
        seat=seat,
        number=number,
        what=f"{played.card}: {played.summary}",
        worth="" if turn.is_best else f"{-round(100 * turn.loss.win.value, 1) + 0.0:.1f}",
        short=f"Turn {number}, {seat}",
        title=f"{number} {seat} {played.card}: {played.summary}",
        facts=tuple(_turn_facts(review, turn, best)),
        board="".join(layers),
        keys=tuple(keys),
        parts=(
            Part("The turns that were looked at most",
                 candidate_rows(turn.position, turn.candidates, best=turn.best.steps,
                                played=turn.played),
                 (() if turn.is_best else ("Bold: the best. Shaded: what was played.",))),
            *source_parts(review.game.setup, sources),
            Part("On the table", seat_rows(turn.position)),
        ),
        mark=turn.mark,
        x=round(x, 1),
    )  # fmt: skip


def _turn_facts(review: Review, turn: TurnReview, best: Turn) -> Iterator[tuple[str, str]]:
    if turn.is_best:
        yield "Best", "what was played"
    else:
        yield "Best", best.summary
        exact = "exactly " * turn.is_exact
        yield "Loss", f"{exact}{_change_text(turn.loss)}"
    if turn.draws:
        yield "Luck of the card", _change_text(turn.luck[turn.seat], sign="+")
    pairs = zip(review.game.setup.seats, turn.outlooks, strict=True)
    texts = [f"{seat} {percent(outlook.win.value)} % and {outlook.gold.value:.1f} gold"
             for seat, outlook in pairs]  # fmt: skip
    yield "Expected before", ", ".join(texts)


def _change_text(change: Change, sign: str = "") -> str:
    return f"{_points(change.win, sign)} points of win %, {_gold(change.gold, sign)} gold"
