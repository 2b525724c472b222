"""The keys about the turn: whose it is, the card played, and how far it has come."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kbai import content
from kbai._fast import Action, Draw, Phase, Terrain
from kbai.content import BUILDABLE, CARD_TERRAINS, TERRAIN_CARDS, TERRAINS
from kbai.core.errors import quote
from kbai.game.setup import Setup
from kbai.notation.dicts import Table
from kbai.notation.names import NO_CARD, card_terrain, parse_card
from kbai.notation.schema.ground import Ground
from kbai.notation.schema.pieces import Seat, check_needed, has_action

HIDDEN, REPLACE, CHOOSE, ANY = "hidden", "replace", "choose", "any"
PHASES = {"pre": Phase.PRE, "post": Phase.POST, "silo": Phase.SILO, "over": Phase.OVER}
MAX_DUE = 3  # houses of a mandatory action (R3.2)
_BUILD = re.compile(f"build([0-{MAX_DUE}])")
NOT_CHOSEN = -2  # the kernel's card while several are turned up and none is chosen

TURN_KEYS = (
    "turn",
    "card",
    "hand",
    "phase",
    "terrain",
    "lift",
    "doing",
    "repeat",
    "outpost",
    "reacting",
    "built",
    "moved",
    "owed",
    "silos",
    "scouts",
    "final",
    "walls",
    "gone",
)
# Keys that make no sense after the last turn, and after the silos.
_NOT_IN_SILO = (
    "card",
    "hand",
    "terrain",
    "repeat",
    "reacting",
    "built",
    "moved",
    "owed",
    "scouts",
    "spent",
)
_NOT_WHEN_OVER = ("turn", *_NOT_IN_SILO, "lift", "doing", "silos")


@dataclass(slots=True, eq=False, repr=False)
class Turn:
    """Whose turn it is and how far it has come."""

    mover: int
    phase: Phase
    due: int = 0
    card: int = -1
    hand: list[int] = field(default_factory=lambda: [0] * len(TERRAIN_CARDS))
    draw: Draw = Draw.NONE
    terrain: int = -1
    owed: int = 0
    silos: int = 0
    fort_card: int = -1
    """The card drawn for a fort that has not built yet."""
    is_interrupted: bool = False
    """Whether somebody is asked to react, so that the last step has not taken full effect."""


def read_turn(setup: Setup, table: Table, seats: list[Seat], ground: Ground) -> Turn:
    """Return whose turn it is, the card, the phase and what is owed."""
    phase, due = read_phase(table)
    _check_phase_keys(table, phase)
    if phase is Phase.OVER:
        return Turn(setup.start, phase)
    table.require("turn", "the seat whose turn it is")
    turn = Turn(table.seat("turn", setup.seats), phase, due)
    if phase is Phase.SILO:
        turn.silos = _read_silos(setup, table, seats[turn.mover])
        return turn
    check_needed(setup, table, TURN_KEYS)
    turn.is_interrupted = table.is_given("reacting")
    _read_cards(setup, table, turn)
    if turn.draw is Draw.REVEAL and table.is_given("scouts"):
        raise table.error("scouts", "expected no scouts as long as the card is hidden (R6.5)")
    turn.owed = _read_owed(table, seats[turn.mover], turn)
    _check_phase(table, seats, turn, ground)
    _check_turn(setup, table, seats, turn, ground)
    return turn


def read_phase(table: Table) -> tuple[Phase, int]:
    """Return the phase, and how many houses the mandatory action still has to build."""
    if "phase" not in table:
        return Phase.PRE, 0
    name = table.text("phase").strip().lower()
    if name in PHASES:
        return PHASES[name], 0
    match = _BUILD.fullmatch(name)
    if match is None:
        message = f"expected the phase pre, build0 to build{MAX_DUE}, post, silo or over"
        raise table.error("phase", f"{message}, got {quote(table.text('phase'))}")
    return Phase.BUILD, int(match[1])


def _check_phase_keys(table: Table, phase: Phase) -> None:
    unwanted = {Phase.SILO: _NOT_IN_SILO, Phase.OVER: _NOT_WHEN_OVER}.get(phase, ("silos",))
    for key in unwanted:
        if table.is_given(key):
            when = f"when the phase is {phase.name.lower()} (R9.1)"
            if key == "silos" and phase is not Phase.OVER:
                when = "before the phase is silo (R9.2)"
            raise table.error(key, f"expected no {key!r} {when}")


def count_silos(setup: Setup, cells: list[int]) -> int:
    """Return how many silos are beside these cells."""
    board = setup.kernel_board
    beside = {space for cell in cells for space in board.spaces_beside(cell)}
    return sum(setup.spaces[space].kind == "silo" for space in beside)


def _read_silos(setup: Setup, table: Table, mover: Seat) -> int:
    on_board = sum(space.kind == "silo" for space in setup.spaces)
    if not on_board:
        raise table.error("phase", "expected the phase silo only on a board with silos (R9.2)")
    if not table.is_given("silos"):
        return count_silos(setup, [*mover.pieces])
    return table.number("silos", 0, on_board)


def _read_cards(setup: Setup, table: Table, turn: Turn) -> None:
    """Fill in the card played, the others turned up, and the terrain of the turn."""
    table.require("card", "the terrain card turned up, or hidden")
    others = (HIDDEN, REPLACE, CHOOSE, NO_CARD)
    name = parse_card(table.text("card"), others=others, path=table.where("card"))
    turn.hand = table.counts("hand")
    if name in TERRAIN_CARDS:
        turn.card = TERRAIN_CARDS.index(name)
    elif name == CHOOSE:
        turn.card = NOT_CHOSEN
        _check_choice(setup, table, turn)
    elif name != NO_CARD:
        turn.draw = Draw.REVEAL if name == HIDDEN else Draw.REPLACE
    turn.terrain = _read_terrain(setup, table, turn, name)


def _check_choice(setup: Setup, table: Table, turn: Turn) -> None:
    """Raise unless the cards in hand leave a choice (R3.6)."""
    kinds = [name for name, n in zip(TERRAIN_CARDS, turn.hand, strict=True) if n]
    same_any = setup.options.crossroads_identical_any
    if sum(turn.hand) < 2 or (kinds[0] in CARD_TERRAINS and len(kinds) == 1 and not same_any):
        names = ", ".join(kinds) or "none"
        message = "expected several cards in 'hand' to choose from"
        raise table.error("card", f"{message}, got {names} (R3.6)")


def _read_terrain(setup: Setup, table: Table, turn: Turn, card: str) -> int:
    """Return the terrain of the turn; -1 if there is none or it is not chosen yet."""
    if turn.card < 0:
        if table.is_given("terrain"):
            terrain = quote(table.text("terrain"))
            message = f"expected a terrain card with the terrain {terrain}, got {card!r}"
            raise table.error("terrain", message)
        return -1
    plain = Terrain[card_terrain(card).upper()]
    has_marsh = Terrain.MARSH in setup.terrain
    if not table.is_given("terrain"):
        return -1 if card not in CARD_TERRAINS and has_marsh else plain
    name = table.text("terrain").strip().lower()
    if name == ANY:
        if not setup.options.exhausted_any_hex:
            message = "expected the terrain any only with the option exhausted_any_hex"
            raise table.error("terrain", f"{message} (R3.5)")
        return Terrain.SPECIAL
    known = [plain.name.lower()]
    if card not in CARD_TERRAINS and has_marsh:
        known.insert(0, "marsh")
    if setup.options.crossroads_identical_any and turn.hand[turn.card] and card in CARD_TERRAINS:
        known = [*CARD_TERRAINS]
    if name not in known:
        message = f"expected the terrain {' or '.join(known)} with the card {card}"
        raise table.error("terrain", f"{message}, got {quote(name)} (R3.6)")
    return Terrain[name.upper()]


def _read_owed(table: Table, mover: Seat, turn: Turn) -> int:
    """Return how many temple houses are to be built in this turn."""
    is_due = turn.phase in (Phase.PRE, Phase.BUILD)
    if not table.is_given("owed"):
        return default_owed(turn.phase, mover.temple)
    owed = table.number("owed", 0, 99)
    if owed > mover.temple:
        message = f"expected at most the {mover.temple} houses of {mover.name} on temple tiles"
        raise table.error("owed", f"{message}, got {owed} (R6.4)")
    if owed and not is_due:
        message = "expected no temple house owed once the mandatory action is done"
        raise table.error("owed", f"{message}, got {owed} (R6.4)")
    return owed


def default_owed(phase: int, temple: int) -> int:
    """Return how many of the mover's temple houses are owed by default."""
    return temple if phase in (Phase.PRE, Phase.BUILD) else 0


