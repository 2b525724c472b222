"""Why a tile cannot be used in the way a step uses it."""

from __future__ import annotations

from collections.abc import Callable

from kbai import content
from kbai._fast import MAX_TOKENS, Action, Phase, Step, Terrain
from kbai.content import BUILDABLE, TERRAIN_CARDS
from kbai.game.cells import format_cell
from kbai.game.pieces import HOUSE, SHIP, WAGON, WARRIOR, hall_cells, pieces_of
from kbai.game.steps import unpack_step
from kbai.notation.illegal.hexes import N_NEIGHBOURS, why_no_target, why_not_beside, why_not_free
from kbai.notation.illegal.question import Asked
from kbai.notation.names import card_terrain, terrain_name

# What tiles do: their steps, and the rest of a sentence about the tile that says so.
_USES: dict[Action, tuple[tuple[Step, ...], str]] = {
    Action.BUILD: ((Step.BUILD,), "builds a house, as in {}:c7"),
    Action.MOVE: ((Step.LIFT,), "moves a piece, as in {}:c7-d9"),
    Action.WALL: ((Step.WALL,), "lays a stone wall, as in {}:c7"),
    Action.FORT: (
        (Step.DECLARE, Step.BUILD),
        "draws a card with the word {0} and then builds, as in {0}:c7",
    ),
    Action.WARRIOR: (
        (Step.BUILD, Step.BACK),
        "places a warrior or takes one back, as in {0}:c7 and {0}:back@c7",
    ),
    Action.WAGON: (
        (Step.BUILD, Step.LIFT, Step.BACK),
        "places, moves or takes back the wagon, as in {0}:c7, {0}:c7-d7 and {0}:back@c7",
    ),
    Action.SHIP: (
        (Step.BUILD, Step.LIFT, Step.BACK),
        "places, moves or takes back the ship, as in {0}:c7, {0}:c7-d7 and {0}:back@c7",
    ),
    Action.HALL: ((Step.BUILD,), "places the city hall with its centre on a hex, as in {}:c7"),
    Action.CROSSROADS: ((), "is never used: it brings one more card at the end of each turn"),
    Action.TEMPLE: ((Step.REMOVE,), "takes one of your houses, as in {}:c7"),
    Action.CANOE: ((Step.BUILD,), "builds a house in reaction to another seat, as in {}:blue@c7"),
    Action.TEMPLE_BONUS: ((), "is never used: it frees the first house of each mandatory action"),
    Action.FOUNTAIN_BONUS: ((), "is never used: it lets every fountain build on mountains"),
    Action.BAZAAR: ((Step.REPEAT,), "repeats a tile used this turn, as in {}:tower"),
    Action.SCOUT: ((Step.SCOUT,), "places a scout, as in {}:c7"),
    Action.CATHEDRAL: (
        (Step.TAKE, Step.BUILD),
        "takes a token, as in {0}:take, or builds for tokens, as in {0}:c7",
    ),
    Action.SILO: ((Step.BUILD, Step.LIFT), "builds or moves, as in {0}:c7 and {0}:c7-d9"),
    Action.DONATION: ((Step.BUILD,), "builds a house, as in {}:c7"),
    Action.RESETTLEMENT: ((Step.LIFT,), "moves a piece by a step, as in {}:c7-d7"),
    Action.OUTPOST: ((Step.DECLARE,), "is used with the word {}"),
    Action.SWORD: ((Step.REMOVE,), "takes a settlement, as in {}:blue@c7"),
    Action.TREASURE: ((), "turns into gold when you gain it"),
}


def why_no_tile_action(asked: Asked) -> str:
    action = asked.tile.action
    if action is Action.SILO:
        return _why_no_silo(asked)
    if asked.fields["phase"] == Phase.SILO:
        return "after the last turn only silos are used, as in silo:c7 (R9.2)"
    if action is Action.CANOE:
        return "a canoe is used only when another seat takes a last tile (R6.4)"
    if action is Action.OUTPOST and asked.kind is Step.DECLARE:
        reason = _why_not_ready(asked)
        return reason or "there is no house to build for which an outpost could help (R7.1)"
    if asked.fields["phase"] == Phase.BUILD:
        return f"first {asked.mandatory_verb} the mandatory action (R3.2)"
    kinds, what = _USES[action]
    if asked.kind not in kinds or not kinds:
        if not asked.is_under_way:
            reason = _why_not_ready(asked)
            if reason:
                return reason
        return f"the {asked.name} {asked.what}{what.format(asked.name)} ({asked.rule})"
    reason = _why_not_ready(asked)
    return reason or _REASONS[action](asked)


def _why_not_ready(asked: Asked) -> str:
    """Return why the seat cannot use a tile at all; an empty text if it can, or is doing so."""
    if asked.is_under_way or asked.seat["ready"][asked.slot - 1]:
        return ""
    name = asked.name
    if name in content.load().commons:
        return f"{asked.owner} has already used the {name} action this turn ({asked.rule})"
    if asked.seat["used"][asked.slot - 1]:
        return f"{asked.owner} has already used the {name} tile this turn (R3.3)"
    if asked.seat["fresh"][asked.slot - 1]:
        return f"{asked.owner} gained the {name} tile only this round (R3.4)"
    return f"{asked.owner} has no {name} tile (R3.3)"


