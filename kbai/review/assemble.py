"""From the answers of searches and games to a review: its turns, and the sums of each seat.

Let W be the value of a position before a card is turned up. The value after a turn is also the
value before the next one. Then

    W after = W before + luck of the card - loss of the turn + misfit,

and over a game the misfits add up to the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from kbai.core.intervals import Estimate
from kbai.core.uncertainty import Measured, total
from kbai.review.games import judge_with_games
from kbai.review.judge import Judged
from kbai.review.looks import measured
from kbai.review.odds import odds_around, scaled
from kbai.review.plan import Plan
from kbai.review.results import MARKS, Change, Review, SeatSummary
from kbai.search.calibration import misjudged_in
from kbai.search.evaluate import Amount, evenness
from kbai.search.results import Outlook

# How much searches misjudge one turn beyond their noise, as a standard deviation: in win
# probability when the game is even, and in gold (docs/review.md; measured by
# scripts/review_checks.py rest).
WIN_MISFIT = 0.15
GOLD_MISFIT = 3.5


def assemble(
    plan: Plan,
    answers: Mapping[str, Mapping[str, Any]],
    known: Mapping[int, Judged] = MappingProxyType({}),
) -> Review:
    """Return the review of a plan, given the answers to all its searches.

    ``known`` has what is already said of some turns, by their place in the plan.
    """
    judged = [
        known.get(place) or judge_with_games(turn, answers, plan.options)[0]
        for place, turn in enumerate(plan.turns)
    ]
    n_seats = len(plan.game.setup.seats)
    last = judged[-1].after if judged else None
    doubt = misjudged_in(plan.game.start)
    final = tuple(last.outlook(seat, doubt) for seat in range(n_seats)) if last else ()
    visits = sum(_visits(answers[id]) for id in plan.tasks())
    return Review(
        name=plan.name,
        game=plan.game,
        turns=tuple(each.review for each in judged),
        final=final,
        seats=tuple(_sum_up(judged, final[seat], seat, plan.is_chain) for seat in range(n_seats))
        if judged
        else (),
        limit=plan.options.limit,
        seed=plan.options.seed,
        visits=visits,
        games=sum(each.review.games * (2 - each.review.is_best) for each in judged),
        problem=plan.problem,
    )


def _sum_up(judged: Sequence[Judged], result: Outlook, seat: int, is_chain: bool) -> SeatSummary:
    own = [each for each in judged if each.review.seat == seat]
    others = [each for each in judged if each.review.seat != seat]
    loss = _total(each.costs[seat] for each in own)
    luck = _total(each.luck[seat] for each in judged)
    gain = _negative(_total(each.costs[seat] for each in others))
    start = judged[0].review.outlooks[seat]
    changes = _total((luck, _negative(loss), gain))
    rest = Amount(
        Measured(result.win.value - start.win.value) - changes.win,
        Measured(result.gold.value - start.gold.value) - changes.gold,
    )
    share = 1 / len(own) if own else 0.0
    return SeatSummary(
        seat=seat,
        turns=len(own),
        marks=tuple(sum(each.review.mark == mark for each in own) for mark, _ in MARKS),
        loss=_change(loss),
        loss_per_turn=_change(Amount(loss.win * share, loss.gold * share)),
        luck=_change(luck),
        gain=_change(gain),
        start=Change(start.win, start.gold),
        result=Change(result.win, result.gold),
        adjusted=Change(
            _without_luck(judged, seat), (measured(result.gold) - luck.gold).estimate()
        ),
        rest=_change(_total((rest, _misfits(judged, seat)))) if is_chain else None,
    )


def _without_luck(judged: Sequence[Judged], seat: int) -> Estimate:
    """Return the chance that the result stands for once the odds are taken off that cards brought.

    A result counts as the surest forecast there is of it: odds of 1 to 0 could not be changed.
    """
    after = judged[-1].after
    seats = range(len(after.samples[0].wins))
    luck = [total(each.luck_odds[other] for each in judged) for other in seats]
    results = [math.fsum(sample.wins[other] for sample in after.samples) for other in seats]
    chances = scaled([
        result * math.exp(-changed.value) for result, changed in zip(results, luck, strict=True)
    ])  # fmt: skip
    return odds_around(chances[seat], (-luck[seat]).estimate())


def _misfits(judged: Sequence[Judged], seat: int) -> Amount:
    """Return the error of a rest beyond the noise of its parts.

    It is what searches misjudge in every turn, which counts the less for the victory the more
    certain that is.
    """
    doubts = [evenness(each.review.outlooks[seat].win.value) for each in judged]
    return Amount(
        Measured(0.0, WIN_MISFIT**2 * math.fsum(doubts)),
        Measured(0.0, GOLD_MISFIT**2 * len(judged)),
    )


def _visits(answer: Mapping[str, Any]) -> int:
    return int(answer.get("visits", 0)) + sum(map(_visits, answer.get("values", ())))


def _change(amount: Amount) -> Change:
    return Change(amount.win.estimate(), amount.gold.estimate())


def _total(amounts: Iterable[Amount]) -> Amount:
    amounts = list(amounts)
    return Amount(total(each.win for each in amounts), total(each.gold for each in amounts))


def _negative(amount: Amount) -> Amount:
    return Amount(-amount.win, -amount.gold)
