"""The speed of playouts, scoring and search at the first turn, by sets and seats."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kbai import content
from kbai._fast import Position, Step, count_gold
from kbai.core.seeds import derive_seed
from kbai.game.setup import Setup
from kbai.game.steps import is_draw, unpack_step
from kbai.search.params import Limit, SearchParams
from kbai.search.searcher import Searcher

if TYPE_CHECKING:
    from kbai._fast import Policy

# Set-ups per profile: boards and cards differ in cost.
SETUPS = 8
# Random games per set-up whose placements are counted and whose endings are scored. With a single
# ending the processor would learn its branches, and scoring would seem twice as fast.
ENDINGS = 8
PLAYOUTS = 5  # random playouts for each visit: they take about as long
SCORINGS = 400  # endings scored for each visit


@dataclass(frozen=True, slots=True)
class Profile:
    """Which games are played."""

    name: str
    sets: tuple[str, ...]
    seats: int


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """The measurements of one profile, in CPU seconds."""

    name: str
    playouts: int
    playout_seconds: float
    placements: float
    """The mean number in a random playout."""
    scorings: int
    """How often the gold of one seat was counted at the end of a game."""
    scoring_seconds: float
    visits: int
    visit_seconds: float

    @property
    def playouts_per_second(self) -> float:
        """Random games from the first turn to the gold of all seats."""
        return self.playouts / self.playout_seconds

    @property
    def ns_per_placement(self) -> float:
        """The time of a random playout divided by its placements."""
        return 1e9 * self.playout_seconds / self.playouts / self.placements

    @property
    def ns_per_scoring(self) -> float:
        """The time to count all gold of one seat at the end of a game."""
        return 1e9 * self.scoring_seconds / self.scorings

    @property
    def visits_per_second(self) -> float:
        """Visits of small trees at the first turn."""
        return self.visits / self.visit_seconds


def list_profiles() -> tuple[Profile, ...]:
    """Return a profile for each set with the base game, and some with more sets or seats."""
    every = content.load().sets
    small = ("capitol", "caves", "island")
    pairs = [("base", name) for name in every if name not in ("base", *small)]
    return (
        Profile("base, 2 seats", ("base",), 2),
        Profile("base, 4 seats", ("base",), 4),
        *(Profile(f"{' and '.join(sets)}, 2 seats", sets, 2) for sets in pairs),
        Profile("base, capitol, caves and island, 2 seats", ("base", *small), 2),
        Profile("all sets, 2 seats", tuple(every), 2),
        Profile("all sets, 4 seats", tuple(every), 4),
    )


def measure_profiles(
    profiles: Sequence[Profile],
    visits: int,
    params: SearchParams = SearchParams(),  # noqa: B008  (a frozen value)
    on_row: Callable[[ProfileRow], None] = lambda row: None,
) -> tuple[ProfileRow, ...]:
    """Measure each profile in one thread, with about this many visits."""
    rows = []
    for profile in profiles:
        rows.append(_measure(profile, max(1, visits // SETUPS), params))
        on_row(rows[-1])
    return tuple(rows)


def count_placements(starts: Sequence[Position], games: int, policy: Policy | None = None) -> float:
    """Return the placements of a playout, the mean over some games of each start.

    A placement is a house, a figure or a piece put down after a move.
    """
    total = 0
    for start in starts:
        for seed in range(games):
            steps = start.copy().playout_steps(seed, policy)
            total += sum(map(_is_placement, steps))
    return total / len(starts) / games


def _is_placement(step: int) -> bool:
    return not is_draw(step) and unpack_step(step)[0] in (Step.BUILD, Step.PUT)


def _measure(profile: Profile, visits: int, params: SearchParams) -> ProfileRow:
    """Measure with this many visits for each set-up."""
    setups = [Setup.random(seed, seats=profile.seats, sets=profile.sets) for seed in range(SETUPS)]
    starts = [setup.start_position() for setup in setups]
    endings = [_ending(start, seed) for start in starts for seed in range(ENDINGS)]
    searchers = [_searcher(start, number, params) for number, start in enumerate(starts)]
    rounds = max(1, visits * SCORINGS // len(endings))

    def play() -> None:
        for seed, start in enumerate(starts):
            start.playouts(PLAYOUTS * visits, seed)

    def score() -> None:
        count_gold(endings, rounds)

    def search() -> None:
        for searcher in searchers:
            searcher.run(Limit(visits))

    return ProfileRow(
        name=profile.name,
        playouts=PLAYOUTS * visits * SETUPS,
        playout_seconds=cpu_seconds(play),
        placements=count_placements(starts, ENDINGS),
        scorings=rounds * len(endings) * profile.seats,
        scoring_seconds=cpu_seconds(score),
        visits=visits * SETUPS,
        visit_seconds=cpu_seconds(search),
    )


def cpu_seconds(job: Callable[[], object]) -> float:
    """Return the CPU time of a job, which depends little on what else the machine does."""
    before = time.thread_time()
    job()
    return time.thread_time() - before


def _ending(start: Position, seed: int) -> Position:
    position = start.copy()
    position.playout(seed)
    return position


def _searcher(start: Position, number: int, params: SearchParams) -> Searcher:
    searcher = Searcher(params)
    searcher.look_at(start, derive_seed(number, "profile"))
    return searcher
