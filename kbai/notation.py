"""Text forms of cells, steps, actions and turns, and why an action is not legal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from kbai import content
from kbai._fast import Action, Draw, Filter, Phase, Position, Step, Terrain
from kbai.content import CARD_TERRAINS
from kbai.errors import IllegalActionError, NotationError, suggest_name
from kbai.table import SEATS, SIZE, Setup

if TYPE_CHECKING:
    from kbai._fast import Fields  # only the stub has it

COLUMNS = "abcdefghijklmnopqrst"
NO_CARD = "none"
UNFINISHED = "..."
# Longer pieces of input are cut where an error quotes them.
MAX_QUOTE = 40

_WORD_STEPS = {Step.END: "end", Step.STOP: "stop"}
_CELL = re.compile(r"([a-t])0*([0-9]{1,2})", re.ASCII)
_WORD = re.compile(r"[^\s,]+")
_CARD_ALIASES = {
    "flowers": "flower",
    "flower field": "flower",
    "flower fields": "flower",
    "flower-field": "flower",
    "grassland": "grass",
    "woods": "forest",
}


def quote(value: object) -> str:
    """Return a piece of input as an error shows it: on one line and not too long."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and abs(value) >= 10**MAX_QUOTE:
        return "a huge number"
    if isinstance(value, str) and len(value) > MAX_QUOTE:
        return repr(value[:MAX_QUOTE] + "...")
    return repr(value)


def parse_name(
    what: str,
    text: str,
    known: Iterable[str],
    *,
    path: tuple[str | int, ...] = (),
    token: str | None = None,
) -> str:
    """Return the known name a text means; case does not matter.

    ``token`` is the word to blame if the text is only a part of it.
    """
    name = text.strip().lower()
    if name not in known:
        message = f"{suggest_name(what, text.strip()[:MAX_QUOTE], known)}."
        raise NotationError(message, path=path, token=text if token is None else token)
    return name


def parse_card(text: str, *, others: tuple[str, ...] = (), path: tuple[str | int, ...] = ()) -> str:
    """Return the terrain card a text names, or one of the other words allowed in its place."""
    name = " ".join(text.lower().split())
    name = _CARD_ALIASES.get(name, name)
    if name in others:
        return name
    if name not in CARD_TERRAINS:
        message = f"{suggest_name('card', text.strip()[:MAX_QUOTE], (*CARD_TERRAINS, *others))}."
        raise NotationError(message, path=path, token=text)
    return name


def parse_cell(text: str, *, path: tuple[str | int, ...] = (), token: str | None = None) -> int:
    """Return the kernel's number of a cell such as ``c7``.

    >>> parse_cell("c7"), format_cell(122)
    (122, 'c7')
    """
    match = _CELL.fullmatch(text.strip().lower())
    if match is None or not 1 <= int(match[2]) <= SIZE:
        message = f"expected a cell from a1 to t{SIZE}, got {quote(text)}."
        raise NotationError(message, path=path, token=text if token is None else token)
    return (int(match[2]) - 1) * SIZE + COLUMNS.index(match[1])


def format_cell(cell: int) -> str:
    """Return a cell as text."""
    return f"{COLUMNS[cell % SIZE]}{cell // SIZE + 1}"


def setup_of(position: Position) -> Setup:
    """Return what the position's board was made from."""
    return cast(Setup, position.board.source)


def pack_step(kind: Step, slot: int = 0, cell: int = 0) -> int:
    """Return a step of the kernel."""
    return kind << 24 | slot << 16 | cell


def unpack_step(step: int) -> tuple[Step, int, int]:
    """Return kind, slot and cell of a step of the kernel."""
    return Step(step >> 24), step >> 16 & 0xFF, step & 0xFFFF


def draw_step(card: int) -> int:
    """Return the turning up of a card the way the kernel's `playout_steps` writes it."""
    return -1 - card


