"""Bots that are separate programs: one JSON object per line in and out; see docs/bots.md."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import random
import shlex
import signal
import subprocess
import threading
import time as clock
from collections import deque
from collections.abc import Sequence
from typing import IO

from kbai._fast import Position
from kbai.bots.protocol import Bot, Faults, View
from kbai.bots.watcher import Watcher
from kbai.core.errors import BotError, BotFault, IllegalActionError, NotationError, quote
from kbai.game.setup import setup_of
from kbai.game.steps import advance, is_same_decision
from kbai.notation.actions import legal_actions, parse_action
from kbai.notation.illegal import apply_action
from kbai.notation.positions import format_line
from kbai.notation.schema import position_to_dict

# Longer lines are read as several. No answer is nearly as long.
MAX_LINE = 100_000
# How many lines that are not answers are skipped during one decision.
MAX_JUNK_LINES = 100
# Seconds a program gets to end by itself, and then after SIGTERM.
CLOSE_SECONDS = 0.5
TERM_SECONDS = 0.5


class _Failure(Exception):
    """A program gave no legal answer: which of the faults it was, and what happened."""

    def __init__(self, fault: str, what: str) -> None:
        super().__init__(what)
        self.fault = fault


class Program:
    """A running program. Its own threads do all that may block."""

    def __init__(self, command: Sequence[str], *, stderr: str = "pass") -> None:
        # Started first: if we are killed now, there is nothing to end yet.
        self.watcher = Watcher()
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if stderr == "pass" else subprocess.DEVNULL,
                # Its own process group: what it started ends with it, and Ctrl-C reaches only us.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in a word
            self.watcher.end()
            reason = getattr(error, "strerror", None) or str(error)
            raise BotError(f"could not start {shlex.join(command)!r}: {reason}.") from error
        self.watcher.watch(self.process.pid)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.is_stopped = threading.Event()
        self.requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        # Bounded, so that a program that writes without end has to wait.
        self.lines: queue.Queue[bytes | None] = queue.Queue(MAX_JUNK_LINES)
        for work, stream in ((self._write, self.process.stdin), (self._read, self.process.stdout)):
            threading.Thread(target=work, args=(stream,), daemon=True).start()

    def _write(self, stream: IO[bytes]) -> None:
        # If the program is gone or does not read, we notice that no answer comes.
        with contextlib.suppress(OSError), stream:
            while (line := self.requests.get()) is not None:
                stream.write(line)
                stream.flush()

    def _read(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError), stream:
            while line := stream.readline(MAX_LINE):
                self._pass_on(line)
        self._pass_on(None)

    def _pass_on(self, line: bytes | None) -> None:
        while not self.is_stopped.is_set():
            with contextlib.suppress(queue.Full):
                return self.lines.put(line, timeout=0.1)

    def send(self, line: bytes) -> None:
        """Send a line without waiting until it is read."""
        self.requests.put(line)

    def receive(self, seconds: float) -> bytes | None:
        """Return the next line, or None after the last one; queue.Empty if none comes in time."""
        return self.lines.get(timeout=max(seconds, 0.0))

    def unread(self) -> int:
        """Drop the lines that came after the last answer; return how many there were."""
        with contextlib.suppress(queue.Empty):
            for count in range(MAX_JUNK_LINES):
                if self.lines.get_nowait() is None:
                    self.lines.put(None)  # so that `receive` sees the end
                    return count
            return MAX_JUNK_LINES
        return count

    def close(self) -> None:
        """Wait for the program to end, then force it to."""
        self.requests.put(None)  # closes its stdin
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(CLOSE_SECONDS)
        if self.process.returncode is None:
            self._signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(TERM_SECONDS)
        self.kill()

    def kill(self) -> int:
        """Kill the program and all that it started; return its exit code."""
        self.requests.put(None)
        self.is_stopped.set()
        if self.process.returncode is None:
            self._signal(signal.SIGKILL)
        code = self.process.wait()
        self.watcher.end()
        return code

    def _signal(self, number: signal.Signals) -> None:
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)
        else:
            self.process.kill()


class ExternalBot(Bot):
    """Asks a program, and keeps the rest of its answer for the next steps."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        time: float = 1.0,
        start: float = 5.0,
        on_fault: str = "lose",
        stderr: str = "pass",
    ) -> None:
        self.command = tuple(command)
        self.time = time
        self.start = start
        self.on_fault = on_fault
        self.stderr = stderr
        self.faults = Faults()
        self.program: Program | None = None
        self.plan: deque[tuple[Position, int]] = deque()

    def begin(self) -> None:
        self.plan.clear()

    def choose(self, view: View) -> int:
        position = view.position
        if not (self.plan and self.plan[0][0] == position):
            self.plan.clear()
            legal = position.legal()
            if len(legal) == 1:
                return legal[0]
            try:
                self.plan.extend(plan_steps(position, self.ask(view)))
            except _Failure as failure:
                self.faults += Faults(**{failure.fault: 1})
                if self.on_fault == "lose":
                    raise BotFault(f"{shlex.join(self.command)}: {failure}.") from None
                return random.Random(view.seed).choice(legal)
        return self.plan.popleft()[1]

    def ask(self, view: View) -> list[str]:
        """Return the actions that the program answers."""
        seconds = self.time
        if self.program is None:
            self.program = Program(self.command, stderr=self.stderr)
            seconds += self.start
        else:  # a new program has nothing left of an earlier question, however quick it is
            self.faults += Faults(junk_lines=self.program.unread())
        self.program.send(format_request(view, seconds))
        deadline = clock.monotonic() + seconds
        # Whoever forgot the JSON wants to read this, not that the program was slow.
        written = ""
        for n_skipped in range(MAX_JUNK_LINES + 1):
            try:
                line = self.program.receive(deadline - clock.monotonic())
            except queue.Empty:
                self._kill()
                what = f"no answer within {seconds:g} seconds{written}"
                raise _Failure("timeout", what) from None
            if line is None:
                code = self._kill()
                raise _Failure("crash", f"ended without an answer, exit code {code}{written}")
            answer = parse_answer(line)
            if answer is not None:
                return answer
            written = written or f"; it wrote {quote(line.decode(errors='replace').strip())}"
            if n_skipped < MAX_JUNK_LINES:
                self.faults += Faults(junk_lines=1)
        self._kill()
        what = f"more than {MAX_JUNK_LINES} lines that are not answers{written}"
        raise _Failure("junk_lines", what)

    def close(self) -> None:
        self.plan.clear()
        if self.program is not None:
            self.program.close()
            self.program = None

    def _kill(self) -> int:
        assert self.program is not None
        program, self.program = self.program, None
        return program.kill()


