"""Suggestions as dicts for JSON, with the keys that all commands share (docs/analysis.md)."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from kbai._fast import Position
from kbai.core.version import installed_version
from kbai.game.cells import format_cell
from kbai.game.setup import Setup, setup_of
from kbai.game.sources import name_sources
from kbai.notation.positions import format_line
from kbai.notation.turns import record_turn
from kbai.report.numbers import estimate_dict
from kbai.report.turns import chosen_turn, main_line
from kbai.report.why import why_dict, why_first
from kbai.search.results import Outlook, Suggestion, TurnChoice, Variant

# What an answer may leave out, for readers who do not need it.
WIN, SOURCES, LINE = "win", "sources", "line"
USUAL = frozenset((WIN, SOURCES, LINE))
# And what it has only on request.
OWNERSHIP, WHY = "ownership", "why"
PARTS = (WIN, SOURCES, LINE, OWNERSHIP, WHY)
WITH_REASONS = USUAL | {WHY}

# Gold beyond that of the simulations, which is told only if it is more than a rounding error.
BETTER_PLAY, TOO_LITTLE = "better play", 1e-6

# Every answer has it, and looking it up takes milliseconds.
kbai_version = cache(installed_version)


def suggestion_dict(suggestion: Suggestion, include: Collection[str] = USUAL) -> dict[str, object]:
    """Return a suggestion with all its turns."""
    position = suggestion.position
    data: dict[str, object] = {
        "version": kbai_version(),
        "position": format_line(position),
        "seat": None if position.is_over else setup_of(position).seats[position.actor],
        "visits": suggestion.visits,
        "seed": suggestion.seed,
        "threads": suggestion.threads,
        "interrupted": suggestion.is_interrupted,
        "full": suggestion.is_full,
        "turns": [choice_dict(position, choice, include) for choice in suggestion.turns],
    }
    if OWNERSHIP in include:
        data[OWNERSHIP] = ownership_dict(suggestion)
    if WHY in include:
        data[WHY] = why_dict(why_first(suggestion))
    return data


def ownership_dict(suggestion: Suggestion) -> dict[str, dict[str, float]]:
    """Return for each seat where it may have a piece at the end, with the chance of each hex."""
    seats = setup_of(suggestion.position).seats
    shares = suggestion.ownership or ({},) * len(seats)
    return {
        seat: {format_cell(cell): share for cell, share in sorted(cells.items())}
        for seat, cells in zip(seats, shares, strict=True)
    }


def choice_dict(
    position: Position, choice: TurnChoice, include: Collection[str] = USUAL
) -> dict[str, object]:
    """Return a way to play the turn of a position, and what to expect of it."""
    turns = main_line(position, choice)
    # A turn that the search cut short ends there: its line is no part of it.
    turn = turns[0] if choice.is_finished else chosen_turn(position, choice)
    data = {
        "card": turn.card,
        "odds": choice.odds,
        "actions": list(turn.actions),
        "finished": turn.finished,
        "visits": choice.visits,
        "games": choice.games,
        "utility": choice.utility,
        "exact": choice.is_proven,
        "seats": outlooks_dict(setup_of(position), choice.seats, include),
        "variants": [variant_dict(position, variant) for variant in choice.variants],
    }
    if LINE in include:
        data["line"] = [turn.text for turn in turns]
    return data


def variant_dict(position: Position, variant: Variant) -> dict[str, object]:
    """Return a turn that differs from another in a detail, and by how much."""
    return {
        "actions": list(record_turn(position, variant.steps).actions),
        "cell": format_cell(variant.cell),
        "instead": format_cell(variant.instead),
        "moved": variant.is_moved,
        "visits": variant.visits,
        "win": variant.win,
        "margin": variant.margin,
    }


def outlooks_dict(
    setup: Setup, outlooks: Collection[Outlook], include: Collection[str] = USUAL
) -> dict[str, dict[str, object]]:
    """Return what each seat can expect, by its name."""
    pairs = zip(setup.seats, outlooks, strict=True)
    return {seat: outlook_dict(setup, outlook, include) for seat, outlook in pairs}


def outlook_dict(
    setup: Setup, outlook: Outlook, include: Collection[str] = USUAL
) -> dict[str, object]:
    """Return what one seat can expect."""
    data: dict[str, object] = {WIN: estimate_dict(outlook.win)} if WIN in include else {}
    data["gold"] = estimate_dict(outlook.gold)
    data["margin"] = estimate_dict(outlook.margin)
    if SOURCES in include:
        data[SOURCES] = sources_dict(setup, outlook) or None
    return data


def sources_dict(setup: Setup, outlook: Outlook) -> dict[str, float]:
    """Return the gold by source; empty if it was not counted.

    The simulations count where gold comes from, but play less well than people who think. What
    the forecast adds for that has no source of its own.
    """
    if not outlook.sources:
        return {}
    more = outlook.gold.value - sum(outlook.sources)
    named = name_sources(setup, outlook.sources)
    return named | {BETTER_PLAY: more} if abs(more) > TOO_LITTLE else named
