"""Reviewing games: which searches it takes, making them, and what they say together.

Let W be what a position is worth before a card is turned up. After a turn that is what the end
position of the turn is worth, so that one number ends a turn and begins the next. Then

    W after = W before + luck of the card - what the turn cost + what does not fit,

and over a game the last ones add up to the rest.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kbai import content
from kbai._fast import Position
from kbai.compute.pools import PoolFactory
from kbai.compute.run import Done, Outcome, run
from kbai.core.errors import ReviewError
from kbai.core.intervals import Estimate
from kbai.core.seeds import derive_seed
from kbai.core.uncertainty import Measured, contrast, mean_of, total
from kbai.game.steps import advance, is_draw, is_same_decision, is_same_turn
from kbai.notation.games import Game
from kbai.review.results import MARKS, Change, Review, SeatSummary, TurnReview
from kbai.review.searches import BestTurn, Cards, Lookup, Worth, choice_from_payload, run_lookup
from kbai.search.branches import branches
from kbai.search.evaluate import (
    Amount,
    Value,
    chances,
    cost,
    evenness,
    golds,
)
from kbai.search.params import Limit
from kbai.search.results import TurnChoice

# What the seconds of a turn are divided by: its worth gets as many visits as are asked for, the two
# searches for the best turn, four rivals and what was played twice as many each, and its cards
# ten times as many. A closer look comes on top of that.
LIMITS = 25
# What searches misjudge in one turn beyond their noise, as a standard deviation: in win probability
# where the game is even, and in gold (docs/review.md; scripts/review_checks.py rest measures it).
WIN_MISFIT = 0.15
GOLD_MISFIT = 3.5


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be reviewed, and how."""

    limit: Limit
    """For each turn."""
    seed: int = 1
    turns: range | None = None
    """Numbers of turns; None: all."""
    seats: tuple[str, ...] = ()
    """Names of those whose turns are of interest; none: all."""

    def wants(self, part: Part, game: Game) -> bool:
        """Return whether a part of a turn is of interest."""
        is_seat = not self.seats or game.setup.seats[part.seat] in self.seats
        return is_seat and (self.turns is None or part.number in self.turns)


@dataclass(frozen=True, slots=True)
class Part:
    """A turn as it was played, or the part of one in which one seat decides without a break."""

    number: int
    part: int
    seat: int
    before: Position
    draws: tuple[int, ...]
    position: Position
    played: tuple[int, ...]
    after: Position


def parts_of(game: Game) -> Iterator[Part]:
    """Yield the parts of all turns of a game; one that is not finished is left out."""
    for turn, before in game.positions():
        yield from _parts_of_turn(turn.number, before, turn.steps)


def _parts_of_turn(number: int, before: Position, steps: Sequence[int]) -> Iterator[Part]:
    current = before.copy()
    draws: list[int] = []
    played: list[int] = []
    position = current.copy()
    count = 0
    for step in steps:
        if not is_draw(step) and not played:
            position = current.copy()
        (draws if is_draw(step) else played).append(step)
        advance(current, step)
        if played and not is_same_decision(position, played, current):
            yield Part(number, count, position.actor, before, tuple(draws), position,
                       tuple(played), current.copy())  # fmt: skip
            before, draws, played = current.copy(), [], []
            count += 1


@dataclass(frozen=True, slots=True)
class Errand:
    """The searches for one part."""

    part: Part
    worth: Worth
    """Before it."""
    best: BestTurn
    cards: Cards | None
    """None if there was no choice of cards."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All searches that the review of a game is made of."""

    name: str
    game: Game
    wish: Wish
    problem: str
    errands: tuple[Errand, ...]
    worths: tuple[Worth, ...]
    """After each of these."""
    is_chain: bool
    """Whether no turn between the first and the last is left out."""

    def tasks(self) -> dict[str, Lookup]:
        """Return the searches by id, turn by turn."""
        found: dict[str, Lookup] = {}
        for errand, worth in zip(self.errands, self.worths, strict=True):
            for task in (errand.worth, errand.cards, errand.best, worth):
                if task is not None:
                    found.setdefault(task.id, task)
        return found


def plan_review(name: str, game: Game, wish: Wish, problem: str = "") -> Plan:
    """Return what the review of a game takes."""
    parts = list(parts_of(game))
    wanted = [index for index, part in enumerate(parts) if wish.wants(part, game)]
    limit = wish.limit
    if limit.seconds is not None:
        limit = Limit(limit.visits, limit.seconds / LIMITS)

    def worth(index: int) -> Worth:
        """Before a part; the number after the last one gives the end."""
        if index == 0:
            start = parts[0].before
            mover = (start.mover - 1) % start.board.seats
            return Worth(start, mover, limit, derive_seed(wish.seed, "start"))
        last = parts[index - 1]
        seed = derive_seed(wish.seed, "after", last.number, last.part)
        return Worth(last.after, last.seat, limit, seed)

    def errand(index: int) -> Errand:
        part = parts[index]
        labels = (part.number, part.part)
        best = BestTurn(part.position, part.after, limit, derive_seed(wish.seed, "turn", *labels))
        has_choice = part.draws and len(branches(part.before)) > 1
        cards = Cards(part.before, limit, derive_seed(wish.seed, "cards", *labels))
        return Errand(part, worth(index), best, cards if has_choice else None)

    is_chain = all(second == first + 1 for first, second in zip(wanted, wanted[1:], strict=False))
    return Plan(name, game, wish, problem, tuple(map(errand, wanted)),
                tuple(worth(index + 1) for index in wanted), is_chain)  # fmt: skip


