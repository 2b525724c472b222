"""A game under way: one value for the terminal and the browser.

Every function takes a game and returns another one. Nothing here waits, prints or saves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import takewhile

from kbai._fast import Position, Step
from kbai.core.errors import KbaiError
from kbai.game.setup import Setup, setup_of
from kbai.game.steps import END, advance, draw_step, end_of, is_draw, unpack_step
from kbai.notation.actions import impossible
from kbai.notation.games import Game
from kbai.notation.illegal import apply_action, why_illegal
from kbai.notation.turns import PlayedTurn, record_turn
from kbai.play.cards import drawn_next
from kbai.play.players import PERSON, check_players, format_players, parse_players, people_in
from kbai.play.tree import ROOT, Node, TurnTree

SEED, PLAYERS = "Seed", "Players"


class Waiting(Enum):
    """Who has to do something before a game goes on."""

    CARD = "card"
    """A person tells which card was turned up."""
    PERSON = "person"
    BOT = "bot"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game under way; `begin` and `resume` make one."""

    tree: TurnTree
    players: tuple[str, ...]
    """By seat: `PERSON`, or the spec of a bot."""
    seed: int
    """For cards, bots and hints."""
    told: bool = False
    """Whether a person turns up the cards and tells them; else kbai draws them."""
    cursor: int = ROOT
    """The node after which the turn under way is played."""
    typed: tuple[int, ...] = ()
    """The steps of that turn so far, cards turned up among them."""
    names: tuple[tuple[str, str], ...] = ()
    """People's names by seat, if the game file had them."""
    notes: tuple[tuple[str, str], ...] = ()
    """Lines for people in the header of the file, besides seed and players."""

    @property
    def setup(self) -> Setup:
        """What the game is played with."""
        return setup_of(self.tree.start)

    @property
    def seats(self) -> tuple[str, ...]:
        """The colours of the players, in turn order."""
        return self.setup.seats

    @property
    def number(self) -> int:
        """The number of the turn under way."""
        return self.tree.next_number(self.cursor)

    @property
    def is_main(self) -> bool:
        """Whether the next turn continues the line that counts."""
        return self.cursor == self.tree.main

    def before(self) -> Position:
        """Return the position before the turn under way, before its card is turned up."""
        return self.tree.position(self.cursor)

    def position(self) -> Position:
        """Return the position now."""
        return end_of(self.before(), self.typed)

    def turns(self) -> tuple[PlayedTurn, ...]:
        """Return the turns from the first one to the cursor."""
        return self.tree.turns(self.cursor)

    def turn_under_way(self) -> PlayedTurn | None:
        """Return what was done of the turn under way; None if nothing was."""
        if not self.typed:
            return None
        return record_turn(self.before(), self.typed, number=self.number)

    def waiting(self) -> Waiting:
        """Return who has to do something now."""
        position = self.position()
        if position.is_over:
            return Waiting.OVER
        if position.pending_draw:
            return Waiting.CARD
        return Waiting.PERSON if self.players[position.actor] == PERSON else Waiting.BOT

    def game(self) -> Game:
        """Return the line that counts as a game, with the turn under way if it continues it."""
        turns = list(self.tree.turns(self.tree.main))
        begun = self.turn_under_way()
        if begun is not None and self.is_main:
            turns.append(begun)
        header = [
            (PLAYERS, format_players(self.players, self.seats, dict(self.names))),
            *self.notes,
        ]
        if not self.told:
            header.append((SEED, str(self.seed)))
        end = self.tree.position(self.tree.main)
        result = end.scores() if end.is_over else None
        return Game(self.tree.start, tuple(turns), tuple(header), result)


def begin(
    start: Position,
    *,
    players: Sequence[str],
    seed: int,
    told: bool = False,
    notes: Iterable[tuple[str, str]] = (),
) -> LiveGame:
    """Begin a game at a position: the start of a game, or any later moment."""
    players = check_players(players, setup_of(start).seats)
    return settled(LiveGame(TurnTree(start.copy()), players, seed, told, notes=tuple(notes)))


def resume(
    game: Game, *, seed: int, players: Sequence[str] | None = None, told: bool | None = None
) -> LiveGame:
    """Go on with a game that was recorded, at its end.

    ``seed`` is used if the game has none. Without ``players`` they are those that the game names;
    without ``told`` the cards are told if they were before.
    """
    header = dict(game.header)
    named = header.get(PLAYERS, "")
    if told is None:
        told = SEED not in header and named.startswith(tuple(f"{s} " for s in game.setup.seats))
    if players is None:
        players = parse_players(named, game.setup.seats)
    finished = [turn for turn in game.turns if turn.finished]
    live = LiveGame(
        TurnTree(
            game.start,
            tuple(Node(turn, parent) for parent, turn in enumerate(finished, start=ROOT)),
            main=len(finished) - 1,
            first=game.turns[0].number if game.turns else 1,
        ),
        check_players(players, game.setup.seats),
        int(header[SEED]) if header.get(SEED, "").isdecimal() else seed,
        told,
        cursor=len(finished) - 1,
        typed=tuple(step for turn in game.turns if not turn.finished for step in turn.steps),
        names=people_in(game),
        notes=tuple(pair for pair in game.header if pair[0] not in (SEED, PLAYERS)),
    )
    return settled(live)


