"""Results as text and as dicts for JSON."""

from __future__ import annotations

from kbai._fast import Position
from kbai.notation import setup_of

CASTLES = "castles"
TREASURE = "treasure"
TOTAL = "total"


def score_rows(position: Position) -> dict[str, dict[str, int]]:
    """Return each seat's gold if the game ended now: castles, treasure, each card, the total.

    Treasure is left out on boards without nomad spaces.
    """
    setup = setup_of(position)
    names = (CASTLES, TREASURE, *setup.cards)
    rows = {}
    for seat, gold in zip(setup.seats, position.score_detail(), strict=True):
        rows[seat] = dict(zip(names, gold, strict=True)) | {TOTAL: sum(gold)}
        if not setup.nomad_cells:
            del rows[seat][TREASURE]
    return rows


def score_dict(position: Position) -> dict[str, object]:
    """Return the gold of all seats as ``kbai score --format json`` prints it."""
    return {"seats": score_rows(position)}


def score_text(position: Position) -> str:
    """Return the gold as a table: a row for each card, a column for each seat."""
    columns = score_rows(position)
    names = list(next(iter(columns.values())))
    head = ["", *columns]
    rows = [[name, *(str(gold[name]) for gold in columns.values())] for name in names]
    return format_table([head, *rows])


def format_table(rows: list[list[str]]) -> str:
    """Return rows of texts as lines, the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *rest in rows:
        cells = [first.ljust(widths[0])]
        cells += [text.rjust(width) for text, width in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join(cells))
    return "\n".join(lines)
