"""The turns of a log, played along by kbai's rules and compared with all that the log tells.

Undone events stay in a log, and a later one takes them back. So the turn under way is kept as a
list of entries, and played anew from its beginning whenever some of them are taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from kbai.core.errors import IllegalActionError
from kbai.game.cells import format_cell
from kbai.game.steps import END
from kbai.importing.archive import Archive, Event, Packet
from kbai.importing.checks import Checks, Difference
from kbai.importing.events import cell_at, state_of, terrain_of
from kbai.importing.survey import Survey
from kbai.importing.tables import BACK, IGNORED, States
from kbai.importing.values import items, mapping, number, one_line
from kbai.notation.illegal import apply_action, why_illegal
from kbai.notation.turns import Turn, turn_up


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that a player did in the turn under way."""

    kind: str
    """``use`` (of a tile), ``build`` or ``move``."""
    move: int | None
    tile: str
    """The tile it was done with; empty in the mandatory action."""
    action: str = ""
    """As kbai writes it; empty if kbai has no such step."""

    @property
    def can_be_undone_to(self) -> bool:
        """Whether an undo takes back this and all after it."""
        return self.kind == "use" or (self.kind == "build" and not self.tile)


@dataclass(slots=True)
class Replayed:
    """A game as far as the log and the rules agree."""

    steps: list[int] = field(default_factory=list)
    """From the start of the game, cards turned up among them."""
    agreed: Counter[str] = field(default_factory=Counter)
    """How often what was compared, without a difference."""
    unknown: Counter[str] = field(default_factory=Counter)
    """Events that nobody knows."""
    difference: str = ""
    """The first thing on which log and rules differ, if there is one."""


def replay(archive: Archive, survey: Survey) -> Replayed:
    """Play a log along, up to its end or to the first difference."""
    game = _Replay(survey)
    difference = ""
    try:
        for packet in archive.packets:
            if packet.is_public:
                game.play(packet)
    except Difference as error:
        difference = str(error)
    steps = [*game.done, *game.steps]  # a turn under way stays unfinished
    return Replayed(steps, game.checks.agreed, game.unknown, difference)


