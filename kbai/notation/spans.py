"""Where each value of a TOML or JSON text is, for errors with line and column.

The parsers of the standard library do not tell. They have parsed a text before it comes here, so
the scanner only has to tell values apart, not to check them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from kbai.core.errors import MAX_TOKEN

Path = tuple[str | int, ...]

# Deeper values are taken for a part of the one at this depth: no error is about them alone.
MAX_DEPTH = 16

_BLANK = re.compile(r"\s*")
_BARE_VALUE = re.compile(r"[^,\]}#\n]*")
_BARE_KEY = re.compile(r"[^\s.=:\]\"'#]*")
_STRING = re.compile(
    r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\]++|\\.)*+"'
    r"|'[^']*'",
    re.DOTALL,
)


class Span(NamedTuple):
    """Offsets in a text: where the key begins, where its value begins and ends."""

    key: int
    start: int
    end: int


@dataclass(slots=True, eq=False, repr=False)
class Spans:
    """The place of every value of a text, by its path."""

    text: str
    known: dict[Path, Span] = field(default_factory=dict)
    repeated: list[Path] = field(default_factory=list)
    """Keys that a JSON object has twice; the place is that of the second."""

    def find(self, path: Path, token: str) -> int | None:
        """Return the offset of a word in the value with this path, or of the value itself."""
        first = None
        while path:
            span = self.known.get(path)
            if span is not None:
                found = self._search(span, token) if token else None
                if found is not None:
                    return found
                first = span.start if first is None else first
            if first is not None and not isinstance(path[-1], int):
                break  # only the words of a list can be spread over several items
            path = path[:-1]
        return first

    def _search(self, span: Span, token: str) -> int | None:
        # The end of a token that was cut is not the end of a word.
        end_of_word = r"(?!\w)" if len(token) < MAX_TOKEN else ""
        word = re.compile(rf"(?<!\w){re.escape(token)}{end_of_word}", re.IGNORECASE)
        for start, end in ((span.start, span.end), (span.key, span.start)):
            match = word.search(self.text, start, end)
            if match:
                return match.start()
        return None


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column, counted from 1, of an offset."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def scan_json(text: str) -> Spans:
    """Return the places of the values of a JSON text."""
    scanner = _Scanner(text)
    scanner.run(lambda: scanner.value((), 0))
    return scanner.spans


def scan_toml(text: str) -> Spans:
    """Return the places of the values of a TOML text."""
    scanner = _Scanner(text)
    scanner.run(scanner.document)
    return scanner.spans


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.spans = Spans(text)
        self.arrays: dict[Path, int] = {}  # arrays of tables: the index of the last one

    def run(self, scan: Callable[[], None]) -> None:
        try:
            scan()
        except (IndexError, RecursionError):
            pass  # a place is a courtesy: use what has been found so far

    def blank(self) -> str:
        """Skip blanks and comments; return the next character."""
        self.take(_BLANK)
        while self.text.startswith("#", self.at):
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
            self.take(_BLANK)
        return self.text[self.at : self.at + 1]

    def take(self, pattern: re.Pattern[str]) -> str:
        """Skip what matches a pattern here; return it."""
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match[0]

    def document(self) -> None:
        prefix: Path = ()
        while self.blank():
            start = self.at
            if self.text[start] == "[":
                prefix = self.header()
                self.note(prefix, start, start)
            else:
                self.member(prefix)

    def header(self) -> Path:
        is_array = self.text.startswith("[[", self.at)
        self.at += 1 + is_array
        path: Path = ()
        keys = self.key()
        for number, key in enumerate(keys, start=1):
            path = _deeper(path, key)
            if path in self.arrays and not (is_array and number == len(keys)):
                path = (*path, self.arrays[path])
        if is_array:
            self.arrays[path] = self.arrays.get(path, -1) + 1
            path = (*path, self.arrays[path])
        self.blank()
        self.at += 1 + is_array
        return path

    def member(self, prefix: Path) -> None:
        """Scan ``key = value`` or ``"key": value``."""
        start = self.at
        keys = self.key()
        self.blank()
        self.at += 1
        self.blank()
        path = prefix
        for key in keys[:-1]:
            path = _deeper(path, key)
            self.spans.known.setdefault(path, Span(start, self.at, self.at))
        if _deeper(path, keys[-1]) in self.spans.known and len(path) < MAX_DEPTH:
            self.spans.repeated.append((*path, keys[-1]))
        self.value(_deeper(path, keys[-1]), start)

    def key(self) -> list[str]:
        """Scan a key, which may be dotted or quoted."""
        keys = []
        while True:
            self.blank()
            string = self.take(_STRING)
            keys.append(_unquote(string) if string else self.take(_BARE_KEY))
            if self.blank() != ".":
                return keys
            self.at += 1

    def value(self, path: Path, key: int) -> None:
        opening = self.blank()
        start = self.at
        if opening in ("{", "["):
            closing = "}" if opening == "{" else "]"
            self.at += 1
            index = 0
            while self.blank() not in (closing, ""):
                before = self.at
                if opening == "{":
                    self.member(path)
                else:
                    self.value(_deeper(path, index), self.at)
                index += 1
                if self.blank() == ",":
                    self.at += 1
                if self.at == before:
                    return  # not what the parser read; better no place than an endless loop
            self.at += 1
        elif not self.take(_STRING):
            self.take(_BARE_VALUE)
        self.note(path, key, start)

    def note(self, path: Path, key: int, start: int) -> None:
        self.spans.known[path] = Span(key, start, self.at)


def _deeper(path: Path, key: str | int) -> Path:
    return (*path, key) if len(path) < MAX_DEPTH else path


def _unquote(text: str) -> str:
    if text.startswith("'"):
        return text[1:-1]
    import json  # here, because only errors about strings need it

    try:
        return str(json.loads(text))
    except ValueError:
        return text[1:-1]
