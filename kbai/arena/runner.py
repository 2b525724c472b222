"""Playing the games of a plan on any workers: each game once, and every result recorded."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from kbai import content
from kbai.arena.deals import Deal
from kbai.arena.groups import FinishedGame
from kbai.arena.plan import GameKey, Plan
from kbai.arena.play import play
from kbai.arena.results import GIVEN_UP, Result
from kbai.arena.schedule import Bundler, GamesTask
from kbai.arena.sprt import Sprt, SprtPlan, SprtState
from kbai.bots.protocol import Bot, Faults, View
from kbai.bots.specs import make_bot
from kbai.compute.journal import Journal
from kbai.compute.pools import PoolFactory
from kbai.compute.run import Crashed, Done, Failed, Outcome, run
from kbai.core.errors import ArenaError
from kbai.core.printable import printable
from kbai.core.seeds import derive_seed
from kbai.notation.games import format_game, record_game


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a run ended."""

    reason: str
    """``finished``: all games are played; ``decided``: the sequential test ended."""
    sprt: SprtState | None = None


class _Decided(Exception):
    """The sequential test needs no more games."""


def run_plan(
    plan: Plan,
    *,
    workers: PoolFactory,
    journal: Journal | None = None,
    on_results: Callable[[Sequence[Result]], None] = lambda results: None,
    sprt: SprtPlan | None = None,
    earlier: Iterable[Result] = (),
    quadrants: Sequence[Sequence[tuple[str, str]]] = (),
) -> Ending:
    """Play all games of a plan that are not in its journal.

    ``earlier`` are the games that exist already; a sequential test begins with them.
    ``on_results`` gets new results, several at a time and without the game text, once they are in
    the journal. With a test, games are taken in the order of their groups, so that it ends with
    the same group on any number of workers.
    """
    if sprt is not None and plan.kind != "match":
        raise ArenaError("expected a match for a sequential test.")
    recorder = _Recorder(plan, journal, on_results, sprt)
    recorder.count_earlier(earlier)
    done = journal.done if journal is not None else ()
    bundler = Bundler(plan, (key for key in plan.keys() if key.id(plan) not in done))
    try:
        recorder.check_decided()
        while bundler.has_more:
            run(
                play_games,
                bundler.tasks(),
                workers,
                lambda outcome: recorder.add(outcome, bundler),
                in_order=sprt is not None,
                initializer=content.use_quadrants if quadrants else None,
                initargs=tuple(quadrants),
            )
    except _Decided:
        return Ending("decided", recorder.sprt_state)
    return Ending("finished", recorder.sprt_state)


class _Recorder:
    """Records results and feeds the sequential test."""

    def __init__(
        self,
        plan: Plan,
        journal: Journal | None,
        on_results: Callable[[Sequence[Result]], None],
        sprt: SprtPlan | None,
    ) -> None:
        self.plan = plan
        self.journal = journal
        self.on_results = on_results
        self.test = Sprt(sprt, 1 / plan.seats) if sprt else None
        self.groups: dict[int, dict[int, Result]] = {}
        self.next_deal = 0

    @property
    def sprt_state(self) -> SprtState | None:
        return self.test.state if self.test else None

    def count_earlier(self, earlier: Iterable[Result]) -> None:
        for result in earlier:
            self.count(result)

    def add(self, outcome: Outcome[GamesTask, Batch], bundler: Bundler) -> None:
        if isinstance(outcome, Done):
            bundler.learn(len(outcome.value.results), outcome.value.seconds)
            self.record(outcome.value.results, outcome.value.lines)
        elif len(outcome.task.keys) > 1:  # tried one by one, to find which game it was
            bundler.alone += reversed(outcome.task.keys)
        else:
            lost = lost_game(self.plan, outcome)
            self.record((lost,), (lost.line(),))

    def record(self, results: Sequence[Result], lines: Sequence[bytes]) -> None:
        """Write results to the journal; after the game that decides the test, no more."""
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
        """Give the test every complete group, in the order of the deals."""
        if self.test is None:
            return
        self.groups.setdefault(result.deal, {})[result.rotation] = result
        while len(self.groups.get(self.next_deal, ())) == self.plan.seats:
            games = self.groups.pop(self.next_deal).values()
            self.next_deal += 1
            if all(game.is_counted for game in games):
                first = self.plan.labels[0]
                points = [FinishedGame(tuple(zip(g.bots, g.gold, strict=True))).points[
                    g.bots.index(first)] for g in games]  # fmt: skip
                self.test.add(sum(points) / len(points))

    @property
    def is_decided(self) -> bool:
        return self.test is not None and self.test.state.decision != "open"

    def check_decided(self) -> None:
        if self.is_decided:
            raise _Decided


def lost_game(plan: Plan, outcome: Failed[GamesTask] | Crashed[GamesTask]) -> Result:
    """Return the result of a game that could not be played: shown, not counted, not retried."""
    (key,) = outcome.task.keys
    kind = "failed" if isinstance(outcome, Failed) else "crashed"
    start = plan.start(key.lineup, key.deal)
    gold = (0,) * plan.seats
    return Result(key.id(plan), key.lineup, key.deal, key.rotation, key.bots(plan), gold,
                  start.mover, kind, outcome.message)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Batch:
    """What a worker returns, ready to be written, because one coordinator serves all workers."""

    results: tuple[Result, ...]
    """Without the game texts, which are only in the lines."""
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


def play_game(plan: Plan, key: GameKey, bots: Mapping[str, Bot]) -> Result:
    """Play one game; ``bots`` by label."""
    start = plan.start(key.lineup, key.deal)
    labels = key.bots(plan)
    before = {label: bots[label].faults for label in labels}
    for label in labels:
        bots[label].begin()

    def choose(view: View) -> int:
        return bots[labels[view.seat]].choose(view)

    played = play(
        start,
        # Cards and bots never share random numbers.
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
    header = [("Players", printable(", ".join(labels))), ("Seed", str(plan.seed))]
    return Result(
        id=key.id(plan),
        lineup=key.lineup,
        deal=key.deal,
        rotation=key.rotation,
        bots=labels,
        gold=tuple(gold),
        start=start.mover,
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
        counts = (bots[label].faults - before[label]).to_dict()
        if any(counts.values()):
            found[label] = counts
    return found or None
