"""Matches and tournaments: which games are to be played, playing them, and who stands where.

A *group* is one deal (set-up and the order of all cards), played once in every rotation of the
bots over the seats. What is counted are groups, for the games of one are not independent.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from itertools import combinations, islice
from os import PathLike
from typing import Any

from kbai import content
from kbai.arena.deals import MAX_STEPS, Deal, play
from kbai.bots.registry import Bot, Faults, View, make_bot, parse_spec
from kbai.compute import journal as store
from kbai.compute import run as parallel
from kbai.compute.pools import PoolFactory
from kbai.core import statistics as stats
from kbai.core.errors import ArenaError, suggest_name
from kbai.core.seeds import derive_seed
from kbai.game.options import Options
from kbai.game.seats import N_SEATS
from kbai.game.setup import Setup
from kbai.notation.games import format_game, record_game

KINDS = ("match", "round_robin", "gauntlet")
OUTCOMES = ("over", "given up", "too long", "failed", "crashed")
# A task lasts about a second: long against what it costs to hand it over, short for Ctrl-C.
TASK_SECONDS = 1.0
MAX_BUNDLE = 256
# The gold of a seat that gave the game up: less than anybody can have.
GIVEN_UP = -1


@dataclass(frozen=True)
class Plan:
    """All that decides the games of a match or tournament; the same plan gives the same games."""

    bots: tuple[str, ...]
    """Canonical specs; the same one may be there twice."""
    seats: int
    groups: int
    """Deals for each line-up, each with its own: groups of the same deal would not be independent,
    and intervals over them too narrow."""
    seed: int
    kind: str = "match"
    focus: str = ""
    """Of a gauntlet: the label of the bot that is in every game."""
    sets: tuple[str, ...] = ("base",)
    board: tuple[str, ...] = ()
    """The same for all deals; drawn for each if empty, like the cards."""
    cards: tuple[str, ...] = ()
    exclude_cards: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    """Rule options that are not at their default."""
    max_steps: int = MAX_STEPS
    quadrants: str = ""
    """A name for the contents of people's own quadrants, if there are any."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bots", tuple(str(parse_spec(text)) for text in self.bots))
        options = Options.parse(dict(self.options)).changed()
        object.__setattr__(self, "options", tuple(options.items()))
        self._check()
        self.setup(0, 0)  # says what is wrong with sets, board and cards

    def _check(self) -> None:
        if self.kind not in KINDS:
            raise ArenaError(f"{suggest_name('kind of tournament', self.kind, KINDS)}.")
        if self.seats not in N_SEATS:
            raise ArenaError(f"expected {N_SEATS[0]} to {N_SEATS[-1]} seats, got {self.seats}.")
        if self.groups < 1:
            raise ArenaError(f"expected at least one group, got {self.groups}.")
        if self.max_steps < 1:
            raise ArenaError(f"expected at least one step a game, got {self.max_steps}.")
        if self.kind == "match" and len(self.bots) != self.seats:
            found = f"got {len(self.bots)}"
            raise ArenaError(f"expected a bot for each of {self.seats} seats, {found}.")
        if len(self.bots) < self.seats:
            raise ArenaError(
                f"expected at least {self.seats} bots for {self.seats} seats, got {len(self.bots)}."
            )
        if self.kind == "gauntlet" and self.focus not in self.labels:
            raise ArenaError(f"{suggest_name('bot of this gauntlet', self.focus, self.labels)}.")
        if self.kind != "gauntlet" and self.focus:
            raise ArenaError(f"expected a focus only in a gauntlet, got {self.focus!r}.")

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The bots by unique names: a second bot of the same spec is ``greedy#2``."""
        seen: Counter[str] = Counter()
        names = []
        for spec in self.bots:
            seen[spec] += 1
            names.append(spec if seen[spec] == 1 else f"{spec}#{seen[spec]}")
        return tuple(names)

    @cached_property
    def lineups(self) -> tuple[tuple[str, ...], ...]:
        """Who meets whom, by label."""
        if self.kind == "gauntlet":
            others = [label for label in self.labels if label != self.focus]
            return tuple((self.focus, *rest) for rest in combinations(others, self.seats - 1))
        return tuple(combinations(self.labels, self.seats))

    @property
    def n_games(self) -> int:
        return len(self.lineups) * self.groups * self.seats

    def n_done(self, results: Iterable[Result]) -> int:
        """Return how many games of the plan are among these; a journal may have more."""
        return sum(result.deal < self.groups for result in results)

    def spec_of(self, label: str) -> str:
        """Return the spec of a bot by its label."""
        return self.bots[self.labels.index(label)]

    @cached_property
    def digest(self) -> str:
        """A name for all that decides a game besides who plays which deal."""
        left_out = ("bots", "groups", "kind", "focus")
        return store.content_id({k: v for k, v in self.to_dict().items() if k not in left_out})

    def setup(self, lineup: int, deal: int) -> Setup:
        """Return the set-up of a deal of a line-up."""
        return Setup.random(
            derive_seed(self.seed, "setup", lineup, deal),
            seats=self.seats,
            sets=self.sets,
            cards=self.cards or None,
            board=self.board or None,
            exclude_cards=self.exclude_cards,
            options=Options.parse(dict(self.options)),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as the header of a journal has it."""
        return asdict(self) | {"options": [list(pair) for pair in self.options]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Plan:
        """Return the plan of a header; raise ArenaError if it is of something else."""
        known = {field.name for field in fields(cls)}
        if not known >= data.keys() or not {"bots", "seats", "groups", "seed"} <= data.keys():
            raise ArenaError("expected the journal of a match or tournament.")
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
        }
        values["options"] = tuple((str(key), str(value)) for key, value in data.get("options", ()))
        return cls(**values)


@dataclass(frozen=True, slots=True)
class GameKey:
    """One game of a plan."""

    lineup: int
    deal: int
    rotation: int

    def id(self, plan: Plan) -> str:
        """Return its name, derived from all that decides the game."""
        place = [self.lineup, self.deal, self.rotation]
        return store.content_id([plan.digest, list(self.bots(plan)), place])[:16]

    def bots(self, plan: Plan) -> tuple[str, ...]:
        """Return the labels by seat."""
        labels = plan.lineups[self.lineup]
        return (*labels[self.rotation :], *labels[: self.rotation])


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game."""

    id: str
    lineup: int
    deal: int
    rotation: int
    bots: tuple[str, ...]
    """Labels by seat."""
    gold: tuple[int, ...]
    start: int
    """The seat that began."""
    outcome: str = "over"
    reason: str = ""
    turns: int = 0
    steps: int = 0
    faults: Mapping[str, Mapping[str, int]] | None = None
    """By label, for bots that did something wrong."""
    game: str = ""
    """The whole game as a game file."""

    def to_payload(self) -> dict[str, Any]:
        """Return what the journal keeps beside the id."""
        data = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "id"}
        return data | {"bots": list(self.bots), "gold": list(self.gold)}

    @classmethod
    def from_payload(cls, id: str, payload: Mapping[str, Any]) -> Result:
        """Return a game from its line of the journal."""
        try:
            lists = {name: tuple(payload[name]) for name in ("bots", "gold")}
            return cls(**{**payload, "id": id, **lists})
        except (KeyError, TypeError):
            raise ArenaError(f"expected a game in the journal, got task {id!r}.") from None

    def line(self) -> bytes:
        """Return the line of the journal."""
        return store.format_entry(self.id, self.to_payload())

    def without_game(self) -> Result:
        """Return what is kept in memory, for there may be a million."""
        return replace(self, game="")

    @property
    def is_counted(self) -> bool:
        """Whether there is a result: not if the game could not be played at all."""
        return self.outcome not in ("failed", "crashed")

    def in_turn_order(self) -> stats.Game:
        """Return bots and gold from the seat that began, as statistics want them."""
        seats = list(zip(self.bots, self.gold, strict=True))
        return stats.Game(tuple(seats[self.start :] + seats[: self.start]))


