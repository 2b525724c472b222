"""Why a step is illegal, in one sentence that cites the rule; and making actions that are legal."""

from __future__ import annotations

from kbai import content
from kbai._fast import Action, Draw, Filter, Phase, Position, Step
from kbai.content import TERRAIN_CARDS
from kbai.game.cells import format_cell
from kbai.game.steps import advance, drawn_card, is_draw
from kbai.notation.actions import impossible, parse_action
from kbai.notation.illegal.cards import why_no_choice, why_not_card_terrain
from kbai.notation.illegal.hexes import why_no_put, why_no_target, why_not_beside, why_not_free
from kbai.notation.illegal.question import Asked, ask
from kbai.notation.illegal.tiles import why_no_tile_action

# Placements that an outpost can serve, besides houses built under R4.2 (R7.1).
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
# Actions of several steps during which you may declare an outpost.
_OUTPOST_WITHIN = (Action.DONATION, Action.FORT, Action.CATHEDRAL)


def apply_action(position: Position, text: str) -> tuple[int, ...]:
    """Make an action in place and return its steps.

    If it is illegal, raise with the reason, and leave the position unchanged.
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
    """Return why a step is illegal now, with the rule; an empty text if it is legal."""
    if is_draw(step):
        return why_no_draw(position, drawn_card(step))
    if position.is_legal(step):
        return ""
    if position.is_over:
        return "the game is over (R9.1)"
    if position.pending_draw == Draw.FORT:
        return "first draw a card for the fort, as in =flower (R6.3)"
    if position.pending_draw:
        return "first turn up a card, as in =flower (R3.5)"
    return _why(ask(position, step))


def why_no_draw(position: Position, card: int) -> str:
    """Return why a card cannot be turned up; an empty text if it can."""
    if not position.pending_draw:
        return "there is no card to turn up now (R3.1)"
    if not position.draws()[card]:
        return f"no {TERRAIN_CARDS[card]} card is left to turn up (R2.1)"
    return ""


def _why(asked: Asked) -> str:
    """Return the reason: what has to come first, or what is wrong with the step itself."""
    if asked.fields["reacting"]:
        return _why_no_reaction(asked)
    if asked.kind is Step.PASS:
        return "nobody is asked to react now (R6.4)"
    if asked.kind is Step.PUT:
        return why_no_put(asked)
    if asked.fields["lift"] is not None:
        where = format_cell(asked.fields["lift"][1])
        return f"first put down the piece on {where} (R4.4)"
    reason = _why_not_now(asked)
    if reason:
        return reason
    if asked.kind is Step.STOP:
        return "there is no action under way that could be stopped (R3.3)"
    if asked.kind is Step.END:
        return f"first {asked.mandatory_verb} the mandatory action (R3.2)"
    if asked.kind is Step.CHOOSE:
        return why_no_choice(asked)
    if asked.slot:
        return why_no_tile_action(asked)
    return _why_no_house(asked)


def _why_no_reaction(asked: Asked) -> str:
    if not asked.slot or asked.tile.action is not Action.CANOE:
        words = f"canoe:{asked.owner}@c7 or pass:{asked.owner}"
        return f"{asked.owner} is asked first whether to react, {words} (R6.4)"
    return why_no_target(asked, Step.BUILD)


def _why_not_now(asked: Asked) -> str:
    """Return what has to come first: the action under way, or the placement of an outpost."""
    doing, repeat = asked.fields["doing"], asked.fields["repeat"]
    if repeat and asked.slot != repeat and not _is_outpost(asked):
        name = asked.setup.tile_kinds[repeat - 1]
        return f"first use the {name} tile, which the bazaar repeats (R6.5)"
    if doing is not None and asked.slot != doing[0]:
        reason = _why_not_within(asked, *doing)
        if reason:
            return reason
    if asked.fields["outpost"] and not _is_under_adjacency_rule(asked):
        return "first place the house that the outpost was declared for (R7.1)"
    return ""


def _why_not_within(asked: Asked, slot: int, left: int) -> str:
    """Return why a step is not possible while an action of another tile is under way."""
    name = asked.setup.tile_kinds[slot - 1]
    action = content.load().tile(name).action
    if action is Action.SWORD:
        return f"first take a settlement of {asked.seats[left]} with the sword (R7.1)"
    if _is_outpost(asked) and action in _OUTPOST_WITHIN:
        return ""
    if action is Action.FORT:
        return f"first build a house with the {name}, as in {name}:c7 (R6.3)"
    if action is Action.DONATION:
        return f"first finish the {name}, houses left: {left} (R7.1)"
    if asked.kind is Step.CHOOSE and action in (Action.WALL, Action.CATHEDRAL):
        return ""
    return f"first finish the {name}, or end it with the word stop (R3.3)"


def _is_outpost(asked: Asked) -> bool:
    return asked.kind is Step.DECLARE and asked.tile.action is Action.OUTPOST


def _is_under_adjacency_rule(asked: Asked) -> bool:
    """Return whether the step places a new piece under the rule of adjacency (R4.2)."""
    if asked.kind is not Step.BUILD or not asked.slot:
        return asked.kind is Step.BUILD
    tile = asked.tile
    if tile.action is Action.BUILD:
        return tile.filter in _OUTPOST_FILTERS
    return tile.action in _OUTPOST_ACTIONS


def _why_no_house(asked: Asked) -> str:
    """Return why no house of the mandatory action can be built on the cell."""
    if asked.fields["phase"] == Phase.SILO:
        return "after the last turn only silos are used, as in silo:c7 (R9.2)"
    if asked.fields["phase"] == Phase.POST:
        if not asked.seat["supply"]:
            return "there is no house left in the supply (R3.2)"
        if asked.fields["card"] == -1:
            return "there is no terrain card to build with (R3.5)"
        return "the mandatory action is done (R3.2)"
    return (
        why_not_free(asked) or why_not_card_terrain(asked) or why_not_beside(asked, Step.BUILD, 0)
    )
