"""The journal: resumed after anything, refused when it is not ours, never wrong."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from hashlib import blake2b
from pathlib import Path

import pytest
from places import ROOT

from kbai.compute.journal import (
    canonical,
    content_id,
    format_entry,
    open_journal,
    read_entries,
    read_header,
)
from kbai.core.errors import KbaiError, StoreError

PLAN = {"bots": ["random", "greedy"], "seed": 7, "seats": 2}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


def fill(path, *ids, plan=PLAN):
    with open_journal(path, plan) as journal:
        for id in ids:
            journal.append(id, {"gold": [len(id), 2], "text": f"ä\n{id}"})
    return path.read_bytes()


def lines(*ids):
    return {id: format_entry(id, {"text": id}) for id in ids}


def ids(path):
    return [entry.id for entry in read_entries(path)]


def refuse(path, words, plan=PLAN):
    """Opening says so in one sentence, and leaves the file alone."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreError, match=words) as caught:
        open_journal(path, plan)
    told = str(caught.value)
    assert isinstance(caught.value, KbaiError) and told.endswith(".") and "\n" not in told
    assert (path.read_bytes() if path.is_file() else None) == before


def test_canonical_json_does_not_depend_on_the_order_of_keys():
    assert canonical({"b": (1, 2.5), "a": "ö"}) == '{"a":"\\u00f6","b":[1,2.5]}'
    assert content_id({"b": 1, "a": 2}) == content_id({"a": 2, "b": 1}) != content_id({"a": 2})
    with pytest.raises(ValueError):
        canonical(float("nan"))


def test_a_new_journal_has_the_plan_and_then_a_line_a_task(path):
    text = fill(path, "a", "b").decode("ascii")
    header, first, second = map(json.loads, text.splitlines())
    assert header == {
        "format": 1, "journal": "kbai", "plan": PLAN, "plan_id": content_id(PLAN)
    }  # fmt: skip
    task = {"id": "a", "payload": {"gold": [1, 2], "text": "ä\na"}}
    assert first == task | {"sum": blake2b(canonical(task).encode(), digest_size=8).hexdigest()}
    assert text[-1] == "\n"
    assert second["id"] == "b"
    assert read_header(path).plan == PLAN
    assert [entry.payload["gold"] for entry in read_entries(path)] == [[1, 2], [1, 2]]


def test_stopped_and_resumed_is_the_same_file(path, tmp_path):
    fill(path, "a")
    with open_journal(path, dict(reversed(PLAN.items()))) as journal:
        assert (journal.done, journal.torn) == ({"a"}, 0)
    assert fill(path, "b", "c") == fill(tmp_path / "other.jsonl", "a", "b", "c")


@pytest.mark.slow
def test_torn_at_every_byte_of_the_last_line(path, tmp_path):
    kept = fill(path, "a", "b")
    whole = fill(path, "c")
    for end in range(len(kept), len(whole)):
        path.write_bytes(whole[:end])
        assert ids(path) == ["a", "b"]
        assert path.read_bytes() == whole[:end]  # who reads cuts nothing off
        with open_journal(path, PLAN) as journal:
            assert (journal.done, journal.torn) == ({"a", "b"}, end - len(kept))
        assert path.read_bytes() == kept
        path.write_bytes(whole[:end])
        assert fill(path, "c") == whole


@pytest.mark.slow
def test_torn_at_every_byte_of_the_header(path, tmp_path):
    whole = fill(path)
    other = {**PLAN, "seed": 8}
    same = len(os.path.commonprefix([whole, fill(tmp_path / "other.jsonl", plan=other)]))
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(StoreError, match="not a header"):
            read_header(path)
        if end > same:
            refuse(path, "not a header", other)
        assert fill(path) == whole


@pytest.mark.parametrize("tail", [b'{"id":"c","pay\n', b"\0" * 4096, b"\0\0\n", b"\xff\n"])
def test_rubbish_at_the_very_end_is_torn(path, tail):
    kept = fill(path, "a")
    path.write_bytes(kept + tail)
    assert ids(path) == ["a"]
    with open_journal(path, PLAN) as journal:
        assert (journal.done, journal.torn) == ({"a"}, len(tail))
    assert path.read_bytes() == kept


def test_whoever_refuses_a_torn_journal_leaves_it_as_it_is(path):
    torn = fill(path, "a") + b'{"id":"c","pay'
    path.write_bytes(torn)
    with pytest.raises(ZeroDivisionError), open_journal(path, PLAN) as journal:
        assert journal.done == {"a"}
        raise ZeroDivisionError
    assert path.read_bytes() == torn


