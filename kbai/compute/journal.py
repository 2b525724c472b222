"""The journal of a long run: a header with the plan, then one line of JSON per finished task.

A line counts once its newline is on the disk. Readers ignore what a crash leaves half written at
the end, and the next writer cuts it off. So a run that was stopped or killed, or lost its power,
continues where it was. Where Python has no fcntl (Windows), nothing keeps two processes from
appending to the same journal.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, TypeAlias

from kbai.core.errors import StoreError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

FORMAT = 1
# Keys are sorted, so every header begins like this, and other files are recognized at once.
_START = b'{"format":'

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
    return f"{canonical({'id': id, 'payload': dict(payload)})}\n".encode()


def is_header(start: bytes) -> bool:
    """Tell whether a file that begins with these bytes is meant as a journal."""
    return start.startswith(_START)


def read_header(path: str | os.PathLike[str]) -> Header:
    """Return the first line of a journal, checked."""
    with _open(path) as file:
        return _header(file, Path(path))


def read_entries(path: str | os.PathLike[str]) -> Iterator[Entry]:
    """Yield the finished tasks of a journal, each once, in the order of the file."""
    with _open(path) as file:
        _header(file, Path(path))
        yield from _entries(file, Path(path))


class Journal:
    """A journal opened for appending; `open_journal` makes one."""

    def __init__(self, path: Path, file: int, done: set[str], end: int, torn: int) -> None:
        self.path = path
        self.torn = torn
        """Bytes of a half-written line that were cut off."""
        self._file: int | None = file
        self._done = done
        self._end = end

    @property
    def done(self) -> Set[str]:
        """The ids of the finished tasks."""
        return self._done

    def append(self, id: str, payload: Mapping[str, object]) -> None:
        """Add a finished task; it is on the disk when this returns."""
        self.append_lines({id: format_entry(id, payload)})

    def append_lines(self, lines: Mapping[str, bytes]) -> None:
        """Add lines made by `format_entry`, by id; all are on the disk when this returns.

        If anything goes wrong, the file is as it was before and takes no more lines.
        """
        for id in lines.keys() & self._done:
            raise StoreError(f"{self.path}: task {id!r} is in the journal already.")
        if self._file is None:
            raise StoreError(f"{self.path}: the journal is closed.")
        before = self._end
        data = b"".join(lines.values())
        try:
            _write(self._file, data)
            self._done.update(lines)
            self._end += len(data)
        except BaseException as error:  # an interrupt, too: then the tasks are not done
            self._done.difference_update(lines)
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
        self.close()

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
    path: str | os.PathLike[str], plan: Mapping[str, object], *, may_differ: Set[str] = frozenset()
) -> Journal:
    """Open the journal of a plan for appending: begin it, or continue where it ends.

    Raises `StoreError` for a journal of another plan, and for any other file. The values of
    the keys in ``may_differ`` do not make it another plan; the header keeps those it began with.
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
        return _resume(file, path, plan, may_differ)
    except BaseException:
        os.close(file)
        raise


def _resume(file: int, path: Path, plan: Mapping[str, object], may_differ: Set[str]) -> Journal:
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
            done.update(entry.id for entry in _entries(reader, path))
            end = reader.tell()
        torn = reader.seek(0, os.SEEK_END) - end
    try:
        if torn:
            os.ftruncate(file, end)
            os.fsync(file)
        if new:
            _begin(file, line, path)
            end = len(line)
    except OSError as error:
        raise _failed("write to", path, error) from error
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
    line = start + file.readline() if start == _START else b""
    try:
        found = _parse(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("journal") != "kbai" or not line.endswith(b"\n"):
        raise StoreError(f"{path}: expected a journal, but its first line is not a header.")
    format, plan, plan_id = (found.get(key) for key in ("format", "plan", "plan_id"))
    if not isinstance(format, int) or format != FORMAT:
        raise StoreError(f"{path}: format {format!r} of journals is unknown, known is {FORMAT}.")
    if not isinstance(plan, dict) or not isinstance(plan_id, str) or content_id(plan) != plan_id:
        raise StoreError(f"{path}: the header is damaged, its plan does not match its plan_id.")
    return Header(format, plan, plan_id)


def _entries(file: BinaryIO, path: Path) -> Iterator[Entry]:
    """Yield each finished task once; ``file`` is then where the last whole line ends."""
    seen: dict[str, int] = {}
    end = file.tell()
    for number, line in enumerate(file, start=2):
        try:
            if not line.endswith(b"\n"):
                raise ValueError
            found = _parse(line)
        except ValueError as error:
            if file.read(1):
                raise StoreError(f"{path}, line {number}: this line is damaged.") from error
            file.seek(end)  # half written, by a crash or by a process that is writing now
            return
        end += len(line)
        match found:
            case {"id": str(id), "payload": dict(payload), **rest} if not rest:
                pass
            case _:
                raise StoreError(f"{path}, line {number}: expected a task with id and payload.")
        if id not in seen:
            seen[id] = hash(line)
            yield Entry(id, payload)
        # An identical line, as in two files put together, is not a second result.
        elif seen[id] != hash(line):
            raise StoreError(
                f"{path}, line {number}: task {id!r} occurs twice, with different results."
            )


def _parse(line: bytes) -> Json:
    try:
        found: Json = json.loads(line.decode("ascii"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return found


def _check_plan(old: dict[str, Json], new: Mapping[str, object], path: Path) -> None:
    if canonical(old) == canonical(new):
        return
    before, now = dict(_leaves(old)), dict(_leaves(json.loads(canonical(new))))
    differing = [
        f"{key} was {before.get(key, 'missing')}, now {now.get(key, 'missing')}"
        for key in sorted(before.keys() | now.keys())
        if before.get(key) != now.get(key)
    ]
    if len(differing) > 3:
        differing[3:] = [f"and {len(differing) - 3} more"]
    told = "; ".join(differing) or "its keys are nested differently"
    raise StoreError(f"{path}: this journal belongs to another plan: {told}.")


def _leaves(value: Json, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield every value of a plan as text, under a key like ``bots.0``."""
    inner: list[tuple[str, Json]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = [(str(place), part) for place, part in enumerate(value)]
    if not inner:
        yield key, canonical(value)
    for name, part in inner:
        yield from _leaves(part, f"{key}.{name}" if key else name)


def _failed(what: str, path: Path, error: OSError) -> StoreError:
    return StoreError(f"could not {what} {path}: {error.strerror or error}.")