def format_step(position: Position, step: int) -> str:
    """Return a step, or the turning up of a card, as text."""
    if step < 0:
        return f"={CARD_TERRAINS[-1 - step]}"
    kind, slot, cell = unpack_step(step)
    if kind in _WORD_STEPS:
        return _WORD_STEPS[kind]
    if kind is Step.PUT:
        return f"-{format_cell(cell)}"
    setup = setup_of(position)
    tile = f"{setup.tile_kinds[slot - 1]}:" if slot else ""
    if kind is Step.DECLARE:
        return tile[:-1]
    if kind is Step.REMOVE:
        owner = _owner(setup, position.fields(), cell)
        if owner is None:
            raise ValueError(f"expected a settlement to remove on {format_cell(cell)}")
        tile += f"{owner}@"
    return f"{tile}{format_cell(cell)}{'-' if kind is Step.LIFT else ''}"


def _owner(setup: Setup, fields: Fields, cell: int) -> str | None:
    """Return the seat whose settlement stands on a cell."""
    for name, seat in zip(setup.seats, fields["seats"], strict=True):
        if cell in seat["cells"]:
            return name
    return None


def parse_step(position: Position, text: str) -> int:
    """Return the step a text means, legal or not; draws as `draw_step` has them."""
    steps = parse_action(position, text)
    if len(steps) > 1:
        raise NotationError(f"expected one step, got the whole move {quote(text)}.", token=text)
    return steps[0]


def parse_action(position: Position, text: str) -> tuple[int, ...]:
    """Return the step or the two steps an action means, legal or not."""
    action = _parse_action_text(text)
    if action.word is not None:
        return (pack_step(action.word),)
    if action.card:
        return (draw_step(CARD_TERRAINS.index(action.card)),)
    setup, slot = setup_of(position), 0
    if action.tile:
        if action.tile not in setup.tile_kinds:
            reason = f"there is no {action.tile} tile in this game (R3.3)"
            raise _impossible(text, reason)
        slot = setup.tile_kinds.index(action.tile) + 1
    if action.seat and action.target is not None:
        # The kernel's step knows only the cell, so who stands there is looked at here.
        if action.seat != _owner(setup, position.fields(), action.target):
            cell = format_cell(action.target)
            reason = f"there is no settlement of {action.seat} on {cell} (R7.1)"
            raise _impossible(text, reason)
        return (pack_step(Step.REMOVE, slot, action.target),)
    steps = []
    if action.source is not None:
        steps.append(pack_step(Step.LIFT, slot, action.source))
    if action.target is not None:
        is_put = action.source is not None or action.is_put
        kind, slot = (Step.PUT, 0) if is_put else (_placing_step(action.tile), slot)
        steps.append(pack_step(kind, slot, action.target))
    return tuple(steps) or (pack_step(Step.DECLARE, slot),)


def _impossible(text: str, reason: str) -> IllegalActionError:
    return IllegalActionError(f"{quote(text.strip())} is not possible: {reason}.", token=text)


def _placing_step(tile: str) -> Step:
    is_wall = tile and content.load().tile(tile).action is Action.WALL
    return Step.WALL if is_wall else Step.BUILD


def format_action(text: str) -> str:
    """Return the canonical text of an action."""
    action = _parse_action_text(text)
    if action.word is not None:
        return _WORD_STEPS[action.word]
    if action.card:
        return f"={action.card}"
    if action.tile and action.source is None and action.target is None:
        return action.tile
    tile = f"{action.tile}:" if action.tile else ""
    seat = f"{action.seat}@" if action.seat else ""
    source = "" if action.source is None else f"{format_cell(action.source)}-"
    target = "" if action.target is None else format_cell(action.target)
    return f"{tile}{seat}{source}{'-' if action.is_put else ''}{target}"


@dataclass(frozen=True, slots=True)
class _ActionText:
    """The parts of the text of an action; a tile without a cell is declared."""

    word: Step | None = None
    card: str = ""
    tile: str = ""
    seat: str = ""
    source: int | None = None
    target: int | None = None
    is_put: bool = False


