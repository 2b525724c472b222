"""A sample of what `scripts/fuzz.py` tries: inputs that cannot hurt, damage that is noticed."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from commands import run
from fuzzing.cases import Case, Cases
from fuzzing.corpus import KINDS
from fuzzing.flips import cache_flips, journal_flips
from fuzzing.trials import OLD, Run, Table
from fuzzing.workers import Worker

# All that commands read; the words of the command line are left to the script.
FILES = tuple(kind for kind in KINDS if kind != "words")
linux_only = pytest.mark.skipif(
    sys.platform != "linux", reason="time and memory of another process are read from /proc"
)


@pytest.fixture(scope="module")
def cases():
    with Worker() as worker:
        return Cases(worker.corpus(), seed=17, kinds=FILES)


def causes(cases, inputs):
    """Return what must not be, with the number or the command that shows it."""
    with Worker(cases) as worker:
        return [(item, found) for item in inputs for found in worker.try_case(item).problems]


@linux_only
@pytest.mark.slow
def test_mutated_inputs_end_in_an_answer_or_a_message(cases):
    halves = (range(0, 5_000, 2), range(1, 5_000, 2))
    with ThreadPoolExecutor(len(halves)) as executor:  # each of them waits for a process
        found = list(executor.map(causes, [cases, cases], halves))
    assert found == [[], []]


@linux_only
@pytest.mark.slow
def test_inputs_that_once_hurt_end_in_an_answer_or_a_message(cases):
    found = causes(cases, cases.fixed()[::4])
    assert [(case.arguments, case.data[:200], problem) for case, problem in found] == []


def make(*arguments):
    done = run(*arguments)
    assert done.exit_code == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("flips", [journal_flips, cache_flips])
def test_a_flipped_bit_is_noticed_or_changes_nothing(tmp_path, flips):
    assert flips(Table(tmp_path), make, 100, seed=17) == []


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


class Costly(Cases):
    """Inputs that take more memory to make than a command may take to read."""

    def make(self, number):
        bytearray(400_000_000)[:] = b"x" * 400_000_000
        return Case("line", b"", ("suggest", "--visits", "2000", "--seed", "1"))


@linux_only
@pytest.mark.slow
def test_memory_that_the_fuzzer_takes_itself_is_not_blamed_on_a_command(cases):
    with Worker(Costly(cases.corpus, seed=1, kinds=FILES)) as worker:
        assert worker.try_case(1).problems == ()
