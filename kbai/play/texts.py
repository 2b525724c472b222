"""Sentences about a game under way."""

from __future__ import annotations

import textwrap

from kbai._fast import Position
from kbai.core.points import points_of
from kbai.draw.facts import turn_text
from kbai.game.setup import setup_of
from kbai.game.steps import END
from kbai.play.choices import choices
from kbai.play.live import LiveGame, Waiting
from kbai.play.players import PERSON
from kbai.report.turns import chosen_turn
from kbai.search.results import Suggestion

WIDTH = 80
HELP = (
    ("c7 d7 e8", "build there, one after the other"),
    ("tavern c7", "use a tile; barn c7 d9 moves a piece from c7 to d9"),
    ("Enter or end", "end the turn"),
    ("undo", "take back the last action, or your last turn"),
    ("?", "list what is possible"),
    ("? c7", "say whether c7 is possible, and if not, why"),
    ("? tavern", "list what the tavern can do"),
    ("hint", "what kbai would play"),
    ("why", "the numbers behind the hint"),
    ("score", "the gold by card, if the game ended now"),
    ("board", "draw the board again"),
    ("save FILE", "keep the game in another file as well"),
    ("resign", "give up"),
    ("quit", "leave; the game is kept"),
)
SIGNS = (
    "On the board, [ ] is around the cells that you can type now, * before what was played last, "
    "and < before a piece that was lifted. R and a sign is a house of red, two letters are a "
    "location. Beside the board stand the houses left and the gold of each seat; a tile in "
    "parentheses cannot be used now."
)
SIGNS_IF_NARROW = (
    " On this narrow terminal, a cell that you can type has [ before it, and R alone is a house."
)


def help_text(width: int = WIDTH, *, is_narrow: bool = False) -> str:
    """Say what can be typed, and what the signs of the board are."""
    rows = [_hang(label.ljust(16), text, width) for label, text in HELP]
    signs = SIGNS + (SIGNS_IF_NARROW if is_narrow else "")
    return "\n".join([*rows, "", _fill(signs, width)])


def status(live: LiveGame, more: str = "", width: int = WIDTH) -> str:
    """Say whose turn it is, with which card, and what can be done; then ``more``."""
    position = live.position()
    text = f"Turn {live.number}: {turn_text(live.setup, position.fields())}"
    if live.waiting() is not Waiting.PERSON:
        return _fill(f"{text}. {more}", width)
    own = [seat for seat, player in zip(live.seats, live.players, strict=True) if player == PERSON]
    actor = live.seats[position.actor]
    if len(own) == 1 and actor in own:
        text = text.replace(f"{actor} to move", f"you ({actor}) to move", 1)
    tiles = [name for name, _ in choices(position) if name in live.setup.tile_kinds]
    if tiles:
        text += f"; tiles: {', '.join(tiles)}"
    if END in position.legal():
        text += "; Enter ends it"
    return _fill(f"{text}. {more}", width)


def _fill(text: str, width: int) -> str:
    return textwrap.fill(text, width)


def choices_text(position: Position, only: str = "", width: int = WIDTH) -> str:
    """List what is possible, a line for each beginning; ``only`` names one tile."""
    rows = [(name, items) for name, items in choices(position) if only in ("", name)]
    if not rows:
        return f"{only} can do nothing now." if only else "Nothing is possible."
    indent = max(len(name) for name, _ in rows) + 2
    return "\n".join(_hang(name.ljust(indent), " ".join(items), width) for name, items in rows)


def _hang(label: str, text: str, width: int) -> str:
    """Return a text after its label, folded to the width of a terminal."""
    room = " " * len(label)
    return textwrap.fill(
        label + text, width, subsequent_indent=room, break_long_words=False, break_on_hyphens=False
    )


def hint_text(found: Suggestion, width: int = WIDTH) -> str:
    """Say what kbai would play, and how good it is."""
    if not found.turns:
        return "There is nothing to suggest now."
    best = found.turns[0]
    turn = chosen_turn(found.position, best)
    seat = best.seats[found.position.actor]
    chance = f"{100 * seat.win.value:.0f} % to win, {seat.gold.value:.0f} gold at the end"
    card = f" after {turn.card}" if best.odds < 1 else ""
    first = _hang(f"hint{card}: ", turn.summary, width)
    second = _hang("  ", f"{chance} ({found.visits:,} visits; 'why' says more)", width)
    return f"{first}\n{second}"


def outcome(position: Position) -> str:
    """Say who has won."""
    seats, gold = setup_of(position).seats, position.scores()
    pairs = zip(seats, points_of(gold), strict=True)
    winners = [seat for seat, points in pairs if points]
    verb = "wins" if len(winners) == 1 else "share the victory"
    return f"The game is over: {' and '.join(winners)} {verb}."
