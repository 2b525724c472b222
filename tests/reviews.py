"""Reviews for the tests of pages: their numbers are rough, their form is that of real ones."""

from __future__ import annotations

from collections.abc import Iterable

from kbai._fast import Position
from kbai.core.intervals import Estimate
from kbai.game.steps import end_of, is_draw
from kbai.notation.games import Game
from kbai.notation.turns import PlayedTurn
from kbai.review.results import MARKS, Change, Review, SeatSummary, TurnReview
from kbai.search.params import Limit
from kbai.search.results import Outlook, TurnChoice
from kbai.search.suggest import suggest


def rough_review(game: Game, *, visits: int, name: str = "game.kbg") -> Review:
    """Return a review whose costs are made up from one small search a turn."""
    turns = [_review_turn(turn, before, visits) for turn, before in game.positions()]
    gold = game.final_position().scores()
    final = tuple(
        Outlook(_near(float(amount == max(gold)), 0), _near(amount, 0), _near(amount, 0), ())
        for amount in gold
    )
    seats = tuple(_sum_up(turns, final, seat) for seat in range(len(final)))
    return Review(name, game, tuple(turns), final, seats, Limit(visits=visits), seed=1)


def _near(value: float, half: float) -> Estimate:
    return Estimate(value, value - half, value + half)


def _change(win: float, gold: float) -> Change:
    return Change(_near(win, 0.01), _near(gold, 1.0))


def _review_turn(turn: PlayedTurn, before: Position, visits: int) -> TurnReview:
    first = next(index for index, step in enumerate(turn.steps) if not is_draw(step))
    draws, played = turn.steps[:first], turn.steps[first:]
    position = end_of(before, draws)
    choices = suggest(position, Limit(visits=visits), seed=turn.number, top=6).turns
    best = choices[0]
    is_best = best.steps == played
    seat = position.mover
    known = {choice.steps: choice.seats[seat].win.value for choice in choices}
    cost = 0.0 if is_best else max(best.seats[seat].win.value - known.get(played, 0.0), 0.0) / 5
    costs = tuple(
        _change(cost if index == seat else -cost, 20 * cost) for index in range(len(best.seats))
    )
    mark = next((mark for mark, least in MARKS if cost >= least), "")
    luck = tuple(_change(0.01, 0.5) for _ in best.seats)
    return TurnReview(
        turn.number, 0, seat, before, draws, position, played, best, choices, best.seats, costs,
        _source_costs(best, choices, played, seat), luck, mark, is_best,
        is_exact=False)  # fmt: skip


def _source_costs(
    best: TurnChoice, choices: Iterable[TurnChoice], played: tuple[int, ...], seat: int
) -> tuple[float, ...]:
    known = {choice.steps: choice.seats[seat].sources for choice in choices}
    sources = best.seats[seat].sources
    return tuple(a - b for a, b in zip(sources, known.get(played, sources), strict=True))


def _sum_up(turns: Iterable[TurnReview], final: tuple[Outlook, ...], seat: int) -> SeatSummary:
    own = [turn for turn in turns if turn.seat == seat]
    loss = sum(turn.loss.win.value for turn in own)
    change = _change(loss, 20 * loss)
    result = Change(final[seat].win, final[seat].gold)
    marks = tuple(sum(turn.mark == mark for turn in own) for mark, _ in MARKS)
    none = _change(0, 0)
    return SeatSummary(
        seat, len(own), change, change, marks, luck=none, adjusted=result, start=none, gain=none,
        result=result, rest=none)  # fmt: skip