def _parse_action_text(text: str) -> _ActionText:
    word = text.strip().lower()
    for step, name in _WORD_STEPS.items():
        if word == name:
            return _ActionText(word=step)
    try:
        if word.startswith("="):
            return _ActionText(card=parse_card(word[1:]))
        every = content.load()
        if word in every.nomads and every.nomads[word].action is Action.OUTPOST:
            return _ActionText(tile=word)
        tile, colon, cells = word.rpartition(":")
        if colon:
            tile = parse_name("tile", tile, every.tiles)
            action = every.tile(tile).action
            if action is Action.OUTPOST:
                message = f"expected {tile!r} alone, before the placement it is for"
                raise NotationError(f"{message}, got {quote(text)}.")
            if action is Action.SWORD:
                return _parse_removal(text, tile, cells)
        first, dash, second = cells.partition("-")
        if not dash:
            return _ActionText(tile=tile, target=parse_cell(first))
        if not tile and first:
            message = f"expected the tile of a move, as in barn:c7-d9, got {quote(text)}."
            raise NotationError(message)
        if not tile:
            return _ActionText(target=parse_cell(second), is_put=True)
        target = parse_cell(second) if second else None
        return _ActionText(tile=tile, source=parse_cell(first), target=target)
    except NotationError as error:
        # Blame the whole word: its parts may occur elsewhere in the line.
        raise NotationError(error.message, token=text) from None


def _parse_removal(text: str, tile: str, target: str) -> _ActionText:
    seat, at, cell = target.partition("@")
    if not at:
        message = f"expected the seat and the cell of its settlement, as in {tile}:blue@c7"
        raise NotationError(f"{message}, got {quote(text)}.")
    return _ActionText(tile=tile, seat=parse_name("seat", seat, SEATS), target=parse_cell(cell))


def next_steps(position: Position) -> list[int]:
    """Return all that can come next: the legal steps, or the cards that can be turned up."""
    if position.pending_draw:
        return [draw_step(card) for card, count in enumerate(position.draws()) if count]
    return position.legal()


def legal_steps(position: Position) -> list[str]:
    """Return the legal steps as text, in the kernel's order; none while a card is to be drawn."""
    return [format_step(position, step) for step in position.legal()]


def legal_actions(position: Position) -> list[str]:
    """Return the legal actions as text, moves in one piece, in the order of their steps."""
    actions = []
    for step in position.legal():
        text = format_step(position, step)
        if unpack_step(step)[0] is not Step.LIFT:
            actions.append(text)
            continue
        lifted = position.copy()
        lifted.apply(step)
        actions += [f"{text[:-1]}{put}" for put in legal_steps(lifted)]
    return actions


def advance(position: Position, step: int) -> None:
    """Make a step that is known to be legal, or turn up a card."""
    if step < 0:
        position.draw(-1 - step)
    else:
        position.apply(step)


def apply_action(position: Position, text: str) -> None:
    """Make an action in place; if it is not legal, say why and leave the position as it was."""
    steps = parse_action(position, text)
    trial = position.copy()
    for step in steps:
        reason = why_illegal(trial, step)
        if reason:
            raise _impossible(text, reason)
        advance(trial, step)
    for step in steps:
        advance(position, step)


def why_illegal(position: Position, step: int) -> str:
    """Return why a step cannot be made now, with the rule; nothing if it can."""
    if step < 0:
        return _why_no_draw(position, -1 - step)
    if position.is_legal(step):
        return ""
    if position.is_over:
        return "the game is over (R9.1)"
    if position.pending_draw:
        return "a card is to be turned up first, as in =flower (R3.5)"
    fields = position.fields()
    kind, slot, cell = unpack_step(step)
    if kind is Step.PUT:
        return _why_no_put(position, fields, cell)
    if fields["lift"] is not None:
        return f"the piece on {format_cell(fields['lift'][1])} is to be put down first (R4.4)"
    reason = _why_not_now(position, fields, kind, slot)
    if reason:
        return reason
    if kind is Step.STOP:
        return "there is no action under way that could be stopped (R6.2)"
    if kind is Step.END:
        return f"the mandatory action is to be {_mandatory_state(fields)} first (R3.2)"
    if kind is Step.DECLARE:
        return _why_no_outpost(position, fields, slot)
    if slot:
        return _why_no_tile_action(position, fields, kind, slot, cell)
    return _why_no_house(position, fields, cell)


