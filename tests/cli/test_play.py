"""``kbai play`` over a pipe: whole games, what is typed wrong, and where games are kept."""

import errno
import random
import re

import pytest
from commands import run
from positions import GAME_TEXT, START

from kbai.core.files import write_text
from kbai.game.setup import Setup
from kbai.notation.actions import format_step
from kbai.notation.games import format_game, parse_game
from kbai.play.bots import BotTable, let_bots_play
from kbai.play.live import Waiting, begin, play_step


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Play in a folder of its own: games are kept where one plays."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play_by_lines(live, seed):
    """Play a game at random with the library; return it and the lines a person would type."""
    generator = random.Random(seed)
    lines = []
    with BotTable() as bots:
        live = let_bots_play(live, bots)
        while live.waiting() is not Waiting.OVER:
            position = live.position()
            step = generator.choice(position.legal())
            text = format_step(position, step)
            # Half of the time with spaces, as people type.
            if generator.random() < 0.5 and not text.startswith("choose"):
                text = " ".join(re.findall(r"[^\s:@=-]+", text))
            lines.append("" if text == "end" and generator.random() < 0.5 else text)
            live = let_bots_play(play_step(live, step), bots)
    return live, lines


@pytest.mark.parametrize(("sets", "seats"), [("base", 2), ("all", 3)])
def test_a_whole_game_over_a_pipe(folder, sets, seats):
    arguments = ("--sets", sets, "--seats", seats, "--seed", 8, "--bot", "random", "--ascii")
    drawn = run("new", "--seats", seats, "--sets", sets, "--seed", 8, "--format", "kbg")
    start = parse_game(drawn.stdout).start
    live, lines = play_by_lines(begin(start, players=("", *["random"] * (seats - 1)), seed=8), 1)
    result = run("play", *arguments, text="\n".join(lines) + "\n")
    assert result.exit_code == 0, result.stderr
    assert (folder / "game-8.kbg").read_text() == format_game(live.game())
    assert "The game is over:" in result.stdout and "total" in result.stdout
    assert result.stderr.endswith("note: to see what each turn cost: kbai review game-8.kbg\n")
    assert max(map(len, result.stdout.splitlines())) <= 80 or sets == "all"


def test_a_game_is_kept_and_goes_on_as_if_nothing_had_happened(folder):
    start = Setup.first_game().start_position()
    live, lines = play_by_lines(begin(start, players=("", "random"), seed=8), 2)
    first = run(
        "play", "--first-game", "--seed", 8, "--bot", "random", text="\n".join(lines[:7]) + "\n"
    )
    assert first.exit_code == 0
    assert first.stderr == "note: the game is kept; to go on: kbai play game-8.kbg\n"
    second = run("play", "game-8.kbg", text="\n".join(lines[7:]) + "\n")
    assert (second.exit_code, [*folder.iterdir()]) == (0, [folder / "game-8.kbg"])
    assert (folder / "game-8.kbg").read_text() == format_game(live.game())


def test_wrong_lines_are_told_on_stderr_and_nothing_happens():
    wrong = [
        "c7",
        "z99",
        "tavern a1",
        "barn c7",
        "end",
        "",
        "xyzzy",
        "undo",
        "? q",
        "\x1b[31m",
        "7",
    ]
    wrong += [
        "save /no/such/folder/x.kbg",
        "save \0",
        "c7 d7",
        "é" * 3000,
        "stop",
        "pass",
        "=flower",
    ]
    result = run("play", "--first-game", "--seed", 8, "--bot", "greedy", text="\n".join(wrong))
    assert result.exit_code == 0
    assert len(result.stderr.splitlines()) == len(wrong) + 1
    assert all(line.endswith((".", "kbg")) for line in result.stderr.splitlines()), result.stderr
    assert "\x1b" not in result.stderr + result.stdout
    assert result.stdout.count("left gold") == 1


def test_a_command_with_a_slip_is_guessed():
    result = run("play", "--first-game", "--seed", 8, "--bot", "greedy", text="endd\nundu\n")
    assert "unknown word 'endd'; did you mean 'end'?\n" in result.stderr
    assert "unknown word 'undu'; did you mean 'undo'?\n" in result.stderr


def test_a_person_can_ask_for_everything(folder):
    lines = (
        "?\n? a1\n? b1\nwhy b1\nhint\nwhy\nscore\nboard\nhelp\nsave Copy.kbg\nsave Copy.kbg\nquit\n"
    )
    result = run("play", "--first-game", "--seed", 8, "--visits", 50, text=lines)
    assert result.exit_code == 0
    for part in (
        "cells ", "is possible", "(R3.2)", "hint: ", "% to win", "Best turns for red", "castles",
        "take back the last action",
    ):  # fmt: skip
        assert part in result.stdout, part
    assert "the game is kept in game-8.kbg and Copy.kbg." in result.stderr
    assert "Copy.kbg exists; name another file." in result.stderr
    assert (folder / "Copy.kbg").read_text() == (folder / "game-8.kbg").read_text()
    assert result.stdout.count("left gold") == 2


def test_the_cards_are_typed_if_the_box_is_on_the_table(folder):
    lines = "flower\nn16 o15 p15\n\nlava\ngrass h8 i8 j8 end\nundo\nh8 i8\nundo\n"
    result = run("play", "--first-game", "--told", "--save", "ours.kbg", text=lines)
    assert result.exit_code == 0
    assert "unknown card 'lava'" in result.stderr
    assert "Players: red you, blue you" in (folder / "ours.kbg").read_text()
    assert "Seed" not in (folder / "ours.kbg").read_text()
    assert "1 red flower: n16 o15 p15\n2 blue grass: h8 ..." in (folder / "ours.kbg").read_text()


