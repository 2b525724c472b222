"""The names of the features that the kernel computes, in its order.

A feature of a step says what the step does: which card pays for the hex, which tile it gains. A
feature of a seat says what it has between two turns. Weights are kept by name, so that a model
stays readable when the kernel learns another feature.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from kbai._fast import (
    N_SEAT_FEATURES,
    N_STEP_FEATURES,
    SEAT_FEATURES,
    STEP_FEATURES,
    Action,
    Filter,
    Score,
    Step,
)

# Members of a group, by how many there are; other groups are numbered.
_LABELS = {
    len(names): tuple(name.lower() for name in names)
    for names in (
        tuple(Step.__members__),
        tuple(Score.__members__),
        # By filter if a tile builds or moves, else by what it does.
        (*Filter.__members__, *(f"action_{name}" for name in Action.__members__)),
    )
}


@cache
def step_features() -> tuple[str, ...]:
    """Return the names of the features of a step.

    >>> [name for name in step_features() if "merchants" in name][:2]
    ['pays:merchants', 'opens:merchants']
    """
    return _names(STEP_FEATURES, N_STEP_FEATURES)


@cache
def seat_features() -> tuple[str, ...]:
    """Return the names of the features of a seat."""
    return _names(SEAT_FEATURES, N_SEAT_FEATURES)


def _names(groups: Mapping[str, int], count: int) -> tuple[str, ...]:
    begins = [*groups.values(), count]
    found: list[str] = []
    for name, begin, end in zip(groups, begins, begins[1:], strict=False):
        size = end - begin
        labels = _LABELS.get(size) or tuple(map(str, range(size)))
        found += [name] if size == 1 else [f"{name}:{label}" for label in labels]
    return tuple(found)
