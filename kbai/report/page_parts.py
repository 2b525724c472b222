"""Tables and short texts about turns that pages share."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kbai._fast import Position
from kbai.core.intervals import Estimate
from kbai.draw import facts
from kbai.game.setup import Setup, setup_of
from kbai.report.html import NAME, NUMBER, TEXT, Part, Row, Rows
from kbai.report.scores import TOTAL
from kbai.report.suggestion_json import chosen_turn, sources_dict
from kbai.search.results import TurnChoice

UNKNOWN = "?"


def game_line(setup: Setup) -> str:
    """Tell the cards and tasks of a game."""
    return "; ".join(f"{label}: {text}" for label, text in facts.set_up_texts(setup))


def percent(share: float) -> str:
    """Return a share in hundredths."""
    return f"{100 * share:z.1f}"


def win_interval(choice: TurnChoice, seat: int) -> str:
    """Return between what the chance to win is."""
    win = choice.seats[seat].win
    return "exact" if choice.is_proven else f"{percent(win.low)}-{percent(win.high)}"


def gold_text(setup: Setup, choice: TurnChoice) -> str:
    """Return the gold of each seat in a line."""
    pairs = zip(setup.seats, choice.seats, strict=True)
    return ", ".join(f"{seat} {outlook.gold.value:.1f}" for seat, outlook in pairs)


def half_width(estimate: Estimate, scale: float = 1.0) -> str:
    """Return how far the interval goes from the value."""
    half = scale * (estimate.high - estimate.low) / 2
    return f"{half:.1f}" if math.isfinite(half) else UNKNOWN


def candidate_rows(
    position: Position,
    choices: Sequence[TurnChoice],
    *,
    best: tuple[int, ...] | None = None,
    played: tuple[int, ...] | None = None,
) -> Rows:
    """Return turns and what is to be expected of each; those with these steps stand out."""
    setup = setup_of(position)
    actor = position.actor
    has_draw = any(choice.odds < 1 for choice in choices)
    body = []
    for rank, choice in enumerate(choices, start=1):
        turn = chosen_turn(position, choice)
        own = choice.seats[actor]
        first = (turn.card, percent(choice.odds)) if has_draw else (str(rank),)
        css = ["is-best"] * (choice.steps == best) + ["is-played"] * (choice.steps == played)
        body.append(
            Row(
                (
                    *first,
                    turn.summary,
                    percent(own.win.value),
                    win_interval(choice, actor),
                    *(f"{outlook.gold.value:.1f}" for outlook in choice.seats),
                    f"{own.margin.value:+.1f}",
                    half_width(own.margin),
                    f"{choice.visits:,}",
                ),
                " ".join(css),
            )
        )
    heads = ("card", "odds %") if has_draw else ("",)
    numbers = ("win %", "interval", *setup.seats, "margin", "+/-", "visits")
    return Rows(
        head=(*heads, "turn", *numbers),
        classes=(NAME, *(NUMBER,) * (len(heads) - 1), TEXT, *(NUMBER,) * len(numbers)),
        body=tuple(body),
    )


def source_parts(setup: Setup, choices: dict[str, TurnChoice]) -> tuple[Part, ...]:
    """Return where the gold of every seat comes from, after each of some turns."""
    counted = {name: choice for name, choice in choices.items() if choice.seats[0].sources}
    if not counted:
        return ()
    columns = {
        f"{seat} {name}".strip(): sources_dict(setup, choice.seats[index])
        | {TOTAL: choice.seats[index].gold.value}
        for index, seat in enumerate(setup.seats)
        for name, choice in counted.items()
    }
    rows = Rows(
        head=("", *columns),
        classes=(NAME, *(NUMBER,) * len(columns)),
        body=tuple(
            Row(
                (source.replace("_", " "), *(f"{gold[source]:.1f}" for gold in columns.values())),
                "total" if source == TOTAL else "",
            )
            for source in next(iter(columns.values()))
        ),
    )
    return (Part("Gold by card", rows),)


def seat_rows(position: Position) -> Rows:
    """Return what each seat has."""
    setup = setup_of(position)
    body = tuple(
        Row((
            name,
            str(gold),
            str(facts.settlements(position, seat)),
            str(seat["supply"]),
            ", ".join(facts.tile_texts(setup, seat)).replace("_", " "),
        ))
        for name, seat, gold in zip(
            setup.seats, position.fields()["seats"], position.scores(), strict=True)
    )  # fmt: skip
    return Rows(
        head=("", "gold", "settlements", "supply", "tiles"),
        classes=(NAME, NUMBER, NUMBER, NUMBER, TEXT),
        body=body,
    )