# --- making the searches ------------------------------------------------------------------------


def run_reviews(
    plans: Iterable[Plan],
    *,
    workers: PoolFactory,
    known: Mapping[str, Mapping[str, Any]],
    keep: Callable[[str, Mapping[str, Any]], None],
    on_review: Callable[[Review], None],
    quadrants: Sequence[Sequence[tuple[str, str]]] = (),
) -> None:
    """Make all searches that are not known, and hand over each review, in order.

    ``keep`` is told every new answer.
    """
    waiting = deque((plan, plan.tasks()) for plan in plans)
    tasks = {id: task for _, each in waiting for id, task in each.items()}
    uses = Counter(id for _, each in waiting for id in each)
    answers: dict[str, Mapping[str, Any]] = dict(known)

    def hand_over() -> None:
        while waiting and waiting[0][1].keys() <= answers.keys():
            plan, done = waiting.popleft()
            on_review(assemble(plan, answers))
            for id in done:
                uses[id] -= 1
                if not uses[id]:  # there may be a thousand games
                    del answers[id]

    def take(outcome: Outcome[Lookup, dict[str, Any]]) -> None:
        if not isinstance(outcome, Done):
            raise ReviewError(f"a search has failed: {outcome.message.rstrip('.')}.")
        keep(outcome.task.id, outcome.value)
        answers[outcome.task.id] = outcome.value
        hand_over()

    hand_over()
    run(
        run_lookup,
        [task for id, task in tasks.items() if id not in known],
        workers,
        take,
        initializer=content.use_quadrants if quadrants else None,
        initargs=tuple(quadrants),
    )


# --- what they say ------------------------------------------------------------------------------


_NOTHING = Amount(Measured(0.0), Measured(0.0))


def _change(amount: Amount) -> Change:
    return Change(amount.win.estimate(), amount.gold.estimate())


@dataclass(frozen=True, slots=True)
class _Judged:
    """A turn and its numbers, by seat."""

    review: TurnReview
    costs: tuple[Amount, ...]
    luck: tuple[Amount, ...]
    before: Value
    after: Value


def assemble(plan: Plan, answers: Mapping[str, Mapping[str, Any]]) -> Review:
    """Return the review that the answers to all searches of a plan make."""
    pairs = zip(plan.errands, plan.worths, strict=True)
    judged = [_judge(errand, worth, answers) for errand, worth in pairs]
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
        limit=plan.wish.limit,
        seed=plan.wish.seed,
        visits=visits,
        problem=plan.problem,
    )


def _visits(answer: Mapping[str, Any]) -> int:
    return int(answer.get("visits", 0)) + sum(map(_visits, answer.get("values", ())))


def _judge(errand: Errand, worth: Worth, answers: Mapping[str, Mapping[str, Any]]) -> _Judged:
    part = errand.part
    before = Value.from_payload(answers[errand.worth.id])
    after = Value.from_payload(answers[worth.id])
    answer = answers[errand.best.id]
    best, played = map(Value.from_payload, answer["values"] or [answers[worth.id]] * 2)
    seats = range(part.before.board.seats)
    candidates = tuple(map(choice_from_payload, answer["candidates"]))
    costs = tuple(cost(best, played, seat) for seat in seats)
    steps = tuple(answer["steps"])
    # What was played and comes out better is the best turn found.
    is_best = costs[part.seat].win.value <= 0
    if is_best:
        best, costs, steps = played, (_NOTHING,) * len(seats), part.played
    is_exact = best.is_exact and played.is_exact
    luck = luck_of(part, answers[errand.cards.id] if errand.cards else None)
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
        luck=tuple(map(_change, luck)),
        mark=mark_of(costs[part.seat].win.estimate()),
        is_best=is_best,
        is_exact=is_exact,
    )
    return _Judged(review, costs, luck, before, after)


def luck_of(part: Part, answer: Mapping[str, Any] | None) -> tuple[Amount, ...]:
    """Return the luck of a part's cards by seat, given what is known of them; None: no choice."""
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
    """Return the mark of a turn; none if it may have cost nothing."""
    if loss.low <= 0:
        return ""
    return next((mark for mark, least in MARKS if loss.value >= least), "")


def _choice(
    part: Part, steps: tuple[int, ...], value: Value, candidates: Sequence[TurnChoice]
) -> TurnChoice:
    """Return a turn with what it is worth; what else is known of it is from the search."""
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


def _total(amounts: Iterable[Amount]) -> Amount:
    amounts = list(amounts)
    return Amount(total(each.win for each in amounts), total(each.gold for each in amounts))


def _worth(value: Value, seat: int) -> Amount:
    gold = [sample.gold[seat] for sample in value.samples]
    return Amount(value.chance(seat), Measured(gold[0]) if value.is_exact else mean_of(gold))


def _rest(judged: Sequence[_Judged], seat: int, known: Amount) -> Change:
    """Return what the known parts of a result leave open.

    It is 0 but for errors: the noise of the searches in each part, and what they misjudge in every
    turn, which counts the less for the victory the more certain that is.
    """
    doubts = [evenness(_worth(each.before, seat).win.value) for each in judged]
    misfits = Amount(
        Measured(0.0, WIN_MISFIT**2 * math.fsum(doubts)),
        Measured(0.0, GOLD_MISFIT**2 * len(judged)),
    )
    return _change(_total((_worth(judged[-1].after, seat), _negative(known), misfits)))


def _negative(amount: Amount) -> Amount:
    return Amount(-amount.win, -amount.gold)
