"""The games of a journal as a document."""

from __future__ import annotations

from collections.abc import Sequence

from kbai.arena.results import Result, first_reasons
from kbai.report.document import Column, Document, Heading, Kind, Row, Table, Terms, document


def games_document(results: Sequence[Result]) -> Document:
    """Return a list of games: id, deal, turns, bots and gold by seat, and what went wrong."""
    columns = (
        Column("game", Kind.NAME),
        Column("deal"),
        Column("turns"),
        Column("bots and gold", Kind.PROSE),
    )
    games = Table(columns, tuple(map(_game_row, results)))
    if not (reasons := first_reasons(results)):
        return document(games)
    heading = Heading("Why a bot first gave a game up:")
    return document(games, heading, Terms(tuple(reasons.items())))


def _game_row(game: Result) -> Row:
    seats = ", ".join(f"{bot} {gold}" for bot, gold in zip(game.bots, game.gold, strict=True))
    trouble = "" if game.outcome == "over" else f" ({game.outcome})"
    return Row((game.id, str(game.deal), str(game.turns), f"{seats}{trouble}"))
