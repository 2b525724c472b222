"""What is possible now, and why something is not, for a person who asks."""

from __future__ import annotations

from kbai import content
from kbai._fast import Position, Step
from kbai.content import TERRAIN_CARDS
from kbai.core.errors import IllegalActionError
from kbai.game.cells import format_cell
from kbai.game.setup import setup_of
from kbai.game.steps import unpack_step
from kbai.notation.actions import CHOOSE, format_step
from kbai.notation.illegal import apply_action
from kbai.play.words import next_action, plain_steps, tile_steps

# Steps that are typed as one word.
_WORDS = (Step.END, Step.STOP, Step.PASS)


def choices(position: Position) -> list[tuple[str, list[str]]]:
    """Return what is possible, by what a person types first: cells alone, tiles, words."""
    if position.is_over:
        return []
    if position.pending_draw:
        counts = zip(TERRAIN_CARDS, position.draws(), strict=True)
        return [("card", [name for name, count in counts if count])]
    plain = plain_steps(position)
    rows = [("cells", [format_cell(cell) for cell in plain.values()])] if plain else []
    found = [(step, format_step(position, step)) for step in position.legal() if step not in plain]
    picks = [text.partition(":")[2] for _, text in found if text.startswith(f"{CHOOSE}:")]
    if picks:
        rows.append((CHOOSE, picks))
    for tile in setup_of(position).tile_kinds:
        steps = [step for step in tile_steps(position, tile) if step not in plain]
        if steps:
            rows.append((tile, [_after_tile(position, step) for step in steps]))
    rest = [text for step, text in found if unpack_step(step)[0] in _WORDS]
    return [*rows, *((text.partition(":")[0], []) for text in rest)]


def _after_tile(position: Position, step: int) -> str:
    """Return what follows the name of the tile; nothing if the name is all."""
    return format_step(position, step).partition(":")[2]


def cells_of(position: Position, tile: str = "") -> frozenset[int]:
    """Return the cells that can be typed now: alone, or after the name of a tile."""
    if not tile:
        return frozenset(plain_steps(position).values())
    kinds = (Step.DECLARE, Step.TAKE, Step.REPEAT)
    steps = (unpack_step(step) for step in tile_steps(position, tile))
    return frozenset(cell for kind, _, cell in steps if kind not in kinds)


def why_cell(position: Position, cell: int) -> str:
    """Say whether a cell is possible, and if not, why not, with the rule; and what tiles can do."""
    name = format_cell(cell)
    tiles = [
        tile
        for tile in setup_of(position).tile_kinds
        if tile not in content.load().commons and cell in cells_of(position, tile)
    ]
    help_by = f" You can type: {', '.join(f'{tile} {name}' for tile in tiles)}." if tiles else ""
    try:
        apply_action(position.copy(), next_action(position, [name]).action)
    except IllegalActionError as error:
        return f"{error.message}{help_by}"
    return f"{name} is possible.{help_by}"
