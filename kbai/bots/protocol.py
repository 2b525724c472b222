"""What a bot is: it is shown a view of a game and names the next step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kbai._fast import Position


@dataclass(frozen=True, slots=True)
class View:
    """What a seat knows when it has to decide."""

    position: Position
    """A copy: what everybody at the table knows, and the mover's cards turned up."""
    seat: int
    """The seat that decides: the mover, or one that may react."""
    seed: int
    """For this decision alone; all randomness of a bot comes from here."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What a bot did wrong, counted."""

    illegal: int = 0
    """Answers that are no legal action."""
    timeout: int = 0
    crash: int = 0
    babble: int = 0
    """Lines that are no answer; skipped, so not a fault yet unless there are too many."""

    def __add__(self, other: Faults) -> Faults:
        return Faults(
            self.illegal + other.illegal,
            self.timeout + other.timeout,
            self.crash + other.crash,
            self.babble + other.babble,
        )

    def __sub__(self, other: Faults) -> Faults:
        return Faults(
            self.illegal - other.illegal,
            self.timeout - other.timeout,
            self.crash - other.crash,
            self.babble - other.babble,
        )


class Bot(Protocol):
    """A player. The same sequence of views from `begin` on gives the same steps.

    External programs and bots that think by the clock cannot be held to that; all others are.
    """

    spec: str = ""
    """The canonical spec string, a bot's identity everywhere; `make_bot` sets it."""
    faults: Faults = Faults()
    """Since the bot was made."""

    def begin(self) -> None:
        """Forget everything: a new game begins. A bot that was just made needs no call."""
        return None

    def choose(self, view: View) -> int:
        """Return a legal step; raise BotFault to give the game up."""

    def close(self) -> None:
        """Give back what the bot holds, such as a process; most bots hold nothing."""
        return None
