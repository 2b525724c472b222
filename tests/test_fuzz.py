"""The fuzzer of `scripts/fuzz.py` itself: what it tries, and what it sees."""

import sys

import pytest
from fuzzing.cases import Case, Cases
from fuzzing.corpus import KINDS
from fuzzing.trials import OLD, Run, Table
from fuzzing.workers import Worker

linux_only = pytest.mark.skipif(
    sys.platform != "linux", reason="time and memory of another process are read from /proc"
)


@pytest.fixture(scope="module")
def cases():
    with Worker() as worker:
        return Cases(worker.corpus(), seed=17, kinds=KINDS)


@pytest.mark.slow
def test_a_number_always_gives_the_same_input(cases):
    again = Cases(cases.corpus, cases.seed, cases.kinds)
    assert [cases.make(n) for n in range(50)] == [again.make(n) for n in range(50)]
    assert len({cases.make(n).data for n in range(50)}) > 40


@pytest.mark.parametrize(
    "run, problem",
    [
        (Run(0, b"{}", b"", 0.1), ""),
        (Run(1, b"", b"Error: so it is.\n", 0.1), ""),
        (Run(1, b"", b"", 0.1, KeyError("x")), "KeyError at "),
        (Run(3, b"", b"x", 0.1), "exit code 3"),
        (Run(0, b"{}", b"", 2.1), "more than 2 s"),
        (Run(0, b"{}", b"", 0.1, peak_mb=301), "more than 300 MB"),
        (Run(1, b"", b"", 0.1), "an error without a message"),
        (Run(1, b"", b"Traceback (most recent call last):\nKeyError: 1", 0.1), "a traceback"),
        (Run(1, b"", b"x" * 3000, 0.1), "a message that is too long"),
        (Run(1, b"", b"x\n" * 50, 0.1), "a message of many lines"),
        (Run(1, b"", b"Error: \x1b[31m", 0.1), "a control character on stderr"),
        (Run(0, b'{"a": Infinity}', b"", 0.1), "stdout is no JSON"),
        (Run(0, b"{", b"", 0.1), "stdout is no JSON"),
    ],
)
def test_the_fuzzer_sees_what_must_not_be(tmp_path, run, problem):
    if run.error is not None:
        try:
            raise run.error
        except KeyError:
            pass
    table = Table(tmp_path)
    case = Case("json", b"{}", ("score", "-", "--format", "json"))
    table.lay(case)
    found = table.problems(case, run)
    assert len(found) == bool(problem)
    assert all(text.startswith(f"score, json: {problem}") for text in found)


def test_the_fuzzer_sees_a_file_that_is_not_whole(tmp_path):
    table = Table(tmp_path)
    case = Case("line", b"kb1", ("show", "{file}", "--svg", "{out}"))
    for text, code, problem in (
        (b"<svg/>", 0, ""),
        (b"<svg>", 0, "the picture is no XML"),
        (b"<svg", 1, "the picture is no XML"),
        (OLD, 1, ""),
        (OLD, 0, "nothing was written"),
    ):
        table.lay(case)
        (table.outputs / "out").write_bytes(text)
        found = table.problems(case, Run(code, b"", b"Error: x." if code else b"", 0.1))
        assert len(found) == bool(problem)
        assert all(problem in one for one in found)


@linux_only
@pytest.mark.slow
def test_a_process_that_takes_too_long_is_ended(cases):
    with Worker(cases) as worker:
        slow = Case("line", b"", ("suggest", "--time", "30", "--threads", "1"))
        assert worker.try_case(slow).problems == ("suggest, line: more than 2 s",)
        quick = Case("line", b"", ("score", "--format", "json"))
        assert worker.try_case(quick).problems == ()