@pytest.mark.parametrize("middle", [b'{"id":"c","pay\n', b"\n", b"\xff\n", b"[" * 99999 + b"\n"])
def test_a_damaged_line_in_the_middle_is_refused(path, middle):
    header, first, second = fill(path, "a", "b").splitlines(keepends=True)
    path.write_bytes(header + first + middle + second)
    refuse(path, "line 3: this line is damaged")
    with pytest.raises(StoreError, match="line 3"):
        ids(path)


@pytest.mark.parametrize(
    "line",
    [
        '{"id":"c"}',
        '{"id":3,"payload":{}}',
        "[]",
        "1",
        '{"id":"c","payload":[]}',
        '{"id":"c","payload":{},"x":1}',
    ],
)
def test_a_line_that_is_no_task_is_refused_even_at_the_end(path, line):
    path.write_bytes(fill(path, "a") + f"{line}\n".encode())
    refuse(path, "line 3: expected a task")


def flipped(data, bit):
    byte, place = divmod(bit, 8)
    return data[:byte] + bytes([data[byte] ^ 1 << place]) + data[byte + 1 :]


@pytest.mark.slow
def test_every_flipped_bit_is_named_with_its_line_or_does_nothing(path):
    text = fill(path, "a", "b", "c")
    good = [(entry.id, entry.payload) for entry in read_entries(path)]
    ends = [len(b"".join(text.splitlines(keepends=True)[:n])) for n in range(1, 5)]
    for bit in range(0, 8 * len(text), 3):  # every byte, and over some bytes every bit
        path.write_bytes(flipped(text, bit))
        found = []
        try:
            entries = list(read_entries(path, on_damage=found.append, on_torn=found.append))
            left = [(entry.id, entry.payload) for entry in entries]
        except StoreError as error:
            assert bit < 8 * ends[0] and "header" in str(error) or "format" in str(error)
            continue
        if left != good:
            assert found[0].line == 1 + sum(8 * end <= bit for end in ends)
            assert all(entry in good for entry in left) and len(left) >= len(good) - 2


def test_a_line_without_a_checksum_is_read_as_earlier_versions_wrote_it(path):
    text = fill(path, "a")
    path.write_bytes(text + b'{"id":"b","payload":{"gold":[1,2]}}\n')
    assert ids(path) == ["a", "b"]
    with open_journal(path, PLAN) as journal:
        assert (journal.done, journal.torn) == ({"a", "b"}, 0)


def test_a_damaged_line_can_be_left_out_and_its_task_done_again(path):
    header, first, second, third = fill(path, "a", "b", "c").splitlines(keepends=True)
    path.write_bytes(header + first + second.replace(b'"gold":[1,', b'"gold":[3,') + third)
    refuse(path, "line 3: this line is damaged: its checksum does not match")
    found = []
    assert [e.id for e in read_entries(path, on_damage=found.append)] == ["a", "c"]
    assert [(damage.path, damage.line) for damage in found] == [(path, 3)]
    with open_journal(path, PLAN, on_damage=found.append) as journal:
        assert journal.done == {"a", "c"}
        journal.append("b", {})
    assert [e.id for e in read_entries(path, on_damage=found.append)] == ["a", "c", "b"]


