"""What pictures are made of: hexes, spaces, pieces and marks as SVG definitions.

Terrains differ in pattern and in lightness, seats in the mark on each of their pieces, so that
both can be told apart without seeing colours.
"""

from __future__ import annotations

from collections.abc import Iterable

from kbai.content import TERRAIN_LETTERS, load
from kbai.draw import svg_icons
from kbai.game import pieces
from kbai.game.setup import Setup

HALF_WIDTH = 20.0
RADIUS = 23.0
HEX = "M0,-23L20,-11.5V11.5L0,23L-20,11.5V-11.5z"
# A little smaller, for what is drawn along the edge.
_INNER = "M0,-20L17.4,-10V10L0,20L-17.4,10V-10z"
INK = "#2b2118"
WALL, CAVE, CAPITOL, PLATE = "wall", "cave", "capitol", "plate"
PIP, NO_PIP, LIFTED = "pip", "no-pip", "lifted"
PLAYED, BEST, LAST = "played", "best", "last"
BEST_COLOR = "#25e0cf"
"""Of the best turn; no seat and no terrain has it."""
SCOUT = "scout"

# Fill, pen, and a pattern that covers the whole hex, so that it shows around a piece.
_TERRAINS: dict[str, tuple[str, str, str]] = {
    "grass": (
        "#b5dd7a",
        "#5c8f2c",
        "M-9,-11l-2,-4m2,4v-5m0,5l2,-4M7,-8l-2,-4m2,4v-5m0,5l2,-4M-13,4l-2,-4m2,4v-5m0,5l2,-4"
        "M14,6l-2,-4m2,4v-5m0,5l2,-4M1,4l-2,-4m2,4v-5m0,5l2,-4M-5,14l-2,-4m2,4v-5m0,5l2,-4",
    ),
    "canyon": (
        "#c98f5f",
        "#7c4723",
        "M-19,-7q6,-5 12,-1t12,-1t13,1M-19,0q6,-5 12,-1t12,-1t13,1M-19,7q6,-5 12,-1t12,-1t13,1"
        "M-10,-14q6,-4 10,-1t10,1M-10,13q6,-4 10,-1t10,1",
    ),
    "desert": (
        "#f6e8b5",
        "#b08d3c",
        "M0,-17h.1M-8,-11h.1M8,-11h.1M-15,-5h.1M0,-5h.1M15,-5h.1M-8,1h.1M8,1h.1M-15,7h.1M0,7h.1"
        "M15,7h.1M-8,12h.1M8,12h.1",
    ),
    "flower": (
        "#f6c1d6",
        "#b02a6f",
        "".join(
            f"M{x},{y - 3}v6m-2.6,-4.5l5.2,3m0,-3l-5.2,3"
            for x, y in (
                (0, -16), (-11, -9), (11, -9), (-15, 4), (15, 4), (-6, 0), (6, 0), (-7, 12), (7, 12)
            )
        ),
    ),
    "forest": (
        "#3f8f5b",
        "#14492b",
        "M0,-20l4,7h-8zM-12,-11l4,7h-8zM12,-11l4,7h-8zM-14,2l4,7h-8zM14,2l4,7h-8zM-5,-5l4,7h-8z"
        "M5,-5l4,7h-8zM-6,8l4,7h-8zM6,8l4,7h-8z",
    ),
    "marsh": (
        "#8fa89a",
        "#33493f",
        "M-17,-6h8M3,-12h8M-6,2h9M8,8h9M-16,9h7M-12,-6v-6m3,6v-4M7,-12v-5m3,5v-3M0,2v-6m-3,6v-4"
        "M12,8v-6m3,6v-4M-12,9v-5m-3,5v-3",
    ),
    "farmland": (
        "#f3c552",
        "#9a6a0c",
        "M-20,-3L-6,-19M-20,6L4,-20M-18,13L13,-15M-11,17L19,-12M-3,21L20,-3M8,18L20,6",
    ),
    "water": (
        "#74b9e8",
        "#f4fbff",
        "M-11,-12q3,-4 5.5,0t5.5,0t5.5,0t5.5,0M-18,-4q3,-4 6,0t6,0t6,0t6,0t6,0t6,0"
        "M-18,5q3,-4 6,0t6,0t6,0t6,0t6,0t6,0M-11,13q3,-4 5.5,0t5.5,0t5.5,0t5.5,0",
    ),
    "mountain": (
        "#b9b9c1",
        "#4b4b57",
        "M-18,10L-5,-14L3,1L8,-7L18,10zM-9,-6L-5,-3L-1,-6.5",
    ),
}  # fmt: skip
_PENS = {"desert": 3.2, "flower": 1.5, "water": 1.8, "mountain": 1.8, "grass": 1.4}
_FILLED = {"forest"}
_GROUNDS = {
    "castle": "#ddd6f0",
    "location": "#fdf6e3",
    "nomad": "#ecd9bd",
    "palace": "#e9cdea",
    "silo": "#f7d9b9",
}
_SEATS: dict[str, tuple[str, str, str]] = {
    "red": ("#cc1f2d", "#fff", "M0,-4a4,4 0 1 0 .01,0z"),
    "blue": ("#1c4fb0", "#fff", "M0,-5.5L5,0L0,5.5L-5,0z"),
    "green": ("#0f7d36", "#fff", "M0,-5L5,4H-5z"),
    "yellow": ("#ffd500", "#222", "M-4,-4H4V4H-4z"),
    "white": ("#fff", "#222", "M-1.5,-5h3v3.5H5v3H1.5V5h-3V1.5H-5v-3h3.5z"),
    "black": ("#262626", "#fff", "M0,-6l1.7,3.8 4.1,.4-3.1,2.7.9,4.1L0,2.9-3.6,5l.9-4.1"
              "L-5.8,-1.8l4.1,-.4z"),
    "orange": ("#f58112", "#222", "M-5,-4H5V-1H-5zM-5,1H5V4H-5z"),
    "purple": ("#7d2f9c", "#fff", "M-5,-3L-3,-5L0,-2L3,-5L5,-3L2,0L5,3L3,5L0,2L-3,5L-5,3L-2,0z"),
}  # fmt: skip
"""Colour, colour of the mark, mark. Each seat has its own mark, because not everybody sees
colours."""

