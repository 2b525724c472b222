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
from kbai.explain.facts.houses import houses_kept, houses_more
from kbai.explain.facts.opponents import opponents
from kbai.explain.facts.tiles import tiles
from kbai.explain.kingdom import Kingdom
from kbai.explain.results import BETTER_PLAY, CHOICES, OPPONENTS, TILES, Comparison, Names, Part
from kbai.explain.sentence import ANY, sentence_of
from kbai.game.setup import setup_of
from kbai.game.steps import END, end_of
from kbai.search.results import TurnChoice


def compare(
    position: Position,
    first: TurnChoice,
    second: TurnChoice,
    names: Names = Names(),  # noqa: B008  (a frozen value)
) -> Comparison | None:
    """Return why the first turn is better than the second, or where it is worse.

    Both are turns of one suggestion. None if the search did not count where gold comes from, or if
    one of them draws a card on its way: what it builds after that is not on the board yet.
    """
    ends = (end_of(position, first.steps), end_of(position, second.steps))
    if any(end.pending_draw and turn.steps[-1] != END
           for turn, end in zip((first, second), ends, strict=True)):  # fmt: skip
        return None
    evidence = evidence_between(position, first, second)
    return None if evidence is None else explained(position, ends, evidence, names)


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
    position: Position, ends: tuple[Position, Position], evidence: Evidence, names: Names
) -> Comparison:
    """Return numbers with what there is to see on the board where the two turns lead."""
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
        # Nobody asks for what speaks against the number, except to see that there is nothing.
        is_asked = name in (TILES, CHOICES)
        here = there = None
        if sign >= 0 or is_asked:
            here = _fact(name, before, first, second, only)
        if sign <= 0 or is_asked:
            there = _fact(name, before, second, first, only)
        if is_asked and not (here or there) and is_clear(gold):
            # Both have the same, but one of them can make use of it for longer.
            here, there = houses_kept(first, second), houses_kept(second, first)
        is_rival = name == OPPONENTS and only is not None
        parts.append(Part(
            name,
            estimate_of(gold),
            (here or "") if sign >= 0 else "",
            (there or "") if sign <= 0 else "",
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
            names,
            ANY if only is None else setup_of(position).seats[only],
            remark=_remark(first, second, names),
        ),
        names=names,
    )


def _remark(first: Kingdom, second: Kingdom, names: Names) -> str:
    """Return what is seen on the board and belongs to no source of gold."""
    for name, one, two in ((names.first, first, second), (names.second, second, first)):
        if more := houses_more(one, two):
            return f"{name} {more}"
    return ""


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
