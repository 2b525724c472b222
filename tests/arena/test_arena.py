"""The arena: the same games on any workers, nothing lost, nothing twice, honest tables."""

import gc
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from places import TESTS
from tournament import PLAN, lines

from kbai.arena.plan import GameKey, Plan
from kbai.arena.results import Result, open_results, read_results
from kbai.arena.runner import lost_game, play_game, play_games, run_plan
from kbai.arena.schedule import GamesTask
from kbai.arena.sprt import SprtPlan
from kbai.arena.standings import compute_standings
from kbai.bots.protocol import Bot
from kbai.bots.specs import parse_spec
from kbai.compute.journal import canonical, open_journal
from kbai.compute.pools import threads
from kbai.compute.processes import processes
from kbai.compute.run import Failed
from kbai.core.errors import KbaiError, NotationError
from kbai.game.setup import Setup
from kbai.notation.games import parse_game

SCRIPT = TESTS / "tournament.py"
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


def match(*bots, groups=2, **changes):
    specs = tuple(map(parse_spec, changes.pop("bots", bots)))
    return Plan(**{"bots": specs, "seats": len(bots), "groups": groups, "seed": 1, **changes})


def play(plan, **arguments):
    """Play a plan and return what its journal holds then."""
    with TemporaryDirectory() as folder:
        with open_results(f"{folder}/journal", plan) as journal:
            run_plan(plan, workers=threads(1), journal=journal, **arguments)
        return [*read_results(f"{folder}/journal")[1]]


def start(file, workers):
    return subprocess.Popen(
        [sys.executable, SCRIPT, file, workers],
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finish(file, workers):
    process = start(file, workers)
    _, talk = process.communicate(timeout=300)
    assert process.returncode == 0, talk.decode()


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    """The journal of the tournament, played by one worker without a break."""
    file = tmp_path_factory.mktemp("arena") / "one.jsonl"
    finish(file, "1")
    found = lines(file)
    assert len(found) == len(set(found)) == PLAN.n_games == 204
    return found


# --- plans --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("arguments", "sentence"), [
    ({"bots": ("random", "gredy")}, "'greedy'"),
    ({"bots": ("random",), "seats": 2}, "a bot for each of 2 seats, got 1"),
    ({"seats": 6, "kind": "round_robin"}, "expected 2 to 5 seats, got 6"),
    ({"groups": 0}, "at least one group, got 0"),
    ({"kind": "knockout"}, "kind of tournament 'knockout'"),
    ({"kind": "gauntlet", "focus": "greed"}, "'greedy'"),
    ({"focus": "random"}, "only in a gauntlet"),
    ({"sets": ("bse",)}, "'base'"),
    ({"cards": ("fishers",)}, "'fishermen'"),
    ({"options": (("lords", "true"),)}, "lords_need_presence"),
])  # fmt: skip
def test_a_plan_that_cannot_be_played_is_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(KbaiError) as caught:
        match(**{"seats": 2, **arguments}) if "bots" in arguments else match(
            "random", "greedy", **arguments
        )
    assert sentence in str(caught.value)


def test_a_plan_survives_its_journal():
    plan = match(
        "greedy",
        "random",
        "greedy",
        options=(("sword_targets", "one"),),
        sets=("base", "nomads"),
        cards=("lords", "farmers", "miners"),
    )
    assert Plan.from_dict(plan.to_dict()) == plan
    assert plan.labels == ("greedy", "random", "greedy#2")


def test_lineups_of_a_round_robin_and_of_a_gauntlet():
    bots = ("random", "greedy", "random", "random")
    plan = match(*bots, seats=3, kind="round_robin")
    assert len(plan.lineups) == 4 and plan.n_games == 4 * 2 * 3
    focused = match(*bots, seats=2, kind="gauntlet", focus="greedy")
    assert focused.lineups == (("greedy", "random"), ("greedy", "random#2"), ("greedy", "random#3"))


# --- games --------------------------------------------------------------------------------------


def test_a_group_is_one_deal_in_every_rotation():
    results = play(match("greedy", "random", "random", groups=3, sets=("base", "crossroads")))
    assert len(results) == 9
    for deal in range(3):
        group = [r for r in results if r.deal == deal]
        games = [parse_game(r.game) for r in group]
        assert len({r.bots for r in group}) == 3  # each bot on each seat once
        assert len({game.start.board for game in games}) == 1
        assert {r.start for r in group} == {games[0].start.fields()["start"]}
        # Nobody's first card depends on who sits where.
        assert len({tuple(turn.card for turn in game.turns[:3]) for game in games}) == 1
        for result, game in zip(group, games, strict=True):
            assert game.final_position().scores() == result.gold
    boards = {parse_game(r.game).start.board for r in results}
    assert len(boards) == 3


