"""Which step or turn is the best, by what the trees of a search know of each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from kbai._mcts import Tree
from kbai.search.params import SearchParams


class Candidate(Protocol):
    """What one chooses between, from the view of the one who chooses."""

    @property
    def visits(self) -> int: ...
    @property
    def utility(self) -> float: ...
    @property
    def is_proven(self) -> bool: ...
    @property
    def sure(self) -> float: ...


C = TypeVar("C", bound=Candidate)


def ranked(candidates: Iterable[C], params: SearchParams, top: int) -> list[C]:
    """Return the best candidates, best first; of equal ones that which came first."""
    left = list(candidates)
    chosen: list[C] = []
    while left and len(chosen) < top:
        chosen.append(best_of(left, params))
        left.remove(chosen[-1])
    return chosen


def best_of(candidates: Sequence[C], params: SearchParams) -> C:
    """Return the candidate with the most visits, or another one if it is clearly better.

    What is proven gets no more visits, and does not need them; what is sure needs none, either.
    """
    others = [candidate for candidate in candidates if not candidate.is_proven]
    if not others:
        return max(candidates, key=lambda candidate: candidate.sure)
    favourite = max(others, key=lambda candidate: candidate.visits)
    fair = params.fair_share * favourite.visits
    rival = max((c for c in others if c.visits >= fair), key=lambda candidate: candidate.utility)
    if rival.utility - favourite.utility > params.clear * _standard_error(rival, favourite):
        favourite = rival
    surest = max(candidates, key=lambda candidate: candidate.sure)
    return surest if surest.sure > favourite.utility else favourite


def _standard_error(one: Candidate, other: Candidate) -> float:
    """Return at most the standard error of a difference: utilities are between 0 and 1."""
    variances = (c.utility * (1 - c.utility) / max(c.visits, 1) for c in (one, other))
    return math.sqrt(max(sum(variances), 0.0))


@dataclass(slots=True)
class StepChoice:
    """A step of the root, in all trees together."""

    step: int
    visits: int
    utility: float
    """Of the seat that decides."""
    is_proven: bool
    sure: float
    """The utility that it can make sure of with its own next steps; -1 if it knows none."""


def step_choices(trees: Iterable[Tree], actor: int) -> list[StepChoice]:
    """Return the steps of the seat that decides, in the order in which the first tree prefers them.

    Steps that no tree has tried are left out.
    """
    found: dict[int, StepChoice] = {}
    for tree in trees:
        for edge in tree.edges():
            if edge.visits:
                utility = edge.seats[actor].utility
                new = StepChoice(edge.step, edge.visits, utility, edge.is_proven, edge.sure)
                old = found.get(edge.step)
                found[edge.step] = new if old is None else _merged(old, new)
    return list(found.values())


def _merged(one: StepChoice, other: StepChoice) -> StepChoice:
    visits, sure = one.visits + other.visits, max(one.sure, other.sure)
    if one.is_proven or other.is_proven:
        utility = one.utility if one.is_proven else other.utility
        return StepChoice(one.step, visits, utility, True, sure)
    utility = (one.visits * one.utility + other.visits * other.utility) / visits
    return StepChoice(one.step, visits, utility, False, sure)
