"""Variants of a turn in a few words: "or p17 / n14 for p15, moving c6 instead of d7: -0.3"."""

from __future__ import annotations

from kbai.game.cells import format_cell
from kbai.report.numbers import decimal
from kbai.search.results import TurnChoice

# More than these are only counted.
MOST = 3


def variants_text(choice: TurnChoice) -> str:
    """Return what can be played as well, and the margin of the worst of it; nothing if none can."""
    named, more = choice.variants[:MOST], len(choice.variants[MOST:])
    if not named:
        return ""
    hexes: dict[int, list[str]] = {}
    moved: dict[int, list[str]] = {}
    for variant in named:
        if variant.is_moved:
            moved.setdefault(variant.cell, []).append(format_cell(variant.instead))
        else:
            hexes.setdefault(variant.instead, []).append(format_cell(variant.cell))
    texts = [f"{' / '.join(cells)} for {format_cell(hex)}" for hex, cells in hexes.items()]
    texts += [
        f"moving {' / '.join(cells)} instead of {format_cell(hex)}" for hex, cells in moved.items()
    ]
    rest = f" and {more} more" if more else ""
    worst = min(variant.margin for variant in choice.variants)
    return f"or {', '.join(texts)}{rest}: {decimal(worst, signed=True)}"
