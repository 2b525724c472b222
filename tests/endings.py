"""Last turns of games, solved by trying everything; equal states are looked at once.

For the tests, which take small ones, and for `scripts/endings.py`.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from positions import SETS, random_setup

from kbai._fast import Phase, Position
from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bots.specs import make_bot
from kbai.core.points import margins_of, points_of
from kbai.game.steps import advance, next_steps
from kbai.search.params import Limit, SearchParams
from kbai.search.suggest import suggest

# Seeds of games whose last turn has some thousand states at most: what a test can afford.
SMALL = (
    1, 2, 3, 4, 25, 35, 37, 39, 43, 59, 60, 73, 76, 78, 79, 85, 89, 91, 93, 95, 99, 101, 103,
    114, 127, 142, 148, 149, 150, 151, 161, 168, 172, 181, 185, 187, 199, 202, 203, 217, 219,
    221, 222, 226, 236, 239, 241, 253, 275, 283,
)  # fmt: skip


class TooLarge(Exception):
    """There are more states than were to be looked at."""


class Ending(NamedTuple):
    """A position in which the mover has the last turn, and its solution."""

    name: str
    position: Position
    values: dict[Position, tuple[float, ...]]
    """By state that can be reached: the utility of each seat, then the margin of each."""

    def utility(self, position: Position) -> float:
        """Return what a position is worth for the mover of the last turn."""
        return self.values[position][self.position.mover]

    def margin(self, position: Position) -> float:
        """Return the margin of the mover, in gold, that a position leads to."""
        return self.values[position][len(self.position.scores()) + self.position.mover]


def last_turn(start: Position, steps: tuple[int, ...]) -> Position | None:
    """Return the beginning of the last turn of a game, its card turned up; None: it has none.

    Whoever has the last turn does not know it if the game ends by his own last house.
    """
    current = start.copy()
    for step in steps:
        fields = current.fields()
        is_last = fields["mover"] == (fields["start"] - 1) % len(fields["seats"])
        if fields["final"] and is_last and current.phase == Phase.PRE and not current.pending_draw:
            return current
        advance(current, step)
    return None


def play_game(seed: int) -> tuple[Position, tuple[int, ...]]:
    """Return a start position and a game from it: greedy plays those with even seeds."""
    setup = random_setup(seed, seats=2 + seed % 3, sets=SETS[seed // 2 % len(SETS)])
    start = setup.start_position()
    if seed % 2:
        return start, tuple(start.copy().playout_steps(seed))
    bot = make_bot("greedy")
    return start, play(start, Deal(start, seed), lambda view: bot.choose(view), seed=seed).steps


def solve(position: Position, max_states: int, params: SearchParams) -> dict[Position, tuple]:
    """Return the values of all states that can follow: the best for whoever decides, the mean
    over the cards that can be turned up."""
    values: dict[Position, tuple[float, ...]] = {}
    stack = [position]
    n_seen = 1
    waiting: dict[Position, list[Position]] = {}
    while stack:
        current = stack[-1]
        if current in values:
            stack.pop()
        elif current in waiting:
            values[current] = _value(current, [values[child] for child in waiting.pop(current)])
            stack.pop()
        elif current.is_over:
            values[current] = final_value(current, params)
            stack.pop()
        else:
            children = []
            for step in next_steps(current):
                child = current.copy()
                advance(child, step)
                children.append(child)
            waiting[current] = children
            new = [child for child in children if child not in values]
            n_seen += 1
            if n_seen > max_states:
                raise TooLarge
            stack += new
    return values


def _value(position: Position, children: list[tuple[float, ...]]) -> tuple[float, ...]:
    if position.pending_draw:
        odds = [count for count in position.draws() if count]
        return tuple(
            sum(count * value for count, value in zip(odds, column, strict=True)) / sum(odds)
            for column in zip(*children, strict=True)
        )
    return max(children, key=lambda value: value[position.actor])


def final_value(position: Position, params: SearchParams) -> tuple[float, ...]:
    """Return utilities and margins of the end of a game."""
    golds = position.scores()
    margins = margins_of(golds)
    weight, scale = params.margin_weight, params.margin_scale
    utilities = [
        (1 - weight) * points + weight / (1 + math.exp(-margin / scale))
        for points, margin in zip(points_of(golds), margins, strict=True)
    ]
    return (*utilities, *map(float, margins))


def loss(ending: Ending, limit: Limit, params: SearchParams, seed: int = 1) -> float:
    """Return by how much the margin after the suggested turn is worse than after a best one.

    A turn that was not searched to its end is worth what it can still become.
    """
    best = suggest(ending.position, limit, seed=seed, params=params).turns[0]
    reached = ending.position.copy()
    for step in best.steps:
        advance(reached, step)
    if ending.utility(reached) > ending.utility(ending.position) - 1e-9:
        return 0.0
    return max(ending.margin(ending.position) - ending.margin(reached), 1e-9)


def solved(seed: int, params: SearchParams) -> Ending:
    """Return the ending of the game of a seed that is known to have a small one."""
    found = last_turn(*play_game(seed))
    assert found is not None
    return Ending(f"game {seed}", found, solve(found, 10**6, params))


def endings(count: int, max_states: int, params: SearchParams, first: int = 0) -> Iterator[Ending]:
    """Iterate over endings from the games of the seeds from ``first`` on, small enough ones."""
    seed = first
    while count:
        found = last_turn(*play_game(seed))
        if found is not None and len(found.legal()) > 1:
            try:
                values = solve(found, max_states, params)
            except TooLarge:
                pass
            else:
                yield Ending(f"game {seed}", found, values)
                count -= 1
        seed += 1