def _why_no_draw(position: Position, card: int) -> str:
    if not position.pending_draw:
        return "no card is to be turned up now (R3.1)"
    if not position.draws()[card]:
        return f"no {CARD_TERRAINS[card]} card is left to be turned up (R2.1)"
    return ""


def _why_not_now(position: Position, fields: Fields, kind: Step, slot: int) -> str:
    """Return what has to come first: the action under way, or the placement of an outpost."""
    setup = setup_of(position)
    doing = fields["doing"]
    if doing is not None and slot != doing[0]:
        name = setup.tile_kinds[doing[0] - 1]
        action = content.load().tile(name).action
        if action is Action.SWORD:
            victim = setup.seats[doing[1]]
            return f"the sword is to take a settlement of {victim} first (R7.1)"
        if action is Action.DONATION and kind is not Step.DECLARE:
            return f"the {name} is to be finished first, houses to go: {doing[1]} (R7.1)"
        if action is not Action.DONATION:
            return f"the {name} is to be finished first, or ended by the word stop (R3.3)"
    if fields["outpost"] and not _is_under_adjacency_rule(position, kind, slot):
        return "the house for which the outpost was declared is to be placed first (R7.1)"
    return ""


def _is_under_adjacency_rule(position: Position, kind: Step, slot: int) -> bool:
    """Return whether a step places a new piece next to own settlements if possible (R4.3)."""
    if kind is not Step.BUILD or not slot:
        return kind is Step.BUILD
    tile = content.load().tile(setup_of(position).tile_kinds[slot - 1])
    filters = (Filter.CARD, Filter.TERRAIN, Filter.EDGE)
    return tile.action in (Action.BUILD, Action.DONATION) and tile.filter in filters


def _why_no_outpost(position: Position, fields: Fields, slot: int) -> str:
    reason = _why_not_ready(position, fields, slot)
    return reason or "there is no house to build for which an outpost could help (R7.1)"


def _why_not_ready(position: Position, fields: Fields, slot: int) -> str:
    """Return why the mover cannot use a tile at all, unless its action is under way."""
    if fields["doing"] is not None and fields["doing"][0] == slot:
        return ""
    setup = setup_of(position)
    seat = fields["seats"][fields["mover"]]
    name, owner = setup.tile_kinds[slot - 1], setup.seats[fields["mover"]]
    if seat["ready"][slot - 1]:
        return ""
    if seat["used"][slot - 1]:
        return f"{owner} has used the {name} tile in this turn (R3.3)"
    if seat["fresh"][slot - 1]:
        return f"{owner} gained the {name} tile only in this turn (R3.4)"
    return f"{owner} has no {name} tile (R3.3)"


def _mandatory_state(fields: Fields) -> str:
    return "finished" if fields["phase"] == Phase.BUILD else "done"


def _why_no_house(position: Position, fields: Fields, cell: int) -> str:
    seat = fields["seats"][fields["mover"]]
    if fields["phase"] == Phase.POST:
        if not seat["supply"]:
            return "there is no house left in the supply (R3.2)"
        if fields["card"] < 0:
            return "there is no terrain card to build with (R3.5)"
        return "the mandatory action is done (R3.2)"
    return (
        _why_not_free(position, fields, cell)
        or _why_not_card_terrain(position, fields, cell)
        or _why_not_beside(position, Step.BUILD, 0)
    )


