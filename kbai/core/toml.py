"""TOML from outside, refused before it is parsed if parsing could take minutes.

The parser of the standard library takes time and memory that grow with the square of a dotted
key's length, and some microseconds for each value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# No file of kbai has keys of more than three parts.
MAX_KEY_PARTS = 16
# Signs that begin or separate values, keys, comments and escapes, wherever they stand. A position
# has some hundred; this many take a fraction of a second.
MAX_SIGNS = 20_000
_SIGNS = ".,:=[{#\\"

_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)"
    r'|(?P<part>"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*'"
    r"|[\w-]+)"
    r"|(?P<dot>\.)"
    r"|(?P<blank>[ \t]+)"
    r"|(?P<other>[^\w.#\"' \t-]+|.)",
    re.DOTALL,
)
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)")


class TomlError(ValueError):
    """A text is no TOML, or more than is sensible; the message is a reason without a full stop."""

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        # A reason of the parser may quote the whole input.
        super().__init__(" ".join(reason.split())[:200].rstrip("."))
        self.line = line
        self.column = column


def parse_toml(text: str) -> dict[str, object]:
    """Return the data of a TOML text; raises `TomlError`."""
    check_signs(text)
    if text.count(".") >= MAX_KEY_PARTS:
        _check_keys(text)
    import tomllib  # which takes long to load, and most commands read no TOML

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line, column = (int(place[1]), int(place[2])) if place else (None, None)
        raise TomlError(_PLACE.sub("", str(error)), line, column) from error
    except (ValueError, RecursionError) as error:
        raise TomlError(str(error)) from error


def check_signs(text: str) -> None:
    """Raise if a text has far too many values, whatever they are."""
    n_signs = sum(map(text.count, _SIGNS))
    if n_signs > MAX_SIGNS:
        signs = " ".join(_SIGNS)
        raise TomlError(f"it has {n_signs:,} of the signs {signs}, more than {MAX_SIGNS:,}")


def _check_keys(text: str) -> None:
    for offset, n_parts in _dotted_keys(text):
        if n_parts > MAX_KEY_PARTS:
            message = f"it has a key of more than {MAX_KEY_PARTS} parts"
            line = text.count("\n", 0, offset) + 1
            raise TomlError(message, line, offset - text.rfind("\n", 0, offset))


def _dotted_keys(text: str) -> Iterator[tuple[int, int]]:
    """Iterate over the keys as they grow: where each begins, and how many parts it has so far."""
    start, n_parts, is_open = 0, 0, False
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "part":
                if not is_open:
                    start, n_parts = token.start(), 0
                n_parts, is_open = n_parts + 1, False
                yield start, n_parts
            case "dot":
                is_open = n_parts > 0
            case "blank":
                pass
            case _:
                n_parts, is_open = 0, False
