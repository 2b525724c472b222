"""Why a step cannot be made, in one sentence with the rule; and making actions that can."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kbai import content
from kbai._fast import Action, Draw, Filter, Phase, Position, Step, Terrain
from kbai.content import BUILDABLE, TERRAIN_CARDS, TERRAINS
from kbai.game.cells import N_BOARD_CELLS, SIZE, format_cell
from kbai.game.pieces import HOUSE, SHIP, WAGON, WARRIOR, all_pieces, hall_cells, pieces_of
from kbai.game.setup import setup_of
from kbai.game.steps import advance, drawn_card, is_draw, unpack_choice, unpack_step
from kbai.notation.actions import impossible, parse_action
from kbai.notation.names import card_terrain, space_name, terrain_name

if TYPE_CHECKING:
    from kbai._fast import Fields, SeatFields  # only the stub has them

N_NEIGHBOURS = 6
# The section of the rules with the locations of a set, and with what else it brings.
_RULES = {
    "base": "R6.1",
    "nomads": "R6.2",
    "crossroads": "R6.3",
    "marshlands": "R6.4",
    "harvest": "R6.5",
    "island": "R6.6",
    "caves": "R6.7",
}
# What tiles of a kind do: the steps, and the rest of the sentence for those who try otherwise.
_USES: dict[Action, tuple[tuple[Step, ...], str]] = {
    Action.BUILD: ((Step.BUILD,), "builds a house, as in {}:c7"),
    Action.MOVE: ((Step.LIFT,), "moves a piece, as in {}:c7-d9"),
    Action.WALL: ((Step.WALL,), "lays a stone wall, as in {}:c7"),
    Action.FORT: (
        (Step.DECLARE, Step.BUILD),
        "draws a card by the word {0} and then builds, as in {0}:c7",
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
    Action.CROSSROADS: ((), "is not used, it brings one card more at the end of each turn"),
    Action.TEMPLE: ((Step.REMOVE,), "takes an own house, as in {}:c7"),
    Action.CANOE: ((Step.BUILD,), "builds a house in reaction to another seat, as in {}:blue@c7"),
    Action.TEMPLE_BONUS: ((), "is not used, it frees the first house of each mandatory action"),
    Action.FOUNTAIN_BONUS: ((), "is not used, it lets every fountain build on mountains"),
    Action.BAZAAR: ((Step.REPEAT,), "repeats a tile used in this turn, as in {}:tower"),
    Action.SCOUT: ((Step.SCOUT,), "places a scout, as in {}:c7"),
    Action.CATHEDRAL: (
        (Step.TAKE, Step.BUILD),
        "takes a token, as in {0}:take, or builds for tokens, as in {0}:c7",
    ),
    Action.SILO: ((Step.BUILD, Step.LIFT), "builds or moves, as in {0}:c7 and {0}:c7-d9"),
    Action.DONATION: ((Step.BUILD,), "builds a house, as in {}:c7"),
    Action.RESETTLEMENT: ((Step.LIFT,), "moves a piece by a step, as in {}:c7-d7"),
    Action.OUTPOST: ((Step.DECLARE,), "is used by the word {}"),
    Action.SWORD: ((Step.REMOVE,), "takes a settlement, as in {}:blue@c7"),
    Action.TREASURE: ((), "is gold when it is gained"),
}
# Placements that an outpost is for, besides the houses of builds under R4.2 (R7.1).
_OUTPOST_ACTIONS = (
    Action.FORT,
    Action.WARRIOR,
    Action.WAGON,
    Action.SHIP,
    Action.CATHEDRAL,
    Action.DONATION,
)
_OUTPOST_FILTERS = (
    Filter.CARD,
    Filter.TERRAIN,
    Filter.EDGE,
    Filter.LAND,
    Filter.LAND_OR_MOUNTAIN,
    Filter.WATERSIDE,
    Filter.FOOTHILL,
    Filter.SPECIAL_SIDE,
    Filter.WATCH,
    Filter.SHORE,
)
# Actions of several steps within which an outpost may be declared.
_OUTPOST_WITHIN = (Action.DONATION, Action.FORT, Action.CATHEDRAL)


def apply_action(position: Position, text: str) -> tuple[int, ...]:
    """Make an action in place and return its steps.

    If it is not legal, say why and leave the position as it was.
    """
    steps = parse_action(position, text)
    trial = position.copy()
    for step in steps:
        reason = why_illegal(trial, step)
        if reason:
            raise impossible(text, reason)
        advance(trial, step)
    for step in steps:
        advance(position, step)
    return steps


def why_illegal(position: Position, step: int) -> str:
    """Return why a step cannot be made now, with the rule; nothing if it can."""
    if is_draw(step):
        return why_no_draw(position, drawn_card(step))
    if position.is_legal(step):
        return ""
    if position.is_over:
        return "the game is over (R9.1)"
    if position.pending_draw == Draw.FORT:
        return "a card is to be drawn for the fort first, as in =flower (R6.3)"
    if position.pending_draw:
        return "a card is to be turned up first, as in =flower (R3.5)"
    return _Reasons(position, step).why()


def why_no_draw(position: Position, card: int) -> str:
    """Return why a card cannot be turned up; nothing if it can."""
    if not position.pending_draw:
        return "no card is to be turned up now (R3.1)"
    if not position.draws()[card]:
        return f"no {TERRAIN_CARDS[card]} card is left to be turned up (R2.1)"
    return ""


class _Reasons:
    """Looks for the reason why one step is not legal in a position without a pending draw."""

    def __init__(self, position: Position, step: int) -> None:
        self.position = position
        self.board = position.board
        self.setup = setup_of(position)
        self.fields: Fields = position.fields()
        self.kind, self.slot, self.cell = unpack_step(step)
        self.seats = self.setup.seats
        self.pieces = all_pieces(self.board, self.fields)
        self.actor = position.actor
        self.seat: SeatFields = self.fields["seats"][self.actor]
        self.owner = self.seats[self.actor]
        self.name = self.setup.tile_kinds[self.slot - 1] if self.slot else ""

    def why(self) -> str:
        """Return the reason: what has to come first, or what is wrong with the step itself."""
        if self.fields["reacting"]:
            return self.why_no_reaction()
        if self.kind is Step.PASS:
            return "nobody is asked to react now (R6.4)"
        if self.kind is Step.PUT:
            return self.why_no_put()
        if self.fields["lift"] is not None:
            where = format_cell(self.fields["lift"][1])
            return f"the piece on {where} is to be put down first (R4.4)"
        reason = self.why_not_now()
        if reason:
            return reason
        if self.kind is Step.STOP:
            return "there is no action under way that could be stopped (R3.3)"
        if self.kind is Step.END:
            return f"the mandatory action is to be {self.mandatory_state()} first (R3.2)"
        if self.kind is Step.CHOOSE:
            return self.why_no_choice()
        if self.slot:
            return self.why_no_tile_action()
        return self.why_no_house()

    # What has to come first.

    def why_no_reaction(self) -> str:
        if not self.slot or self.tile().action is not Action.CANOE:
            words = f"canoe:{self.owner}@c7 or pass:{self.owner}"
            return f"{self.owner} is asked first whether to react, {words} (R6.4)"
        return self.why_no_target(Step.BUILD)

    def why_not_now(self) -> str:
        """Return what has to come first: the action under way, or the placement of an outpost."""
        doing, repeat = self.fields["doing"], self.fields["repeat"]
        if repeat and self.slot != repeat and not self.is_outpost():
            name = self.setup.tile_kinds[repeat - 1]
            return f"the bazaar repeats the {name} tile, which is to be used first (R6.5)"
        if doing is not None and self.slot != doing[0]:
            reason = self.why_not_within(*doing)
            if reason:
                return reason
        if self.fields["outpost"] and not self.is_under_adjacency_rule():
            return "the house for which the outpost was declared is to be placed first (R7.1)"
        return ""

    def why_not_within(self, slot: int, left: int) -> str:
        """Return why a step is not possible while an action of another tile is under way."""
        name = self.setup.tile_kinds[slot - 1]
        action = content.load().tile(name).action
        if action is Action.SWORD:
            return f"the sword is to take a settlement of {self.seats[left]} first (R7.1)"
        if self.is_outpost() and action in _OUTPOST_WITHIN:
            return ""
        if action is Action.FORT:
            return f"a house is to be built with the {name} first, as in {name}:c7 (R6.3)"
        if action is Action.DONATION:
            return f"the {name} is to be finished first, houses to go: {left} (R7.1)"
        if self.kind is Step.CHOOSE and action in (Action.WALL, Action.CATHEDRAL):
            return ""
        return f"the {name} is to be finished first, or ended by the word stop (R3.3)"

    def is_outpost(self) -> bool:
        return self.kind is Step.DECLARE and self.tile().action is Action.OUTPOST

    def is_under_adjacency_rule(self) -> bool:
        """Return whether the step places a new piece next to own settlements if possible (R4.3)."""
        if self.kind is not Step.BUILD or not self.slot:
            return self.kind is Step.BUILD
        tile = self.tile()
        if tile.action is Action.BUILD:
            return tile.filter in _OUTPOST_FILTERS
        return tile.action in _OUTPOST_ACTIONS

    def mandatory_state(self) -> str:
        return "finished" if self.fields["phase"] == Phase.BUILD else "done"

    # The card of the turn.

    def why_no_choice(self) -> str:
        card, terrain = unpack_choice(self.cell)
        if card >= len(TERRAIN_CARDS) or terrain >= len(TERRAINS):
            return "there is no such card (R3.6)"
        name, half = TERRAIN_CARDS[card], TERRAINS[terrain]
        if self.fields["phase"] == Phase.SILO:
            return "after the last turn no card is played (R9.2)"
        if self.fields["outpost"]:
            return "the house for which the outpost was declared is to be placed first (R7.1)"
        if self.fields["terrain"] >= 0:
            return "the card of this turn is chosen already (R3.6)"
        if self.fields["card"] == -1:
            return f"{self.owner} has no card to choose (R3.5)"
        if self.fields["card"] == -2 and not self.fields["hand"][card]:
            return f"{self.owner} has no {name} card turned up (R3.6)"
        if self.fields["card"] >= 0 and card != self.fields["card"]:
            return f"the card is {TERRAIN_CARDS[self.fields['card']]} (R3.6)"
        halves = ("marsh", card_terrain(name)) if name.startswith("marsh") else (name,)
        if half not in halves:
            both = " and ".join(halves)
            return f"the card {name} shows {both}, not {half} (R3.6)"
        if half == "marsh" and Terrain.MARSH not in self.setup.terrain:
            return "there is no marsh on this board (R2.4)"
        return f"no {half} hex is free (R3.6)"

    def why_no_card(self) -> str:
        """Return why there is no terrain of the turn to build on; nothing if there is."""
        if self.fields["terrain"] >= 0:
            return ""
        if self.fields["card"] == -1:
            return "there is no terrain card in this turn (R3.5)"
        return f"the card is to be chosen first, as in {self.example_choice()} (R3.6)"

    def example_choice(self) -> str:
        card = self.fields["card"]
        if card < 0:
            card = next(card for card, count in enumerate(self.fields["hand"]) if count)
        name = TERRAIN_CARDS[card]
        half = f"/{card_terrain(name)}" if name.startswith("marsh") else ""
        return f"choose:{name}{half}"

    def why_not_card_terrain(self) -> str:
        reason = self.why_no_card()
        if reason:
            return reason
        terrain, here = terrain_name(self.position, self.cell), format_cell(self.cell)
        if self.fields["terrain"] == Terrain.SPECIAL:
            buildable = terrain in BUILDABLE
            return "" if buildable else f"{here} is {terrain}, not a buildable hex (R3.5)"
        wanted = Terrain(self.fields["terrain"]).name.lower()
        if terrain == wanted:
            return ""
        card = TERRAIN_CARDS[self.fields["card"]]
        what = "the card" if card == wanted else "the terrain of this turn"
        return f"{here} is {terrain}, {what} is {wanted} (R3.2)"

    def why_no_house(self) -> str:
        """Return why no house of the mandatory action can be built on the cell."""
        if self.fields["phase"] == Phase.SILO:
            return "after the last turn only silos are used, as in silo:c7 (R9.2)"
        if self.fields["phase"] == Phase.POST:
            if not self.seat["supply"]:
                return "there is no house left in the supply (R3.2)"
            if self.fields["card"] == -1:
                return "there is no terrain card to build with (R3.5)"
            return "the mandatory action is done (R3.2)"
        return (
            self.why_not_free() or self.why_not_card_terrain() or self.why_not_beside(Step.BUILD, 0)
        )

    # Tiles.

    def tile(self) -> content.Tile:
        return content.load().tile(self.name)

    def rule(self) -> str:
        """Return the section of the rules the tile is in."""
        tile = self.tile()
        if isinstance(tile, content.NomadTile):
            return "R7.1"
        return "R9.2" if tile.action is Action.SILO else _RULES.get(tile.set, "R6.1")

    def why_no_tile_action(self) -> str:
        action = self.tile().action
        if action is Action.SILO:
            return self.why_no_silo()
        if self.fields["phase"] == Phase.SILO:
            return "after the last turn only silos are used, as in silo:c7 (R9.2)"
        if action is Action.CANOE:
            return "a canoe is used only when another seat takes a last tile (R6.4)"
        if action is Action.OUTPOST and self.kind is Step.DECLARE:
            reason = self.why_not_ready()
            return reason or "there is no house to build for which an outpost could help (R7.1)"
        if self.fields["phase"] == Phase.BUILD:
            return f"the mandatory action is to be {self.mandatory_state()} first (R3.2)"
        kinds, what = _USES[action]
        if self.kind not in kinds or not kinds:
            if not self.is_under_way():
                reason = self.why_not_ready()
                if reason:
                    return reason
            return f"the {self.name} {self.what()}{what.format(self.name)} ({self.rule()})"
        reason = self.why_not_ready()
        return reason or self.reasons()[action]()

    def what(self) -> str:
        return "" if self.name in content.load().commons else "tile "

    def is_under_way(self) -> bool:
        return self.fields["doing"] is not None and self.fields["doing"][0] == self.slot

    def why_not_ready(self) -> str:
        """Return why the mover cannot use a tile at all, unless its action is under way."""
        if self.is_under_way() or self.seat["ready"][self.slot - 1]:
            return ""
        name = self.name
        if name in content.load().commons:
            return f"{self.owner} has had the {name} action in this turn ({self.rule()})"
        if self.seat["used"][self.slot - 1]:
            return f"{self.owner} has used the {name} tile in this turn (R3.3)"
        if self.seat["fresh"][self.slot - 1]:
            return f"{self.owner} gained the {name} tile only in this turn (R3.4)"
        return f"{self.owner} has no {name} tile (R3.3)"

    def reasons(self) -> dict[Action, Callable[[], str]]:
        """Return what to ask about each action whose tile is ready and used in the right way."""
        return {
            Action.BUILD: self.why_no_build,
            Action.MOVE: self.why_no_lift,
            Action.WALL: self.why_no_wall,
            Action.FORT: self.why_no_fort,
            Action.WARRIOR: self.why_no_figure,
            Action.WAGON: self.why_no_figure,
            Action.SHIP: self.why_no_figure,
            Action.HALL: self.why_no_hall,
            Action.TEMPLE: self.why_no_temple,
            Action.BAZAAR: self.why_no_repeat,
            Action.SCOUT: self.why_no_scout,
            Action.CATHEDRAL: self.why_no_cathedral,
            Action.DONATION: self.why_no_build,
            Action.RESETTLEMENT: self.why_no_lift,
            Action.SWORD: self.why_no_removal,
        }

    def why_no_build(self) -> str:
        if not self.seat["supply"]:
            return "there is no house left in the supply (R4.5)"
        return self.why_no_target(Step.BUILD)

    def why_no_lift(self) -> str:
        here = format_cell(self.cell)
        piece = pieces_of(self.board, self.seat).get(self.cell)
        if piece is None:
            return f"there is no piece of {self.owner} on {here} (R4.4)"
        own = {Action.WAGON: WAGON, Action.SHIP: SHIP}.get(self.tile().action)
        if own and piece != own:
            return f"the {self.name} tile moves the {own}, which is not on {here} ({self.rule()})"
        if piece not in (HOUSE, WARRIOR, WAGON, SHIP):
            return f"the {piece} is never moved (R4.4)"
        if piece not in (HOUSE, own) and self.setup.options.meeples_only_by_own_tile:
            return f"a {piece} is moved only by its own tile (R4.4)"
        return f"the piece on {here} has nowhere to go with the {self.name} {self.what()}(R4.4)"

    def why_no_wall(self) -> str:
        if len(self.fields["walls"]) >= self.setup.walls:
            return f"all {self.setup.walls} stone walls are on the board (R6.2)"
        return self.why_no_target(Step.WALL)

    def why_no_fort(self) -> str:
        doing = self.fields["doing"]
        if self.kind is Step.DECLARE:
            if self.is_under_way():
                return f"the card for the {self.name} has been drawn (R6.3)"
            if not self.seat["supply"]:
                return "there is no house left in the supply (R4.5)"
            return f"there is no card left to draw for the {self.name} (R6.3)"
        if doing is None or not self.is_under_way():
            return f"a card is to be drawn first, by the word {self.name} (R6.3)"
        reason = self.why_not_free()
        if reason:
            return reason
        name = TERRAIN_CARDS[doing[1]]
        halves = ("marsh", card_terrain(name)) if name.startswith("marsh") else (name,)
        terrain = terrain_name(self.position, self.cell)
        if terrain not in halves:
            here = format_cell(self.cell)
            return f"{here} is {terrain}, the card drawn for the {self.name} is {name} (R6.3)"
        return self.why_not_beside(Step.BUILD, self.slot)

    def why_no_figure(self) -> str:
        """Return why a warrior, the wagon or the ship cannot be placed, moved or taken back."""
        figures = {Action.WARRIOR: WARRIOR, Action.WAGON: WAGON, Action.SHIP: SHIP}
        piece = figures[self.tile().action]
        here = format_cell(self.cell)
        standing = [c for c, p in pieces_of(self.board, self.seat).items() if p == piece]
        if self.kind is Step.LIFT:
            return self.why_no_lift()
        if self.kind is Step.BACK:
            if self.is_under_way():
                return f"the {piece} is on its way and is not taken back in this turn (R6.3)"
            return f"there is no {piece} of {self.owner} on {here} (R6.3)"
        if piece == WARRIOR and len(standing) == 2:
            return f"both warriors of {self.owner} are on the board (R6.3)"
        if piece != WARRIOR and standing:
            where = format_cell(standing[0])
            return f"the {piece} of {self.owner} stands on {where} already (R6.3)"
        return self.why_no_target(Step.BUILD)

    def why_no_hall(self) -> str:
        if self.seat["hall"] >= 0:
            where = format_cell(self.seat["hall"])
            return f"the city hall of {self.owner} stands around {where} already (R6.3)"
        here = format_cell(self.cell)
        if self.board.terrain(self.cell) == Terrain.VOID:
            return self.why_not_free()
        cells = hall_cells(self.board, self.cell)
        if len(cells) <= N_NEIGHBOURS:
            return f"{here} is no centre of seven hexes (R6.3)"
        for cell in cells:
            reason = self.why_not_free(cell)
            if reason:
                return reason
            terrain = terrain_name(self.position, cell)
            if terrain not in BUILDABLE:
                where = format_cell(cell)
                return f"{where} is {terrain}, the city hall needs buildable hexes (R6.3)"
        return f"a city hall around {here} is not beside an own settlement (R6.3)"

    def why_no_temple(self) -> str:
        here = format_cell(self.cell)
        piece = pieces_of(self.board, self.seat).get(self.cell)
        if piece is None:
            return f"there is no house of {self.owner} on {here} (R6.4)"
        return f"the {self.name} tile takes a house, but a {piece} stands on {here} (R6.4)"

    def why_no_repeat(self) -> str:
        if not 1 <= self.cell <= len(self.setup.tile_kinds):
            return "there is no such tile (R6.5)"
        name = self.setup.tile_kinds[self.cell - 1]
        every = content.load()
        if name not in every.locations:
            return f"only location tiles are repeated, not {name} (R6.5)"
        if every.tile(name).action in (Action.CANOE, Action.BAZAAR):
            return f"the {name} tile is never repeated (R6.5)"
        if every.tile(name).action is Action.CROSSROADS:
            return f"{self.owner} has no {name} tile that is not repeated yet (R6.5)"
        if not self.seat["used"][self.cell - 1]:
            return f"{self.owner} has used no {name} tile in this turn (R6.5)"
        return f"there is nothing to do with the {name} tile now (R6.5)"

    def why_no_scout(self) -> str:
        here = format_cell(self.cell)
        # Beginning the action takes up the scouts that lie there.
        reason = self.why_not_free(scouts=self.is_under_way())
        return reason or f"{here} is not beside an own settlement (R6.5)"

    def why_no_cathedral(self) -> str:
        if self.kind is Step.TAKE:
            return f"the {self.name} is building and takes no token in this turn (R6.5)"
        if not self.seat["tokens"]:
            return f"{self.owner} has no token to give back (R6.5)"
        return self.why_no_build()

    def why_no_silo(self) -> str:
        if self.fields["phase"] != Phase.SILO:
            return "silos are used after the last turn (R9.2)"
        doing = self.fields["doing"]
        if doing is None and not self.fields["silos"]:
            return f"{self.owner} has no silo action left (R9.2)"
        if self.kind not in (Step.BUILD, Step.LIFT):
            return f"a silo {_USES[Action.SILO][1].format(self.name)} (R9.2)"
        if doing is not None and (self.kind is Step.BUILD) != (doing[1] < 4):
            word = "builds" if doing[1] < 4 else "moves"
            return f"this silo action {word}, until the word stop (R9.2)"
        if self.kind is Step.LIFT:
            return self.why_no_lift()
        return self.why_no_build()

    def why_no_removal(self) -> str:
        here = format_cell(self.cell)
        found = self.pieces.get(self.cell)
        if found is None:
            return f"there is no settlement on {here} (R7.1)"
        if found[0] == self.actor:
            return f"the settlement on {here} is one's own (R7.1)"
        for step in self.position.legal():
            kind, slot, cell = unpack_step(step)
            if (kind, slot) == (Step.REMOVE, self.slot):
                first = self.pieces[cell][0]
                if first == found[0]:
                    return f"the {found[1]} on {here} is never taken (R7.1)"
                return f"the sword is to take a settlement of {self.seats[first]} first (R7.1)"
        return "there is no settlement to take (R7.1)"

    # Where a piece can go.

    def why_no_put(self) -> str:
        lift = self.fields["lift"]
        if lift is None:
            return "no piece has been lifted (R4.4)"
        self.slot, source = lift
        self.name = self.setup.tile_kinds[self.slot - 1]
        if self.cell == source:
            return "the piece cannot go back to where it came from (R4.4)"
        return self.why_no_target(Step.PUT)

    def why_no_target(self, kind: Step) -> str:
        """Return why a tile does not lead to the cell."""
        reason = self.why_not_free() or self.why_wrong_hex(kind)
        if reason:
            return reason if reason.endswith(")") else f"{reason} ({self.rule()})"
        return self.why_not_beside(kind, 0 if kind is Step.PUT else self.slot)

    def why_wrong_hex(self, kind: Step) -> str:
        """Return what a free hex lacks; nothing if all that may be missing is adjacency."""
        tile, here = self.tile(), format_cell(self.cell)
        terrain = terrain_name(self.position, self.cell)
        if tile.filter in (Filter.CARD, Filter.CARD_BESIDE):
            reason = self.why_not_card_terrain()
            if not reason and tile.filter is Filter.CARD_BESIDE:
                reason = f"{here} is not beside an own settlement"
            return reason
        allowed = self.allowed_terrains(tile)
        if terrain not in allowed:
            needed = " or ".join(allowed) if len(allowed) < 3 else "a buildable hex"
            if tile.filter is Filter.LAND_OR_MOUNTAIN:
                needed = "a buildable hex or a mountain"
            return f"{here} is {terrain}, the {self.name} {self.what()}needs {needed}"
        if tile.action in (Action.WAGON, Action.SHIP) and kind is Step.PUT:
            return f"{here} is not beside the piece"
        if tile.action is Action.SILO:
            return f"{here} is not beside an own settlement"
        if tile.filter is Filter.EDGE and not self.is_on_edge():
            return f"{here} is not on the edge of the board"
        if tile.filter in _SIDES:
            what, is_beside = _SIDES[tile.filter]
            return "" if is_beside(self) else f"{here} is not beside {what}"
        condition = _CONDITIONS.get(tile.filter)
        return f"{here} {condition}" if condition else ""

    def allowed_terrains(self, tile: content.Tile) -> tuple[str, ...]:
        """Return the terrains a tile's action can lead to."""
        if tile.terrain:
            return (tile.terrain,)
        if tile.filter is Filter.SHORE:
            return ("marsh", "water")
        with_bonus = "fountain_bonus" in self.setup.tile_kinds and tile.filter is Filter.LONELY
        if with_bonus:
            bonus = self.setup.tile_kinds.index("fountain_bonus")
            with_bonus = bool(self.seat["ready"][bonus])
        if tile.filter is Filter.LAND_OR_MOUNTAIN or with_bonus:
            return (*BUILDABLE, "mountain")
        return BUILDABLE

    def is_on_edge(self) -> bool:
        row, column = divmod(self.cell, SIZE)
        return self.cell < N_BOARD_CELLS and not {row, column}.isdisjoint((0, SIZE - 1))

    def is_beside_terrain(self, terrain: Terrain) -> bool:
        neighbours = self.board.neighbours(self.cell)
        if terrain is Terrain.WATER and self.cell >= N_BOARD_CELLS:
            if len(neighbours) < N_NEIGHBOURS:  # the sea around the island
                return True
        return any(self.board.terrain(cell) == terrain for cell in neighbours)

    def is_beside_another(self) -> bool:
        found = (self.pieces.get(cell) for cell in self.board.neighbours(self.cell))
        return any(piece is not None and piece[0] != self.actor for piece in found)

    def why_not_free(self, cell: int | None = None, *, scouts: bool = True) -> str:
        """Return what is on a hex, or blocks it (R1.8)."""
        cell = self.cell if cell is None else cell
        here = format_cell(cell)
        terrain = self.board.terrain(cell)
        if terrain == Terrain.VOID:
            return f"there is no hex {here} on this board (R1.1)"
        if cell in self.pieces:
            seat, piece = self.pieces[cell]
            what = "settlement" if piece == HOUSE else piece
            return f"a {what} of {self.seats[seat]} stands on {here} (R4.1)"
        if cell in self.fields["walls"]:
            return f"a stone wall stands on {here} (R6.2)"
        if scouts and cell in self.fields["scouts"]:
            return f"a scout stands on {here} (R6.5)"
        if terrain == Terrain.SPECIAL:
            return f"{here} is {space_name(self.setup, cell)} (R1.8)"
        lifted = self.fields["lift"][1] if self.fields["lift"] else -1
        for other in self.board.neighbours(cell):
            seat, piece = self.pieces.get(other, (0, ""))
            if piece == WARRIOR and other != lifted:
                where = format_cell(other)
                return f"a warrior of {self.seats[seat]} on {where} blocks {here} (R6.3)"
        return ""

    def why_not_beside(self, kind: Step, slot: int) -> str:
        """Return which hex beside an own settlement has to be taken instead."""
        for step in self.position.legal():
            if unpack_step(step)[:2] == (kind, slot):
                other = format_cell(unpack_step(step)[2])
                return f"a hex beside an own settlement is possible, such as {other} (R4.2)"
        return "there is no hex to go to (R4.2)"


