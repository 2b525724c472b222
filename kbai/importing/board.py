"""Which board a game was played on, from what is known of its hexes and spaces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations, product

from kbai.content import CASTLE_LETTER, LOCATION_LETTER, TERRAIN_LETTERS
from kbai.core.errors import ImportedLogError
from kbai.game.cells import SIZE
from kbai.game.quadrants import N_QUADRANTS, TURNED
from kbai.game.seats import SEATS
from kbai.game.setup import Setup
from kbai.importing.tables import QUADRANTS

HALF = SIZE // 2
CASTLE = "castle"
_LETTERS = {name: letter for letter, name in TERRAIN_LETTERS.items()}
# A damaged log is still read if at most this part of what it tells contradicts its board.
_MAX_WRONG = 0.05


@dataclass(slots=True)
class Evidence:
    """What is known of the board's cells; a cell is ``row * 20 + column``."""

    terrain: dict[int, str] = field(default_factory=dict)
    """The terrain of single hexes."""
    every: dict[str, frozenset[int]] = field(default_factory=dict)
    """All hexes of a terrain."""
    spaces: dict[int, str] = field(default_factory=dict)
    """Castles and locations by kind."""
    quadrants: Sequence[str] = ()
    """The quadrants themselves, if they are named."""

    @property
    def size(self) -> int:
        """How much is known."""
        return len(self.terrain) + len(self.spaces) + sum(map(len, self.every.values()))


@dataclass(frozen=True, slots=True)
class _Quarter:
    """A quadrant as it lies on a quarter of the board: letters by cell, locations by cell."""

    letters: Mapping[int, str]
    locations: Mapping[int, str]


def find_board(sources: Iterable[Evidence]) -> tuple[str, ...]:
    """Return the board that fits, by the first of several sources that leaves no other choice.

    The last source is all that is known. Raise `ImportedLogError` if no board fits it.
    """
    evidence, fewest, boards = Evidence(), 0, list[tuple[str, ...]]()
    for evidence in sources:
        if not evidence.size and not evidence.quadrants:
            continue
        fewest, boards = _best_boards(evidence)
        if len(boards) == 1 and not fewest:
            return boards[0]
    if fewest > _MAX_WRONG * evidence.size:
        raise ImportedLogError(
            "the hexes and spaces of this log are not those of any board of the base game."
        )
    if len(boards) == 1:  # the comparison of the turns will name what is wrong
        return boards[0]
    raise ImportedLogError(
        "the log tells too little to know its board. "
        "Save the page of the replay instead, which names the quadrants."
    )


def _best_boards(evidence: Evidence) -> tuple[int, list[tuple[str, ...]]]:
    """Return the boards that the fewest facts contradict, and how many those are."""
    if evidence.quadrants:
        return 0, [tuple(evidence.quadrants)]
    wrong = {key: _contradictions(quarter, evidence) for key, quarter in _quarters().items()}
    fewest, best = 10**9, list[tuple[str, ...]]()
    for names in permutations(QUADRANTS, N_QUADRANTS):
        least = [
            min(wrong[place, name + turned] for turned in ("", TURNED))
            for place, name in enumerate(names)
        ]
        if sum(least) > fewest:
            continue
        if sum(least) < fewest:
            fewest, best = sum(least), []
        ways = (
            [n for n in (name, name + TURNED) if wrong[place, n] == least[place]]
            for place, name in enumerate(names)
        )
        best += product(*ways)
    return fewest, best


@cache
def _quarters() -> dict[tuple[int, str], _Quarter]:
    """Return every quadrant as it lies on each quarter, both ways round."""
    found = {}
    for turned in ("", TURNED):
        names = [name + turned for name in QUADRANTS]
        for first in range(len(names)):
            # Four neighbours of the list, so that each quadrant is once on each quarter.
            board = tuple(names[(first + place) % len(names)] for place in range(N_QUADRANTS))
            setup = Setup(seats=SEATS[:2], cards=(), board=board)
            letters = "".join(setup.letters)
            locations = {s.cell: s.tile for s in setup.spaces if s.tile is not None}
            for place, name in enumerate(board):
                cells = _cells_of(place)
                found[place, name] = _Quarter(
                    {cell: letters[cell] for cell in cells},
                    {cell: kind for cell, kind in locations.items() if cell in cells},
                )
    return found


def _cells_of(place: int) -> frozenset[int]:
    """Return the cells of a quarter of the board."""
    top, left = divmod(place, 2)
    return frozenset(
        (top * HALF + row) * SIZE + left * HALF + column
        for row in range(HALF)
        for column in range(HALF)
    )


def _contradictions(quarter: _Quarter, evidence: Evidence) -> int:
    """Return how many facts do not hold if a quadrant lies on a quarter."""
    letters = quarter.letters
    count = 0
    for cell, terrain in evidence.terrain.items():
        count += cell in letters and letters[cell] != _LETTERS[terrain]
    for terrain, cells in evidence.every.items():
        here = {cell for cell, letter in letters.items() if letter == _LETTERS[terrain]}
        count += len(here ^ (cells & letters.keys()))
    for cell, kind in evidence.spaces.items():
        count += cell in letters and _space(quarter, cell) != kind
    return count


def _space(quarter: _Quarter, cell: int) -> str | None:
    letter = quarter.letters[cell]
    if letter == CASTLE_LETTER:
        return CASTLE
    return quarter.locations.get(cell) if letter == LOCATION_LETTER else None
