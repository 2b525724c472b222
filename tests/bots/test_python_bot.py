"""Bots of one's own in a Python file."""

import json
import subprocess
import textwrap

import pytest
from commands import run, start
from positions import START

from kbai.bots.protocol import View
from kbai.bots.specs import make_bot, parse_spec
from kbai.core.errors import BotError
from kbai.notation.positions import parse_position


@pytest.fixture
def file(tmp_path):
    (tmp_path / "beside_bot.py").write_text("INDEX = -1\n")
    path = tmp_path / "my bot.py"
    path.write_text(
        textwrap.dedent("""
            import beside_bot

            class Last:
                def choose(self, view):
                    return view.position.legal()[beside_bot.INDEX]

            class Wrong:
                def choose(self, view):
                    return 12345

            class Broken:
                def choose(self, view):
                    return view.nothing

            class Unready(Last):
                def begin(self):
                    raise OSError("no book")

            class Leaving(Last):
                def choose(self, view):
                    raise SystemExit("good bye")

            class Clinging(Last):
                def close(self):
                    raise OSError("no end")

            class Chatty(Last):
                def __init__(self):
                    print("made")

                def choose(self, view):
                    print("asked")
                    return super().choose(view)

            class Picky:
                def __init__(self, size):
                    pass

            NUMBER = int
            """)
    )
    return path


def test_a_class_of_a_file_is_a_bot(file):
    position = parse_position(START)
    bot = make_bot(f"py:'{file}:Last'")
    assert bot.choose(View(position, 0, 0)) == position.legal()[-1]
    assert str(parse_spec(bot.spec)) == bot.spec
    bot.close()


@pytest.mark.parametrize("workers", [("--threads",), ("--workers", 2)])
def test_it_plays_matches_on_any_workers(file, workers):
    result = run("match", f"py:'{file}:Last'", "random", "--groups", 1, "--seed", 1, *workers)
    assert result.exit_code == 0
    assert "1 group, 2 games" in result.stdout
    assert "gave a game up" not in result.stdout


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Wrong", "expected a legal step, got 12345."),
        ("Broken", "AttributeError: 'View' object has no attribute 'nothing'."),
        ("Unready", "OSError: no book."),
        ("Leaving", "SystemExit: good bye."),
    ],
)
def test_a_fault_costs_the_game_and_the_first_reason_is_shown(file, name, reason, tmp_path):
    journal = tmp_path / "match.jsonl"
    result = run(
        "match", f"py:'{file}:{name}'", "random", "--groups", 1, "--seed", 1, "--out", journal,
        "--threads",
    )  # fmt: skip
    assert result.exit_code == 0
    for text in (result.stdout, run("standings", journal).stdout, run("export", journal).stdout):
        words = " ".join(text.split())
        assert words.count(reason) == 1
        assert "Why a bot first gave a game up: " in words
    assert reason in run("standings", journal, "--format", "json").stdout


@pytest.mark.parametrize("workers", [("--threads",), ("--workers", 1)])
def test_what_a_bot_prints_is_no_data(file, workers):
    process = start(
        "match", f"py:'{file}:Chatty'", "random", "--groups", 1, "--seed", 1,
        "--format", "json", *workers,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    data, talk = process.communicate(timeout=60)
    assert json.loads(data)["games"] == 2
    assert {b"made", b"asked"} <= set(talk.split())


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("", "expected a program as in 'py:bot.py:Bot', got none."),
        ("bot.py", "expected a file and a class as in 'py:bot.py:Bot', got 'bot.py'."),
        ("'{file}:Lost'", "my bot.py: unknown class 'Lost'; did you mean 'Last'?"),
        ("'{file}:Clinging'", "OSError: no end."),
        ("'{file}:Picky'", "TypeError: "),
        ("'{file}:NUMBER'", "expected a class with a method 'choose', got "),
        ("{file.parent}/none.py:Bot", "FileNotFoundError: "),
        ("{file.parent}/none:Bot", "ImportError: "),
    ],
)
def test_what_is_wrong_is_said_before_a_game_is_lost(file, program, sentence):
    spec = f"py:{program}".format(file=file)
    with pytest.raises(BotError) as caught:
        make_bot(spec).close()
    assert sentence in str(caught.value)
    result = run("match", spec, "random", "--groups", 1)
    assert result.exit_code in (1, 2)
    assert sentence in " ".join(result.stderr.split())
