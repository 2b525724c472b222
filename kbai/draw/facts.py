"""What there is to say about a position, however it is drawn: tiles, cards, seats, the turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kbai._fast import Action, Draw, Phase, Position, Terrain
from kbai.content import TERRAIN_CARDS, TILES_PER_SPACE, load
from kbai.game import pieces
from kbai.game.cells import format_cell, format_row
from kbai.game.setup import Setup, setup_of
from kbai.notation.schema import GOLD_SOURCES, doing_to_text, removed_cards, seats_without_card

if TYPE_CHECKING:
    from kbai._fast import Fields, SeatFields  # only the stub has them

_FIGURE_ACTIONS = {
    Action.WARRIOR: pieces.WARRIOR,
    Action.WAGON: pieces.WAGON,
    Action.SHIP: pieces.SHIP,
    Action.HALL: pieces.HALL,
}
_QUADRANTS = ("top left", "top right", "bottom left", "bottom right")


def lying_tiles(setup: Setup, fields: Fields) -> dict[int, str]:
    """Return the kind of tile on each location, and on each nomad space that still has one."""
    return {
        space.cell: space.tile
        for index, space in enumerate(setup.spaces)
        if space.tile and index not in fields["gone"]
    }


def tiles_left(setup: Setup, fields: Fields) -> dict[int, int]:
    """Return how many tiles each location has left."""
    returned = setup.options.lost_tiles_return
    taken = Counter(
        space for seat in fields["seats"] for space in seat["held" if returned else "taken"]
    )
    return {
        space.cell: TILES_PER_SPACE - taken[index]
        for index, space in enumerate(setup.spaces)
        if space.kind == "location"
    }


def turn_text(setup: Setup, fields: Fields) -> str:
    """Say whose turn it is, with which card, and how far it has got."""
    return "; ".join([_phase_text(setup, fields), *_action_texts(setup, fields)])


def _phase_text(setup: Setup, fields: Fields) -> str:
    if fields["phase"] == Phase.OVER:
        return "the game is over"
    name = setup.seats[fields["mover"]]
    if fields["phase"] == Phase.SILO:
        return f"{name} to use silos after the last turn; {_number(fields['silos'], 'action')} left"
    texts = [f"{name} to move{_card_text(fields)}"]
    others = [name for name, count in zip(TERRAIN_CARDS, fields["hand"], strict=True) if count]
    if others and fields["card"] != -2:
        texts.append(f"also turned up: {', '.join(others)}")
    if fields["phase"] == Phase.BUILD:
        texts.append(f"{_number(fields['due'], 'house')} left to build")
    elif fields["phase"] == Phase.POST:
        texts.append("mandatory action done")
    if fields["owed"]:
        texts.append(f"{_number(fields['owed'], 'more house')} for the temple")
    return "; ".join([*texts, *["last round"] * bool(fields["final"])])


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _card_text(fields: Fields) -> str:
    """Say what is known about the card, as the end of a sentence that begins with the mover."""
    if fields["draw"] == Draw.REVEAL:
        return ", card not turned up yet"
    if fields["draw"] == Draw.REPLACE:
        return ", about to draw a new card: the old one can build nowhere"
    if fields["card"] == -2:
        return f", has to choose a card: {', '.join(_count_texts(fields['hand']))}"
    if fields["card"] < 0:
        return " without a card"
    card = TERRAIN_CARDS[fields["card"]]
    if fields["terrain"] < 0:
        return f" with {card}, half not chosen yet"
    if fields["terrain"] == Terrain.SPECIAL:
        return f" with {card}, on any terrain"
    terrain = Terrain(fields["terrain"]).name.lower()
    return f" with {card}" if terrain == card else f" with {card} as {terrain}"


def _action_texts(setup: Setup, fields: Fields) -> list[str]:
    """Say what is under way within the turn."""
    texts = []
    if fields["reacting"]:
        taker, seat = (setup.seats[index] for index in fields["reacting"][-1])
        texts.append(f"{seat} may build with a canoe because {taker} took a last tile")
    if fields["doing"] is not None:
        kind, _, rest = doing_to_text(setup, fields["doing"]).partition(":")
        action = load().tile(setup.tile_kinds[fields["doing"][0] - 1]).action
        if action is Action.SWORD:
            texts.append(f"the {kind} has to take a settlement of {rest}")
        elif action is Action.FORT and rest == "draw":
            texts.append("draws a card for the fort")
        elif action is Action.FORT:
            texts.append(f"builds a house on {rest} with the fort")
        else:
            texts.append(f"{kind} under way, {_number(int(rest), 'step')} left")
    if fields["repeat"]:
        texts.append(f"the bazaar repeats {setup.tile_kinds[fields['repeat'] - 1]}")
    if fields["outpost"]:
        texts.append("outpost declared")
    if fields["built"]:
        texts.append(f"built {' '.join(map(format_cell, fields['built']))}")
    if fields["moved"]:
        texts.append(f"moved {' '.join(map(format_cell, fields['moved']))}")
    return texts


def tile_texts(setup: Setup, seat: SeatFields) -> list[str]:
    """List the tiles of a seat; actions that everybody has only if they are used up."""
    states = ((seat["ready"], ""), (seat["used"], " used"), (seat["fresh"], " fresh"))
    texts = [
        f"{kind}{state}" if count == 1 else f"{count} {kind}{state}"
        for counts, state in states
        for kind, count in zip(setup.tile_kinds, counts, strict=True)
        if count and (state or kind not in load().commons)
    ]
    lost = (setup.spaces[index] for index in sorted({*seat["taken"]} - {*seat["held"]}))
    return [*texts, *(f"{s.tile}@{format_cell(s.cell)} lost" for s in lost)] or ["none"]


def belongings(setup: Setup, fields: Fields) -> list[tuple[str, list[str]]]:
    """Return what only some seats have, by label; each list begins with the seat."""
    named = [*zip(setup.seats, fields["seats"], strict=True)]
    rows = (
        ("Gold so far", [_gold_texts(seat) for _, seat in named]),
        ("Reserve", [_reserve_texts(setup, seat) for _, seat in named]),
        ("Tokens", [[str(seat["tokens"])] * bool(seat["tokens"]) for _, seat in named]),
        ("Temple", [[f"houses {seat['temple']}"] * bool(seat["temple"]) for _, seat in named]),
        ("Mayors", [[f"row {format_row(row)}" for row in seat["mayors"]] for _, seat in named]),
        ("Roved", [[_QUADRANTS[place] for place in seat["roved"]] for _, seat in named]),
        ("In hand", [_hand_texts(seat) for _, seat in named]),
    )
    return [
        (label, [f"{name}:", *items])
        for label, texts in rows
        for name, items in zip(setup.seats, texts, strict=True)
        if items
    ]


def _gold_texts(seat: SeatFields) -> list[str]:
    so_far = dict(zip(GOLD_SOURCES, seat["gold"], strict=True))
    return [f"{source} {amount}" for source, amount in so_far.items() if amount]


def _reserve_texts(setup: Setup, seat: SeatFields) -> list[str]:
    """List the figures a seat has not placed yet, if their kind is in the game."""
    actions = {load().tile(kind).action for kind in setup.tile_kinds}
    playing = {name for action, name in _FIGURE_ACTIONS.items() if action in actions}
    return [
        f"{name} {count}"
        for name, count in pieces.reserve_of(seat).items()
        if count and name in playing
    ]


def _hand_texts(seat: SeatFields) -> list[str]:
    # Everybody has one card.
    return [f"hidden cards {seat['hidden']}"] if seat["hidden"] > 1 else []


def pile_counts(setup: Setup, fields: Fields) -> list[tuple[str, str, Sequence[int]]]:
    """Return where the terrain cards are: label, who holds them, and how many of each there are."""
    rows: list[tuple[str, str, Sequence[int]]] = [("Unseen", "", fields["unseen"])]
    for label, counts in (
        ("Discard", fields["discard"]),
        ("Spent", fields["spent"]),
        ("Removed", removed_cards(setup, fields)),
    ):
        if any(counts):
            rows.append((label, "", counts))
    for counts, seats in fields["held"]:
        names = "+".join(setup.seats[seat] for seat in seats)
        rows.append(("Held", f"{names}:", counts))
    return rows


def piles(setup: Setup, fields: Fields) -> list[tuple[str, list[str]]]:
    """Return where the terrain cards are, in words, by label."""
    rows = [
        (label, [*[who] * bool(who), *_count_texts(counts)])
        for label, who, counts in pile_counts(setup, fields)
    ]
    return [*rows, *no_card_row(setup, fields)]


def no_card_row(setup: Setup, fields: Fields) -> list[tuple[str, list[str]]]:
    """Return who has no card, by label; nothing if everybody has one."""
    without = seats_without_card(fields)
    return [("No card", [setup.seats[seat] for seat in without])] if without else []


def _count_texts(counts: Sequence[int]) -> list[str]:
    pairs = zip(TERRAIN_CARDS, counts, strict=True)
    return [f"{name} {count}" for name, count in pairs if count] or ["none"]


def lying_texts(setup: Setup, fields: Fields) -> list[tuple[str, list[str]]]:
    """Return the tiles left on the board, and the walls left beside it, by label."""
    tiles = lying_tiles(setup, fields)
    left = tiles_left(setup, fields)
    places = [f"{tiles[cell]}@{format_cell(cell)} {count}" for cell, count in left.items()]
    rows = [("Tiles left", places or ["none"])]
    if setup.nomad_cells:
        nomads = [f"{tiles[c]}@{format_cell(c)}" for c in setup.nomad_cells if c in tiles]
        rows.append(("Nomads left", nomads or ["none"]))
    if _has_walls(setup, fields):
        rows.append(("Walls left", [str(setup.walls - len(fields["walls"]))]))
    return rows


def _has_walls(setup: Setup, fields: Fields) -> bool:
    kinds = (load().tile(kind) for kind in setup.tile_kinds)
    return bool(fields["walls"]) or any(tile.action is Action.WALL for tile in kinds)


def set_up_texts(setup: Setup) -> list[tuple[str, str]]:
    """Return the cards and tasks of the game, by label."""
    rows = [("Cards", ", ".join(setup.cards) or "none")]
    if setup.tasks:
        rows.append(("Tasks", ", ".join(setup.tasks)))
    if setup.scouted:
        rows.append(("Scouted", f"{setup.scouted}, whose cards are out of the game"))
    return rows


def settlements(position: Position, seat: SeatFields) -> int:
    """Return how many hexes count as settlements of a seat (R1.7)."""
    return len(pieces.pieces_of(position.board, seat))


def acting_seat(position: Position) -> str | None:
    """Return who decides now, unless the game is over."""
    return None if position.is_over else setup_of(position).seats[position.actor]
