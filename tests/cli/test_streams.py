"""Streams that are closed, outputs that fail, and Ctrl-C at the worst moment."""

import os
import subprocess
import sys

import pytest
from commands import SCRIPT, environment

PRINTING = (
    "--help",
    "--version",
    "show",
    "show --help",
    "suggest --visits 50 --seed 1",
    "new --seed 1",
    "score",
    "rules R3",
    "help bots",
    "content oasis",
    "convert",
    "playout --seed 1",
    "bots",
    "perft 1",
    "match random random --groups 1 --seed 1 --threads",
)


def python(*arguments, env=None):
    return subprocess.run(
        [sys.executable, *arguments],
        env=env or environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )


def shell(redirection, *arguments):
    """Run kbai with a redirection that only a shell can do."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *SCRIPT, *map(str, arguments)],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("command", PRINTING)
def test_a_closed_stdout_is_one_sentence(command):
    done = shell(">&-", *command.split())
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "Error: could not write the result: stdout is closed."
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["--help", "--version", "show --help", "show"])
def test_a_full_disk_behind_stdout_is_one_sentence(command):
    done = shell("> /dev/full", *command.split())
    assert done.returncode == 1
    assert done.stderr == "Error: could not write the result: No space left on device.\n"


def test_a_picture_needs_no_stdout(tmp_path):
    done = shell(">&-", "show", "--svg", tmp_path / "board.svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "board.svg").read_text().startswith("<svg")


def test_a_closed_stderr_costs_only_what_would_be_said_there():
    done = shell("2>&-", "suggest", "--visits", 50)
    assert done.returncode == 0
    assert done.stdout.startswith("Best turns for red")


def test_a_link_to_a_file_that_is_not_there_stays_a_link(tmp_path):
    link = tmp_path / "link.svg"
    link.symlink_to("board.svg")
    assert shell("", "show", "--svg", link).returncode == 0
    assert link.is_symlink()
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    link.unlink()
    link.symlink_to("nowhere/board.svg")
    done = shell("", "show", "--svg", link)
    assert done.returncode == 2
    assert f"expected a file to write, got '{link}': No such file" in done.stderr
    assert link.is_symlink()


@pytest.mark.parametrize(
    "start",
    [("-m", "kbai"), ("-c", "import sys; from kbai.__main__ import main; sys.exit(main())")],
    ids=["module", "script"],
)
def test_ctrl_c_while_the_program_loads_is_one_word(start, tmp_path):
    (tmp_path / "click.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    env = environment()
    env["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{env['PYTHONPATH']}"
    done = python(*start, "show", env=env)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "Aborted!\n")


PRESSED = """
import os, signal, sys
import kbai.cli
from kbai.__main__ import main

run = kbai.cli.main
def pressed():
    os.kill(os.getpid(), signal.SIGINT)
    run(["--version"])
kbai.cli.main = pressed
main()
"""


def test_ctrl_c_before_the_command_begins_is_one_word():
    done = python("-c", PRESSED)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "Aborted!\n")


def test_a_program_in_the_background_does_not_hear_ctrl_c():
    done = python("-c", f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN){PRESSED}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("kbai ")
