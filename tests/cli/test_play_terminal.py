"""``kbai play`` on a real terminal: a whole game, Ctrl-C, Ctrl-D, Tab, and a sudden end."""

import fcntl
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios

import pytest
from commands import environment, start

from kbai.notation.games import parse_game
from kbai.notation.turns import format_turn
from kbai.play.files import load

# The terminal becomes that of the process, so that it sends Ctrl-C as a signal.
SCRIPT = (
    "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "from kbai.cli import main; main(prog_name='kbai')"
)
PROMPT = re.compile(rb"(\w+> |\[y/N\] )$")
GAME = ("--first-game", "--seed", "4", "--bot", "random")


class Terminal:
    """kbai on a terminal of 24 lines, and of 80 columns unless it is narrower."""

    def __init__(self, folder, *arguments, columns=80):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, "play", *arguments],
            env=environment(TERM="xterm", COLUMNS=str(columns), LINES="24"),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            start_new_session=True,
        )
        os.close(slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def read(self):
        """Return what is shown up to the next prompt, or up to the end."""
        seen = b""
        while not PROMPT.search(seen):
            assert select.select([self.master], [], [], 60)[0], seen
            try:
                more = os.read(self.master, 4096)
            except OSError:
                more = b""
            if not more:
                break
            seen += more
        return seen.decode().replace("\r", "")

    def type(self, text):
        os.write(self.master, text.encode())
        return self.read()

    def press(self, key):
        """Press a key until something happens.

        A signal that comes between the prompt and the wait for input waits for input, too.
        """
        while True:
            os.write(self.master, key.encode())
            if select.select([self.master], [], [], 15)[0]:
                return self.read()

    def end(self):
        """Return the exit code."""
        return self.process.wait(timeout=60)


def choose(listed):
    """Return what a person types next, by what ``?`` lists: a cell, or Enter to end the turn."""
    rows = dict(re.findall(r"^(\w+)(?:  +(.*))?$", listed, re.M))
    return "" if "end" in rows else rows["cells"].split()[0]


@pytest.mark.slow
def test_a_whole_game_with_wrong_inputs_of_every_kind(tmp_path):
    wrong = [
        "z99",
        "c7 c7 c7",
        "\x1b[A\x1b[B",
        "tavern",
        "barn c7",
        "=flower",
        "(",
        "é" * 300,
        "undo",
    ]
    generator = random.Random(1)
    with Terminal(tmp_path, *GAME, "--no-color") as terminal:
        shown = terminal.read()
        for count in range(400):
            if "[y/N]" in shown:
                break
            for line in generator.sample(wrong, 1 if count % 3 == 0 else 0):
                shown = terminal.type(f"{line}\n")
                assert "Traceback" not in shown
            listed = terminal.type("?\n")
            shown = terminal.type(f"{choose(listed)}\n")
            assert max(map(len, shown.split("\n"))) <= 80
        assert "The game is over:" in shown and "merchants" in shown
        terminal.type("n\n")
        assert terminal.end() == 0
    game = parse_game((tmp_path / "game-4.kbg").read_text())
    assert game.result is not None


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_keeps_the_game_and_says_how_to_go_on(tmp_path, key):
    with Terminal(tmp_path, *GAME) as terminal:
        terminal.read()
        cell = choose(terminal.type("?\n"))
        terminal.type(f"{cell}\n")
        assert "note: the game is kept; to go on: kbai play game-4.kbg\n" in terminal.press(key)
        assert terminal.end() == 0
    live, _ = load(str(tmp_path / "game-4.kbg"), seed=0)
    assert live.turn_under_way().actions == (cell,)


def test_ctrl_c_while_a_bot_thinks_leaves_as_well(tmp_path):
    bot = ("--first-game", "--seed", "4", "--seat", "blue", "--bot", "mcts:seconds=600")
    with Terminal(tmp_path, *bot) as terminal:
        while not (tmp_path / "game-4.kbg").exists():
            assert terminal.process.poll() is None
        os.write(terminal.master, b"\x03")
        assert "to go on: kbai play game-4.kbg" in terminal.read()
        assert terminal.end() == 0


def test_tab_completes_what_is_legal(tmp_path):
    with Terminal(tmp_path, *GAME, "--no-color") as terminal:
        terminal.read()
        cell = choose(terminal.type("?\n"))
        os.write(terminal.master, b"scor\t")
        assert "total" in terminal.type("\n")
        os.write(terminal.master, f"{cell[:-1]}\t\t".encode())
        assert cell in terminal.type("\n")


@pytest.mark.parametrize("columns", [48, 60])
def test_nothing_is_wider_than_a_narrow_terminal(tmp_path, columns):
    options = ("--no-color", "--visits", "50")
    with Terminal(tmp_path, *GAME, *options, columns=columns) as terminal:
        shown = terminal.read()
        for line in ("?", "? a1", "hint", "score", "help", "z99"):
            # What is typed stands after the prompt.
            shown += "\n" + terminal.type(f"{line}\n").partition("\n")[2]
        assert "[♣" in shown and "narrow terminal" in shown and "is not possible" in shown
        assert max(map(len, shown.split("\n"))) <= columns


@pytest.mark.slow
def test_a_sudden_end_loses_no_finished_turn(tmp_path):
    generator = random.Random(7)
    for attempt in range(10):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        process = start(
            "play", "--first-game", "--seed", attempt, "--bot", "random", "--seat", "blue",
            "--visits", 20, "--save", folder / "game.kbg",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        seen = play_until(process, generator.randrange(2_000, 25_000))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        seen += process.stdout.read()
        process.stdin.close()
        process.stdout.close()
        told = re.findall(r"^([0-9]+ (?:red|blue) .*: .*)\n", seen.decode(), re.M)
        live, problems = load(str(folder / "game.kbg"), seed=0)
        assert problems == []
        kept = [format_turn(turn) for turn in live.turns()]
        assert kept[: len(told)] == told
        assert len(kept) - len(told) <= 2


def play_until(process, n_bytes):
    """Play by what ``?`` lists until so much has been printed; return what was printed."""
    seen, answered = b"", 0
    process.stdin.write(b"?\n")
    process.stdin.flush()
    while len(seen) < n_bytes and select.select([process.stdout], [], [], 60)[0]:
        more = os.read(process.stdout.fileno(), 4096)
        if not more:
            break
        seen += more
        rows = re.findall(rb"^(?:cells  .*|end)$", seen[answered:], re.M)
        if rows and seen.endswith(b"\n"):
            answered = len(seen)
            cell = b"" if b"end" in rows else rows[-1].split()[1]
            process.stdin.write(cell + b"\n?\n")
            process.stdin.flush()
    return seen
