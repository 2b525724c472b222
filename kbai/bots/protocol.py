"""What a bot is: it sees a view of a game and chooses the next step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kbai._fast import Position


@dataclass(frozen=True, slots=True)
class View:
    """What a seat knows when it has to decide."""

    position: Position
    """A copy of what everyone at the table knows, with the mover's cards face up."""
    seat: int
    """The seat that decides: the mover, or one that may react."""
    seed: int
    """For this decision only. All randomness of a bot comes from it."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What a bot did wrong, counted."""

    illegal: int = 0
    """Answers that are not legal actions."""
    timeout: int = 0
    crash: int = 0
    junk_lines: int = 0
    """Lines that are not answers. They are skipped; only too many of them are a fault."""

    def __add__(self, other: Faults) -> Faults:
        return Faults(
            self.illegal + other.illegal,
            self.timeout + other.timeout,
            self.crash + other.crash,
            self.junk_lines + other.junk_lines,
        )

    def __sub__(self, other: Faults) -> Faults:
        return Faults(
            self.illegal - other.illegal,
            self.timeout - other.timeout,
            self.crash - other.crash,
            self.junk_lines - other.junk_lines,
        )

    def to_dict(self) -> dict[str, int]:
        """Return the counts under the keys of journals, where junk lines are ``babble``."""
        return {
            "illegal": self.illegal,
            "timeout": self.timeout,
            "crash": self.crash,
            "babble": self.junk_lines,
        }


class Bot(Protocol):
    """A player. From `begin` on, the same sequence of views gives the same steps.

    This cannot hold for external programs and for bots that play by the clock; it holds for all
    others.
    """

    spec: str = ""
    """The canonical spec, which identifies a bot everywhere; `make_bot` sets it."""
    faults: Faults = Faults()
    """All since the bot was made."""

    def begin(self) -> None:
        """Forget everything, because a new game begins. A new bot needs no call."""
        return None

    def choose(self, view: View) -> int:
        """Return a legal step; raise BotFault to give up the game."""

    def close(self) -> None:
        """Release what the bot holds, such as a process; most bots hold nothing."""
        return None