# Filters that ask for something beside the hex, and leave adjacency to R4.2.
_SIDES: dict[Filter, tuple[str, Callable[[_Reasons], bool]]] = {
    Filter.WATERSIDE: ("water", lambda reasons: reasons.is_beside_terrain(Terrain.WATER)),
    Filter.FOOTHILL: ("a mountain", lambda reasons: reasons.is_beside_terrain(Terrain.MOUNTAIN)),
    Filter.SPECIAL_SIDE: (
        "a location, castle or other space",
        lambda reasons: reasons.is_beside_terrain(Terrain.SPECIAL),
    ),
    Filter.WATCH: ("a settlement of another seat", _Reasons.is_beside_another),
}
# Filters that leave a free hex of the right terrain one reason to be no target.
_CONDITIONS = {
    Filter.LINE_END: "does not continue a straight line of three own settlements",
    Filter.JUMP: "is not exactly two hexes away in a straight line",
    Filter.CROWD: "is not beside three own settlements",
    Filter.LONELY: "is not beside exactly one own settlement and none of another seat",
    Filter.SLIDE: "is not where a straight way over free buildable hexes ends",
    Filter.STEP: "is not beside the piece",
    Filter.NEAREST: "is not the nearest free buildable hex of a direction",
    Filter.AREA: "is not beside the rest of the piece's settlement area",
    Filter.CAVE: "is not beside a cave",
    Filter.BESIDE: "is not beside an own settlement",
}
