"""Bots that search: a turn has a budget, which its steps share."""

from __future__ import annotations

import math
import random
import time

from kbai.bots.protocol import Bot, View
from kbai.bots.sight import Sight
from kbai.game.steps import END
from kbai.game.turns import TurnMark
from kbai.search.params import Limit, SearchParams
from kbai.search.searcher import Searcher

# The shortest search that is possible.
MIN_SECONDS = 1e-3


class Budget:
    """What is left of the visits and seconds of a turn."""

    def __init__(self, limit: Limit, share: float) -> None:
        self.visits = limit.visits
        self.seconds = limit.seconds
        self.share = share

    def next_limit(self) -> Limit:
        """Return the limit of the next step; what it does not use is left for later steps."""
        visits = seconds = None
        if self.visits is not None:
            visits = max(1, math.ceil(self.visits * self.share))
        if self.seconds is not None:
            seconds = max(MIN_SECONDS, self.seconds * self.share)
        return Limit(visits, seconds)

    def spend(self, visits: int, seconds: float) -> None:
        """Subtract what a step used."""
        if self.visits is not None:
            self.visits = max(0, self.visits - visits)
        if self.seconds is not None:
            self.seconds = max(0.0, self.seconds - seconds)


class SearchBot(Bot):
    """Searches before every step that is a choice, and keeps its tree from step to step."""

    def __init__(
        self,
        params: SearchParams,
        limit: Limit,
        *,
        threads: int = 1,
        share: float = 0.5,
        reuse: bool = True,
        sight: Sight = Sight(),  # noqa: B008  (a frozen value)
    ) -> None:
        self.params = params
        self.limit = limit
        self.share = share
        self.reuse = reuse
        self.sight = sight
        self.searcher = Searcher(params, threads)
        self.begin()

    def begin(self) -> None:
        self.searcher.forget()
        self.last: tuple[int, TurnMark] | None = None
        self.budget = Budget(self.limit, self.share)

    def choose(self, view: View) -> int:
        # Whoever asks may make forced steps without asking, the end of a turn among them.
        mark = TurnMark.of(view.position)
        if self.last is None or self.last[0] != view.seat or not self.last[1].is_same_turn(mark):
            self.budget = Budget(self.limit, self.share)
        self.last = (view.seat, mark)
        legal = view.position.legal()
        legal = self.sight.known(legal) or legal
        step = legal[0] if len(legal) == 1 else self.search(view, legal)
        if step == END:
            self.last = None
        return step

    def search(self, view: View, legal: list[int]) -> int:
        """Return the best step that the budget of this step finds."""
        before = time.perf_counter()
        if not self.reuse:
            self.searcher.forget()
        self.searcher.look_at(self.sight.seen(view.position), view.seed)
        visits = self.searcher.run(self.budget.next_limit())
        self.budget.spend(visits, time.perf_counter() - before)
        step = self.searcher.best_step(legal if self.sight.is_partial else None)
        # With very few visits the tree may have no step yet.
        return random.Random(view.seed).choice(legal) if step is None else step

    def close(self) -> None:
        self.searcher.forget()
