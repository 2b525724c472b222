"""Text forms of steps and actions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from kbai import content
from kbai._fast import Action, Position, Step
from kbai.content import CARD_TERRAINS, TERRAIN_CARDS, TERRAINS
from kbai.core.errors import IllegalActionError, NotationError, quote
from kbai.game.cells import CELL_NAMES, CELL_NUMBERS, format_cell
from kbai.game.pieces import all_pieces
from kbai.game.seats import SEATS
from kbai.game.setup import setup_of
from kbai.game.steps import (
    choose_step,
    draw_step,
    drawn_card,
    is_draw,
    pack_step,
    unpack_choice,
    unpack_step,
)
from kbai.notation.names import card_terrain, parse_card, parse_cell, parse_name

# Words that begin an action, or take the place of a cell.
CHOOSE, PASS, BACK, TAKE = "choose", "pass", "back", "take"

_WORD_STEPS = {Step.END: "end", Step.STOP: "stop"}
# Tiles that you use by their name alone, before the placement they are for.
_DECLARED = (Action.OUTPOST, Action.FORT)
_FIGURE_ACTIONS = (Action.WARRIOR, Action.WAGON, Action.SHIP)


class _Words(NamedTuple):
    """The parts of the text of an action; the step decides which there are."""

    step: Step | None
    """None if a card is turned up."""
    tile: str = ""
    card: str = ""
    terrain: str = ""
    seat: str = ""
    repeated: str = ""
    source: int | None = None
    target: int | None = None

    def text(self) -> str:
        """Return the canonical text."""
        tile = f"{self.tile}:" if self.tile else ""
        seat = f"{self.seat}@" if self.seat else ""
        source = "" if self.source is None else f"{format_cell(self.source)}-"
        target = "" if self.target is None else format_cell(self.target)
        match self.step:
            case None:
                return f"={self.card}"
            case Step.END | Step.STOP:
                return _WORD_STEPS[self.step]
            case Step.CHOOSE:
                half = "" if self.terrain == self.card else f"/{self.terrain}"
                return f"{CHOOSE}:{self.card}{half}"
            case Step.PASS:
                return f"{PASS}:{self.seat}"
            case Step.DECLARE:
                return self.tile
            case Step.TAKE:
                return f"{tile}{TAKE}"
            case Step.BACK:
                return f"{tile}{BACK}@{target}"
            case Step.REPEAT:
                return f"{tile}{self.repeated}"
            case Step.PUT:
                return f"-{target}"
            case _:
                return f"{tile}{seat}{source}{target}"


def format_step(position: Position, step: int) -> str:
    """Return a step as text."""
    if is_draw(step):
        return f"={TERRAIN_CARDS[drawn_card(step)]}"
    setup = setup_of(position)
    kind, slot, cell = unpack_step(step)
    if kind is Step.BUILD and not slot:  # the most frequent case
        return CELL_NAMES[cell]
    tile = setup.tile_kinds[slot - 1] if slot else ""
    if kind is Step.CHOOSE:
        card, terrain = unpack_choice(cell)
        words = _Words(kind, card=TERRAIN_CARDS[card], terrain=TERRAINS[terrain])
    elif kind is Step.PASS:
        words = _Words(kind, seat=setup.seats[position.actor])
    elif kind is Step.REPEAT:
        words = _Words(kind, tile, repeated=setup.tile_kinds[cell - 1])
    elif kind is Step.LIFT:
        words = _Words(kind, tile, source=cell)
    elif kind is Step.REMOVE and content.load().tile(tile).action is Action.SWORD:
        owner = _owner(position, cell)
        if owner is None:
            raise ValueError(f"expected a piece to remove on {format_cell(cell)}")
        words = _Words(kind, tile, seat=owner, target=cell)
    elif tile and content.load().tile(tile).action is Action.CANOE:
        words = _Words(kind, tile, seat=setup.seats[position.actor], target=cell)
    else:
        words = _Words(kind, tile, target=cell)
    return words.text()


def _owner(position: Position, cell: int) -> str | None:
    """Return the seat whose piece stands on a cell."""
    found = all_pieces(position.board, position.fields()).get(cell)
    return None if found is None else setup_of(position).seats[found[0]]


def parse_step(position: Position, text: str) -> int:
    """Return the step a text means, legal or not."""
    steps = parse_action(position, text)
    if len(steps) > 1:
        raise NotationError(f"expected one step, got the whole move {quote(text)}.", token=text)
    return steps[0]


def parse_action(position: Position, text: str) -> tuple[int, ...]:
    """Return the step or the two steps an action means, legal or not."""
    words = _parse_words(text)
    if words.step is None:
        return (draw_step(TERRAIN_CARDS.index(words.card)),)
    _check_seat(position, words, text)
    slot = _slot(position, words.tile, text) if words.tile else 0
    if words.step is Step.CHOOSE:
        card, terrain = TERRAIN_CARDS.index(words.card), TERRAINS.index(words.terrain)
        return (choose_step(card, terrain),)
    if words.step is Step.REPEAT:
        return (pack_step(words.step, slot, _slot(position, words.repeated, text)),)
    if words.step is Step.LIFT:
        assert words.source is not None
        lift = pack_step(words.step, slot, words.source)
        return (lift,) if words.target is None else (lift, pack_step(Step.PUT, 0, words.target))
    return (pack_step(words.step, slot, words.target or 0),)


def _slot(position: Position, tile: str, text: str) -> int:
    kinds = setup_of(position).tile_kinds
    if tile not in kinds:
        what = tile if tile in content.load().commons else f"{tile} tile"
        raise impossible(text, f"there is no {what} in this game (R3.3)")
    return kinds.index(tile) + 1


def _check_seat(position: Position, words: _Words, text: str) -> None:
    """Raise if an action names the wrong seat: steps hold no seat, so the kernel cannot tell."""
    if not words.seat:
        return
    if words.step is Step.REMOVE:
        assert words.target is not None
        if words.seat != _owner(position, words.target):
            cell = format_cell(words.target)
            raise impossible(text, f"there is no settlement of {words.seat} on {cell} (R7.1)")
    elif position.fields()["reacting"]:
        actor = setup_of(position).seats[position.actor]
        if words.seat != actor:
            raise impossible(text, f"{actor} is asked to react now, not {words.seat} (R6.4)")


def impossible(text: str, reason: str) -> IllegalActionError:
    """Return the error for an action that cannot be made, given the reason."""
    return IllegalActionError(f"{quote(text.strip())} is not possible: {reason}.", token=text)


def format_action(text: str) -> str:
    """Return the canonical text of an action."""
    return _parse_words(text).text()


def action_cells(text: str) -> tuple[int, ...]:
    """Return the cells that an action names: none, one, or where from and where to."""
    words = _parse_words(text)
    return tuple(cell for cell in (words.source, words.target) if cell is not None)


def _parse_words(text: str) -> _Words:
    return _read_words(text, content.load())


@lru_cache(maxsize=4096)  # parsing a turn and playing it read the same text
def _read_words(text: str, every: content.Content) -> _Words:
    word = text.strip().lower()
    if word in CELL_NUMBERS:  # the most frequent case
        return _Words(Step.BUILD, target=CELL_NUMBERS[word])
    for step, name in _WORD_STEPS.items():
        if word == name:
            return _Words(step)
    try:
        return _parse_draw_or_word(text, word, every)
    except NotationError as error:
        # Blame the whole word: its parts may occur elsewhere in the line.
        raise NotationError(error.message, token=text) from None


def _parse_draw_or_word(text: str, word: str, every: content.Content) -> _Words:
    if word.startswith("="):
        return _Words(None, card=parse_card(word[1:]))
    name, colon, rest = word.rpartition(":")
    if name == CHOOSE:
        return _parse_choice(text, rest)
    if PASS in (name, word):
        if not colon:
            message = f"expected the seat that does not react, as in {PASS}:blue"
            raise NotationError(f"{message}, got {quote(text)}.")
        return _Words(Step.PASS, seat=parse_name("seat", rest, SEATS))
    tiles = every.tiles
    if word in tiles and tiles[word].action in _DECLARED:
        return _Words(Step.DECLARE, word)
    if colon:
        return _parse_tile(text, parse_name("tile", name, tiles), rest, tiles)
    first, dash, second = word.partition("-")
    if not dash:
        return _Words(Step.BUILD, target=parse_cell(first))
    if first:
        message = f"expected the tile of a move, as in barn:c7-d9, got {quote(text)}."
        raise NotationError(message)
    return _Words(Step.PUT, target=parse_cell(second))


def _parse_choice(text: str, rest: str) -> _Words:
    """Parse the card that is chosen; of a marsh card, also the half."""
    name, slash, terrain = rest.partition("/")
    card = parse_card(name)
    if slash:
        return _Words(Step.CHOOSE, card=card, terrain=parse_name("terrain", terrain, TERRAINS))
    if card not in CARD_TERRAINS:
        other = card_terrain(card)
        message = f"expected the half as well, {CHOOSE}:{card}/marsh or {CHOOSE}:{card}/{other}"
        raise NotationError(f"{message}, got {quote(text)}.")
    return _Words(Step.CHOOSE, card=card, terrain=card)


def _parse_tile(text: str, tile: str, rest: str, tiles: Mapping[str, content.Tile]) -> _Words:
    """Parse what follows the name of a tile."""
    action = tiles[tile].action
    if action is Action.OUTPOST:
        message = f"expected {tile!r} alone, before the placement it is for"
        raise NotationError(f"{message}, got {quote(text)}.")
    if action in (Action.SWORD, Action.CANOE):
        seat, at, cell = rest.partition("@")
        if not at:
            what = "the seat and the cell of its settlement"
            if action is Action.CANOE:
                what = "the seat that reacts and the cell"
            message = f"expected {what}, as in {tile}:blue@c7"
            raise NotationError(f"{message}, got {quote(text)}.")
        step = Step.REMOVE if action is Action.SWORD else Step.BUILD
        return _Words(step, tile, seat=parse_name("seat", seat, SEATS), target=parse_cell(cell))
    if action is Action.BAZAAR:
        return _Words(Step.REPEAT, tile, repeated=parse_name("tile", rest, tiles))
    if action is Action.CATHEDRAL and rest == TAKE:
        return _Words(Step.TAKE, tile)
    if action in _FIGURE_ACTIONS and rest.partition("@")[0] == BACK:
        if "@" not in rest:
            message = f"expected the cell of the figure, as in {tile}:{BACK}@c7"
            raise NotationError(f"{message}, got {quote(text)}.")
        return _Words(Step.BACK, tile, target=parse_cell(rest.partition("@")[2]))
    first, dash, second = rest.partition("-")
    if dash:
        target = parse_cell(second) if second else None
        return _Words(Step.LIFT, tile, source=parse_cell(first), target=target)
    placing = {
        Action.WALL: Step.WALL,
        Action.SCOUT: Step.SCOUT,
        Action.TEMPLE: Step.REMOVE,
    }
    return _Words(placing.get(action, Step.BUILD), tile, target=parse_cell(first))


def legal_steps(position: Position) -> list[str]:
    """Return the legal steps as text, in the kernel's order; none if a card is to be turned up."""
    return [format_step(position, step) for step in position.legal()]


def legal_actions(position: Position) -> list[str]:
    """Return the legal actions as text, each move as one, in the order of their steps."""
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
