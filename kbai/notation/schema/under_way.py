"""The keys about what is under way within a turn: a piece in hand, an action, a reaction."""

from __future__ import annotations

import re

from kbai import content
from kbai._fast import Action, Draw, Phase, Step, Terrain
from kbai.content import TERRAIN_CARDS
from kbai.core.errors import quote
from kbai.game.pieces import HALL, HOUSE
from kbai.game.setup import Setup
from kbai.game.steps import pack_step
from kbai.notation.dicts import Table, Word, parse_place
from kbai.notation.names import name_meant, parse_card, parse_cell, parse_name
from kbai.notation.schema.pieces import Seat, has_action
from kbai.notation.schema.turn import MAX_DUE, Turn

FORT_DRAW = "draw"
# Silo actions under way: what they do, and what the kernel adds to the steps left.
SILO_ACTIONS = {"silo_build": 0, "silo_move": 4}
# Steps that may still follow the first one of an action of several steps (R6.2, R7.1).
MAX_FOLLOWING = {
    Action.WALL: 1,
    Action.DONATION: 2,
    Action.RESETTLEMENT: 3,
    Action.WAGON: 2,
    Action.SHIP: 2,
    Action.SCOUT: 1,
    Action.SILO: 2,
}
# Actions of several steps whose used tile stays with its holder; a figure can lose its tile.
_TILE_IS_USED = (Action.WALL, Action.SCOUT, Action.CATHEDRAL)
_OUTPOST_WITHIN = (Action.DONATION, Action.FORT, Action.CATHEDRAL)
_MOVING = (Action.MOVE, Action.RESETTLEMENT, Action.WAGON, Action.SHIP, Action.SILO)


# Moves of several steps, whose tiles wait for their end with the option move_tiles.
_STEP_BY_STEP = (Action.RESETTLEMENT, Action.WAGON, Action.SHIP)


def waits_for_end(setup: Setup, table: Table) -> bool:
    """Return whether a move is under way that gains and loses tiles only where it ends."""
    every = content.load()
    kinds = (name_meant(word.partition(":")[0], every.tiles) for word in table.words("doing"))
    return setup.options.move_tiles == "at_end" and any(
        kind in every.tiles and every.tile(kind).action in _STEP_BY_STEP for kind in kinds
    )


def read_doing(setup: Setup, table: Table, seats: list[Seat], turn: Turn) -> tuple[str, int] | None:
    """Return the tile of an action under way, and the kernel's number for the rest of it."""
    word = table.word("doing", "action under way")
    if word is None:
        return None
    every = content.load()
    name, _, rest = word.lower().partition(":")
    known = [*SILO_ACTIONS, *(kind for kind in every.tiles if kind not in every.commons)]
    kind = parse_name("tile", name, known, path=word.path, token=str(word))
    if kind in SILO_ACTIONS:
        return _read_silo_doing(setup, word, kind, rest, turn)
    mover = seats[turn.mover]
    action = every.tile(kind).action
    left = _read_left(setup, word, kind, rest, seats, turn)
    if kind not in setup.tile_kinds:
        raise word.error(f"expected a tile of this game, got {quote(word)} (R3.3)")
    if action in _TILE_IS_USED and not mover.used[kind]:
        message = f"expected a {kind} tile used this turn by {mover.name}"
        raise word.error(f"{message} for {quote(word)} (R3.3)")
    # A marker or a reaction of the mover may have taken a house since it began.
    may_be_short = "mayors" in setup.cards or has_action(setup, Action.CANOE)
    if action is Action.DONATION and left > mover.supply and not may_be_short:
        message = f"expected no more houses to build than the {mover.supply} in supply"
        raise word.error(f"{message}, got {quote(word)} (R7.1)")
    if action is Action.CATHEDRAL and left != mover.tokens:
        message = f"expected the {mover.tokens} tokens {mover.name} has left"
        raise word.error(f"{message}, got {quote(word)} (R6.5)")
    if turn.phase is Phase.BUILD:
        message = "expected no other action within the mandatory action"
        raise word.error(f"{message}, got {quote(word)} (R3.2)")
    if turn.phase is Phase.SILO:
        message = "expected only silo actions after the last turn"
        raise word.error(f"{message}, got {quote(word)} (R9.2)")
    if turn.draw is Draw.REVEAL:
        message = "expected no action as long as the card is hidden"
        raise word.error(f"{message}, got {quote(word)} (R3.1)")
    if action is Action.FORT:
        _begin_fort(word, left, turn)
    return kind, left


