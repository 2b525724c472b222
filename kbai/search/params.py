"""How a search is made, and when it stops."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

from kbai._fast import Position
from kbai._mcts import Tree
from kbai.core.errors import SearchError

MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop searching; the first limit reached ends it."""

    visits: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.visits is None and self.seconds is None:
            raise SearchError("expected a limit of visits or seconds, got none.")
        if self.visits is not None and self.visits < 1:
            raise SearchError(f"expected at least one visit, got {self.visits}.")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise SearchError(f"expected more than 0 seconds, got {self.seconds}.")

    def part(self, share: float) -> Limit:
        """Return the limit of a search that gets this share of the visits and seconds."""
        return Limit(
            None if self.visits is None else max(1, round(self.visits * share)),
            None if self.seconds is None else self.seconds * share,
        )


def _knob(default: Any, summary: str, *, low: float = 0, high: float = math.inf,
          choices: tuple[str, ...] = ()) -> Any:  # fmt: skip
    """Return a field of `SearchParams` that tells what it is and which values it takes."""
    about = {"summary": summary, "low": low, "high": high, "choices": choices}
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True)
class SearchParams:
    """How a search is made; all defaults are here. Gold is meant where no unit is given."""

    selection: str = _knob(
        "puct",
        "Which step a visit takes: puct, plain ucb, or flat (each in turn).",
        choices=("puct", "ucb", "flat"),
    )
    playout: str = _knob(
        "informed", "How a game is played to its end.", choices=("informed", "random")
    )
    exploration: float = _knob(0.45, "How much is tried that looks worse so far.", high=100)
    fpu: float = _knob(0.1, "How much worse than its parent an untried step counts.", high=1)
    priors: bool = _knob(True, "Whether steps that gain something at once are tried first.")
    prior_temperature: float = _knob(
        2.0, "How many gold more make a step 2.7 times as likely to be tried.", low=0.01, high=1000
    )
    merge: bool = _knob(
        True, "Whether orders of the same steps, and turns to come of a seat, are one node."
    )
    horizon: int = _knob(99, "How many turns after the present one the tree covers.", high=9999)
    margin_weight: float = _knob(0.85, "The share of the margin in the utility.", high=1)
    margin_scale: float = _knob(
        15.0, "A margin of so much counts as three quarters of all.", low=0.1, high=1000
    )
    experience: float = _knob(
        20.0, "What counts in priors of the utility a step gained elsewhere in the tree.", high=1000
    )
    candidates: int = _knob(4, "Of informed playouts: pieces tried for a move.", low=1, high=64)
    tile: float = _knob(0.6, "What a location tile is worth for each turn to come.", high=1000)
    least_build: float = _knob(
        0.5, "Of informed playouts: worth of a house below which no tile is used.", high=1000
    )
    least_move: float = _knob(
        0.5, "Of informed playouts: gain of a move below which it is not made.", high=1000
    )
    memory: int = _knob(1000, "What all trees together may take, in megabytes.", low=1, high=10**6)
    fair_share: float = _knob(
        0.25, "Of the most visits: what a step needs to be chosen for its utility.", high=1
    )
    clear: float = _knob(
        2.0, "By how many standard errors its utility must then be the better one.", high=100
    )

    def __post_init__(self) -> None:
        for item in fields(self):
            value, about = getattr(self, item.name), item.metadata
            if isinstance(item.default, str):
                wanted, good = " or ".join(about["choices"]), value in about["choices"]
            else:
                low, high = about["low"], about["high"]
                wanted, good = f"{low:g} to {high:g}", low <= value <= high
            if not good:
                raise SearchError(f"expected {wanted} for {item.name}, got {value!r}.")

    def make_tree(self, position: Position, *, seed: int, threads: int) -> Tree:
        """Return the tree of one of some threads."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        for name in ("memory", "fair_share", "clear"):
            del values[name]
        # A tree needs a megabyte at least.
        memory = max(self.memory * MEGABYTE // threads, MEGABYTE)
        return Tree(position, seed=seed, memory=memory, **values)
