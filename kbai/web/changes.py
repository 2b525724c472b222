"""What can be done in a game: each change takes the table and what the request says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kbai.content import TERRAIN_CARDS
from kbai.core.errors import QueryError, quote
from kbai.game.seats import N_SEATS
from kbai.game.steps import draw_step
from kbai.play.cards import drawn_next
from kbai.play.live import go_to, play_action, play_step, promote, undo
from kbai.play.players import PERSON
from kbai.play.tree import ROOT
from kbai.web import bodies
from kbai.web.bodies import Body
from kbai.web.catalogue import bot_specs
from kbai.web.games import Table, new_seed, play_bot_turn

BOT = "bot"


def players_of(body: Body) -> tuple[str, ...]:
    players = bodies.texts_of(body, "players", N_SEATS[-1])
    for spec in players:
        if spec != PERSON and spec not in bot_specs():
            message = f"expected one of {', '.join(bot_specs())} as a bot, got {quote(spec)}."
            raise QueryError(message, field="players")
    return players


def _act(table: Table, body: Body) -> None:
    table.live = play_action(table.live, bodies.text_of(body, "action", limit=200))


def _play(table: Table, body: Body) -> None:
    """Play a whole turn that was suggested, with its card if that is to be turned up."""
    live = table.live
    for text in bodies.texts_of(body, "actions"):
        live = play_action(live, text)
    table.live = live


def _card(table: Table, body: Body) -> None:
    """Turn up a card: the one that is told, or one at random."""
    live = table.live
    position = live.position()
    if not position.pending_draw:
        raise QueryError("expected a card to be turned up now, but none is.", field="card")
    if bodies.flag_of(body, "random"):
        card = drawn_next(position, new_seed(), live.number, len(live.typed))
    else:
        card = TERRAIN_CARDS.index(bodies.one_of(body, "card", TERRAIN_CARDS))
    table.live = play_step(live, draw_step(card))


def _undo(table: Table, body: Body) -> None:
    table.live = undo(table.live)


def _go(table: Table, body: Body) -> None:
    highest = len(table.live.tree.nodes) - 1
    table.live = go_to(table.live, bodies.whole_number(body, "node", ROOT, highest))


def _promote(table: Table, body: Body) -> None:
    table.live = promote(table.live)


def _bot(table: Table, body: Body) -> None:
    play_bot_turn(table)


def _players(table: Table, body: Body) -> None:
    players = players_of(body)
    if len(players) != len(table.live.seats):
        message = f"expected {len(table.live.seats)} players, got {len(players)}."
        raise QueryError(message, field="players")
    told = bodies.flag_of(body, "told", table.live.told)
    table.live = replace(table.live, players=players, told=told)


CHANGES: dict[str, Callable[[Table, Body], None]] = {
    "act": _act,
    "play": _play,
    "card": _card,
    "undo": _undo,
    "go": _go,
    "promote": _promote,
    BOT: _bot,
    "players": _players,
}
