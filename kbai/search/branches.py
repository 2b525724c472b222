"""The positions that the next cards can lead to, and how likely each is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kbai._fast import Position
from kbai.game.steps import draw_step


@dataclass(frozen=True, slots=True)
class Branch:
    """A position in which somebody decides, after some cards were turned up."""

    position: Position
    draws: tuple[int, ...]
    odds: float
    """The probability of the position; its cards may come in any order."""


def branches(position: Position) -> list[Branch]:
    """Return the positions after all pending draws, the likeliest first."""
    if not position.pending_draw:
        return [Branch(position.copy(), (), 1.0)]
    found: dict[Position, Branch] = {}
    waiting = [Branch(position.copy(), (), 1.0)]
    while waiting:
        branch = waiting.pop(0)
        if not branch.position.pending_draw:
            old = found.get(branch.position, replace(branch, odds=0.0))
            found[branch.position] = replace(old, odds=old.odds + branch.odds)
            continue
        counts = branch.position.draws()
        for card, count in enumerate(counts):
            if count:
                drawn = branch.position.copy()
                drawn.draw(card)
                odds = branch.odds * count / sum(counts)
                waiting.append(Branch(drawn, (*branch.draws, draw_step(card)), odds))
    return sorted(found.values(), key=lambda branch: -branch.odds)
