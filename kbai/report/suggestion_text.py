"""Suggestions as text."""

from __future__ import annotations

import math
from collections.abc import Iterator

from kbai.core.intervals import Estimate
from kbai.core.points import points_of
from kbai.game.setup import setup_of
from kbai.notation.turns import cards_shown
from kbai.report.scores import TOTAL, format_table
from kbai.report.suggestion_json import chosen_turn, main_line, sources_dict
from kbai.search.results import Suggestion, TurnChoice

WIN = "win %"
EXACT = "exact"
UNKNOWN = "?"
LEGEND = (
    (WIN, "chance of {seat} to win; of a shared victory its share"),
    ("interval", "at 95 %, for the games played in the search; 'exact' where all was looked at"),
    ("{seats}", "gold at the end of the game, the mean of the games played in the search"),
    ("margin", "gold that {seat} has more than the best other seat"),
    ("visits", "how many of these games began so: the search looks longer at better turns"),
)


def suggestion_text(suggestion: Suggestion) -> str:
    """Return a suggestion for a terminal: the turns, why the first one, and what would follow."""
    return "\n\n".join(_paragraphs(suggestion))


def _paragraphs(suggestion: Suggestion) -> Iterator[str]:
    if suggestion.position.is_over:
        yield final_text(suggestion)
        return
    yield suggestion_title(suggestion)
    yield _turn_table(suggestion)
    best = suggestion.turns[0]
    card = f" after {chosen_turn(suggestion.position, best).card}" if best.odds < 1 else ""
    if best.seats[0].sources:
        yield f"Where the gold comes from if the first turn{card} is played:"
        yield _source_table(suggestion, best)
    yield f"What may follow{card}:"
    yield "\n".join(f"  {line}" for line in main_line(suggestion.position, best))
    yield _legend(suggestion)


def final_text(suggestion: Suggestion) -> str:
    """Tell who has won a game that is over."""
    seats = setup_of(suggestion.position).seats
    gold = dict(zip(seats, suggestion.position.scores(), strict=True))
    points = points_of(list(gold.values()))
    winners = [seat for seat, point in zip(seats, points, strict=True) if point]
    verb = "has" if len(winners) == 1 else "have"
    score = ", ".join(f"{seat} {amount}" for seat, amount in gold.items())
    return f"The game is over: {' and '.join(winners)} {verb} won ({score})."


def suggestion_title(suggestion: Suggestion) -> str:
    """Tell whose turns these are, and how they were searched."""
    position = suggestion.position
    seat = setup_of(position).seats[position.actor]
    visits = "1 visit" if suggestion.visits == 1 else f"{suggestion.visits:,} visits"
    searched = f"{visits}, seed {suggestion.seed}"
    if position.pending_draw:
        return f"{seat} is to turn up a card. The best turn for each ({searched}):"
    if position.actor != position.mover:
        return f"Reactions of {seat} ({searched}):"
    return f"Turns of {seat} with {cards_shown(position)} ({searched}):"


def _turn_table(suggestion: Suggestion) -> str:
    position = suggestion.position
    seats = setup_of(position).seats
    first = ["card", "odds %"] if position.pending_draw else [""]
    rows = [[*first, "turn", WIN, "interval", *seats, "margin", "+/-", "visits"]]
    for rank, choice in enumerate(suggestion.turns, start=1):
        turn = chosen_turn(position, choice)
        own = choice.seats[position.actor]
        rows.append([
            *([turn.card, f"{100 * choice.odds:.1f}"] if position.pending_draw else [str(rank)]),
            turn.summary,
            f"{100 * own.win.value:.1f}",
            EXACT if choice.is_proven else f"{100 * own.win.low:.1f}-{100 * own.win.high:.1f}",
            *(f"{outlook.gold.value:.1f}" for outlook in choice.seats),
            f"{own.margin.value:+.1f}",
            _half(own.margin),
            f"{choice.visits:,}",
        ])  # fmt: skip
    return format_table(rows, names=len(first))


def _half(estimate: Estimate) -> str:
    half = estimate.high - estimate.value
    return f"{half:.1f}" if math.isfinite(half) else UNKNOWN


def _source_table(suggestion: Suggestion, choice: TurnChoice) -> str:
    setup = setup_of(suggestion.position)
    columns = [sources_dict(setup, outlook) for outlook in choice.seats]
    rows = [[name, *(f"{column[name]:.1f}" for column in columns)] for name in columns[0]]
    total = [f"{outlook.gold.value:.1f}" for outlook in choice.seats]
    wins = [f"{100 * outlook.win.value:.1f}" for outlook in choice.seats]
    return format_table([["", *setup.seats], *rows, [TOTAL, *total], [WIN, *wins]])


def _legend(suggestion: Suggestion) -> str:
    setup = setup_of(suggestion.position)
    names = {
        "seat": setup.seats[suggestion.position.actor],
        "seats": ", ".join(setup.seats),
    }
    rows = [(word.format(**names), text.format(**names)) for word, text in LEGEND]
    width = max(len(word) for word, _ in rows)
    return "\n".join(f"{word.ljust(width)}  {text}" for word, text in rows)
