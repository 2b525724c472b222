"""Hints: what kbai would play now."""

from __future__ import annotations

from kbai.core.seeds import derive_seed
from kbai.play.live import LiveGame
from kbai.search.params import Limit
from kbai.search.results import Suggestion
from kbai.search.suggest import suggest


def hint(live: LiveGame, limit: Limit, *, threads: int = 1, top: int = 5) -> Suggestion:
    """Search the position as it is now: the rest of a turn if some of it is done."""
    seed = derive_seed(live.seed, "hint", live.number, len(live.typed))
    return suggest(live.position(), limit, seed=seed, threads=threads, top=top)
