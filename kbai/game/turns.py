"""Turns told apart by the position alone: whoever sees only some positions need not count."""

from __future__ import annotations

from dataclasses import dataclass

from kbai._fast import Phase, Position


@dataclass(frozen=True, slots=True)
class TurnMark:
    """What a position says about the turn it is in."""

    mover: int
    discarded: int
    """Cards on the discard pile."""
    used: int
    """Tiles that the mover has used in this turn."""
    is_silo: bool
    """Whether this comes after the last turn."""

    @classmethod
    def of(cls, position: Position) -> TurnMark:
        """Return the mark of a position."""
        fields = position.fields()
        used = sum(fields["seats"][fields["mover"]]["used"])
        is_silo = fields["phase"] == Phase.SILO
        return cls(fields["mover"], sum(fields["discard"]), used, is_silo)

    def is_same_turn(self, later: TurnMark) -> bool:
        """Tell whether a later position is in the same turn.

        A turn that ends discards its card, and so does every turn until the mover is on turn again.
        Within a turn only a fort discards a card, and no tile becomes unused. The card that a fort
        draws may be the first of a new pile.
        """
        if self.mover != later.mover or self.is_silo != later.is_silo or later.used < self.used:
            return False
        discarded = later.discarded - self.discarded
        return 0 <= discarded <= 1 or (discarded < 0 and later.used > self.used)
