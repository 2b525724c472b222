"""What pages say about a position: the cards of the game, and what each seat has."""

from __future__ import annotations

from kbai._fast import Position
from kbai.draw import facts
from kbai.game.setup import Setup, setup_of
from kbai.report.document import Column, Kind, Row, Table


def game_line(setup: Setup) -> str:
    """Return the cards and tasks of a game in one line."""
    texts = (f"{label}: {text}" for label, text in facts.set_up_texts(setup))
    return "; ".join(texts).replace("_", " ")


def seats_table(position: Position) -> Table:
    """Return what each seat has."""
    setup = setup_of(position)
    seats = zip(setup.seats, position.fields()["seats"], position.scores(), strict=True)
    rows = (
        (
            name,
            str(gold),
            str(facts.settlements(position, seat)),
            str(seat["supply"]),
            ", ".join(facts.tile_texts(setup, seat)).replace("_", " "),
        )
        for name, seat, gold in seats
    )
    return Table(
        (
            Column("", Kind.NAME),
            *map(Column, ("gold", "settlements", "supply")),
            Column("tiles", Kind.PROSE),
        ),
        tuple(map(Row, rows)),
    )
