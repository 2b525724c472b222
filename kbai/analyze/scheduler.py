"""Which line is answered next, and which answer is written next.

A thread reads the lines, so that an answer never waits for the next query; workers answer them.
What is read and not yet written is bounded, however long the input is.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from kbai.analyze.answers import MAX_LINE, Bundle, Question, Reply, Settings, failure
from kbai.analyze.known import KnownAnswer
from kbai.analyze.queries import id_in_line, read_head
from kbai.compute.pools import Pool
from kbai.compute.run import Done, Outcome
from kbai.core.errors import QueryError

CHUNK = 1 << 16
# Bytes of the lines that are read and not all written.
MAX_BYTES = 16_000_000
# Answers that are written together.
AT_ONCE = 256
# A bundle is at most such a part of what waits.
MIN_SHARES = 8


@dataclass(frozen=True, slots=True)
class Pace:
    """How much is under way at a time."""

    lines: int
    """That are read and not all written."""
    held: int
    """If so many answers wait for an earlier one, only that one is worked on."""
    bundle: int
    """Lines that a worker gets at once."""
    seconds: float
    """After so many a worker starts no further line of its bundle."""


NEAR = Pace(lines=256, held=512, bundle=8, seconds=0.03)
# To send a bundle to another machine costs as much as some queries of few visits.
FAR = Pace(lines=4096, held=8192, bundle=128, seconds=0.3)


@dataclass(slots=True)
class _Line:
    """A line whose answers are not all written."""

    n_bytes: int
    n_answers: int = 1
    n_written: int = 0
    has_failed: bool = False
    held: dict[int, Reply] = field(default_factory=dict)
    """Answers that wait for an earlier one, by their index."""


class Scheduler:
    """Hands out lines to answer, the most urgent first, and writes the answers in order."""

    def __init__(
        self,
        read: Callable[[int], bytes],
        write: Callable[[bytes], None],
        settings: Settings,
        in_order: bool,
        on_done: Callable[[int, Reply], None],
        pace: Pace = NEAR,
        known: Iterator[KnownAnswer] = iter(()),  # noqa: B008  (nothing to share)
    ) -> None:
        self.read = read
        self.write = write
        self.settings = settings
        self.in_order = in_order
        self.on_done = on_done
        self.pace = pace
        self.known = known
        self.n_read = 0
        self.n_failed = 0
        self.n_held = 0
        self.n_out = 0  # bundles that are being answered
        self.ready: list[tuple[int, int]] = []  # if not in order: line and index
        self.changed = threading.Condition()  # guards all that follows
        self.waiting: list[tuple[int, int, int, Question]] = []
        self.lines: dict[int, _Line] = {}  # in order
        self.n_bytes = 0
        self.is_over = False
        self.is_closed = False
        self.error: Exception | None = None

    def open(self, wake: Callable[[], None], pool: Pool) -> None:
        """Begin to read; calls ``wake`` when there is something to do."""
        self.wake = wake
        self.n_workers = pool.size
        threading.Thread(target=self._read_all, daemon=True).start()

    def close(self) -> None:
        """Stop reading."""
        with self.changed:
            self.is_closed = True
            self.changed.notify_all()

    # --- the thread that reads ---------------------------------------------------------------

    def _read_all(self) -> None:
        try:
            for number, line in enumerate(split_lines(self.read, self.wake), start=1):
                if line.strip() and not self._add(number, line):
                    return
            for answer in self.known:
                raise answer.misfit("no more answers, as there are no more queries")
        except Exception as error:  # raised later, in the main thread
            self.error = error
        with self.changed:
            self.is_over = True
        self.wake()

    def _add(self, number: int, line: bytes) -> bool:
        """Wait for room and add a line; return False if no more lines are wanted."""
        head = read_head(line, self.settings.defaults)
        questions = [
            Question(number, line, turn, index, head.priority)
            for index, turn in enumerate(head.turns or (None,))
        ]
        n_known, has_failed = 0, False
        for question, answer in zip(questions, self.known, strict=False):
            has_failed |= answer.check(question, self.settings)
            n_known += 1
        with self.changed:
            if not self._has_room():
                self.wake()
                self.changed.wait_for(self._has_room)
            if self.is_closed:
                return False
            if n_known == len(questions):
                self.n_read += 1
                self.n_failed += has_failed
                return True
            self._put(questions[n_known:])
            self.lines[number] = _Line(len(line), len(questions), n_known, has_failed)
            self.n_bytes += len(line)
            self.n_read += 1
        return True

    def _has_room(self) -> bool:
        is_full = len(self.lines) >= self.pace.lines or self.n_bytes >= MAX_BYTES
        return self.is_closed or not is_full

    # --- the thread that hands them out ------------------------------------------------------

    def __iter__(self) -> Iterator[Bundle | None]:
        return self

    def __next__(self) -> Bundle | None:
        questions: list[Question] = []
        with self.changed:
            if self.error is not None:
                raise self.error
            if self.is_over and not (self.waiting or self.n_out):
                raise StopIteration
            room = self._room()
            while len(questions) < room and (question := self._next_question()) is not None:
                questions.append(question)
                if question.is_suspect:
                    self._put(questions[:-1])
                    questions = [question]
                    break
        if not questions:
            return None
        self.n_out += 1
        return Bundle(tuple(questions), self.settings, self.pace.seconds)

    def _room(self) -> int:
        """Return how many lines the next bundle has at most; only with `changed` held."""
        enough = 2 * self.n_workers
        if self.n_out >= enough:
            # Nobody waits for it, so it can wait until it is full.
            return self.pace.bundle if len(self.waiting) >= self.pace.bundle else 0
        # Few at the end, so that every worker has some.
        return min(self.pace.bundle, 1 + len(self.waiting) // max(MIN_SHARES, enough))

    def _next_question(self) -> Question | None:
        """Take the most urgent one."""
        if not self.waiting:
            return None
        if self.n_held < self.pace.held:
            return heapq.heappop(self.waiting)[-1]
        # Only what the answers held back are waiting for, unless a worker has it already.
        found = min(self.waiting, key=lambda item: item[1:3])
        if found[1] != next(iter(self.lines)):
            return None
        self.waiting.remove(found)
        heapq.heapify(self.waiting)
        return found[-1]

    def _put(self, questions: Iterable[Question]) -> None:
        """Let questions wait, the most urgent first; only with `changed` held."""
        for each in questions:
            heapq.heappush(self.waiting, (-each.priority, each.number, each.index, each))

    def take_replies(self, outcome: Outcome[Bundle, list[Reply]]) -> None:
        """Write what was answered; the rest is tried again."""
        self.n_out -= 1
        questions = outcome.task.questions
        if isinstance(outcome, Done):
            with self.changed:
                self._put(questions[len(outcome.value) :])
            self._hold(zip(questions, outcome.value, strict=False))
        elif len(questions) > 1:
            with self.changed:
                self._put(replace(each, is_suspect=True) for each in questions)
        else:
            (question,) = questions
            error = QueryError(f"{outcome.message.rstrip('.')}.")
            name = id_in_line(question.line)
            self._hold([(question, failure(question, name, error, question.turn))])
        while ready := self._take_ready():
            self._write(ready)

    def _hold(self, replies: Iterable[tuple[Question, Reply]]) -> None:
        """Hold replies back until they are ready to be written."""
        for question, reply in replies:
            line = self.lines[question.number]
            line.held[question.index] = reply
            self.n_held += 1
            if not self.in_order:
                self.ready.append((question.number, question.index))

    def _take_ready(self) -> list[tuple[int, Reply]]:
        """Return replies that no earlier one is missing for, with the numbers of their lines."""
        found: list[tuple[int, Reply]] = []
        if not self.in_order:
            found = [(number, self.lines[number].held.pop(index)) for number, index in self.ready]
            self.ready.clear()
            return found
        with self.changed:
            for number, line in self.lines.items():
                index = line.n_written
                while len(found) < AT_ONCE and (reply := line.held.pop(index, None)):
                    found.append((number, reply))
                    index += 1
                if index < line.n_answers or len(found) == AT_ONCE:
                    break
        return found

    def _write(self, ready: list[tuple[int, Reply]]) -> None:
        """Write replies, all at once: each time costs as much as some replies do."""
        self.n_held -= len(ready)
        self.write(b"".join([reply.text for _, reply in ready]))
        for number, reply in ready:
            line = self.lines[number]
            line.n_written += 1
            line.has_failed |= reply.has_failed
            is_last = line.n_written == line.n_answers
            if is_last:
                with self.changed:
                    del self.lines[number]
                    self.n_bytes -= line.n_bytes
                    self.changed.notify_all()
                self.n_failed += line.has_failed
            self.on_done(line.n_bytes if is_last else 0, reply)


def split_lines(read: Callable[[int], bytes], before: Callable[[], None]) -> Iterator[bytes]:
    """Yield the lines of the input; of a line that is too long, its first part.

    ``before`` is called before each time that the input is read, which may take long.
    """
    start = b""
    while True:
        before()
        if not (chunk := read(CHUNK)):
            break
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield start + line
            start = b""
        # One byte more than allowed, so that it is noticed.
        start = (start + rest)[: MAX_LINE + 1]
    if start:
        yield start
