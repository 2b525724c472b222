"""Game files: a header, one turn a line, the result; replayed when they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kbai._fast import Position
from kbai.core.errors import (
    IllegalActionError,
    NotationError,
    PlacedError,
    quote,
    suggest_name,
)
from kbai.core.printable import printable
from kbai.core.texts import MAX_GAME, check_length
from kbai.game.seats import SEATS
from kbai.game.setup import Setup, setup_of
from kbai.game.steps import end_of
from kbai.notation.names import parse_name
from kbai.notation.positions import (
    clean_text,
    format_line,
    is_line,
    on_line,
    parse_position,
)
from kbai.notation.schema import setup_from_dict, setup_to_dict
from kbai.notation.spans import Span, Spans, line_and_column
from kbai.notation.turns import (
    PlayedTurn,
    format_turn,
    parse_turn,
    play_turn,
    record_turns,
    turn_words,
)

SETUP_KEYS = (
    "Board",
    "Map",
    "Locations",
    "Island",
    "Caves",
    "Capitols",
    "Nomads",
    "Cards",
    "Tasks",
    "Scouted",
    "Seats",
    "Start",
    "Options",
)
PEOPLE_KEYS = ("Seed", "Players", "Event", "Date", "Note")
HEADER_KEYS = (*SETUP_KEYS, "Position", *PEOPLE_KEYS)
RESULT = "Result"
_HEADER_NAMES = {known.lower(): known for known in HEADER_KEYS}
_COMMENT = re.compile(r"(?:^|\s)#.*")


@dataclass(frozen=True, slots=True)
class Game:
    """A game from some position on, played to its end or not."""

    start: Position
    """Before the first turn; do not change it."""
    turns: tuple[PlayedTurn, ...] = ()
    header: tuple[tuple[str, str], ...] = ()
    """Notes for people; the keys are `PEOPLE_KEYS`."""
    result: tuple[int, ...] | None = None
    """Gold by seat if the game is over."""

    def __post_init__(self) -> None:
        for key, value in self.header:
            if key not in PEOPLE_KEYS:
                raise NotationError(f"{suggest_name('header key', key, PEOPLE_KEYS)}.", token=key)
            if not value or value != printable(_COMMENT.sub("", value).strip()):
                message = f"expected one line without a comment for {key!r}, got {quote(value)}."
                raise NotationError(message, token=value)
        order = sorted(self.header, key=lambda pair: PEOPLE_KEYS.index(pair[0]))
        object.__setattr__(self, "header", tuple(order))

    @property
    def setup(self) -> Setup:
        """The set-up the game is played on."""
        return setup_of(self.start)

    def positions(self) -> Iterator[tuple[PlayedTurn, Position]]:
        """Iterate over the turns, each with the position before it."""
        position = self.start
        for turn in self.turns:
            yield turn, position.copy()
            position = end_of(position, turn.steps)

    def position_before(self, number: int) -> Position:
        """Return the position before a turn; the number after the last gives the final one."""
        first = self.turns[0].number if self.turns else 1
        last = first + len(self.turns)
        if not first <= number <= last:
            message = f"expected the number of a turn from {first} to {last}, got {quote(number)}."
            raise NotationError(message, token=str(number))
        return self._after(number - first)

    def final_position(self) -> Position:
        """Return the position after the last turn."""
        return self._after(len(self.turns))

    def _after(self, n_turns: int) -> Position:
        return end_of(self.start, (step for turn in self.turns[:n_turns] for step in turn.steps))


def record_game(
    start: Position,
    steps: Iterable[int],
    *,
    header: Iterable[tuple[str, str]] = (),
    first: int = 1,
) -> Game:
    """Return the game that legal steps make, cards turned up among them.

    ``first`` is the number of the first turn.
    """
    turns = record_turns(start, steps, first=first)
    end = end_of(start, (step for turn in turns for step in turn.steps))
    return Game(start.copy(), turns, tuple(header), end.scores() if end.is_over else None)


def format_game(game: Game) -> str:
    """Return a game as the text of a game file."""
    lines = [f"{key}: {value}" for key, value in (*_start_header(game), *game.header)]
    if game.turns or game.result is not None:
        lines.append("")
    lines += map(format_turn, game.turns)
    if game.result is not None:
        lines.append(f"{RESULT}: {_format_result(game.setup, game.result)}")
    return "\n".join(lines) + "\n"


def _start_header(game: Game) -> list[tuple[str, str]]:
    setup = game.setup
    is_first = not game.turns or game.turns[0].number == 1
    if not is_first or game.start != Position(game.start.board, setup.start):
        return [("Position", format_line(game.start))]
    values = {key: on_line(key, value) for key, value in setup_to_dict(setup).items()}
    values["seats"] = ",".join(setup.seats)
    return [(key, values[key.lower()]) for key in SETUP_KEYS if key.lower() in values]


def _format_result(setup: Setup, gold: tuple[int, ...]) -> str:
    return ", ".join(f"{name} {points}" for name, points in zip(setup.seats, gold, strict=True))


def parse_game(text: str, *, file: str | None = None) -> Game:
    """Return the game of a game file; raise if a turn is illegal or the result is wrong."""
    game, error = read_game(text, file=file)
    if error is not None:
        raise error from error.__cause__
    return game


def read_game(text: str, *, file: str | None = None) -> tuple[Game, PlacedError | None]:
    """Return the game of a game file as far as it can be read, and the error that ended it.

    An error in the header is raised: there is no game without it.
    """
    reader = _Reader(clean_text(text))
    problem = None
    try:
        check_length(text, MAX_GAME, "a game")
        reader.read()
    except PlacedError as error:
        problem = error.located(file=file)
        problem.__cause__ = error.__cause__
        if reader.start is None:
            raise problem from error.__cause__
    assert reader.start is not None
    return Game(reader.start, tuple(reader.turns), tuple(reader.header), reader.result), problem


class _Reader:
    """Reads a game file line by line, and plays the game as it goes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = Spans(text)  # of the header, for errors found only when it is complete
        self.values: dict[str, object] = {}
        self.header: list[tuple[str, str]] = []
        self.start: Position | None = None
        self.turns: list[PlayedTurn] = []
        self.result: tuple[int, ...] | None = None

    def read(self) -> None:
        offset = 0
        for number, line in enumerate(self.text.split("\n"), start=1):
            content = (_COMMENT.sub("", line) if "#" in line else line).rstrip()
            try:
                if content:
                    self.read_line(content, offset)
            except PlacedError as error:
                raise _in_line(error, content, number) from error.__cause__
            offset += len(line) + 1
        if self.start is None:
            self.begin()

    def read_line(self, line: str, offset: int) -> None:
        key, colon, value = line.partition(":")
        name = key.strip().lower()
        if self.result is not None:
            message = f"expected nothing after the result, got {quote(line.strip())}."
            raise NotationError(message)
        if name[:1].isdigit() or name == RESULT.lower():
            if self.start is None:
                self.begin()
            if name == RESULT.lower():
                self.read_result(value)
            else:
                self.read_turn(line)
        elif colon:
            self.read_header(key.strip(), value.strip())
            start = offset + len(line) - len(value.lstrip())
            self.spans.known[(name,)] = Span(offset, start, offset + len(line))
        else:
            message = f"expected a header 'Key: value' or a turn, got {quote(line.strip())}."
            raise NotationError(message)

    def read_header(self, key: str, value: str) -> None:
        name = _HEADER_NAMES.get(key.lower())
        if name is None:
            known = (*HEADER_KEYS, RESULT)
            message = f"{suggest_name('header key', key, known)}."
            raise NotationError(message, token=key)
        if self.start is not None:
            raise NotationError(f"expected a turn, got the header {name!r} after the first turn.")
        if not value:
            raise NotationError(f"expected a value for the header {name!r}, got nothing.")
        if name.lower() in self.values or (name != "Note" and name in dict(self.header)):
            raise NotationError(f"expected the header {name!r} once, got it twice.")
        if name in PEOPLE_KEYS:
            self.header.append((name, printable(value.replace("\t", " "))))
        else:
            self.values[name.lower()] = value

    def begin(self) -> None:
        """Make the start position from the header."""
        try:
            if "position" in self.values:
                self.start = self.read_position()
            else:
                setup = self.read_setup()
                self.start = setup.start_position()
        except NotationError as error:
            offset = self.spans.find(error.path, error.token)
            line, column = (1, None) if offset is None else line_and_column(self.text, offset)
            if column and error.column:
                column += error.column - 1
            raise error.located(line=line, column=column) from error.__cause__
        self.position = self.start.copy()

    def read_setup(self) -> Setup:
        if "seats" not in self.values:
            message = "expected a header with 'Board', 'Cards' and 'Seats', or with 'Position'"
            raise NotationError(f"{message}; 'Seats' is missing.")
        values = dict(self.values)
        names = re.split(r"[\s,]+", str(values.pop("seats")))
        seats = [parse_name("seat", name, SEATS, path=("seats",)) for name in names if name]
        return setup_from_dict(values, seats)

    def read_position(self) -> Position:
        line = str(self.values["position"])
        for key in self.values:
            if key != "position":
                message = f"expected 'Position' or {key.capitalize()!r} in the header, got both."
                raise NotationError(message, path=(key,))
        if not is_line(line):
            message = f"expected a position on one line that begins with 'kb1', got {quote(line)}."
            raise NotationError(message, path=("position",))
        try:
            return parse_position(line)
        except NotationError as error:
            raise NotationError(error.message, path=("position",), column=error.column) from error

    def read_turn(self, line: str) -> None:
        turn = parse_turn(line)
        expected = self.turns[-1].number + 1 if self.turns else 1
        if turn.number != expected and (self.turns or "position" not in self.values):
            message = f"expected turn {expected}, got turn {turn.number}."
            raise NotationError(message, token=str(turn.number))
        if self.turns and not self.turns[-1].finished:
            message = f"expected nothing after turn {self.turns[-1].number}, which is not finished."
            raise NotationError(message)
        try:
            played = play_turn(self.position, turn)
        except IllegalActionError as error:
            if error.path:
                # By its index: a line can have the same action twice.
                column = turn_words(line)[int(error.path[0])][0] + 1
                raise error.located(column=column) from None
            raise
        self.turns.append(played)

    def read_result(self, text: str) -> None:
        setup = setup_of(self.position)
        if not self.position.is_over:
            message = "expected no result before the game is over"
            raise NotationError(f"{message}, got {quote(text.strip())}.")
        gold = self.position.scores()
        found: dict[str, str] = {}
        for part in text.split(","):
            name, _, points = part.strip().partition(" ")
            found[parse_name("seat", name, setup.seats)] = points.strip()
        wanted = {name: str(points) for name, points in zip(setup.seats, gold, strict=True)}
        if found != wanted:
            message = f"expected the result '{_format_result(setup, gold)}'"
            raise NotationError(f"{message}, got {quote(text.strip())}.", token=text.strip())
        self.result = gold


def _in_line(error: PlacedError, line: str, number: int) -> PlacedError:
    """Return an error with its place in this line, unless it has one."""
    if error.line is not None:
        return error
    found = line.lower().find(error.token.lower()) if error.token else -1
    column = error.column or (found if found >= 0 else len(line) - len(line.lstrip())) + 1
    return error.located(line=number, column=column)
