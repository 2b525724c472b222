"""The keys about terrain cards: piles, hidden hands, and what is left unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kbai._fast import Action, Draw, Phase
from kbai.content import TERRAIN_CARDS
from kbai.core.errors import NotationError, quote
from kbai.game.setup import Setup
from kbai.notation.dicts import Table
from kbai.notation.names import parse_name
from kbai.notation.schema.pieces import Seat, has_action
from kbai.notation.schema.turn import Turn

if TYPE_CHECKING:
    from kbai._fast import Fields  # only the stub has it

CARD_KEYS = ("discard", "removed", "spent", "held", "nocard")
HELD_KEYS = ("seats", "cards")


@dataclass(slots=True, eq=False, repr=False)
class Piles:
    """Where the terrain cards are."""

    discard: list[int]
    spent: list[int]
    held: list[tuple[list[int], list[int]]]
    """Cards, and the seats that hold them, one for each card; oldest first."""
    unseen: list[int]


def read_piles(setup: Setup, table: Table, seats: list[Seat], turn: Turn) -> Piles:
    """Return the piles, and fill in how many hidden cards each seat has."""
    piles = Piles(
        discard=table.counts("discard"),
        spent=table.counts("spent"),
        held=_read_held_hands(setup, table),
        unseen=[],
    )
    options = setup.options
    if any(piles.spent):
        if options.exhausted_card != "discard" or options.exhausted_any_hex:
            message = "expected spent cards only with the option exhausted_card = 'discard'"
            raise table.error("spent", f"{message} (R3.5)")
        if turn.draw is Draw.REVEAL:
            message = "expected no spent cards as long as the card is hidden"
            raise table.error("spent", f"{message} (R3.1)")
    piles.unseen = _count_unseen(setup, table, turn, piles)
    _read_hidden(setup, table, seats, turn)
    _check_hands(setup, table, seats, turn, piles)
    return piles


def _count_unseen(setup: Setup, table: Table, turn: Turn, piles: Piles) -> list[int]:
    """Return the cards of the deck that are in no other pile."""
    cards = range(len(TERRAIN_CARDS))
    parts = {
        "discard": piles.discard,
        "removed": table.counts("removed"),
        "spent": piles.spent,
        "held": [sum(counts[card] for counts, _ in piles.held) for card in cards],
        "card": [int(card == turn.card) for card in cards],
        "hand": turn.hand,
        "doing": [int(card == turn.fort_card) for card in cards],
    }
    unseen = []
    sums = map(sum, zip(*parts.values(), strict=True))
    for card, (name, named) in enumerate(zip(TERRAIN_CARDS, sums, strict=True)):
        total = setup.deck[card]
        if named > total:
            where = [f"{key} {counts[card]}" for key, counts in parts.items() if counts[card]]
            key = next(key for key, counts in parts.items() if counts[card])
            message = f"expected at most {total} {name} cards in the game, got {named}"
            raise table.error(key, f"{message} ({', '.join(where)}; R2.1)")
        unseen.append(total - named)
    return unseen


def _read_held_hands(setup: Setup, table: Table) -> list[tuple[list[int], list[int]]]:
    value = table.get("held")
    if "held" not in table or value == "-":
        return []
    if not isinstance(value, list):
        raise table.error("held", f"expected a list of tables for 'held', got {quote(value)}")
    groups: list[tuple[list[int], list[int]]] = []
    for index, data in enumerate(value):
        where = (*table.where("held"), index)
        if not isinstance(data, dict):
            message = f"expected a table with seats and cards, got {quote(data)}."
            raise NotationError(message, path=where)
        group = Table(data, where, HELD_KEYS)
        group.require("seats", "the seats that hold these cards")
        group.require("cards", "the cards these seats hold")
        cards = group.counts("cards")
        names = [parse_name("seat", w, setup.seats, path=w.path) for w in group.words("seats")]
        seats = sorted(map(setup.seats.index, names))
        if not seats or len(seats) != sum(cards):
            message = f"expected as many cards as seats, got {sum(cards)} and {len(seats)}"
            raise group.error("cards", f"{message} (R3.7)")
        groups.append((cards, seats))
    return groups


def _default_hidden(turn: Turn, seat: int, *, no_card: bool) -> int:
    """Return how many hidden cards a seat has by default."""
    in_turn = turn.phase in (Phase.PRE, Phase.BUILD, Phase.POST)
    is_shown = in_turn and seat == turn.mover and turn.draw is not Draw.REVEAL
    return 0 if no_card or is_shown else 1


def _read_hidden(setup: Setup, table: Table, seats: list[Seat], turn: Turn) -> None:
    no_card = table.seats("nocard", setup.seats)
    most = sum(setup.deck)
    for index, seat in enumerate(seats):
        default = _default_hidden(turn, index, no_card=index in no_card)
        seat.hidden = default
        if not seat.table.is_given("hidden"):
            continue
        seat.hidden = seat.table.number("hidden", 0, most)
        if seat.hidden == default:
            continue
        problem = ""
        if index in no_card:
            problem = f"expected {seat.name} in 'nocard' or with hidden cards, got both"
        elif not default:
            problem = f"expected no hidden cards of {seat.name}, which have been turned up (R3.1)"
        elif not seat.hidden:
            problem = f"expected {seat.name} in 'nocard' rather than hidden = 0 (R3.5)"
        elif not has_action(setup, Action.CROSSROADS):
            problem = "expected one hidden card, as there are no crossroads tiles in this game"
            problem += f", got {seat.hidden} (R3.6)"
        if problem:
            raise seat.table.error("hidden", problem)


def _check_hands(setup: Setup, table: Table, seats: list[Seat], turn: Turn, piles: Piles) -> None:
    """Raise unless there are enough cards for the hidden hands and the draw pile."""
    held = Counter(seat for _, members in piles.held for seat in members)
    for index in table.seats("nocard", setup.seats):
        name = setup.seats[index]
        if held[index]:
            raise table.error("nocard", f"expected {name} in 'held' or in 'nocard', got both")
        in_turn = turn.phase in (Phase.PRE, Phase.BUILD, Phase.POST)
        if in_turn and index == turn.mover and (turn.card != -1 or turn.draw is not Draw.NONE):
            message = f"expected card = 'none', as {name} is in 'nocard'"
            raise table.error("card", f"{message}, got {quote(table.text('card'))}")
    for index, seat in enumerate(seats):
        if held[index] > seat.hidden:
            if not seat.hidden:
                message = f"expected the hidden cards of others in 'held', but that of {seat.name}"
                raise table.error("held", f"{message} has been turned up")
            message = f"expected no more cards of {seat.name} in 'held' than the {seat.hidden}"
            raise table.error("held", f"{message} hidden ones, got {held[index]} (R3.7)")
    unseen = sum(piles.unseen)
    hidden = {seat.name: seat.hidden - held[i] for i, seat in enumerate(seats)}
    if unseen < sum(hidden.values()):
        names = ", ".join(name for name, count in hidden.items() if count)
        message = f"expected an unseen card for each of the hands of {names}"
        key = next((key for key in CARD_KEYS[:4] if key in table), "discard")
        raise table.error(key, f"{message}, got {unseen}")
    if turn.draw is Draw.REPLACE and unseen == sum(hidden.values()):
        message = "expected a card to draw when one is to be replaced, but the draw pile is empty"
        raise table.error("card", f"{message} (R3.7)")
    if turn.draw is Draw.FORT and unseen == sum(hidden.values()):
        message = "expected a card to draw for the fort, but the draw pile is empty"
        raise table.error("doing", f"{message} (R3.7)")


def removed_cards(setup: Setup, fields: Fields) -> list[int]:
    """Return how many cards of each kind are out of the game."""
    hands = [counts for counts, _ in fields["held"]]
    removed = list(setup.deck)
    for counts in (fields["unseen"], fields["discard"], fields["spent"], fields["hand"], *hands):
        removed = [left - count for left, count in zip(removed, counts, strict=True)]
    for card in (fields["card"], fort_card(setup, fields)):
        if card >= 0:
            removed[card] -= 1
    return removed


def fort_card(setup: Setup, fields: Fields) -> int:
    """Return the card drawn for a fort that is to build with it, or -1."""
    if fields["doing"] is None:
        return -1
    slot, card = fields["doing"]
    return card if setup.kernel_board.tiles[slot - 1][0] == Action.FORT else -1


def seats_without_card(fields: Fields) -> list[int]:
    """Return the seats with no hand card; the mover's cards may have been turned up."""
    in_turn = fields["phase"] in (Phase.PRE, Phase.BUILD, Phase.POST)
    mover = fields["mover"] if in_turn else -1
    return [i for i, seat in enumerate(fields["seats"]) if not seat["hidden"] and i != mover]


def named_counts(counts: Sequence[int]) -> dict[str, int]:
    """Return the numbers of cards above 0 by name."""
    return {name: count for name, count in zip(TERRAIN_CARDS, counts, strict=True) if count}


def piles_to_dict(setup: Setup, fields: Fields) -> dict[str, object]:
    """Return the keys about terrain cards."""
    data: dict[str, object] = {}
    removed = removed_cards(setup, fields)
    piles = {"discard": fields["discard"], "removed": removed, "spent": fields["spent"]}
    data |= {key: named_counts(counts) for key, counts in piles.items() if any(counts)}
    if fields["held"]:
        data["held"] = [
            {"seats": [setup.seats[seat] for seat in seats], "cards": named_counts(counts)}
            for counts, seats in fields["held"]
        ]
    without = seats_without_card(fields)
    if without:
        data["nocard"] = [setup.seats[seat] for seat in without]
    return data
