"""A person at the terminal, playing: read a line, do what it says, show what came of it.

The board and what was asked for go to stdout; what was wrong with a line and where the game is
kept go to stderr.
"""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
import textwrap
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import click

from kbai.cli.drawing import Style, terminal_width
from kbai.cli.notes import print_note
from kbai.cli.prompt import completion, is_terminal, read_line
from kbai.core.errors import BotFault, KbaiError, NotationError, PlacedError, quote
from kbai.core.printable import printable_message
from kbai.draw.terminal_compact import NARROW_HEX, draw_compact, hex_size
from kbai.draw.terminal_hexes import Pen, terrain_legend
from kbai.game.cells import CELL_NUMBERS
from kbai.notation.turns import END_WORD, PlayedTurn, format_turn
from kbai.play.bots import BotTable, let_bots_play
from kbai.play.choices import cells_of, why_cell
from kbai.play.files import save
from kbai.play.hints import hint
from kbai.play.live import LiveGame, Waiting, play_action, undo
from kbai.play.texts import choices_text, help_text, hint_text, outcome, status
from kbai.play.words import next_action, possible_words, split_words, tile_named
from kbai.report.document import Document
from kbai.report.document_text import document_text
from kbai.report.scores import score_document
from kbai.report.suggestion_document import TERMS, suggestion_document
from kbai.search.params import Limit
from kbai.search.results import Suggestion

COMMANDS = (
    "undo", "hint", "why", "score", "board", "save", "resign", "quit", "help", "?",
)  # fmt: skip
FIRST = "Type help to see what you can type."
# Without a terminal nobody knows how wide the lines may be.
PLAIN_SIZE = (80, 24)
SIGN_WIDTH = 14


class _Leave(Exception):
    """The person leaves the table."""


class _Resign(_Leave):
    """The person gives up."""


