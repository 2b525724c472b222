"""What a person types, in the text form of actions: cells alone, tiles by name, cards by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kbai import content
from kbai._fast import Action, Position, Step
from kbai.content import find_name, join_names
from kbai.core.errors import KbaiError, NotationError, PlacedError, quote
from kbai.game.cells import CELL_NUMBERS, format_cell
from kbai.game.pieces import all_pieces
from kbai.game.seats import SEATS
from kbai.game.setup import setup_of
from kbai.game.steps import next_steps, unpack_step
from kbai.notation.actions import BACK, CHOOSE, PASS, TAKE, format_step, impossible
from kbai.notation.illegal import apply_action
from kbai.notation.names import parse_card, parse_cell
from kbai.notation.turns import END_WORD

STOP_WORD = "stop"
# Marks of the canonical forms: whoever types them means exactly that.
_MARKS = (":", "=", "-", "@")


class IncompleteError(KbaiError):
    """What was typed begins an action, and something has to follow."""


@dataclass(frozen=True, slots=True)
class Typed:
    """An action that somebody typed, and how many words it took."""

    action: str
    words: int


def split_words(text: str) -> list[str]:
    """Return the words of a line; a name of several words, such as water mill, is one."""
    return join_names(text).lower().replace(",", " ").split()


def read_actions(position: Position, text: str) -> Iterator[str]:
    """Make the actions that a line means, one after the other in place, and yield their text.

    `IllegalActionError` and `NotationError` say what is wrong with the first that cannot be made.
    """
    words = split_words(text)
    while words:
        typed = next_action(position, words)
        apply_action(position, typed.action)
        yield typed.action
        words = words[typed.words :]


def next_action(position: Position, words: Sequence[str]) -> Typed:
    """Return the action that some words begin with, legal or not."""
    word = words[0]
    if position.pending_draw and word not in CELL_NUMBERS:
        return Typed(f"={parse_card(word.removeprefix('='))}", 1)
    if any(mark in word for mark in _MARKS) or word in (END_WORD, STOP_WORD):
        return Typed(word, 1)
    if word == PASS:
        named = words[1:2] if words[1:] and words[1] in SEATS else ()
        return Typed(
            f"{PASS}:{(*named, setup_of(position).seats[position.actor])[0]}", 1 + len(named)
        )
    if _is_cell(word):
        return Typed(_cell_action(position, parse_cell(word)), 1)
    chosen = _choice(position, word)
    if chosen:
        return Typed(chosen, 1)
    return _tile_action(position, words)


def _is_cell(word: str) -> bool:
    return word in CELL_NUMBERS or (word[:1].isalpha() and word[1:].isdigit())


def _cell_action(position: Position, cell: int) -> str:
    """Return what a cell alone means: where the action that is under way goes on."""
    for step, target in plain_steps(position).items():
        if target == cell:
            return format_step(position, step)
    fields, setup = position.fields(), setup_of(position)
    name = format_cell(cell)
    if fields["reacting"]:
        return f"canoe:{setup.seats[position.actor]}@{name}"
    if fields["lift"] is not None:
        return f"-{name}"
    if fields["doing"] is not None:
        return _guess(position, setup.tile_kinds[fields["doing"][0] - 1], cell)
    return name


def plain_steps(position: Position) -> dict[int, int]:
    """Return the legal steps that a cell alone means, and their cells."""
    if position.pending_draw or position.is_over:
        return {}
    fields = position.fields()
    wanted = 0
    if fields["reacting"]:
        wanted = -1  # the canoe is the only tile that can be used
    elif fields["lift"] is None and fields["doing"] is not None:
        wanted = fields["doing"][0]
    elif fields["lift"] is None and fields["repeat"]:
        wanted = fields["repeat"]
    found = {}
    for step in position.legal():
        kind, slot, cell = unpack_step(step)
        if kind in _CELL_STEPS and (slot == wanted or (wanted == -1 and slot)):
            found[step] = cell
    return found


_CELL_STEPS = (Step.BUILD, Step.PUT, Step.LIFT, Step.WALL, Step.SCOUT, Step.REMOVE)


def _choice(position: Position, word: str) -> str:
    """Return the card or the half of a card that a word chooses, if one is to be chosen."""
    found = [
        format_step(position, step)
        for step in position.legal()
        if unpack_step(step)[0] is Step.CHOOSE
    ]
    rests = [text.removeprefix(f"{CHOOSE}:") for text in found]
    if word in rests:
        return f"{CHOOSE}:{word}"
    halves = [rest.rpartition("/")[2] for rest in rests]
    meant = find_name(word, halves) or word
    matching = [text for text, half in zip(found, halves, strict=True) if half == meant]
    if len(matching) > 1:
        raise IncompleteError(f"expected one of {', '.join(matching)}; got {quote(word)}.")
    return "".join(matching)


def _tile_action(position: Position, words: Sequence[str]) -> Typed:
    tile = tile_named(position, words[0])
    steps = tile_steps(position, tile)
    kinds = {unpack_step(step)[0] for step in steps}
    rest = words[1] if len(words) > 1 else ""
    if not rest or Step.DECLARE in kinds:
        if Step.DECLARE in kinds or len(steps) == 1:
            return Typed(format_step(position, steps[0]), 1)
        if not steps:
            # The reason is the same for every cell: the tile is used up, or not yet ready.
            return Typed(_guess(position, tile, 0), 1)
        cells = " ".join(dict.fromkeys(format_cell(unpack_step(s)[2]) for s in steps))
        raise IncompleteError(f"expected a cell after {tile}; possible: {cells}.")
    if rest == TAKE:
        return Typed(f"{tile}:{TAKE}", 2)
    if rest == BACK and len(words) > 2:
        return Typed(f"{tile}:{BACK}@{words[2]}", 3)
    if rest in SEATS and len(words) > 2:
        return Typed(f"{tile}:{rest}@{words[2]}", 3)
    if not _is_cell(rest):
        return Typed(f"{tile}:{rest}", 2)
    cell = parse_cell(rest)
    target = words[2] if len(words) > 2 and _is_cell(words[2]) else ""
    matching = [step for step in steps if unpack_step(step)[2] == cell]
    if not matching:
        text = _guess(position, tile, cell)
        return Typed(f"{text}{target}", 3) if text.endswith("-") and target else Typed(text, 2)
    text = format_step(position, matching[0])
    return Typed(f"{text}{target}", 3) if text.endswith("-") and target else Typed(text, 2)


def tile_steps(position: Position, tile: str) -> list[int]:
    """Return the legal steps that use a kind of tile."""
    if position.pending_draw or position.is_over:
        return []
    slot = setup_of(position).tile_kinds.index(tile) + 1
    return [step for step in position.legal() if unpack_step(step)[1] == slot]


def tile_named(position: Position, word: str) -> str:
    """Return the kind of tile that a word means, in any language; it may be shortened."""
    every = content.load()
    kinds = setup_of(position).tile_kinds
    found = word if word in every.tiles else find_name(word, [*every.tiles])
    near = [kind for kind in kinds if len(word) > 2 and kind.startswith(word)]
    if found is None and len(near) == 1:
        found = near[0]
    if found is None:
        example = "a cell (c7), a tile (tavern c7) or a command"
        raise NotationError(f"expected {example}, got {quote(word)}; ? helps.", token=word)
    if found not in kinds:
        raise impossible(word, f"there is no {found} in this game (R3.3)")
    return found


def _guess(position: Position, tile: str, cell: int) -> str:
    """Return the text of a step that is not legal, so that the reason can be told."""
    name = format_cell(cell)
    action = content.load().tile(tile).action
    if action in (Action.OUTPOST, Action.FORT):
        return tile
    if action is Action.SWORD:
        seats = setup_of(position).seats
        owner = all_pieces(position.board, position.fields()).get(cell)
        return f"{tile}:{seats[owner[0]] if owner else seats[position.mover - 1]}@{name}"
    if action is Action.CANOE:
        return f"{tile}:{setup_of(position).seats[position.actor]}@{name}"
    if action is Action.BAZAAR:
        return f"{tile}:{tile}"
    return f"{tile}:{name}-" if action in (Action.MOVE, Action.RESETTLEMENT) else f"{tile}:{name}"


def possible_words(position: Position, before: Sequence[str] = ()) -> list[str]:
    """Return the words that may come next after some others, for completion."""
    now = position.copy()
    words = list(before)
    try:
        while words:
            typed = next_action(now, words)
            if typed.words == len(words) and typed.action.endswith("-"):
                break
            apply_action(now, typed.action)
            words = words[typed.words :]
    except IncompleteError:
        tile = tile_named(now, words[0])
        return list(dict.fromkeys(_second_word(now, step) for step in tile_steps(now, tile)))
    except PlacedError:
        return []
    if words:
        apply_action(now, next_action(now, words).action)
    return list(dict.fromkeys(_first_word(now, step) for step in next_steps(now)))


def _first_word(position: Position, step: int) -> str:
    """Return how a step begins when a person types it."""
    text = format_step(position, step)
    if step in plain_steps(position):
        return format_cell(unpack_step(step)[2])
    if text.startswith(f"{CHOOSE}:"):
        return text.partition(":")[2]
    return text.lstrip("=").partition(":")[0]


def _second_word(position: Position, step: int) -> str:
    """Return what follows the name of its tile when a person types a step."""
    rest = format_step(position, step).partition(":")[2]
    return rest.partition("@")[0 if rest.startswith(BACK) else 2] or rest.rstrip("-")
