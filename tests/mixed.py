"""A board with something of every set, for positions by hand.

Bands of terrain, three rows each: grass in rows 1 to 3, marsh (columns a-j) and farmland (k-t) in
4 to 6, desert in 7 to 9, water (a-j) and mountain (k-t) in 10 to 12, flower in 13 to 15, forest in
16 to 18, canyon in 19 and 20. In row 2 a castle on c2, temples on e2 and h2, a cathedral on k2, a
canoe on n2, a nomad space on q2; in row 8 a palace on c8, silos on f8 and j8, a castle on m8.
"""

from positions import position

from kbai._fast import Position

ROWS = (
    "GGGGGGGGGGGGGGGGGGGG",
    "GGkGlGGlGGlGGlGGnGGG",
    "GGGGGGGGGGGGGGGGGGGG",
    *["SSSSSSSSSSAAAAAAAAAA"] * 3,
    "DDDDDDDDDDDDDDDDDDDD",
    "DDpDDoDDDoDDkDDDDDDD",
    "DDDDDDDDDDDDDDDDDDDD",
    *["WWWWWWWWWWMMMMMMMMMM"] * 3,
    *["FFFFFFFFFFFFFFFFFFFF"] * 3,
    *["TTTTTTTTTTTTTTTTTTTT"] * 3,
    *["CCCCCCCCCCCCCCCCCCCC"] * 2,
)
LOCATIONS = "temple@e2,temple@h2,cathedral@k2,canoe@n2"
# Without what lies beside and on the board; a castle more than the cards need.
MIXED_MAP = f"kb1 map={'/'.join(ROWS)} locations={LOCATIONS}"
MIXED_BOARD = f"{MIXED_MAP} island=kbai_rope_bridge caves=n11 capitols=m8 nomads=outpost@q2"
MIXED_GAME = f"{MIXED_BOARD} cards=mayors,rovers tasks=road,advance"
MIXED_FILE = f"""\
Map: {"/".join(ROWS)}
Locations: {LOCATIONS}
Island: kbai_rope_bridge
Caves: n11
Capitols: m8
Nomads: outpost@q2
Cards: scouts,mayors
Tasks: road,advance
Scouted: desert
Seats: red,blue

1 red grass: o3 n3 p3
2 blue marsh_flower: choose:marsh_flower/marsh a4 b4
3 red flower: a13 b13 c13
4 blue marsh_grass: choose:marsh_grass/grass b3 a3 a2
"""

# A turn of red with much on the board, for `mixed_position`.
MIXED_RED = (
    "red=a13,k11,~b3/used=farmland,scout_cabin/gifts=barracks,crossroads,city_hall,wagon,"
    "scout_cabin/warriors=f13/wagon=n11/hall=d17/temple=2/mayors=3,~2/roved=1,4/gold=rovers:2"
)
MIXED_BLUE = "blue=l2/tiles=cathedral@k2/tokens=5/hidden=2"
MIXED_LINE = (
    f"{MIXED_RED} {MIXED_BLUE} turn=red card=marsh_grass hand=desert:1 terrain=marsh owed=1 "
    "scouts=a12 walls=t20,~d3"
)


def mixed_position(rest: str, *, cards: str = "", options: str = "") -> Position:
    """Return a position on the board with something of every set."""
    start = MIXED_GAME if not cards else f"{MIXED_BOARD} cards={cards}"
    return position(rest, f"{start} options={options}" if options else start)