class Table:
    """A game at the terminal, and the file that keeps it."""

    def __init__(
        self, live: LiveGame, path: str, *, limit: Limit, threads: int, style: Style
    ) -> None:
        self.live = live
        self.path = path
        self.limit = limit
        self.threads = threads
        self.style = style
        self.bots = BotTable()
        self.found: Suggestion | None = None
        self.shown = 0
        """Turns that have been told."""
        self.complaint = ""
        """What was wrong with the last line."""

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        self.shown = len(self.live.turns())
        if self.live.waiting() is Waiting.OVER:
            self.finish()
            return
        with self.bots, completion(self.complete):
            try:
                # A file that cannot be written is told before anybody plays.
                save(self.live, self.path)
                self.play_on()
            except _Resign:
                self.leave()
                if self.live.turns():
                    self.offer_review()
            except (_Leave, EOFError, KeyboardInterrupt):
                self.leave()
            else:
                self.finish()

    def play_on(self) -> None:
        """Alternate between bots and people until the game is over."""
        is_asked = True
        before: LiveGame | None = None
        while True:
            self.let_bots_play()
            if self.live.waiting() is Waiting.OVER:
                return
            is_told = self.tell_turns()
            if is_told or is_asked or (is_terminal() and self.live != before):
                self.draw()
            if self.live != before:
                click.echo(status(self.live, FIRST if before is None else "", _text_width()))
            if self.complaint:
                click.echo(_folded(printable_message(self.complaint)), err=True)
            before, self.complaint = self.live, ""
            is_asked = self.take_line(read_line(self.prompt()))

    def let_bots_play(self) -> None:
        try:
            self.set_live(let_bots_play(self.live, self.bots, self.keep))
        except BotFault as fault:
            self.keep(self.live)
            raise KbaiError(f"a bot gave up: {fault} The game is kept in {self.path}.") from fault

    def prompt(self) -> str:
        seat = self.live.seats[self.live.position().actor]
        return f"{seat}'s card> " if self.live.waiting() is Waiting.CARD else f"{seat}> "

    def set_live(self, live: LiveGame) -> None:
        if live != self.live:
            self.found = None
        self.live = live

    def keep(self, live: LiveGame) -> None:
        """Save the game after a turn; one that cannot be saved goes on, and is tried again."""
        self.live = live
        try:
            save(live, self.path)
        except KbaiError as error:
            print_note(str(error))

    def take_line(self, line: str) -> bool:
        """Do what a line says; return whether it asks for the board."""
        words = split_words(line)
        try:
            if words[:1] == ["save"]:
                return self.save(line.split()[1:])  # a file name may have capital letters
            if words and words[0] in _ANSWERS:
                return _ANSWERS[words[0]](self, words[1:])
            if words and words[0].startswith("?") and len(words[0]) > 1:
                return self.explain([words[0][1:], *words[1:]])
            return self.play_words(words or [END_WORD])
        except PlacedError as error:
            self.complaint = error.message
            near = difflib.get_close_matches(error.token, [*_ANSWERS, END_WORD], 1)
            if near and isinstance(error, NotationError):
                self.complaint = f"unknown word {quote(error.token)}; did you mean {near[0]!r}?"
        except KbaiError as error:
            self.complaint = str(error)
        return False

    def play_words(self, words: list[str]) -> bool:
        """Play what was typed; what comes before something wrong stays played."""
        while words:
            typed = next_action(self.live.position(), words)
            before = self.live
            self.set_live(play_action(before, typed.action))
            if self.live.cursor != before.cursor:
                self.keep(self.live)
            words = words[typed.words :]
            if words and self.live.waiting() is Waiting.BOT:
                self.let_bots_play()
        return False

    def draw(self, possible: frozenset[int] | None = None) -> None:
        """Draw the board for the width there is."""
        position = self.live.position()
        cells = cells_of(position) if possible is None else possible
        picture = draw_compact(
            position, **self.style, width=_width(), possible=cells, last=self.last_turns()
        )
        click.echo(picture, color=self.style["color"])

    def last_turns(self) -> tuple[PlayedTurn, ...]:
        """Return what the others have done since the last turn of the seat that is to move."""
        return self.live.turns()[-(len(self.live.seats) - 1) :]

    def tell_turns(self) -> bool:
        """Print the turns that were played since the last time; return whether there were any."""
        turns = self.live.turns()
        new = turns[self.shown :]
        self.shown = len(turns)
        for turn in new:
            click.echo(format_turn(turn))
        return bool(new)

    def explain(self, words: list[str]) -> bool:
        """Say what is possible; of a cell, whether and why not; of a tile, what it can do."""
        position = self.live.position()
        if not words:
            click.echo(choices_text(position, width=_text_width()))
        for word in words:
            if word in CELL_NUMBERS:
                click.echo(_folded(why_cell(position, CELL_NUMBERS[word])))
            else:
                tile = tile_named(position, word)
                if is_terminal() and cells_of(position, tile):
                    self.draw(cells_of(position, tile))
                click.echo(choices_text(position, tile, _text_width()))
        return False

    def hint(self, words: list[str]) -> bool:
        if self.live.waiting() is Waiting.CARD:
            raise KbaiError("first tell which card was turned up.")
        if self.found is None:
            self.found = hint(self.live, self.limit, threads=self.threads)
        click.echo(hint_text(self.found, _text_width()))
        return False

    def why(self, words: list[str]) -> bool:
        if words:
            return self.explain(words)
        if self.found is None:
            self.hint([])
        assert self.found is not None
        sections = suggestion_document(self.found).sections
        # What the columns mean would fill the screen; docs/play.md says where to read it.
        shown = Document(tuple(s for s in sections if s.name != TERMS))
        click.echo(document_text(shown, terminal_width()))
        return False

    def undo(self, words: list[str]) -> bool:
        before = self.live
        self.set_live(undo(before))
        self.shown = len(self.live.turns())
        if before.cursor != self.live.cursor:
            self.keep(self.live)
        return False

    def score(self, words: list[str]) -> bool:
        click.echo(document_text(score_document(self.live.position()), terminal_width()))
        return False

    def show_board(self, words: list[str]) -> bool:
        return True

    def save(self, words: list[str]) -> bool:
        for path in words:
            if os.path.lexists(path):
                raise KbaiError(f"{click.format_filename(path)} exists; name another file.")
        for path in (self.path, *words):
            save(self.live, path)
        print_note(f"the game is kept in {' and '.join([self.path, *words])}.")
        return False

    def resign(self, words: list[str]) -> bool:
        seat = self.live.seats[self.live.position().actor]
        self.live = replace(self.live, notes=(*self.live.notes, ("Note", f"{seat} resigned")))
        click.echo(f"{seat} resigns.")
        self.score([])
        raise _Resign

    def quit(self, words: list[str]) -> bool:
        raise _Leave

    def help(self, words: list[str]) -> bool:
        click.echo(help_text(_text_width(), is_narrow=hex_size(_width()) == NARROW_HEX))
        pen = Pen(**self.style)
        signs = terrain_legend(pen, "".join(self.live.setup.letters))
        count = _text_width() // SIGN_WIDTH
        for first in range(0, len(signs), count):
            row = "  ".join(signs[first : first + count])
            click.echo(row, color=self.style["color"])
        return False

    def complete(self, words: list[str]) -> list[str]:
        """Return what Tab offers after some words."""
        if words and words[0] == "?":
            words = words[1:]
        with suppress(KbaiError):
            first = [] if words else list(COMMANDS)
            return [*possible_words(self.live.position(), words), *first]
        return []

    def finish(self) -> None:
        """Show how the game ended, and offer to review it."""
        self.tell_turns()
        self.draw(frozenset())
        position = self.live.position()
        click.echo(outcome(position))
        click.echo(document_text(score_document(position), terminal_width()))
        if os.path.exists(self.path):  # else it was a position in which the game is over
            self.offer_review()

    def offer_review(self) -> None:
        """Ask whether to review the game; without a terminal, say how."""
        if not is_terminal():
            print_note(f"to see what each turn cost: kbai review {shlex.quote(self.path)}")
            return
        try:
            answer = read_line("Review the game now? [y/N] ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            click.echo(err=True)
            return
        if answer in ("y", "yes"):
            from kbai.cli.review import command

            command.main([self.path], standalone_mode=False)

    def leave(self) -> None:
        """Keep the game and say how to go on."""
        if is_terminal():
            click.echo(err=True)
        save(self.live, self.path)
        print_note(f"the game is kept; to go on: kbai play {shlex.quote(self.path)}")


def _width() -> int:
    """Return how wide the board may be."""
    return shutil.get_terminal_size(PLAIN_SIZE).columns if is_terminal() else PLAIN_SIZE[0]


def _text_width() -> int:
    """Return how wide texts may be: long lines are hard to read."""
    return min(_width(), PLAIN_SIZE[0])


def _folded(text: str) -> str:
    """Fold a sentence between words, which a terminal does not."""
    return textwrap.fill(text, _width(), break_on_hyphens=False) if is_terminal() else text


_ANSWERS: dict[str, Callable[[Table, list[str]], bool]] = {
    "undo": Table.undo,
    "hint": Table.hint,
    "why": Table.why,
    "score": Table.score,
    "board": Table.show_board,
    "resign": Table.resign,
    "quit": Table.quit,
    "exit": Table.quit,
    "help": Table.help,
    "?": Table.explain,
}
