"""A file of answers, so that nothing is searched twice.

What cannot be used, such as a damaged line, is as if it were not there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Set
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kbai.compute.journal import Damage, Journal, open_journal, read_entries
from kbai.core.errors import StoreError

# Distinguishes a cache from the journal of a match. The ids of answers say what they are about.
PLAN = {"cache": "searches"}


def _raise(error: StoreError) -> None:
    raise error


class Cache:
    """A journal of answers by id; without a path nothing is kept.

    ``on_failure`` is called if an answer cannot be stored. From then on nothing is kept.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        on_failure: Callable[[StoreError], None] = _raise,
    ) -> None:
        self._on_failure = on_failure
        self._journal: Journal | None = None
        if path is not None:
            try:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(f"could not open {path}: {error.strerror}.") from error
            self._journal = open_journal(path, PLAN, on_damage=_ignore, last_wins=True)

    @property
    def is_kept(self) -> bool:
        """Whether there is a file."""
        return self._journal is not None

    @property
    def ids(self) -> Set[str]:
        """The ids of all answers."""
        return self._journal.done if self._journal is not None else frozenset()

    def find(self, ids: Set[str]) -> dict[str, Mapping[str, Any]]:
        """Return those of these answers that are in the cache."""
        if self._journal is None or not ids & self._journal.done:
            return {}
        entries = read_entries(self._journal.path, on_damage=_ignore, last_wins=True)
        return {entry.id: entry.payload for entry in entries if entry.id in ids}

    def keep(self, id: str, payload: Mapping[str, Any]) -> None:
        """Store an answer; it is on the disk when this returns, and replaces an earlier one."""
        if self._journal is None:
            return
        try:
            self._journal.append(id, payload, again=True)
        except StoreError as error:  # the answer is there all the same
            self._journal = None
            self._on_failure(error)

    def close(self) -> None:
        """Close the file."""
        if self._journal is not None:
            self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _ignore(damage: Damage) -> None:
    """Leave out a damaged line: its answer is searched again."""
