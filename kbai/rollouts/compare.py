"""Turns compared by games: the same cards for all of them, and more games for those in doubt.

Games come in rounds. A round plays each turn that is still in doubt once, all with the same cards,
so that what one of them gains by luck the others gain as well. A turn that is clearly worse than
the best one gets no more games.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from kbai._fast import Position
from kbai.compute.pools import PoolFactory
from kbai.compute.run import Done, Outcome, run
from kbai.core.errors import ParallelError
from kbai.core.points import margins_of, points_of
from kbai.core.seeds import derive_seed
from kbai.core.uncertainty import Measured, mean_of
from kbai.rollouts.games import Ending, RolloutGame, play_rollout, visits_for
from kbai.rollouts.luck import FairDeals

# Games of each turn before any is dropped, and by how many standard errors it must be worse then.
LEAST_GAMES = 8
# How many rounds may be under way before it is known who is dropped.
AHEAD = 3
CLEARLY = 2.5
# What a point of win probability counts in gold where turns are compared: a game that is lost by
# one gold and one that is won by one differ by more than two gold.
GOLD_OF_A_WIN = 20.0


@dataclass(frozen=True, slots=True)
class RolledOut:
    """What the games of one turn say, the luck of their cards in common with the other turns."""

    endings: tuple[Ending, ...]
    rounds: tuple[int, ...]
    """The round of each game: games of one round had the same cards."""

    @property
    def games(self) -> int:
        return len(self.endings)

    def golds(self, seat: int) -> list[float]:
        """Return a seat's gold at the end of each game."""
        return [sum(ending[seat]) for ending in self.endings]

    def margins(self, seat: int) -> list[float]:
        """Return by how much a seat was ahead of the best other one in each game."""
        return [margins_of(totals(ending))[seat] for ending in self.endings]

    def wins(self, seat: int) -> float:
        """Return how many games a seat won; a tie counts as a share."""
        return math.fsum(points_of(totals(ending))[seat] for ending in self.endings)

    def lead(self, other: RolledOut, seat: int) -> Measured:
        """Return by how much a seat's margin is better than with another turn on the same cards."""
        return mean_of(self.leads(other, seat))

    def leads(self, other: RolledOut, seat: int) -> list[float]:
        """Return the same for each pair of games."""
        margins = {
            number: margins_of(totals(ending))[seat]
            for number, ending in zip(other.rounds, other.endings, strict=True)
        }
        pairs = zip(self.rounds, self.endings, strict=True)
        return [
            margins_of(totals(ending))[seat] - margins[number]
            for number, ending in pairs
            if number in margins
        ]

    def sources(self, seat: int) -> tuple[float, ...]:
        """Return a seat's gold by source."""
        columns = zip(*(ending[seat] for ending in self.endings), strict=True)
        return tuple(map(fmean, columns))

    def worth(self, seat: int) -> list[float]:
        """Return what each game was worth to a seat, to compare turns by."""
        return [
            margins_of(totals(ending))[seat] + GOLD_OF_A_WIN * points_of(totals(ending))[seat]
            for ending in self.endings
        ]


def totals(ending: Ending) -> tuple[int, ...]:
    """Return the gold of every seat."""
    return tuple(sum(gold) for gold in ending)


@dataclass(frozen=True, slots=True)
class _Task:
    """A game of a turn in a round."""

    turn: int
    round: int
    game: RolloutGame

    @property
    def id(self) -> str:
        return f"{self.game.seed:016x}"


def roll_out(
    positions: Sequence[Position],
    seat: int,
    *,
    games: int | None,
    seconds: float | None = None,
    seed: int,
    workers: PoolFactory | None = None,
    visits: int | None = None,
    on_game: Callable[[int], None] = lambda games: None,
) -> tuple[RolledOut, ...]:
    """Play on from where each of some turns of a seat leads.

    The best turn gets ``games`` games, those that are clearly worse get fewer; or all goes on for
    so many seconds. Without a limit of seconds the same seed gives the same games on any number
    of workers; without workers they are played here, one after the other. ``on_game`` is told how
    many games are finished. Ctrl-C gives what is known by then.
    """
    race = _Race(positions, seat, games, visits or visits_for(positions[0]), seed)
    clock = _Clock(seconds)
    finished = 0

    def take(task: _Task, ending: Ending) -> None:
        nonlocal finished
        clock.learn(task.id)
        race.take(task.turn, task.round, ending)
        finished += 1
        on_game(finished)

    def deliver(outcome: Outcome[_Task, Ending]) -> None:
        if not isinstance(outcome, Done):
            raise ParallelError(f"a game could not be played on: {outcome.message}.")
        take(outcome.task, outcome.value)

    tasks = race.tasks(clock)
    try:
        if workers is None:
            for task in filter(None, tasks):
                take(task, _play(task))
        else:
            run(_play, tasks, workers, deliver)
    except KeyboardInterrupt:
        pass
    return race.results()


