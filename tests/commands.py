"""kbai as a command: called in this process, started in one of its own, or on a terminal."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

from click.testing import CliRunner

import kbai.cli
from kbai.cli import main

SCRIPT = [sys.executable, "-c", "from kbai.cli import main; main(prog_name='kbai')"]


def run(*arguments, text=None):
    """Call a command in this process."""
    return CliRunner().invoke(main, [str(a) for a in arguments], input=text, prog_name="kbai")


def environment(**more):
    """Return an environment in which kbai comes from wherever it was imported here."""
    return os.environ | {"PYTHONPATH": str(Path(kbai.cli.__file__).parents[2])} | more


def start(*arguments, encoding="utf-8", **options):
    """Start kbai in a process group of its own, to which Ctrl-C can be sent as a terminal does."""
    return subprocess.Popen(
        [*SCRIPT, *map(str, arguments)],
        env=environment(PYTHONIOENCODING=encoding),
        start_new_session=True,
        **options,
    )


def on_terminal(*arguments, stop_at=None, columns=110):
    """Run kbai with its stderr on a terminal, up to Ctrl-C when that shows ``stop_at``.

    Return the exit code, stdout and all that the terminal showed.
    """
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    process = start(*arguments, stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    seen = more = b"."
    try:
        while more:
            if stop_at is not None and stop_at in seen:
                os.killpg(process.pid, signal.SIGINT)
                stop_at = None
            assert select.select([master], [], [], 60)[0], seen
            try:
                more = os.read(master, 4096)
            except OSError:  # nobody writes there any more
                more = b""
            seen += more
        stdout, _ = process.communicate(timeout=120)
    finally:
        process.kill()
        os.close(master)
    return process.returncode, stdout, seen[1:]