def test_a_line_without_an_end_is_damaged_and_takes_little_memory(path):
    header, first, second = fill(path, "a", "b").splitlines(keepends=True)
    path.write_bytes(header + first + b"x" * 50_000_000 + b"\n" + second)
    refuse(path, "line 3: this line is damaged: it is too long")
    found = []
    tracemalloc.start()
    assert [e.id for e in read_entries(path, on_damage=found.append)] == ["a", "b"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == 1 and peak < 20_000_000


@pytest.mark.parametrize("plan", ['{"a":' * 480 + "1" + "}" * 480, '{"a":1e999}', '{"a":Infinity}'])
def test_a_header_that_no_run_writes_is_refused(path, plan):
    path.write_text(f'{{"format":1,"journal":"kbai","plan":{plan},"plan_id":"0"}}\n')
    refuse(path, "header")


def test_what_differs_between_two_plans_is_told_in_a_short_sentence(path):
    fill(path, "a", plan={"x" * 1000: "y" * 1000})
    with pytest.raises(StoreError) as caught:
        open_journal(path, PLAN)
    assert len(str(caught.value)) < len(str(path)) + 300


def test_an_id_is_never_counted_twice(path):
    text = fill(path, "a", "b")
    with open_journal(path, PLAN) as journal:
        with pytest.raises(StoreError, match="'a' is in the journal already"):
            journal.append("a", {})
    assert path.read_bytes() == text
    lines = text.splitlines(keepends=True)
    path.write_bytes(text + lines[1] + lines[2])
    assert ids(path) == ["a", "b"]
    with open_journal(path, PLAN) as journal:
        assert (journal.done, journal.torn) == ({"a", "b"}, 0)
    path.write_bytes(text + b'{"id":"a","payload":{"gold":[9,9]}}\n')
    refuse(path, "line 4: task 'a' occurs twice, with different results")


@pytest.mark.parametrize(("changes", "words"), [
    ({"seed": 8}, r"another plan: seed was 7, now 8\.$"),
    ({"bots": ["random", "mcts:visits=9"]},
     r'another plan: bots\.1 was "greedy", now "mcts:visits=9"\.$'),
    ({"bots": ["random"]}, r'bots\.1 was "greedy", now missing'),
    ({"size": {"x": 1}}, r"size\.x was missing, now 1"),
    ({"seed": 7.0}, r"seed was 7, now 7\.0"),
    ({"a": 1, "b": 1, "c": 1, "d": 1}, r"; and 1 more\.$"),
    ({"bots": {"0": "random", "1": "greedy"}}, "nested differently"),
])  # fmt: skip
def test_a_journal_of_another_plan_says_what_differs(path, changes, words):
    fill(path, "a")
    refuse(path, words, {**PLAN, **changes})


def test_a_key_of_the_plan_may_be_left_free(path):
    text = fill(path, "a")
    other = {**PLAN, "seed": 8}
    with open_journal(path, other, may_differ={"seed", "unknown"}) as journal:
        assert journal.done == {"a"}
    assert path.read_bytes() == text and read_header(path).plan == PLAN
    with pytest.raises(StoreError, match=r"another plan: seats was 2, now 3\.$"):
        open_journal(path, {**other, "seats": 3}, may_differ={"seed"})


@pytest.mark.parametrize(
    "text",
    [
        "kingdom builder\n",
        "\n",
        '{"format":1}\n',
        '{"format":0',
        "[]",
        '{"format":1,"journal":"chess","plan":{},"plan_id":""}\n',
    ],
)
def test_a_file_that_is_no_journal_is_left_alone(path, text):
    path.write_text(text)
    refuse(path, "expected a journal")


def test_a_header_that_was_changed_or_is_from_later_is_refused(path):
    text = fill(path, "a")
    path.write_bytes(text.replace(b'"seed":7', b'"seed":8'))
    refuse(path, "does not match", {**PLAN, "seed": 8})
    path.write_bytes(text.replace(b'"format":1', b'"format":2'))
    refuse(path, "format 2 of journals is unknown, known is 1")


def test_a_folder_a_missing_folder_and_a_device_are_refused(tmp_path):
    refuse(tmp_path, "this is a folder")
    refuse(tmp_path / "no" / "games.jsonl", "could not open .*: No such file")
    refuse(Path(os.devnull), "not a regular file")
    with pytest.raises(StoreError, match="could not open .*: No such file"):
        read_header(tmp_path / "none")


def test_no_permission_is_one_sentence(path, monkeypatch):
    # Told by the system in its own way, for whoever runs the tests may be allowed everything.
    def denied(*_args, **_kwargs):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    fill(path, "a")
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", denied)
        refuse(path, "could not open .*: Permission denied")
    monkeypatch.setattr("builtins.open", denied)
    with pytest.raises(StoreError, match="could not open .*: Permission denied"):
        read_header(path)


def full(*_args):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def half(file, data, real=os.write):
    """Take ten bytes, then nothing more, as a disk does that gets full."""
    return real(file, data[:10]) if data.startswith(b"{") else full()


@pytest.mark.parametrize(("call", "fake"), [("write", full), ("write", half), ("fsync", full)])
def test_a_full_disk_leaves_the_file_whole(path, monkeypatch, call, fake):
    kept = fill(path, "a")
    with open_journal(path, PLAN) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(os, call, fake)
            with pytest.raises(StoreError, match=r"could not write to .*: No space left .*\.$"):
                journal.append("b", {"x": "y" * 100})
        assert path.read_bytes() == kept and journal.done == {"a"}
        with pytest.raises(StoreError, match="closed"):  # who goes on looks at the file again
            journal.append("b", {})
    assert fill(path, "b").startswith(kept)


@pytest.mark.parametrize(("call", "fake"), [("write", full), ("write", half), ("fsync", full)])
def test_a_disk_too_full_for_the_header(path, monkeypatch, call, fake):
    with monkeypatch.context() as patch:
        patch.setattr(os, call, fake)
        with pytest.raises(StoreError, match="could not write to .*: No space left"):
            open_journal(path, PLAN)
    assert path.read_bytes() == b""
    assert fill(path, "a")


def test_a_limit_of_the_system_leaves_the_file_whole(path):
    resource = pytest.importorskip("resource", reason="limits of file sizes need POSIX")
    kept = fill(path, "a")
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    with open_journal(path, PLAN) as journal:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(kept) + 50, old[1]))
        try:
            with pytest.raises(StoreError, match="could not write to .*: File too large"):
                journal.append("b", {"x": "y" * 1000})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert path.read_bytes() == kept


