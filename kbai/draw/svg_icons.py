"""The small drawings of pictures: outlines around (0, 0), some 22 wide and high.

Each is the path that is filled and the path that is drawn with a pen; either may be empty.
"""

from __future__ import annotations


def _disc(x: float, y: float, radius: float) -> str:
    turn = f"a{radius},{radius} 0 1 0 "
    return f"M{x - radius},{y}{turn}{2 * radius},0{turn}{-2 * radius},0z"


_CASTLE = "M-11,10V-9h4v3h3v-3h8v3h3v-3h4V10H3V5a3,3 0 0 0-6,0V10zM-7,-1v4h2v-4zM5,-1v4h2v-4z"
SPACES: dict[str, tuple[str, str]] = {
    "castle": (_CASTLE, ""),
    "nomad": ("", "M-10,9L0,-8L10,9zM0,-8L-2,-11M0,-8L2,-11M0,0L-4,9M0,0L4,9"),
    "palace": (
        "M-11,10V0q0,-5 3,-8q3,3 3,8h2v-3q0,-6 3,-9q3,3 3,9v3h2q0,-5 3,-8q3,3 3,8V10H3V6"
        "a3,3 0 0 0-6,0V10z",
        "",
    ),
    "silo": ("M-5,10V-4a5,6 0 0 1 10,0V10z", "M-10,10H10M7,10V2M-5,-1"),
}
# A capitol is a castle with a star above it.
CAPITOL = "M0,-22l2,4.5 5,.5-3.7,3.3 1,4.9-4.3-2.5-4.3,2.5 1-4.9-3.7-3.3 5-.5z"

