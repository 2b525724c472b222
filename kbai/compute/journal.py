"""The journal of a long run: a header with the plan, then one line of JSON per finished task.

A line counts once its newline is on the disk. Readers leave out what a crash leaves half written at
the end, and the next writer cuts it off. So a run that was stopped or killed, or lost its power,
continues where it was. Where Python has no fcntl (Windows), nothing keeps two processes from
appending to the same journal.

Each line has a checksum, so that damage of any kind is noticed. Journals of earlier versions have
lines without one; these are read, too.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TypeAlias

from kbai.core.errors import MAX_QUOTE, StoreError, quote

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

FORMAT = 1
# Keys are sorted, so every header begins like this, and other files are recognized at once.
_START = b'{"format":'
# A longer line is damaged: a game of a match takes some thousand bytes.
_MAX_LINE = 2**22
# The end of a line with a checksum; the sum is of the line without it.
_SUM = re.compile(rb',"sum":"([0-9a-f]{16})"\}\n\Z')
_SUM_BYTES = 27

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a journal."""

    format: int
    plan: dict[str, Json]
    plan_id: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One finished task."""

    id: str
    payload: dict[str, Json]
    line: int
    """The number of its line."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that cannot be used."""

    path: Path
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}: {self.reason}"


OnDamage: TypeAlias = Callable[[Damage], None]


def refuse_damage(damage: Damage) -> None:
    """Raise `StoreError` for a damaged line."""
    raise StoreError(f"{damage}.")


def canonical(value: object) -> str:
    """Return the canonical JSON text of a value: equal values give equal bytes everywhere.

    >>> canonical({"seats": (1, 2), "name": "Köln"})
    '{"name":"K\\\\u00f6ln","seats":[1,2]}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def content_id(value: object) -> str:
    """Return an id for a value, a hash of its content."""
    return hashlib.blake2b(canonical(value).encode(), digest_size=16).hexdigest()


def format_entry(id: str, payload: Mapping[str, object]) -> bytes:
    """Return the line of a finished task."""
    text = canonical({"id": id, "payload": dict(payload)}).encode()
    return b'%s,"sum":"%s"}\n' % (text[:-1], _checksum(text))


def _checksum(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=8).hexdigest().encode()


def is_header(start: bytes) -> bool:
    """Tell whether a file that begins with these bytes is meant as a journal."""
    return start.startswith(_START)


def read_header(path: str | os.PathLike[str]) -> Header:
    """Return the first line of a journal, checked."""
    with _open(path) as file:
        return _header(file, Path(path))


def read_entries(
    path: str | os.PathLike[str],
    *,
    on_damage: OnDamage = refuse_damage,
    on_torn: OnDamage = lambda damage: None,
    last_wins: bool = False,
) -> Iterator[Entry]:
    """Yield the finished tasks of a journal, each once, in the order of the file.

    ``on_damage`` is called with every damaged line, which is then left out, and ``on_torn`` with
    the last line if it is not whole: a process may have been killed, or is writing it now.
    With ``last_wins`` a task may occur again with another result, and is then yielded again.
    """
    with _open(path) as file:
        _header(file, Path(path))
        yield from _entries(file, Path(path), on_damage, on_torn, last_wins)


class Journal:
    """A journal opened for appending; `open_journal` makes one."""

    def __init__(self, path: Path, file: int, done: set[str], end: int, torn: int) -> None:
        self.path = path
        self.torn = torn
        """Bytes of a half-written line at the end. They are cut off when a line is added or all is
        done, so that whoever refuses the journal leaves it as it was."""
        self._file: int | None = file
        self._done = done
        self._end = end
        self._must_cut = torn > 0

    @property
    def done(self) -> Set[str]:
        """The ids of the finished tasks."""
        return self._done

    def append(self, id: str, payload: Mapping[str, object], *, again: bool = False) -> None:
        """Add a finished task; it is on the disk when this returns."""
        self.append_lines({id: format_entry(id, payload)}, again=again)

    def append_lines(self, lines: Mapping[str, bytes], *, again: bool = False) -> None:
        """Add lines made by `format_entry`, by id; all are on the disk when this returns.

        If anything goes wrong, the file is as it was before and takes no more lines. ``again``
        allows tasks that are done already: for readers that take the last line of each.
        """
        known = frozenset(lines.keys() & self._done)
        for id in () if again else known:
            raise StoreError(f"{self.path}: task {id!r} is in the journal already.")
        if self._file is None:
            raise StoreError(f"{self.path}: the journal is closed.")
        before = self._end
        data = b"".join(lines.values())
        try:
            self._cut()
            _write(self._file, data)
            self._done.update(lines)
            self._end += len(data)
        except BaseException as error:  # an interrupt, too: then the tasks are not done
            self._done.difference_update(lines.keys() - known)
            self._take_back(before)
            if isinstance(error, OSError):
                raise _failed("write to", self.path, error) from error
            raise

    def close(self) -> None:
        """Close the file and release its lock."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._cut()
        except OSError as failure:
            raise _failed("write to", self.path, failure) from failure
        finally:
            self.close()

    def _cut(self) -> None:
        if self._must_cut and self._file is not None:
            os.ftruncate(self._file, self._end)
            os.fsync(self._file)
            self._must_cut = False

    def _take_back(self, end: int) -> None:
        # After a failed fsync it is unknown what is on the disk. To continue, open the journal
        # again and look.
        assert self._file is not None
        try:
            os.ftruncate(self._file, end)
            os.fsync(self._file)
        except OSError:
            pass  # half a line at the end does no harm, and the first error is the one to report
        finally:
            self.close()


