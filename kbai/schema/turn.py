"""The keys about the turn: whose it is, the card played, and what is under way."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kbai import content
from kbai._fast import Action, Draw, Phase, Step, Terrain
from kbai.content import BUILDABLE, CARD_TERRAINS, TERRAIN_CARDS, TERRAINS
from kbai.notation import (
    NO_CARD,
    card_terrain,
    format_cell,
    pack_step,
    parse_card,
    parse_cell,
    parse_name,
    quote,
    space_name,
)
from kbai.pieces import HALL, HOUSE
from kbai.reading import Table, Word, parse_place
from kbai.schema.pieces import Ground, Seat, check_needed, read_hex
from kbai.table import Setup

HIDDEN, REPLACE, CHOOSE, ANY = "hidden", "replace", "choose", "any"
PHASES = {"pre": Phase.PRE, "post": Phase.POST, "silo": Phase.SILO, "over": Phase.OVER}
MAX_DUE = 3  # houses of a mandatory action (R3.2)
MAX_SCOUTS = 2
NOT_CHOSEN = -2  # the kernel's card while several are turned up and none is chosen
FORT_DRAW = "draw"
# A silo action under way: what it does, and what the kernel adds to the steps left.
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
# Actions of several steps whose tile stays with its holder, used.
_TILE_IS_USED = (Action.WALL, Action.WAGON, Action.SHIP, Action.SCOUT, Action.CATHEDRAL)
_OUTPOST_WITHIN = (Action.DONATION, Action.FORT, Action.CATHEDRAL)
_MOVING = (Action.MOVE, Action.RESETTLEMENT, Action.WAGON, Action.SHIP, Action.SILO)

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
    "owed",
    "silos",
    "scouts",
    "final",
    "walls",
    "gone",
)
# What there is no more after the last turn, and after the silos.
_NOT_IN_SILO = (
    "card",
    "hand",
    "terrain",
    "repeat",
    "reacting",
    "built",
    "owed",
    "scouts",
    "spent",
)
_NOT_WHEN_OVER = ("turn", *_NOT_IN_SILO, "lift", "doing", "silos")


@dataclass(slots=True)
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
    """Drawn for a fort that is to build with it."""
    is_interrupted: bool = False
    """Somebody is to react, so what follows from the last step has not been looked at."""


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
    turn.owed = _read_owed(table, seats[turn.mover], turn)
    _check_phase(table, seats, turn, ground)
    _check_turn(setup, table, seats, turn, ground)
    return turn


def read_phase(table: Table) -> tuple[Phase, int]:
    """Return the phase, and the houses of the mandatory action to go."""
    if "phase" not in table:
        return Phase.PRE, 0
    name = table.text("phase").strip().lower()
    if name in PHASES:
        return PHASES[name], 0
    match = re.fullmatch(f"build([0-{MAX_DUE}])", name)
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
            message = "expected a terrain card with the terrain"
            raise table.error("terrain", f"{message} {table.text('terrain')}, got {card!r}")
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
    """Return how many of the mover's temple houses are owed unless something else is said."""
    return temple if phase in (Phase.PRE, Phase.BUILD) else 0


def _check_phase(table: Table, seats: list[Seat], turn: Turn, ground: Ground) -> None:
    """Raise if the phase does not fit; a mandatory action that is void is done."""
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
    if turn.due > mover.supply:
        message = f"expected no more houses to build than the {mover.supply} in supply"
        raise table.error("phase", f"{message}, got {quote(table.text('phase'))} (R3.2)")
    if turn.phase is Phase.BUILD and not turn.due and not turn.owed and not turn.is_interrupted:
        message = f"expected the phase build0 only with temple houses of {mover.name} owed"
        raise table.error("phase", f"{message} (R6.4)")


def _why_void(mover: Seat, turn: Turn, ground: Ground) -> str:
    """Return why nothing can be built in the mandatory action; nothing if it can."""
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


def check_used_tiles(seats: list[Seat], turn: Turn) -> None:
    """Raise if tiles are used or fresh that cannot be: only the mover uses tiles, but canoes."""
    every = content.load()
    for index, seat in enumerate(seats):
        for key, counts in (("used", seat.used), ("fresh", seat.fresh)):
            if not any(n for k, n in counts.items() if every.tile(k).action is not Action.CANOE):
                continue
            if index != turn.mover or turn.phase in (Phase.SILO, Phase.OVER):
                message = f"expected {key} tiles only for the seat whose turn it is"
                raise seat.table.error(key, f"{message}, got some for {seat.name} (R3.1)")
            if turn.draw is Draw.REVEAL:
                message = f"expected no {key} tiles as long as the card is hidden"
                raise seat.table.error(key, f"{message} (R3.1)")


