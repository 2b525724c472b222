"""What is said of one turn: its luck, its loss, its mark, and what the best turn was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kbai.core.intervals import Estimate
from kbai.core.uncertainty import Measured
from kbai.explain.evidence import Evidence, evidence_of_values
from kbai.game.steps import end_of, is_same_turn
from kbai.review.cards import Cards
from kbai.review.looks import SURE, Looks, change_from, measured
from kbai.review.payloads import choice_from_payload
from kbai.review.plan import Part, TurnTasks
from kbai.review.results import CERTAIN, MARKS, Change, TurnReview
from kbai.rollouts.compare import RolledOut
from kbai.search.evaluate import Amount, Value
from kbai.search.results import Outlook, TurnChoice

_NOTHING = Amount(Measured(0.0), Measured(0.0))


@dataclass(frozen=True, slots=True)
class Judged:
    """A turn and its numbers, by seat."""

    review: TurnReview
    costs: tuple[Amount, ...]
    luck: tuple[Amount, ...]
    luck_odds: tuple[Measured, ...]
    """By how much the cards changed the logarithm of a seat's chance."""
    gap: float
    """By how much two looks at the seat that decides differ, in log-odds: the one before the card
    was turned up, and the one after the best turn."""
    after: Value


def is_certain(loss: Estimate) -> bool:
    """Return whether a turn has surely cost something."""
    return loss.value >= CERTAIN * (loss.value - loss.low)


def mark_of(loss: Estimate) -> str:
    """Return the mark of a turn; an empty text if it may have cost nothing."""
    if not is_certain(loss):
        return ""
    return next((mark for mark, least in MARKS if loss.value >= least), "")


def judge(
    turn: TurnTasks,
    answers: Mapping[str, Mapping[str, Any]],
    games: Sequence[RolledOut] = (),
) -> Judged:
    """Return what is known of a turn.

    ``games`` are those of the best turn and of what was played, or of the latter alone if it is
    the best turn; none if it was not played on.
    """
    part = turn.part
    answer = answers[turn.best.id]
    looks = Looks(
        part=part,
        before=Value.from_payload(answers[turn.before.id]),
        pair=tuple(map(Value.from_payload, answer["values"] or [answers[turn.after.id]] * 2)),
        cards=Cards.of(part, answers[turn.cards.id]) if turn.cards else None,
        games=tuple(games) if len(games) == 2 else (games[0],) * 2 if games else (),
    )
    level = looks.level(is_best=False)
    ends = looks.ends(level)
    # If what was played comes out better, it is the best turn found.
    is_best = not answer["values"] or level.chances[part.seat] <= ends[part.seat].value
    if is_best:
        level = looks.level(is_best=True)
        costs: tuple[Amount, ...] = (_NOTHING,) * looks.seats
        changes: tuple[Change, ...] = (Change(SURE, SURE),) * looks.seats
    else:
        changes = tuple(
            Change(change_from(level.chances[seat], end), looks.gold_loss(seat).estimate())
            for seat, end in enumerate(ends)
        )
        costs = tuple(Amount(measured(each.win), measured(each.gold)) for each in changes)
    steps = part.played if is_best else tuple(answer["steps"])
    candidates = tuple(map(choice_from_payload, answer["candidates"]))
    best, played = looks.pair if not is_best else (looks.pair[1],) * 2
    review = TurnReview(
        number=part.number,
        part=part.part,
        seat=part.seat,
        before=part.before,
        draws=part.draws,
        position=part.position,
        played=part.played,
        best=_choice(part, steps, best, level.outlooks, candidates),
        candidates=candidates,
        outlooks=level.before,
        costs=changes,
        source_costs=_source_costs(best, played, part.seat),
        luck=level.luck,
        mark=mark_of(changes[part.seat].win),
        is_best=is_best,
        is_exact=best.is_exact and played.is_exact,
        games=games[0].games if games else 0,
        evidence=None if is_best else _evidence(looks, steps),
    )
    luck = tuple(Amount(measured(each.win), measured(each.gold)) for each in level.luck)
    after = Value.from_payload(answers[turn.after.id])
    return Judged(review, costs, luck, looks.luck_odds(), looks.gap(is_best=is_best), after)


def _evidence(looks: Looks, steps: tuple[int, ...]) -> Evidence | None:
    """Return what is known of the difference between the best turn and what was played."""
    position = looks.part.position
    ends = (end_of(position, steps), looks.part.after)
    best, played = looks.pair
    return evidence_of_values(position, ends, (best, played), looks.games)


def _source_costs(best: Value, played: Value, seat: int) -> tuple[float, ...]:
    if not best.sources or not played.sources:
        return ()
    pairs = zip(best.sources[seat], played.sources[seat], strict=True)
    return tuple(one - other for one, other in pairs)


def _choice(
    part: Part,
    steps: tuple[int, ...],
    value: Value,
    seats: tuple[Outlook, ...],
    candidates: Sequence[TurnChoice],
) -> TurnChoice:
    """Return a turn with its value; the rest comes from the candidate of the search, if any."""
    for candidate in candidates:
        if is_same_turn(part.position, candidate.steps, steps):
            known = zip(seats, candidate.seats, strict=True)
            seats = tuple(replace(seat, sources=seen.sources) for seat, seen in known)
            return replace(candidate, steps=steps, seats=seats, is_proven=value.is_exact)
    return TurnChoice(
        steps=steps,
        visits=value.visits,
        utility=seats[part.seat].win.value,
        is_proven=value.is_exact,
        seats=seats,
    )
