"""Going on where an earlier run was stopped: nothing is lost, nothing is there twice."""

import json
import os

import pytest
from commands import run
from positions import GAME_TEXT, START, random_positions

from kbai.compute.lines import LineFile
from kbai.core.errors import StoreError
from kbai.notation.positions import format_line

OPTIONS = ("--visits", 5, "--seed", 7, "--workers", 1)


@pytest.fixture(scope="module")
def queries():
    """Lines of all kinds: positions, some turns of a game, an empty line and a mistake."""
    some = [
        json.dumps({"id": number, "position": format_line(position)})
        for number, position in enumerate(random_positions(3, share=0.02))
    ][:6]
    game = json.dumps({"id": "game", "game": GAME_TEXT, "turns": [1, 2, 3]})
    return "\n".join([*some[:3], game, "", START, '{"id": "wrong"}', *some[3:]]) + "\n"


@pytest.fixture(scope="module")
def whole(queries):
    """The answers of a run that nobody stopped, and what it said."""
    done = run("analyze", *OPTIONS, text=queries)
    assert done.exit_code == 1
    return done.stdout_bytes, done.stderr


def test_a_new_file_gets_all_answers(queries, whole, tmp_path):
    out = tmp_path / "out"
    done = run("analyze", *OPTIONS, "--resume", out, text=queries)
    assert (out.read_bytes(), done.stderr, done.stdout) == (*whole, "")


def test_wherever_a_run_is_killed_the_next_one_goes_on_there(queries, whole, tmp_path):
    out = tmp_path / "out"
    answers = whole[0]
    ends = [place + 1 for place, byte in enumerate(answers) if byte == ord("\n")]
    for place in (0, 1, ends[0] - 1, ends[0], ends[3], ends[4] + 9, ends[5], len(answers)):
        out.write_bytes(answers[:place])
        done = run("analyze", *OPTIONS, "--resume", out, text=queries)
        assert (done.exit_code, out.read_bytes(), done.stderr) == (1, *whole), place


def test_what_is_there_is_not_searched_again(queries, whole, tmp_path, monkeypatch):
    out = tmp_path / "out"
    out.write_bytes(whole[0])
    before = out.stat().st_mtime_ns
    done = run("analyze", "--visits", 10**9, *OPTIONS[2:], "--resume", out, text=queries)
    assert (done.exit_code, out.read_bytes()) == (1, whole[0])
    assert out.stat().st_mtime_ns >= before


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda lines: lines[1:], "line 1: expected the answer to line 1 of the queries"),
        (lambda lines: [*lines, lines[0]], "expected no more answers"),
        (lambda lines: [b"[]\n", *lines[1:]], "line 1: expected an answer in JSON"),
        (lambda lines: [b"{\n", *lines[1:]], "line 1: expected an answer in JSON"),
        (lambda lines: [*lines[:3], *lines[4:]], "line 4: expected the answer to line 4"),
    ],
)
def test_answers_of_other_queries_are_refused_and_left_alone(
    queries, whole, tmp_path, change, sentence
):
    out = tmp_path / "out"
    text = b"".join(change(whole[0].splitlines(keepends=True)))
    out.write_bytes(text)
    done = run("analyze", *OPTIONS, "--resume", out, text=queries)
    assert done.exit_code == 1 and sentence in " ".join(done.stderr.split())
    assert out.read_bytes().startswith(text) or text.startswith(out.read_bytes())


def test_answers_with_another_seed_are_refused(queries, whole, tmp_path):
    out = tmp_path / "out"
    out.write_bytes(whole[0])
    done = run("analyze", "--visits", 5, "--seed", 8, "--resume", out, text=queries)
    assert done.exit_code == 1 and "an answer with the seed 8" in " ".join(done.stderr.split())
    assert out.read_bytes() == whole[0]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--visits", 5), "--resume needs --seed"),
        (("--seed", 1, "--unordered"), "--resume and --unordered contradict each other"),
        (("--seed", 1, "--workers", 2, "--cluster", "tcp://h:1"), "brings its own workers"),
    ],
)
def test_wrong_usage_is_one_sentence(words, sentence, tmp_path):
    done = run("analyze", *words, "--resume", tmp_path / "out", text=START)
    assert done.exit_code == 2 and sentence in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


def test_a_file_of_lines_is_for_one_process_and_regular(tmp_path):
    path = tmp_path / "lines"
    with LineFile(str(path)) as first:
        first.write(b"one\ntwo\n")
        with pytest.raises(StoreError, match="another process"):
            LineFile(str(path))
    path.write_bytes(b"one\ntwo\nthr")
    with LineFile(str(path)) as again:
        assert [*again.lines()] == [b"one\n", b"two\n"]
        assert path.read_bytes() == b"one\ntwo\nthr"
        again.write(b"three\n")
    assert path.read_bytes() == b"one\ntwo\nthree\n"
    path.write_bytes(b"x" * 200_000)
    with LineFile(str(path)) as long:
        assert [*long.lines()] == []
    assert path.read_bytes() == b""
    with pytest.raises(StoreError, match="could not open"):
        LineFile(str(tmp_path))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreError, match="not a regular one"):
        LineFile(str(tmp_path / "pipe"))


@pytest.mark.slow
def test_a_cluster_gives_the_same_bytes(queries, whole, tmp_path):
    pytest.importorskip("distributed")
    out = tmp_path / "out"
    out.write_bytes(whole[0][: len(whole[0]) // 3])
    done = run("analyze", *OPTIONS[:4], "--cluster", "local:2", "--resume", out, text=queries)
    assert (done.exit_code, out.read_bytes()) == (1, whole[0])