def test_an_interrupt_leaves_a_task_done_or_not_done(path, monkeypatch):
    def interrupted(file, real=os.fsync):
        real(file)
        monkeypatch.undo()
        raise KeyboardInterrupt

    kept = fill(path, "a")
    with open_journal(path, PLAN) as journal:
        monkeypatch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            journal.append("b", {})
        assert journal.done == {"a"} and path.read_bytes() == kept


def test_lines_that_come_together_are_one_write_and_on_the_disk_together(path, monkeypatch):
    calls = []
    for name in ("write", "fsync"):
        real = getattr(os, name)
        monkeypatch.setattr(
            os, name, lambda file, *data, real=real, name=name: (
                calls.append((name, *data)), real(file, *data))[1])  # fmt: skip
    text = fill(path, "a").splitlines(keepends=True)
    folder = [("fsync",)] if hasattr(os, "O_DIRECTORY") else []
    assert calls == [("write", text[0]), ("fsync",), *folder, ("write", text[1]), ("fsync",)]
    calls.clear()
    with open_journal(path, PLAN) as journal:
        journal.append_lines(lines("b", "c"))
    assert calls == [("write", b"".join(lines("b", "c").values())), ("fsync",)]
    assert ids(path) == ["a", "b", "c"]


def test_lines_that_come_together_are_done_together_or_not_at_all(path, monkeypatch):
    kept = fill(path, "a")
    with open_journal(path, PLAN) as journal:
        with pytest.raises(StoreError, match="'a' is in the journal already"):
            journal.append_lines(lines("b", "a"))
        assert path.read_bytes() == kept and journal.done == {"a"}
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", half)
            with pytest.raises(StoreError, match="No space left"):
                journal.append_lines(lines("b", "c"))
        assert path.read_bytes() == kept and journal.done == {"a"}


WRITER = """
import sys, time
from kbai.core.errors import StoreError
from kbai.compute.journal import open_journal
try:
    journal = open_journal(sys.argv[1], {"seed": 1})
except StoreError as error:
    sys.exit(str(error))
print("open", flush=True)
for number in range(int(sys.argv[2])):
    journal.append(f"{sys.argv[3]}{number}", {"text": "x" * 500})
    print(number, flush=True)
time.sleep(600)
"""


def writer(path, tasks, name):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, path, str(tasks), name],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=ROOT,
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no fcntl")
def test_two_processes_cannot_append_to_one_journal(path):
    first = writer(path, 1, "a")
    assert [first.stdout.readline() for _ in range(2)] == ["open\n", "0\n"]
    second = writer(path, 1, "b")
    _, told = second.communicate(timeout=120)
    assert told == f"{path}: another process is adding to this journal.\n"
    assert second.returncode == 1
    assert ids(path) == ["a0"]  # reading is free
    first.kill()  # which lets go of the lock
    first.communicate(timeout=120)
    with open_journal(path, {"seed": 1}) as journal:
        assert journal.done == {"a0"}
        with pytest.raises(StoreError, match="another process"):
            open_journal(path, {"seed": 1})
    open_journal(path, {"seed": 1}).close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
def test_what_was_told_to_be_done_survives_kill_9(path):
    told = set()
    for round in range(5):
        process = writer(path, 10**6, f"{round}-")
        assert process.stdout.readline() == "open\n"
        while process.stdout.readline() != f"{10 * round}\n":
            pass
        process.kill()
        rest, _ = process.communicate(timeout=120)
        last = int((rest.splitlines() or [10 * round])[-1])
        told |= {f"{round}-{number}" for number in range(last)}
    with open_journal(path, {"seed": 1}) as journal:
        assert told <= journal.done
        assert list(dict.fromkeys(ids(path))) == ids(path) and set(ids(path)) == journal.done


@pytest.mark.slow
def test_ten_thousand_games_are_read_quickly_in_little_memory(path, monkeypatch):
    with monkeypatch.context() as patch:  # the file is what counts here, not its safety
        patch.setattr(os, "fsync", lambda file: None)
        with open_journal(path, PLAN) as journal:
            for number in range(10_000):
                journal.append(f"{number}-{number:030}", {"gold": [1, 2], "record": "x" * 3000})
    start = time.process_time()
    assert sum(1 for _ in read_entries(path)) == 10_000
    open_journal(path, PLAN).close()
    assert time.process_time() - start < 3
    tracemalloc.start()
    for count, _ in enumerate(read_entries(path)):
        if count == 100:
            tracemalloc.reset_peak()
            early = tracemalloc.get_traced_memory()[1]
    grown = tracemalloc.get_traced_memory()[1] - early
    tracemalloc.stop()
    assert grown < 5_000_000 < path.stat().st_size / 5  # the ids, not the games
