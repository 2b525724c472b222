"""A damaged cache: what cannot be used is searched anew, and the review is the same."""

import json

import pytest
from commands import run
from places import TESTS

GAME = TESTS / "kept" / "short.kbg"
ARGUMENTS = ("review", GAME, "--turns", "3-4", "--visits", 3, "--workers", 1, "--format", "json")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the lines of a cache and the review it was made for."""
    path = tmp_path_factory.mktemp("cache") / "cache.jsonl"
    result = run(*ARGUMENTS, "--cache", path)
    assert result.exit_code == 0, result.stderr
    return path.read_bytes().splitlines(keepends=True), result.stdout


def of_kind(lines, key):
    """Return the index of the first line with this key in its answer."""
    return next(i for i, line in enumerate(lines) if i and key in json.loads(line)["payload"])


def rewritten(line, change):
    """Return a line with a changed answer, as an earlier version would have written it."""
    task = json.loads(line)
    task.pop("sum", None)
    change(task["payload"])
    return json.dumps(task).encode() + b"\n"


def set_(*path, to):
    def change(payload):
        *way, last = path
        for key in way:
            payload = payload[key]
        payload[last] = to

    return change


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("samples", set_("samples", to=None)),
        ("samples", set_("samples", to=[])),
        ("samples", set_("samples", 0, to=[[0.5], [0.5], [1], [0]])),
        ("samples", set_("samples", 0, 0, 0, to="x")),
        ("samples", set_("samples", 0, 1, 0, to=1.5)),
        ("samples", set_("samples", 0, 2, 0, to=10**400)),
        ("samples", set_("visits", to=-1)),
        ("samples", set_("exact", to="yes")),
        ("samples", lambda payload: payload.pop("visits")),
        ("candidates", set_("steps", to=[])),
        ("candidates", set_("candidates", 0, "seats", 0, 1, to=[50.0, 40.0, None])),
        ("candidates", set_("steps", to=[1, 2, 3])),
        ("candidates", set_("steps", 0, to=-10**9)),
        ("candidates", set_("candidates", 0, "steps", to=[10**12])),
        ("candidates", set_("candidates", 0, "line", to=[-99])),
        ("candidates", set_("candidates", 0, "seats", to=[])),
        ("candidates", set_("candidates", 0, "seats", 0, 0, to=[None, None, None])),
        ("candidates", set_("candidates", 0, "seats", 0, 3, to=[1.0])),
        ("candidates", lambda payload: payload.pop("candidates")),
        ("candidates", set_("more", to=1)),
    ],
)  # fmt: skip
def test_an_answer_that_does_not_fit_is_searched_anew(tmp_path, made, kind, change):
    lines, expected = made
    path = tmp_path / "cache.jsonl"
    place = of_kind(lines, kind)
    path.write_bytes(
        b"".join([*lines[:place], rewritten(lines[place], change), *lines[place + 1 :]])
    )
    for _ in range(2):
        result = run(*ARGUMENTS, "--cache", path)
        assert result.exit_code == 0, result.stderr
        assert result.stdout == expected
    # It was searched once, and the new answer counts from then on.
    assert path.read_bytes().splitlines()[len(lines) :] == [lines[place].rstrip(b"\n")]


def test_a_damaged_line_is_searched_anew(tmp_path, made):
    lines, expected = made
    path = tmp_path / "cache.jsonl"
    place = of_kind(lines, "samples")
    damaged = lines[place].replace(b'"visits":', b'"visits":1')
    path.write_bytes(b"".join([*lines[:place], damaged, *lines[place + 1 :]]))
    result = run(*ARGUMENTS, "--cache", path)
    assert result.exit_code == 0 and result.stdout == expected
    assert path.read_bytes().splitlines()[-1] == lines[place].rstrip(b"\n")
