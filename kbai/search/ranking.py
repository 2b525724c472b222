"""Which step or turn is the best, by what the trees of a search know about each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Protocol, TypeVar

from kbai._mcts import Tree
from kbai.search.params import SearchParams


class Candidate(Protocol):
    """Something to choose, rated for the seat that decides."""

    @property
    def visits(self) -> int: ...
    @property
    def utility(self) -> float: ...
    @property
    def is_proven(self) -> bool: ...
    @property
    def sure(self) -> float: ...


C = TypeVar("C", bound=Candidate)

_VISITS, _UTILITY, _SURE = map(attrgetter, ("visits", "utility", "sure"))


def ranked(candidates: Iterable[C], params: SearchParams) -> Iterator[C]:
    """Yield the candidates, the best first; ties keep their order."""
    left = list(candidates)
    while left:
        best = best_of(left, params)
        left.remove(best)
        yield best


def best_of(candidates: Sequence[C], params: SearchParams) -> C:
    """Return the candidate with the most visits, or another one if it is clearly better.

    A proven candidate gets no more visits and needs none; neither does one with a sure utility.
    """
    others = [candidate for candidate in candidates if not candidate.is_proven]
    if not others:
        return max(candidates, key=_SURE)
    favourite = max(others, key=_VISITS)
    fair = params.fair_share * favourite.visits
    rival = max([c for c in others if c.visits >= fair], key=_UTILITY)
    if rival.utility - favourite.utility > params.clear * _standard_error(rival, favourite):
        favourite = rival
    surest = max(candidates, key=_SURE)
    return surest if surest.sure > favourite.utility else favourite


def _standard_error(one: Candidate, other: Candidate) -> float:
    """Return an upper bound of the standard error of a difference of utilities, 0 to 1."""
    variances = (c.utility * (1 - c.utility) / max(c.visits, 1) for c in (one, other))
    return math.sqrt(max(sum(variances), 0.0))


@dataclass(slots=True)
class StepChoice:
    """A step at the root, with what all trees together know about it."""

    step: int
    visits: int
    utility: float
    """For the seat that decides."""
    is_proven: bool
    sure: float
    """The utility that the seat can force with its next steps; -1 if none is known."""


def step_choices(trees: Iterable[Tree], actor: int) -> list[StepChoice]:
    """Return the steps that were tried, in the order in which the first tree prefers them."""
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
