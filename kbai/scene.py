"""Positions as text for a terminal: the board, what everybody has, and what the signs mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from kbai import canvas, pieces
from kbai._fast import Action, Draw, Phase, Position, Terrain
from kbai.canvas import LABEL, Pen, Piece, draw_hexes, terrain_legend, wrap, wrap_text
from kbai.content import (
    CASTLE_LETTER,
    LOCATION_LETTER,
    NOMAD_LETTER,
    PALACE_LETTER,
    SILO_LETTER,
    TERRAIN_CARDS,
    TILES_PER_SPACE,
    load,
)
from kbai.notation import format_cell, format_row, parse_cell, setup_of
from kbai.schema import GOLD_SOURCES, doing_to_text, removed_cards, seats_without_card
from kbai.table import N_BOARD_CELLS, SIZE, Setup
from kbai.turns import Turn

if TYPE_CHECKING:
    from kbai._fast import Fields, SeatFields  # only the stub has them

_LAST_TURN, _IN_HAND = "[]", "<>"
_BRACKETS = ((_LAST_TURN, "last turn"), (_IN_HAND, "lifted, not put down yet"))
_FIGURES = {
    pieces.HOUSE: "",
    pieces.WARRIOR: canvas.WARRIOR,
    pieces.WAGON: canvas.WAGON,
    pieces.SHIP: canvas.SHIP,
    pieces.HALL: canvas.HALL,
}
# What a letter after that of a seat means; the seat is filled in.
_FIGURE_TEXTS = {
    canvas.WARRIOR: "warrior of {}, nothing may be placed beside it",
    canvas.WAGON: "wagon of {}",
    canvas.SHIP: "ship of {}",
    canvas.HALL: "city hall of {}, seven settlements",
    canvas.SCOUT: "scout of {}, until the turn ends",
}
_FIGURE_ACTIONS = {
    Action.WARRIOR: pieces.WARRIOR,
    Action.WAGON: pieces.WAGON,
    Action.SHIP: pieces.SHIP,
    Action.HALL: pieces.HALL,
}
_QUADRANTS = ("top left", "top right", "bottom left", "bottom right")


def turn_cells(turn: Turn) -> tuple[int, ...]:
    """Return the cells that the actions of a turn name, those that pieces left included."""
    words = re.findall(r"(?<![\w=~])~?[a-t][0-9]+\b", " ".join(turn.actions))
    return tuple(map(parse_cell, words))


def draw_position(
    position: Position, *, color: bool, ascii: bool = False, highlight: Collection[int] = ()
) -> str:
    """Draw the board and all that is known of a position; ``highlight`` cells get brackets."""
    pen = Pen(color, ascii)
    setup = setup_of(position)
    fields = position.fields()
    around = dict.fromkeys(highlight, _LAST_TURN)
    if fields["lift"] is not None:
        around[fields["lift"][1]] = _IN_HAND
    letters = _letters(setup, fields)
    standing = _standing(position, setup, fields)
    parts = [
        *_draw_boards(setup, fields, pen, letters, standing, around),
        _turn_lines(setup, fields, pen),
        _seat_lines(position, setup, fields, pen),
        _pile_lines(setup, fields),
        _legend_lines(setup, fields, pen, letters, standing, around),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts)


def _letters(setup: Setup, fields: Fields) -> str:
    """Return what each cell is drawn as, unless a piece or a tile is on it."""
    cells = list("".join(setup.letters))
    marks = ((fields["walls"], canvas.WALL), (setup.caves, canvas.CAVE))
    for places, letter in (*marks, (setup.capitols, canvas.CAPITOL)):
        for cell in places:
            cells[cell] = letter
    return "".join(cells)


def _standing(position: Position, setup: Setup, fields: Fields) -> dict[int, Piece]:
    """Return the pieces on the board, and the scouts."""
    found = pieces.all_pieces(position.board, fields)
    standing = {
        cell: Piece(setup.seats[seat], _FIGURES[name]) for cell, (seat, name) in found.items()
    }
    for name, seat in zip(setup.seats, fields["seats"], strict=True):
        if seat["hall"] >= 0:
            standing[seat["hall"]] = Piece(name, canvas.HALL_CENTRE)
    mover = setup.seats[fields["mover"]]
    return standing | dict.fromkeys(fields["scouts"], Piece(mover, canvas.SCOUT))


def _draw_boards(
    setup: Setup,
    fields: Fields,
    pen: Pen,
    letters: str,
    standing: dict[int, Piece],
    around: dict[int, str],
) -> list[list[str]]:
    """Draw the board, and the island below it."""
    tiles = {
        space.cell: space.tile
        for index, space in enumerate(setup.spaces)
        if space.tile and index not in fields["gone"]
    }
    boards = []
    first = 0
    for rows in (setup.letters[:SIZE], setup.letters[SIZE:]):
        if not rows:
            continue
        width = len(rows[0])
        starts = range(first, first + len(rows) * width, width)
        lines = draw_hexes(
            [letters[start : start + width] for start in starts],
            pen,
            tiles=tiles,
            pieces=standing,
            around=around,
            first=first,
            prefix="~" if first else "",
        )
        title = ["Island: hexes are named ~a1, ~b3 and so on; sea around it"] if first else []
        boards.append([*title, *lines])
        first = N_BOARD_CELLS
    return boards


def _turn_lines(setup: Setup, fields: Fields, pen: Pen) -> list[str]:
    turn = "; ".join([_turn_text(setup, fields, pen), *_action_texts(setup, fields)])
    lines = [*wrap_text("Turn", turn), *wrap_text("Cards", ", ".join(setup.cards) or "none")]
    if setup.tasks:
        lines += wrap_text("Tasks", ", ".join(setup.tasks))
    if setup.scouted:
        lines += wrap_text("Scouted", f"{setup.scouted}, whose cards are out of the game")
    return lines


def _turn_text(setup: Setup, fields: Fields, pen: Pen) -> str:
    if fields["phase"] == Phase.OVER:
        return "the game is over"
    name = pen.bold(setup.seats[fields["mover"]])
    if fields["phase"] == Phase.SILO:
        return f"after the last turn {name} uses silos, actions left to begin: {fields['silos']}"
    text = f"{name} {_card_text(fields)}"
    others = [name for name, count in zip(TERRAIN_CARDS, fields["hand"], strict=True) if count]
    if others and fields["card"] != -2:
        text += f" (also turned up: {', '.join(others)})"
    states = {
        Phase.PRE: "the mandatory action is to come",
        Phase.BUILD: f"houses of the mandatory action to go: {fields['due']}",
        Phase.POST: "the mandatory action is done",
    }
    text += f"; {states[Phase(fields['phase'])]}"
    if fields["owed"]:
        text += f" and then houses of the temple: {fields['owed']}"
    return f"{text}; last round" if fields["final"] else text


def _card_text(fields: Fields) -> str:
    """Tell what there is about the card, as the rest of a sentence about the mover."""
    if fields["draw"] == Draw.REVEAL:
        return "is to turn up a card"
    if fields["draw"] == Draw.REPLACE:
        return "is to replace an exhausted card"
    if fields["card"] == -2:
        return f"is to choose between the cards {', '.join(_count_texts(fields['hand']))}"
    if fields["card"] < 0:
        return "has no card"
    card = TERRAIN_CARDS[fields["card"]]
    if fields["terrain"] < 0:
        return f"plays {card}, whose half is to be chosen"
    if fields["terrain"] == Terrain.SPECIAL:
        return f"plays {card}, for which any terrain stands"
    terrain = Terrain(fields["terrain"]).name.lower()
    return f"plays {card}" if terrain == card else f"plays {card} as {terrain}"


def _action_texts(setup: Setup, fields: Fields) -> list[str]:
    """Tell what is under way within the turn."""
    texts = []
    if fields["reacting"]:
        taker, seat = (setup.seats[index] for index in fields["reacting"][-1])
        texts.append(f"{seat} may build with a canoe, as {taker} took a last tile")
    if fields["doing"] is not None:
        kind, _, rest = doing_to_text(setup, fields["doing"]).partition(":")
        action = load().tile(setup.tile_kinds[fields["doing"][0] - 1]).action
        if action is Action.SWORD:
            texts.append(f"the {kind} is to take a settlement of {rest}")
        elif action is Action.FORT and rest == "draw":
            texts.append("a card is to be drawn for the fort")
        elif action is Action.FORT:
            texts.append(f"a house is to be built on {rest} with the fort")
        else:
            texts.append(f"{kind} under way, steps to go: {rest}")
    if fields["repeat"]:
        texts.append(f"the bazaar repeats {setup.tile_kinds[fields['repeat'] - 1]}")
    if fields["outpost"]:
        texts.append("an outpost is declared")
    if fields["built"]:
        texts.append(f"built: {' '.join(map(format_cell, fields['built']))}")
    return texts


def _seat_lines(position: Position, setup: Setup, fields: Fields, pen: Pen) -> list[str]:
    """Tell what each seat has: a row for each, then what only some of them have."""
    lines = [" " * LABEL + "settlements  supply  gold  tiles"]
    rows = zip(setup.seats, fields["seats"], position.scores(), strict=True)
    for index, (name, seat, gold) in enumerate(rows):
        over = fields["phase"] == Phase.OVER
        arrow = ">" if index == position.actor and not over else " "
        count = len(pieces.pieces_of(position.board, seat))
        numbers = f"{count:>11}  {seat['supply']:>6}  {gold:>4}  "
        lines += wrap(f"{arrow} {pen.seat(name)} {name:<8}{numbers}", _tile_texts(setup, seat))
    named = [*zip(setup.seats, fields["seats"], strict=True)]
    for label, texts in (
        ("Gold so far", [_gold_texts(seat) for _, seat in named]),
        ("Reserve", [_reserve_texts(setup, seat) for _, seat in named]),
        ("Tokens", [[str(seat["tokens"])] * bool(seat["tokens"]) for _, seat in named]),
        ("Temple", [[f"houses {seat['temple']}"] * bool(seat["temple"]) for _, seat in named]),
        ("Mayors", [[f"row {format_row(row)}" for row in seat["mayors"]] for _, seat in named]),
        ("Roved", [[_QUADRANTS[place] for place in seat["roved"]] for _, seat in named]),
        ("In hand", [_hand_texts(seat) for _, seat in named]),
    ):
        for name, items in zip(setup.seats, texts, strict=True):
            lines += wrap(label, [f"{name}:", *items]) if items else []
    return lines


def _tile_texts(setup: Setup, seat: SeatFields) -> list[str]:
    """Tell the tiles of a seat; of what everybody has only what is used up."""
    states = ((seat["ready"], ""), (seat["used"], " used"), (seat["fresh"], " fresh"))
    texts = [
        f"{kind}{state}" if count == 1 else f"{count} {kind}{state}"
        for counts, state in states
        for kind, count in zip(setup.tile_kinds, counts, strict=True)
        if count and (state or kind not in load().commons)
    ]
    lost = (setup.spaces[index] for index in sorted({*seat["taken"]} - {*seat["held"]}))
    return [*texts, *(f"{s.tile}@{format_cell(s.cell)} lost" for s in lost)] or ["none"]


def _gold_texts(seat: SeatFields) -> list[str]:
    so_far = dict(zip(GOLD_SOURCES, seat["gold"], strict=True))
    return [f"{source} {amount}" for source, amount in so_far.items() if amount]


def _reserve_texts(setup: Setup, seat: SeatFields) -> list[str]:
    """Tell the figures a seat has not placed, of the kinds that are in the game."""
    actions = {load().tile(kind).action for kind in setup.tile_kinds}
    playing = {name for action, name in _FIGURE_ACTIONS.items() if action in actions}
    return [
        f"{name} {count}"
        for name, count in pieces.reserve_of(seat).items()
        if count and name in playing
    ]


def _hand_texts(seat: SeatFields) -> list[str]:
    # One card is what everybody has.
    return [f"hidden cards {seat['hidden']}"] if seat["hidden"] > 1 else []


def _pile_lines(setup: Setup, fields: Fields) -> list[str]:
    lines = wrap("Unseen", _count_texts(fields["unseen"]))
    piles = (
        ("Discard", fields["discard"]),
        ("Spent", fields["spent"]),
        ("Removed", removed_cards(setup, fields)),
    )
    for label, counts in piles:
        lines += wrap(label, _count_texts(counts)) if any(counts) else []
    for counts, seats in fields["held"]:
        names = "+".join(setup.seats[seat] for seat in seats)
        lines += wrap("Held", [f"{names}:", *_count_texts(counts)])
    without = seats_without_card(fields)
    if without:
        lines += wrap("No card", [setup.seats[seat] for seat in without])
    lines += wrap("Tiles left", _space_texts(setup, fields))
    if setup.nomad_cells:
        lying = [
            f"{space.tile}@{format_cell(space.cell)}"
            for index, space in enumerate(setup.spaces)
            if space.kind == "nomad" and space.tile and index not in fields["gone"]
        ]
        lines += wrap("Nomads left", lying or ["none"])
    if _has_walls(setup, fields):
        lines += wrap("Walls left", [str(setup.walls - len(fields["walls"]))])
    return lines


def _has_walls(setup: Setup, fields: Fields) -> bool:
    kinds = (load().tile(kind) for kind in setup.tile_kinds)
    return bool(fields["walls"]) or any(tile.action is Action.WALL for tile in kinds)


def _count_texts(counts: Sequence[int]) -> list[str]:
    pairs = zip(TERRAIN_CARDS, counts, strict=True)
    return [f"{name} {count}" for name, count in pairs if count] or ["none"]


def _space_texts(setup: Setup, fields: Fields) -> list[str]:
    returned = setup.options.lost_tiles_return
    taken = Counter(
        space for seat in fields["seats"] for space in seat["held" if returned else "taken"]
    )
    return [
        f"{space.tile}@{format_cell(space.cell)} {TILES_PER_SPACE - taken[index]}"
        for index, space in enumerate(setup.spaces)
        if space.kind == "location"
    ] or ["none"]


# Spaces without a tile, and what lies on hexes, by the letters they are drawn as.
_SPACE_TEXTS = {
    CASTLE_LETTER: "castle",
    canvas.CAPITOL: "castle with a capitol",
    PALACE_LETTER: "palace",
    SILO_LETTER: "silo",
}
_GROUND_TEXTS = {canvas.WALL: "stone wall", canvas.CAVE: "cave in a mountain"}


def _legend_lines(
    setup: Setup,
    fields: Fields,
    pen: Pen,
    letters: str,
    standing: dict[int, Piece],
    around: dict[int, str],
) -> list[str]:
    """Tell what the signs mean that occur."""
    tiles = [
        (space.kind, space.tile if index not in fields["gone"] else None)
        for index, space in enumerate(setup.spaces)
    ]
    spaces = [f"{pen.mark(k)} {text}" for k, text in _SPACE_TEXTS.items() if k in letters]
    for space, letter in (("location", LOCATION_LETTER), ("nomad", NOMAD_LETTER)):
        kinds = dict.fromkeys(tile for kind, tile in tiles if kind == space and tile)
        spaces += [f"{pen.mark(letter, tile=kind)} {kind}" for kind in kinds]
    if ("nomad", None) in tiles:
        spaces.append(f"{pen.mark(NOMAD_LETTER)} nomad space without a tile")
    seat = setup.seats[0]
    marks = [f"{pen.mark('T', piece=Piece(seat))} settlement of {seat} on forest"]
    for figure, text in _FIGURE_TEXTS.items():
        owner = next((piece.seat for piece in standing.values() if piece.figure == figure), None)
        if owner:
            marks.append(f"{pen.mark('T', piece=Piece(owner, figure))} {text.format(owner)}")
    marks += [f"{pen.mark(k)} {text}" for k, text in _GROUND_TEXTS.items() if k in letters]
    brackets = around.values()
    marks += [f"{sides[0]} {sides[1]} {text}" for sides, text in _BRACKETS if sides in brackets]
    lines = wrap("Terrain", terrain_legend(pen, "".join(setup.letters)))
    lines += wrap("Spaces", spaces) if spaces else []
    return [*lines, *wrap("Marks", marks)]
