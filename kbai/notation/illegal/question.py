"""The question why a step is illegal, with everything that the reasons depend on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kbai import content
from kbai._fast import Action, Board, Phase, Position, Step
from kbai.game.pieces import all_pieces
from kbai.game.setup import Setup, setup_of
from kbai.game.steps import unpack_step

if TYPE_CHECKING:
    from kbai._fast import Fields, SeatFields  # only the stub has them

# The section of the rules about the locations of a set.
_RULES = {
    "base": "R6.1",
    "nomads": "R6.2",
    "crossroads": "R6.3",
    "marshlands": "R6.4",
    "harvest": "R6.5",
    "island": "R6.6",
    "caves": "R6.7",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A step and the position in which somebody tries to make it."""

    position: Position
    fields: Fields
    pieces: dict[int, tuple[int, str]]
    """By cell, the seat and the kind of the piece that stands there."""
    kind: Step
    slot: int
    cell: int

    @property
    def board(self) -> Board:
        """The kernel's board."""
        return self.position.board

    @property
    def setup(self) -> Setup:
        """The set-up of the game."""
        return setup_of(self.position)

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.setup.seats

    @property
    def actor(self) -> int:
        """The number of the seat that decides."""
        return self.position.actor

    @property
    def seat(self) -> SeatFields:
        """What the seat that decides has."""
        return self.fields["seats"][self.actor]

    @property
    def owner(self) -> str:
        """The name of the seat that decides."""
        return self.seats[self.actor]

    @property
    def name(self) -> str:
        """The kind of the tile that the step uses, if it uses one."""
        return self.setup.tile_kinds[self.slot - 1] if self.slot else ""

    @property
    def tile(self) -> content.Tile:
        """The tile that the step uses."""
        return content.load().tile(self.name)

    @property
    def rule(self) -> str:
        """The section of the rules that the tile is in."""
        if isinstance(self.tile, content.NomadTile):
            return "R7.1"
        return "R9.2" if self.tile.action is Action.SILO else _RULES.get(self.tile.set, "R6.1")

    @property
    def what(self) -> str:
        """The word after the name of a tile; none after a common action."""
        return "" if self.name in content.load().commons else "tile "

    @property
    def is_under_way(self) -> bool:
        """Whether the action of the tile has begun."""
        return self.fields["doing"] is not None and self.fields["doing"][0] == self.slot

    @property
    def mandatory_verb(self) -> str:
        """What the seat still has to do with the mandatory action."""
        return "finish" if self.fields["phase"] == Phase.BUILD else "do"


def ask(position: Position, step: int) -> Asked:
    """Return the question why a step is illegal now."""
    fields = position.fields()
    return Asked(position, fields, all_pieces(position.board, fields), *unpack_step(step))
