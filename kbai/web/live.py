"""A search that goes on for a slice at a time, so that whoever watches sees it refine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from kbai._fast import Position
from kbai.core.seeds import derive_seed
from kbai.core.uncertainty import Measured
from kbai.game.steps import is_same_turn
from kbai.search.branches import Branch, branches
from kbai.search.evaluate import GOLD_MISJUDGED, WIN_MISJUDGED, Amount, evenness
from kbai.search.params import Limit, SearchParams
from kbai.search.results import Suggestion, TurnChoice, best_turns
from kbai.search.searcher import Searcher
from kbai.search.suggest import FOLLOWING

# How many turns the list has.
TOP = 5


class LiveSearch:
    """The search of a position, or of what can follow once its card is known."""

    def __init__(
        self,
        position: Position,
        *,
        params: SearchParams,
        threads: int,
        seed: int,
        allow: Sequence[Sequence[int]] = (),
    ) -> None:
        self.position = position.copy()
        self.seed = seed
        self.threads = threads
        self._params = params
        found = [] if position.is_over else branches(position)
        # All cards together get the memory of one search.
        share = replace(params, memory=max(1, params.memory // max(len(found), 1)))
        self._parts: list[tuple[Branch, Searcher]] = []
        self._is_following = True
        for branch in found:
            searcher = Searcher(share, threads)
            searcher.look_at(branch.position, derive_seed(seed, *branch.draws))
            if allow:
                searcher.restrict(allow, ())
            self._parts.append((branch, searcher))

    @property
    def visits(self) -> int:
        """All visits so far."""
        return sum(searcher.visits for _, searcher in self._parts)

    @property
    def is_done(self) -> bool:
        """Whether more visits would change nothing, because all is proven."""
        return all(_is_proven(searcher) for _, searcher in self._parts)

    def run(self, seconds: float) -> None:
        """Search for about so long, cards that are likelier for longer.

        Every other time the best turn is looked at more closely, as `kbai.search.suggest` does it
        in the second half of a search.
        """
        self._is_following = not self._is_following
        end = time.perf_counter() + seconds
        for branch, searcher in self._parts:
            if _is_proven(searcher):
                continue
            left = end - time.perf_counter()
            share = min(seconds * branch.odds, max(left, 0.0))
            searcher.follow(FOLLOWING if self._is_following else 0.0)
            searcher.run(Limit(seconds=max(share, 0.001)))

    def suggestion(self, top: int = TOP) -> Suggestion:
        """Return what is known by now."""
        turns: tuple[TurnChoice, ...] = ()
        for branch, searcher in self._parts:
            count = 1 if branch.draws else top
            if searcher.visits:
                turns += best_turns(searcher.trees, branch, self._params, seed=self.seed, top=count)
        is_full = any(tree.is_full for _, searcher in self._parts for tree in searcher.trees)
        return Suggestion(
            self.position, turns, self.visits, self.seed, self.threads, is_full=is_full
        )


def _is_proven(searcher: Searcher) -> bool:
    return all(tree.is_proven for tree in searcher.trees)


class Comparison:
    """What a turn costs against the best one: both get the same searches, from the same seed."""

    def __init__(
        self,
        position: Position,
        steps: Sequence[int],
        *,
        params: SearchParams,
        threads: int,
        seed: int,
    ) -> None:
        self._position = position
        self._steps = tuple(steps)
        self._params, self._threads, self._seed = params, threads, seed
        self._mine = self._search_of(self._steps)
        self._best: LiveSearch | None = None
        self._best_steps: tuple[int, ...] = ()
        self.is_best = False
        """Whether the turn is the best one that the search knows."""

    def _search_of(self, turn: Sequence[int]) -> LiveSearch:
        return LiveSearch(
            self._position,
            params=self._params,
            threads=self._threads,
            seed=self._seed,
            allow=(turn,),
        )

    def run(self, best: TurnChoice, seconds: float) -> None:
        """Search the turn and the best one for about so long."""
        self.is_best = is_same_turn(self._position, best.steps, self._steps)
        self._mine.run(seconds if self.is_best else seconds / 2)
        if self.is_best:
            return
        if self._best is None or not is_same_turn(self._position, best.steps, self._best_steps):
            self._best, self._best_steps = self._search_of(best.steps), best.steps
        self._best.run(seconds / 2)

    @property
    def mine(self) -> TurnChoice | None:
        """What to expect of the turn; None before the first visit."""
        return next(iter(self._mine.suggestion(1).turns), None)

    def cost(self) -> Amount | None:
        """Return what the turn costs the one who decides; None as long as nothing is known."""
        if self.is_best:
            return Amount(Measured(0.0), Measured(0.0))
        mine = self.mine
        best = None if self._best is None else next(iter(self._best.suggestion(1).turns), None)
        if mine is None or best is None:
            return None
        seat = self._position.actor
        one, other = best.seats[seat], mine.seats[seat]
        win = Measured(one.win.value - other.win.value)
        gold = Measured(one.gold.value - other.gold.value)
        if best.is_proven and mine.is_proven:
            return Amount(win, gold)
        noise = sum(evenness(turn.seats[seat].win.value) / 4 / turn.visits for turn in (best, mine))
        even = evenness((one.win.value + other.win.value) / 2)
        return Amount(
            win + Measured(0.0, noise + WIN_MISJUDGED**2 * even),
            gold + Measured(0.0, GOLD_MISJUDGED**2),
        )
