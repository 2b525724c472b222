"""Houses: which turn puts more of them on the board."""

from __future__ import annotations

from kbai.explain.kingdom import Kingdom
from kbai.explain.words import plural


def houses_more(first: Kingdom, second: Kingdom, other: str) -> str | None:
    """Return which of two turns puts more houses on the board; ``other`` is the second."""
    more = len(first.own["cells"]) - len(second.own["cells"])
    if not more:
        return None
    text = f"puts {plural(abs(more), 'more house')} on the board"
    return text if more > 0 else f"{other} {text}"