def format_request(view: View, seconds: float) -> bytes:
    """Return the line that asks a program for its next actions."""
    position = view.position
    request = {
        "type": "react" if position.fields()["reacting"] else "turn",
        "seat": setup_of(position).seats[view.seat],
        "position": format_line(position),
        "state": position_to_dict(position),
        "legal": legal_actions(position),
        "clock": seconds,
        # Small enough for every language's numbers.
        "seed": view.seed % 2**31,
    }
    return json.dumps(request).encode() + b"\n"


def parse_answer(line: bytes) -> list[str] | None:
    """Return the actions of an answer; None if the line is not an answer."""
    try:
        data = json.loads(line.decode())
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not data.keys() & {"action", "actions"}:
        return None
    actions = data.get("actions", [data.get("action")])
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise _Failure("illegal", f"expected texts of actions, got {quote(actions)}")
    if not actions:
        raise _Failure("illegal", "expected at least one action, got none")
    return actions


def plan_steps(position: Position, actions: Sequence[str]) -> list[tuple[Position, int]]:
    """Return the steps of some actions, each with the position it is for.

    Actions after the end of the turn, after a card is turned up or after another seat decides are
    left out: the program could not know in which position they would be played.
    """
    plan: list[tuple[Position, int]] = []
    current = position.copy()
    is_reacting = bool(position.fields()["reacting"])
    for action in actions:
        try:
            steps = parse_action(current, action)
            apply_action(current.copy(), action)
        except (NotationError, IllegalActionError) as error:
            raise _Failure("illegal", error.message.rstrip(".")) from None
        for step in steps:
            plan.append((current.copy(), step))
            advance(current, step)
        # A seat may be asked to react to its own turn: that is another question.
        is_same_question = bool(current.fields()["reacting"]) == is_reacting
        if not (is_same_question and is_same_decision(position, steps, current)):
            break
    return plan
