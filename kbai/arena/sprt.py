"""Sequential tests (SPRT), which end a match as soon as it is decided."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from statistics import fmean
from typing import Literal

from kbai.arena.elo import share_of_elo
from kbai.arena.groups import Group, bot_in, common_fair
from kbai.core.errors import NotationError

# If no group was won outright, or none was lost outright, the test assumes this fraction of one,
# as fishtest does. Otherwise a hypothesis could have probability 0.
UNSEEN_GROUPS = 1e-3
# Far more steps than Newton's method needs.
MAX_STEPS = 100


@dataclass(frozen=True, slots=True)
class SprtPlan:
    """Two hypotheses about a bot's advantage in Elo, and how often each may be wrongly rejected."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often a bot of ``elo0`` may pass."""
    beta: float = 0.05
    """How often a bot of ``elo1`` may fail."""

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise NotationError(
                f"expected a first Elo below the second, got {self.elo0:g} and {self.elo1:g}."
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise NotationError(
                "expected error rates above 0 and together below 1, "
                f"got {self.alpha:g} and {self.beta:g}."
            )

    @classmethod
    def parse(cls, text: str, *, alpha: float = 0.05, beta: float = 0.05) -> SprtPlan:
        """Parse ``elo0,elo1``."""
        try:
            elo0, elo1 = map(float, text.split(","))
        except ValueError:
            message = f"expected two Elo numbers like '0,20', got {text!r}."
            raise NotationError(message, token=text) from None
        return cls(elo0, elo1, alpha, beta)

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds: the log-likelihood ratios that end the test."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )


@dataclass(frozen=True, slots=True)
class SprtState:
    """The state of a sequential test."""

    decision: Literal["pass", "fail", "open"]
    groups: int
    """Groups used so far."""
    llr: float
    low: float
    high: float
    reason: str
    """A sentence."""


class Sprt:
    """A sequential test: takes the shares of groups one by one until it is decided.

    The groups must come in the order of their deals, not in the order they end in: quick games
    are not a fair sample, and the answer must not depend on the number of workers. Once decided
    it stays so. An `elo_estimate` of a test that has ended leans to the side it ended on.
    """

    def __init__(self, plan: SprtPlan, fair: float = 0.5) -> None:
        self.plan = plan
        self.fair = fair
        self._shares: Counter[float] = Counter()
        self.state = self._state()

    def add(self, share: float) -> SprtState:
        """Add the bot's mean share of the points in the next group."""
        if self.state.decision == "open":
            self._shares[round(share, 9)] += 1
            self.state = self._state()
        return self.state

    def _state(self) -> SprtState:
        low, high = self.plan.bounds
        elo0, elo1 = self.plan.elo0, self.plan.elo1
        groups = self._shares.total()
        llr = log_likelihood_ratio(self._shares, elo0, elo1, self.fair)
        decision: Literal["pass", "fail", "open"] = "open"
        if llr >= high:
            decision = "pass"
            end = f"reached the upper bound {high:.2f}: the bot passes"
        elif llr <= low:
            decision = "fail"
            end = f"reached the lower bound {low:.2f}: the bot fails"
        else:
            end = f"is between {low:.2f} and {high:.2f}: not decided yet"
        what = f"the LLR of {elo1:+g} against {elo0:+g} Elo, {llr:.2f},"
        reason = f"After {groups} groups {what} {end}."
        return SprtState(decision, groups, llr, low, high, reason)


def run_sprt(groups: Iterable[Group], bot: str, plan: SprtPlan) -> SprtState:
    """Return the state of a test after the groups up to the first incomplete one."""
    done = (bot_in(group, bot) for group in takewhile(lambda group: group.is_complete, groups))
    played = [part for part in done if part is not None]
    fair = common_fair(bot, [fair for _, fair in played])
    if fair is None:
        return Sprt(plan).state
    test = Sprt(plan, fair)
    for shares, _ in played:
        test.add(fmean(shares))
    return test.state


def log_likelihood_ratio(
    shares: Mapping[float, float], elo0: float, elo1: float, fair: float = 0.5
) -> float:
    """Return how much likelier the groups are with ``elo1`` than with ``elo0``, as a logarithm.

    Given are the shares of groups and how often each was seen. Only the mean share is supposed
    to be known; how it is spread over the groups is taken, for either Elo, as what makes the
    groups likeliest, as in fishtest (Van den Bergh, "The generalized maximum likelihood ratio for
    the expectation value of a distribution"). This needs no normal approximation, which few or
    equal groups would upset.
    """
    if not shares:
        return 0.0
    counts = dict.fromkeys((0.0, 1.0), UNSEEN_GROUPS) | dict(shares)
    first, second = (_likelihood(counts, share_of_elo(elo, fair)) for elo in (elo0, elo1))
    return second - first


def _likelihood(counts: Mapping[float, float], mean: float) -> float:
    """Return the largest log-likelihood of a distribution with this mean, up to a constant.

    It gives a value x the probability count / (total * (1 + slope * (x - mean))); the slope
    that makes the mean right is found by Newton's method within brackets.
    """
    offsets = [(value - mean, count) for value, count in counts.items()]
    low, high = -1 / (1 - mean), 1 / mean
    slope = 0.0
    for _ in range(MAX_STEPS):
        terms = [(offset / (1 + slope * offset), count) for offset, count in offsets]
        error = sum(term * count for term, count in terms)
        step = error / sum(term * term * count for term, count in terms)
        if abs(step) < 1e-12:
            break
        low, high = (slope, high) if error > 0 else (low, slope)
        slope = slope + step if low < slope + step < high else (low + high) / 2
    return -math.fsum(count * math.log1p(slope * offset) for offset, count in offsets)
