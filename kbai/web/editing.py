"""The board as somebody sets it up: what contradicts the rules is left out, and said.

The page sends the keys of a position (docs/forms.md). What comes back is a position that holds,
with a sentence for everything that does not, and the place it is about.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kbai._fast import Position
from kbai.content import TERRAIN_CARDS
from kbai.core.errors import NotationError
from kbai.game.cells import format_cell
from kbai.game.pieces import pieces_of
from kbai.game.random_setup import draw_capitols, draw_caves, draw_island, draw_nomads, draw_tasks
from kbai.game.setup import Setup, setup_of
from kbai.notation.schema import position_from_dict, position_to_dict

# What contradicts the rules goes one by one; nobody has set up more than this by mistake.
MAX_REPAIRS = 200
# Without these there is no position, so they are never left out.
_NEEDED = ("board", "map", "cards", "seat", "turn", "card", "settlements")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was left out, and why."""

    message: str
    path: tuple[str, ...]
    """The keys that lead to it."""
    token: str
    """The word to blame, such as a cell."""

    def to_dict(self) -> dict[str, object]:
        """Return it for JSON."""
        return {"message": self.message, "path": list(self.path), "token": self.token}


@dataclass(frozen=True, slots=True)
class Edited:
    """A position that was set up, and what was left out of it."""

    position: Position
    problems: tuple[Problem, ...]


def edit(data: Mapping[str, object]) -> Edited:
    """Return the position that a dict describes, without what contradicts the rules.

    `NotationError` if something is wrong that a position cannot do without.
    """
    try:
        kept: dict[str, Any] = copy.deepcopy(dict(data))
    except RecursionError:
        raise NotationError("expected the keys of a position, got far too many levels.") from None
    problems: list[Problem] = []
    while True:
        try:
            return Edited(position_from_dict(kept), tuple(problems))
        except NotationError as error:
            if len(problems) >= MAX_REPAIRS or not _leave_out(kept, error.path):
                raise
            path = tuple(str(part) for part in error.path)
            problems.append(Problem(error.message, path, error.token))


def _leave_out(data: dict[str, Any], path: tuple[str | int, ...]) -> bool:
    """Take the value at a path out of nested tables; tell whether that was possible."""
    value: Any = data
    for part in path[:-1]:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return False
    if not path or path[-1] in _NEEDED or (path[0] == "seat" and len(path) < 3):
        return False
    if isinstance(value, dict) and path[-1] in value:
        del value[path[-1]]
        return True
    if isinstance(value, list) and isinstance(path[-1], int) and path[-1] < len(value):
        if len(path) == 2 and path[0] in ("board", "map"):
            return False
        del value[path[-1]]
        return True
    return False


def editable(position: Position) -> dict[str, object]:
    """Return the keys of a position, without tiles that follow from the settlements anyway."""
    data: dict[str, Any] = position_to_dict(position)
    seats = data["seat"]
    plain = {name: {k: v for k, v in seat.items() if k != "tiles"} for name, seat in seats.items()}
    try:
        is_usual = position_from_dict({**data, "seat": plain}) == position
    except NotationError:
        is_usual = False
    return {**data, "seat": plain} if is_usual else data


def location_list(position: Position) -> list[dict[str, object]]:
    """Return the locations of a board: who stands beside each, and who holds its tile."""
    setup, fields = setup_of(position), position.fields()
    board = position.board
    rows: list[dict[str, object]] = []
    for index, space in enumerate(setup.spaces):
        if space.kind != "location":
            continue
        near = {*board.neighbours(space.cell)}
        pairs = list(zip(setup.seats, fields["seats"], strict=True))
        rows.append({
            "tile": space.tile,
            "cell": format_cell(space.cell),
            "beside": [name for name, seat in pairs if near & {*pieces_of(board, seat)}],
            "held": [name for name, seat in pairs if index in seat["held"]],
        })  # fmt: skip
    return rows


def deck_list(position: Position) -> list[str]:
    """Return the terrain cards that are in the game."""
    return [
        name for name, count in zip(TERRAIN_CARDS, setup_of(position).deck, strict=True) if count
    ]


def random_data(seed: int, *, sets: tuple[str, ...], seats: tuple[str, ...]) -> dict[str, object]:
    """Return the start of a game with a board and cards drawn from some sets."""
    setup = Setup.random(seed, seats=seats, sets=sets)
    return editable(setup.start_position())


def laid_out(position: Position, seed: int, sets: tuple[str, ...]) -> dict[str, object]:
    """Return a position whose board gets what lies on it at the start: drawn, if it has none.

    That is nomad tiles, caves, capitols, tasks and the island, as far as the sets have them.
    """
    setup = setup_of(position)
    letters = "".join(setup.letters)
    castles = [space.cell for space in setup.spaces if space.kind == "castle"]
    nomads = setup.nomads or draw_nomads(seed, setup.nomad_cells)
    drawn = Setup(
        seats=setup.seats,
        cards=setup.cards,
        board=setup.board,
        map=setup.map,
        locations=setup.locations,
        island=setup.island or draw_island(seed, sets),
        caves=setup.caves or draw_caves(seed, sets, letters),
        capitols=setup.capitols or draw_capitols(seed, sets, setup.board, castles),
        nomads=nomads,
        tasks=setup.tasks or (draw_tasks(seed, setup.board) if setup.board else ()),
        scouted=setup.scouted,
        start=setup.start,
        options=setup.options,
    )
    data = editable(position)
    return data | editable(drawn.start_position()) | {
        key: data[key] for key in ("seat", "turn", "card") if key in data
    }  # fmt: skip
