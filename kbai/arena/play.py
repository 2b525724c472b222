"""Playing one game with the cards of a deal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kbai._fast import Position
from kbai.arena.deals import Deal
from kbai.bots.protocol import View
from kbai.core.errors import BotFault
from kbai.core.seeds import derive_seed
from kbai.game.steps import END, draw_step

# A game of all sets has a few hundred steps; this ends one that would go on forever.
MAX_STEPS = 20_000


@dataclass(frozen=True, slots=True)
class Played:
    """A game as it was played, to its end or until it was stopped."""

    final: Position
    steps: tuple[int, ...]
    """With the cards turned up, as `kbai.notation.games.record_game` takes them."""
    turns: int
    loser: int | None = None
    """The seat that gave up."""
    reason: str = ""
    """Why it did."""

    @property
    def is_over(self) -> bool:
        """Whether the game ended; if not, a seat gave up or it had too many steps."""
        return self.final.is_over


def play(
    start: Position,
    deal: Deal,
    choose: Callable[[View], int],
    *,
    seed: int,
    max_steps: int = MAX_STEPS,
) -> Played:
    """Play a game to its end. ``seed`` is for the decisions; the cards come from the deal."""
    position = start.copy()
    steps: list[int] = []
    decisions = turns = 0
    while not position.is_over and len(steps) < max_steps:
        if position.pending_draw:
            card = deal.draw(position)
            position.draw(card)
            steps.append(draw_step(card))
            continue
        mover, actor = position.mover, position.actor
        view = View(position.copy(), actor, derive_seed(seed, "bot", actor, decisions))
        decisions += 1
        try:
            step = choose(view)
        except BotFault as fault:
            return Played(position, tuple(steps), turns, loser=actor, reason=str(fault))
        position.apply(step)
        steps.append(step)
        if step == END:
            turns += 1
            deal.fill_hand(position, mover)
    return Played(position, tuple(steps), turns)