class _Replay:
    def __init__(self, survey: Survey) -> None:
        self.setup = survey.setup
        self.checks = Checks(survey)
        self.seats = self.checks.seats
        self.position = survey.setup.start_position()
        self.before = self.position.copy()  # the turn under way
        self.done: list[int] = []
        self.mover: int | None = None
        """Whose turn is under way, by the id of the player."""
        self.card = ""
        self.entries: list[Entry] = []
        self.steps: list[int] = []  # of the turn under way
        self.tile = ""  # that was clicked, until it is used
        self.unknown: Counter[str] = Counter()

    def play(self, packet: Packet) -> None:
        checks, position = self.checks, self.position
        for place, event in enumerate(packet.events):
            position = self.position
            match event.kind:
                case "showTerrain":
                    self.show_card(event)
                case "useTile":
                    self.use_tile(event)
                case "build" | "move":
                    self.place(event)
                case "obtainTile" | "loseTile":
                    checks.tile(event, position)
                case "cancel":
                    self.take_back(event, packet.events[place + 1 :])
                case "gameStateChange":
                    if state_of(event) == States.END:
                        checks.result(event, position)
                    elif self.mover is not None:
                        checks.offer(event, position, self.tile)
                case "updateScores":
                    checks.running_scores(event, position)
                case "scoringEnd":
                    checks.scoring(event, position)
                case "message":
                    if self.mover is not None:
                        checks.last_house(event, position)
                case kind if kind not in IGNORED:
                    self.unknown[one_line(kind, 40)] += 1

    # --- turns ------------------------------------------------------------------------------------

    def show_card(self, event: Event) -> None:
        who = number(event.args.get("pId"))
        if event.args.get("terrain") == BACK:
            if who == self.mover and who is not None:
                self.end_turn(event)
            return
        card = terrain_of(event.args.get("terrain"))
        if card is None or who not in self.seats:
            raise self.checks.differ(event, "the card of a player", event.args.get("terrain"))
        if who == self.mover:  # after a restart
            if card != self.card:
                raise self.checks.differ(event, f"the card {self.card} again", card)
            return
        if self.mover is not None:
            what = f"the end of {self.seats[self.mover]}'s turn"
            raise self.checks.differ(event, what, f"a turn of {self.seats[who]}")
        self.checks.turn += 1
        expected = self.setup.seats[self.position.mover]
        if self.position.is_over:
            raise self.checks.differ(event, "the end of the game", f"a turn of {self.seats[who]}")
        if self.seats[who] != expected:
            raise self.checks.differ(event, f"a turn of {expected}", f"one of {self.seats[who]}")
        self.mover, self.card = who, card
        self.before = self.position.copy()
        self.tile = ""
        self.play_entries(event, ())

    def end_turn(self, event: Event) -> None:
        reason = why_illegal(self.position, END)
        if reason:
            raise self.checks.differ(event, "more of the turn", f"its end ({reason})")
        self.position.apply(END)
        self.done += [*self.steps, END]
        self.steps, self.entries, self.mover = [], [], None

    def play_entries(self, event: Event, entries: Sequence[Entry]) -> None:
        """Play the turn under way from its beginning."""
        if self.mover is None:
            raise self.checks.differ(event, "an undo within a turn", "one between turns")
        position = self.before.copy()
        turn = Turn(self.checks.turn, self.seats[self.mover], self.card, finished=False)
        try:
            steps = list(turn_up(position, turn))
            for entry in entries:
                if entry.action:
                    steps += apply_action(position, entry.action)
        except IllegalActionError as error:
            raise self.illegal(event, error) from None
        self.position, self.steps, self.entries = position, steps, list(entries)

    def add(self, event: Event, entry: Entry) -> None:
        if self.mover is None:
            raise self.checks.differ(event, "a card before the first step of a turn", entry.action)
        who = number(event.args.get("player_id"))
        if who != self.mover:
            what = f"a step of {self.seats[self.mover]}"
            raise self.checks.differ(event, what, f"one of {self.seats.get(who or 0, 'nobody')}")
        if entry.action:
            try:
                self.steps += apply_action(self.position, entry.action)
            except IllegalActionError as error:
                raise self.illegal(event, error) from None
        self.entries.append(entry)

    def illegal(self, event: Event, error: IllegalActionError) -> Difference:
        return self.checks.differ(event, "a legal step", str(error).removesuffix("."))

    def use_tile(self, event: Event) -> None:
        self.tile = str(self.checks.tile_space(event).tile)
        self.add(event, Entry("use", event.move, self.tile))

    def place(self, event: Event) -> None:
        target = cell_at(event.args)
        if target is None:
            raise self.checks.differ(event, "the place of a settlement", "none")
        action = format_cell(target)
        if event.kind == "move":
            source = cell_at(mapping(event.args.get("from")))
            if source is None or not self.tile:
                raise self.checks.differ(event, "a tile and where a settlement comes from", "none")
            # The site offers a settlement its own hex; the rules have no such step.
            action = "" if source == target else f"{self.tile}:{format_cell(source)}-{action}"
        elif self.tile:
            action = f"{self.tile}:{action}"
        self.add(event, Entry(event.kind, event.move, self.tile, action))
        self.tile = ""

    # --- undo -------------------------------------------------------------------------------------

    def take_back(self, event: Event, rest: Sequence[Event]) -> None:
        """Undo by the numbers that the event names if they fit, otherwise by what undo means."""
        moves = {number(move) for move in items(event.args.get("moveIds"))} - {None}
        is_restart = any(
            state_of(later) == States.TURN or later.kind == "showTerrain" for later in rest
        )
        by_number = [entry for entry in self.entries if entry.move not in moves]
        ways = [self.entries_after_undo(is_restart), self.entries_after_undo(not is_restart)]
        if len(by_number) < len(self.entries):
            ways.insert(0, by_number)
        problem: Difference | None = None
        for entries in ways:
            try:
                self.play_entries(event, entries)
                self.checks.snapshot(event, self.position)
            except Difference as difference:
                problem = problem or difference
                continue
            last = self.entries[-1] if self.entries else None
            self.tile = last.tile if last is not None and last.kind == "use" else ""
            return
        assert problem is not None
        raise problem

    def entries_after_undo(self, is_restart: bool) -> list[Entry]:
        if is_restart:
            return []
        for place in reversed(range(len(self.entries))):
            if self.entries[place].can_be_undone_to:
                return self.entries[:place]
        return []
