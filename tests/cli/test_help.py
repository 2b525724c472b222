"""``kbai help``: topics, and commands."""

import re
from dataclasses import fields

import pytest
from commands import run
from places import ROOT

from kbai.analyze.queries import KEYS
from kbai.bots.registry import bot_kinds
from kbai.cli import COMMANDS
from kbai.cli.help import TOPICS
from kbai.content import load
from kbai.game.options import Options, option_values
from kbai.notation.games import parse_game
from kbai.notation.positions import parse_position
from kbai.notation.turns import parse_turn
from kbai.report.help_topics import option_texts

TEXTS = ROOT / "kbai" / "data" / "help"


def topic(name):
    result = run("help", name)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_without_a_topic_all_topics_and_commands_are_listed():
    lines = run("help").stdout.splitlines()
    named = [line.split()[0] for line in lines if line.startswith("  ")]
    assert named == [*TOPICS, *COMMANDS]


def test_every_topic_has_a_text_and_every_text_is_a_topic():
    assert {path.stem for path in TEXTS.glob("*.txt")} == set(TOPICS)
    for name in TOPICS:
        heading, blank, *rest = topic(name).splitlines()
        assert heading and not blank and rest


@pytest.mark.parametrize("path", sorted(TEXTS.glob("*.txt")), ids=lambda path: path.stem)
def test_a_text_fits_80_columns(path):
    assert max(map(len, path.read_text("utf-8").splitlines())) <= 80


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in TOPICS])
def test_the_help_of_a_command_is_what_it_says_itself(name):
    assert run("help", name).stdout == run(name, "--help").stdout


def test_a_name_is_read_forgivingly():
    assert topic("Notation") == topic("notation")


def test_an_unknown_name_is_one_sentence_and_exit_code_2():
    result = run("help", "notatoin")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "unknown topic or command 'notatoin'; did you mean 'notation'?" in result.stderr


def test_the_options_are_those_of_the_code_with_their_values():
    text = topic("options")
    assert list(option_texts()) == [field.name for field in fields(Options)]
    for field in fields(Options):
        default = str(field.default).lower()
        others = [str(value).lower() for value in option_values(field.name)]
        others.remove(default)
        assert f"\n{field.name}={default}\n    {', '.join(others)}: " in text


def test_the_sets_and_bots_are_those_of_the_code():
    sets, bots = topic("sets"), topic("bots")
    assert [name for name in load().sets if f"\n{name} " not in sets] == []
    assert [kind.name for kind in bot_kinds() if f"\n{kind.name} " not in bots] == []
    assert bots.endswith(run("bots").stdout)


def test_the_examples_of_the_texts_can_be_read():
    files = [
        "\n".join(line.removeprefix("  ") for line in part.splitlines())
        for part in topic("files").split(":\n\n")[1:]
    ]
    position, game = (text.partition("\n\nThe board")[0].partition("\n\n'#'")[0] for text in files)
    assert parse_position(position).board.seats == 2
    assert len(parse_game(game).turns) == 2
    line = next(line for line in topic("notation").splitlines() if line.startswith("  12 "))
    assert parse_turn(line).number == 12


def test_the_topic_of_queries_has_every_key():
    listed = re.findall(r"^  (\w+)  ", topic("queries"), re.M)
    assert sorted(listed) == sorted([*KEYS, "error"])


def test_the_actions_of_the_notation_are_words_of_the_game():
    every = load()
    words = {*every.locations, *every.nomads, "canoe", "pass", "choose"}
    named = re.findall(r"\b([a-z_]+):[a-z]", topic("notation"))
    assert len(named) > 15 and set(named) <= words


def test_no_help_text_names_a_page_that_is_not_installed():
    for name in COMMANDS:
        assert "docs/" not in run(name, "--help").stdout
    for name in TOPICS:
        assert "docs/" not in topic(name)