def _why_no_tile_action(
    position: Position, fields: Fields, kind: Step, slot: int, cell: int
) -> str:
    setup = setup_of(position)
    seat = fields["seats"][fields["mover"]]
    name, owner = setup.tile_kinds[slot - 1], setup.seats[fields["mover"]]
    tile = content.load().tile(name)
    if fields["phase"] == Phase.BUILD:
        return f"the mandatory action is to be {_mandatory_state(fields)} first (R3.2)"
    reason = _why_not_ready(position, fields, slot)
    if reason:
        return reason
    right, what = _USES[tile.action]
    if kind is not right:
        return f"the {name} tile {what.format(name)} ({_rule(tile)})"
    if right is Step.LIFT:
        if cell not in seat["cells"]:
            return f"there is no piece of {owner} on {format_cell(cell)} (R4.4)"
        return f"the piece on {format_cell(cell)} has nowhere to go with the {name} tile (R4.4)"
    if right is Step.REMOVE:
        return _why_no_removal(position, fields, slot, cell)
    if right is Step.WALL:
        if len(fields["walls"]) >= setup.walls:
            return f"all {setup.walls} stone walls are on the board (R6.2)"
    elif not seat["supply"]:
        return "there is no house left in the supply (R4.5)"
    return _why_no_target(position, fields, right, slot, cell)


# What a tile is used with, and the rest of the sentence for those who try otherwise.
_USES = {
    Action.BUILD: (Step.BUILD, "builds a house, as in {}:c7"),
    Action.MOVE: (Step.LIFT, "moves a piece, as in {}:c7-d9"),
    Action.WALL: (Step.WALL, "lays a stone wall, as in {}:c7"),
    Action.DONATION: (Step.BUILD, "builds a house, as in {}:c7"),
    Action.RESETTLEMENT: (Step.LIFT, "moves a piece by a step, as in {}:c7-d7"),
    Action.OUTPOST: (Step.DECLARE, "is used by the word {}"),
    Action.SWORD: (Step.REMOVE, "takes a settlement, as in {}:blue@c7"),
    Action.TREASURE: (Step.END, "is gold when it is gained"),
}


def _rule(tile: content.Tile) -> str:
    """Return the section of the rules a tile is in."""
    if isinstance(tile, content.NomadTile):
        return "R7.1"
    return "R6.1" if tile.set == "base" else "R6.2"


def _why_no_removal(position: Position, fields: Fields, slot: int, cell: int) -> str:
    setup, here = setup_of(position), format_cell(cell)
    owner = _owner(setup, fields, cell)
    if owner is None:
        return f"there is no settlement on {here} (R7.1)"
    if owner == setup.seats[fields["mover"]]:
        return f"the settlement on {here} is one's own (R7.1)"
    for step in position.legal():
        if unpack_step(step)[:2] == (Step.REMOVE, slot):
            first = _owner(setup, fields, unpack_step(step)[2])
            return f"the sword is to take a settlement of {first} first (R7.1)"
    return "there is no settlement to take (R7.1)"


def _why_no_put(position: Position, fields: Fields, cell: int) -> str:
    if fields["lift"] is None:
        return "no piece has been lifted (R4.4)"
    slot, source = fields["lift"]
    if cell == source:
        return "the piece cannot go back to where it came from (R4.4)"
    return _why_no_target(position, fields, Step.PUT, slot, cell)


