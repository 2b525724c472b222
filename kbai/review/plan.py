"""Which searches the review of a game needs."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from kbai._fast import Position
from kbai.core.seeds import derive_seed
from kbai.game.steps import advance, is_draw, is_same_decision
from kbai.notation.games import Game
from kbai.review.searches import BestTurnTask, CardsTask, SearchTask, ValueTask
from kbai.search.branches import branches
from kbai.search.params import Limit

# What the seconds of a turn are divided by: its worth gets as many visits as are asked for, the two
# searches for the best turn, four rivals and what was played twice as many each, and its cards
# ten times as many. A closer look comes on top of that.
LIMITS = 25


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """Which turns are reviewed, and how thoroughly."""

    limit: Limit
    """For each turn."""
    seed: int = 1
    turns: range | None = None
    """Only these turns, by number; None: all."""
    seats: tuple[str, ...] = ()
    """Only turns of these seats; empty: of all."""
    games: int | None = None
    """How many games are played on at most from a turn that matters; None: as many as cost about
    as much as its searches."""

    def wants(self, part: Part, game: Game) -> bool:
        """Return whether a part of a turn is to be reviewed."""
        is_seat = not self.seats or game.setup.seats[part.seat] in self.seats
        return is_seat and (self.turns is None or part.number in self.turns)


@dataclass(frozen=True, slots=True)
class Part:
    """A turn as it was played, or the part of one in which one seat decides without a break."""

    number: int
    """Of the turn in the game file."""
    part: int
    """0 for the first part of a turn, and the only one of most."""
    seat: int
    """Who decides."""
    before: Position
    """Before the cards were turned up."""
    draws: tuple[int, ...]
    """The cards turned up, as chance steps."""
    position: Position
    """In which the seat decides: `before` with the cards turned up."""
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
class TurnTasks:
    """The searches for one part of a turn."""

    part: Part
    before: ValueTask
    """What the position before the part is worth."""
    after: ValueTask
    """What the position after it is worth; the next part has the same task as its `before`."""
    best: BestTurnTask
    cards: CardsTask | None
    """None if there was only one card that could come."""

    def tasks(self) -> list[SearchTask]:
        """Return the searches in the order in which they are of use."""
        every = (self.before, self.cards, self.best, self.after)
        return [task for task in every if task is not None]


@dataclass(frozen=True, slots=True)
class Plan:
    """All searches that the review of a game is made of."""

    name: str
    game: Game
    options: ReviewOptions
    problem: str
    turns: tuple[TurnTasks, ...]

    @property
    def is_chain(self) -> bool:
        """Whether no turn between the first and the last is left out."""
        return all(one.after.id == next.before.id for one, next in pairwise(self.turns))

    def known_part(self, answers: Container[str]) -> Plan:
        """Return the plan of the turns whose searches all have answers, by id."""
        turns = [turn for turn in self.turns if all(task.id in answers for task in turn.tasks())]
        return replace(self, turns=tuple(turns))

    def tasks(self) -> dict[str, SearchTask]:
        """Return the searches by id, turn by turn."""
        found: dict[str, SearchTask] = {}
        for turn in self.turns:
            for task in turn.tasks():
                found.setdefault(task.id, task)
        return found


def plan_review(name: str, game: Game, options: ReviewOptions, problem: str = "") -> Plan:
    """Return the searches that the review of a game needs."""
    parts = list(parts_of(game))
    wanted = [index for index, part in enumerate(parts) if options.wants(part, game)]
    limit = options.limit
    if limit.seconds is not None:
        limit = Limit(limit.visits, limit.seconds / LIMITS)

    @cache  # a part begins where the one before it ended
    def value_before(index: int) -> ValueTask:
        if index == 0:
            start = parts[0].before
            mover = (start.mover - 1) % start.board.seats
            return ValueTask(start, mover, limit, derive_seed(options.seed, "start"))
        last = parts[index - 1]
        seed = derive_seed(options.seed, "after", last.number, last.part)
        return ValueTask(last.after, last.seat, limit, seed)

    def tasks_for(index: int) -> TurnTasks:
        part = parts[index]
        labels = (part.number, part.part)
        seed = derive_seed(options.seed, "turn", *labels)
        cards = None
        if part.draws and len(branches(part.before)) > 1:
            cards = CardsTask(part.before, limit, derive_seed(options.seed, "cards", *labels))
        return TurnTasks(
            part=part,
            before=value_before(index),
            after=value_before(index + 1),
            best=BestTurnTask(part.position, part.after, limit, seed),
            cards=cards,
        )

    return Plan(name, game, options, problem, tuple(map(tasks_for, wanted)))
