"""Changes of an input: by byte, word, line, structure, and by growth."""

import hashlib
import json
import random
import re
from collections.abc import Callable

NUMBERS = (
    b"0", b"-1", b"1", b"2", b"7", b"21", b"41", b"255", b"256", b"65536", b"2147483648",
    b"9223372036854775808", b"18446744073709551616", b"-9223372036854775809", b"1e999", b"-1e999",
    b"NaN", b"Infinity", b"-Infinity", b"nan", b"inf", b"0.5", b"1e-999", b"1.5e3", b"-0", b"-0.0",
    b"00", b"0x10", b"1_000", b"9" * 400, b"9" * 5000, "\u0663".encode(), "\u00b2".encode(), b"1e5",
)  # fmt: skip
CHUNKS = (
    b"\x1b[31m", b"\x1b]0;x\x07", b"\x9b31m", b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80",
    b"\xef\xbb\xbf", b"\r\n", b"\r", b"\n", b"\n\n", b"\t", b"\x0b", b"\x0c", b"\x7f",
    *(c.encode() for c in "\x85\u2028\u202e\u200b\u0130\ufb01\U0001d7d7\ufeff\u00e9\u0301"),
    b"\\u001b", b"\\u001b[31m", b"\\ud800", b"\\u0000", b"\\u2028", b"\\n", b"\\", b'"', b"'",
    b'"""', b"'''", b"#", b"=", b":", b",", b"/", b"@", b"*", b"-", b"~", b"+", b"|", b"[", b"]",
    b"{", b"}", b"[[", b"]]", b"...", b" end", b" stop", b"kb1 ", b"null", b"true", b"false", b"{}",
    b"[]", b'""', b"..", b"hidden", b"choose", b"none", b"%s", b"{0}", b"$HOME", b"../", b"\\x1b",
)  # fmt: skip
# Deeper structures are changed as text.
MAX_DEPTH = 100
SIZES = (10, 100, 1_000, 1_000, 10_000, 100_000)
# Of a changed input; what is larger is among the fixed ones.
MAX_SIZE = 300_000
WORD = re.compile(rb"[\w.~@*+-]+")
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
CELL = re.compile(rb"~?[a-t]\d{1,2}")


