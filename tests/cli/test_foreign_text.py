"""No escape sequence or line break of a file, a journal, a bot or a name reaches the terminal."""

import re

import pytest
from click.testing import CliRunner

from kbai.cli import main
from kbai.report.document import (
    Column,
    Heading,
    Lines,
    Picture,
    Row,
    Table,
    Terms,
    Text,
    document,
)
from kbai.report.document_html import document_html
from kbai.report.document_markdown import document_markdown
from kbai.report.document_text import document_text

EVIL = "\x1b[31m\x9b2J\u202e"
HARMFUL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028\ud800-\udfff]")
GAME = f"""\
Board: tavern,paddock,oasis,farm
Cards: fishermen,knights,merchants
Seats: red,blue
Players: Ann{EVIL}, Bob
Note: a\tb

1 red flower: n16 o15 o17
"""
LINE = "kb1 board=tavern,paddock,oasis,farm cards=lords red=- blue=- turn=red card=none"


def run(*arguments, stdin=None):
    return CliRunner().invoke(main, [*map(str, arguments)], input=stdin)


def assert_harmless(result):
    assert not HARMFUL.search(result.stdout), result.stdout
    assert not HARMFUL.search(result.stderr), result.stderr


def test_the_header_of_a_game_is_printed_harmlessly():
    result = run("convert", "-", stdin=GAME)
    assert result.exit_code == 0
    assert "Players: Ann\\x1b[31m\\x9b2J\\u202e, Bob\nNote: a b\n" in result.stdout
    assert_harmless(result)


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (["show", f"missing{EVIL}\nname"], None),
        (["show", "-"], f"x{EVIL} = 1"),
        (["show", "-"], f'board = "{EVIL}'),
        (["show", "-"], f'{{"a{EVIL}": 1, "b": }}'),
        (["show", f"{LINE} terrain={EVIL}"], None),
        (["show", f"{LINE} {EVIL}=3"], None),
        (["show", "-"], GAME.replace("n16", f"n16{EVIL}")),
        (["show", "--turn", EVIL], None),
        (["show", f"--{EVIL}"], None),
        ([f"show{EVIL}"], None),
        (["content", EVIL], None),
        (["new", "--seed", f"1{EVIL}"], None),
        (["new", "--board", f"tavern{EVIL}"], None),
        (["match", "random", f"greedy{EVIL}"], None),
        (["match", "random", f"cmd:none{EVIL}"], None),
        (["standings", f"missing{EVIL}"], None),
        (["export", f"missing{EVIL}"], None),
        (["review", f"missing{EVIL}", "--no-cache"], None),
        (["rules", f"R3{EVIL}"], None),
        (["help", EVIL], None),
        (["show", "--html", f"none/{EVIL}"], None),
        (["show", "--quadrants", f"none{EVIL}"], None),
    ],
)
def test_an_error_quotes_harmlessly(arguments, stdin):
    result = run(*arguments, stdin=stdin)
    assert result.exit_code in (1, 2)
    assert result.stderr
    assert_harmless(result)


@pytest.mark.parametrize(
    "arguments",
    [["new", "--seed"], ["show", "--turn"], ["content"], ["bots", "--"], ["review", "--turns"], []],
)
def test_an_error_quotes_no_more_than_helps(arguments):
    result = run(*arguments, "x" * 100_000)
    assert result.exit_code in (1, 2)
    assert len(result.stderr) < 2_000


def test_a_file_with_a_harmful_name_is_named_harmlessly(tmp_path):
    path = tmp_path / f"a{EVIL}\nb.toml"
    path.write_text("x = 1")
    result = run("show", path)
    assert "a\\x1b[31m\\x9b2J\\u202e\\nb.toml, line 1, column 1: unknown key 'x'" in result.stderr
    assert_harmless(result)


def test_a_review_names_players_and_files_harmlessly(tmp_path):
    path = tmp_path / f"a{EVIL}.kbg"
    path.write_text(GAME, "utf-8")
    page = tmp_path / "page.html"
    for form in ("text", "markdown"):
        result = run("review", path, "--visits", 2, "--no-cache", "--format", form, "--html", page)
        assert result.exit_code == 0
        assert_harmless(result)
    assert not HARMFUL.search(page.read_text("utf-8").replace("\t", " "))


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_a_summary_names_players_harmlessly(tmp_path, form):
    path = tmp_path / f"a{EVIL}.kbg"
    path.write_text(GAME, "utf-8")
    page = tmp_path / "page.html"
    options = ("--visits", 2, "--no-rollouts", "--no-cache", "--format", form, "--html", page)
    result = run("review", path, "--summary", *options)
    assert result.exit_code == 0
    assert "Ann" in result.stdout
    assert_harmless(result)
    assert not HARMFUL.search(page.read_text("utf-8").replace("\t", " "))


def test_whoever_plays_reads_nothing_harmful(tmp_path):
    path = tmp_path / f"a{EVIL}\nb.kbg"
    path.write_text(GAME, "utf-8")
    typed = f"{EVIL}\n? {EVIL}\nc7{EVIL}\nsave {tmp_path}/x{EVIL}\nquit\n"
    result = run("play", path, "--bot", "greedy", stdin=typed)
    assert result.exit_code == 0
    assert result.stderr.count("\\x1b[31m") >= 4
    assert_harmless(result)


def test_several_problems_are_told_one_a_line(tmp_path):
    for name in (f"a{EVIL}\n.kbg", "b.kbg"):
        (tmp_path / name).write_text("Board: x\n")
    result = run("review", tmp_path, "--no-cache")
    assert result.exit_code == 1
    assert len([line for line in result.stderr.splitlines() if "'Seats' is missing" in line]) == 2
    assert_harmless(result)


def test_every_block_of_a_document_is_shown_harmlessly():
    blocks = document(
        Heading(EVIL),
        Text(EVIL),
        Lines((EVIL,)),
        Table((Column(EVIL),), (Row((f"{EVIL}\n<b>",)),)),
        Terms(((EVIL, EVIL),)),
        Picture(EVIL, ""),
    )
    for render in (document_text, document_markdown, document_html):
        assert not HARMFUL.search(render(blocks))
    assert "<b>" not in document_html(blocks)
