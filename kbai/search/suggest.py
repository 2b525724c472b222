"""What to play: search a position and return its best turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from kbai._fast import Position
from kbai.core.errors import SearchError
from kbai.core.seeds import derive_seed
from kbai.search.branches import branches
from kbai.search.ideas import SEEN, group
from kbai.search.params import Limit, SearchParams
from kbai.search.results import Suggestion, add_ownership, ranked_turns
from kbai.search.searcher import Searcher

# The first part of a search explores; in the rest, this share of the visits first makes some steps
# of the best turn known, so that the last steps of long turns are not left to chance.
FREE_PART = 0.5
FOLLOWING = 0.8


def suggest(
    position: Position,
    limit: Limit,
    *,
    seed: int,
    threads: int = 1,
    params: SearchParams = SearchParams(),  # noqa: B008  (a frozen value)
    top: int = 10,
    allow: Sequence[Sequence[int]] = (),
    avoid: Sequence[Sequence[int]] = (),
    with_ownership: bool = False,
    on_progress: Callable[[int], None] = lambda visits: None,
) -> Suggestion:
    """Search a position and return its best turns, at most ``top`` different ideas.

    With ``allow``, only turns that begin with some of its steps are searched. Turns of ``avoid``
    are never searched, in any order of their steps. Both need a position whose card is known.

    The same position, limit of visits, seed and number of threads give the same answer. After
    Ctrl-C you get what is known by then. ``on_progress`` gets the visits made so far.
    """
    if position.pending_draw and (allow or avoid):
        raise SearchError("expected a position with a known card for turns to allow or avoid.")
    answer = Suggestion(position.copy(), (), 0, seed, threads)
    for branch in [] if position.is_over else branches(position):
        searcher = Searcher(params, threads)
        searcher.look_at(branch.position, derive_seed(seed, *branch.draws))
        if allow or avoid:
            searcher.restrict(allow, avoid)
        if with_ownership:
            for tree in searcher.trees:
                tree.count_holders()
        is_interrupted = False

        def tell(visits: int, before: int = answer.visits) -> None:
            on_progress(before + visits)

        try:
            _look_twice(searcher, limit.part(branch.odds), tell)
        except KeyboardInterrupt:
            if not searcher.visits + answer.visits:  # there is nothing to answer with
                raise
            is_interrupted = True
        count = 1 if branch.draws else top
        found = ranked_turns(searcher.trees, branch, params, seed=seed)
        if searcher.visits < SEEN:  # no two turns are one idea: the others need not be looked at
            found = islice(found, count)
        turns = group(position, found, count)
        answer = replace(
            answer,
            turns=answer.turns + turns,
            visits=answer.visits + searcher.visits,
            is_interrupted=is_interrupted,
            is_full=answer.is_full or any(tree.is_full for tree in searcher.trees),
            ownership=add_ownership(answer.ownership, searcher.trees, branch.odds),
        )
        if is_interrupted:
            break
    return answer


def _look_twice(searcher: Searcher, limit: Limit, tell: Callable[[int], None]) -> None:
    """Search freely, then look more closely at the best turn found."""
    done = searcher.run(limit.part(FREE_PART), tell)
    rest = limit.part(1 - FREE_PART)
    if limit.visits is not None:
        if done >= limit.visits:
            return
        rest = replace(rest, visits=limit.visits - done)
    searcher.follow(FOLLOWING)
    searcher.run(rest, lambda visits: tell(done + visits))