def test_other_bots_get_the_same_cards():
    first = play(match("random", "random", groups=1))[0]
    other = play(match("greedy", "greedy", groups=1))[0]
    cards = [[turn.card for turn in parse_game(r.game).turns[:8]] for r in (first, other)]
    assert cards[0] == cards[1] and first.game != other.game


class Counting(Bot):
    """Plays by the number of its decisions since the game began."""

    def __init__(self):
        self.begin()

    def begin(self):
        self.count = 0

    def choose(self, view):
        legal = view.position.legal()
        self.count += 1
        return legal[self.count % len(legal)]


def test_bots_are_told_when_a_game_begins():
    plan = match("random", "greedy", groups=2)
    bots = {label: Counting() for label in plan.labels}
    keys = list(plan.keys())
    in_order = [play_game(plan, key, bots).game for key in keys]
    assert in_order[::-1] == [play_game(plan, key, bots).game for key in reversed(keys)]


def test_games_of_bots_that_search_can_be_played_again():
    games = [[r.game for r in play(match("mcts:visits=12", "flat:visits=40", groups=1))]
             for _ in range(2)]  # fmt: skip
    assert games[0] == games[1]


def test_a_result_survives_its_journal():
    for result in play(match("greedy", "random", groups=1)):
        line = canonical(result.to_payload())
        assert canonical(Result.from_payload(result.id, result.to_payload()).to_payload()) == line
        assert result.in_turn_order().seats[0] == (
            result.bots[result.start],
            result.gold[result.start],
        )


def test_ids_are_of_the_game_not_of_the_run():
    plan, longer = match("random", "greedy"), match("random", "greedy", groups=9)
    key = GameKey(0, 1, 1)
    assert key.id(plan) == key.id(longer)
    assert len({key.id(plan) for key in plan.keys()}) == plan.n_games
    assert key.id(plan) != key.id(match("random", "greedy", seed=2))
    assert key.id(plan) != key.id(match("random", "random"))
    assert key.id(plan) != key.id(match("random", "greedy", quadrants="others"))


def test_line_ups_have_deals_of_their_own():
    plan = match("random", "random", "random", seats=2, groups=1, kind="round_robin")
    assert len({plan.setup(lineup, 0) for lineup in range(3)}) == 3
    assert len({r.game for r in play(plan)}) == 6


def test_a_game_that_takes_too_long_is_told():
    results = play(match("random", "random", groups=1, max_steps=10))
    assert {r.outcome for r in results} == {"too long"} and {r.steps for r in results} == {10}


# --- the same on any workers --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["2", "threads", "cluster"])
def test_any_workers_play_the_same_games_byte_for_byte(tmp_path, complete, workers):
    if workers == "cluster":
        pytest.importorskip("distributed")
    finish(tmp_path / "journal", workers)
    assert lines(tmp_path / "journal") == complete


@pytest.mark.slow
def test_a_killed_coordinator_loses_nothing_and_plays_nothing_twice(tmp_path, complete):
    file = tmp_path / "journal"
    moments = random.Random(7)
    for _ in range(10):
        process = start(file, "2")
        time.sleep(moments.uniform(0.3, 2.0))
        process.kill()
        process.communicate()
    finish(file, "2")
    assert lines(file) == complete


@pytest.mark.slow
def test_killed_workers_lose_nothing(tmp_path, complete):
    moments = random.Random(3)
    killed = rounds = 0
    while killed < 10:
        rounds += 1
        file = tmp_path / f"journal{rounds}"
        killed += kill_workers(start(file, "2"), file, moments)
        assert lines(file) == complete


def kill_workers(process, file, moments):
    """Kill two workers of a coordinator, if there is time, and let it end; return how many.

    A game is given up if its worker dies three times.
    """
    killed = size = 0
    while process.poll() is None:
        time.sleep(moments.uniform(0.05, 0.3))
        workers = children(process.pid)
        if killed < 2 and workers and file.exists() and file.stat().st_size > size:
            # Somebody is at work, not still starting up.
            size = file.stat().st_size
            with suppress(ProcessLookupError):  # all is done, and the workers are gone
                os.kill(moments.choice(workers), signal.SIGKILL)
                killed += 1
    _, talk = process.communicate()
    assert process.returncode == 0, talk.decode()
    return killed


