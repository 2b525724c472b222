"""From the answers of searches to a review: losses, luck, marks, and the sums of each seat.

Let W be the value of a position before a card is turned up. The value after a turn is also the
value before the next one. Then

    W after = W before + luck of the card - loss of the turn + misfit,

and over a game the misfits add up to the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kbai.core.intervals import Estimate
from kbai.core.uncertainty import Measured, contrast, mean_of, total
from kbai.game.steps import is_same_turn
from kbai.review.payloads import choice_from_payload
from kbai.review.plan import Part, Plan, TurnTasks
from kbai.review.results import MARKS, Change, Review, SeatSummary, TurnReview
from kbai.search.branches import branches
from kbai.search.evaluate import (
    Amount,
    Value,
    chances,
    cost,
    evenness,
    golds,
)
from kbai.search.results import TurnChoice

# How much searches misjudge one turn beyond their noise, as a standard deviation: in win
# probability when the game is even, and in gold (docs/review.md; measured by
# scripts/review_checks.py rest).
WIN_MISFIT = 0.15
GOLD_MISFIT = 3.5

_NOTHING = Amount(Measured(0.0), Measured(0.0))


def assemble(plan: Plan, answers: Mapping[str, Mapping[str, Any]]) -> Review:
    """Return the review of a plan, given the answers to all its searches."""
    judged = [_judge(turn, answers) for turn in plan.turns]
    n_seats = len(plan.game.setup.seats)
    last = judged[-1].after if judged else None
    visits = sum(_visits(answers[id]) for id in plan.tasks())
    return Review(
        name=plan.name,
        game=plan.game,
        turns=tuple(each.review for each in judged),
        final=tuple(last.outlook(seat) for seat in range(n_seats)) if last else (),
        seats=tuple(_sum_up(judged, seat, plan.is_chain) for seat in range(n_seats))
        if judged
        else (),
        limit=plan.options.limit,
        seed=plan.options.seed,
        visits=visits,
        problem=plan.problem,
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """A turn and its numbers, by seat."""

    review: TurnReview
    costs: tuple[Amount, ...]
    luck: tuple[Amount, ...]
    before: Value
    after: Value


def _judge(turn: TurnTasks, answers: Mapping[str, Mapping[str, Any]]) -> _Judged:
    part = turn.part
    before = Value.from_payload(answers[turn.before.id])
    after = Value.from_payload(answers[turn.after.id])
    answer = answers[turn.best.id]
    best, played = map(Value.from_payload, answer["values"] or [answers[turn.after.id]] * 2)
    seats = range(part.before.board.seats)
    candidates = tuple(map(choice_from_payload, answer["candidates"]))
    costs = tuple(cost(best, played, seat) for seat in seats)
    steps = tuple(answer["steps"])
    # If what was played comes out better, it is the best turn found.
    is_best = costs[part.seat].win.value <= 0
    if is_best:
        best, costs, steps = played, (_NOTHING,) * len(seats), part.played
    is_exact = best.is_exact and played.is_exact
    luck = luck_of(part, answers[turn.cards.id] if turn.cards else None)
    review = TurnReview(
        number=part.number,
        part=part.part,
        seat=part.seat,
        before=part.before,
        draws=part.draws,
        position=part.position,
        played=part.played,
        best=_choice(part, steps, best, candidates),
        candidates=candidates,
        outlooks=tuple(before.outlook(seat) for seat in seats),
        costs=tuple(map(_change, costs)),
        source_costs=_source_costs(best, played, part.seat),
        luck=tuple(map(_change, luck)),
        mark=mark_of(costs[part.seat].win.estimate()),
        is_best=is_best,
        is_exact=is_exact,
    )
    return _Judged(review, costs, luck, before, after)


def _source_costs(best: Value, played: Value, seat: int) -> tuple[float, ...]:
    if not best.sources or not played.sources:
        return ()
    pairs = zip(best.sources[seat], played.sources[seat], strict=True)
    return tuple(one - other for one, other in pairs)


def luck_of(part: Part, answer: Mapping[str, Any] | None) -> tuple[Amount, ...]:
    """Return the luck of a part's cards by seat; ``answer`` is None if there was only one card."""
    seats = range(part.before.board.seats)
    if answer is None:
        return (_NOTHING,) * len(seats)
    values = [Value.from_payload(value) for value in answer["values"]]
    weights = [(branch.position == part.position) - branch.odds for branch in branches(part.before)]
    return tuple(
        Amount(contrast(weights, chances(values, seat)), contrast(weights, golds(values, seat)))
        for seat in seats
    )


def mark_of(loss: Estimate) -> str:
    """Return the mark of a turn; an empty text if it may have cost nothing."""
    if loss.low <= 0:
        return ""
    return next((mark for mark, least in MARKS if loss.value >= least), "")


def _choice(
    part: Part, steps: tuple[int, ...], value: Value, candidates: Sequence[TurnChoice]
) -> TurnChoice:
    """Return a turn with its value; the rest comes from the candidate of the search, if any."""
    seats = tuple(value.outlook(seat) for seat in range(part.before.board.seats))
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


def _sum_up(judged: Sequence[_Judged], seat: int, is_chain: bool) -> SeatSummary:
    own = [each for each in judged if each.review.seat == seat]
    others = [each for each in judged if each.review.seat != seat]
    loss = _total(each.costs[seat] for each in own)
    luck = _total(each.luck[seat] for each in judged)
    gain = _negative(_total(each.costs[seat] for each in others))
    start, result = _worth(judged[0].before, seat), _worth(judged[-1].after, seat)
    known = _total((start, luck, _negative(loss), gain))
    share = 1 / len(own) if own else 0.0
    return SeatSummary(
        seat=seat,
        turns=len(own),
        marks=tuple(sum(each.review.mark == mark for each in own) for mark, _ in MARKS),
        loss=_change(loss),
        loss_per_turn=_change(Amount(loss.win * share, loss.gold * share)),
        luck=_change(luck),
        gain=_change(gain),
        start=_change(start),
        result=_change(result),
        adjusted=_change(_total((result, _negative(luck)))),
        rest=_rest(judged, seat, known) if is_chain else None,
    )


def _rest(judged: Sequence[_Judged], seat: int, known: Amount) -> Change:
    """Return the part of a result that the known parts do not explain.

    It is 0 but for errors: the noise of the searches in each part, and what they misjudge in every
    turn, which counts the less for the victory the more certain that is.
    """
    doubts = [evenness(_worth(each.before, seat).win.value) for each in judged]
    misfits = Amount(
        Measured(0.0, WIN_MISFIT**2 * math.fsum(doubts)),
        Measured(0.0, GOLD_MISFIT**2 * len(judged)),
    )
    return _change(_total((_worth(judged[-1].after, seat), _negative(known), misfits)))


def _visits(answer: Mapping[str, Any]) -> int:
    return int(answer.get("visits", 0)) + sum(map(_visits, answer.get("values", ())))


def _change(amount: Amount) -> Change:
    return Change(amount.win.estimate(), amount.gold.estimate())


def _total(amounts: Iterable[Amount]) -> Amount:
    amounts = list(amounts)
    return Amount(total(each.win for each in amounts), total(each.gold for each in amounts))


def _negative(amount: Amount) -> Amount:
    return Amount(-amount.win, -amount.gold)


def _worth(value: Value, seat: int) -> Amount:
    gold = [sample.gold[seat] for sample in value.samples]
    return Amount(value.chance(seat), Measured(gold[0]) if value.is_exact else mean_of(gold))
