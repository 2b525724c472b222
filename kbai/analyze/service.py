"""Many queries, one a line of JSON, and their answers; docs/analysis.md has all keys.

A thread reads the lines, so that an answer never waits for the next query; workers answer them.
What is read and not yet written is bounded, however long the input is.
"""

from __future__ import annotations

import heapq
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from kbai import content
from kbai.analyze.queries import (
    Defaults,
    Id,
    Query,
    find_id,
    find_priority,
    find_turns,
    parse_query,
    turn_limits,
)
from kbai.compute.pools import PoolFactory
from kbai.compute.run import Done, Outcome, run
from kbai.core.errors import QueryError, SearchError
from kbai.report.suggestion_json import OWNERSHIP, suggestion_dict
from kbai.search.params import SearchParams
from kbai.search.suggest import suggest

CHUNK = 1 << 16
# A game has some ten thousand bytes; nobody means more than that.
MAX_LINE = 1_000_000
# Lines that are read and not all written, and their bytes.
MAX_LINES = 256
MAX_BYTES = 16_000_000
# Answers that wait for an earlier one before only that is looked for.
MAX_HELD = 512
# Lines that a worker gets at once, and the seconds after which it begins with no other: sending
# them one by one costs as much as a quick search.
MAX_BUNDLE = 8
BUNDLE_S = 0.03


@dataclass(frozen=True, slots=True)
class Settings:
    """How lines are answered."""

    defaults: Defaults
    params: SearchParams


@dataclass(frozen=True, slots=True)
class Ask:
    """A line to be answered, or one turn of its game."""

    number: int
    """Of the line, from 1."""
    line: bytes
    turn: int | None = None
    """None: all that it asks for."""
    index: int = 0
    """Of the answer among those of the line."""
    is_suspect: bool = False
    """Whether a worker died at this or another one, so that it is to be tried alone."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a worker gets at once."""

    asks: tuple[Ask, ...]
    settings: Settings

    @property
    def id(self) -> str:
        return ",".join(f"{ask.number}:{ask.index}" for ask in self.asks)


@dataclass(frozen=True, slots=True)
class Reply:
    """What is to be written."""

    text: bytes
    """Whole lines."""
    has_failed: bool = False
    own_layouts: tuple[str, ...] = ()
    """What is in play and not laid out as printed."""


@dataclass(frozen=True, slots=True)
class Summary:
    """How an analysis went."""

    lines: int
    failed: int
    """Lines with an error among their answers."""


def answer_bundle(bundle: Bundle) -> list[Reply]:
    """Answer the lines of a bundle, from the first on as many as there is time for."""
    end = time.monotonic() + BUNDLE_S
    replies: list[Reply] = []
    for ask in bundle.asks:
        if replies and time.monotonic() > end:
            break
        replies.append(answer(ask, bundle.settings))
    return replies


def answer(ask: Ask, settings: Settings) -> Reply:
    """Search what a line asks for; an error is an answer, too."""
    try:
        if len(ask.line) > MAX_LINE:
            raise QueryError(f"expected a line of at most {MAX_LINE:,} bytes, got more.")
        query = parse_query(ask.line, settings.defaults)
    except QueryError as error:
        return _failure(ask, find_id(ask.line), None, error)
    turns = query.turns or (None,) if ask.turn is None else (ask.turn,)
    replies = [_answer_turn(ask, query, turn, settings.params) for turn in turns]
    return Reply(
        b"".join(reply.text for reply in replies),
        any(reply.has_failed for reply in replies),
        replies[0].own_layouts,
    )


def _answer_turn(ask: Ask, query: Query, turn: int | None, params: SearchParams) -> Reply:
    try:
        data = answer_query(query, params, turn)
    except QueryError as error:
        return _failure(ask, query.id, turn, error)
    return Reply(_line(data), own_layouts=query.setup.own_layouts)


