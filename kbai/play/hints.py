"""Hints: what kbai would play now."""

from __future__ import annotations

from kbai.core.seeds import derive_seed
from kbai.play.live import LiveGame
from kbai.rollouts.suggest import suggest_with_games
from kbai.search.params import Limit, SearchParams
from kbai.search.results import Suggestion
from kbai.search.suggest import suggest


def hint(live: LiveGame, limit: Limit, *, threads: int = 1, top: int = 5) -> Suggestion:
    """Search the position as it is now: the rest of a turn if some of it is done.

    As with `kbai suggest`, the best turns are also played on if the limit is a time.
    """
    seed = derive_seed(live.seed, "hint", live.number, len(live.typed))
    position = live.position()
    if limit.visits is not None:
        return suggest(position, limit, seed=seed, threads=threads, top=top)
    return suggest_with_games(
        position, limit, games=None, seed=seed, threads=threads, params=SearchParams(), top=top
    )
