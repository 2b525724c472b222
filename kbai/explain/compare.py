"""Two turns compared: where the difference comes from, and what it is on the board."""

from __future__ import annotations

from kbai._fast import Position
from kbai.explain.evidence import (
    Evidence,
    differences,
    estimate_of,
    evidence_of,
    is_clear,
    paired_games,
)
from kbai.explain.facts import fact_of
from kbai.explain.facts.choices import choices
from kbai.explain.facts.opponents import opponents
from kbai.explain.facts.tiles import tiles
from kbai.explain.kingdom import Kingdom
from kbai.explain.results import BETTER_PLAY, CHOICES, OPPONENTS, TILES, Comparison, Part
from kbai.explain.sentence import ANY, sentence_of
from kbai.game.setup import setup_of
from kbai.game.steps import end_of
from kbai.search.results import TurnChoice


def compare(position: Position, first: TurnChoice, second: TurnChoice) -> Comparison | None:
    """Return why the first turn is better than the second, or where it is worse.

    Both are turns of one suggestion. None if the search did not count where gold comes from.
    """
    evidence = evidence_between(position, first, second)
    if evidence is None:
        return None
    ends = (end_of(position, first.steps), end_of(position, second.steps))
    return explained(position, ends, evidence)


def evidence_between(position: Position, first: TurnChoice, second: TurnChoice) -> Evidence | None:
    """Return what tree and games say about the difference between two turns of a suggestion."""
    seat = position.actor
    outlooks = [turn.tree or turn.seats for turn in (first, second)]
    sources = [[outlook.sources for outlook in by_seat] for by_seat in outlooks]
    if not all(by_seat[seat] for by_seat in sources):
        return None
    return evidence_of(
        position,
        (end_of(position, first.steps), end_of(position, second.steps)),
        differences(*sources),
        golds=[[outlook.gold.value for outlook in by_seat] for by_seat in outlooks],
        margin=outlooks[0][seat].margin.value - outlooks[1][seat].margin.value,
        visits=(first.visits, second.visits),
        is_exact=first.is_proven and second.is_proven,
        pairs=paired_games(first.endings, second.endings, seat),
        listed=[[outlook.gold.value for outlook in turn.seats] for turn in (first, second)],
        total=first.seats[seat].margin.value - second.seats[seat].margin.value,
    )


def explained(
    position: Position,
    ends: tuple[Position, Position],
    evidence: Evidence,
    *,
    other: str = "the other turn",
) -> Comparison:
    """Return numbers with what there is to see on the board where the two turns lead.

    ``other`` is what the second turn is called.
    """
    seat = position.actor
    before = Kingdom(position, seat)
    first, second = (Kingdom(end, seat) for end in ends)
    golds, rival = evidence.parts(), evidence.rival
    against = golds[OPPONENTS].value
    only = rival.seat if rival.explains(against) else None
    parts = []
    for name, gold in golds.items():
        here = _fact(name, before, first, second, only)
        there = _fact(name, before, second, first, only)
        texts = [here] if here and gold.value >= 0 else []
        texts += [f"{other} {there}"] if there and gold.value <= 0 else []
        is_rival = name == OPPONENTS and only is not None
        mostly = (rival.source(against) or "") if is_rival else ""
        parts.append(Part(name, estimate_of(gold), ", ".join(texts), is_clear(gold), mostly))
    return Comparison(
        parts=tuple(parts),
        margin=estimate_of(evidence.margin()),
        games=evidence.pairs,
        sentence=sentence_of(parts, ANY if only is None else setup_of(position).seats[only]),
    )


def _fact(
    name: str, before: Kingdom, first: Kingdom, second: Kingdom, only: int | None
) -> str | None:
    if name == TILES:
        return tiles(before, first, second)
    if name == CHOICES:
        return choices(first, second)
    if name == OPPONENTS:
        return opponents(first, second, only)
    return None if name == BETTER_PLAY else fact_of(name, first, second)
