"""The HTML page of a review: the curves of the game, and every turn on its board."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kbai.core.intervals import Estimate
from kbai.draw.svg import last_layer, pieces_layer, turn_layer
from kbai.draw.svg_curves import Line, Moment, draw_curve, moment_x
from kbai.draw.svg_symbols import BEST, LAST, PLAYED
from kbai.explain.words import plural
from kbai.notation.turns import Turn
from kbai.report.document import Block, Document, Heading, Picture, Terms, Text
from kbai.report.numbers import HALF_WIDTH, LEVEL_TEXT, UNKNOWN, decimal, percent, reach
from kbai.report.page import Page, View, render_page
from kbai.report.position_document import game_line, seats_table
from kbai.report.review_document import PROBLEM, RESULTS, SEATS, TERMS, review_document
from kbai.report.review_json import review_dict
from kbai.report.suggestion_document import (
    has_sources,
    sources_table,
    turn_terms,
    turns_table,
)
from kbai.report.turns import chosen_turn, played_turn
from kbai.report.why import why_best, why_table
from kbai.review.results import MARKS, Change, Review, TurnReview
from kbai.search.results import Outlook

_WORST = 3
"""So many of the worst turns come first in the list."""


def review_page(review: Review) -> str:
    """Return a page with the curves of a game and its turns, each on its board."""
    document = review_document(review)
    views = tuple(_turn_views(review))
    page = Page(
        title=document.title,
        intro=(Text(_game_text(review)), *document.section(PROBLEM)),
        setup=review.game.setup,
        views=views,
        list_title="All turns and their losses in win %",
        worst_title="The worst turns",
        worst=_worst(review),
        summary_title="By seat",
        summary=document.section(SEATS) + document.section(RESULTS),
        curves=tuple(_curves(review)),
        terms=_terms(review, document),
        # Without the turns that were searched, which would make up half of the page.
        data=review_dict(replace(review, turns=tuple(map(_without_candidates, review.turns)))),
        first=next(iter(_worst(review)), 0),
    )
    return render_page(page)


def _without_candidates(turn: TurnReview) -> TurnReview:
    return replace(turn, candidates=())


def _worst(review: Review) -> tuple[int, ...]:
    """Return the worst turns by mark, then by loss; none that lost nothing."""
    order = sorted(range(len(review.turns)), key=lambda i: _gravity(review.turns[i]), reverse=True)
    lost = [i for i in order if review.turns[i].loss.win.value > 0 and not review.turns[i].is_best]
    return tuple(lost[:_WORST])


def _gravity(turn: TurnReview) -> tuple[int, float]:
    """Return what is larger for worse marks, and for larger losses with the same mark."""
    marks = ["", *(mark for mark, _ in reversed(MARKS))]
    return marks.index(turn.mark), turn.loss.win.value


def _game_text(review: Review) -> str:
    header = (f"{key}: {value}" for key, value in review.game.header if key != "Seed")
    return "; ".join([*header, game_line(review.game.setup)])


def _terms(review: Review, document: Document) -> tuple[Block, ...]:
    """Return the terms of the review and those of what only the page has."""
    blocks = document.section(TERMS)
    terms = [row for block in blocks if isinstance(block, Terms) for row in block.rows]
    others = (block for block in blocks if not isinstance(block, Terms))
    known = {term for term, _ in terms}
    terms += [row for row in turn_terms(review.game.setup, "the seat") if row[0] not in known]
    terms.append(("curves", f"before each card is turned up; the bands are {LEVEL_TEXT} intervals"))
    return (Terms(tuple(terms)), *others) if review.turns else ()


# The curves.


def _curves(review: Review) -> Iterator[Picture]:
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
    wins = _lines(review, outlooks, lambda outlook: outlook.win, scale=100.0, least=0.0, most=1.0)
    title = "Chance of winning, in %"
    yield Picture(title, draw_curve(wins, moments, title=title, low=0, high=100))
    golds = _lines(review, outlooks, lambda outlook: outlook.gold)
    title = "Expected gold at the end"
    low = min(value for line in golds for value in line.lows)
    high = max(value for line in golds for value in line.highs)
    yield Picture(title, draw_curve(golds, moments, title=title, low=low, high=high))


def _lines(
    review: Review,
    outlooks: Sequence[tuple[Outlook, ...]],
    of: Callable[[Outlook], Estimate],
    *,
    scale: float = 1.0,
    least: float = -math.inf,
    most: float = math.inf,
) -> list[Line]:
    """Return a line for each seat; bands end where no value can be."""
    lines = []
    for index, seat in enumerate(review.game.setup.seats):
        estimates = [of(moment[index]) for moment in outlooks]
        lines.append(
            Line(
                seat,
                values=tuple(scale * estimate.value for estimate in estimates),
                lows=tuple(scale * max(_known(e.low, e.value), least) for e in estimates),
                highs=tuple(scale * min(_known(e.high, e.value), most) for e in estimates),
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
            last = played_turn(before)
        yield _turn_view(review, turn, last=last, x=moment_x(index, count))
        before = turn


def _view_id(turn: TurnReview) -> str:
    return f"turn-{turn.number}-{turn.part}" if turn.part else f"turn-{turn.number}"


def _number(turn: TurnReview) -> str:
    return f"{turn.number}.{turn.part + 1}" if turn.part else str(turn.number)


def _turn_view(review: Review, turn: TurnReview, *, last: Turn | None, x: float) -> View:
    seat = review.game.setup.seats[turn.seat]
    played = played_turn(turn)
    best = chosen_turn(turn.position, turn.best)
    number = _number(turn)
    layers = [last_layer(last) if last else "", pieces_layer(turn.position)]
    keys = [(LAST, "the turn before")] * bool(last)
    if turn.is_best:
        layers.append(turn_layer(played, kind=PLAYED))
        keys.append((PLAYED, "played"))
    else:
        # Side by side where both are on one hex.
        layers += [turn_layer(best, kind=BEST, dx=8), turn_layer(played, kind=PLAYED, dx=-8)]
        keys += [(PLAYED, "played"), (BEST, "best")]
    return View(
        id=_view_id(turn),
        seat=seat,
        number=number,
        what=f"{played.card}: {played.summary}",
        worth="" if turn.is_best else decimal(-100 * turn.loss.win.value),
        short=f"Turn {number}, {seat}",
        title=f"{number} {seat} {played.card}: {played.summary}",
        facts=Terms(tuple(_turn_facts(review, turn, best))),
        board="".join(layers),
        keys=tuple(keys),
        details=tuple(_turn_details(review, turn)),
        mark=turn.mark,
        x=round(x, 1),
    )


def _turn_details(review: Review, turn: TurnReview) -> Iterator[tuple[Block, ...]]:
    table = turns_table(turn.position, turn.candidates, best=turn.best.steps, played=turn.played)
    note: tuple[Block, ...] = ()
    if not turn.is_best:
        listed = {choice.steps for choice in turn.candidates}
        marks = ["Bold: the best turn."] * (turn.best.steps in listed)
        marks += ["Shaded: the played turn."] * (turn.played in listed)
        note = (Text(" ".join(marks)),) if marks else ()
    why = why_best(turn)
    if why is not None:
        yield Heading("The best turn against the played one"), Text(why.sentence), why_table(why)
    yield Heading("The turns searched most"), table, *note
    choices = {choice.steps: choice for choice in (turn.best, *turn.candidates)}
    played = None if turn.is_best else choices.get(turn.played)
    sources = {"played": played, "best": turn.best} if played else {"": turn.best}
    counted = {name: choice for name, choice in sources.items() if has_sources(choice)}
    if counted:
        table = sources_table(review.game.setup, counted)
        yield Heading("Where the gold comes from"), table
    yield Heading("On the table"), seats_table(turn.position)


def _turn_facts(review: Review, turn: TurnReview, best: Turn) -> Iterator[tuple[str, str]]:
    if turn.is_best:
        yield "Best", "the played turn"
    else:
        yield "Best", best.summary
        yield "Loss", ("exactly " if turn.is_exact else "") + _change_text(turn.loss)
    if turn.games:
        each = "" if turn.is_best else " of each of the two turns"
        yield "Played on", f"{plural(turn.games, 'game')}{each}, put together with the searches"
    if turn.draws:
        yield "Luck of the card", _change_text(turn.luck[turn.seat], signed=True)
    pairs = zip(review.game.setup.seats, turn.outlooks, strict=True)
    texts = (
        f"{seat} {percent(outlook.win.value)} % and {decimal(outlook.gold.value)} gold"
        for seat, outlook in pairs
    )
    yield "Expected before", ", ".join(texts)


def _change_text(change: Change, *, signed: bool = False) -> str:
    points = _with_reach(change.win, scale=100.0, signed=signed)
    return f"{points} points of win %, {_with_reach(change.gold, signed=signed)} gold"


def _with_reach(estimate: Estimate, *, scale: float = 1.0, signed: bool = False) -> str:
    value = decimal(scale * estimate.value, signed=signed)
    half = reach(estimate, scale=scale)
    is_known = half != UNKNOWN and estimate.high > estimate.low
    return f"{value} {HALF_WIDTH} {half}" if is_known else value
