"""What the page shows of a position, as values for JSON; pictures are those of `kbai.draw`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from kbai._fast import Position, Step
from kbai.content import SPACE_LETTERS, TERRAIN_CARDS, TERRAIN_LETTERS, load
from kbai.draw import facts
from kbai.draw.cell_texts import cell_texts, ground_texts
from kbai.draw.svg import (
    board_layer,
    board_size,
    last_layer,
    middle,
    names_layer,
    pieces_layer,
)
from kbai.game.cells import format_cell
from kbai.game.setup import Setup, setup_of
from kbai.game.steps import unpack_step
from kbai.notation.actions import format_step
from kbai.notation.positions import format_line
from kbai.notation.turns import Turn, cards_shown
from kbai.report.scores import score_rows
from kbai.web.sentences import sentence, tile_text

if TYPE_CHECKING:
    from kbai._fast import SeatFields  # only the stub has it

# The kinds of steps that you make by a click on a hex.
_ON_HEXES = (
    Step.BUILD,
    Step.LIFT,
    Step.PUT,
    Step.WALL,
    Step.REMOVE,
    Step.BACK,
    Step.SCOUT,
)


def scene_key(setup: Setup) -> str:
    """Return a short name of what never changes in the pictures of a game."""
    parts = (setup.letters, setup.spaces, setup.caves, setup.capitols)
    return hashlib.blake2b(repr(parts).encode(), digest_size=12).hexdigest()


def scene_dict(setup: Setup) -> dict[str, object]:
    """Return what never changes in the pictures of a game: the board, and where its hexes are."""
    width, height = board_size(setup)
    kinds = TERRAIN_LETTERS | SPACE_LETTERS
    letters = enumerate("".join(setup.letters))
    cells = {}
    for cell, letter in letters:
        if letter in kinds:
            x, y = middle(cell)
            cells[format_cell(cell)] = {"x": x, "y": y, "kind": kinds[letter]}
    texts = ground_texts(setup)
    return {
        "key": scene_key(setup),
        "width": width,
        "height": height,
        "svg": board_layer(setup),
        "names": names_layer(setup),
        "cells": cells,
        "texts": {format_cell(cell): text for cell, text in texts.items()},
    }


def view_dict(position: Position, *, last: Turn | None = None) -> dict[str, object]:
    """Return what is on the table, who is to move, and what they may do."""
    setup, fields = setup_of(position), position.fields()
    rows = zip(setup.seats, fields["seats"], score_rows(position).items(), strict=True)
    return {
        "line": format_line(position),
        "scene": scene_key(setup),
        "sentence": sentence(position),
        "mover": setup.seats[position.mover],
        "actor": setup.seats[position.actor],
        "card": cards_shown(position),
        "over": position.is_over,
        "draws": _draws(position),
        "steps": [_step_dict(position, step) for step in position.legal()],
        "seats": [_seat_dict(position, name, seat, gold) for name, seat, (_, gold) in rows],
        "texts": _changed_texts(position),
        "cards": [
            {"name": name, "text": load().cards[name].text} for name in setup.cards
        ] + [{"name": name, "text": load().tasks[name].text} for name in setup.tasks],
        "piles": [[label, " ".join(items)] for label, items in facts.piles(setup, fields)],
        "belongings": [[label, " ".join(row)] for label, row in facts.belongings(setup, fields)],
        "svg": (last_layer(last) if last else "") + pieces_layer(position),
        "own_layouts": list(setup.own_layouts),
    }  # fmt: skip


def _changed_texts(position: Position) -> dict[str, str]:
    """Return what each hex is, of those that are not as they were before the game."""
    before = ground_texts(setup_of(position))
    pairs = cell_texts(position).items()
    return {format_cell(cell): text for cell, text in pairs if text != before[cell]}


def _draws(position: Position) -> list[dict[str, object]]:
    """Return the cards that can be turned up now, with their odds."""
    counts = position.draws()
    total = sum(counts)
    pairs = zip(TERRAIN_CARDS, counts, strict=True)
    return [{"card": name, "odds": count / total} for name, count in pairs if count]


def _step_dict(position: Position, step: int) -> dict[str, object]:
    kind, slot, cell = unpack_step(step)
    tile = setup_of(position).tile_kinds[slot - 1] if slot else ""
    on_hex = kind in _ON_HEXES
    text = format_step(position, step)
    return {
        "text": text,
        "kind": kind.name.lower(),
        "tile": tile,
        "cell": format_cell(cell) if on_hex else None,
        "label": "" if on_hex else _label(kind, tile, text),
    }


def _label(kind: Step, tile: str, text: str) -> str:
    name = tile.replace("_", " ")
    rest = text.rpartition(":")[2].replace("_", " ")
    match kind:
        case Step.END:
            return "End turn"
        case Step.STOP:
            return "Stop here"
        case Step.PASS:
            return "Pass"
        case Step.CHOOSE:
            return f"Play {rest.replace('/', ' as ')}"
        case Step.TAKE:
            return f"Take a token ({name})"
        case Step.REPEAT:
            return f"Repeat {rest}"
        case _:
            return f"Use {name}"


def _seat_dict(
    position: Position, name: str, seat: SeatFields, gold: dict[str, int]
) -> dict[str, object]:
    setup = setup_of(position)
    return {
        "seat": name,
        "gold": gold,
        "settlements": facts.settlements(position, seat),
        "supply": seat["supply"],
        "tiles": _tiles(setup, seat),
    }


def _tiles(setup: Setup, seat: SeatFields) -> list[dict[str, object]]:
    """Return the tiles of a seat; those that everybody has are no news."""
    states = (("ready", seat["ready"]), ("used", seat["used"]), ("fresh", seat["fresh"]))
    return [
        {"kind": kind, "state": state, "count": count, "text": tile_text(kind)}
        for state, counts in states
        for kind, count in zip(setup.tile_kinds, counts, strict=True)
        if count and not (kind in load().commons and state == "ready")
    ]