def _check_phase(table: Table, seats: list[Seat], turn: Turn, ground: Ground) -> None:
    """Raise if the phase does not fit; an impossible mandatory action counts as done."""
    mover = seats[turn.mover]
    reason = "" if turn.is_interrupted else _why_void(mover, turn, ground)
    if reason and turn.phase in (Phase.PRE, Phase.BUILD):
        if "phase" in table:
            message = f"expected the phase post, as {reason}, got {quote(table.text('phase'))}"
            raise table.error("phase", f"{message} (R3.2)")
        turn.phase, turn.owed = Phase.POST, 0
    if turn.draw is Draw.REVEAL and turn.phase is not Phase.PRE and not reason:
        message = "expected the phase pre as long as the card is hidden"
        raise table.error("phase", f"{message}, got {quote(table.text('phase'))} (R3.1)")
    if turn.due > mover.supply and not turn.is_interrupted:
        message = f"expected no more houses to build than the {mover.supply} in supply"
        raise table.error("phase", f"{message}, got {quote(table.text('phase'))} (R3.2)")
    if turn.phase is Phase.BUILD and not turn.due and not turn.owed and not turn.is_interrupted:
        message = f"expected the phase build0 only with temple houses of {mover.name} owed"
        raise table.error("phase", f"{message} (R6.4)")