def _read_left(
    setup: Setup, word: Word, kind: str, rest: str, seats: list[Seat], turn: Turn
) -> int:
    """Return what the part after the colon says about the tile before it."""
    action = content.load().tile(kind).action
    if action is Action.SWORD:
        return _read_victim(setup, word, rest, seats, turn)
    if action is Action.FORT:
        if rest == FORT_DRAW:
            return -1
        return TERRAIN_CARDS.index(parse_card(rest, others=(), path=word.path))
    if action is Action.CATHEDRAL:
        if not re.fullmatch(r"[1-9][0-9]?", rest):
            message = f"expected the tokens left, such as '{kind}:1'"
            raise word.error(f"{message}, got {quote(word)}")
        return int(rest)
    if action not in MAX_FOLLOWING:
        message = "expected a tile whose action has several steps, like 'quarry:1' or 'sword:blue'"
        raise word.error(f"{message}, got {quote(word)}")
    return _read_following(word, kind, rest, MAX_FOLLOWING[action])


def _read_following(word: Word, kind: str, rest: str, most: int) -> int:
    if not re.fullmatch(f"[1-{most}]", rest):
        number = f"{kind}:1 to {kind}:{most}" if most > 1 else f"{kind}:1"
        message = f"expected the steps that may follow, {number}"
        raise word.error(f"{message}, got {quote(word)}")
    return int(rest)


def _read_silo_doing(setup: Setup, word: Word, kind: str, rest: str, turn: Turn) -> tuple[str, int]:
    left = _read_following(word, kind, rest, MAX_FOLLOWING[Action.SILO])
    if turn.phase is not Phase.SILO:
        message = "expected a silo action only when the phase is silo"
        raise word.error(f"{message}, got {quote(word)} (R9.2)")
    every = content.load().commons.values()
    silo = next(common.name for common in every if common.action is Action.SILO)
    return silo, left + SILO_ACTIONS[kind]


def _begin_fort(word: Word, left: int, turn: Turn) -> None:
    """Note the card a fort is to draw, or has drawn."""
    if left >= 0:
        turn.fort_card = left
        return
    if turn.draw is not Draw.NONE:
        message = "expected no card to be replaced while one is drawn for the fort"
        raise word.error(f"{message}, got {quote(word)} (R6.3)")
    turn.draw = Draw.FORT


def _read_victim(setup: Setup, word: Word, name: str, seats: list[Seat], turn: Turn) -> int:
    """Return the seat that a sword takes a piece from next."""
    victim = setup.seats.index(
        parse_name("seat", name, setup.seats, path=word.path, token=str(word))
    )
    if setup.options.sword_targets == "one":
        message = "expected a sword to be done at once with the option sword_targets = 'one'"
        raise word.error(f"{message}, got {quote(word)}")
    # The sword begins with the seat to the left, so that seat is never the next one.
    if victim in (turn.mover, (turn.mover + 1) % len(seats)):
        message = f"expected a seat after the first one to the left of {seats[turn.mover].name}"
        raise word.error(f"{message}, got {quote(word)} (R7.1)")
    if not any(piece != HALL for piece, _ in seats[victim].pieces.values()):
        message = f"expected a seat with a settlement to take, got {quote(word)}"
        raise word.error(f"{message} (R7.1)")
    return victim


def doing_to_text(setup: Setup, doing: tuple[int, int]) -> str:
    """Return an action under way as text."""
    slot, left = doing
    kind = setup.tile_kinds[slot - 1]
    action = content.load().tile(kind).action
    if action is Action.SWORD:
        return f"{kind}:{setup.seats[left]}"
    if action is Action.FORT:
        return f"{kind}:{FORT_DRAW if left < 0 else TERRAIN_CARDS[left]}"
    if action is Action.SILO:
        kind = max(SILO_ACTIONS, key=lambda name: (SILO_ACTIONS[name] < left, SILO_ACTIONS[name]))
        left -= SILO_ACTIONS[kind]
    return f"{kind}:{left}"


