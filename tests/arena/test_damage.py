"""Damaged journals of matches: every fault is a sentence with its line, and no wrong standings."""

import json
import shutil

import pytest
from commands import run
from places import TESTS

from kbai.arena.plan import Plan
from kbai.arena.results import read_results
from kbai.bots.specs import parse_spec
from kbai.compute.journal import content_id, format_entry
from kbai.core.errors import ArenaError, StoreError

KEPT = TESTS / "kept"


@pytest.fixture
def lines():
    """The lines of a journal without checksums: every change looks like something written."""
    return (KEPT / "match.jsonl").read_bytes().splitlines(keepends=True)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.jsonl"


def changed(line, **payload):
    task = json.loads(line)
    return json.dumps(task | {"payload": task["payload"] | payload}).encode() + b"\n"


@pytest.mark.parametrize(
    "change",
    [
        {"gold": [33]}, {"gold": ["a", "b"]}, {"gold": None}, {"gold": [1e3, 2]}, {"gold": [-2, 1]},
        {"bots": ["greedy"]}, {"bots": [1, 2]}, {"bots": ["greedy", "random"]}, {"start": 2},
        {"start": "x"}, {"deal": -1}, {"deal": None}, {"deal": 7}, {"lineup": 1}, {"rotation": 2},
        {"outcome": "won"}, {"outcome": []}, {"faults": []}, {"faults": {"a": {"b": "c"}}},
        {"turns": "x"}, {"steps": None}, {"game": 1}, {"reason": {}}, {"more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_a_line_that_is_no_game_of_the_plan_is_left_out_with_its_number(path, lines, change):
    header, first, second, *rest = lines
    path.write_bytes(b"".join([header, first, changed(second, **change), *rest]))
    for arguments in (["standings", path, "--format", "json"], ["export", path]):
        result = run(*arguments)
        assert result.exit_code == 0, result.stderr
        assert f"note: {path}, line 3: this is not a game of the plan: " in result.stderr
        assert result.stderr.rstrip().endswith("it is left out.")
    assert json.loads(run("standings", path, "--format", "json").stdout)["games"] == 3
    with pytest.raises(StoreError, match="line 3: this is not a game of the plan"):
        list(read_results(path)[1])


def test_a_game_under_another_id_is_not_one_game_more(path, lines):
    """Else it would be played again, and the standings say "5 of 4 games"."""
    header, first, *rest = lines
    task = json.loads(first)
    wrong = format_entry("0" + task["id"][1:], task["payload"])
    path.write_bytes(b"".join([header, wrong, first, *rest]))
    result = run("standings", path, "--format", "json")
    assert json.loads(result.stdout)["games"] == 4
    assert "line 2: this is not a game of the plan: its id is not" in result.stderr
    result = run("match", "greedy", "random", "--groups", 2, "--out", path, "--threads")
    assert result.exit_code == 1 and "line 2: " in result.stderr


def test_one_digit_of_gold_that_was_changed_is_noticed(path):
    arguments = ("match", "greedy", "random", "--groups", 1, "--seed", 1, "--threads")
    assert run(*arguments, "--out", path).exit_code == 0
    header, first, second = path.read_bytes().splitlines(keepends=True)
    gold = json.loads(first)["payload"]["gold"]
    before, after = (f'"gold":[{number},'.encode() for number in (gold[0], gold[0] + 1))
    assert before in first
    path.write_bytes(header + first.replace(before, after) + second)
    result = run("standings", path)
    assert f"note: {path}, line 2: this line is damaged: its checksum" in result.stderr
    result = run(*arguments, "--out", path)
    assert result.exit_code == 1
    assert f"{path}, line 2: this line is damaged" in result.stderr
    # The last line may be half written: it is cut off, and its game played again.
    path.write_bytes(header + first + second.replace(b'"gold":[', b'"gold":[1'))
    assert f"note: {path}, line 3: this line is damaged" in run("standings", path).stderr
    result = run(*arguments, "--out", path)
    assert result.exit_code == 0 and "its game is played again" in result.stderr
    assert path.read_bytes() == header + first + second


def test_many_damaged_lines_are_noted_in_few(path, lines):
    header, first, *_ = lines
    path.write_bytes(header + 100 * changed(first, gold=[]).replace(b" ", b"") + first)
    broken = b"".join(b'{"x":%d}\n' % number for number in range(100))
    path.write_bytes(header + broken + first)
    result = run("export", path)
    assert result.exit_code == 0 and len(result.stderr.splitlines()) == 6


@pytest.mark.parametrize(
    "change",
    [
        {"bots": ["greedy"] * 80, "seats": 5, "kind": "round_robin"},
        {"bots": ["greedy"] * 3000, "seats": 2, "kind": "round_robin"},
        {"bots": ["greedy"] * 80, "seats": 5, "kind": "gauntlet", "focus": "greedy"},
        {"bots": 1}, {"bots": [[]]}, {"bots": [None, "random"]}, {"bots": True}, {"seats": "2"},
        {"groups": "x"}, {"groups": 1.5}, {"groups": 10**18}, {"seed": None}, {"seed": []},
        {"kind": 1}, {"focus": []}, {"sets": 1}, {"sets": [[]]}, {"board": 1}, {"board": [[], []]},
        {"cards": [1]}, {"exclude_cards": None}, {"options": {}}, {"options": [1]},
        {"options": [["a", 1]]}, {"max_steps": "x"}, {"quadrants": []}, {"x": 1},
    ],
    ids=lambda change: str(change)[:40],
)  # fmt: skip
def test_a_plan_that_no_match_has_is_refused_in_a_sentence(path, lines, change):
    header = json.loads(lines[0])
    plan = header["plan"] | change
    text = json.dumps(header | {"plan": plan, "plan_id": content_id(plan)}, sort_keys=True)
    path.write_bytes(text.encode().replace(b'{"format": ', b'{"format":') + b"\n" + lines[1])
    for command in ("standings", "export", "review"):
        result = run(command, path)
        assert result.exit_code == 1 and result.exception.__class__ is SystemExit
        assert f"{path}: " in result.stderr and len(result.stderr) < len(str(path)) + 300


def test_a_plan_of_millions_of_line_ups_is_refused_before_they_are_made():
    with pytest.raises(ArenaError, match=r"at most 100,000 line-ups, got 24,040,016 of 80 bots"):
        Plan((parse_spec("random"),) * 80, seats=5, groups=1, seed=1, kind="round_robin")


def test_kept_journals_have_no_damage(tmp_path):
    for name in ("match", "search-match", "faulty-match", "tournament"):
        shutil.copy(KEPT / f"{name}.jsonl", tmp_path)
        assert run("export", tmp_path / f"{name}.jsonl").stderr == ""
