"""The script that compares two builds: it takes turns, and counts what callgrind saw."""

import os
import re
import subprocess
import sys
from pathlib import Path

from places import ROOT

import kbai

sys.path.append(str(ROOT / "scripts"))  # behind the tests, which have modules of the same names
from callgrind import Cost, costs, read_events, short_name, total

BUILD = Path(kbai.__file__).parents[1]

# As callgrind writes: a name once, then its number; the cost of a call behind its line.
FILE = """events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim
fl=(1) ???
fn=(1) __pyx_f_4kbai_5_fast_score_seat
0 100 30 20 1 2 3 0 0 0 10 4 2 1
cfn=(2) memcpy
calls=2 0
0 900 5 5 0 0 0 0 0 0 9 9
+3 10
fn=(2)
0 40 1
fn=(1)
* 5 1
"""
# A program that answers each workload with the same time.
REFERENCE = """
import sys
for line in sys.stdin:
    print({seconds}, flush=True)
"""


def compare(*args):
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / "compare_builds.py", *args],
        env=os.environ | {"PYTHONPATH": str(BUILD)}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


def test_events_are_those_of_the_function_itself():
    events = read_events(FILE.splitlines())
    assert list(events) == ["__pyx_f_4kbai_5_fast_score_seat", "memcpy"]
    assert events["__pyx_f_4kbai_5_fast_score_seat"]["Ir"] == 100 + 10 + 5
    assert events["memcpy"]["Ir"] == 40


def test_costs_are_the_difference_of_two_runs():
    few = read_events(FILE.splitlines())
    many = {name: events + events + events for name, events in few.items()}
    found = costs(few, many, 10)
    assert found["__pyx_f_4kbai_5_fast_score_seat"] == Cost(23.0, 1.0, 1.2)
    assert total(found).instructions == 23 + 8
    assert short_name(next(iter(found))) == "score_seat"


def test_ratios_are_those_of_the_cpu_time_of_both(tmp_path):
    for name, seconds in (("old", "0.5"), ("new", "0.25")):
        (tmp_path / f"{name}.py").write_text(REFERENCE.format(seconds=seconds))
    commands = [f"cmd:{sys.executable} {tmp_path / name}.py" for name in ("old", "new")]
    done = compare(*commands, "--only", "random base", "--rounds", "3")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^random base +2.000 +2.000-2.000$", done.stdout, re.MULTILINE)


def test_a_build_is_measured_by_every_workload(tmp_path):
    (tmp_path / "slow.py").write_text(REFERENCE.format(seconds="1"))
    slow = f"cmd:{sys.executable} {tmp_path / 'slow.py'}"
    done = compare(slow, str(BUILD), "--rounds", "1")
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert [" ".join(row[:2]) for row in rows] == [
        f"{kind} {sets}" for sets in ("base", "all") for kind in ("random", "informed", "visits")
    ]
    assert all(float(row[2]) > 0 for row in rows)


def test_what_is_no_checkout_is_named(tmp_path):
    done = compare(str(tmp_path), str(BUILD))
    assert done.returncode == 1
    assert done.stderr.strip() == f"no checkout of kbai: {tmp_path}"
