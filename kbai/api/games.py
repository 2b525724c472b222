"""Games: a start position and the turns that were played."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import final

from kbai.api.positions import Position, kernel_of, wrap_position
from kbai.api.setups import Setup
from kbai.api.turns import read_turn
from kbai.core.errors import NotationError
from kbai.core.texts import MAX_LOG, read_file
from kbai.importing.reading import holds_game
from kbai.importing.reading import read_game as read_any_game
from kbai.notation import games as notation
from kbai.notation.positions import clean_text, first_line
from kbai.notation.turns import Turn as NotationTurn
from kbai.notation.turns import format_turn, play_turn


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a game; it prints as its line of the game file."""

    number: int
    seat: str
    card: str
    """The card that was turned up; several as ``"flower+grass"``."""
    text: str
    """What was played, as `Position.play` takes it: ``"n16 o15 p15"``."""
    line: str
    """All of it, as in a game file: ``"1 red flower: n16 o15 p15"``."""

    def __str__(self) -> str:
        return self.line


@final
class Game:
    """A game from some position on, played to its end or not.

    A game never changes: `play` returns a new one. It prints as its game file, and a notebook
    shows the picture of its last position.

    >>> import kbai
    >>> game = kbai.Game(kbai.Position(kbai.Setup.first_game()))
    >>> game.play("flower: n16 o15 p15").play("grass: h8 i8 j8").turns[1].line
    '2 blue grass: h8 i8 j8'
    """

    __slots__ = ("_game",)
    _game: notation.Game

    def __init__(self, start: Position, *, header: Iterable[tuple[str, str]] = ()) -> None:
        """Begin a game; ``header`` has notes for people, such as ``("Players", "Ann, Bob")``."""
        kernel = kernel_of(start)
        result = kernel.scores() if kernel.is_over else None
        self._game = notation.Game(kernel, header=tuple(header), result=result)

    @property
    def setup(self) -> Setup:
        """What the game is played with."""
        return self.start.setup

    @property
    def seats(self) -> tuple[str, ...]:
        """The colours of the players, in turn order."""
        return self.start.seats

    @property
    def start(self) -> Position:
        """The position before the first turn."""
        return wrap_position(self._game.start)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns played so far."""
        return tuple(map(_public_turn, self._game.turns))

    @property
    def header(self) -> tuple[tuple[str, str], ...]:
        """Notes for people, by the keys ``Seed``, ``Players``, ``Event``, ``Date`` and ``Note``."""
        return self._game.header

    @property
    def result(self) -> dict[str, int] | None:
        """The gold of each seat if the game is over."""
        gold = self._game.result
        return None if gold is None else dict(zip(self.seats, gold, strict=True))

    @property
    def is_over(self) -> bool:
        """Whether the game was played to its end."""
        return self.final_position().is_over

    def play(self, turn: str) -> Game:
        """Return the game with one turn more; `Position.play` says how a turn is written."""
        game, after = self._game, self._game.final_position()
        number = game.turns[-1].number + 1 if game.turns else 1
        if game.turns and not game.turns[-1].finished:
            message = f"expected nothing after turn {number - 1}, which is not finished."
            raise NotationError(message, token=turn)
        meant = read_turn(after, turn, number)
        if game.turns and meant.number != number:
            message = f"expected turn {number}, got turn {meant.number}."
            raise NotationError(message, token=str(meant.number))
        added = play_turn(after, meant)
        result = after.scores() if after.is_over else None
        return wrap_game(replace(game, turns=(*game.turns, added), result=result))

    def position_before(self, number: int) -> Position:
        """Return the position before a turn, before its card is turned up.

        The number after that of the last turn gives the final position.
        """
        return wrap_position(self._game.position_before(number))

    def final_position(self) -> Position:
        """Return the position after the last turn."""
        return wrap_position(self._game.final_position())

    def positions(self) -> Iterator[tuple[Turn, Position]]:
        """Iterate over the turns, each with the position before it."""
        for turn, position in self._game.positions():
            yield _public_turn(turn), wrap_position(position)

    def to_text(self) -> str:
        """Return the text of a game file, which `parse_game` reads."""
        return notation.format_game(self._game)

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        count = len(self._game.turns)
        return f"<kbai.Game of {', '.join(self.seats)}: {count} turn{'s' * (count != 1)}>"

    def _repr_svg_(self) -> str:
        from kbai.draw.svg import draw_picture

        game = self._game
        return draw_picture(game.final_position(), last=game.turns[-1] if game.turns else None)

    def __eq__(self, other: object) -> bool:
        return self._game == other._game if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._game)

    def __reduce__(self) -> tuple[object, ...]:
        return parse_game, (self.to_text(),)


def parse_game(text: str) -> Game:
    """Return the game of a game file's text, every turn checked.

    It may also be the text of a log that was saved on Board Game Arena. `NotationError` says where
    the text is wrong, `IllegalActionError` why a turn is not legal.
    """
    return _parse(text, None)


def read_game(path: str | os.PathLike[str]) -> Game:
    """Return the game of a game file or of a saved log, every turn checked.

    `NotationError` says where the text is wrong, `IllegalActionError` why a turn is not legal,
    `OSError` why the file cannot be read.
    """
    return _parse(read_file(path, MAX_LOG), os.fspath(path))


def _parse(text: str, file: str | None) -> Game:
    first = first_line(clean_text(text))
    if not holds_game(text) and (first.startswith("{") or "=" in first):
        message = "expected a game, got a position; kbai.parse_position reads that."
        raise NotationError(message, file=file)
    game, problem = read_any_game(text, file=file)
    if problem is not None:
        raise problem from problem.__cause__
    return wrap_game(game)


def _public_turn(turn: NotationTurn) -> Turn:
    return Turn(turn.number, turn.seat, turn.card, turn.summary, format_turn(turn))


def wrap_game(game: notation.Game) -> Game:
    """Return the library's value of a game."""
    wrapped = Game.__new__(Game)
    wrapped._game = game
    return wrapped


def inner_game(game: Game) -> notation.Game:
    """Return what the rest of kbai works with."""
    if not isinstance(game, Game):
        raise TypeError(f"expected a kbai.Game, got {game!r:.60}; kbai.parse_game makes one.")
    return game._game