def answer_query(query: Query, params: SearchParams, turn: int | None = None) -> dict[str, object]:
    """Return the answer to a query, for one turn of its game if it has one."""
    position = query.position(turn)
    allow, avoid = turn_limits(query, position)
    try:
        suggestion = suggest(
            position,
            query.limit,
            seed=query.seed,
            params=params,
            top=query.top,
            allow=allow,
            avoid=avoid,
            with_ownership=OWNERSHIP in query.include,
        )
    except SearchError as error:
        raise QueryError(str(error), field="avoid" if avoid else "allow") from error
    return _head(query.id, turn) | suggestion_dict(suggestion, query.include)


def _head(name: Id, turn: int | None) -> dict[str, object]:
    return {"id": name} if turn is None else {"id": name, "turn": turn}


def _failure(ask: Ask, name: Id, turn: int | None, error: QueryError) -> Reply:
    about = {"field": error.field, "message": str(error), "line": ask.number}
    return Reply(_line({**_head(name, turn), "error": about}), has_failed=True)


def _line(data: dict[str, object]) -> bytes:
    return json.dumps(data).encode() + b"\n"


def analyze(
    read: Callable[[int], bytes],
    write: Callable[[bytes], None],
    settings: Settings,
    workers: PoolFactory,
    *,
    in_order: bool = True,
    on_done: Callable[[int, Reply], None] = lambda n_bytes, reply: None,
    quadrants: tuple[tuple[tuple[str, str], ...], ...] = (),
) -> Summary:
    """Answer all lines that ``read`` gives, which returns nothing at the end, with ``write``.

    ``read`` is called in a thread of its own. ``on_done`` is told each reply, and how many bytes of
    the input are done with it. Ctrl-C ends it after an answer and is raised.
    """
    desk = _Desk(read, write, settings, in_order, on_done)
    try:
        run(
            answer_bundle,
            desk,
            workers,
            desk.take_replies,
            listen=desk.open,
            initializer=content.use_quadrants if quadrants else None,
            initargs=quadrants,
        )
    finally:
        desk.close()
    return Summary(desk.n_read, desk.n_failed)


@dataclass(slots=True)
class _Line:
    """A line whose answers are not all written."""

    n_bytes: int
    n_answers: int = 1
    n_written: int = 0
    has_failed: bool = False
    held: dict[int, Reply] = field(default_factory=dict)
    """Answers that wait for an earlier one, by their index."""


