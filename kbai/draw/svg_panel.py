"""The text beside the board of a picture: turn, seats, cards, and what the signs mean."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from xml.sax.saxutils import escape

from kbai._fast import Phase, Position, Terrain
from kbai.content import SPACE_LETTERS, TERRAIN_CARDS, TERRAIN_LETTERS, load
from kbai.draw import facts
from kbai.draw.svg_symbols import (
    CAPITOL,
    CAVE,
    LAST,
    LIFTED,
    NO_PIP,
    PIP,
    PLAYED,
    SCOUT,
    WALL,
    piece_id,
    terrain_id,
)
from kbai.game import pieces
from kbai.game.setup import Setup, setup_of
from kbai.notation.names import card_terrain
from kbai.notation.turns import Turn, format_turn

PANEL_WIDTH = 470.0
_TOP = 24.0
_TEXT = 12.5
_LINE = 17.0
# Width of a character, on average; a little too much, so that no line is too long.
_CHAR = 0.6
_BOLD_CHAR = 0.7
# The board is on the left, the edge of the picture on the right.
_INNER = PANEL_WIDTH - 32.0
_LABEL = 112.0
# A small hex that stands for a card, and the line it is in.
_CHIP, _CHIP_LINE = 17.0, 21.0

# Hexes are larger than what lies on them.
_SCALES = {"hex": 0.64, "space": 0.64, LAST: 0.57, WALL: 0.57, PIP: 1.8, NO_PIP: 1.8, LIFTED: 0.75}

Sign = tuple[str, str]
"""The id of a drawing, and what it means."""


class _Writer:
    """Writes one line below the other and keeps track of where it is."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y = _TOP

    def title(self, text: str) -> None:
        self.y += 0.5 * _LINE if self.parts else 0
        self._write(0, text, bold=True, size=14)
        self.y += 1.25 * _LINE

    def text(self, text: str, *, x: float = 0.0, bold: bool = False) -> None:
        for line in textwrap.wrap(text, int((_INNER - x) / _width("x", bold=bold))):
            self._write(x, line, bold=bold)
            self.y += _LINE

    def labelled(self, label: str, text: str) -> None:
        self._write(0, label, bold=True)
        if _width(label, bold=True) > _LABEL - 6:
            self.y += _LINE
        self.text(text, x=_LABEL)

    def cards(self, label: str, who: str, counts: Sequence[int]) -> None:
        """Show terrain cards as hexes with their names and how many there are of each."""
        self._write(0, label, bold=True)
        x = _LABEL
        if who:
            self._write(x, who)
            x += _width(who) + 6
        known = [(name, n) for name, n in zip(TERRAIN_CARDS, counts, strict=True) if n]
        if not known:
            self._write(x, "none")
        chips = [(_halves(name), f"{name.replace('_', ' ')} {count}") for name, count in known]
        widths = [_CHIP * len(hexes) + _width(text) + 12 for hexes, text in chips]
        for hexes, text in chips:
            if x + max(widths) > _INNER + 12:
                self.y += _CHIP_LINE
                x = _LABEL
            for number, terrain in enumerate(hexes):
                self.use(terrain_id(terrain), x + 8 + _CHIP * number, dy=8, scale=0.4)
            self._write(x + 2 + _CHIP * len(hexes), text)
            x += max(widths)
        self.y += _CHIP_LINE

    def use(self, name: str, x: float, *, scale: float = 0.5, dy: float = 0.0) -> None:
        self.parts.append(
            f'<use href="#{name}" transform="translate({x:g} {self.y + dy:g}) scale({scale:g})"/>'
        )

    def mark(self) -> None:
        """Point at the line from the left."""
        self.parts.append(f'<path d="M-12,{self.y + 2:g}v11l8,-5.5z" fill="currentColor"/>')

    def signs(self, signs: Sequence[Sign], columns: int = 3) -> None:
        """Put drawings with their meanings in columns."""
        rows = -(-len(signs) // columns)
        for row in range(rows):
            for column, (name, text) in enumerate(signs[row::rows]):
                x = column * _INNER / columns
                self.use(name, x + 10, dy=6, scale=0.7 * sign_scale(name))
                self._write(x + 24, text, dy=10)
            self.y += 1.4 * _LINE

    def _write(
        self, x: float, text: str, *, bold: bool = False, size: float = _TEXT, dy: float = 12.0
    ) -> None:
        style = ' font-weight="bold"' * bold + f' font-size="{size:g}"' * (size != _TEXT)
        place = f'x="{x:g}" y="{self.y + dy:g}"'
        self.parts.append(f"<text {place}{style}>{escape(text)}</text>")


def _width(text: str, *, bold: bool = False) -> float:
    return len(text) * _TEXT * (_BOLD_CHAR if bold else _CHAR)


def draw_panel(
    position: Position, *, last: Turn | None, numbered: Turn | None, label: str
) -> tuple[str, float]:
    """Return the panel, its top left corner at (0, 0), and its height."""
    setup = setup_of(position)
    fields = position.fields()
    writer = _Writer()
    _write_turn(writer, position)
    for title, turn in (("Last turn", last), (label, numbered)):
        if turn:
            writer.labelled(title, format_turn(turn))
    _write_seats(writer, position)
    writer.title("Cards")
    infos = [load().cards[name] for name in setup.cards]
    for card in infos:
        writer.labelled(card.name, card.text)
    for name in setup.tasks:
        writer.labelled(name.replace("_", " "), load().tasks[name].text)
    rows = [row for row in facts.set_up_texts(setup) if row[0] == "Scouted"]
    rows += [(label, ", ".join(names)) for label, names in facts.no_card_row(setup, fields)]
    owned: dict[str, list[str]] = {}
    for what, items in facts.belongings(setup, fields):
        owned.setdefault(what, []).append(" ".join(items))
    rows += [(what, "; ".join(texts)) for what, texts in owned.items()]
    rows += [(k, ", ".join(v)) for k, v in facts.lying_texts(setup, fields) if k == "Walls left"]
    writer.title("On the table")
    for pile, who, counts in facts.pile_counts(setup, fields):
        writer.cards(pile, who, counts)
    for what, text in rows:
        writer.labelled(what, text)
    writer.title("Signs")
    writer.signs([*board_signs(setup), *_piece_signs(position)])
    marks = [(LAST, "last turn")] * bool(last) + [(PLAYED, label.lower())] * bool(numbered)
    writer.signs(marks)
    body = f'<g font-size="{_TEXT}" fill="currentColor">{"".join(writer.parts)}</g>'
    return body, writer.y + _TOP


def _write_turn(writer: _Writer, position: Position) -> None:
    setup = setup_of(position)
    fields = position.fields()
    seat = setup.seats[position.actor]
    if fields["phase"] == Phase.OVER:
        writer.title("The game is over")
    else:
        writer.use(piece_id(seat, pieces.HOUSE), 12, dy=10, scale=0.9)
        x = 34.0
        for terrain in _card_terrains(position):
            writer.use(terrain_id(terrain), x + 12, dy=10, scale=0.75)
            x += 30
        text = facts.turn_text(setup, fields)
        writer.text(text[0].upper() + text[1:], x=x + 6, bold=True)
        writer.y += 0.5 * _LINE


def _card_terrains(position: Position) -> list[str]:
    """Return the terrains of the cards that are turned up, or of the one that is played."""
    fields = position.fields()
    if fields["terrain"] in range(Terrain.SPECIAL):
        return [Terrain(fields["terrain"]).name.lower()]
    counts = fields["hand"]
    cards = [fields["card"]] if fields["card"] >= 0 else [i for i, n in enumerate(counts) if n]
    names = [TERRAIN_CARDS[card] for card in cards]
    return [*dict.fromkeys(part for name in names for part in _halves(name))]


def _halves(card: str) -> list[str]:
    other = card_terrain(card)
    return ["marsh", other] if other != card else [card]


def _write_seats(writer: _Writer, position: Position) -> None:
    setup = setup_of(position)
    acting = facts.acting_seat(position)
    writer.title("Seats")
    rows = zip(setup.seats, position.fields()["seats"], position.scores(), strict=True)
    for name, seat, gold in rows:
        writer.use(piece_id(name, pieces.HOUSE), 10, dy=7, scale=0.65)
        count = facts.settlements(position, seat)
        numbers = f"{gold} gold, {count} settlements, supply {seat['supply']}"
        if name == acting:
            writer.mark()
        writer.text(f"{name}: {numbers}", x=26, bold=True)
        tiles = ", ".join(facts.tile_texts(setup, seat)).replace("_", " ")
        writer.text(f"tiles: {tiles}", x=26)
        writer.y += 4


def sign_scale(name: str) -> float:
    """Return the factor by which a list of signs enlarges a drawing."""
    return _SCALES.get(name) or _SCALES.get(name.partition("-")[0], 1.0)


def board_signs(setup: Setup) -> list[Sign]:
    """Return the drawings a board is made of, and what they mean."""
    return [*_terrain_signs(setup), *_space_signs(setup)]


def _terrain_signs(setup: Setup) -> list[Sign]:
    letters = "".join(setup.letters)
    return [(terrain_id(n), n) for letter, n in TERRAIN_LETTERS.items() if letter in letters]


def _space_signs(setup: Setup) -> list[Sign]:
    letters = "".join(setup.letters)
    names = {letter: name for letter, name in SPACE_LETTERS.items() if name != "location"}
    signs = [(f"space-{name}", name) for letter, name in names.items() if letter in letters]
    kinds = dict.fromkeys(space.tile for space in setup.spaces if space.tile)
    signs += [(f"tile-{kind}", kind.replace("_", " ")) for kind in kinds]
    if any(space.kind == "location" for space in setup.spaces):
        signs += [(PIP, "tile left"), (NO_PIP, "tile taken")]
    signs += [(CAVE, "cave")] * bool(setup.caves)
    return signs + [(CAPITOL, "capitol")] * bool(setup.capitols)


def _piece_signs(position: Position) -> list[Sign]:
    setup = setup_of(position)
    fields = position.fields()
    seat = setup.seats[fields["mover"]]
    names = {name for _, name in pieces.all_pieces(position.board, fields).values()}
    order = (pieces.WARRIOR, pieces.WAGON, pieces.SHIP, pieces.HALL)
    signs = [(piece_id(seat, name), name) for name in order if name in names]
    signs += [(piece_id(seat, SCOUT), "scout")] * bool(fields["scouts"])
    signs += [(WALL, "stone wall")] * bool(fields["walls"])
    return signs + [(LIFTED, "piece in hand")] * (fields["lift"] is not None)
