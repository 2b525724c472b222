"""Defaults of the user: the configuration file, and variables ``KBAI_...``."""

import importlib
import json

import click
import pytest
from commands import run

from kbai.cli import COMMANDS
from kbai.cli.config import name_variables

QUICK = "visits = 8\nseed = 1\n"


@pytest.fixture
def config(tmp_path, monkeypatch):
    """Return a function that writes the configuration file."""
    path = tmp_path / "kbai.toml"
    monkeypatch.setenv("KBAI_CONFIG", str(path))
    path.write_text("")

    def write(text):
        path.write_text(text, "utf-8")
        return path

    return write


def suggested(*arguments):
    result = run("suggest", "--format", "json", *arguments)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_the_file_gives_defaults_by_command(config):
    config(f"[suggest]\n{QUICK}top = 2\n[show]\nascii = true\n")
    found = suggested()
    assert (found["visits"], found["seed"], len(found["turns"])) == (8, 1, 2)
    assert run("show").stdout == run("show", "--ascii").stdout


def test_what_is_typed_wins_over_a_variable_and_that_over_the_file(config, monkeypatch):
    config(f"[suggest]\n{QUICK}top = 2\n")
    monkeypatch.setenv("KBAI_SUGGEST_TOP", "3")
    assert len(suggested()["turns"]) == 3
    assert len(suggested("--top", "1")["turns"]) == 1


def test_a_default_yields_to_the_option_that_contradicts_it(config):
    config("[suggest]\ntime = 1000\nseed = 1\nrollouts = 5\n")
    assert suggested("--visits", "8", "--no-rollouts")["visits"] == 8
    config('[new]\ncards = "lords"\nsets = "all"\nseed = 1\n')
    assert "fishermen" in run("new", "--first-game").stdout


def test_names_may_be_a_list_and_keys_may_have_dashes(config):
    config('[new]\nseed = 1\nsets = ["nomads"]\n')
    from_list = run("new").stdout
    config('[new]\nseed = 1\nsets = "nomads"\nfirst-game = false\n')
    assert from_list == run("new").stdout == run("new", "--seed", 1, "--sets", "nomads").stdout
    config('[new]\nseed = 1\noption = ["lost_tiles_return=true"]\n')
    assert "lost_tiles_return" in run("new").stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# one\n[sugest]\n", "line 2: unknown command 'sugest'; did you mean 'suggest'?"),
        ("[suggest]\n\nvisit = 3\n", "line 3: unknown option 'visit'; did you mean 'visits'?"),
        ("[suggest]\nvisits = 'x'\n", "line 2: visits: 'x' is not a valid integer range."),
        ("[suggest]\ntop = 1.5\n", "line 2: top: '1.5' is not a valid integer range."),
        ("suggest.top = 0\n", "line 1: top: 0 is not in the range 1<=x<=100."),
        ("[suggest]\ntop = true\n", "line 2: expected a text or a number for top, got true."),
        ("[suggest]\nboard = 1\n", "line 2: expected true or false for board, got 1."),
        ("[suggest]\ncard = 'xyz'\n", "line 2: card: unknown card 'xyz'"),
        ("show = 3\n", "line 1: expected a table [show] with options, got 3."),
        ("[suggest\n", "line 1: expected TOML: Expected ']'"),
        ("[suggest]\n[suggest]\n", "line 2: expected TOML: Cannot declare"),
    ],
)
def test_a_wrong_file_is_one_sentence_with_the_place(config, text, message):
    path = config(text)
    result = run("suggest", "--visits", "8") if "visits" not in text else run("suggest")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {path}, {message}")
    assert result.stderr.count("\n") == 1


def test_what_only_the_set_up_finds_wrong_has_its_place_too(config):
    path = config('[new]\nseed = 1\n\ncards = "fisch"\n')
    assert run("new").stderr.startswith(f"Error: {path}, line 4: cards: unknown card 'fisch'")
    assert "kbai.toml" not in run("new", "--cards", "fisch").stderr


def test_a_wrong_variable_is_named(monkeypatch):
    monkeypatch.setenv("KBAI_SUGGEST_VISITS", "many")
    result = run("suggest")
    assert result.exit_code == 2
    assert result.stderr == "Error: KBAI_SUGGEST_VISITS: 'many' is not a valid integer range.\n"


@pytest.mark.parametrize(
    ("variable", "note"),
    [
        (
            "KBAI_SUGGEST_VISIT",
            "note: unknown variable 'KBAI_SUGGEST_VISIT'; did you mean 'KBAI_SUGGEST_VISITS'?",
        ),
        (
            "KBAI_SUGEST_VISITS",
            "note: KBAI_SUGEST_VISITS: unknown command 'sugest'; did you mean 'suggest'?",
        ),
        ("KBAI_", "note: KBAI_: unknown command ''"),
        ("KBAI_SUGGEST_VISITS", ""),
        ("KBAI_REVIEW_VISIT", ""),  # of another command, whose options are not loaded
        ("KBAI_BASELINE", ""),
        ("KBAIX", ""),
    ],
)
def test_a_variable_that_nothing_reads_is_told(variable, note, monkeypatch):
    monkeypatch.setenv(variable, "8")
    result = run("suggest", "--time", "0.01", "--visits", "8", "--seed", "1", "--format", "json")
    assert result.exit_code == 0
    told = [line for line in result.stderr.splitlines() if "KBAI" in line]
    assert len(told) == bool(note)
    assert all(line.startswith(note) for line in told)
    assert run("suggest", "--help").stderr == ""


def test_a_file_that_is_named_must_be_there(tmp_path, monkeypatch):
    monkeypatch.setenv("KBAI_CONFIG", str(tmp_path / "nowhere.toml"))
    assert "expected a configuration file, got" in run("show").stderr
    monkeypatch.setenv("KBAI_CONFIG", str(tmp_path))
    assert "Is a directory" in run("show").stderr


def test_a_file_that_is_no_text_is_told(tmp_path, monkeypatch):
    path = tmp_path / "binary.toml"
    path.write_bytes(b"\xff\xfe\x00")
    monkeypatch.setenv("KBAI_CONFIG", str(path))
    result = run("show")
    assert result.exit_code == 2 and "binary.toml" in result.stderr


def test_help_works_whatever_the_file_says(config):
    config("[")
    for arguments in (["suggest", "--help"], ["help"], ["help", "config"], ["--help"]):
        assert run(*arguments).exit_code == 0


def test_every_option_of_every_command_has_a_variable_of_its_own():
    for name, (module, _) in COMMANDS.items():
        command = importlib.import_module(module).command
        name_variables(command, name)
        options = [param for param in command.params if isinstance(param, click.Option)]
        variables = [option.envvar for option in options]
        assert len({*variables}) == len(variables)
        assert all(variable.startswith(f"KBAI_{name.upper()}_") for variable in variables)


def test_the_example_of_the_topic_is_read(config):
    text = run("help", "config").stdout
    example = text.partition("long names:\n\n")[2].partition("\nA variable")[0]
    config(f"[suggest]\n{QUICK}")
    lines = "\n".join(line.strip() for line in example.splitlines())
    config(lines + "\nseed = 1\n")
    assert (
        run("new").stdout
        == run("new", "--seed", 1, "--sets", "nomads,crossroads", "--seats", 4).stdout
    )
    assert len(suggested("--visits", "8", "--seed", "1")["turns"]) == 3