def settled(live: LiveGame) -> LiveGame:
    """Do what nobody decides: finish a turn that has ended, and turn up cards unless told."""
    if live.typed[-1:] == (END,):
        turn = record_turn(live.before(), live.typed, number=live.number)
        tree, node = live.tree.add(live.cursor, turn)
        live = replace(live, tree=tree, cursor=node, typed=())
    position = live.position()
    typed = list(live.typed)
    while position.pending_draw and not live.told:
        step = draw_step(drawn_next(position, live.seed, live.number, sum(map(is_draw, typed))))
        advance(position, step)
        typed.append(step)
    return replace(live, typed=tuple(typed))


def play_step(live: LiveGame, step: int) -> LiveGame:
    """Make one step, or turn up a card; `IllegalActionError` says why it is not possible."""
    reason = why_illegal(live.position(), step)
    if reason:
        raise impossible(f"step {step}", reason)
    return settled(replace(live, typed=(*live.typed, step)))


def play_action(live: LiveGame, text: str) -> LiveGame:
    """Make an action in its text form; `IllegalActionError` says why it is not possible."""
    steps = apply_action(live.position(), text)
    return settled(replace(live, typed=(*live.typed, *steps)))


def play_steps(live: LiveGame, steps: Iterable[int]) -> LiveGame:
    """Make several steps, such as those of a suggested turn."""
    for step in steps:
        live = play_step(live, step)
    return live


def undo(live: LiveGame) -> LiveGame:
    """Take back the last thing that a person did: an action, a card told, or a whole turn.

    What followed from it goes, too: cards that kbai drew, and what bots did.
    """
    done = _last_input(live)
    if done is None:
        return take_back(live)
    # A move is one action of two steps.
    is_put = not is_draw(live.typed[done]) and unpack_step(live.typed[done])[0] is Step.PUT
    return replace(live, typed=live.typed[: done - is_put])


def has_begun(live: LiveGame) -> bool:
    """Tell whether a person did something in this turn: an action, or a card told."""
    return _last_input(live) is not None


def _last_input(live: LiveGame) -> int | None:
    """Return which of the typed steps is the last that a person made."""
    position, found = live.before(), None
    for index, step in enumerate(live.typed):
        if live.told if is_draw(step) else live.players[position.actor] == PERSON:
            found = index
        advance(position, step)
    return found


def take_back(live: LiveGame) -> LiveGame:
    """Take back whole turns, up to and with the last one of a person.

    The turns stay in the tree as a variation, but the line that counts ends before them.
    """
    everybody = live.told or PERSON not in live.players
    for node in reversed(live.tree.line(live.cursor)):
        turn = live.tree.nodes[node].turn
        if everybody or live.players[live.seats.index(turn.seat)] == PERSON:
            parent = live.tree.nodes[node].parent
            is_main = node in live.tree.line(live.tree.main)
            tree = replace(live.tree, main=parent) if is_main else live.tree
            # A bot would at once play the same again with the same card.
            is_bot = live.players[live.seats.index(turn.seat)] != PERSON
            typed = () if live.told and is_bot else cards_of(turn)
            return replace(live, tree=tree, cursor=parent, typed=typed)
    raise KbaiError("there is no turn to take back.")


def go_to(live: LiveGame, node: int) -> LiveGame:
    """Look at the position after a node; the next turn is played there.

    If something was played there before, the next turn has its card.
    """
    if node != ROOT and not 0 <= node < len(live.tree.nodes):
        raise KbaiError(f"expected a turn of the game, got number {node}.")
    after = live.tree.children(node)
    typed = cards_of(live.tree.nodes[after[0]].turn) if after else ()
    return settled(replace(live, cursor=node, typed=typed))


def promote(live: LiveGame) -> LiveGame:
    """Make the line to the cursor, and what followed it, the one that counts."""
    return replace(live, tree=live.tree.promote(live.cursor))


def cards_of(turn: PlayedTurn) -> tuple[int, ...]:
    """Return the steps at the beginning of a turn that turn up its cards."""
    return tuple(takewhile(is_draw, turn.steps))