class Changes:
    """What can be done to an input, with one source of chance."""

    def __init__(self, rng: random.Random, words: tuple[bytes, ...]) -> None:
        self.rng = rng
        self.words = words

    def mutate(self, kind: str, data: bytes, other: bytes) -> bytes:
        """Return an input with one change or a few, which may come from another input."""
        ways = self._ways(kind, other)
        for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3, 5))):
            way = self.rng.choices([way for way, _ in ways], [weight for _, weight in ways])[0]
            data = way(data)[:MAX_SIZE]
        return data

    def _ways(self, kind: str, other: bytes) -> list[tuple[Callable[[bytes], bytes], int]]:
        ways: list[tuple[Callable[[bytes], bytes], int]] = [
            (self.change_bytes, 4),
            (self.change_words, 8),
            (self.change_lines, 4),
            (self.grow, 2),
            (lambda data: self.splice(data, other), 1),
            (self.encode, 1),
        ]
        if kind in ("json", "log"):
            ways.append((self.change_json, 10))
        elif kind in ("query", "journal", "cache"):
            ways.append((self.change_json_lines, 16))
        elif kind in ("toml", "quadrants"):
            ways.append((self.change_toml, 8))
        return ways

    # --- bytes ---------------------------------------------------------------------------------

    def change_bytes(self, data: bytes) -> bytes:
        """Flip, replace, insert, remove or repeat some bytes."""
        rng = self.rng
        start = rng.randrange(len(data) + 1)
        end = min(len(data), start + rng.choice((0, 1, 1, 2, 5, 20)))
        way = rng.randrange(6)
        if way == 0 and start < len(data):
            changed = bytes([data[start] ^ 1 << rng.randrange(8)])
            return data[:start] + changed + data[start + 1 :]
        if way == 1:
            return data[:start] + rng.choice(CHUNKS) + data[end:]
        if way == 2:
            return data[:start] + data[end:]
        if way == 3:
            return data[:end] + data[start:]
        if way == 4:
            return data[:start]
        return data[:start] + rng.randbytes(rng.randrange(1, 5)) + data[end:]

    # --- words ---------------------------------------------------------------------------------

    def change_words(self, data: bytes) -> bytes:
        """Change a word: into one of its kind, any word, a number; or take it out, or double it."""
        match = self._some_word(data)
        if match is None:
            return data
        return data[: match.start()] + self._word_for(match[0]) + data[match.end() :]

    def _some_word(self, data: bytes) -> re.Match[bytes] | None:
        place = self.rng.randrange(len(data) + 1)
        return WORD.search(data, place) or WORD.search(data)

    def _word_for(self, word: bytes) -> bytes:
        rng = self.rng
        way = rng.randrange(8)
        if CELL.fullmatch(word) and way < 5:
            return b"%c%d" % (rng.choice(b"abcdefghijklmnopqrst"), rng.randrange(1, 21))
        if NUMBER.fullmatch(word) and way < 5:
            return rng.choice(NUMBERS)
        if way < 5:
            return rng.choice(self.words)
        if way == 5:
            return b""
        if way == 6:
            return word + rng.choice((b" ", b",", b"", b"/", b"=", b":")) + word
        return rng.choice((word.upper(), word[::-1], word[:-1], rng.choice(CHUNKS)))

    # --- lines ---------------------------------------------------------------------------------

    def change_lines(self, data: bytes) -> bytes:
        """Remove, double, swap, join or shuffle lines."""
        rng = self.rng
        lines = data.splitlines(keepends=True)
        if not lines:
            return data
        one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
        way = rng.randrange(6)
        if way == 0:
            del lines[one]
        elif way == 1:
            lines.insert(two, lines[one])
        elif way == 2:
            lines[one], lines[two] = lines[two], lines[one]
        elif way == 3:
            lines[one] = lines[one].rstrip(b"\n")
        elif way == 4:
            rng.shuffle(lines)
        else:
            lines[one:one] = [lines[one]] * rng.choice((2, 10, 100, 1000))
        return b"".join(lines)

    # --- growth --------------------------------------------------------------------------------

    def grow(self, data: bytes) -> bytes:
        """Put something long or deep in place of a word, or repeat one."""
        match = self._some_word(data)
        if match is None:
            return data
        return data[: match.start()] + self.long_text(match[0]) + data[match.end() :]

    def long_text(self, word: bytes) -> bytes:
        """Return something long: a word, a list, a number, a dotted key, brackets in brackets."""
        rng = self.rng
        size = rng.choice(SIZES)
        joint = rng.choice(
            (b"", b" ", b",", b".", b"/", b"=", b":", b"-", b"+", b"@", b"\n", b'","')
        )
        deep = rng.choice((min(size, 5_000), rng.randrange(300, 1_000)))
        return rng.choice(
            (
                (word + joint) * (size // (len(word) + len(joint)) + 2),
                b"x" * size,
                b"9" * size,
                b"a." * (size // 2) + b"a = 1",
                b"[" * deep + b"]" * deep,
                b'{"a":' * deep + b"1" + b"}" * deep,
                b" " * size,
                b"\\" * size,
                b"#" * size,
            )
        )

    def splice(self, data: bytes, other: bytes) -> bytes:
        """Go on with another input from somewhere."""
        start, end = self.rng.randrange(len(data) + 1), self.rng.randrange(len(other) + 1)
        return data[:start] + other[end:]

    def encode(self, data: bytes) -> bytes:
        """Write the input as another editor or system would."""
        way = self.rng.randrange(5)
        if way == 0:
            return b"\xef\xbb\xbf" + data
        if way == 1:
            return data.replace(b"\n", b"\r\n")
        if way == 2:
            return data.replace(b"\n", b"\r")
        if way == 3:
            return data.decode("utf-8", "replace").encode("utf-16")
        return data.decode("utf-8", "replace").upper().encode()

    # --- structure -----------------------------------------------------------------------------

    def change_json_lines(self, data: bytes) -> bytes:
        """Change a value in one of the objects of a file; mend the plan's id, mostly."""
        lines = data.splitlines(keepends=True)
        if not lines:
            return data
        place = self.rng.choice((0, self.rng.randrange(len(lines))))
        changed = self.change_json(lines[place].rstrip(b"\n"))
        if self.rng.random() < 0.8:
            changed = with_plan_id(changed)
        lines[place] = changed + b"\n"
        return b"".join(lines)

    def change_json(self, data: bytes) -> bytes:
        """Change one value or key of a JSON text; of another text, a word."""
        if _depth(data) > MAX_DEPTH:
            return self.change_words(data)
        try:
            value = json.loads(data, object_pairs_hook=Pairs)
        except ValueError:
            return self.change_words(data)
        places = list(_places(value))
        if not places:
            return self.json_value()
        holder, index = self.rng.choice(places)
        self._change_place(holder, index)
        return write_json(value)

    def _change_place(self, holder: "Pairs | list[object]", index: int) -> None:
        rng = self.rng
        way = rng.randrange(8)
        if way == 0:
            del holder[index]
        elif way == 1:
            holder.insert(index, holder[index])
        elif not isinstance(holder, Pairs):
            inner = write_json(holder[index])
            holder[index] = Raw(self.json_value(inner))
        else:
            key, value = holder[index]
            if way == 2:
                holder[index] = (rng.choice(self.words).decode("utf-8", "replace"), value)
            elif way == 3:
                size = min(rng.choice(SIZES), 2_000)
                holder += [(f"k{number}", number) for number in range(size)]
                holder.append((key, value))
            else:
                holder[index] = (key, Raw(self.json_value(write_json(value))))

    def json_value(self, value: bytes = b"1") -> bytes:
        """Return a value of another type or size than this one."""
        rng = self.rng
        deep = rng.choice((10, 490, 490, 2_000))
        return rng.choice(
            (
                b"null", b"true", b"[]", b"{}", b'""', b'"x"', rng.choice(NUMBERS),
                rng.choice(NUMBERS), rng.choice(NUMBERS), b"[%s]" % value, b'{"a":%s}' % value,
                b"[%s]" % b",".join([value] * rng.choice((2, 3, 80, 1000))),
                b'"%s"' % rng.choice(self.words), b'"%s"' % rng.choice(CHUNKS),
                b'"%s"' % (b"x" * rng.choice(SIZES)), b"[" * deep + value + b"]" * deep,
                b'{"a":' * deep + value + b"}" * deep, b"-%s" % value,
            )
        )  # fmt: skip

    def change_toml(self, data: bytes) -> bytes:
        """Change the key or the value of a line, or put a line before it."""
        rng = self.rng
        lines = data.split(b"\n")
        places = [i for i, line in enumerate(lines) if b"=" in line or line.startswith(b"[")]
        if not places:
            return data
        place = rng.choice(places)
        key, equals, value = lines[place].partition(b"=")
        way = rng.randrange(5)
        if way == 0:
            lines[place] = rng.choice(self.words) + equals + value
        elif way == 1:
            lines.insert(place, rng.choice(self.words) + b" = " + self.json_value())
        elif way == 2:
            lines[place] = key.strip() + b"." + rng.choice(self.words) + b" = 1"
        elif way == 3:
            lines.insert(place, b"[%s]" % self.long_text(rng.choice(self.words)))
        else:
            lines[place] = key + b"= " + self.json_value(value.split(b"#")[0].strip() or b"1")
        return b"\n".join(lines)


def _depth(data: bytes) -> int:
    """Return at least how deep brackets are nested in brackets."""
    deepest = depth = 0
    for match in re.finditer(rb"[\[{]+|[\]}]", data):
        depth += -1 if match[0] in b"]}" else len(match[0])
        deepest = max(deepest, depth)
    return deepest


class Pairs(list):  # type: ignore[type-arg]
    """An object of JSON as pairs, so that a key may be there twice."""


class Raw(bytes):
    """A text that stands for itself."""


def _places(value: object):  # type: ignore[no-untyped-def]
    """Yield every place of a value of JSON as what holds it and an index there."""
    if isinstance(value, Pairs):
        for index, (_, inner) in enumerate(value):
            yield value, index
            yield from _places(inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield value, index
            yield from _places(inner)


def write_json(value: object) -> bytes:
    """Return the JSON text of a value that may hold texts as they are."""
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, Pairs):
        pairs = (json.dumps(key).encode() + b":" + write_json(inner) for key, inner in value)
        return b"{%s}" % b",".join(pairs)
    if isinstance(value, list):
        return b"[%s]" % b",".join(map(write_json, value))
    return json.dumps(value).encode()


def with_plan_id(header: bytes) -> bytes:
    """Return the header of a journal with the id that belongs to its plan, if it has both."""
    if _depth(header) > MAX_DEPTH:
        return header
    try:
        data = json.loads(header)
        plan = json.dumps(data["plan"], sort_keys=True, separators=(",", ":"))
        if "plan_id" not in data:
            return header
    except (ValueError, KeyError, TypeError):
        return header
    data["plan_id"] = hashlib.blake2b(plan.encode(), digest_size=16).hexdigest()
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