def _why_void(mover: Seat, turn: Turn, ground: Ground) -> str:
    """Return why the mandatory action can build nothing; an empty text if it can."""
    if not mover.supply and not turn.owed:
        return f"{mover.name} has no house left in supply"
    if turn.card == -1 and turn.draw is Draw.NONE:
        return f"{mover.name} has no card"
    if turn.terrain == Terrain.SPECIAL and not ground.has_free(BUILDABLE):
        return "no buildable hex is free"
    return ""


def _check_turn(setup: Setup, table: Table, seats: list[Seat], turn: Turn, ground: Ground) -> None:
    """Raise if card, options and tiles contradict each other."""
    options = setup.options
    if turn.draw is Draw.REPLACE and options.exhausted_any_hex:
        message = "expected no card to be replaced with the option exhausted_any_hex"
        raise table.error("card", f"{message}, got {quote(table.text('card'))} (R3.5)")
    if turn.card >= 0 and turn.terrain != Terrain.SPECIAL and not turn.is_interrupted:
        name = TERRAIN_CARDS[turn.card]
        halves = ("marsh", card_terrain(name)) if turn.terrain < 0 else (TERRAINS[turn.terrain],)
        if not ground.has_free(halves):
            instead = "terrain = 'any'" if options.exhausted_any_hex else "card = 'replace'"
            message = f"expected a card with a free hex, got {name!r}, whose hexes are all taken"
            raise table.error("card", f"{message}; {instead} says that (R3.5)")


def check_used_tiles(setup: Setup, seats: list[Seat], turn: Turn) -> None:
    """Raise if tiles are used or fresh that cannot be: others than the mover only use canoes.

    A canoe can gain a tile in another seat's turn; it is fresh if the own turn is still to come.
    """
    every = content.load()
    reacts = has_action(setup, Action.CANOE)
    order = [(index - setup.start) % len(seats) for index in range(len(seats))]
    for index, seat in enumerate(seats):
        for key, counts in (("used", seat.used), ("fresh", seat.fresh)):
            if not any(n for k, n in counts.items() if every.tile(k).action is not Action.CANOE):
                continue
            by_canoe = key == "fresh" and reacts
            is_mover = index == turn.mover
            is_later = by_canoe and order[index] > order[turn.mover]
            if not (is_mover or is_later) or turn.phase in (Phase.SILO, Phase.OVER):
                message = f"expected {key} tiles only for the seat whose turn it is"
                if by_canoe:
                    message += " and those after it in this round"
                raise seat.table.error(key, f"{message}, got some for {seat.name} (R3.1)")
            if is_mover and turn.draw is Draw.REVEAL and not (by_canoe and order[index]):
                message = f"expected no {key} tiles as long as the card is hidden"
                raise seat.table.error(key, f"{message} (R3.1)")


def is_final_by_default(setup: Setup, seats: list[tuple[int, int]]) -> bool:
    """Return whether the last round is fixed, given the supply and temple houses of each seat."""
    return not setup.options.sword_cancels_end and any(
        not supply and not temple for supply, temple in seats
    )


def read_final(setup: Setup, table: Table, seats: list[Seat], turn: Turn) -> bool:
    """Return whether the last round is fixed."""
    if setup.options.sword_cancels_end:  # the supplies at the end of a round decide it
        return "final" in table and table.flag("final")
    empty = [seat.name for seat in seats if not seat.supply and not seat.temple]
    fixed = bool(empty) or turn.phase in (Phase.SILO, Phase.OVER)
    if "final" not in table:
        return fixed
    final = table.flag("final")
    if fixed and not final:
        reason = f"{empty[0]} has no house left" if empty else "the last turn is over"
        raise table.error("final", f"expected final = true, as {reason}, got false (R9.1)")
    return final
