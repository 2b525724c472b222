"""Reading plain dicts, as TOML and JSON give them: tables with known keys, words, numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice

from kbai.content import TERRAIN_CARDS, join_names
from kbai.core.errors import MAX_QUOTE, NotationError, quote, suggest_name
from kbai.notation.names import parse_cell, parse_name
from kbai.notation.spans import Path

_WORD = re.compile(r"[^\s,]+")
_UP_TO_99 = re.compile(r"[0-9]{1,2}")
# Of one value; the board has 400 cells.
MAX_WORDS = 2_000


class Word(str):
    """A word of the input, with the path of its value."""

    __slots__ = ("path",)
    path: Path

    def __new__(cls, text: str, path: Path) -> Word:
        word = super().__new__(cls, text)
        word.path = path
        return word

    def error(self, message: str) -> NotationError:
        return NotationError(f"{message}.", path=self.path, token=str(self))


class Table:
    """A table of the input; all keys must be known, in upper or lower case."""

    def __init__(self, data: Mapping[str, object], path: Path, known: Sequence[str]) -> None:
        self.path = path
        self._keys: dict[str, str] = {}
        self._data = data
        for key in data:
            name = key.strip().lower()
            where: Path = (*path, key)
            if name not in known:
                message = f"{suggest_name('key', key, known)}."
                raise NotationError(message, path=where, token=key)
            if name in self._keys:
                message = f"expected the key {name!r} once, got it twice."
                raise NotationError(message, path=where, token=key)
            self._keys[name] = key

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def where(self, key: str) -> Path:
        return (*self.path, self._keys.get(key, key))

    def error(self, key: str, message: str) -> NotationError:
        """Return an error about the value of a key, or about the table if the key is missing."""
        value = self.get(key)
        token = value if isinstance(value, str) else ""
        return NotationError(
            f"{message}.", path=self.where(key) if key in self else self.path, token=token
        )

    def get(self, key: str) -> object:
        return self._data.get(self._keys.get(key, ""))

    def require(self, key: str, what: str) -> None:
        if key not in self:
            owner = f" of {self.path[-1]}" if self.path and isinstance(self.path[-1], str) else ""
            raise self.error(key, f"expected {what}, but the key {key!r}{owner} is missing")

    def text(self, key: str) -> str:
        value = self.get(key)
        if not isinstance(value, str):
            raise self.error(key, f"expected text for {key!r}, got {quote(value)}")
        return value

    def is_given(self, key: str) -> bool:
        """Return whether a key is there and has a value."""
        return key in self._keys and self.get(key) not in ("-", "", [], {})

    def known(self, keys: Iterable[str]) -> list[str]:
        """Return which of some keys are there."""
        return [key for key in keys if key in self._keys]

    def items(self, keys: Iterable[str]) -> dict[str, object]:
        """Return the values of those of some keys that are there, by key as written."""
        return {self._keys[key]: self.get(key) for key in self.known(keys)}

    def words(self, key: str, *, numbers: bool = False) -> list[Word]:
        """Return the words of a list of texts, or of one text; a missing key has none.

        With ``numbers``, whole numbers may take the place of texts.
        """
        if key not in self._keys:
            return []
        value, where = self.get(key), self.where(key)
        if numbers:
            value = [*map(_as_text, value)] if isinstance(value, list) else _as_text(value)
        if value == "-":
            return []
        if isinstance(value, str):
            return _split(value, where)
        if not isinstance(value, list):
            message = f"expected text or a list of texts for {key!r}, got {quote(value)}"
            raise self.error(key, message)
        words = []
        for index, item in enumerate(value):
            if not isinstance(item, str):
                message = f"expected a list of texts for {key!r}, got {quote(item)} in it."
                raise NotationError(message, path=(*where, index), token=_plain(item))
            words += _split(item, (*where, index))
            check_count(words, MAX_WORDS, f"words for {key!r}", where)
        return words

    def word(self, key: str, what: str) -> Word | None:
        """Return the one word of a key, if it has one."""
        words = self.words(key)
        if len(words) > 1:
            raise words[1].error(f"expected one {what}, got {quote(words[1])} as another")
        return words[0] if words else None

    def number(self, key: str, low: int, high: int) -> int:
        value = self.get(key)
        if isinstance(value, str) and re.fullmatch(r"[0-9]{1,4}", value):
            value = int(value)
        if type(value) is not int or not low <= value <= high:
            message = f"expected a number from {low} to {high} for {key!r}, got {quote(value)}"
            raise self.error(key, message)
        return value

    def flag(self, key: str) -> bool:
        value = self.get(key)
        if isinstance(value, str):
            value = {"true": True, "false": False}.get(value.strip().lower(), value)
        if not isinstance(value, bool):
            raise self.error(key, f"expected true or false for {key!r}, got {quote(value)}")
        return value

    def seat(self, key: str, seats: Sequence[str]) -> int:
        """Return the number of the seat that the value of a key names."""
        return seats.index(parse_name("seat", self.text(key), seats, path=self.where(key)))

    def seats(self, key: str, seats: Sequence[str]) -> list[int]:
        """Return the numbers of the seats that the value of a key names, in order."""
        numbers = set()
        for word in self.words(key):
            number = seats.index(parse_name("seat", word, seats, path=word.path))
            if number in numbers:
                raise word.error(f"expected each seat once in {key!r}, got {word!r} twice")
            numbers.add(number)
        return sorted(numbers)

    def counts(self, key: str) -> list[int]:
        """Return how many cards of each kind a table, or words such as ``grass:2``, give."""
        counts = [0] * len(TERRAIN_CARDS)
        if key not in self._keys:
            return counts
        value, where = self.get(key), self.where(key)
        if isinstance(value, dict):
            table = Table(value, where, TERRAIN_CARDS)
            for index, name in enumerate(TERRAIN_CARDS):
                counts[index] = table.number(name, 0, 99) if name in table else 0
            return counts
        for word in self.words(key):
            name, colon, count = word.partition(":")
            card = parse_name("card", name, TERRAIN_CARDS, path=word.path, token=str(word))
            if not count and not colon:
                count = "1"
            if not _UP_TO_99.fullmatch(count):
                raise word.error(f"expected a number of cards like 'grass:2', got {quote(word)}")
            counts[TERRAIN_CARDS.index(card)] += int(count)
        return counts

    def amounts(self, key: str, names: Sequence[str], high: int) -> dict[str, int]:
        """Return the numbers that a table, or words such as ``treasure:3``, give to names."""
        value, where = self.get(key), self.where(key)
        if isinstance(value, dict):
            table = Table(value, where, names)
            return {name: table.number(name, 0, high) for name in names if name in table}
        amounts: dict[str, int] = {}
        for word in self.words(key):
            text, _, number = word.partition(":")
            name = parse_name(f"source of {key}", text, names, path=word.path, token=str(word))
            if not re.fullmatch(r"[0-9]{1,4}", number) or int(number) > high:
                example = f"like '{names[0]}:3'"
                raise word.error(f"expected up to {high} {key} {example}, got {quote(word)}")
            if name in amounts:
                raise word.error(f"expected each source of {key} once, got {name!r} twice")
            amounts[name] = int(number)
        return amounts


def _plain(value: object) -> str:
    """Return a number or a truth value as TOML and JSON write it."""
    if isinstance(value, int) and abs(value) < 10**MAX_QUOTE:
        return str(value).lower()
    return ""


def _as_text(value: object) -> object:
    return _plain(value) if type(value) is int else value


def _split(text: str, path: Path) -> list[Word]:
    found = islice(_WORD.finditer(join_names(text)), MAX_WORDS + 1)
    words = [Word(match[0], path) for match in found]
    check_count(words, MAX_WORDS, "words in a value", path)
    return words


def check_count(items: Sequence[object], limit: int, what: str, path: Path) -> None:
    """Raise if there are more items than anything can mean."""
    if len(items) > limit:
        raise NotationError(f"expected at most {limit:,} {what}, got more.", path=path)


def parse_place(
    what: str, word: Word, known: Collection[str], example: str = "tavern@c7"
) -> tuple[str, int]:
    """Return kind and cell of a word such as ``tavern@c7``."""
    kind, at, cell = word.partition("@")
    if not at:
        raise word.error(f"expected a {what} and its cell like '{example}', got {quote(word)}")
    return (
        parse_name(what, kind, known, path=word.path, token=str(word)),
        parse_cell(cell, path=word.path, token=str(word)),
    )
