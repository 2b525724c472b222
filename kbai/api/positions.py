"""Positions: a moment of a game, and what can be played from there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import final

from kbai._fast import Position as KernelPosition
from kbai.api.legal import distinct_turns, iterate_turns
from kbai.api.setups import Setup, inner_setup, wrap_setup
from kbai.api.turns import play_text
from kbai.content import TERRAIN_CARDS
from kbai.core.errors import IllegalActionError, NotationError
from kbai.core.texts import MAX_POSITION, read_file
from kbai.game.setup import setup_of
from kbai.game.steps import next_steps
from kbai.importing.reading import holds_game
from kbai.notation.actions import format_step, legal_actions
from kbai.notation.illegal import apply_action
from kbai.notation.names import NO_CARD
from kbai.notation.positions import format_json, format_line, format_toml
from kbai.notation.positions import parse_position as parse_kernel_position
from kbai.notation.schema.turn import HIDDEN
from kbai.notation.turns import cards_shown


@final
class Position:
    """A moment of a game: what lies on the board, whose turn it is and with which card.

    A position never changes: `play` and the others return a new one. It prints as its line
    ``kb1 ...``, and a notebook shows its picture.

    >>> import kbai
    >>> position = kbai.Position(kbai.Setup.first_game()).turn_up("flower")
    >>> position.play("n16 o15 p15").mover
    'blue'
    """

    __slots__ = ("_kernel",)
    _kernel: KernelPosition

    def __init__(self, setup: Setup) -> None:
        """Make the position at the start of a game; the first card is still to be turned up."""
        self._kernel = inner_setup(setup).start_position()

    @property
    def setup(self) -> Setup:
        """What the game is played with."""
        return wrap_setup(setup_of(self._kernel))

    @property
    def seats(self) -> tuple[str, ...]:
        """The colours of the players, in turn order."""
        return setup_of(self._kernel).seats

    @property
    def mover(self) -> str:
        """Whose turn it is; of a game that is over, whose turn it would be."""
        return self.seats[self._kernel.mover]

    @property
    def seat(self) -> str:
        """Who decides now: the mover, or a seat that may react with a canoe."""
        return self.seats[self._kernel.actor]

    @property
    def card(self) -> str:
        """The card that lies face up, ``"flower"``; several as ``"flower+grass"``.

        ``"hidden"`` while it is still to be turned up, ``"silo"`` in the silo actions after the
        last turn, otherwise ``"none"``.
        """
        shown = cards_shown(self._kernel)
        return HIDDEN if shown == NO_CARD and self.needs_card else shown

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._kernel.is_over

    @property
    def needs_card(self) -> bool:
        """Whether a card is to be turned up before anybody can decide."""
        return bool(self._kernel.pending_draw)

    def card_odds(self) -> dict[str, float]:
        """Return the cards that can be turned up now, with their odds; empty if none is to be."""
        counts = self._kernel.draws()
        pairs = zip(TERRAIN_CARDS, counts, strict=True)
        return {name: count / sum(counts) for name, count in pairs if count}

    def turn_up(self, card: str) -> Position:
        """Return the position after a card was turned up."""
        return self.play_action(f"={card}")

    def legal_actions(self) -> tuple[str, ...]:
        """Return what can come next: actions such as ``"n16"``, ``"barn:c7-d9"`` and ``"end"``.

        They come sorted by what they do, then by tile and by cell, row by row from the top left.
        While a card is to be turned up they are the cards, such as ``"=flower"``.
        """
        kernel = self._kernel
        if kernel.pending_draw:
            return tuple(format_step(kernel, step) for step in next_steps(kernel))
        return tuple(legal_actions(kernel))

    def play_action(self, action: str) -> Position:
        """Return the position after one action; `IllegalActionError` says why it is not legal."""
        after = self._kernel.copy()
        apply_action(after, action)
        return wrap_position(after)

    def legal_turns(self, *, distinct: bool = True) -> Iterator[str]:
        """Iterate over the legal turns, as `play` takes them.

        They come in the order of their first actions in `legal_actions`, then of their second
        ones, and so on. Of turns that lead to the same position you get the first. With tiles
        there can be millions: take what you need. It remembers about 80 bytes for each position on
        the way; with ``distinct=False`` it remembers nothing, and you get every order of the same
        actions.

        A turn in which a card has to be drawn on the way, or another seat may react, ends there
        with ``...``. `IllegalActionError` if a card is to be turned up first.
        """
        kernel = self._kernel
        if kernel.pending_draw:
            raise IllegalActionError(
                f"{self.mover} has a card to turn up before there are turns, "
                "as in position.turn_up('flower')."
            )
        return distinct_turns(kernel) if distinct else iterate_turns(kernel)

    def play(self, turn: str) -> Position:
        """Return the position after a turn such as ``"n16 o15 p15"``, or the rest of one.

        The turn ends unless its text ends with ``...``. Its card may stand before it, and has to
        if it is to be turned up: ``"flower: n16 o15 p15"``. Whole lines of a game file are turns
        as well. `IllegalActionError` says why a turn is not legal.
        """
        after = self._kernel.copy()
        play_text(after, turn)
        return wrap_position(after)

    def score(self) -> dict[str, dict[str, int]]:
        """Return each seat's gold if the game ended now: by card, and as the ``"total"``."""
        from kbai.report.scores import score_rows

        return score_rows(self._kernel)

    def to_line(self) -> str:
        """Return the position on one line, ``kb1 ...``."""
        return format_line(self._kernel)

    def to_toml(self) -> str:
        """Return the position as TOML, the form for files that people write."""
        return format_toml(self._kernel)

    def to_json(self) -> str:
        """Return the position as one line of JSON."""
        return format_json(self._kernel)

    def __repr__(self) -> str:
        return self.to_line()

    def _repr_svg_(self) -> str:
        from kbai.draw.svg import draw_picture

        return draw_picture(self._kernel)

    def __eq__(self, other: object) -> bool:
        return self._kernel == other._kernel if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._kernel)

    def __reduce__(self) -> tuple[object, ...]:
        return parse_position, (self.to_line(),)


def parse_position(text: str) -> Position:
    """Return the position that a text describes: a line ``kb1 ...``, TOML or JSON.

    `NotationError` says where the text is wrong.
    """
    return _parse(text, None)


def read_position(path: str | os.PathLike[str]) -> Position:
    """Return the position of a file, in any of the three forms.

    `NotationError` says where the text is wrong, `OSError` why the file cannot be read.
    """
    return _parse(read_file(path, MAX_POSITION), os.fspath(path))


def _parse(text: str, file: str | None) -> Position:
    if holds_game(text):
        message = "expected a position, got a game; kbai.parse_game reads that."
        raise NotationError(message, file=file)
    return wrap_position(parse_kernel_position(text, file=file))


def wrap_position(kernel: KernelPosition) -> Position:
    """Return the library's value of a position that nobody changes any more."""
    wrapped = Position.__new__(Position)
    wrapped._kernel = kernel
    return wrapped


def kernel_of(position: Position) -> KernelPosition:
    """Return the kernel's position, not to be changed."""
    if not isinstance(position, Position):
        hint = "kbai.parse_position makes one from text"
        raise TypeError(f"expected a kbai.Position, got {position!r:.60}; {hint}.")
    return position._kernel
