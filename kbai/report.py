"""Results as text and as dicts for JSON."""

from __future__ import annotations

from kbai._fast import Position
from kbai.notation import setup_of

# Gold that is not from cards or tasks, in the order of the kernel.
CASTLES, TREASURE, PALACES, CAPITOLS = "castles", "treasure", "palaces", "capitols"
TOTAL = "total"


def score_rows(position: Position) -> dict[str, dict[str, int]]:
    """Return each seat's gold if the game ended now, by source, and the total.

    Castles come first, then what the board has of treasure (nomad spaces), palaces and capitols,
    then each card and each task.
    """
    setup = setup_of(position)
    names = (CASTLES, TREASURE, PALACES, CAPITOLS, *setup.cards, *setup.tasks)
    absent = set()
    if not setup.nomad_cells:
        absent.add(TREASURE)
    if not any(space.kind == "palace" for space in setup.spaces):
        absent.add(PALACES)
    if not setup.capitols:
        absent.add(CAPITOLS)
    rows = {}
    for seat, gold in zip(setup.seats, position.score_detail(), strict=True):
        named = zip(names, gold, strict=True)
        rows[seat] = {name: points for name, points in named if name not in absent}
        rows[seat][TOTAL] = sum(gold)
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