def open_journal(
    path: str | os.PathLike[str],
    plan: Mapping[str, object],
    *,
    may_differ: Set[str] = frozenset(),
    on_damage: OnDamage = refuse_damage,
    last_wins: bool = False,
) -> Journal:
    """Open the journal of a plan for appending: begin it, or continue where it ends.

    Raises `StoreError` for a journal of another plan, and for any other file. The values of
    the keys in ``may_differ`` do not make it another plan; the header keeps those it began with.
    ``on_damage`` is called with every damaged line, whose task is then not done. ``last_wins`` is
    as for `read_entries`.
    """
    path = Path(path)
    _check_kind(path)
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    try:
        file = os.open(path, flags, 0o666)
    except OSError as error:
        raise _failed("open", path, error) from error
    try:
        _lock(file, path)
        return _resume(file, path, plan, may_differ, on_damage, last_wins)
    except BaseException:
        os.close(file)
        raise


def _resume(
    file: int,
    path: Path,
    plan: Mapping[str, object],
    may_differ: Set[str],
    on_damage: OnDamage,
    last_wins: bool,
) -> Journal:
    plan = dict(plan)
    header = {"format": FORMAT, "journal": "kbai", "plan": plan, "plan_id": content_id(plan)}
    line = f"{canonical(header)}\n".encode()
    done: set[str] = set()
    with open(file, "rb", closefd=False) as reader:
        start = reader.read(len(line))
        # The file may also hold part of a header, if a run stopped while writing it.
        new = len(start) < len(line) and line.startswith(start)
        end = 0
        if not new:
            reader.seek(0)
            old = _header(reader, path).plan
            _check_plan(old, plan | {key: old[key] for key in may_differ & old.keys()}, path)
            entries = _entries(reader, path, on_damage, lambda damage: None, last_wins)
            done.update(entry.id for entry in entries)
            end = reader.tell()
        torn = reader.seek(0, os.SEEK_END) - end
    if new:
        try:
            os.ftruncate(file, 0)
            _begin(file, line, path)
        except OSError as error:
            raise _failed("write to", path, error) from error
        end, torn = len(line), 0
    return Journal(path, file, done, end, torn)


def _begin(file: int, line: bytes, path: Path) -> None:
    try:
        _write(file, line)
    except OSError:
        os.ftruncate(file, 0)
        raise
    if hasattr(os, "O_DIRECTORY"):  # otherwise a folder cannot be opened, and need not be
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        except OSError as error:
            if error.errno != errno.EINVAL:  # a file system that cannot sync folders
                raise
        finally:
            os.close(folder)


def _write(file: int, data: bytes) -> None:
    while data:  # once, unless the disk takes only a part; the next write then says why
        data = data[os.write(file, data) :]
    os.fsync(file)