def _why_no_target(position: Position, fields: Fields, kind: Step, slot: int, cell: int) -> str:
    """Return why a tile does not lead to a cell."""
    reason = _why_not_free(position, fields, cell)
    if reason:
        return reason
    name = setup_of(position).tile_kinds[slot - 1]
    tile = content.load().tile(name)
    terrain = _terrain_name(position, cell)
    here = format_cell(cell)
    if tile.filter in (Filter.CARD, Filter.CARD_BESIDE):
        reason = _why_not_card_terrain(position, fields, cell)
        if not reason and tile.filter is Filter.CARD_BESIDE:
            reason = f"{here} is not beside an own settlement"
    elif tile.filter is Filter.TERRAIN:
        if terrain != tile.terrain:
            reason = f"{here} is {terrain}, the {name} tile needs {tile.terrain}"
    elif terrain not in content.BUILDABLE:
        reason = f"{here} is {terrain}, the {name} tile needs a buildable hex"
    elif tile.filter is Filter.EDGE:
        if cell // SIZE not in (0, SIZE - 1) and cell % SIZE not in (0, SIZE - 1):
            reason = f"{here} is not on the edge of the board"
    elif tile.filter in _CONDITIONS:
        reason = f"{here} {_CONDITIONS[tile.filter]}"
    if reason:
        return reason if reason.endswith(")") else f"{reason} ({_rule(tile)})"
    return _why_not_beside(position, kind, 0 if kind is Step.PUT else slot)


# Filters that leave a free buildable hex one reason to be no target.
_CONDITIONS = {
    Filter.LINE_END: "does not continue a straight line of three own settlements",
    Filter.JUMP: "is not exactly two hexes away in a straight line",
    Filter.CROWD: "is not beside three own settlements",
    Filter.SLIDE: "is not where a straight way over free buildable hexes ends",
    Filter.STEP: "is not beside the piece",
}


def _why_not_free(position: Position, fields: Fields, cell: int) -> str:
    setup = setup_of(position)
    owner = _owner(setup, fields, cell)
    if owner is not None:
        return f"a settlement of {owner} stands on {format_cell(cell)} (R4.1)"
    if cell in fields["walls"]:
        return f"a stone wall stands on {format_cell(cell)} (R6.2)"
    if position.board.terrain(cell) == Terrain.SPECIAL:
        return f"{format_cell(cell)} is {space_name(setup, cell)} (R1.8)"
    return ""


def _why_not_card_terrain(position: Position, fields: Fields, cell: int) -> str:
    terrain = _terrain_name(position, cell)
    if fields["any_terrain"]:
        buildable = terrain in content.BUILDABLE
        return "" if buildable else f"{format_cell(cell)} is {terrain}, not a buildable hex (R3.5)"
    if fields["card"] < 0:
        return "there is no terrain card in this turn (R3.5)"
    card = CARD_TERRAINS[fields["card"]]
    return "" if terrain == card else f"{format_cell(cell)} is {terrain}, the card is {card} (R3.2)"


def _why_not_beside(position: Position, kind: Step, slot: int) -> str:
    """Return which hex beside an own settlement has to be taken instead."""
    for step in position.legal():
        if unpack_step(step)[:2] == (kind, slot):
            other = format_cell(unpack_step(step)[2])
            return f"a hex beside an own settlement is possible, such as {other} (R4.2)"
    return "there is no hex to go to (R4.2)"


def _terrain_name(position: Position, cell: int) -> str:
    return Terrain(position.board.terrain(cell)).name.lower()