def _play(task: _Task) -> Ending:
    return play_rollout(task.game)


class _Clock:
    """Tells whether a game that begins now would be finished too late."""

    def __init__(self, seconds: float | None) -> None:
        self.deadline = math.inf if seconds is None else time.perf_counter() + seconds
        self.longest = 0.0
        self.begun: dict[str, float] = {}

    def begin(self, id: str) -> None:
        """Note that a game is handed out."""
        self.begun[id] = time.perf_counter()

    def learn(self, id: str) -> None:
        """Note how long a game took, the time it waited for a worker included."""
        self.longest = max(self.longest, time.perf_counter() - self.begun.pop(id))

    def is_late(self) -> bool:
        return time.perf_counter() + self.longest >= self.deadline


class _Race:
    """Which game comes next, and what the games say so far.

    Who plays a round is decided by all rounds but the last few before it. So that does not depend
    on which of the games under way is finished first, and no worker has to wait.
    """

    def __init__(
        self, positions: Sequence[Position], seat: int, games: int | None, visits: int, seed: int
    ) -> None:
        self.positions = positions
        self.seat = seat
        self.games = games
        self.visits = visits
        self.deals = FairDeals(positions[0], seed)
        self.endings: list[dict[int, Ending]] = [{} for _ in positions]
        self.rounds: list[tuple[int, ...]] = []  # the turns that each round plays
        self.left = [tuple(range(len(positions)))]  # in doubt before any round, after one, ...
        self.queue: list[int] = []  # of the last round

    def tasks(self, clock: _Clock) -> Iterator[_Task | None]:
        """Yield the games to be played, and None while none can be chosen yet."""
        while not clock.is_late():
            if not self.queue:
                number = len(self.rounds)
                known = max(0, number - AHEAD)
                if number == self.games:
                    return
                if known >= len(self.left):
                    yield None
                    continue
                self.rounds.append(self.left[known])
                self.queue = list(self.left[known])
            number = len(self.rounds) - 1
            turn = self.queue.pop(0)
            cards = self.deals[number]
            game = RolloutGame(self.positions[turn], self.visits, cards, derive_seed(cards, turn))
            task = _Task(turn, number, game)
            clock.begin(task.id)
            yield task

    def take(self, turn: int, number: int, ending: Ending) -> None:
        """Note how a game ended."""
        self.endings[turn][number] = ending
        while (judged := len(self.left) - 1) < len(self.rounds):
            if any(judged not in self.endings[each] for each in self.rounds[judged]):
                return
            self.left.append(self._in_doubt(judged + 1))

    def _in_doubt(self, rounds: int) -> tuple[int, ...]:
        """Return the turns that are not clearly worse than another after some rounds."""
        turns = self.left[-1]
        if rounds < LEAST_GAMES or len(turns) == 1:
            return turns
        worth = {turn: self._result(turn, rounds).worth(self.seat) for turn in turns}
        best = max(turns, key=lambda turn: fmean(worth[turn]))

        def is_worse(turn: int) -> bool:
            gap = mean_of([a - b for a, b in zip(worth[best], worth[turn], strict=False)])
            return gap.value > CLEARLY * math.sqrt(gap.variance)

        return tuple(turn for turn in turns if turn == best or not is_worse(turn))

    def _result(self, turn: int, rounds: int | None = None) -> RolledOut:
        games = sorted(self.endings[turn].items())
        counted = [(number, end) for number, end in games if rounds is None or number < rounds]
        return RolledOut(tuple(end for _, end in counted), tuple(number for number, _ in counted))

    def results(self) -> tuple[RolledOut, ...]:
        """Return what is known of each turn."""
        return tuple(self._result(turn) for turn in range(len(self.positions)))
