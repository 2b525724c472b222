"""The learned weights that come with kbai, and for which games they were learned."""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from kbai._fast import N_HIDDEN_UNITS, Board, Score
from kbai.core.errors import SearchError
from kbai.core.hashes import blake2b
from kbai.model.features import seat_features, step_features

FORMAT = 1
FILE = "model.json"
# What a step's feature has a weight for, and a seat's: a constant, and powers of the houses left.
PRIOR_POWERS = 2
VALUE_POWERS = 3


@dataclass(frozen=True, slots=True)
class Model:
    """What was learned of one kind of games, as the kernel takes it."""

    seats: int
    cards: frozenset[str]
    """The scoring cards that were in play."""
    prior: array[float]
    value: array[float]
    spread: tuple[float, float]
    """The standard deviation of a margin that is guessed: at the end, and with all houses left."""

    def knows(self, board: Board) -> bool:
        """Tell whether it was learned from games like those on a board."""
        cards = {Score(rule).name.lower() for rule in board.cards}
        return board.seats == self.seats and board.is_simple and cards <= self.cards


def model_for(board: Board) -> Model | None:
    """Return what was learned of games like those on a board; None if nothing was."""
    return next((model for model in shipped() if model.knows(board)), None)


@cache
def shipped() -> tuple[Model, ...]:
    """Return the models that come with kbai."""
    try:
        text = (resources.files("kbai") / "data" / FILE).read_text("utf-8")
    except OSError as error:
        raise SearchError(f"expected the learned weights in {FILE}, got none: {error}.") from error
    return parse(text)


def parse(text: str) -> tuple[Model, ...]:
    """Read the text of a file with models."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise SearchError(f"expected format {FORMAT} of {FILE}, got {data['format']!r:.20}.")
        if data["hash"] != hash_of(data["models"]):
            raise SearchError(f"{FILE} is damaged: its hash is not that of its weights.")
        return tuple(_model(each) for each in data["models"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, SearchError):
            raise
        raise SearchError(f"{FILE} is damaged: {type(error).__name__}: {error!s:.60}.") from error


def hash_of(models: Any) -> str:
    """Return the hash of what a file has below ``models``."""
    return blake2b(json.dumps(models, sort_keys=True).encode(), digest_size=16).hexdigest()


def _model(data: Mapping[str, Any]) -> Model:
    low, high = data["spread"]
    value = _table(data["linear"], seat_features(), VALUE_POWERS)
    hidden = data["hidden"]
    names = (*seat_features(), "bias", "left", "left_squared", "out")
    # The kernel wants the hidden units of a feature side by side, the powers one after the other.
    value += array("f", [x for name in names for x in _row(hidden, name, N_HIDDEN_UNITS)])
    prior = _table(data["prior"], step_features(), PRIOR_POWERS)
    cards = frozenset(data["cards"])
    return Model(int(data["seats"]), cards, prior, value, (float(low), float(high)))


def _table(rows: Mapping[str, list[float]], names: tuple[str, ...], powers: int) -> array[float]:
    unknown = sorted({*rows} - {*names})
    if unknown:
        raise SearchError(f"{FILE} has weights for the unknown feature {unknown[0]!r:.40}.")
    columns = zip(*(_row(rows, name, powers) for name in names), strict=True)
    return array("f", [x for column in columns for x in column])


def _row(rows: Mapping[str, list[float]], name: str, size: int) -> list[float]:
    row = rows.get(name, [0.0] * size)
    if len(row) != size:
        raise SearchError(f"expected {size} weights of {name!r} in {FILE}, got {len(row)}.")
    return row
