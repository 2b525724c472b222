"""One sentence about a position: who is to move, and what they may do."""

from __future__ import annotations

from kbai._fast import Draw, Phase, Position, Terrain
from kbai.content import TERRAIN_CARDS, load
from kbai.game.cells import format_cell
from kbai.game.setup import Setup, setup_of
from kbai.game.steps import END, unpack_step
from kbai.notation.schema import doing_to_text

# Houses of a mandatory action (R3.2).
MANDATORY = 3
# More names of tiles than these would push the board down; the buttons below it have them, too.
MOST_NAMED = 2


def sentence(position: Position) -> str:
    """Say who is to move and what they may do.

    >>> position = Setup.first_game().start_position()
    >>> sentence(position)
    'Red turns up a card: which one?'
    >>> position.draw(3)
    >>> sentence(position)
    'Red to move with flower: build 3 houses on flower.'
    """
    if position.is_over:
        return _result(position)
    last = " This is the last round." if position.fields()["final"] else ""
    return f"{_to_do(position)}{last}"


def _to_do(position: Position) -> str:
    setup, fields = setup_of(position), position.fields()
    name = setup.seats[position.actor].capitalize()
    if fields["draw"] == Draw.REVEAL:
        return f"{name} turns up a card: which one?"
    if fields["draw"]:
        why = "for the fort" if fields["draw"] == Draw.FORT else "in place of the exhausted one"
        return f"{name} draws a card {why}: which one?"
    if fields["reacting"]:
        return f"{name} may react with a canoe, or pass."
    if fields["lift"] is not None:
        return f"{name} puts down the piece from {format_cell(fields['lift'][1])}."
    if fields["doing"] is not None:
        kind = doing_to_text(setup, fields["doing"]).partition(":")[0].replace("_", " ")
        return f"{name} goes on with the {kind}{' or stops' if _can_stop(position) else ''}."
    if fields["phase"] == Phase.SILO:
        return f"{name} may use silos after the last turn, or end."
    if fields["card"] == -2:
        return f"{name} chooses one of the cards turned up."
    if fields["terrain"] < 0 and fields["card"] >= 0:
        return f"{name} chooses a half of the card {_words(TERRAIN_CARDS[fields['card']])}."
    tiles = _tiles(position, setup)
    if fields["phase"] == Phase.POST:
        also = f"use {tiles}, or " if tiles else ""
        return f"{name} has built, and may {also}end the turn."
    return f"{name} {_mandatory(position)}{f', or first use {tiles}' if tiles else ''}."


def _mandatory(position: Position) -> str:
    fields = position.fields()
    where = "any terrain"
    if fields["terrain"] != Terrain.SPECIAL and fields["terrain"] >= 0:
        where = Terrain(fields["terrain"]).name.lower()
    if fields["phase"] == Phase.BUILD:
        left = fields["due"] + fields["owed"]
        return f"builds {left} more {'house' if left == 1 else 'houses'} on {where}"
    if fields["card"] < 0:
        return "to move without a card"
    supply = fields["seats"][fields["mover"]]["supply"]
    count = min(MANDATORY, supply) + fields["owed"]
    card = _words(TERRAIN_CARDS[fields["card"]])
    return f"to move with {card}: build {count} {'house' if count == 1 else 'houses'} on {where}"


def _tiles(position: Position, setup: Setup) -> str:
    slots = sorted({unpack_step(step)[1] for step in position.legal() if step != END})
    names = [_words(setup.tile_kinds[slot - 1]) for slot in slots if slot]
    if not names:
        return ""
    if len(names) > MOST_NAMED:
        return f"one of the {len(names)} actions below"
    return " or ".join(f"the {name}" for name in names)


def _can_stop(position: Position) -> bool:
    return any(unpack_step(step)[0].name == "STOP" for step in position.legal())


def _result(position: Position) -> str:
    setup, gold = setup_of(position), position.scores()
    best = max(gold)
    winners = [seat for seat, points in zip(setup.seats, gold, strict=True) if points == best]
    if len(winners) > 1:
        names = f"{', '.join(winners[:-1])} and {winners[-1]}"
        return f"The game is over: {names} share the victory with {best} gold."
    return f"The game is over: {winners[0]} wins with {best} gold."


def _words(name: str) -> str:
    return name.replace("_", " ")


def tile_text(kind: str) -> str:
    """Return what a tile allows."""
    return load().tile(kind).text