def read_walls(setup: Setup, table: Table, seats: list[Seat]) -> list[int]:
    """Return the cells of the stone walls."""
    walls: set[int] = set()
    for word in table.words("walls"):
        cell = parse_cell(word, path=word.path)
        terrain = Terrain(setup.terrain[cell]).name.lower()
        if terrain not in BUILDABLE:
            what = space_name(setup, cell) if terrain == "special" else terrain
            message = f"expected a wall on a hex of a card's terrain, got {quote(word)}"
            raise word.error(f"{message}, {what} (R6.2)")
        if cell in walls:
            raise word.error(f"expected each wall once, got {quote(word)} twice (R6.2)")
        _check_nothing_there(cell, word, "a wall", seats)
        walls.add(cell)
    if len(walls) > setup.walls:
        message = f"expected at most {setup.walls} walls, got {len(walls)}"
        raise table.error("walls", f"{message} (R6.2)")
    return sorted(walls)


def _check_nothing_there(cell: int, word: Word, what: str, seats: list[Seat]) -> None:
    for seat in seats:
        if cell in seat.pieces:
            piece = seat.pieces[cell][0]
            other = "settlement" if piece == HOUSE else piece
            message = f"expected one thing on {format_cell(cell)}, got {what} and a {other}"
            raise word.error(f"{message} of {seat.name} (R4.1)")


def read_scouts(setup: Setup, table: Table, seats: list[Seat], walls: list[int]) -> list[int]:
    """Return the cells of the scout tokens."""
    check_needed(setup, table, ("scouts",))
    scouts: set[int] = set()
    for word in table.words("scouts"):
        cell = read_hex(setup, word, climbs=True)
        if cell in scouts:
            raise word.error(f"expected each scout once, got {quote(word)} twice (R4.1)")
        _check_nothing_there(cell, word, "a scout", seats)
        if cell in walls:
            message = f"expected one thing on {format_cell(cell)}, got a scout and a wall"
            raise word.error(f"{message} (R4.1)")
        scouts.add(cell)
    if len(scouts) > MAX_SCOUTS:
        message = f"expected at most {MAX_SCOUTS} scouts, got {len(scouts)}"
        raise table.error("scouts", f"{message} (R6.5)")
    if scouts and table.is_given("card") and table.get("card") == HIDDEN:
        raise table.error("scouts", "expected no scouts as long as the card is hidden (R6.5)")
    return sorted(scouts)


def read_doing(setup: Setup, table: Table, seats: list[Seat], turn: Turn) -> tuple[str, int] | None:
    """Return the tile of an action under way and the kernel's number for what is to follow."""
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
    if action is Action.DONATION and left > mover.supply:
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
    """Return what the part after the colon means for the tile before it."""
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
    # The sword begins with the seat to the left, so that one is never the next.
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
    """Return the interruptions, outermost first: who took a tile, who is asked next."""
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
    """Return the houses of the mandatory action so far; only Families asks for them."""
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
    if built and (turn.phase is not Phase.BUILD or "families" not in setup.cards):
        message = "expected 'built' only within the mandatory action and with families in play"
        raise table.error("built", f"{message} (R8.6)")
    if turn.phase is Phase.BUILD and "families" in setup.cards:
        most = MAX_DUE - turn.due
        least = _least_built(setup, mover, turn)
        if not least <= len(built) <= most:
            number = f"{most}" if least == most else f"{least} to {most}"
            what = f"the houses built so far, {number} with {turn.due} to go"
            table.require("built", what)
            raise table.error("built", f"expected {what}, got {len(built)} (R3.2)")
    return sorted(built)


def _least_built(setup: Setup, mover: Seat, turn: Turn) -> int:
    """Return how many houses the mandatory action has had at least."""
    if not turn.due:
        return 0
    # On marsh it has two, and with the last houses of the supply it may have had fewer.
    may_be_short = turn.due == mover.supply or Terrain.MARSH in setup.terrain
    return min(MAX_DUE - turn.due, 1) if may_be_short else MAX_DUE - turn.due


def read_lift(
    setup: Setup,
    table: Table,
    seats: list[Seat],
    turn: Turn,
    doing: tuple[str, int] | None,
) -> int | None:
    """Return the step that has lifted a piece, if one has."""
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


def is_final_by_default(setup: Setup, seats: list[tuple[int, int]]) -> bool:
    """Return whether the last round is fixed, given the supply and temple houses of each seat."""
    return not setup.options.sword_cancels_end and any(
        not supply and not temple for supply, temple in seats
    )


def read_final(setup: Setup, table: Table, seats: list[Seat], turn: Turn) -> bool:
    """Return whether the last round is fixed."""
    if setup.options.sword_cancels_end:  # then the supplies say it at the end of a round
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
