"""Houses: which turn has more of them on the board, or left."""

from __future__ import annotations

from kbai.explain.kingdom import Kingdom
from kbai.explain.words import plural


def houses_more(first: Kingdom, second: Kingdom) -> str | None:
    """Return how many more houses the first turn has on the board."""
    more = len(first.own["cells"]) - len(second.own["cells"])
    return f"has {plural(more, 'more house')} on the board" if more > 0 else None


def houses_kept(first: Kingdom, second: Kingdom) -> str | None:
    """Return how many more houses the first turn leaves in the supply: what it has, it can use
    for longer."""
    more = first.own["supply"] - second.own["supply"]
    return f"has {plural(more, 'more house')} left to build" if more > 0 else None
