"""What a person can choose from when setting up a board or a game."""

from __future__ import annotations

from dataclasses import fields

from kbai import content
from kbai.bots.builtin import LEVELS
from kbai.bots.registry import find_kind
from kbai.content import CARD_TERRAINS
from kbai.draw.svg_symbols import all_symbols
from kbai.game.options import Options, option_values
from kbai.game.seats import N_SEATS, SEATS
from kbai.report.help_topics import option_texts
from kbai.report.suggestion_json import kbai_version

# The bots that the page offers. None of them starts a program, and all of them answer in seconds.
GREEDY, RANDOM = "greedy", "random"
# What the first visit shows: a game of three after five rounds, in which everybody can still win.
DEMO = (
    "kb1 board=tavern,paddock,oasis,farm cards=fishermen,knights,merchants start=blue "
    "red=e4,f4,b5,e5,f5,g5,b6,c6,d7,r11,s11,p12,q12,s12,q13,p14,o15,p15,q15,r15,s15,"
    "n16/tiles=tavern@c7,farm@r12,farm@m16 blue=h5,e6,f6,g6,h6,i6,j7,n13,o13,m14,k15,l15,m15,"
    "j16,k16,l16,j17,k17,l17,k18,k19/tiles=tavern@h7,farm@m16 green=f7,g7,b8,c8,f8,b9,c9,b10,"
    "d14,e14,f14,g14,h14,i14,j14,k14,l14,f15,e16,g16,f17,g17,g18,h18,h19,"
    "i19/tiles=tavern@c7,tavern@h7,oasis@h13,oasis@f18 turn=blue card=canyon "
    "discard=grass:4,canyon:3,desert:2,flower:3,forest:3"
)


def bot_specs() -> dict[str, str]:
    """Return the bots that people can play against, each with what the page says about it."""
    levels = {f"mcts:level={n}": f"level {n}: {level.words}" for n, level in enumerate(LEVELS, 1)}
    others = (GREEDY, RANDOM)
    return levels | {name: f"{name}: {find_kind(name).summary}" for name in others}


def catalogue() -> dict[str, object]:
    """Return everything there is to choose from, and the drawings that pictures are made of."""
    every = content.load()
    texts = option_texts()
    return {
        "version": kbai_version(),
        "symbols": all_symbols(),
        "demo": DEMO,
        "sets": [
            {"name": item.name, "title": item.title, "capitols": list(item.capitols)}
            for item in every.sets.values()
        ],
        "quadrants": [
            {
                "name": item.name,
                "set": item.set,
                "grid": list(item.grid),
                "locations": [list(place) for place in item.locations],
                "official": item.official,
            }
            for item in every.quadrants.values()
        ],
        "islands": [{"name": item.name, "set": item.set} for item in every.islands.values()],
        "cards": [
            {"name": item.name, "set": item.set, "text": item.text} for item in every.cards.values()
        ],
        "tasks": [
            {"name": item.name, "set": item.set, "text": item.text} for item in every.tasks.values()
        ],
        "nomads": [{"name": item.name, "text": item.text} for item in every.nomads.values()],
        "tiles": {name: tile.text for name, tile in every.tiles.items()},
        "options": [
            {
                "name": field.name,
                "values": [str(value).lower() for value in option_values(field.name)],
                "default": str(field.default).lower(),
                "text": texts[field.name],
            }
            for field in fields(Options)
        ],
        "seats": list(SEATS),
        "most_seats": N_SEATS[-1],
        "terrains": list(CARD_TERRAINS),
        "bots": [{"spec": spec, "title": title} for spec, title in bot_specs().items()],
    }
