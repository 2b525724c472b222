"""Why a piece cannot go to a hex."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kbai import content
from kbai._fast import Action, Filter, Step, Terrain
from kbai.content import BUILDABLE
from kbai.game.cells import N_BOARD_CELLS, SIZE, format_cell
from kbai.game.pieces import HOUSE, WARRIOR
from kbai.game.steps import unpack_step
from kbai.notation.illegal.cards import why_not_card_terrain
from kbai.notation.illegal.question import Asked
from kbai.notation.names import space_name, terrain_name

N_NEIGHBOURS = 6


def why_no_put(asked: Asked) -> str:
    lift = asked.fields["lift"]
    if lift is None:
        return "no piece has been lifted (R4.4)"
    slot, source = lift
    if asked.cell == source:
        return "the piece cannot go back to where it came from (R4.4)"
    return why_no_target(replace(asked, slot=slot), Step.PUT)


def why_no_target(asked: Asked, kind: Step) -> str:
    """Return why a tile does not lead to the cell."""
    reason = why_not_free(asked) or _why_wrong_hex(asked, kind)
    if reason:
        return reason if reason.endswith(")") else f"{reason} ({asked.rule})"
    return why_not_beside(asked, kind, 0 if kind is Step.PUT else asked.slot)


def _why_wrong_hex(asked: Asked, kind: Step) -> str:
    """Return what a free hex lacks; an empty text if only adjacency can be missing."""
    tile, here = asked.tile, format_cell(asked.cell)
    terrain = terrain_name(asked.position, asked.cell)
    if tile.filter in (Filter.CARD, Filter.CARD_BESIDE):
        reason = why_not_card_terrain(asked)
        if not reason and tile.filter is Filter.CARD_BESIDE:
            reason = f"{here} is not beside any of your settlements"
        return reason
    allowed = _allowed_terrains(asked, tile)
    if terrain not in allowed:
        needed = " or ".join(allowed) if len(allowed) < 3 else "a buildable hex"
        if tile.filter is Filter.LAND_OR_MOUNTAIN:
            needed = "a buildable hex or a mountain"
        return f"{here} is {terrain}, the {asked.name} {asked.what}needs {needed}"
    if tile.action in (Action.WAGON, Action.SHIP) and kind is Step.PUT:
        return f"{here} is not beside the piece"
    if tile.action is Action.SILO:
        return f"{here} is not beside any of your settlements"
    if tile.filter is Filter.EDGE and not _is_on_edge(asked):
        return f"{here} is not on the edge of the board"
    if tile.filter in _SIDES:
        what, is_beside = _SIDES[tile.filter]
        return "" if is_beside(asked) else f"{here} is not beside {what}"
    condition = _CONDITIONS.get(tile.filter)
    return f"{here} {condition}" if condition else ""


def _allowed_terrains(asked: Asked, tile: content.Tile) -> tuple[str, ...]:
    """Return the terrains a tile's action can lead to."""
    if tile.terrain:
        return (tile.terrain,)
    if tile.filter is Filter.SHORE:
        return ("marsh", "water")
    with_bonus = "fountain_bonus" in asked.setup.tile_kinds and tile.filter is Filter.LONELY
    if with_bonus:
        bonus = asked.setup.tile_kinds.index("fountain_bonus")
        with_bonus = bool(asked.seat["ready"][bonus])
    if tile.filter is Filter.LAND_OR_MOUNTAIN or with_bonus:
        return (*BUILDABLE, "mountain")
    return BUILDABLE


def _is_on_edge(asked: Asked) -> bool:
    row, column = divmod(asked.cell, SIZE)
    return asked.cell < N_BOARD_CELLS and not {row, column}.isdisjoint((0, SIZE - 1))


def _is_beside_terrain(asked: Asked, terrain: Terrain) -> bool:
    neighbours = asked.board.neighbours(asked.cell)
    if terrain is Terrain.WATER and asked.cell >= N_BOARD_CELLS:
        if len(neighbours) < N_NEIGHBOURS:  # the sea around the island
            return True
    return any(asked.board.terrain(cell) == terrain for cell in neighbours)


def _is_beside_another(asked: Asked) -> bool:
    found = (asked.pieces.get(cell) for cell in asked.board.neighbours(asked.cell))
    return any(piece is not None and piece[0] != asked.actor for piece in found)


def why_not_free(asked: Asked, cell: int | None = None, *, scouts: bool = True) -> str:
    """Return what is on a hex, or blocks it (R1.8)."""
    cell = asked.cell if cell is None else cell
    here = format_cell(cell)
    terrain = asked.board.terrain(cell)
    if terrain == Terrain.VOID:
        return f"there is no hex {here} on this board (R1.1)"
    if cell in asked.pieces:
        seat, piece = asked.pieces[cell]
        what = "settlement" if piece == HOUSE else piece
        return f"a {what} of {asked.seats[seat]} stands on {here} (R4.1)"
    if cell in asked.fields["walls"]:
        return f"a stone wall stands on {here} (R6.2)"
    if scouts and cell in asked.fields["scouts"]:
        return f"a scout stands on {here} (R6.5)"
    if terrain == Terrain.SPECIAL:
        return f"{here} is {space_name(asked.setup, cell)} (R1.8)"
    lifted = asked.fields["lift"][1] if asked.fields["lift"] else -1
    for other in asked.board.neighbours(cell):
        seat, piece = asked.pieces.get(other, (0, ""))
        if piece == WARRIOR and other != lifted:
            where = format_cell(other)
            return f"a warrior of {asked.seats[seat]} on {where} blocks {here} (R6.3)"
    return ""


def why_not_beside(asked: Asked, kind: Step, slot: int) -> str:
    """Return a hex beside the seat's settlements that has to be taken instead."""
    for step in asked.position.legal():
        if unpack_step(step)[:2] == (kind, slot):
            other = format_cell(unpack_step(step)[2])
            return f"it has to be beside your own settlements if possible, such as {other} (R4.2)"
    return "there is no hex to go to (R4.2)"


# Filters that need something beside the hex, and leave adjacency to R4.2.
_SIDES: dict[Filter, tuple[str, Callable[[Asked], bool]]] = {
    Filter.WATERSIDE: ("water", lambda asked: _is_beside_terrain(asked, Terrain.WATER)),
    Filter.FOOTHILL: ("a mountain", lambda asked: _is_beside_terrain(asked, Terrain.MOUNTAIN)),
    Filter.SPECIAL_SIDE: (
        "a location, castle or other space",
        lambda asked: _is_beside_terrain(asked, Terrain.SPECIAL),
    ),
    Filter.WATCH: ("a settlement of another seat", _is_beside_another),
}
# The only thing that can be wrong with a free hex of the right terrain, by filter.
_CONDITIONS = {
    Filter.LINE_END: "does not continue a straight line of three of your settlements",
    Filter.JUMP: "is not exactly two hexes away in a straight line",
    Filter.CROWD: "is not beside three of your settlements",
    Filter.LONELY: "is not beside exactly one of your settlements and none of another seat",
    Filter.SLIDE: "is not where a straight line of free buildable hexes ends",
    Filter.STEP: "is not beside the piece",
    Filter.NEAREST: "is not the nearest free buildable hex of a direction",
    Filter.AREA: "is not beside the rest of the piece's settlement area",
    Filter.CAVE: "is not beside a cave",
    Filter.BESIDE: "is not beside any of your settlements",
}