def children(pid):
    """The worker processes of a coordinator: those that can be killed without ending it."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == pid and b"resource_tracker" not in command and fields[0] != "Z":
            found.append(int(folder.name))
    return found


@pytest.mark.slow
def test_a_sequential_test_ends_with_the_same_group_on_any_workers():
    plan = match("greedy", "random", groups=60)
    test = SprtPlan(0, 100)
    endings, played = [], []
    for workers in (threads(1), processes(2)):
        results = []
        endings.append(run_plan(plan, workers=workers, on_results=results.extend, sprt=test))
        played.append(sorted(r.id for r in results))
    assert endings[0] == endings[1] and played[0] == played[1]
    assert endings[0].reason == "decided" and endings[0].sprt.decision == "pass"
    assert len(played[0]) == 2 * endings[0].sprt.groups <= 2 * 40


def test_a_sequential_test_needs_a_match():
    plan = match("random", "random", "greedy", seats=2, groups=1, kind="round_robin")
    with pytest.raises(KbaiError, match="expected a match"):
        play(plan, sprt=SprtPlan(0, 30))


# --- standings ----------------------------------------------------------------------------------


def test_standings_come_from_the_journal_in_any_order(tmp_path):
    plan = match("greedy", "random", groups=3)
    with open_results(tmp_path / "j", plan) as journal:
        run_plan(plan, workers=threads(1), journal=journal)
    again, results = read_results(tmp_path / "j")
    found = list(results)
    assert again == plan
    table = compute_standings(plan, found)
    assert table == compute_standings(plan, reversed(found))
    assert (table.games, table.groups, table.outcomes) == (6, 3, {"over": 6})
    assert [row.bot for row in table.summaries] == ["greedy", "random"]
    assert table.summaries[0].points + table.summaries[1].points == 6


def test_an_incomplete_group_does_not_count():
    plan = match("greedy", "random", groups=2)
    results = play(plan)
    table = compute_standings(plan, results[:3])
    assert (table.games, table.groups, table.summaries[0].games) == (3, 1, 2)


def test_a_game_that_was_lost_is_shown_and_does_not_count():
    plan = match("greedy", "random", groups=1)
    results = play(plan)
    key = GameKey(0, 0, 1)
    failed = Failed(GamesTask(plan, (key,)), "no such thing", "")
    lost = lost_game(plan, failed)
    table = compute_standings(plan, [results[0], lost])
    assert table.lost == (lost,) and table.groups == 0 and table.outcomes["failed"] == 1
    assert lost.reason == "no such thing" and lost.id == key.id(plan)


def test_a_sequential_test_passes_over_a_group_with_a_lost_game():
    plan = match("greedy", "random", groups=3)
    results = play(plan)
    test = SprtPlan(0, 30)
    spoilt = [
        replace(r, outcome="crashed") if (r.deal, r.rotation) == (1, 0) else r for r in results
    ]
    assert compute_standings(plan, spoilt, test).sprt.groups == 2
    ending = run_plan(plan, workers=threads(1), earlier=spoilt, sprt=test)
    assert ending.sprt.groups == 2
    missing = [r for r in results if r.deal != 1]
    assert compute_standings(plan, missing, test).sprt.groups == 1


def test_a_journal_of_something_else_is_refused(tmp_path):
    with open_journal(tmp_path / "j", {"what": "else"}):
        pass
    with pytest.raises(KbaiError, match="match or tournament"):
        read_results(tmp_path / "j")


def test_options_of_a_sequential_test_are_checked():
    with pytest.raises(NotationError, match="below"):
        SprtPlan(30, 0)


@pytest.mark.slow
def test_games_that_are_over_are_freed_without_the_garbage_collector():
    """Set-up and board kept each other alive, and workers grew until it ran."""
    plan = match("random", "random", groups=200)

    def n_setups():
        return sum(isinstance(each, Setup) for each in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = n_setups()
        play_games(GamesTask(plan, tuple(plan.keys())))
        assert n_setups() - before <= 70  # the boards of 64 are kept for the next games
    finally:
        gc.enable()
