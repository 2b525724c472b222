"""JSON from outside: an object that names a key twice is an error."""

from __future__ import annotations

from kbai.core.errors import quote


class RepeatedKey(ValueError):
    """A JSON object names a key twice."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {quote(key)} occurs twice")
        self.key = key


def unique_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the pairs of an object, for the parser of the standard library."""
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise RepeatedKey(key)
            seen.add(key)
    return data