def _why_no_build(asked: Asked) -> str:
    if not asked.seat["supply"]:
        return "there is no house left in the supply (R4.5)"
    return why_no_target(asked, Step.BUILD)


def _why_no_lift(asked: Asked) -> str:
    here = format_cell(asked.cell)
    piece = pieces_of(asked.board, asked.seat).get(asked.cell)
    if piece is None:
        return f"there is no piece of {asked.owner} on {here} (R4.4)"
    own = {Action.WAGON: WAGON, Action.SHIP: SHIP}.get(asked.tile.action)
    if own and piece != own:
        return f"the {asked.name} tile moves the {own}, which is not on {here} ({asked.rule})"
    if piece not in (HOUSE, WARRIOR, WAGON, SHIP):
        return f"the {piece} is never moved (R4.4)"
    if piece not in (HOUSE, own):
        reason = _why_no_figure_moves(asked, piece)
        if reason:
            return reason
    return f"the piece on {here} has nowhere to go with the {asked.name} {asked.what}(R4.4)"


def _why_no_figure_moves(asked: Asked, piece: str) -> str:
    """Return why a tile that moves settlements does not move a figure, whatever is free."""
    rule = asked.setup.options.figure_moves
    if rule == "own_tile":
        return f"a {piece} is moved only by its own tile (R4.4)"
    to_water = asked.tile.terrain == "water"
    if rule == "any_terrain" or to_water == (piece == SHIP):
        return ""
    where = "water" if to_water else "land"
    stands = {
        SHIP: "stands on water only",
        WAGON: "never stands on water",
        WARRIOR: "stands on buildable hexes only",
    }
    way = f"the {asked.name} {asked.what or 'action '}leads to {where}"
    return f"a {piece} {stands[piece]}, and {way} (R4.4)"


def _why_no_wall(asked: Asked) -> str:
    if len(asked.fields["walls"]) >= asked.setup.walls:
        return f"all {asked.setup.walls} stone walls are on the board (R6.2)"
    return why_no_target(asked, Step.WALL)


def _why_no_fort(asked: Asked) -> str:
    doing = asked.fields["doing"]
    if asked.kind is Step.DECLARE:
        if asked.is_under_way:
            return f"the card for the {asked.name} has been drawn (R6.3)"
        if not asked.seat["supply"]:
            return "there is no house left in the supply (R4.5)"
        return f"there is no card left to draw for the {asked.name} (R6.3)"
    if doing is None or not asked.is_under_way:
        return f"first draw a card with the word {asked.name} (R6.3)"
    reason = why_not_free(asked)
    if reason:
        return reason
    name = TERRAIN_CARDS[doing[1]]
    halves = ("marsh", card_terrain(name)) if name.startswith("marsh") else (name,)
    terrain = terrain_name(asked.position, asked.cell)
    if terrain not in halves:
        here = format_cell(asked.cell)
        return f"{here} is {terrain}, the card drawn for the {asked.name} is {name} (R6.3)"
    return why_not_beside(asked, Step.BUILD, asked.slot)


def _why_no_figure(asked: Asked) -> str:
    """Return why a warrior, the wagon or the ship cannot be placed, moved or taken back."""
    figures = {Action.WARRIOR: WARRIOR, Action.WAGON: WAGON, Action.SHIP: SHIP}
    piece = figures[asked.tile.action]
    here = format_cell(asked.cell)
    standing = [c for c, p in pieces_of(asked.board, asked.seat).items() if p == piece]
    if asked.kind is Step.LIFT:
        return _why_no_lift(asked)
    if asked.kind is Step.BACK:
        if asked.is_under_way:
            return f"the {piece} is on its way and cannot be taken back this turn (R6.3)"
        return f"there is no {piece} of {asked.owner} on {here} (R6.3)"
    if piece == WARRIOR and len(standing) == 2:
        return f"both warriors of {asked.owner} are on the board (R6.3)"
    if piece != WARRIOR and standing:
        where = format_cell(standing[0])
        return f"the {piece} of {asked.owner} is already on {where} (R6.3)"
    return why_no_target(asked, Step.BUILD)


def _why_no_hall(asked: Asked) -> str:
    if asked.seat["hall"] >= 0:
        where = format_cell(asked.seat["hall"])
        return f"the city hall of {asked.owner} already stands around {where} (R6.3)"
    here = format_cell(asked.cell)
    if asked.board.terrain(asked.cell) == Terrain.VOID:
        return why_not_free(asked)
    cells = hall_cells(asked.board, asked.cell)
    if len(cells) <= N_NEIGHBOURS:
        return f"{here} is not the centre of seven hexes (R6.3)"
    for cell in cells:
        reason = why_not_free(asked, cell)
        if reason:
            return reason
        terrain = terrain_name(asked.position, cell)
        if terrain not in BUILDABLE:
            where = format_cell(cell)
            return f"{where} is {terrain}, the city hall needs buildable hexes (R6.3)"
    return f"a city hall around {here} is not beside any of your settlements (R6.3)"


