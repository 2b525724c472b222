"""Everything that a log tells, compared with kbai's rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from kbai._fast import Position, Step
from kbai.core.errors import quote
from kbai.game.cells import format_cell
from kbai.game.setup import SpaceInfo
from kbai.game.steps import unpack_step
from kbai.importing.archive import Event
from kbai.importing.events import cell_at, cells_at, results_of, state_of
from kbai.importing.evidence import location_kind
from kbai.importing.survey import Survey
from kbai.importing.tables import (
    CARD_STATISTICS,
    CARDS,
    CASTLES_CARD,
    TILES_OF_A_SPACE,
    States,
)
from kbai.importing.values import items, mapping, number

OFFERS, SNAPSHOTS, TILES, SUPPLIES, GOLD = "offers", "snapshots", "tiles", "supplies", "gold"
CASTLES = "castles"


class Difference(Exception):
    """Log and rules differ; the message says where and how."""


class Checks:
    """Compares events with positions, and counts what agreed."""

    def __init__(self, survey: Survey) -> None:
        self.setup = survey.setup
        self.players = [player.id for player in survey.players]
        self.seats = {player.id: player.seat for player in survey.players}
        self.spaces = [space for space in survey.setup.spaces if space.tile is not None]
        self.is_conceded = bool(survey.conceded)
        self.is_scored = False
        self.turn = 0
        """The number of the turn under way, for messages."""
        self.agreed: Counter[str] = Counter()

    def differ(self, event: Event, expected: str, told: object) -> Difference:
        """Return what to raise if an event tells something else than expected."""
        place = f"packet {event.packet}"
        if self.turn:
            place += f", turn {self.turn}"
        told = told if isinstance(told, str) and len(told) < 2000 else quote(told)
        return Difference(f"{place}: expected {expected}, the log has {told}.")

    def compare(self, event: Event, kind: str, what: str, here: object, told: object) -> None:
        """Count something that agrees; raise `Difference` otherwise."""
        if here != told:
            raise self.differ(event, f"{what}: {here}", told)
        self.agreed[kind] += 1

    def tile_space(self, event: Event) -> SpaceInfo:
        """Return the space that a tile comes from: two of each, in reading order."""
        identity = number(event.args.get("id"))
        place = -1 if identity is None else (identity - 1) // TILES_OF_A_SPACE
        if not 0 <= place < len(self.spaces):
            raise self.differ(event, "the number of a tile", event.args.get("id"))
        return self.spaces[place]

    def seat_number(self, event: Event, key: str) -> int:
        """Return the number of the seat of a player."""
        who = number(event.args.get(key))
        if who not in self.seats:
            raise self.differ(event, "one of the players", event.args.get(key))
        return self.players.index(who)

    # --- during the game --------------------------------------------------------------------------

    def offer(self, event: Event, position: Position, tile: str) -> None:
        """Compare the hexes that can be built on, or the settlements that can be moved."""
        state, offer = state_of(event), mapping(event.args.get("args"))
        cells = cells_at(offer.get("hexes")) if "hexes" in offer else None
        if state not in (States.BUILD, States.MOVE) or cells is None:
            return
        slot = self.setup.tile_kinds.index(tile) + 1 if tile else 0
        wanted = Step.BUILD if state == States.BUILD else Step.LIFT
        legal = {
            cell
            for kind, used, cell in map(unpack_step, position.legal())
            if kind is wanted and used == slot
        }
        # The site lets people click settlements that have nowhere to go.
        if legal != cells and not (state == States.MOVE and legal <= cells):
            what = f"{tile or 'mandatory'} offers of {_cells(legal)}"
            raise self.differ(event, what, _cells(cells))
        self.agreed[OFFERS] += 1

    def tile(self, event: Event, position: Position) -> None:
        """Compare a tile that was obtained or lost."""
        seat, space = self.seat_number(event, "player_id"), self.tile_space(event)
        if "location" in event.args:
            told = location_kind(event.args["location"]), cell_at(event.args)
            if told != (space.tile, space.cell):
                cell = "?" if told[1] is None else format_cell(told[1])
                what = f"the {space.tile} tile from {format_cell(space.cell)}"
                raise self.differ(event, what, f"the {told[0]} tile from {cell}")
        has = space.cell in _tile_cells(position, seat)
        what = f"{self.setup.seats[seat]} with the {space.tile} tile from {format_cell(space.cell)}"
        words = {True: "yes", False: "no"}
        self.compare(event, TILES, what, words[has], words[event.kind == "obtainTile"])

    def last_house(self, event: Event, position: Position) -> None:
        """Compare the supply of the seat to move, which has just built its last settlement."""
        seat = self.setup.seats[position.mover]
        supply = position.fields()["seats"][position.mover]["supply"]
        self.compare(event, SUPPLIES, f"{seat}'s supply", supply, 0)

    def snapshot(self, event: Event, position: Position) -> None:
        """Compare the board, the supplies and the tiles as they are after an undo."""
        fields = position.fields()["seats"]
        agreed: Counter[str] = Counter(self.agreed)
        board = mapping(event.args.get("board"))
        if "settlements" in board:
            found: dict[int, set[int]] = {player: set() for player in self.players}
            for row in map(mapping, items(board["settlements"])):
                cell, who = cell_at(row), number(row.get("player_id"))
                if cell is None or who not in found:
                    raise self.differ(event, "the settlements on the board", "a place of nobody")
                found[who].add(cell)
            for player, seat in zip(self.players, fields, strict=True):
                if {*seat["cells"]} != found[player]:
                    what = f"settlements of {self.seats[player]} on {_cells(seat['cells'])}"
                    raise self.differ(event, what, _cells(found[player]))
            agreed[SNAPSHOTS] += 1
        for row in map(mapping, items(event.args.get("fplayers"))):
            who = number(row.get("id"))
            if who not in self.seats:
                continue
            place, name = self.players.index(who), self.seats[who]
            supply, here = number(row.get("settlements")), fields[place]["supply"]
            if supply is not None:
                if supply != here:
                    raise self.differ(event, f"{name}'s supply: {here}", str(supply))
                agreed[SUPPLIES] += 1
            if "tiles" in row:
                told = sorted(self._told_tiles(row["tiles"]))
                held = sorted(_tile_cells(position, place))
                if told != held:
                    raise self.differ(event, f"{name}'s tiles from {_cells(held)}", _cells(told))
                agreed[TILES] += 1
        self.agreed = agreed

    def _told_tiles(self, rows: object) -> Iterable[int]:
        """Yield the spaces that tiles come from."""
        for row in map(mapping, items(rows)):
            place = ((number(row.get("id")) or 0) - 1) // TILES_OF_A_SPACE
            if 0 <= place < len(self.spaces):
                yield self.spaces[place].cell

    # --- gold -------------------------------------------------------------------------------------

    def running_scores(self, event: Event, position: Position) -> None:
        """Compare the gold after a turn."""
        scores = mapping(event.args.get("scores"))
        told = {number(who): number(gold) for who, gold in scores.items()}
        # Before the scoring all are set to zero.
        if not self.setup.cards or not any(told.values()):
            return
        for player, gold in zip(self.players, position.scores(), strict=True):
            if player in told:
                self.compare(event, GOLD, f"gold of {self.seats[player]}", gold, told[player])

    def scoring(self, event: Event, position: Position) -> None:
        """Compare what a player earns with a card at the end."""
        seat, card = self.seat_number(event, "playerId"), number(event.args.get("objectiveId"))
        name = CASTLES if card == CASTLES_CARD else CARDS.get(-1 if card is None else card)
        gold = self._gold(position, seat)
        if name is None or name not in gold:
            if name is None or self.setup.cards:
                raise self.differ(event, "a scoring card", event.args.get("objectiveId"))
            return
        if not self.is_scored and not position.is_over:
            raise self.differ(event, "another turn", "the end of the game")
        self.is_scored = True
        what = f"gold of {self.setup.seats[seat]} for {name}"
        self.compare(event, GOLD, what, gold[name], number(event.args.get("total")))

    def result(self, event: Event, position: Position) -> None:
        """Compare the gold of a finished game, all in all and card by card."""
        if not self.is_scored or self.is_conceded or not self.setup.cards:
            return
        for row in results_of(event):
            who = number(row.get("player"))
            if who not in self.seats:
                continue
            gold = self._gold(position, self.players.index(who))
            what = f"gold of {self.seats[who]}"
            total = number(row.get("score"))
            self.compare(event, GOLD, f"{what} at the end", sum(gold.values()), total)
            for key, value in mapping(row.get("stats")).items():
                card = (number(key) or 0) - CARD_STATISTICS
                name = CASTLES if card == CASTLES_CARD else CARDS.get(card, "")
                if name in gold:
                    self.compare(event, GOLD, f"{what} for {name}", gold[name], number(value))

    def _gold(self, position: Position, seat: int) -> Mapping[str, int]:
        """Return a seat's gold by card, and of castles."""
        detail = position.score_detail()[seat]
        cards = detail[len(detail) - len(self.setup.cards) :]
        return {CASTLES: detail[0]} | dict(zip(self.setup.cards, cards, strict=True))


def _tile_cells(position: Position, seat: int) -> list[int]:
    """Return the spaces that a seat has a tile from."""
    spaces = position.board.spaces
    return [spaces[place][0] for place in position.fields()["seats"][seat]["held"]]


def _cells(cells: Collection[int]) -> str:
    return " ".join(map(format_cell, sorted(cells))) or "none"