def space_name(setup: Setup, cell: int) -> str:
    """Return what a space is called that nobody builds on, such as ``a castle space``."""
    for space in setup.spaces:
        if space.cell == cell:
            name = space.tile if space.tile and space.kind == "location" else space.kind
            return f"{'an' if name[0] in 'aeiou' else 'a'} {name} space"
    raise AssertionError(f"cell {cell} is special but no space")


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat did in a turn; ``end`` is implied unless the turn is not finished.

    >>> format_turn(parse_turn("12 Red flower: N16 o15 barn:c7-d9"))
    '12 red flower: n16 o15 barn:c7-d9'
    """

    number: int
    seat: str
    card: str
    """The card turned up first, or ``none``."""
    actions: tuple[str, ...] = ()
    """Actions and further cards turned up, in their canonical text."""
    finished: bool = True


def format_turn(turn: Turn) -> str:
    """Return a turn as a line."""
    words = [f"{turn.number} {turn.seat} {turn.card}:", *turn.actions]
    return " ".join(words if turn.finished else [*words, UNFINISHED])


def parse_turn(text: str) -> Turn:
    """Return the turn a line says; whether it is legal is not looked at."""
    head, colon, tail = text.partition(":")
    number, *rest = head.replace(",", " ").split() or [""]
    if not colon or len(rest) < 2:
        example = "12 red flower: n16 o15 o17"
        raise NotationError(f"expected a turn like '{example}', got {quote(text.strip())}.")
    words = turn_words(text)
    finished = not words or words[-1][1] != UNFINISHED
    actions = [_turn_action(word) for _, word in (words if finished else words[:-1])]
    if actions and actions[-1] == "end" and finished:
        actions.pop()
    if "end" in actions:
        raise NotationError("expected 'end' only at the end of a finished turn.", token="end")
    return Turn(
        number=_turn_number(number),
        seat=parse_name("seat", rest[0], SEATS),
        card=parse_card(" ".join(rest[1:]), others=(NO_CARD,)),
        actions=tuple(actions),
        finished=finished,
    )


def turn_words(text: str) -> list[tuple[int, str]]:
    """Return the words after the colon of a turn's line, each with its place in the line."""
    start = text.find(":") + 1
    return [(match.start(), match[0]) for match in _WORD.finditer(text, start)]


def _turn_action(word: str) -> str:
    if word == UNFINISHED:
        raise NotationError(f"expected '{UNFINISHED}' only at the end of a turn.", token=word)
    return format_action(word)


def _turn_number(text: str) -> int:
    digits = text.removesuffix(".")
    if not re.fullmatch(r"[1-9][0-9]{0,4}", digits):
        message = f"expected the number of a turn, got {quote(text)}."
        raise NotationError(message, token=text)
    return int(digits)


def play_turn(position: Position, turn: Turn) -> None:
    """Play a turn in place; the path of an error is the index of the action to blame, if one is."""
    seat = setup_of(position).seats[position.mover]
    if position.is_over:
        raise IllegalActionError(f"turn {turn.number} is not possible: the game is over (R9.1).")
    if turn.seat != seat:
        message = f"expected a turn of {seat}, got one of {turn.seat} (R3.1)."
        raise IllegalActionError(message, token=turn.seat)
    _turn_up(position, turn)
    for index, action in enumerate(turn.actions):
        try:
            apply_action(position, action)
        except IllegalActionError as error:
            message = f"turn {turn.number}: {error.message}"
            raise IllegalActionError(message, path=(index,), token=action) from None
    if turn.finished:
        reason = why_illegal(position, pack_step(Step.END))
        if reason:
            raise IllegalActionError(f"turn {turn.number} cannot end here: {reason}.")
        position.apply(pack_step(Step.END))


def _turn_up(position: Position, turn: Turn) -> None:
    """Turn up the card a turn begins with, or check that it lies there."""
    fields = position.fields()
    if not position.pending_draw:
        shown = NO_CARD if fields["card"] < 0 else CARD_TERRAINS[fields["card"]]
        if turn.card != shown:
            message = f"turn {turn.number}: expected the card {shown}, got {turn.card}."
            raise IllegalActionError(message, token=turn.card)
        return
    if turn.card == NO_CARD:
        message = f"turn {turn.number}: {turn.seat} has a card to turn up, got {NO_CARD} (R3.1)."
        raise IllegalActionError(message, token=turn.card)
    card = CARD_TERRAINS.index(turn.card)
    reason = _why_no_draw(position, card)
    if reason:
        raise IllegalActionError(f"turn {turn.number}: {reason}.", token=turn.card)
    position.draw(card)


def card_at_start(position: Position, step: int | None) -> str:
    """Return the card a turn's line names, given the first step made in it."""
    if position.pending_draw == Draw.NONE:
        card = position.fields()["card"]
        return NO_CARD if card < 0 else CARD_TERRAINS[card]
    if step is None or step >= 0:
        raise ValueError("a turn begins with the turning up of a card")
    return CARD_TERRAINS[-1 - step]
