"""Two turns compared: where the difference comes from, and what it is on the board."""

from __future__ import annotations

from kbai._fast import Position
from kbai.explain.evidence import Evidence, estimate_of, evidence_of, is_clear, paired_games
from kbai.explain.facts import fact_of
from kbai.explain.facts.choices import choices
from kbai.explain.facts.opponents import opponents
from kbai.explain.facts.tiles import tiles
from kbai.explain.kingdom import Kingdom
from kbai.explain.results import BETTER_PLAY, CHOICES, OPPONENTS, TILES, Comparison, Part
from kbai.explain.sentence import sentence_of
from kbai.game.setup import setup_of
from kbai.game.steps import end_of
from kbai.search.results import TurnChoice


def compare(position: Position, first: TurnChoice, second: TurnChoice) -> Comparison | None:
    """Return why the first turn is better than the second, or where it is worse.

    Both are turns of one suggestion. None if the search did not count where gold comes from.
    """
    seat = position.actor
    one, two = ((turn.tree or turn.seats)[seat] for turn in (first, second))
    if not one.sources or not two.sources:
        return None
    ends = (end_of(position, first.steps), end_of(position, second.steps))
    evidence = evidence_of(
        position,
        ends,
        [a - b for a, b in zip(one.sources, two.sources, strict=True)],
        gold=one.gold.value - two.gold.value,
        margin=one.margin.value - two.margin.value,
        visits=(first.visits, second.visits),
        is_exact=first.is_proven and second.is_proven,
        pairs=paired_games(first.endings, second.endings, seat),
    )
    return explained(position, ends, evidence)


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
    parts = []
    for name, gold in evidence.parts().items():
        is_for = gold.value >= 0
        fact = _fact(name, before, *((first, second) if is_for else (second, first))) or ""
        text = f"{other} {fact}" if fact and not is_for else fact
        parts.append(Part(name, estimate_of(gold), text, is_clear(gold)))
    return Comparison(
        parts=tuple(parts),
        margin=estimate_of(evidence.margin()),
        games=evidence.pairs,
        sentence=sentence_of(parts, _rival(position)),
    )


def _fact(name: str, before: Kingdom, first: Kingdom, second: Kingdom) -> str | None:
    if name == TILES:
        return tiles(before, first, second)
    if name == CHOICES:
        return choices(first, second)
    if name == OPPONENTS:
        return opponents(first, second)
    return None if name == BETTER_PLAY else fact_of(name, first, second)


def _rival(position: Position) -> str:
    """Return what the best opponent is called: by its colour if there is only one."""
    seats = setup_of(position).seats
    others = [name for index, name in enumerate(seats) if index != position.actor]
    return others[0] if len(others) == 1 else "the best opponent"