class _Desk:
    """Where lines wait to be answered, the most urgent first, and answers for their turn."""

    def __init__(
        self,
        read: Callable[[int], bytes],
        write: Callable[[bytes], None],
        settings: Settings,
        in_order: bool,
        on_done: Callable[[int, Reply], None],
    ) -> None:
        self.read = read
        self.write = write
        self.settings = settings
        self.in_order = in_order
        self.on_done = on_done
        self.n_read = 0
        self.n_failed = 0
        self.n_held = 0
        self.n_out = 0  # bundles that are being answered
        self.changed = threading.Condition()  # of all that follows
        self.waiting: list[tuple[int, int, int, Ask]] = []
        self.lines: dict[int, _Line] = {}  # in order
        self.n_bytes = 0
        self.is_over = False
        self.is_closed = False
        self.error: Exception | None = None

    def open(self, wake: Callable[[], None]) -> None:
        """Begin to read; ``wake`` is called when there is something to do."""
        self.wake = wake
        threading.Thread(target=self._read_all, daemon=True).start()

    def close(self) -> None:
        """Read no more."""
        with self.changed:
            self.is_closed = True
            self.changed.notify_all()

    # --- the thread that reads ---------------------------------------------------------------

    def _read_all(self) -> None:
        try:
            for number, line in enumerate(split_lines(self.read), start=1):
                if line.strip() and not self._add(number, line):
                    return
        except Exception as error:  # to be raised where somebody sees it
            self.error = error
        with self.changed:
            self.is_over = True
        self.wake()

    def _add(self, number: int, line: bytes) -> bool:
        """Wait for room and put a line there; False if nobody wants it."""
        item = (-find_priority(line), number, 0, Ask(number, line))
        with self.changed:
            self.changed.wait_for(self._has_room)
            if self.is_closed:
                return False
            heapq.heappush(self.waiting, item)
            self.lines[number] = _Line(len(line))
            self.n_bytes += len(line)
            self.n_read += 1
        self.wake()
        return True

    def _has_room(self) -> bool:
        is_full = len(self.lines) >= MAX_LINES or self.n_bytes >= MAX_BYTES
        return self.is_closed or not is_full

    # --- the thread that hands them out ------------------------------------------------------

    def __iter__(self) -> Iterator[Bundle | None]:
        return self

    def __next__(self) -> Bundle | None:
        asks: list[Ask] = []
        with self.changed:
            if self.error is not None:
                raise self.error
            if self.is_over and not (self.waiting or self.n_out):
                raise StopIteration
            # Few at the end, so that no worker is without one.
            room = min(MAX_BUNDLE, 1 + len(self.waiting) // MAX_BUNDLE)
            while len(asks) < room and (ask := self._next_ask()) is not None:
                asks.append(ask)
                if ask.is_suspect:
                    break
        if not asks:
            return None
        if asks[-1].is_suspect:
            self._put_back(asks[:-1])
            del asks[:-1]
        self.n_out += 1
        return Bundle(tuple(asks), self.settings)

    def _next_ask(self) -> Ask | None:
        """Return the most urgent one; of a game its first turn, while the others wait on."""
        if not self.waiting:
            return None
        if self.n_held < MAX_HELD:
            ask = heapq.heappop(self.waiting)[-1]
        else:  # only what the others wait for, if nobody is at it yet
            found = min(self.waiting, key=lambda item: item[1:3])
            if found[1] != next(iter(self.lines)):
                return None
            self.waiting.remove(found)
            heapq.heapify(self.waiting)
            ask = found[-1]
        if ask.turn is None and (turns := find_turns(ask.line, self.settings.defaults)):
            ask, *others = (replace(ask, turn=t, index=i) for i, t in enumerate(turns))
            self.lines[ask.number].n_answers = len(turns)
            self._put_back(others)
        return ask

    def _put_back(self, asks: Iterable[Ask]) -> None:
        with self.changed:
            for ask in asks:
                item = (-find_priority(ask.line), ask.number, ask.index, ask)
                heapq.heappush(self.waiting, item)

    def take_replies(self, outcome: Outcome[Bundle, list[Reply]]) -> None:
        """Write what was answered; what was not gets another chance."""
        self.n_out -= 1
        asks = outcome.task.asks
        if isinstance(outcome, Done):
            self._put_back(asks[len(outcome.value) :])
            for ask, reply in zip(asks, outcome.value, strict=False):
                self._take_reply(ask, reply)
        elif len(asks) > 1:
            self._put_back(replace(ask, is_suspect=True) for ask in asks)
        else:
            error = QueryError(f"{outcome.message.rstrip('.')}.")
            failure = _failure(asks[0], find_id(asks[0].line), asks[0].turn, error)
            self._take_reply(asks[0], failure)

    def _take_reply(self, ask: Ask, reply: Reply) -> None:
        """Write a reply, and those that have waited for it; or let it wait."""
        self.lines[ask.number].held[ask.index] = reply
        self.n_held += 1
        if not self.in_order:
            self._write(ask.number, ask.index)
            return
        while (first := self._first_line()) is not None:
            number, line = first
            if line.n_written not in line.held:
                return
            self._write(number, line.n_written)

    def _first_line(self) -> tuple[int, _Line] | None:
        with self.changed:
            return next(iter(self.lines.items()), None)

    def _write(self, number: int, index: int) -> None:
        line = self.lines[number]
        reply = line.held.pop(index)
        self.n_held -= 1
        self.write(reply.text)
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


def split_lines(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Iterate over the lines of what is read; of one that is too long the first part."""
    start = b""
    while chunk := read(CHUNK):
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield start + line
            start = b""
        # One byte more than is good, so that it shows.
        start = (start + rest)[: MAX_LINE + 1]
    if start:
        yield start
