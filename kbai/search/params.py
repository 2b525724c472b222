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
    """Return a field of `SearchParams` with its summary and the values that it takes."""
    about = {"summary": summary, "low": low, "high": high, "choices": choices}
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True)
class SearchParams:
    """The options of a search and their defaults. Values are in gold unless they say otherwise."""

    selection: str = _knob(
        "puct",
        "How to select a step: puct, ucb, or flat (in turn).",
        choices=("puct", "ucb", "flat"),
    )
    playout: str = _knob(
        "informed", "How playouts choose steps: informed or random.", choices=("informed", "random")
    )
    exploration: float = _knob(0.45, "How often to try steps that look worse so far.", high=100)
    fpu: float = _knob(0.1, "How far to rate an untried step below its parent.", high=1)
    priors: bool = _knob(True, "Whether to try steps with an immediate gain first.")
    prior_temperature: float = _knob(
        2.0, "Extra gold that makes a step 2.7 times as likely.", low=0.01, high=1000
    )
    merge: bool = _knob(
        True,
        "Whether to share a node between orders of the same steps, and later whatever the "
        "opponents do.",
    )
    horizon: int = _knob(99, "How many turns to look ahead in the tree.", high=9999)
    margin_weight: float = _knob(0.85, "How much the margin counts; the rest is winning.", high=1)
    margin_scale: float = _knob(
        15.0, "Margin that counts as three quarters of the maximum.", low=0.1, high=1000
    )
    experience: float = _knob(
        20.0, "Weight of what a step gained elsewhere in the tree.", high=1000
    )
    candidates: int = _knob(4, "Informed playouts: pieces to consider for a move.", low=1, high=64)
    tile: float = _knob(0.6, "Value of a location tile for each turn left.", high=1000)
    least_build: float = _knob(
        0.5, "Informed playouts: build with a tile only if the house is worth this.", high=1000
    )
    least_move: float = _knob(0.5, "Informed playouts: move only if it gains this.", high=1000)
    model: str = _knob(
        "none",
        "What was learned from games: learned, where kbai has it, or none.",
        choices=("none", "learned"),
    )
    cut: int = _knob(
        5, "With a model: turns of a playout before it guesses the gold.", low=1, high=9999
    )
    memory: int = _knob(1000, "Memory limit of all trees together, in MB.", low=1, high=10**6)
    fair_share: float = _knob(
        0.25, "Share of the most visits that a step needs to be chosen for its utility.", high=1
    )
    clear: float = _knob(2.0, "Standard errors by which that utility must be better.", high=100)

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
        """Return the tree of one thread, with its share of the memory."""
        values = {name: getattr(self, name) for name in _TREE_FIELDS}
        if self.model != "none":
            values |= _learned(position)
        # A tree needs at least a megabyte.
        memory = max(self.memory * MEGABYTE // threads, MEGABYTE)
        return Tree(position, seed=seed, memory=memory, **values)


def _learned(position: Position) -> dict[str, Any]:
    """Return what a tree takes from the model for games like this one, if there is any."""
    from kbai.model.weights import model_for

    model = model_for(position.board)
    if model is None:
        return {}
    return {"prior": model.prior, "value": model.value, "spread": model.spread}


# What a tree needs to know.
_OTHERS = ("memory", "fair_share", "clear", "model")
_TREE_FIELDS = tuple(item.name for item in fields(SearchParams) if item.name not in _OTHERS)
