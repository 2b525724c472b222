"""The numbers of Board Game Arena's Kingdom Builder and what they are called here."""

from __future__ import annotations

QUADRANTS = ("barn", "farm", "oracle", "harbor", "tower", "oasis", "paddock", "tavern")
TURNED_FROM = 100
"""Ids of turned quadrants: this much more."""
TERRAINS = ("grass", "canyon", "desert", "flower", "forest")
ENGLISH_TERRAINS = {name: name for name in TERRAINS} | {"flower field": "flower", "water": "water"}
"""What a log in English calls them."""
CASTLE_LOCATION = 5
LOCATIONS = {
    8: "oracle",
    9: "farm",
    10: "tavern",
    11: "tower",
    12: "harbor",
    13: "paddock",
    14: "oasis",
    15: "barn",
}
CASTLES_CARD = 0
CARDS = {
    1: "fishermen",
    2: "merchants",
    3: "discoverers",
    4: "hermits",
    5: "citizens",
    6: "miners",
    7: "workers",
    8: "knights",
    9: "lords",
    10: "farmers",
}
CARD_STATISTICS = 100
"""The gold of a card is the statistic of this number and the card's."""
COLORS = {
    "ff0000": "red",
    "008000": "green",
    "0000ff": "blue",
    "ffa500": "yellow",
    "ffffff": "white",
    "982fff": "purple",
    "f07f16": "orange",
}
TILES_OF_A_SPACE = 2
BACK = "back"
"""In the place of a card: it lies face down again, the turn is over."""


class States:
    """The states of a game that tell something."""

    TURN = 4
    BUILD = 5
    MOVE = 9
    SCORING = 98
    END = 99


# Events that tell nothing more than others do.
IGNORED = {
    "argPlayerMoveTarget",
    "enableTiles",
    "gameStateMultipleActiveUpdate",
    "playerConcedeGame",
    "simpleNode",
    "simpleNote",
    "tableWindow",
    "updateReflexionTime",
    "wakeupPlayers",
}