def _lock(file: int, path: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise StoreError(f"{path}: another process is adding to this journal.") from error
    except OSError as error:
        raise _failed("lock", path, error) from error


def _open(path: str | os.PathLike[str]) -> BinaryIO:
    _check_kind(Path(path))
    try:
        return open(path, "rb")
    except OSError as error:
        raise _failed("open", Path(path), error) from error


def _check_kind(path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # opening it will report what is wrong, if anything is
    if stat.S_ISDIR(mode):
        raise StoreError(f"{path}: expected a journal, this is a folder.")
    if not stat.S_ISREG(mode):  # reading a pipe would wait
        raise StoreError(f"{path}: expected a journal, this is not a regular file.")


def _header(file: BinaryIO, path: Path) -> Header:
    """Read the first line; ``file`` is then at the second."""
    start = file.read(len(_START))
    line = start + file.readline(_MAX_LINE) if start == _START else b""
    try:
        found = _parse(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("journal") != "kbai" or not line.endswith(b"\n"):
        raise StoreError(f"{path}: expected a journal, but its first line is not a header.")
    format, plan, plan_id = (found.get(key) for key in ("format", "plan", "plan_id"))
    if not isinstance(format, int) or format != FORMAT:
        told = f"format {quote(format)} of journals is unknown, known is {FORMAT}"
        raise StoreError(f"{path}: {told}.")
    if not isinstance(plan, dict) or not isinstance(plan_id, str) or not _has_id(plan, plan_id):
        raise StoreError(f"{path}: the header is damaged, its plan does not match its plan_id.")
    return Header(format, plan, plan_id)


def _has_id(plan: dict[str, Json], plan_id: str) -> bool:
    try:
        return content_id(plan) == plan_id
    except (RecursionError, ValueError):  # nested too deeply, or an infinite number
        return False


def _entries(
    file: BinaryIO, path: Path, on_damage: OnDamage, on_torn: OnDamage, last_wins: bool
) -> Iterator[Entry]:
    """Yield each finished task; ``file`` is then where the last whole line ends."""
    seen: dict[str, int] = {}
    for number, line, start, end in _lines(file):
        try:
            id, payload = _task(line)
        except _WrongTask as error:
            on_damage(Damage(path, number, str(error)))
            continue
        except ValueError as error:
            damage = Damage(path, number, f"this line is damaged: {error}")
            if not file.read(1):
                on_torn(damage)
                file.seek(start)  # half written, by a crash or by a process that is writing now
                return
            file.seek(end)
            on_damage(damage)
            continue
        if id not in seen or last_wins:
            seen[id] = hash(line)
            yield Entry(id, payload, number)
        # An identical line, as in two files put together, is not a second result.
        elif seen[id] != hash(line):
            reason = f"task {quote(id)} occurs twice, with different results"
            on_damage(Damage(path, number, reason))


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes, int, int]]:
    """Yield the lines with number, start and end; of a line that is too long only its start."""
    start, number = file.tell(), 1
    while line := file.readline(_MAX_LINE):
        number += 1
        end = start + len(line)
        part = line
        while len(part) == _MAX_LINE and not part.endswith(b"\n"):
            part = file.readline(_MAX_LINE)
            end += len(part)
        yield number, line, start, end
        start = end


class _WrongTask(ValueError):
    """A whole line of JSON that is no task."""


def _task(line: bytes) -> tuple[str, dict[str, Json]]:
    """Return the id and the payload in a line; ValueError says why there are none."""
    if not line.endswith(b"\n"):
        raise ValueError("it has no end" if len(line) < _MAX_LINE else "it is too long")
    if found := _SUM.match(line, max(0, len(line) - _SUM_BYTES)):
        line = line[: found.start()] + b"}"
        if _checksum(line) != found[1]:
            raise ValueError("its checksum does not match")
    try:
        task = _parse(line)
    except ValueError:
        raise ValueError("it is not JSON") from None
    if type(task) is dict and len(task) == 2:  # a `match` takes as long as reading the line
        id, payload = task.get("id"), task.get("payload")
        if type(id) is str and type(payload) is dict:
            return id, payload
    raise _WrongTask("expected a task with id and payload")


def _parse(line: bytes) -> Json:
    try:
        found: Json = _DECODER.decode(line.decode("ascii"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return found


def _refuse_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


# Made once: `json.loads` would make one for each line.
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _check_plan(old: dict[str, Json], new: Mapping[str, object], path: Path) -> None:
    if canonical(old) == canonical(new):
        return
    before, now = dict(_leaves(old)), dict(_leaves(json.loads(canonical(new))))
    differing = [
        f"{_cut(key)} was {_cut(before.get(key, 'missing'))}, now {_cut(now.get(key, 'missing'))}"
        for key in sorted(before.keys() | now.keys())
        if before.get(key) != now.get(key)
    ]
    if len(differing) > 3:
        differing[3:] = [f"and {len(differing) - 3} more"]
    told = "; ".join(differing) or "its keys are nested differently"
    raise StoreError(f"{path}: this journal belongs to another plan: {told}.")


def _cut(text: str) -> str:
    return text if len(text) <= MAX_QUOTE else f"{text[:MAX_QUOTE]}..."


def _leaves(plan: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """Yield every value of a plan as text, under a key like ``bots.0``."""
    waiting: list[tuple[str, Json]] = [("", plan)]
    while waiting:
        key, value = waiting.pop()
        inner: list[tuple[str, Json]] = []
        if isinstance(value, dict):
            inner = list(value.items())
        elif isinstance(value, list):
            inner = [(str(place), part) for place, part in enumerate(value)]
        if not inner:
            yield key, canonical(value)
        waiting += [(f"{key}.{name}" if key else name, part) for name, part in inner]


def _failed(what: str, path: Path, error: OSError) -> StoreError:
    return StoreError(f"could not {what} {path}: {error.strerror or error}.")