def read_repeat(setup: Setup, table: Table, mover: Seat, turn: Turn) -> int:
    """Return the slot of the tile a bazaar repeats, or 0."""
    word = table.word("repeat", "tile to repeat")
    if word is None:
        return 0
    every = content.load()
    kind = parse_name("location tile", word, every.locations, path=word.path)
    if every.tile(kind).action in (Action.BAZAAR, Action.CANOE, Action.CROSSROADS):
        message = "expected a tile with a step that a bazaar repeats"
        raise word.error(f"{message}, got {quote(word)} (R6.5)")
    if mover.ready(kind) < 1:
        message = f"expected a tile that {mover.name} holds and that is ready again"
        raise word.error(f"{message}, got {quote(word)} (R6.5)")
    if not any(every.tile(used).action is Action.BAZAAR for used in mover.used):
        message = f"expected a bazaar used this turn by {mover.name} to repeat {quote(word)}"
        raise word.error(f"{message} (R6.5)")
    if turn.phase is Phase.BUILD or turn.draw is not Draw.NONE or table.words("doing"):
        message = f"expected nothing else under way while {quote(word)} is repeated"
        raise word.error(f"{message} (R6.5)")
    return setup.tile_kinds.index(kind) + 1


def read_reacting(
    setup: Setup, table: Table, seats: list[Seat], turn: Turn
) -> list[tuple[int, int]]:
    """Return the reactions under way, the outermost first: who took a tile, who is asked now."""
    entries: list[tuple[int, int]] = []
    for word in table.words("reacting"):
        taker_name, colon, next_name = word.partition(":")
        if not colon:
            message = "expected who took a tile and who is asked, like 'red:blue'"
            raise word.error(f"{message}, got {quote(word)}")
        taker, asked = (
            setup.seats.index(parse_name("seat", name, setup.seats, path=word.path, token=word))
            for name in (taker_name, next_name)
        )
        expected = entries[-1][1] if entries else turn.mover
        if taker != expected:
            what = f"{setup.seats[expected]} as the one who took a tile"
            raise word.error(f"expected {what}, got {quote(word)} (R6.4)")
        if taker == asked and not setup.options.canoe_self:
            message = "expected another seat to react than the one who took the tile"
            raise word.error(f"{message}, got {quote(word)} (R6.4)")
        entries.append((taker, asked))
    if not entries:
        return entries
    seat, word = seats[entries[-1][1]], table.words("reacting")[-1]
    canoes = [k for k in seat.total if content.load().tile(k).action is Action.CANOE]
    if not seat.supply or not any(seat.ready(kind) > 0 for kind in canoes):
        message = f"expected a seat with a ready canoe tile and a house, got {quote(word)}"
        raise word.error(f"{message} (R6.4)")
    if turn.draw is not Draw.NONE or table.words("lift"):
        message = "expected no card to turn up and no piece in hand while somebody reacts"
        raise word.error(f"{message}, got {quote(word)} (R6.4)")
    return entries


def read_outpost(table: Table, turn: Turn, doing: tuple[str, int] | None) -> bool:
    """Return whether an outpost has been declared for the next placement."""
    if not table.is_given("outpost") or not table.flag("outpost"):
        return False
    if turn.phase in (Phase.SILO, Phase.OVER):
        name = turn.phase.name.lower()
        raise table.error("outpost", f"expected no 'outpost' when the phase is {name} (R9.1)")
    if turn.draw is not Draw.NONE:
        message = "expected no outpost until the card is turned up"
        raise table.error("outpost", f"{message}, got true (R7.1)")
    if table.words("lift"):
        message = "expected an outpost for a placement, but a piece is in hand"
        raise table.error("outpost", f"{message} (R7.1)")
    if doing and content.load().tile(doing[0]).action not in _OUTPOST_WITHIN:
        message = f"expected no outpost while the {doing[0]} is under way"
        raise table.error("outpost", f"{message}, got true (R7.1)")
    return True