TILES: dict[str, tuple[str, str]] = {
    "oracle": (_disc(0, 0, 4), "M-11,0Q0,-11 11,0Q0,11 -11,0z"),
    "farm": ("", "M0,11V-10M0,-3L-6,-8M0,-3L6,-8M0,3L-6,-2M0,3L6,-2M0,9L-6,4M0,9L6,4"),
    "oasis": (
        "M-9,11q9,-4 18,0z",
        "M-1,9Q2,2 0,-4Q-7,-10 -11,-2M0,-4Q7,-10 11,-2M0,-4Q-6,-4 -6,4M0,-4Q6,-4 6,4",
    ),
    "tower": ("M-6,11V-3h-2v-7h4v3h2v-3h4v3h2v-3h4v7h-2V11H2V5h-4v6z", ""),
    "tavern": ("M-9,-6H4V11H-9z" + _disc(-6, -7, 3) + _disc(-1, -8, 3), "M5,-2h4q2,4 0,8H5"),
    "barn": ("M-11,-2L0,-10L11,-2L9,0L0,-7L-9,0z", "M-8,0V10H8V0M-4,10V3H4V10M-4,3L4,10M4,3L-4,10"),
    "harbor": (_disc(0, -8, 2), "M0,-6V10M-9,2Q-8,10 0,10Q8,10 9,2M-5,-2H5"),
    "paddock": ("", "M-4,10h-4V0a8,8 0 0 1 16,0V10H4V0a4,4 0 0 0-8,0z"),
    "quarry": ("M-9,-9Q4,-12 10,4Q2,-6 -9,-9z", "M-9,10L4,-4"),
    "caravan": (
        "M-10,10V1q1,-6 4,-6q2,0 3,3q1,-4 3,-4q3,0 4,5q3,0 3,-7h4v3h-2q0,8-4,8V10H3V5h-8v5z",
        "",
    ),
    "village": ("M-11,10V2L-6,-3L-1,2v8zM1,10V-3l5,-6l5,6V10z", ""),
    "garden": (
        _disc(0, -9, 3) + _disc(-5, -5, 3) + _disc(5, -5, 3) + _disc(-3, 0, 3) + _disc(3, 0, 3),
        "M0,2V11M0,9Q6,9 7,4",
    ),
    "lighthouse": (
        "M-5,11L-3,-3H3L5,11zM-4,-5V-9L0,-12L4,-9V-5z",
        "M6,-7L11,-9M6,-5L11,-3M-6,-7L-11,-9M-6,-5L-11,-3",
    ),
    "foresters_lodge": ("M0,-11L6,-3H4L9,5H2V11H-2V5H-9L-4,-3H-6z", ""),
    "barracks": ("", "M-8,-10H8V0Q8,7 0,11Q-8,7 -8,0zM0,-10V11M-8,-2H8"),
    "crossroads": ("M0,-10H7l4,2.5L7,-5H0zM0,-3H-7l-4,2.5L-7,2H0z", "M0,11V-11"),
    "city_hall": (
        "M-11,-4L0,-11L11,-4zM-9,-3h3V6h-3zM-1.5,-3h3V6h-3zM6,-3h3V6H6zM-11,7.5H11V11H-11z",
        "",
    ),
    "fort": ("M-11,10V-7h4v4h4v-4h6v4h4v-4h4V10zM-2,10h4V3h-4z", ""),
    "monastery": ("M-1,-11h2v2h2v2H1v3L9,3V11H3V6h-6v5h-6V3L-1,-4V-7H-3V-9h2z", ""),
    "wagon": (
        "M-11,3V-2Q-11,-10 0,-10Q11,-10 11,-2V3z", "M-11,3H11" + _disc(-6, 7, 3.5) + _disc(6, 7,
        3.5),
    ),
    "temple": ("M-11,-10Q0,-6 11,-10V-6Q0,-3 -11,-6z", "M-9,0H9M-6,-5V11M6,-5V11"),
    "refuge": (_disc(0, 0, 3) + "M-6,11Q-6,4 0,4Q6,4 6,11z", "M-11,0L0,-9L11,0"),
    "canoe": ("M-11,1Q0,6 11,1Q9,10 0,10Q-9,10 -11,1z", "M-6,-10L5,4M-8,-7L-4,-11"),
    "fountain": ("M-10,4H10L7,10H-7z", "M0,4V-7M0,-7Q-6,-11 -7,0M0,-7Q6,-11 7,0"),
    "bazaar": ("M-9,-10H9L11,-3H-11z", "M-9,-3V10M9,-3V10M-9,4H9"),
    "water_mill": (
        _disc(0, -3, 2), _disc(0, -3,
        7) + "M0,-10V4M-7,-3H7M-11,10q3,-4 5.5,0t5.5,0t5.5,0t5.5,0",
    ),
    "mountain_station": ("M-11,11L-3,-4L2,4L5,0L11,11z", "M-3,-4V-11H4V-8H-3"),
    "scout_cabin": ("M-7,-9h4v4l2,7a5,5 0 1 1-10,2zM7,-9h-4v4l-2,7a5,5 0 1 0 10,2z", ""),
    "cathedral": ("M-10,11V-3L-6.5,-11L-3,-3V1L0,-2L3,1V-3L6.5,-11L10,-3V11H2V6H-2v5z", ""),
    "watchtower": ("M-7,0V-5H7V0zM-9,-6L0,-11L9,-6z", "M-4,0L-7,11M4,0L7,11M-5,6L5,6"),
    "university": ("M-11,-3L0,-9L11,-3L0,3zM-6,2L0,5L6,2V8Q0,11 -6,8z", "M10,-3V6"),
    "palisade": (
        "M-11,10V-4l2.5,-5l2.5,5V10zM-5,10V-4l2.5,-5l2.5,5V10zM1,10V-4l2.5,-5l2.5,5V10zM7,10V-4l2,-5l2,5V10z",
        "",
    ),
    "rope_bridge": (
        "",
        "M-11,-10V10M11,-10V10M-11,-6Q0,4 11,-6M-11,2Q0,12 11,2M-5,-2.5V5M0,-1V7M5,-2.5V5",
    ),
    "tree_house": (
        "M-2,11V4H2V11zM-5,3V-3L0,-7L5,-3V3z",
        "M-5,4Q-11,3 -9,-3Q-9,-10 0,-10Q9,-10 9,-3Q11,3 5,4",
    ),
    "resettlement": ("M4,-11L11,-6L4,-1zM-4,1L-11,6L-4,11z", "M-9,-6H5M9,6H-5"),
    "outpost": ("M-5,-11L9,-6L-5,-1z", "M-6,11V-11"),
    "sword": ("M0,-12L3,-8V4H-3V-8z", "M-7,5H7M0,5V11"),
    "treasure": ("M-10,0H10V9H-10z", "M-10,-1Q-10,-9 0,-9Q10,-9 10,-1z"),
    # Not tiles, but actions that everybody has.
    "farmland": ("", "M-9,11L-4,-9M-3,11L-1,-9M3,11L1,-9M9,11L4,-9M-9,-9H9"),
    "cave": ("M-10,9V0a10,10 0 0 1 20,0V9H5V2a5,5 0 0 0-10,0V9z", ""),
    "silo": SPACES["silo"],
}  # fmt: skip
"""By kind of tile; a donation is three houses on a hex of its terrain."""
# The bonus tile of a location has its icon, and a plus.
BONUS = "_bonus"
TILES |= {
    f"{kind}{BONUS}": (filled, f"{drawn}M7,-12v6M4,-9h6")
    for kind, (filled, drawn) in TILES.items()
    if kind in ("temple", "refuge", "canoe", "fountain")
}
DONATION = "M-10,3V-2l3,-3l3,3v5zM-3,3V-2l3,-3l3,3v5zM4,3V-2l3,-3l3,3v5z"
