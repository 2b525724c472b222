"""Ideas: turns that differ in a detail that does not matter are one.

Two turns are one idea if all that they do is the same but for the hex of one piece, and the search
saw both often enough and makes no difference between them that it could be sure of. If both were
played on, tree and games together must see no difference.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from kbai._fast import Position
from kbai.game.steps import end_of
from kbai.search.results import TurnChoice, Variant

# With fewer visits, or games played on, nobody knows yet whether a detail matters.
SEEN = 100
SEEN_GAMES = 12
# How far the numbers of one idea may be apart, in gold and in win probability: within what a tree
# misjudges of the difference between two turns (docs/strength.md) ...
MARGIN_APART = 1.0
WIN_APART = 0.03
# ... and in the gold of every single source.
SOURCE_APART = 1.0


def group(position: Position, turns: Iterable[TurnChoice], top: int) -> tuple[TurnChoice, ...]:
    """Return the first ``top`` ideas among some turns, each as its first turn with its variants.

    ``position`` is the one that their steps begin in, ``turns`` has the best first.
    """
    ideas: list[_Idea] = []
    for turn in turns:
        new = _Idea(position, turn)
        idea = next((each for each in ideas if each.is_also(new)), None)
        if idea is not None:
            idea.variants.append(idea.variant(new))
        elif len(ideas) < top:
            ideas.append(new)
        elif not _is_known(turn):
            break
    return tuple(idea.choice() for idea in ideas)


class _Idea:
    """A turn, where it leads, and the turns that are the same idea."""

    def __init__(self, start: Position, turn: TurnChoice) -> None:
        self.start = start
        self.turn = turn
        self.variants = [*turn.variants]

    @cached_property
    def end(self) -> _End:
        return _End.of(self.start, self.turn)

    def choice(self) -> TurnChoice:
        if not self.variants:
            return self.turn
        best_first = sorted(self.variants, key=lambda each: (-each.win, -each.margin))
        return replace(self.turn, variants=tuple(best_first))

    def is_also(self, other: _Idea) -> bool:
        """Tell whether another turn differs from this one in a detail that does not matter."""
        one, two = self.turn, other.turn
        return (
            all(map(_is_known, (one, two)))
            and bool(one.games) == bool(two.games)
            and self._is_close(two)
            and self._is_near(other)
        )

    def _is_close(self, turn: TurnChoice) -> bool:
        """Tell whether the numbers of a turn are those of this one, as far as anybody knows."""
        seat = self.start.actor
        one, two = self.turn.seats[seat], turn.seats[seat]
        win, margin = two.win.value - one.win.value, two.margin.value - one.margin.value
        if self.turn.is_proven or turn.is_proven:
            return self.turn.is_proven and turn.is_proven and win == margin == 0
        sources = zip(one.sources, two.sources, strict=True)
        return (
            abs(win) <= WIN_APART
            and abs(margin) <= MARGIN_APART
            and all(abs(a - b) < SOURCE_APART for a, b in sources)
        )

    def _is_near(self, other: _Idea) -> bool:
        """Tell whether the two turns lead to the same position but for the hex of one house."""
        one, two = self.end, other.end
        return (
            len(one.houses - two.houses) == len(two.houses - one.houses) == 1
            # If it is only one of them that stood there before, only one of the turns has moved it.
            and len((one.houses ^ two.houses) & one.before) != 1
            and one.castles == two.castles
            and one.rest == two.rest
        )

    def variant(self, other: _Idea) -> Variant:
        """Return another turn as a variant of this one."""
        seat = self.start.actor
        one, two = self.turn.seats[seat], other.turn.seats[seat]
        (cell,) = other.end.houses - self.end.houses
        (instead,) = self.end.houses - other.end.houses
        return Variant(
            steps=other.turn.steps,
            visits=other.turn.visits,
            cell=cell,
            instead=instead,
            is_moved=cell in self.end.before,
            win=two.win.value - one.win.value,
            margin=two.margin.value - one.margin.value,
        )


def _is_known(turn: TurnChoice) -> bool:
    """Tell whether a turn was looked at often enough to compare it."""
    is_seen = turn.games >= SEEN_GAMES if turn.games else turn.visits >= SEEN
    return turn.is_finished and (is_seen or turn.is_proven)


@dataclass(frozen=True, slots=True)
class _End:
    """Where a turn leads."""

    before: frozenset[int]
    """The houses before the turn."""
    houses: frozenset[int]
    castles: int
    """Their gold now."""
    rest: object
    """All else in the position: tiles, figures, cards, gold scored so far, what others have."""

    @classmethod
    def of(cls, start: Position, turn: TurnChoice) -> _End:
        """Return where a turn leads, for the seat that decides."""
        seat = start.actor
        after = end_of(start, turn.steps)
        fields = after.fields()
        houses = frozenset(fields["seats"][seat]["cells"])
        fields["seats"][seat]["cells"] = []
        before = frozenset(start.fields()["seats"][seat]["cells"])
        return cls(before, houses, after.score_detail()[seat][0], fields)
