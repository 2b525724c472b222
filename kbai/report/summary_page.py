"""The HTML page of summaries: what to work on, charts, tables, and the worst turns on boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kbai.draw.svg import board_layer, board_size, names_layer, pieces_layer, turn_layer
from kbai.draw.svg_bars import Bars, Dot, draw_bars, draw_dots
from kbai.draw.svg_symbols import BEST, PLAYED, all_symbols
from kbai.game.setup import setup_of
from kbai.report.document import Block, Document, Picture, Terms
from kbai.report.numbers import HALF_WIDTH, decimal, percent, reach
from kbai.report.rendering import render_template
from kbai.report.summary_document import (
    ADVICE,
    ALL,
    CARDS,
    PHASES,
    TERMS,
    TILES,
    WORST,
    summary_document,
    why_worst,
)
from kbai.report.summary_json import summary_dict
from kbai.report.turns import chosen_turn, played_turn
from kbai.summary.results import Summary, WorstTurn

# How many of the worst turns are drawn: a board takes 50 KB.
BOARDS = 6
# How many rows of a chart there is room for.
ROWS = 12


@dataclass(frozen=True, slots=True)
class WorstBoard:
    """One of the worst turns on its board."""

    seat: str
    title: str
    mark: str
    facts: Terms
    svg: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """What a page shows of one player."""

    title: str
    advice: tuple[Block, ...]
    charts: tuple[Picture, ...]
    tables: tuple[tuple[Block, ...], ...]
    boards: tuple[WorstBoard, ...]
    worst: tuple[Block, ...]
    terms: tuple[Block, ...]


def summary_page(summaries: Sequence[Summary]) -> str:
    """Return a page about one or more players of the same games."""
    parts = tuple(_part(summary, summary_document(summary)) for summary in summaries)
    title = parts[0].title if len(parts) == 1 else f"Summary of {len(parts)} players"
    return render_template(
        "summary.html",
        title=title,
        parts=parts,
        definitions=all_symbols(),
        data=[summary_dict(summary) for summary in summaries],
    )


def _part(summary: Summary, document: Document) -> PlayerPart:
    return PlayerPart(
        title=document.title,
        advice=document.section(ADVICE)[1:],  # the page has a heading of its own
        charts=tuple(_charts(summary)),
        tables=tuple(
            filter(None, (document.section(name) for name in (ALL, PHASES, CARDS, TILES)))
        ),
        boards=tuple(map(_board, summary.worst[:BOARDS])),
        worst=document.section(WORST),
        terms=document.section(TERMS),
    )


def _charts(summary: Summary) -> Iterator[Picture]:
    phases = [Bars(row.phase, row.loss.own, row.loss.others) for row in summary.phases]
    title = "Loss a turn by phase, in points of win %"
    yield Picture(title, draw_bars(phases, title=title, scale=100.0))
    dots = [
        Dot(100 * row.loss, f"{number} {row.game}: {percent(row.loss)} a turn")
        for number, row in enumerate(summary.history, start=1)
    ]
    title = "Loss a turn, game by game"
    yield Picture(title, draw_dots(dots, title=title, mean=100 * summary.loss.own.value))
    cards = [Bars(_plain(row.card), row.gold.own, row.gold.others) for row in summary.cards[:ROWS]]
    if cards:
        title = "Gold left with each scoring card, a game"
        yield Picture(title, draw_bars(cards, title=title))
    tiles = [
        Bars(_plain(row.kind), row.unused.own, row.unused.others) for row in summary.tiles[:ROWS]
    ]
    if tiles:
        title = "Tiles left unused that the best turn used, a turn with one ready"
        yield Picture(title, draw_bars(tiles, title=title, digits=2))


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _board(worst: WorstTurn) -> WorstBoard:
    review = worst.turn.review
    setup = setup_of(review.position)
    played, best = played_turn(review), chosen_turn(review.position, review.best)
    width, height = board_size(setup)
    layers = (
        board_layer(setup),
        pieces_layer(review.position),
        # Side by side where both are on one hex.
        turn_layer(best, kind=BEST, dx=8),
        turn_layer(played, kind=PLAYED, dx=-8),
        names_layer(setup),
    )
    loss = review.loss
    facts = [
        ("Played", played.summary),
        ("Best", best.summary),
        (
            "Loss",
            f"{percent(loss.win.value)} {HALF_WIDTH} {reach(loss.win, scale=100.0)} points of "
            f"win %, {decimal(loss.gold.value)} gold",
        ),
        ("Why", why_worst(worst)),
        ("Cards", ", ".join(map(_plain, (*setup.cards, *setup.tasks)))),
        ("Game", worst.game),
    ]
    seat = setup.seats[review.seat]
    return WorstBoard(
        seat=seat,
        title=f"Turn {review.number}, {seat} with {played.card}",
        mark=review.mark,
        facts=Terms(tuple(facts)),
        svg="".join(layers),
        width=width,
        height=height,
    )
