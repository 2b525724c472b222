"""What each hex is, in words: for the tip that a browser shows, and for a screen reader."""

from __future__ import annotations

from collections.abc import Iterator

from kbai._fast import Position
from kbai.content import SEA_LETTER, SPACE_LETTERS, TERRAIN_LETTERS
from kbai.draw import facts
from kbai.game import pieces
from kbai.game.cells import format_cell
from kbai.game.setup import Setup, setup_of

_NAMES = TERRAIN_LETTERS | SPACE_LETTERS


def ground_texts(setup: Setup) -> dict[int, str]:
    """Return what never changes on each hex: ``c7: tavern``, ``d3: water``."""
    letters = enumerate("".join(setup.letters))
    names = {cell: _NAMES[letter] for cell, letter in letters if letter != SEA_LETTER}
    names |= {s.cell: s.tile for s in setup.spaces if s.kind == "location" and s.tile}
    names |= {cell: f"{names[cell]} with a cave" for cell in setup.caves}
    names |= {cell: f"{names[cell]} with a capitol" for cell in setup.capitols}
    return {cell: f"{format_cell(cell)}: {name.replace('_', ' ')}" for cell, name in names.items()}


def cell_texts(position: Position) -> dict[int, str]:
    """Return what each hex is and what is on it: ``c7: tavern, 1 tile left``."""
    texts = ground_texts(setup_of(position))
    for cell, text in _things(position):
        texts[cell] += f", {text}"
    return texts


def _things(position: Position) -> Iterator[tuple[int, str]]:
    setup = setup_of(position)
    fields = position.fields()
    left = facts.tiles_left(setup, fields)
    for cell, kind in facts.lying_tiles(setup, fields).items():
        if cell in left:
            yield cell, f"{left[cell] or 'no'} tile{'s' * (left[cell] != 1)} left"
        else:
            yield cell, f"{kind.replace('_', ' ')} tile"
    for cell, (seat, name) in pieces.all_pieces(position.board, fields).items():
        yield cell, f"{name} of {setup.seats[seat]}"
    for cell in fields["walls"]:
        yield cell, "stone wall"
    for cell in fields["scouts"]:
        yield cell, f"scout of {setup.seats[fields['mover']]}"
