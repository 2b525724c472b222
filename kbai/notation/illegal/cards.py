"""Why a card cannot be chosen, or gives no terrain to build on."""

from __future__ import annotations

from kbai._fast import Phase, Terrain
from kbai.content import BUILDABLE, TERRAIN_CARDS, TERRAINS
from kbai.game.cells import format_cell
from kbai.game.steps import unpack_choice
from kbai.notation.illegal.question import Asked
from kbai.notation.names import card_terrain, terrain_name


def why_no_choice(asked: Asked) -> str:
    card, terrain = unpack_choice(asked.cell)
    if card >= len(TERRAIN_CARDS) or terrain >= len(TERRAINS):
        return "there is no such card (R3.6)"
    name, half = TERRAIN_CARDS[card], TERRAINS[terrain]
    if asked.fields["phase"] == Phase.SILO:
        return "no card is played after the last turn (R9.2)"
    if asked.fields["outpost"]:
        return "first place the house that the outpost was declared for (R7.1)"
    if asked.fields["terrain"] >= 0:
        return "the card of this turn has already been chosen (R3.6)"
    if asked.fields["card"] == -1:
        return f"{asked.owner} has no card to choose (R3.5)"
    if asked.fields["card"] == -2 and not asked.fields["hand"][card]:
        return f"{asked.owner} has no {name} card turned up (R3.6)"
    if asked.fields["card"] >= 0 and card != asked.fields["card"]:
        return f"the card is {TERRAIN_CARDS[asked.fields['card']]} (R3.6)"
    halves = ("marsh", card_terrain(name)) if name.startswith("marsh") else (name,)
    if half not in halves:
        both = " and ".join(halves)
        return f"the card {name} shows {both}, not {half} (R3.6)"
    if half == "marsh" and Terrain.MARSH not in asked.setup.terrain:
        return "there is no marsh on this board (R2.4)"
    return f"no {half} hex is free (R3.6)"


def _why_no_card(asked: Asked) -> str:
    """Return why the turn has no terrain to build on; an empty text if it has one."""
    if asked.fields["terrain"] >= 0:
        return ""
    if asked.fields["card"] == -1:
        return "there is no terrain card this turn (R3.5)"
    return f"first choose the card, as in {_example_choice(asked)} (R3.6)"


def _example_choice(asked: Asked) -> str:
    card = asked.fields["card"]
    if card < 0:
        card = next(card for card, count in enumerate(asked.fields["hand"]) if count)
    name = TERRAIN_CARDS[card]
    half = f"/{card_terrain(name)}" if name.startswith("marsh") else ""
    return f"choose:{name}{half}"


def why_not_card_terrain(asked: Asked) -> str:
    reason = _why_no_card(asked)
    if reason:
        return reason
    terrain, here = terrain_name(asked.position, asked.cell), format_cell(asked.cell)
    if asked.fields["terrain"] == Terrain.SPECIAL:
        buildable = terrain in BUILDABLE
        return "" if buildable else f"{here} is {terrain}, not a buildable hex (R3.5)"
    wanted = Terrain(asked.fields["terrain"]).name.lower()
    if terrain == wanted:
        return ""
    card = TERRAIN_CARDS[asked.fields["card"]]
    what = "the card" if card == wanted else "the terrain of this turn"
    return f"{here} is {terrain}, {what} is {wanted} (R3.2)"
