"""The games of the server: in memory, and in a folder in which no finished turn gets lost."""

from __future__ import annotations

import os
import re
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from itertools import takewhile

from kbai.core.errors import KbaiError
from kbai.core.printable import printable
from kbai.core.texts import MAX_GAME
from kbai.game.steps import end_of, is_draw
from kbai.notation.positions import format_line
from kbai.play.bots import BotTable
from kbai.play.files import SUFFIX, format_live, load, save
from kbai.play.live import LiveGame, Waiting, cards_of, has_begun, play_step
from kbai.play.players import PERSON
from kbai.play.tree import ROOT
from kbai.web.catalogue import bot_specs
from kbai.web.security import Refusal
from kbai.web.views import view_dict

# Games that are in memory; the others are read again from their files.
MAX_OPEN = 64
# Beyond this nobody finds a game again.
MAX_FILES = 5_000
MAX_LISTED = 50
SEEDS = 2**31
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(slots=True)
class Table:
    """A game under way, its bots, and a lock for whoever changes it."""

    live: LiveGame
    bots: BotTable = field(default_factory=BotTable)
    lock: threading.Lock = field(default_factory=threading.Lock)
    saved: str = ""
    """What its file holds."""


class Games:
    """Games by id. An id is drawn here, and is the only part of a file's name that varies."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, live: LiveGame) -> str:
        """Take up a game and return its id."""
        id = secrets.token_hex(8)
        table = Table(with_known_bots(live))
        self._keep(id, table)
        self.save(id, table)
        return id

    def find(self, id: str) -> Table:
        """Return the game with an id, from its file if it is not in memory."""
        with self._lock:
            if id in self._tables:
                self._tables.move_to_end(id)
                return self._tables[id]
        if not _ID.fullmatch(id) or not os.path.isfile(self._path(id)):
            raise Refusal(404, "there is no such game; it may have had no turn yet.")
        live, _ = load(self._path(id), seed=new_seed())
        table = Table(with_known_bots(live), saved=format_live(live))
        self._keep(id, table)
        return table

    def _keep(self, id: str, table: Table) -> None:
        with self._lock:
            self._tables[id] = table
            while len(self._tables) > MAX_OPEN:
                _, old = self._tables.popitem(last=False)
                old.bots.close()

    def save(self, id: str, table: Table) -> None:
        """Write a game to its file, unless it has no turn yet or nothing is new."""
        text = format_live(table.live)
        if not table.live.tree.nodes or text == table.saved:
            return
        try:
            os.makedirs(self._folder, exist_ok=True)
            count = len(os.listdir(self._folder))
        except OSError as error:
            raise self._no_folder(error) from error
        if not table.saved and count >= MAX_FILES:
            message = f"there are {MAX_FILES:,} saved games; delete some in {self._folder!r}."
            raise KbaiError(message)
        save(table.live, self._path(id))
        table.saved = text

    def _no_folder(self, error: OSError) -> KbaiError:
        return KbaiError(f"expected a folder for games, got {self._folder!r}: {error.strerror}.")

    def _path(self, id: str) -> str:
        return os.path.join(self._folder, f"{id}{SUFFIX}")

    def listed(self) -> list[dict[str, object]]:
        """Return the games with a file, the last one that was played first."""
        try:
            with os.scandir(self._folder) as entries:
                found = [(e.stat().st_mtime, e.name, e.path) for e in entries if e.is_file()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._no_folder(error) from error
        rows: list[dict[str, object]] = []
        for changed, name, path in sorted(found, reverse=True):
            id = name.removesuffix(SUFFIX)
            if _ID.fullmatch(id) and len(rows) < MAX_LISTED:
                rows.append({"id": id, "changed": changed, **_summary(path)})
        return rows

    def close(self) -> None:
        """Release what the bots hold."""
        for table in self._tables.values():
            table.bots.close()


def new_seed() -> int:
    """Return a seed for a game that has none."""
    return secrets.randbelow(SEEDS)


def _summary(path: str) -> dict[str, object]:
    """Return who plays in a saved game, and how far it is, without replaying it."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read(MAX_GAME).splitlines()
    turns = [line for line in lines if re.match(r"[0-9]+ ", line)]
    head = dict(line.partition(": ")[::2] for line in lines if re.match(r"[A-Z][a-z]+: ", line))
    return {
        "turns": len(turns),
        "players": printable(head.get("Players", ""))[:200],
        "result": printable(head.get("Result", ""))[:200],
    }


def with_known_bots(live: LiveGame) -> LiveGame:
    """Return a game in which every bot is one of those that the page offers."""
    known = bot_specs()
    players = tuple(spec if spec in known else PERSON for spec in live.players)
    return live if players == live.players else replace(live, players=players)


def play_bot_turn(table: Table) -> None:
    """Let the bot whose turn it is play, until its turn is over or a person has to decide."""
    cursor = table.live.cursor
    try:
        while table.live.waiting() is Waiting.BOT and table.live.cursor == cursor:
            table.live = play_step(table.live, table.bots.choose(table.live))
    finally:
        table.bots.rest()


def game_dict(id: str, live: LiveGame) -> dict[str, object]:
    """Return what the page shows of a game: its tree of turns, and the position at the cursor."""
    tree = live.tree
    last = None if live.cursor == ROOT else tree.nodes[live.cursor]
    begun = live.turn_under_way()
    main = {*tree.line(tree.main)}
    return {
        "id": id,
        "told": live.told,
        "players": list(live.players),
        "names": dict(live.names),
        "seats": list(live.seats),
        "cursor": live.cursor,
        "main": tree.main,
        "line": list(tree.line(live.cursor)),
        "number": live.number,
        "waiting": live.waiting().value,
        "nodes": [
            {
                "parent": node.parent,
                "number": node.turn.number,
                "seat": node.turn.seat,
                "card": node.turn.card,
                "text": node.turn.summary,
                "is_main": index in main,
            }
            for index, node in enumerate(tree.nodes)
        ],
        "begun": list(begun.actions) if begun else [],
        "has_begun": has_begun(live),
        "before": _before(live),
        "came_from": None if last is None else _came_from(live),
        "view": view_dict(live.position(), last=last.turn if last else None),
    }


def _before(live: LiveGame) -> str:
    """Return the line of the position in which the turn under way began, with its card."""
    cards = tuple(takewhile(is_draw, live.typed))
    return format_line(end_of(live.before(), cards))


def _came_from(live: LiveGame) -> dict[str, object]:
    """Return the last turn, and the position in which it was played."""
    node = live.tree.nodes[live.cursor]
    position = end_of(live.tree.position(node.parent), cards_of(node.turn))
    return {"line": format_line(position), "actions": list(node.turn.actions)}
