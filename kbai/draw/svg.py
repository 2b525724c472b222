"""Positions as SVG, made of the symbols in `kbai.draw.svg_symbols`.

A picture has layers: what never changes in a game, what stands on the board, and the turns marked
on it. A page with many positions of one game draws the first layer once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from xml.sax.saxutils import escape

from kbai._fast import Position
from kbai.content import (
    ISLAND_COLUMNS,
    SEA_LETTER,
    SPACE_LETTERS,
    TERRAIN_LETTERS,
)
from kbai.draw import facts
from kbai.draw.cell_texts import cell_texts, ground_texts
from kbai.draw.svg_panel import PANEL_WIDTH, draw_panel
from kbai.draw.svg_symbols import (
    BEST_COLOR,
    CAPITOL,
    CAVE,
    HALF_WIDTH,
    INK,
    LAST,
    LIFTED,
    NO_PIP,
    PIP,
    PLATE,
    PLAYED,
    RADIUS,
    SCOUT,
    WALL,
    piece_id,
    symbols,
    terrain_id,
)
from kbai.game import pieces
from kbai.game.cells import COLUMNS, N_BOARD_CELLS, SIZE, format_cell
from kbai.game.setup import Setup, setup_of
from kbai.notation.turns import Turn

PAPER = "#fffdf7"
FONT = "font-family=\"'DejaVu Sans', Verdana, 'Segoe UI', sans-serif\""
MARGIN = 24.0
# Space between the board and the island below it.
GAP = 52.0
_PITCH = 1.5 * RADIUS
# Arrows stop this far from the middle of a number.
_NUMBER = 12.0
# Pieces stand this far above the middle of a hex, so that its name is to be seen below.
_RAISED = 3.5
Point = tuple[float, float]


def draw_picture(
    position: Position,
    *,
    last: Turn | None = None,
    numbered: Turn | None = None,
    label: str = "Next turn",
) -> str:
    """Draw the board and everything known about a position as a file of its own.

    The hexes of the last turn are outlined; the actions of another one, which the label tells
    about, are numbered.
    """
    setup = setup_of(position)
    width, height = board_size(setup)
    panel, bottom = draw_panel(position, last=last, numbered=numbered, label=label)
    total = width + PANEL_WIDTH
    tall = max(height, bottom)
    layers = [
        board_layer(setup, cell_texts(position)),
        last_layer(last) if last else "",
        pieces_layer(position),
        turn_layer(numbered, kind=PLAYED) if numbered else "",
        names_layer(setup),
        f'<g transform="translate({width + 12:g} 0)">{panel}</g>',
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total:g} {tall:g}" '
        f'width="{total:g}" height="{tall:g}" {FONT}>'
        f"<title>Kingdom Builder: {escape(facts.turn_text(setup, position.fields()))}</title>"
        f"<defs>{symbols(setup)}</defs>"
        f'<rect width="100%" height="100%" fill="{PAPER}"/><g color="{INK}">'
        f"{''.join(layers)}</g></svg>\n"
    )


def board_size(setup: Setup) -> Point:
    """Return the width and height of the board with the names of its columns and rows."""
    width = 2 * MARGIN + (2 * SIZE + 1) * HALF_WIDTH
    height = 2 * MARGIN + (SIZE - 1) * _PITCH + 2 * RADIUS
    island_rows = len(setup.letters) - SIZE
    if island_rows:
        height += GAP + (island_rows - 1) * _PITCH + 2 * RADIUS
    return width, height


def middle(cell: int) -> Point:
    """Return where the middle of a hex is."""
    top = MARGIN + RADIUS
    columns = SIZE
    if cell >= N_BOARD_CELLS:
        cell -= N_BOARD_CELLS
        columns = ISLAND_COLUMNS
        top += (SIZE - 1) * _PITCH + 2 * RADIUS + GAP
    row, col = divmod(cell, columns)
    return MARGIN + (2 * col + 1 + row % 2) * HALF_WIDTH, top + row * _PITCH


def _at(name: str, cell: int, *, dx: float = 0.0, dy: float = 0.0) -> str:
    x, y = middle(cell)
    return f'<use href="#{name}" x="{x + dx:g}" y="{y + dy:g}"/>'


def board_layer(setup: Setup, texts: Mapping[int, str] | None = None) -> str:
    """Draw what never changes and lies below the pieces: terrain, spaces, caves, capitols.

    Each hex is an element with the name of its cell as ``data-cell``, and with a text that a
    browser shows as a tip. Nothing else takes clicks.
    """
    texts = texts or ground_texts(setup)
    letters = enumerate("".join(setup.letters))
    parts = [_hex(cell, letter, texts[cell]) for cell, letter in letters if letter != SEA_LETTER]
    marks = [_at(CAVE, cell) for cell in setup.caves]
    marks += [_at(CAPITOL, cell) for cell in setup.capitols]
    marks += [
        _at(f"tile-{space.tile}", space.cell, dy=-5)
        for space in setup.spaces
        if space.kind == "location"
    ]
    marks.append(_quadrant_borders())
    return f'<g class="cells">{"".join(parts)}</g>{_untouchable("".join(marks))}'


def _hex(cell: int, letter: str, text: str) -> str:
    terrain = TERRAIN_LETTERS.get(letter)
    name = terrain_id(terrain) if terrain else f"space-{SPACE_LETTERS[letter]}"
    x, y = middle(cell)
    return (
        f'<use href="#{name}" x="{x:g}" y="{y:g}" data-cell="{format_cell(cell)}">'
        f"<title>{escape(text)}</title></use>"
    )


def _untouchable(drawing: str) -> str:
    """Let clicks through to the hexes below."""
    return f'<g pointer-events="none">{drawing}</g>'


def _quadrant_borders() -> str:
    """Draw where the quadrants meet: along the edges of hexes."""
    middle_line = []
    for row in range(SIZE):
        x, y = middle(row * SIZE + SIZE // 2 - 1)
        middle_line += [(x + HALF_WIDTH, y - RADIUS / 2), (x + HALF_WIDTH, y + RADIUS / 2)]
    across = []
    for col in range(SIZE):
        x, y = middle((SIZE // 2 - 1) * SIZE + col)
        across += [(x - HALF_WIDTH, y + RADIUS / 2), (x, y + RADIUS)]
    across.append((x + HALF_WIDTH, y + RADIUS / 2))
    lines = "".join(
        "M" + "L".join(f"{x:g},{y:g}" for x, y in line) for line in (middle_line, across)
    )
    return f'<path d="{lines}" fill="none" stroke="{INK}" stroke-width="2.2"/>'


def names_layer(setup: Setup) -> str:
    """Name every hex below its piece, and the columns and rows; nothing is drawn over it."""
    texts = []
    for cell, letter in enumerate("".join(setup.letters)):
        if letter != SEA_LETTER:
            x, y = middle(cell)
            texts.append(f'<text x="{x:g}" y="{y + 17.5:g}">{format_cell(cell)}</text>')
    names = (
        '<g font-size="9.5" text-anchor="middle" fill="#111" stroke="#fff" stroke-opacity=".8" '
        f'stroke-width="2" stroke-linejoin="round" paint-order="stroke">{"".join(texts)}</g>'
    )
    return _untouchable(names + _margins(setup))


def _margins(setup: Setup) -> str:
    """Name columns above and below the board, rows to its sides, and the island."""
    texts = []
    left, top = middle(0)
    bottom = middle(N_BOARD_CELLS - 1)[1]
    for col, letter in enumerate(COLUMNS):
        x = left + (2 * col + 0.5) * HALF_WIDTH
        texts += [(x, top - RADIUS - 6, letter), (x, bottom + RADIUS + 15, letter)]
    right = left + 2 * SIZE * HALF_WIDTH
    for row in range(SIZE):
        y = middle(row * SIZE)[1] + 4
        texts += [(left - HALF_WIDTH - 12, y, str(row + 1)), (right + 12, y, str(row + 1))]
    written = "".join(f'<text x="{x:g}" y="{y:g}">{text}</text>' for x, y, text in texts)
    if setup.island:
        y = middle(N_BOARD_CELLS)[1] - RADIUS - 8
        note = "Island: hexes ~a1, ~b3 and so on"
        written += f'<text x="{MARGIN:g}" y="{y:g}" text-anchor="start">{note}</text>'
    return (
        '<g font-size="13" font-weight="bold" text-anchor="middle" fill="currentColor">'
        f"{written}</g>"
    )


def pieces_layer(position: Position) -> str:
    """Draw what changes: pieces, walls, scouts, tiles that are left, and a piece in hand."""
    setup = setup_of(position)
    fields = position.fields()
    parts = [_at(WALL, cell) for cell in fields["walls"]]
    standing = []
    left = facts.tiles_left(setup, fields)
    for cell, kind in facts.lying_tiles(setup, fields).items():
        if cell in left:
            parts += [
                _at(PIP if number < left[cell] else NO_PIP, cell, dx=26 * number - 13, dy=8)
                for number in range(2)
            ]
        else:
            standing += [_at(PLATE, cell), _at(f"tile-{kind}", cell)]
    found = pieces.all_pieces(position.board, fields)
    centres = {seat["hall"] for seat in fields["seats"]}
    for cell, (index, name) in sorted(found.items()):
        seat = setup.seats[index]
        if name == pieces.HALL:
            parts.append(_at(f"{seat}-ground", cell))
        if name != pieces.HALL or cell in centres:
            standing.append(_at(piece_id(seat, name), cell))
    mover = setup.seats[fields["mover"]]
    standing += [_at(piece_id(mover, SCOUT), cell) for cell in fields["scouts"]]
    if fields["lift"] is not None:
        standing.append(_at(LIFTED, fields["lift"][1]))
    return _untouchable("".join(parts) + _raised("".join(standing)))


def _raised(drawing: str) -> str:
    return f'<g transform="translate(0 {-_RAISED:g})">{drawing}</g>'


def last_layer(turn: Turn) -> str:
    """Outline the hexes of a turn that has been played."""
    return _untouchable("".join(_at(LAST, cell) for cell in dict.fromkeys(turn.cells)))


def turn_layer(turn: Turn, *, kind: str, dx: float = 0.0) -> str:
    """Number the actions of a turn on the board, with arrows for moves."""
    lines, numbers = [], []
    for number, path in enumerate(turn.paths, start=1):
        *before, (x, y) = [middle(cell) for cell in path]
        numbers.append((x + dx, y, number))
        if before:
            # The arrow ends beside the number.
            from_x, from_y = before[-1]
            short = _NUMBER / math.hypot(x - from_x, y - from_y)
            end = (x - short * (x - from_x), y - short * (y - from_y))
            lines.append("M" + "L".join(f"{a + dx:.5g},{b:.5g}" for a, b in (*before, end)))
    color, back = ("#fff", "#111") if kind == PLAYED else ("#111", BEST_COLOR)
    ways = "".join(
        f'<path d="{line}" stroke="{edge}" stroke-width="{width}"{head}/>'
        for line in lines
        for edge, width, head in (
            (color, 5.5, ""),
            (back, 3, f' marker-end="url(#head-{kind})"'),
        )
    )
    discs = "".join(f'<use href="#{kind}" x="{x:g}" y="{y:g}"/>' for x, y, _ in numbers)
    texts = "".join(f'<text x="{x:g}" y="{y + 4:g}">{number}</text>' for x, y, number in numbers)
    return _raised(
        f'<g class="{kind}" pointer-events="none"><g fill="none">{ways}</g>{discs}'
        f'<g font-size="11" font-weight="bold" text-anchor="middle" fill="{color}">{texts}</g></g>'
    )
