"""``kbai analyze`` as a filter: pipes, files, terminals, Ctrl-C."""

import json
import os
import re
import signal
import subprocess

import pytest
from commands import on_terminal, run, start
from positions import GAME_TEXT, START

QUICK = ("--visits", "20", "--seed", "1", "--workers", "1")
GOOD = json.dumps({"id": "good", "position": START})


def piped(*arguments, **options):
    return start("analyze", *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                 stderr=subprocess.PIPE, **options)  # fmt: skip


@pytest.mark.slow
def test_a_file_gives_the_answers_of_a_pipe(tmp_path):
    file = tmp_path / "queries.jsonl"
    file.write_text(f"{GOOD}\n{json.dumps(dict(game=GAME_TEXT))}\n")
    result = run("analyze", *QUICK, file)
    assert (result.exit_code, result.stderr) == (0, "")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["seed"] for answer in answers] == [1, 1, 1]
    assert [answer.get("turn") for answer in answers] == [None, 1, 2]
    process = piped(*QUICK)
    output, talk = process.communicate(file.read_bytes(), timeout=120)
    assert (process.returncode, talk) == (0, b"")
    assert output.decode() == result.stdout
    two = run("analyze", *QUICK[:-1], 2, "-", text=file.read_text())
    assert two.stdout == result.stdout


def test_the_answer_is_that_of_suggest():
    query = json.loads(GOOD) | {"include": ["win", "sources", "line", "why"]}
    answer = json.loads(run("analyze", *QUICK, text=json.dumps(query)).stdout)
    line = run("suggest", START, *QUICK[:-2], "--format", "json").stdout
    assert answer == {"id": "good"} | json.loads(line)


def test_a_bad_line_makes_the_exit_code_1():
    result = run("analyze", *QUICK, text=f"{GOOD}\nnonsense\n{GOOD}\n")
    assert result.exit_code == 1
    assert [("error" in line) for line in result.stdout.splitlines()] == [False, True, False]
    assert result.stderr == "Error: 1 of 3 lines could not be answered.\n"


def test_lines_of_positions_are_queries():
    good = run("analyze", *QUICK, text=json.dumps({"position": START}))
    result = run("analyze", *QUICK, text=f"{START}\n  {START}\n")
    assert result.exit_code == 0
    assert result.stdout == good.stdout * 2


def test_a_wrong_line_of_a_position_says_what_is_wrong_with_it():
    result = run("analyze", *QUICK, text=START.replace("oasis", "oases"))
    assert result.exit_code == 1
    assert "did you mean 'oasis'?" in json.loads(result.stdout)["error"]["message"]


def test_a_number_too_large_for_json_is_no_id():
    result = run("analyze", *QUICK, text='{"id":1e999}\n')
    assert "Infinity" not in result.stdout
    answer = json.loads(result.stdout)
    assert (answer["id"], answer["error"]["field"]) == (None, "id")


def test_a_query_may_call_seconds_time_as_the_options_do():
    text = json.dumps({"position": START, "time": 0})
    answer = json.loads(run("analyze", *QUICK, text=text).stdout)
    assert "expected more than 0" in answer["error"]["message"]


def test_a_random_seed_is_printed_and_used():
    result = run("analyze", "--visits", 5, "--workers", 1, text=GOOD)
    (seed,) = re.fullmatch(r"seed: (\d+)\n", result.stderr).groups()
    assert json.loads(result.stdout)["seed"] == int(seed)


@pytest.mark.slow
def test_a_program_can_ask_and_wait():
    process = piped(*QUICK)
    for number in range(3):
        process.stdin.write(f'{{"id": {number}, "position": "{START}"}}\n'.encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == number
    output, talk = process.communicate(timeout=120)
    assert (process.returncode, output, talk) == (0, b"", b"")


def test_nothing_in_is_nothing_out():
    result = run("analyze", *QUICK, text="")
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.slow
def test_a_closed_pipe_ends_it_quietly():
    process = piped(*QUICK)
    process.stdin.write(f"{GOOD}\n".encode() * 50)
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    try:
        process.stdin.write(f"{GOOD}\n".encode() * 50)
        process.stdin.close()
    except BrokenPipeError:
        pass  # it is over already
    assert process.wait(120) == 1
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.slow
def test_ctrl_c_ends_it_while_it_waits_and_while_it_searches():
    for more in (b"", json.dumps({"position": START, "seconds": 600}).encode() + b"\n"):
        process = piped(*QUICK)
        process.stdin.write(f"{GOOD}\n".encode() + more)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == "good"
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(120) == 1
        output, talk = process.communicate()
        assert output == b"" and talk.strip() == b"Aborted!"


@pytest.mark.slow
def test_a_terminal_shows_how_far_it_is(tmp_path):
    file = tmp_path / "queries.jsonl"
    file.write_text(f"{GOOD}\n{json.dumps({'position': START, 'seconds': 0.8})}\n{GOOD}\n")
    code, output, talk = on_terminal("analyze", *QUICK, file)
    assert code == 0 and output.count(b"\n") == 3
    assert re.search(rb"\d%\|.*\| \d answers \[\d\d:\d\d<", talk)


def test_layouts_of_our_own_are_noted_once():
    line = run("convert", "-", text=run("new", "--sets", "marshlands", "--seed", 1).stdout).stdout
    query = json.dumps({"position": line})
    result = run("analyze", *QUICK, text=f"{query}\n{query}\n")
    assert result.exit_code == 0
    assert result.stderr.count("note: not laid out as printed: kbai_") == 1


@pytest.mark.parametrize(
    "arguments, code, words",
    [(("--visits", "0"), 2, "--visits"), (("--workers", "0"), 2, "--workers"),
     (("--top", "101"), 2, "--top"), (("--time", "0"), 2, "--time"),
     (("missing.jsonl",), 1, "expected a file to read or '-', got 'missing.jsonl'"),
     ((".",), 1, "Is a directory")],
    ids=str,
)  # fmt: skip
def test_wrong_arguments_are_reported(arguments, code, words):
    result = run("analyze", "--seed", 1, *arguments, text="")
    assert result.exit_code == code and words in result.stderr and result.stdout == ""
