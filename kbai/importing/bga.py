"""A game from a log or a replay page of Board Game Arena."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kbai.core.errors import ImportedLogError
from kbai.core.texts import MAX_LOG
from kbai.importing.archive import Archive, parse_log
from kbai.importing.kinds import BLANKS, WEB_ARCHIVE
from kbai.importing.page import parse_page
from kbai.importing.replay import Replayed, replay
from kbai.importing.states import with_cards
from kbai.importing.survey import Survey, survey
from kbai.notation.games import Game, record_game

SITE = "Board Game Arena"


@dataclass(frozen=True, slots=True)
class Imported:
    """A game, and how far the log bears it out."""

    game: Game
    table: int | None
    """The number of the table, if the log tells it."""
    agreed: Mapping[str, int]
    """How often what was compared with the log, without a difference."""
    notes: tuple[str, ...]
    """What else there is to say: who gave up, events that nobody knows."""
    difference: str
    """The first thing on which log and rules differ; the game goes up to there."""

    @property
    def summary(self) -> str:
        """What was compared, in one sentence."""
        parts = [f"{count:,} {kind}" for kind, count in sorted(self.agreed.items())]
        n_turns = len(self.game.turns)
        turns = f"{n_turns} turn{'s' * (n_turns != 1)}"
        return f"{turns}; in agreement with the log: {', '.join(parts) or 'nothing compared'}."


def import_game(text: str, *, anonymous: bool = False) -> Imported:
    """Return the game of a saved log or replay page.

    Raise `ImportedLogError` if the text is neither, or tells too little.
    """
    archive = with_cards(_parse(text))
    table = survey(archive)
    replayed = replay(archive, table)
    game = record_game(
        table.setup.start_position(), replayed.steps, header=_header(table, anonymous)
    )
    notes = (*table.notes, *_unknown_events(replayed))
    return Imported(game, table.table, dict(replayed.agreed), notes, replayed.difference)


def _parse(text: str) -> Archive:
    if len(text) > MAX_LOG:
        raise ImportedLogError(
            f"expected a log of at most {MAX_LOG:,} characters, got {len(text):,}."
        )
    text = text.lstrip(BLANKS)
    if WEB_ARCHIVE.match(text):
        raise ImportedLogError(
            "this is a page saved with all its parts in one file; save it as 'HTML only'."
        )
    return parse_page(text) if text.startswith("<") else parse_log(text)


def _unknown_events(replayed: Replayed) -> list[str]:
    notes = []
    for kind, count in sorted(replayed.unknown.items()):
        times = "once" if count == 1 else f"{count} times"
        notes.append(f"unknown event {kind!r}, {times}: left out.")
    return notes


def _header(table: Survey, anonymous: bool) -> list[tuple[str, str]]:
    event = SITE if table.table is None else f"{SITE}, table {table.table}"
    header = [("Event", event)]
    if table.date:
        header.append(("Date", table.date))
    names = [f"{player.seat} {player.name}" for player in table.players if player.name]
    if names and not anonymous:
        header.append(("Players", ", ".join(names)))
    header += [("Note", f"{seat} gave up") for seat in table.conceded]
    return header
