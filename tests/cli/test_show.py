"""``kbai show``: what it draws, in which style, and what it refuses."""

from __future__ import annotations

import pytest
from commands import run
from drawings import hex_at, line_of

from kbai.cli.drawing import drawing_style
from kbai.game.cells import format_cell

GAME = """
Board: tavern,paddock,oasis,farm
Cards: fishermen,knights,merchants
Seats: red,blue

1 red flower: n16 o15 o17
2 blue canyon: c11 ...
"""


class Stream:
    """A stdout with an encoding that is or is not a terminal."""

    def __init__(self, encoding: str | None, is_terminal: bool) -> None:
        self.encoding = encoding
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


def bracketed(drawing: str) -> set[str]:
    cells = ((row, col) for row in range(20) for col in range(20))
    return {
        format_cell(row * 20 + col) for row, col in cells if hex_at(drawing, row, col)[::3] == "[]"
    }


@pytest.mark.parametrize(
    ("environment", "terminal", "asked", "color"),
    [
        ({}, True, None, True),
        ({}, False, None, False),
        ({}, False, True, True),
        ({}, True, False, False),
        ({"NO_COLOR": "1"}, True, None, False),
        ({"NO_COLOR": ""}, True, None, True),
        ({"NO_COLOR": "1"}, True, True, True),
        ({"TERM": "dumb"}, True, None, False),
    ],
)
def test_color_is_for_terminals_that_want_it(
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    terminal: bool,
    asked: bool | None,
    color: bool,
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", Stream("utf-8", terminal))
    style = drawing_style(asked, False)
    monkeypatch.undo()
    assert style == {"color": color, "ascii": False}


@pytest.mark.parametrize(
    ("encoding", "asked", "ascii_only"),
    [
        ("utf-8", False, False),
        ("utf-8", True, True),
        ("ascii", False, True),
        ("latin-1", False, True),
        ("no-such-encoding", False, True),
        (None, False, True),
    ],
)
def test_ascii_is_for_streams_that_cannot_do_better(
    monkeypatch: pytest.MonkeyPatch, encoding: str | None, asked: bool, ascii_only: bool
) -> None:
    monkeypatch.setattr("sys.stdout", Stream(encoding, False))
    style = drawing_style(None, asked)
    monkeypatch.undo()
    assert style["ascii"] is ascii_only


def test_show_without_input_draws_the_first_game() -> None:
    result = run("show", "--ascii")
    assert result.exit_code == 0
    assert result.output.isascii()
    assert "Cards       fishermen, knights, merchants" in result.output
    assert bracketed(result.output) == set()


def test_show_colors_only_when_asked_if_not_on_a_terminal() -> None:
    assert "\x1b" not in run("show").output
    assert "\x1b[" in run("show", "--color").output


def test_show_reads_a_line() -> None:
    line = "kb1 board=tavern,paddock,oasis,farm cards=lords red=c3 blue=- turn=blue card=forest"
    result = run("show", line, "--ascii")
    assert hex_at(result.output, 2, 2) == " R* "
    assert line_of(result.output, "Turn") == "Turn        blue to move with forest"


def test_show_of_a_game_draws_its_end_with_the_last_turn_bracketed() -> None:
    result = run("show", "-", text=GAME)
    assert result.exit_code == 0, result.output
    assert bracketed(result.output) == {"c11"}
    assert line_of(result.output, "Turn").endswith("; 2 houses left to build")


@pytest.mark.parametrize("turn", ["2", "last", "LAST"])
def test_show_before_a_turn_prints_the_turn_and_brackets_the_one_before(turn: str) -> None:
    result = run("show", "-", "--turn", turn, text=GAME)
    assert result.exit_code == 0, result.output
    first, empty, drawing = result.output.split("\n", 2)
    assert (first, empty) == ("2 blue canyon: c11 ...", "")
    assert bracketed(drawing) == {"n16", "o15", "o17"}
    assert line_of(drawing, "Turn").startswith("Turn        blue to move, card not turned up yet")


def test_show_before_the_first_turn_brackets_nothing() -> None:
    result = run("show", "-", "--turn", "1", text=GAME)
    assert result.output.startswith("1 red flower: n16 o15 o17\n\n")
    assert bracketed(result.output.split("\n", 2)[2]) == set()


def test_show_of_a_game_without_turns_draws_its_start() -> None:
    game = GAME.partition("1 red")[0]
    for arguments in ((), ("--turn", "last"), ("--turn", "1")):
        result = run("show", "-", *arguments, text=game)
        assert result.exit_code == 0, result.output
        assert "red to move, card not turned up yet" in result.output


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--turn", "9"), 1, "expected the number of a turn from 1 to 3, got 9."),
        (("--turn", "first"), 2, "expected the number of a turn or 'last', got 'first'."),
        (("--turn", "-1"), 2, "expected the number of a turn or 'last', got '-1'."),
    ],
)
def test_show_explains_a_wrong_turn(arguments: tuple[str, ...], code: int, message: str) -> None:
    result = run("show", "-", *arguments, text=GAME)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stdout == ""


def test_show_of_a_position_has_no_turns() -> None:
    result = run("show", "--turn", "1")
    assert result.exit_code == 2
    assert "--turn needs a game file, but INPUT is a position." in result.stderr