# --- playing ------------------------------------------------------------------------------------


def play_game(plan: Plan, key: GameKey, bots: Mapping[str, Bot]) -> Result:
    """Play one game; ``bots`` by label."""
    setup = plan.setup(key.lineup, key.deal)
    start = setup.start_position()
    labels = key.bots(plan)
    before = {label: bots[label].faults for label in labels}
    for label in labels:
        bots[label].begin()

    def choose(view: View) -> int:
        return bots[labels[view.seat]].choose(view)

    played = play(
        start,
        # The cards and the bots never share a stream.
        Deal(start, derive_seed(plan.seed, "cards", key.lineup, key.deal)),
        choose,
        seed=derive_seed(plan.seed, "decisions", key.lineup, key.deal, key.rotation),
        max_steps=plan.max_steps,
    )
    gold = list(played.final.scores())
    outcome = "over" if played.is_over else "too long"
    if played.loser is not None:
        gold[played.loser] = GIVEN_UP
        outcome = "given up"
    header = [("Players", ", ".join(labels)), ("Seed", str(plan.seed))]
    return Result(
        id=key.id(plan),
        lineup=key.lineup,
        deal=key.deal,
        rotation=key.rotation,
        bots=labels,
        gold=tuple(gold),
        start=setup.start,
        outcome=outcome,
        reason=played.reason,
        turns=played.turns,
        steps=len(played.steps),
        faults=_new_faults(labels, before, bots),
        game=format_game(record_game(start, played.steps, header=header)),
    )


