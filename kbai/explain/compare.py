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
from kbai.explain.facts.houses import houses_more
from kbai.explain.facts.opponents import opponents
from kbai.explain.facts.tiles import tiles
from kbai.explain.kingdom import Kingdom
from kbai.explain.results import BETTER_PLAY, CHOICES, OPPONENTS, TILES, Comparison, Part
from kbai.explain.sentence import ANY, sentence_of
from kbai.game.setup import setup_of
from kbai.game.steps import END, end_of
from kbai.search.results import TurnChoice


def compare(position: Position, first: TurnChoice, second: TurnChoice) -> Comparison | None:
    """Return why the first turn is better than the second, or where it is worse.

    Both are turns of one suggestion. None if the search did not count where gold comes from, or if
    one of them draws a card on its way: what it builds after that is not on the board yet.
    """
    ends = (end_of(position, first.steps), end_of(position, second.steps))
    if any(end.pending_draw and turn.steps[-1] != END
           for turn, end in zip((first, second), ends, strict=True)):  # fmt: skip
        return None
    evidence = evidence_between(position, first, second)
    return None if evidence is None else explained(position, ends, evidence)


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
        now = first.gold.get(name, 0) - second.gold.get(name, 0)
        # What is on the board may come to nothing, but then the number must not be clear.
        sign = gold.value if is_clear(gold) or not now else now
        here = _fact(name, before, first, second, only)
        there = _fact(name, before, second, first, only)
        texts = [here] if here and sign >= 0 else []
        texts += [f"{other} {there}"] if there and sign <= 0 else []
        is_rival = name == OPPONENTS and only is not None
        parts.append(Part(
            name,
            estimate_of(gold),
            ", ".join(texts),
            is_clear(gold),
            now,
            mostly=(rival.source(against) or "") if is_rival else "",
        ))  # fmt: skip
    return Comparison(
        parts=tuple(parts),
        margin=estimate_of(evidence.margin()),
        games=evidence.pairs,
        sentence=sentence_of(
            parts,
            ANY if only is None else setup_of(position).seats[only],
            houses_more(first, second, other),
        ),
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
