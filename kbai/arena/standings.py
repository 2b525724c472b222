"""The standings of a match or tournament after some of its games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kbai.arena.elo import elo_estimate
from kbai.arena.groups import FinishedGame, Group
from kbai.arena.plan import Plan
from kbai.arena.ratings import Rating, rate
from kbai.arena.results import OUTCOMES, Result, first_reasons
from kbai.arena.sprt import SprtPlan, SprtState, run_sprt
from kbai.arena.summaries import Summary, summarize
from kbai.bots.protocol import Faults
from kbai.core.intervals import Estimate


@dataclass(frozen=True, slots=True)
class Standings:
    """Who is ahead, from the games played so far."""

    plan: Plan
    games: int
    groups: int
    """Complete groups; only these count."""
    summaries: tuple[Summary, ...]
    ratings: tuple[tuple[Rating, ...], ...]
    """One table for each set of bots that can be compared."""
    elo: Estimate | None
    """Of the first bot of a match."""
    outcomes: Mapping[str, int]
    """How many games ended in each way."""
    faults: Mapping[str, Mapping[str, int]]
    reasons: Mapping[str, str]
    """Why each bot that gave games up did so the first time."""
    lost: tuple[Result, ...]
    """The games that could not be played."""
    sprt: SprtState | None


def compute_standings(
    plan: Plan, results: Iterable[Result], sprt: SprtPlan | None = None
) -> Standings:
    """Return the standings of a plan after some of its games, in any order.

    Games beyond the planned groups count, too; the plan of the standings then has as many groups.
    """
    outcomes: Counter[str] = Counter()
    faults: dict[str, Counter[str]] = {}
    lost: list[Result] = []
    given_up: list[Result] = []
    seen: dict[int, list[Result]] = {}
    n_deals = 0

    def watched() -> Iterator[Result]:
        for result in results:
            nonlocal n_deals
            n_deals = max(n_deals, result.deal + 1)
            outcomes[result.outcome] += 1
            if sprt is not None:
                seen.setdefault(result.deal, []).append(result.without_game())
            if result.loser is not None:
                given_up.append(result.without_game())
            if not result.is_counted:
                lost.append(result)
            for label, counts in (result.faults or {}).items():
                # In this order, whatever that of the journal's keys is.
                faults.setdefault(label, Counter(Faults().to_dict())).update(counts)
            yield result

    groups = groups_of(plan, watched())
    plan = replace(plan, groups=max(plan.groups, n_deals))
    complete = [group for group in groups if group.is_complete]
    first = plan.labels[0]
    return Standings(
        plan=plan,
        games=outcomes.total(),
        groups=len(complete),
        summaries=summarize(complete),
        ratings=rate(complete),
        elo=elo_estimate(complete, first) if plan.kind == "match" else None,
        outcomes={name: outcomes[name] for name in OUTCOMES if outcomes[name]},
        faults={label: dict(counts) for label, counts in sorted(faults.items())},
        reasons=first_reasons(given_up),
        lost=tuple(sorted(lost, key=lambda result: result.id)),
        sprt=run_sprt(_tested(plan, seen), first, sprt) if sprt else None,
    )


def groups_of(plan: Plan, results: Iterable[Result]) -> list[Group]:
    """Return the counted games in their groups, in the order of the deals."""
    n_lineups = len(plan.lineups)
    found: dict[int, list[FinishedGame | None]] = {}
    known: dict[FinishedGame, FinishedGame] = {}  # few games end differently: one of each is kept
    for result in results:
        if result.is_counted:
            place = result.deal * n_lineups + result.lineup
            group = found.get(place)
            if group is None:
                group = found[place] = [None] * plan.seats
            game = result.in_turn_order()
            group[result.rotation] = known.setdefault(game, game)
    return [
        Group(tuple([game for game in found[place] if game is not None]), plan.seats)
        for place in sorted(found)
    ]


def _tested(plan: Plan, by_deal: Mapping[int, Sequence[Result]]) -> list[Group]:
    """Return the groups that a sequential test takes, the same ones as during the run.

    They come in the order of the deals up to the first deal that is not complete; a group with a
    lost game is left out.
    """
    groups = []
    for deal in range(plan.groups):
        results = by_deal.get(deal, ())
        if len(results) < plan.seats:
            break
        if all(result.is_counted for result in results):
            groups += groups_of(plan, results)
    return groups