# The outline of each piece and where its mark is.
_PIECES: dict[str, tuple[str, float]] = {
    pieces.HOUSE: ("M-11,10V-3L0,-13L11,-3V10z", 2.5),
    pieces.WARRIOR: ("M-10,-10L-5,-8L0,-13L5,-8L10,-10V0Q9,8 0,13Q-9,8 -10,0z", 0),
    pieces.WAGON: (
        "M-13,6V-3Q-13,-12 0,-12Q13,-12 13,-3V6H11a4.5,4.5 0 0 1-9,0H-2a4.5,4.5 0 0 1-9,0z",
        -3,
    ),
    pieces.SHIP: ("M-14,3H-9V-12Q9,-10 10,3H14L9,11H-9z", -2),
    pieces.HALL: ("M-13,-5L0,-14L13,-5V-2H11V8H13V12H-13V8H-11V-2H-13z", 2),
    SCOUT: ("M-8,13V-13L11,-6L-5,1V13z", -6),
}  # fmt: skip


def symbols(setup: Setup) -> str:
    """Return the definitions for pictures of games with this set-up."""
    letters = {*"".join(setup.letters)}
    names = [name for letter, name in TERRAIN_LETTERS.items() if letter in letters]
    # Cards are also drawn as hexes.
    terrains = dict.fromkeys([*names, *list(_TERRAINS)[:6]])
    return _definitions(terrains, setup.tile_kinds, setup.seats)


def all_symbols() -> str:
    """Return the definitions for pictures of any game."""
    return _definitions(_TERRAINS, load().tiles, _SEATS)


def _definitions(terrains: Iterable[str], kinds: Iterable[str], seats: Iterable[str]) -> str:
    kinds, seats = list(kinds), list(seats)
    parts = [_terrain(name) for name in terrains]
    parts += [_space(kind) for kind in _GROUNDS]
    parts += [_icon(f"tile-{kind}", *svg_icons.TILES[kind]) for kind in kinds
              if kind in svg_icons.TILES]  # fmt: skip
    parts += [_donation(kind) for kind in kinds if kind.startswith("donation")]
    parts += [_letters(kind) for kind in kinds
              if kind not in svg_icons.TILES and not kind.startswith("donation")]  # fmt: skip
    parts += [_piece(seat, name) for seat in seats for name in _PIECES]
    parts += [f'<path id="{seat}-ground" d="{HEX}" fill="{_SEATS[seat][0]}" fill-opacity=".8" '
              f'stroke="{INK}" stroke-width="2"/>' for seat in seats]  # fmt: skip
    return "".join([*parts, *_OTHERS])


def seat_color(seat: str) -> str:
    """Return the colour of a seat's pieces."""
    return _SEATS[seat][0]


def piece_id(seat: str, name: str) -> str:
    """Return the id of the drawing of a piece."""
    return f"{seat}-{name.replace(' ', '-')}"


def terrain_id(name: str) -> str:
    """Return the id of the drawing of a hex of terrain."""
    return f"hex-{name}"


def _terrain(name: str) -> str:
    fill, pen, strokes = _TERRAINS[name]
    inner = f'fill="{pen}"' if name in _FILLED else (
        f'fill="none" stroke="{pen}" stroke-width="{_PENS.get(name, 1.5)}" '
        'stroke-linecap="round" stroke-linejoin="round"'
    )  # fmt: skip
    return (
        f'<g id="{terrain_id(name)}"><path d="{HEX}" fill="{fill}" stroke="#6b5a45" '
        f'stroke-width=".8"/><path d="{strokes}" {inner} opacity=".75"/></g>'
    )


