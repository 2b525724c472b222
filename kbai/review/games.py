"""Games played on from turns that matter, so that marks rest on games.

A turn is played on if it seems to cost about as much as a mark needs, or if two looks at it
disagree. The games come in bundles; there are no more of them once it is clear whether the turn
gets a mark.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kbai._fast import Position
from kbai.compute.journal import content_id
from kbai.core.seeds import derive_seed
from kbai.game.steps import end_of
from kbai.review.judge import Judged, is_certain, judge
from kbai.review.plan import ReviewOptions, TurnTasks
from kbai.review.results import MARKS
from kbai.review.searches import place_of
from kbai.review.shapes import check_games
from kbai.rollouts.compare import RolledOut
from kbai.rollouts.games import Ending, RolloutGame, play_rollout
from kbai.rollouts.luck import FairDeals
from kbai.search.calibration import is_simple
from kbai.search.version import RULES, SIGNATURE

# Of how games are played; raise it if that changes.
FORM = 2
# Visits of a turn in these games. They need not judge a position, only tell two turns apart. With
# tiles of the expansions there is more to choose from.
VISITS = 400
MANY_VISITS = 800
# Games of each turn in one task, and the most of them in all, unless more are asked for.
BUNDLE = 8
MAX_GAMES = 64
# What the games of a turn may cost, in limits: its searches take up to 65. A large loss that still
# may be none gets more.
GAME_LIMITS = 80
MORE_LIMITS = 160
LARGE = 0.12
HOUSES_A_TURN = 3
# A turn is played on if it seems to cost this much, or if two looks at it differ by so much in
# log-odds.
NEAR = 0.04
GAP = 1.0
# What the seconds of a turn are divided by for its games, which come on top of them.
SECONDS_SHARE = 2


@dataclass(frozen=True, slots=True)
class GamesTask:
    """Games from each of some positions, with the same cards for all."""

    positions: tuple[Position, ...]
    first: int
    """The number of the first game: its cards depend on it and on the seed alone."""
    count: int
    seconds: float | None
    seed: int

    id: str = field(init=False)

    def __post_init__(self) -> None:
        places = [place_of(position) for position in self.positions]
        numbers = [self.first, self.count, self.seconds, self.seed]
        visits = _visits_for(self.positions[0])
        value = ["games", FORM, SIGNATURE, RULES, visits, places, numbers]
        object.__setattr__(self, "id", content_id(value))

    def run(self) -> dict[str, Any]:
        end = None if self.seconds is None else time.perf_counter() + self.seconds
        deals = FairDeals(self.positions[0], self.seed)
        rounds: list[list[Ending]] = []
        for number in range(self.first, self.first + self.count):
            rounds.append([_play(position, deals[number]) for position in self.positions])
            if end is not None and time.perf_counter() >= end:
                break
        return {"endings": rounds}

    def check(self, answer: Mapping[str, Any]) -> None:
        check_games(answer, self.positions, self.count)


def _play(position: Position, cards: int) -> Ending:
    visits = _visits_for(position)
    return play_rollout(RolloutGame(position, visits, cards, derive_seed(cards, "play")))


def _visits_for(position: Position) -> int:
    return VISITS if is_simple(position) else MANY_VISITS


class TurnGames:
    """What is known of a turn by its searches, and by its games as they arrive.

    It depends on the answers to the tasks of the turn alone, so that the order in which answers
    arrive changes nothing.
    """

    def __init__(
        self, turn: TurnTasks, answers: Mapping[str, Mapping[str, Any]], options: ReviewOptions
    ) -> None:
        self.turn = turn
        self.by_searches = self.found = judge(turn, answers)
        self.usual = _most_games(turn, options, GAME_LIMITS)
        self.tasks = games_tasks(self.by_searches, turn, options)
        self.next = next(self.tasks, None)
        self.bundles: list[Mapping[str, Any]] = []

    def go_on(self, answers: Mapping[str, Mapping[str, Any]]) -> GamesTask | None:
        """Take the games that have arrived; return those to be played next, if any."""
        while self.next is not None and _is_open(self.found, self.by_searches, self.usual):
            if self.next.id not in answers:
                return self.next
            self.bundles.append(answers[self.next.id])
            self.found = judge(self.turn, answers, _rolled_out(self.bundles))
            self.next = next(self.tasks, None)
        return None


def judge_with_games(
    turn: TurnTasks, answers: Mapping[str, Mapping[str, Any]], options: ReviewOptions
) -> tuple[Judged, GamesTask | None]:
    """Return what is known of a turn, and the games that should be played next, if any."""
    games = TurnGames(turn, answers, options)
    task = games.go_on(answers)
    return games.found, task


def _rolled_out(bundles: Sequence[Mapping[str, Any]]) -> tuple[RolledOut, ...]:
    rounds = [round for bundle in bundles for round in bundle["endings"]]
    numbers = tuple(range(len(rounds)))
    return tuple(RolledOut(tuple(endings), numbers) for endings in zip(*rounds, strict=True))


def games_tasks(found: Judged, turn: TurnTasks, options: ReviewOptions) -> Iterator[GamesTask]:
    """Yield all games that may be played from a turn, given what searches have found."""
    review = found.review
    is_suspicious = review.loss.win.value >= NEAR and not review.is_exact
    if not is_suspicious and found.gap < GAP:
        return
    positions: tuple[Position, ...] = (turn.part.after,)
    if not review.is_best:
        positions = (end_of(review.position, review.best.steps), *positions)
    seconds = options.limit.seconds
    games = _most_games(turn, options, MORE_LIMITS)
    bundle = BUNDLE if seconds is None else max(games, 1)
    labels = ("games", review.number, review.part)
    for first in range(0, games, bundle):
        yield GamesTask(
            positions,
            first,
            min(bundle, games - first),
            None if seconds is None else seconds / SECONDS_SHARE,
            derive_seed(options.seed, *labels),
        )


def _most_games(turn: TurnTasks, options: ReviewOptions, limits: int) -> int:
    """Return how many games of a turn cost no more than so many limits."""
    if options.games is not None:
        return options.games
    if options.limit.visits is None:
        return MAX_GAMES
    visits = 2 * _visits_for(turn.part.after) * _turns_left(turn.part.after)
    found = min(limits * options.limit.visits // visits, MAX_GAMES)
    # A few games tell nothing.
    return found if found >= BUNDLE else 0


def _turns_left(position: Position) -> int:
    """Return about how many turns there are to come."""
    least = min(seat["supply"] for seat in position.fields()["seats"])
    return position.board.seats * (-(-least // HOUSES_A_TURN) + 1)


def _is_open(found: Judged, by_searches: Judged, usual: int) -> bool:
    """Return whether more games are worth it; ``usual`` is how many a turn gets."""
    loss = found.review.loss.win
    if not found.review.games:
        return True
    if found.review.games >= usual:
        return loss.value >= LARGE and not is_certain(loss)
    if by_searches.review.loss.win.value < NEAR:  # two looks disagree, and games settle it
        return found.review.games < 2 * BUNDLE
    least = MARKS[-1][1]
    return loss.low <= least <= loss.high or (loss.value >= least and not is_certain(loss))