def _new_faults(
    labels: Sequence[str], before: Mapping[str, Faults], bots: Mapping[str, Bot]
) -> dict[str, dict[str, int]] | None:
    found = {}
    for label in labels:
        counts = asdict(bots[label].faults - before[label])
        if any(counts.values()):
            found[label] = counts
    return found or None


@dataclass(frozen=True, slots=True)
class GamesTask:
    """Some games of a plan, for one worker."""

    plan: Plan
    keys: tuple[GameKey, ...]

    @property
    def id(self) -> str:
        return store.content_id([[key.lineup, key.deal, key.rotation] for key in self.keys])


@dataclass(frozen=True, slots=True)
class Batch:
    """What a worker brings back, ready to be written: there is one coordinator for all workers."""

    results: tuple[Result, ...]
    """Without the games; these are in the lines only."""
    lines: tuple[bytes, ...]
    seconds: float


def play_games(task: GamesTask) -> Batch:
    """Play the games of a task."""
    began = time.perf_counter()
    labels = sorted({label for key in task.keys for label in key.bots(task.plan)})
    bots: dict[str, Bot] = {}
    try:
        for label in labels:
            bots[label] = make_bot(task.plan.spec_of(label))
        results = [play_game(task.plan, key, bots) for key in task.keys]
    finally:
        for bot in bots.values():
            bot.close()
    return Batch(
        tuple(result.without_game() for result in results),
        tuple(result.line() for result in results),
        time.perf_counter() - began,
    )


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a run is over."""

    reason: str
    """``finished``: all games are played; ``decided``: the sequential test was."""
    sprt: stats.SprtState | None = None


class _Decided(Exception):
    """The sequential test needs no more games."""


def all_keys(plan: Plan) -> Iterator[GameKey]:
    """Yield the games of a plan, group by group, so that one that is cut off has whole groups."""
    for deal in range(plan.groups):
        for lineup in range(len(plan.lineups)):
            for rotation in range(plan.seats):
                yield GameKey(lineup, deal, rotation)


def run_plan(
    plan: Plan,
    *,
    workers: PoolFactory,
    journal: store.Journal | None = None,
    on_results: Callable[[Sequence[Result]], None] = lambda results: None,
    sprt: stats.SprtPlan | None = None,
    earlier: Iterable[Result] = (),
    quadrants: Sequence[Sequence[tuple[str, str]]] = (),
) -> Ending:
    """Play all games of a plan that are not in its journal.

    ``earlier`` are the games that are there already; a sequential test begins with them.
    ``on_results`` is told of new games, some at a time and without the game itself, once they are
    in the journal. With a test the games are taken in the order of their groups, so that it ends
    with the same one on any number of workers.
    """
    if sprt is not None and (plan.kind != "match"):
        raise ArenaError("expected a match for a sequential test.")
    keeper = _Keeper(plan, journal, on_results, sprt)
    keeper.take_back(earlier)
    done = journal.done if journal is not None else ()
    bundler = _Bundler(plan, (key for key in all_keys(plan) if key.id(plan) not in done))
    try:
        keeper.check_decided()
        while bundler.has_more:
            parallel.run(
                play_games,
                bundler.tasks(),
                workers,
                lambda outcome: keeper.add(outcome, bundler),
                in_order=sprt is not None,
                initializer=content.use_quadrants if quadrants else None,
                initargs=tuple(quadrants),
            )
    except _Decided:
        return Ending("decided", keeper.sprt_state)
    return Ending("finished", keeper.sprt_state)


class _Bundler:
    """Makes tasks of about a second; games whose bundle killed its workers go alone next."""

    def __init__(self, plan: Plan, keys: Iterator[GameKey]) -> None:
        self.plan = plan
        self.keys = keys
        self.is_at_end = False
        self.seconds = TASK_SECONDS  # of a game: the first tasks are single games
        self.alone: list[GameKey] = []

    @property
    def has_more(self) -> bool:
        return not self.is_at_end or bool(self.alone)

    def tasks(self) -> Iterator[GamesTask]:
        while True:
            size = max(1, min(MAX_BUNDLE, round(TASK_SECONDS / max(self.seconds, 1e-6))))
            keys = tuple(islice(self.keys, size))
            if not keys:
                break
            yield GamesTask(self.plan, keys)
        self.is_at_end = True
        while self.alone:
            yield GamesTask(self.plan, (self.alone.pop(),))

    def learn(self, batch: Batch) -> None:
        """Take the time of a game into account; a slow one at once, quick ones bit by bit."""
        each = batch.seconds / len(batch.results)
        self.seconds = each if each > self.seconds else (self.seconds + 3 * each) / 4


class _Keeper:
    """Writes results down and watches the sequential test."""

    def __init__(
        self,
        plan: Plan,
        journal: store.Journal | None,
        on_results: Callable[[Sequence[Result]], None],
        sprt: stats.SprtPlan | None,
    ) -> None:
        self.plan = plan
        self.journal = journal
        self.on_results = on_results
        self.test = stats.Sprt(sprt, 1 / plan.seats) if sprt else None
        self.groups: dict[int, dict[int, Result]] = {}
        self.next_deal = 0

    @property
    def sprt_state(self) -> stats.SprtState | None:
        return self.test.state if self.test else None

    def take_back(self, earlier: Iterable[Result]) -> None:
        for result in earlier:
            self.count(result)

    def add(self, outcome: parallel.Outcome[GamesTask, Batch], bundler: _Bundler) -> None:
        if isinstance(outcome, parallel.Done):
            bundler.learn(outcome.value)
            self.keep(outcome.value.results, outcome.value.lines)
        elif len(outcome.task.keys) > 1:  # which of the games it was will show
            bundler.alone += reversed(outcome.task.keys)
        else:
            lost = _lost_game(self.plan, outcome)
            self.keep((lost,), (lost.line(),))

    def keep(self, results: Sequence[Result], lines: Sequence[bytes]) -> None:
        """Write down what the test wants to see, or all."""
        for number, result in enumerate(results, start=1):
            self.count(result)
            if self.is_decided:
                results = results[:number]
                break
        if self.journal is not None:
            named = zip(results, lines, strict=False)
            self.journal.append_lines({result.id: line for result, line in named})
        self.on_results(results)
        self.check_decided()

    def count(self, result: Result) -> None:
        """Give the test every group that is complete and whose turn it is."""
        if self.test is None:
            return
        self.groups.setdefault(result.deal, {})[result.rotation] = result
        while len(self.groups.get(self.next_deal, ())) == self.plan.seats:
            games = self.groups.pop(self.next_deal).values()
            self.next_deal += 1
            if all(game.is_counted for game in games):
                first = self.plan.labels[0]
                points = [stats.Game(tuple(zip(g.bots, g.gold, strict=True))).points[
                    g.bots.index(first)] for g in games]  # fmt: skip
                self.test.add(sum(points) / len(points))

    @property
    def is_decided(self) -> bool:
        return self.test is not None and self.test.state.decision != "open"

    def check_decided(self) -> None:
        if self.is_decided:
            raise _Decided


def _lost_game(
    plan: Plan, outcome: parallel.Failed[GamesTask] | parallel.Crashed[GamesTask]
) -> Result:
    """A game that could not be played: shown, never counted, never tried again."""
    (key,) = outcome.task.keys
    kind = "failed" if isinstance(outcome, parallel.Failed) else "crashed"
    setup = plan.setup(key.lineup, key.deal)
    gold = (0,) * plan.seats
    return Result(key.id(plan), key.lineup, key.deal, key.rotation, key.bots(plan), gold,
                  setup.start, kind, outcome.message)  # fmt: skip


# --- standings ----------------------------------------------------------------------------------


def open_journal(path: str | PathLike[str], plan: Plan) -> store.Journal:
    """Open the journal of a plan, also if it was begun with fewer groups or more."""
    return store.open_journal(path, plan.to_dict(), may_differ={"groups"})


def read_results(path: str | PathLike[str]) -> tuple[Plan, Iterator[Result]]:
    """Return the plan a journal was begun with and, one by one, its games, maybe of more groups."""
    plan = Plan.from_dict(store.read_header(path).plan)
    entries = store.read_entries(path)
    return plan, (Result.from_payload(entry.id, entry.payload) for entry in entries)


def groups_of(plan: Plan, results: Iterable[Result]) -> list[stats.Group]:
    """Return the games that count by their groups, in the order of the deals."""
    found: dict[tuple[int, int], dict[int, stats.Game]] = {}
    for result in results:
        if result.is_counted:
            group = found.setdefault((result.deal, result.lineup), {})
            group[result.rotation] = result.in_turn_order()
    return [
        stats.Group(tuple(game for _, game in sorted(games.items())), plan.seats)
        for _, games in sorted(found.items())
    ]


@dataclass(frozen=True, slots=True)
class Standings:
    """Who stands where, as far as the games are played."""

    plan: Plan
    games: int
    groups: int
    """Complete ones; only these count."""
    summaries: tuple[stats.Summary, ...]
    ratings: tuple[tuple[stats.Rating, ...], ...]
    """One table for each set of bots that can be compared."""
    elo: stats.Estimate | None
    """Of the first bot of a match."""
    outcomes: Mapping[str, int]
    """How many games ended how."""
    faults: Mapping[str, Mapping[str, int]]
    lost: tuple[Result, ...]
    """The games that could not be played."""
    sprt: stats.SprtState | None


def standings(
    plan: Plan, results: Iterable[Result], sprt: stats.SprtPlan | None = None
) -> Standings:
    """Return the standings of a plan after some of its games, in whatever order they came.

    Games of more groups than are planned count, too: the plan of the standings is then as large.
    """
    outcomes: Counter[str] = Counter()
    faults: dict[str, Counter[str]] = {}
    lost: list[Result] = []
    seen: dict[int, list[Result]] = {}
    n_deals = 0

    def watched() -> Iterator[Result]:
        for result in results:
            nonlocal n_deals
            n_deals = max(n_deals, result.deal + 1)
            outcomes[result.outcome] += 1
            if sprt is not None:
                seen.setdefault(result.deal, []).append(result.without_game())
            if not result.is_counted:
                lost.append(result)
            for label, counts in (result.faults or {}).items():
                faults.setdefault(label, Counter()).update(counts)
            yield result

    groups = groups_of(plan, watched())
    plan = replace(plan, groups=max(plan.groups, n_deals))
    complete = [group for group in groups if group.is_complete]
    first = plan.labels[0]
    return Standings(
        plan=plan,
        games=outcomes.total(),
        groups=len(complete),
        summaries=stats.summarize(complete),
        ratings=stats.rate(complete),
        elo=stats.elo_estimate(complete, first) if plan.kind == "match" else None,
        outcomes={name: outcomes[name] for name in OUTCOMES if outcomes[name]},
        faults={label: dict(counts) for label, counts in sorted(faults.items())},
        lost=tuple(sorted(lost, key=lambda result: result.id)),
        sprt=stats.run_sprt(_tested(plan, seen), first, sprt) if sprt else None,
    )


def _tested(plan: Plan, by_deal: Mapping[int, Sequence[Result]]) -> list[stats.Group]:
    """Return the groups of a match that a sequential test takes, as the run itself does: in the
    order of the deals up to the first that is not played, without those that have a lost game."""
    groups = []
    for deal in range(plan.groups):
        results = by_deal.get(deal, ())
        if len(results) < plan.seats:
            break
        if all(result.is_counted for result in results):
            groups += groups_of(plan, results)
    return groups