def test_the_cards_of_bots_are_told_as_well(folder):
    lines = "flower n16 o15 p15 end\ngrass\ndesert\nundo\nundo\n"
    arguments = ("--first-game", "--told", "--bot", "random", "--seed", 5)
    result = run("play", *arguments, text=lines)
    assert result.exit_code == 0
    assert re.search(r"^2 blue grass: ", result.stdout, re.M)
    assert "Turn 3: you (red) to move with desert" in result.stdout
    # The card of turn 3 was taken back, then blue's turn and its card.
    text = (folder / "game-5.kbg").read_text()
    assert "1 red flower: n16 o15 p15\n\n# Variation 1 after turn 1\n#   2 blue grass: " in text


@pytest.mark.parametrize(
    ("arguments", "seats"),
    [
        ("--bot random", "red,blue"),
        ("--bot random --seat purple", "red,purple"),
        ("--bot random --bot greedy --seat green", "red,blue,green"),
        ("--bot random --seat white --seat black", "red,white,black"),
    ],
)
def test_the_seats_of_a_new_game_are_yours_and_the_first_others(folder, arguments, seats):
    assert run("play", "--seed", 5, *arguments.split(), text="").exit_code == 0
    assert f"\nSeats: {seats}\n" in (folder / "game-5.kbg").read_text()


def test_a_turn_that_cannot_be_saved_is_told_and_the_game_goes_on(folder, monkeypatch):
    calls = []

    def first_only(path, text):
        calls.append(path)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        write_text(path, text)

    monkeypatch.setattr("kbai.play.files.write_text", first_only)
    result = run("play", "--first-game", "--told", text="flower n16 o15 p15 end\nscore\n")
    assert len(calls) == 3 and "total" in result.stdout
    assert result.stderr.count("No space left on device") == 2


def test_resigning_is_noted():
    result = run("play", "--first-game", "--seed", 8, "--bot", "random", text="resign\n")
    assert result.exit_code == 0
    assert "red resigns." in result.stdout and "total" in result.stdout
    with open("game-8.kbg") as file:
        assert "Note: red resigned" in file.read()


def test_who_resigns_may_review_the_turns_so_far():
    options = ("play", "--first-game", "--seed", 8, "--told")
    review = "to see what each turn cost: kbai review game-8"
    assert review not in run(*options, text="resign\n").stderr  # there is none
    text = "flower n16 o15 p15 end\nresign\n"
    result = run(*options, text=text)
    assert result.exit_code == 0 and review in result.stderr


def test_a_game_begins_at_a_position_and_on_a_seat_of_ones_own():
    result = run("play", START, "--bot", "greedy", "--seat", "blue", "--seed", 3, text="")
    assert result.exit_code == 0
    assert result.stdout.startswith("1 red flower: ")
    assert "you (blue) to move" in result.stdout
    with open("game-3.kbg") as file:
        text = file.read()
    assert "Position: kb1 " in text and "Players: red greedy, blue you" in text


def test_a_game_file_with_comments_is_not_overwritten(folder):
    (folder / "ours.kbg").write_text(GAME_TEXT + "# a good turn\n")
    result = run("play", "ours.kbg", "--seed", 3, "--bot", "random", text="")
    assert "the game goes on in another file" in result.stderr
    assert (folder / "ours.kbg").read_text() == GAME_TEXT + "# a good turn\n"
    assert (folder / "game-3.kbg").exists()


def test_a_finished_game_is_shown_and_not_saved_again(folder):
    start = Setup.first_game().start_position()
    live, _ = play_by_lines(begin(start, players=("", "random"), seed=8), 2)
    text = format_game(live.game())
    (folder / "done.kbg").write_text(text)
    result = run("play", "done.kbg", text="")
    assert result.exit_code == 0 and "The game is over:" in result.stdout
    assert (folder / "done.kbg").read_text() == text


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("--bot", "nobody"), 2, "unknown bot 'nobody'"),
        (("--bot", "cmd:no-such-program"), 2, "there is no program 'no-such-program'"),
        (("--bot", "py:none.py:Bot"), 2, "could not make a bot of 'none.py:Bot'"),
        (("--bot", "greedy", "--bot", "greedy", "--seats", "2"), 2, "expected one --bot or 1"),
        (("--seats", "2", "--seat", "green"), 2, "--seat green is not in this game (red, blue)"),
        (("--first-game", "--cards", "lords"), 2, "--first-game works only with"),
        ((START, "--cards", "lords"), 2, "do not work with INPUT"),
        (("no-such-file",), 1, "expected a file to read"),
        (("kb1 board=a red=- blue=-",), 1, "expected the names of the scoring cards"),
        (("--save", "no/such/x.kbg", "--seed", "1"), 1, "expected a file to save the game in"),
        (("--save", "taken.kbg", "--seed", "1"), 1, "taken.kbg exists"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_happens(
    folder, arguments, code, sentence
):
    (folder / "taken.kbg").write_text("mine")
    result = run("play", *arguments, text="")
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr
    assert [path.name for path in folder.iterdir()] == ["taken.kbg"]
    assert (folder / "taken.kbg").read_text() == "mine"


def test_a_game_that_cannot_be_kept_is_not_said_to_be(folder, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    def write_once(path, text):
        monkeypatch.setattr("kbai.play.files.write_text", full)

    monkeypatch.setattr("kbai.play.files.write_text", write_once)
    result = run("play", "--first-game", "--seed", 8, "--bot", "random", text="quit\n")
    assert result.exit_code == 1
    reason = "expected a file to save the game in, got 'game-8.kbg': No space left on device."
    assert result.stderr.endswith(f"Error: {reason}\n")
    assert "is kept" not in result.stderr
