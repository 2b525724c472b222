"""Tab completion: what it offers, and that it is nearly as fast as ``kbai --help``."""

import subprocess
import sys

import cpu_time
import pytest
from click.shell_completion import BashComplete
from commands import SCRIPT, environment

from kbai.bots.registry import bot_kinds, find_kind
from kbai.cli import COMMANDS, main
from kbai.cli.arena_options import FORMATS
from kbai.cli.completion import BOTS, LEVELS
from kbai.cli.convert import SPELLINGS
from kbai.cli.search_options import MAX_SECONDS, MAX_TOP, MAX_VISITS, MEMORY
from kbai.game.seats import SEATS

COMPLETE_EVERYTHING = """
import sys
from click.shell_completion import BashComplete
from kbai.cli import COMMANDS, main

bash = BashComplete(main, {}, "kbai", "_KBAI_COMPLETE")
assert bash.get_completions([], "")
for name in COMMANDS:
    assert bash.get_completions([name], "--")
print(*sys.modules)
"""
# What a command needs to do its work, and no option needs.
LIBRARY = tuple(
    f"kbai.{name}"
    for name in ("_mcts", "analyze", "arena", "bench", "bots", "compute", "draw", "notation",
                 "report", "review", "search")
)  # fmt: skip


def complete(line):
    """Complete the last word of a line as bash asks for it."""
    variables = {
        "_KBAI_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }
    return subprocess.run(
        SCRIPT, env=environment(**variables), capture_output=True, text=True, check=True
    )


def values(line):
    return [item.split(",")[1] for item in complete(line).stdout.split()]


def test_commands_are_completed():
    assert values("kbai s") == ["suggest", "serve", "show", "score", "standings"]
    assert values("kbai ") == list(COMMANDS)


def test_options_and_their_values_are_completed():
    assert values("kbai suggest --vi") == ["--visits"]
    assert values("kbai match greedy random --format ") == list(FORMATS)
    assert values("kbai convert --to ") == [*SPELLINGS, "kbg"]
    assert values("kbai review --seat bl") == ["blue", "black"]


@pytest.mark.parametrize(
    ("words", "start", "offered"),
    [
        (["match", "greedy"], "", [*BOTS]),
        (["match", "greedy"], "m", ["mcts", "mcts1", *LEVELS]),
        (["play", "--bot"], "mcts:level=5", ["mcts:level=5"]),
        (["tournament", "--focus"], "r", ["random"]),
        (["new", "--cards"], "k", ["knights"]),
        (["new", "--cards"], "knights,m", ["knights,miners", "knights,merchants",
                                           "knights,messengers", "knights,mayors"]),
        (["match", "--sets"], "nomads,c", ["nomads,crossroads", "nomads,capitol", "nomads,caves"]),
        (["new", "--sets"], "a", ["all"]),
        (["new", "--board"], "tower*,t", ["tower*,tavern"]),
        (["new", "--seats"], "", ["2", "3", "4", "5", *SEATS]),
        (["new", "--seats"], "red,b", ["red,blue", "red,black"]),
        (["new", "--start"], "o", ["orange"]),
        (["new", "--scouted"], "f", ["flower", "forest"]),
        (["new", "--tasks"], "home", ["home_country"]),
        (["suggest", "--card"], "d", ["desert"]),
        (["content"], "lighth", ["lighthouse"]),
        (["content", "--set"], "cr", ["crossroads"]),
    ],
)  # fmt: skip
def test_names_are_completed(words, start, offered):
    found = BashComplete(main, {}, "kbai", "_KBAI_COMPLETE").get_completions(words, start)
    assert [item.value for item in found] == offered


def test_the_bots_that_completion_knows_are_those_of_kbai():
    assert tuple(kind.name for kind in bot_kinds()) == BOTS
    assert len(LEVELS) == len(find_kind("mcts").levels)


def test_nothing_is_completed_after_an_unknown_command():
    done = complete("kbai shwo --")
    assert done.stderr == ""


def test_completion_does_not_import_what_only_the_work_needs():
    done = subprocess.run(
        [sys.executable, "-c", COMPLETE_EVERYTHING],
        env=environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    modules = done.stdout.split()
    assert "kbai.cli.suggest" in modules
    assert [name for name in modules if name.startswith(LIBRARY)] == []


@pytest.mark.slow
def test_completion_is_nearly_as_fast_as_help():
    lines = (
        "kbai sug",
        "kbai ",
        "kbai suggest --vi",
        "kbai match --format ",
        "kbai new --",
        "kbai new --cards k",
        "kbai match m",
    )

    def slow(least):
        return [line for line in lines if least[line] > 2.5 * least["help"]]

    actions = {line: lambda line=line: show_help_or_complete(line) for line in ("help", *lines)}
    assert slow(cpu_time.least(actions, lambda least: not slow(least), rounds=7)) == []


def show_help_or_complete(line):
    if line == "help":
        subprocess.run([*SCRIPT, "--help"], env=environment(), stdout=subprocess.DEVNULL)
    else:
        complete(line)


def test_numbers_and_names_that_options_repeat_are_those_of_the_library():
    from kbai.analyze import queries
    from kbai.bench.signature import VISITS
    from kbai.cli import bench
    from kbai.notation import positions
    from kbai.report import standings
    from kbai.search.params import SearchParams

    limits = queries.MAX_VISITS, queries.MAX_SECONDS, queries.MAX_TOP
    assert (MAX_VISITS, MAX_SECONDS, MAX_TOP) == limits
    assert MEMORY == SearchParams().memory
    assert tuple(standings.FORMATS) == FORMATS
    assert positions.SPELLINGS == SPELLINGS
    assert f"[default: {VISITS}]" in bench.command.params[0].help
