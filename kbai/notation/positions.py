"""The three spellings of a position: one line, TOML and JSON."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Callable

from kbai._fast import Position
from kbai.core.errors import NotationError, quote, suggest_name
from kbai.core.json import RepeatedKey, unique_pairs
from kbai.core.texts import MAX_POSITION, check_length
from kbai.core.toml import TomlError, check_signs, parse_toml
from kbai.game.seats import SEATS
from kbai.notation.dicts import check_count
from kbai.notation.schema import BOARD_KEYS, KEYS, SEAT_KEYS, position_from_dict, position_to_dict
from kbai.notation.spans import Path, Span, Spans, line_and_column, scan_json, scan_toml

LINE_MARK = "kb1"
SPELLINGS = ("line", "toml", "json")
_WORD_KEYS = (*(key for key in KEYS if key != "seat"), *SEATS)
# Lists of short words, which TOML writes as one text.
_SHORT_WORDS = (
    "settlements",
    "warriors",
    "mayors",
    "roved",
    "caves",
    "capitols",
    "built",
    "moved",
    "scouts",
    "walls",
    "gone",
)
_ANY_MARK = re.compile(r"\s*kb[0-9]", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_COMMENT = re.compile(r"\s#")
_FIRST_LINE = re.compile(r"^[^\S\n]*+([^\s#][^\n]*)", re.MULTILINE)
# A key, or the name of a table.
_TOML_START = re.compile(r"""\[|["'\w][^=]*=""")
# Of hidden cards; one for each choice of seats would be 31.
_MAX_HELD = 100


def parse_position(text: str, *, file: str | None = None) -> Position:
    """Return the position a text describes in any of the three spellings.

    >>> line = "kb1 board=tavern,paddock,oasis,farm cards=lords red=- blue=- turn=red card=hidden"
    >>> format_line(parse_position(line)) == line
    True
    """
    try:
        check_length(text, MAX_POSITION, "a position")
        text = clean_text(text)
        first = first_line(text)
        if is_line(first):
            return _parse_lines(text)
        if first.lstrip().startswith("{"):
            return _parse(text, _load_json)
        if not first:
            raise NotationError("expected a position, got an empty text.")
        if not _TOML_START.match(first):
            raise _neither(text, first)
        return _parse(text, _load_toml)
    except NotationError as error:
        raise error.located(file=file) from error.__cause__


def format_position(position: Position, spelling: str = "line") -> str:
    """Return a position in one of the `SPELLINGS`; TOML has several lines, the others have one."""
    formats = {"line": format_line, "toml": format_toml, "json": format_json}
    return formats[spelling](position)


def clean_text(text: str) -> str:
    """Return a text without its byte order mark and with line feeds as line ends."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def first_line(text: str) -> str:
    """Return the first line that is neither blank nor a comment, or nothing."""
    found = _FIRST_LINE.search(text)
    return found[1].rstrip() if found else ""


def is_game(text: str) -> bool:
    """Tell whether a text is meant as a game file, not as a position."""
    first = first_line(clean_text(text))
    colon, equals = first.find(":"), first.find("=")
    is_pair = colon >= 0 and not (0 <= equals < colon)
    return is_pair and not is_line(first) and first[0] not in "{[\"'"


def is_line(text: str) -> bool:
    """Tell whether a line is meant as a position on one line."""
    return _ANY_MARK.match(text) is not None


# The data, and where its values are: only errors ask for that.
Loaded = tuple[dict[str, object], Callable[[], Spans]]


def _parse(text: str, load: Callable[[str], Loaded]) -> Position:
    data, spans = load(text)
    try:
        return position_from_dict(data)
    except NotationError as error:
        offset = spans().find(error.path, error.token)
        if offset is None:
            raise
        line, column = line_and_column(text, offset)
        raise error.located(line=line, column=column) from error.__cause__


def _parse_lines(text: str) -> Position:
    """Parse a text with one position on one line, and comments."""
    found = None
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if found is not None:
            message = f"expected one position on one line, got a second line {quote(line.strip())}."
            raise NotationError(message, line=number)
        try:
            found = _parse(line, _load_line)
        except NotationError as error:
            raise error.located(line=number) from error.__cause__
    assert found is not None
    return found


def _load_line(text: str) -> Loaded:
    spans = Spans(text)
    data: dict[str, object] = {}
    seats: dict[str, object] = {}
    words = _WORD.finditer(_COMMENT.split(text, maxsplit=1)[0])
    mark = next(words)
    if mark[0].lower() != LINE_MARK:
        message = f"expected a position that begins with '{LINE_MARK}', got {quote(mark[0])}."
        raise NotationError(message, column=mark.start() + 1)
    for word in words:
        key, start, value = _load_pair(word[0], word.start(), _WORD_KEYS)
        path: Path = ("seat", key) if key in SEATS else (key,)
        if path in spans.known:
            message = f"expected {key!r} once, got it twice."
            raise NotationError(message, column=word.start() + 1)
        spans.known[path] = Span(word.start(), start, word.end())
        if key in SEATS:
            seats[key] = _load_seat(value, start, path, spans)
        elif key == "held":
            data[key] = _load_held(value, start, spans)
        else:
            data[key] = value
    if seats:
        data["seat"] = seats
    return data, lambda: spans


def _load_pair(text: str, start: int, known: tuple[str, ...]) -> tuple[str, int, str]:
    """Return the key, the offset of the value and the value of ``KEY=VALUE``."""
    key, equals, value = text.partition("=")
    name = key.lower()
    if name not in known:
        message = f"{suggest_name('key', key, known)}."
        raise NotationError(message, column=start + 1)
    if not value:
        raise NotationError(f"expected {name}=VALUE, got {quote(text)}.", column=start + 1)
    return name, start + len(key) + len(equals), value


def _load_seat(text: str, start: int, path: Path, spans: Spans) -> dict[str, object]:
    cells, *rest = text.split("/")
    data: dict[str, object] = {"settlements": cells}
    spans.known[(*path, "settlements")] = Span(start, start, start + len(cells))
    start += len(cells) + 1
    for part in rest:
        key, value_start, value = _load_pair(part, start, SEAT_KEYS)
        if key in data:
            raise NotationError(f"expected {key!r} once, got it twice.", column=start + 1)
        data[key] = value
        spans.known[(*path, key)] = Span(start, value_start, start + len(part))
        start += len(part) + 1
    return data


def _load_held(text: str, start: int, spans: Spans) -> list[object]:
    groups: list[object] = []
    parts = [] if text == "-" else text.split("/")
    check_count(parts, _MAX_HELD, "groups of hidden cards", ())
    for index, part in enumerate(parts):
        seats, colon, cards = part.partition(":")
        if not colon:
            message = f"expected hidden cards like 'blue:desert:1', got {quote(part)}."
            raise NotationError(message, column=start + 1)
        groups.append({"seats": seats.replace("+", ","), "cards": cards})
        middle, end = start + len(seats), start + len(part)
        spans.known["held", index] = Span(start, start, end)
        spans.known["held", index, "seats"] = Span(start, start, middle)
        spans.known["held", index, "cards"] = Span(start, middle + 1, end)
        start = end + 1
    return groups


def _load_toml(text: str) -> Loaded:
    try:
        return parse_toml(text), lambda: scan_toml(text)
    except TomlError as error:
        raise _not_readable("TOML", str(error), error.line, error.column) from error


def _load_json(text: str) -> Loaded:
    import json  # here, because a line does without it

    try:
        check_signs(text)
        data = json.loads(text, object_pairs_hook=unique_pairs)
    except json.JSONDecodeError as error:
        raise _not_readable("JSON", error.msg, error.lineno, error.colno) from error
    except RepeatedKey as error:
        raise _key_twice(text, error.key) from None
    except (ValueError, RecursionError) as error:
        raise _not_readable("JSON", str(error)) from error
    return data, lambda: scan_json(text)


def _key_twice(text: str, key: str) -> NotationError:
    spans = scan_json(text)
    # The scanner may have given up before, and the parser finds inner objects first.
    found = next((path for path in spans.repeated if path[-1] == key), None)
    line, column = line_and_column(text, spans.known[found].key) if found else (None, None)
    message = f"expected the key {quote(key)} once, got it twice."
    return NotationError(message, line=line, column=column)


def _neither(text: str, first: str) -> NotationError:
    """Say of a text what it could have been."""
    line, column = line_and_column(text, text.index(first))
    forms = f"a position is TOML, JSON or a line '{LINE_MARK} ...', a game begins with 'Board: ...'"
    message = f"expected a position or a game, got {quote(first)}; {forms}."
    return NotationError(message, line=line, column=column)


def _not_readable(
    form: str, reason: str, line: int | None = None, column: int | None = None
) -> NotationError:
    # The reason may quote the whole input.
    words = " ".join(reason.split())[:200].rstrip(".")
    words = words[:1].lower() + words[1:]
    message = f"expected a position in {form}, got a text that is not: {words}."
    return NotationError(message, line=line, column=column)


def format_line(position: Position) -> str:
    """Return a position on one line, the form for shells, logs and keys."""
    data = position_to_dict(position)
    seats = data.pop("seat")
    assert isinstance(seats, dict)
    before = [f"{key}={on_line(key, data.pop(key))}" for key in BOARD_KEYS if key in data]
    after = [f"{key}={on_line(key, value)}" for key, value in data.items()]
    return " ".join([LINE_MARK, *before, *map(_seat_on_line, seats, seats.values()), *after])


def _seat_on_line(name: str, data: dict[str, object]) -> str:
    cells, *rest = (f"{key}={on_line(key, value)}" for key, value in data.items())
    return "/".join([f"{name}={cells.removeprefix('settlements=')}", *rest])


def on_line(key: str, value: object) -> str:
    """Return a value of a position's dict as the one-line spelling writes it."""
    if key == "held":
        assert isinstance(value, list)
        groups = (f"{'+'.join(g['seats'])}:{on_line('cards', g['cards'])}" for g in value)
        return "/".join(groups)
    if isinstance(value, dict):
        return ",".join(f"{name}:{on_line(name, item)}" for name, item in value.items())
    if isinstance(value, list):
        return ("/" if key == "map" else ",").join(value) or "-"
    return str(value).lower()


def format_json(position: Position) -> str:
    """Return a position as one line of JSON."""
    import json

    return json.dumps(position_to_dict(position))


def format_toml(position: Position) -> str:
    """Return a position as TOML, the form for writing by hand."""
    data = position_to_dict(position)
    seats = data.pop("seat")
    assert isinstance(seats, dict)
    lines = [f"{key} = {_in_toml(key, value)}" for key, value in data.items()]
    for name, seat in seats.items():
        lines += ["", f"[seat.{name}]"]
        lines += [f"{key} = {_in_toml(key, value)}" for key, value in seat.items()]
    return "\n".join(lines) + "\n"


def _in_toml(key: str, value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k} = {_in_toml(k, v)}' for k, v in value.items())}}}"
    if isinstance(value, list):
        if key in _SHORT_WORDS:
            return _in_toml("", " ".join(value))
        items = [_in_toml("", item) for item in value]
        if key == "map":
            return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
        return f"[{', '.join(items)}]"
    import json

    # Names, numbers and truth values are written as in JSON.
    return json.dumps(value)


def _reduce(position: Position) -> tuple[Callable[[str], Position], tuple[str]]:
    return parse_position, (format_line(position),)


# Positions are pickled and copied as their line. The kernel knows no text, so this is the place.
copyreg.pickle(Position, _reduce)