def _why_no_temple(asked: Asked) -> str:
    here = format_cell(asked.cell)
    piece = pieces_of(asked.board, asked.seat).get(asked.cell)
    if piece is None:
        return f"there is no house of {asked.owner} on {here} (R6.4)"
    return f"the {asked.name} tile takes a house, but a {piece} stands on {here} (R6.4)"


def _why_no_repeat(asked: Asked) -> str:
    if not 1 <= asked.cell <= len(asked.setup.tile_kinds):
        return "there is no such tile (R6.5)"
    name = asked.setup.tile_kinds[asked.cell - 1]
    every = content.load()
    if name not in every.locations:
        return f"only location tiles are repeated, not {name} (R6.5)"
    if every.tile(name).action in (Action.CANOE, Action.BAZAAR):
        return f"the {name} tile is never repeated (R6.5)"
    if every.tile(name).action is Action.CROSSROADS:
        return f"{asked.owner} has no {name} tile left to repeat (R6.5)"
    if not asked.seat["used"][asked.cell - 1]:
        return f"{asked.owner} has not used a {name} tile this turn (R6.5)"
    if every.tile(name).action is Action.CATHEDRAL and not asked.seat["tokens"]:
        return f"a bazaar brings no token, and {asked.owner} has none to build with (R6.5)"
    return f"there is nothing to do with the {name} tile now (R6.5)"


def _why_no_scout(asked: Asked) -> str:
    here = format_cell(asked.cell)
    # The action begins by taking back the scouts on the board.
    reason = why_not_free(asked, scouts=asked.is_under_way)
    return reason or f"{here} is not beside any of your settlements (R6.5)"


def _why_no_cathedral(asked: Asked) -> str:
    if asked.kind is Step.TAKE and not asked.is_under_way:
        if asked.fields["repeat"]:
            return f"a bazaar brings no token, the {asked.name} can only build (R6.5)"
        return f"all {MAX_TOKENS} tokens are taken (R6.5)"
    if asked.kind is Step.TAKE:
        return f"the {asked.name} is building and takes no token this turn (R6.5)"
    if not asked.seat["tokens"]:
        return f"{asked.owner} has no token to give back (R6.5)"
    return _why_no_build(asked)


def _why_no_silo(asked: Asked) -> str:
    if asked.fields["phase"] != Phase.SILO:
        return "silos are used after the last turn (R9.2)"
    doing = asked.fields["doing"]
    if doing is None and not asked.fields["silos"]:
        return f"{asked.owner} has no silo action left (R9.2)"
    if asked.kind not in (Step.BUILD, Step.LIFT):
        return f"a silo {_USES[Action.SILO][1].format(asked.name)} (R9.2)"
    if doing is not None and (asked.kind is Step.BUILD) != (doing[1] < 4):
        word = "builds" if doing[1] < 4 else "moves"
        return f"this silo action {word}, until the word stop (R9.2)"
    if asked.kind is Step.LIFT:
        return _why_no_lift(asked)
    return _why_no_build(asked)


def _why_no_removal(asked: Asked) -> str:
    here = format_cell(asked.cell)
    found = asked.pieces.get(asked.cell)
    if found is None:
        return f"there is no settlement on {here} (R7.1)"
    if found[0] == asked.actor:
        return f"the settlement on {here} is your own (R7.1)"
    for step in asked.position.legal():
        kind, slot, cell = unpack_step(step)
        if (kind, slot) == (Step.REMOVE, asked.slot):
            first = asked.pieces[cell][0]
            if first == found[0]:
                return f"the {found[1]} on {here} is never taken (R7.1)"
            return f"first take a settlement of {asked.seats[first]} with the sword (R7.1)"
    return "there is no settlement to take (R7.1)"


# What can be wrong with each action if its tile is ready and used in the right way.
_REASONS: dict[Action, Callable[[Asked], str]] = {
    Action.BUILD: _why_no_build,
    Action.MOVE: _why_no_lift,
    Action.WALL: _why_no_wall,
    Action.FORT: _why_no_fort,
    Action.WARRIOR: _why_no_figure,
    Action.WAGON: _why_no_figure,
    Action.SHIP: _why_no_figure,
    Action.HALL: _why_no_hall,
    Action.TEMPLE: _why_no_temple,
    Action.BAZAAR: _why_no_repeat,
    Action.SCOUT: _why_no_scout,
    Action.CATHEDRAL: _why_no_cathedral,
    Action.DONATION: _why_no_build,
    Action.RESETTLEMENT: _why_no_lift,
    Action.SWORD: _why_no_removal,
}
