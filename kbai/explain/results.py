"""What there is to say about the difference between two turns."""

from __future__ import annotations

from dataclasses import dataclass

from kbai.core.intervals import Estimate

# Names of parts that are no source of gold.
TILES, CHOICES, OPPONENTS, BETTER_PLAY = "tiles", "choices", "opponents", "better play"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the difference."""

    name: str
    """A source of gold, as `kbai.game.sources` has it, or one of the names above."""
    gold: Estimate
    """What the first turn brings more, to the margin of the seat that decides."""
    fact: str = ""
    """What the first turn has on the board, as the rest of a sentence about it. Left out if the
    gold speaks for the second turn, or if that has more now and the gold is not clear."""
    other: str = ""
    """What the second turn has, likewise."""
    is_clear: bool = False
    """Whether the gold is more than what chance and doubt make of nothing."""
    now: int = 0
    """How much more gold of this source the first turn has, if the game ended with it."""
    mostly: str = ""
    """Of the opponents: the source that most of their gold comes from, if it is one."""


@dataclass(frozen=True, slots=True)
class Names:
    """What two turns are called in a sentence."""

    first: str = "the first turn"
    second: str = "the other turn"

    @classmethod
    def of_list(cls, first: int, second: int) -> Names:
        """Return the names of two turns of a list, counted from 0."""
        return cls(f"turn {first + 1}", f"turn {second + 1}")

    def facts(self, part: Part, *, is_first_named: bool = False) -> str:
        """Return what both turns have on the board of a part."""
        fact = f"{self.first} {part.fact}" if is_first_named else part.fact
        other = f"{self.second} {part.other}"
        return ", ".join([fact] * bool(part.fact) + [other] * bool(part.other))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Why one turn is better than another, or not."""

    parts: tuple[Part, ...]
    """Sources of gold in the order of `Position.score_detail`, then the others."""
    margin: Estimate
    """The sum of the parts: what the first turn brings more, in gold ahead of the best opponent."""
    games: int
    """How many pairs of games with the same cards it rests on, besides the search."""
    sentence: str
    """The largest parts that are clear, in words."""
    names: Names
    """What the two turns are called in it."""
