"""A bot that takes the most gold it can get at once."""

from __future__ import annotations

import random

from kbai._fast import Action, Position, Step
from kbai.bots.protocol import Bot, View
from kbai.game.steps import unpack_step

# Roughly what a tile brings in a game. It never changes: greedy is the yardstick for other bots.
TILE_GOLD = 5
_IDLE = (Step.END, Step.STOP, Step.PASS)
# Steps that do nothing by themselves: each is worth as much as the best step it leads to.
_OPENING = (Step.LIFT, Step.DECLARE, Step.REPEAT, Step.CHOOSE)


class GreedyBot(Bot):
    """Looks one action ahead: its own gold plus a bonus for each tile; the seed breaks ties."""

    def choose(self, view: View) -> int:
        position = view.position
        legal = position.legal()
        idle = [step for step in legal if unpack_step(step)[0] in _IDLE]
        active = [step for step in legal if step not in idle]
        if not active:
            return idle[0]
        judge = _Judge(position, view.seat)
        worth = {step: judge.value(position, step) - judge.before for step in active}
        best = max(worth.values())
        if best <= 0:
            if idle:
                return idle[0]
            # It must do something: the mandatory action, or the rest of one that has begun.
            active = [step for step in active if unpack_step(step)[1] == 0] or active
            best = max(worth[step] for step in active)
        ties = [step for step in active if worth[step] == best]
        # Keep an outpost that makes nothing better possible.
        ties = [step for step in ties if unpack_step(step)[0] is not Step.DECLARE] or ties
        return random.Random(view.seed).choice(ties)


class _Judge:
    """What positions are worth to one seat, in gold."""

    def __init__(self, position: Position, seat: int) -> None:
        self.seat = seat
        self.board = position.board
        actions = enumerate(self.board.tiles, start=1)
        # A city hall touches spaces that are not next to its centre.
        self.halls = [slot for slot, tile in actions if tile[0] == Action.HALL]
        self.tiles = self.count_tiles(position)
        self.before = position.scores()[seat] + TILE_GOLD * self.tiles

    def count_tiles(self, position: Position) -> int:
        """Count the location tiles held and the nomad tiles taken: using these is no loss."""
        fields = position.fields()
        return len(fields["seats"][self.seat]["held"]) + len(fields["gone"])

    def value(self, position: Position, step: int, lifted: int | None = None) -> float:
        """Return what the position is worth after a step and the best step that it leads to."""
        after = position.copy()
        after.apply(step)
        kind, slot, cell = unpack_step(step)
        if kind in _OPENING:
            return self.best_after(after, step)
        cells = (cell,) if lifted is None else (cell, lifted)
        tiles = self.tiles
        # Counting is slow, and most hexes are not next to a space.
        if slot in self.halls or any(map(self.board.spaces_beside, cells)):
            tiles = self.count_tiles(after)
        return after.scores()[self.seat] + TILE_GOLD * tiles

    def best_after(self, after: Position, step: int) -> float:
        """Return the value of the best step among those that the opening step leads to."""
        if after.pending_draw:
            counts = after.draws()
            total = 0.0
            for card, count in enumerate(counts):
                if count:
                    drawn = after.copy()
                    drawn.draw(card)
                    total += count * self.best_after(drawn, step)
            return total / sum(counts)
        kind, _, cell = unpack_step(step)
        lifted = cell if kind is Step.LIFT else None
        values = [
            self.value(after, other, lifted)
            for other in after.legal()
            if _follows(kind, cell, other)
        ]
        return max(values, default=self.before)


def _follows(kind: Step, cell: int, other: int) -> bool:
    """Tell whether an opening step of this kind and cell leads to the other step."""
    other_kind, other_slot, _ = unpack_step(other)
    match kind:
        case Step.CHOOSE:
            return other_kind is Step.BUILD and other_slot == 0
        case Step.REPEAT:
            return other_slot == cell
        case Step.DECLARE:
            return other_kind is Step.BUILD
        case _:
            return other_kind is Step.PUT