def read_built(setup: Setup, table: Table, mover: Seat, turn: Turn) -> list[int]:
    """Return the houses that the mandatory action has built so far; only Families needs them."""
    built: set[int] = set()
    houses = mover.cells(HOUSE)
    for word in table.words("built"):
        cell = parse_cell(word, path=word.path)
        if cell not in houses:
            message = f"expected houses {mover.name} has just built, got {quote(word)}"
            raise word.error(f"{message}, where {mover.name} has none (R8.6)")
        if cell in built:
            raise word.error(f"expected each house once in 'built', got {quote(word)} twice")
        built.add(cell)
    is_asked_for = turn.due > 0 and "families" in setup.cards
    if built and not is_asked_for:
        message = "expected 'built' only within the mandatory action and with families in play"
        raise table.error("built", f"{message} (R8.6)")
    if is_asked_for:
        most = MAX_DUE - turn.due
        # On marsh it builds two, and fewer if the supply ran out.
        may_be_short = turn.due == mover.supply or Terrain.MARSH in setup.terrain
        least = min(most, 1) if may_be_short else most
        if not least <= len(built) <= most:
            number = f"{most}" if least == most else f"{least} to {most}"
            what = f"the houses built so far, {number} with {turn.due} to go"
            table.require("built", what)
            raise table.error("built", f"expected {what}, got {len(built)} (R3.2)")
    return sorted(built)


def read_moved(setup: Setup, table: Table, mover: Seat, doing: tuple[str, int] | None) -> list[int]:
    """Return the pieces that a resettlement has moved so far, if tiles wait for its end."""
    moved: set[int] = set()
    loose = {cell for cell, (piece, _) in mover.pieces.items() if piece != HALL}
    for word in table.words("moved"):
        cell = parse_cell(word, path=word.path)
        if cell not in loose:
            message = f"expected pieces {mover.name} has just moved, got {quote(word)}"
            raise word.error(f"{message}, where {mover.name} has none (R7.1)")
        if cell in moved:
            raise word.error(f"expected each piece once in 'moved', got {quote(word)} twice")
        moved.add(cell)
    is_asked_for = (
        doing is not None
        and content.load().tile(doing[0]).action is Action.RESETTLEMENT
        and setup.options.move_tiles == "at_end"
    )
    if moved and not is_asked_for:
        message = "expected 'moved' only while a resettlement is under way"
        raise table.error("moved", f"{message}, with the option move_tiles:at_end (R7.1)")
    if is_asked_for:
        assert doing is not None
        most = MAX_FOLLOWING[Action.RESETTLEMENT] + 1 - doing[1]
        what = "the pieces moved so far, " + (f"1 to {most}" if most > 1 else "1")
        table.require("moved", what)
        if not 1 <= len(moved) <= most:
            raise table.error("moved", f"expected {what}, got {len(moved)} (R7.1)")
    return sorted(moved)


def read_lift(
    setup: Setup,
    table: Table,
    seats: list[Seat],
    turn: Turn,
    doing: tuple[str, int] | None,
) -> int | None:
    """Return the step that lifted the piece in hand, if there is one."""
    word = table.word("lift", "piece in hand")
    if word is None:
        return None
    seat = seats[turn.mover]
    every = content.load()
    kind, cell = parse_place("tile", word, every.tiles, "barn@c7")
    if every.tile(kind).action not in _MOVING:
        raise word.error(f"expected a tile that moves a piece, got {quote(word)} (R6.1)")
    if cell not in seat.pieces:
        message = f"expected a piece of {seat.name} in hand, got {quote(word)}"
        raise word.error(f"{message}, where {seat.name} has none (R4.4)")
    if doing and doing[0] != kind:
        message = f"expected nothing in hand while the {doing[0]} is under way"
        raise word.error(f"{message}, got {quote(word)} (R3.3)")
    if not doing and every.tile(kind).action is not Action.SILO and seat.ready(kind) < 1:
        message = f"expected a tile that {seat.name} holds and has not used this turn"
        raise word.error(f"{message}, got {quote(word)} (R3.3)")
    if turn.draw is not Draw.NONE:
        raise word.error(f"expected nothing in hand until the card is turned up, got {quote(word)}")
    if turn.phase is Phase.BUILD:
        message = "expected nothing in hand within the mandatory action"
        raise word.error(f"{message}, got {quote(word)} (R3.2)")
    if kind not in setup.tile_kinds:
        raise word.error(f"expected a tile of this game, got {quote(word)} (R3.3)")
    return pack_step(Step.LIFT, setup.tile_kinds.index(kind) + 1, cell)