def _space(kind: str) -> str:
    drawing = _strokes(*svg_icons.SPACES[kind]) if kind in svg_icons.SPACES else ""
    inner = f'<g transform="translate(0 -3)">{drawing}</g>'
    return (
        f'<g id="space-{kind}"><path d="{HEX}" fill="{_GROUNDS[kind]}" stroke="#6b5a45" '
        f'stroke-width=".8"/><path d="{_INNER}" fill="none" '
        f'stroke="{INK}" stroke-width="1.4"/>{inner}</g>'
    )


def _strokes(filled: str, drawn: str) -> str:
    text = f'<path d="{filled}" fill="{INK}" fill-rule="evenodd"/>' if filled else ""
    if drawn:
        text += (
            f'<path d="{drawn}" fill="none" stroke="{INK}" stroke-width="1.8" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )
    return text


def _icon(name: str, filled: str, drawn: str) -> str:
    return f'<g id="{name}">{_strokes(filled, drawn)}</g>'


def _donation(kind: str) -> str:
    terrain = load().tile(kind).terrain or ""
    fill = _TERRAINS[terrain][0]
    return (
        f'<g id="tile-{kind}"><path d="M-13,-8H13V6H-13z" fill="{fill}" stroke="{INK}"/>'
        f'<path d="{svg_icons.DONATION}" fill="{INK}"/></g>'
    )


def _letters(kind: str) -> str:
    """Draw the first letters of a tile that has no icon."""
    return (
        f'<text id="tile-{kind}" y="5" font-size="14" font-weight="bold" fill="{INK}">'
        f"{kind[:2].capitalize()}</text>"
    )


def _piece(seat: str, name: str) -> str:
    outline, middle = _PIECES[name]
    fill, mark, sign = _SEATS[seat]
    scale = ".7" if name == SCOUT else "1"
    return (
        f'<g id="{piece_id(seat, name)}"><path d="{outline}" fill="none" stroke="#fff" '
        f'stroke-width="4" stroke-linejoin="round"/><path d="{outline}" fill="{fill}" '
        f'stroke="#111" stroke-width="1.3" stroke-linejoin="round"/>'
        f'<path d="{sign}" fill="{mark}" transform="translate(0 {middle:g}) scale({scale})"/></g>'
    )


_OTHERS = (
    f'<g id="{WALL}"><path d="{HEX}" fill="#8d8a86" stroke="{INK}"/><path d="M-17,-10H17V10H-17z'
    'M-17,-3.5H17M-17,3.5H17M-6,-10V-3.5M6,-10V-3.5M0,-3.5V3.5M-11,-3.5V3.5M11,-3.5V3.5'
    'M-6,3.5V10M6,3.5V10" fill="#d8d4cc" stroke="#3a3733" stroke-width="1.4"/></g>',
    f'<path id="{CAVE}" d="M-9,8.5V-.5a9,10 0 0 1 18,0V8.5z" fill="#1a1713" stroke="#fff" '
    'stroke-width="1.2"/>',
    f'<path id="{CAPITOL}" d="{svg_icons.CAPITOL}" fill="#ffc400" stroke="{INK}" '
    'transform="translate(0 3)"/>',
    f'<circle id="{PLATE}" r="14" fill="{_GROUNDS["location"]}" stroke="{INK}"/>',
    f'<circle id="{PIP}" r="3.2" fill="#2f8f3a" stroke="{INK}" stroke-width="1.2"/>',
    f'<circle id="{NO_PIP}" r="3.2" fill="#fff" stroke="{INK}" stroke-width="1.2" '
    'stroke-dasharray="1.5 1"/>',
    f'<circle id="{LIFTED}" r="14" fill="#fff" fill-opacity=".55" stroke="#111" stroke-width="2" '
    'stroke-dasharray="4 3"/>',
    f'<g id="{LAST}" fill="none" stroke-linejoin="round"><path d="{_INNER}" stroke="#111" '
    f'stroke-width="5"/><path d="{_INNER}" stroke="#fff" stroke-width="2.6"/></g>',
    f'<circle id="{PLAYED}" r="8.5" fill="#111" stroke="#fff" stroke-width="1.6"/>',
    f'<path id="{BEST}" d="M0,-11.5L11.5,0L0,11.5L-11.5,0z" fill="{BEST_COLOR}" stroke="#111" '
    'stroke-width="1.8"/>',
    f'<marker id="head-{PLAYED}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="4" '
    'markerHeight="4" orient="auto"><path d="M0,0L8,4L0,8z" fill="#111"/></marker>',
    f'<marker id="head-{BEST}" viewBox="-1 -1 10 10" refX="6" refY="4" markerWidth="5" '
    f'markerHeight="5" orient="auto"><path d="M0,0L8,4L0,8z" fill="{BEST_COLOR}" stroke="#111"/>'
    '</marker>',
)  # fmt: skip
