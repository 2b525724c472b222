"""Standings in every format that ``--format`` knows."""

from __future__ import annotations

from collections.abc import Callable

from kbai.arena.standings import Standings
from kbai.report.document_formats import DOCUMENT_FORMATS, format_document
from kbai.report.standings_document import standings_document
from kbai.report.standings_json import standings_csv, standings_json

FOR_PROGRAMS: dict[str, Callable[[Standings], str]] = {
    "csv": standings_csv,
    "json": standings_json,
}
FORMATS = (*DOCUMENT_FORMATS, *FOR_PROGRAMS)


def format_standings(standings: Standings, form: str, width: int | None = None) -> str:
    """Return the standings in one of `FORMATS`, text for a terminal of this width."""
    if form in FOR_PROGRAMS:
        return FOR_PROGRAMS[form](standings)
    return format_document(standings_document(standings), form, width)
