"""The good inputs that are mutated: some written down here, the others made by the command line."""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from bga_logs import WRAPPINGS, Habits, cut, random_game, write_log, write_page

KINDS = (
    "line", "toml", "json", "game", "log", "query", "quadrants", "journal", "cache", "words",
)  # fmt: skip

# Runs a command and returns its stdout.
Command = Callable[..., bytes]

POSITION = b"""\
board = ["tavern", "paddock", "oasis*", "farm"]   # * = turned
cards = ["fishermen", "knights", "merchants"]
turn  = "red"
card  = "flower"
discard = {grass = 2, canyon = 1}

[seat.red]
settlements = "g7 g8 h9 h10 o15 p15 n16"
tiles = ["tavern@h7", "farm@m16"]

[seat.blue]
settlements = ["b12", "c12", "p12", "q12", "c13", "d13", "q13"]
supply = 33
"""

GAME = b"""\
Board: tavern,paddock,oasis*,farm
Cards: fishermen,knights,merchants
Seats: red,blue
Players: Ann, Ben            # for people
Event: Tuesday
Note: a game

1 red grass: g8 h9 h10
2 blue desert: d13 c13 b12
3 red flower: n16 o15 p15 tavern:g7
4 blue forest: q12 q13 p12 oasis:c12
5 red flower: n14 m14 n13
"""

QUADRANTS = b"""\
[[quadrant]]
name = "valley"                           # lower-case letters, digits and _
castles = 1
locations = ["canoe@c4", "refuge@h7"]
set = "own"
official = false
grid = \"\"\"
G G G G F F F W W T
 G G G F F F W T T T
G G D D F W W T T T
 D D l D W F F T k T
D D D W W F F T T T
 C C W S S S F F M M
C C W S S S D l M M
 C C W W S G G D D M
C C C W W G G D D D
 C C C C W G G G D D
\"\"\"

[[island]]
name = "islet"
locations = ["tree_house@c2"]
grid = \"\"\"
. . G G
 . F l G
F F C C
 T T C .
. T D D
\"\"\"
"""

# A queries' position in words of its own; the others are made of the positions and games.
QUERIES = b"""\
{"id": 1, "position": {"board": ["tavern", "paddock", "oasis*", "farm"], "cards": ["fishermen"], \
"turn": "red", "card": "flower", "seat": {"red": {"settlements": ["n16"]}, "blue": \
{"settlements": []}}}, "visits": 3, "top": 2, "seed": 7, "priority": 1, "include": ["win", "line"]}
{"id": "b", "position": "kb1 board=tavern,paddock,oasis*,farm cards=fishermen red=n16 blue=- \
turn=red card=flower", "allow": ["n14 m14 n13", ["o15"]], "avoid": ["red flower: o15 o17 p15"], \
"seconds": 0.01}
{"id": null, "game": "Board: tavern,paddock,oasis*,farm\\nCards: fishermen,knights,merchants\\n\
Seats: red,blue\\n\\n1 red grass: g8 h9 h10\\n2 blue desert: d13 c13 b12\\n", "turns": [2, 3], \
"reveal": false, "visits": 2}
"""

WORDS = (
    b"valley,oasis,farm*,tower", b"fishermen,knights", b"red,blue", b"3", b"outpost@c7", b"c7,d9",
    b"fisherman", b"rope bridge", b"R3.2", b"sword_targets=one", b"base,nomads", b"all", b"-",
    b"notation", b"first.jsonl", b"last", b"lords_need_presence=true", b"kbai_tree_house",
)  # fmt: skip

SETS = ("base", "base,nomads", "base,crossroads", "base,marshlands", "base,harvest", "all")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Good inputs by kind, the game that the caches are of, and all the words in them."""

    inputs: dict[str, tuple[bytes, ...]]
    words: tuple[bytes, ...]
    games: tuple[str, ...]
    """The ids of games in the journals."""
    commands: frozenset[str]
    """The names of all commands."""


def make_corpus(command: Command) -> Corpus:
    """Have the command line write positions, games, journals and a cache."""
    inputs = {kind: list[bytes]() for kind in KINDS}
    inputs["toml"].append(POSITION)
    inputs["game"].append(GAME)
    inputs["quadrants"].append(QUADRANTS)
    inputs["query"].append(QUERIES)
    inputs["words"] += WORDS
    for number, sets in enumerate(SETS):
        seats = str(2 + number % 4)
        start = command("new", "--sets", sets, "--seed", str(number), "--seats", seats)
        game = command("playout", "-", "--seed", str(number), stdin=start)
        inputs["toml"].append(start)
        inputs["game"].append(game)
        for turn in (4, 9 + number, 22):
            for spelling in ("line", "toml", "json"):
                arguments = ("convert", "-", "--turn", str(turn), "--to", spelling)
                inputs[spelling].append(command(*arguments, stdin=game))
    inputs["log"] += _make_logs()
    inputs["query"] += _make_queries(inputs)
    with tempfile.TemporaryDirectory() as folder:
        _make_files(command, Path(folder), inputs)
    made = {kind: tuple(found) for kind, found in inputs.items()}
    words = {
        word
        for kind in ("line", "toml", "game", "quadrants", "query", "words")
        for text in made[kind]
        for word in re.findall(rb"[\w.~@*+-]+", text)
    }
    ids = re.findall(rb'"id":"(\w+)"', b"".join(made["journal"]))
    names = re.findall(rb"^  (\w+) ", command("--help"), re.MULTILINE)
    return Corpus(
        made,
        tuple(sorted(words)),
        tuple(id.decode() for id in ids),
        frozenset(name.decode() for name in names),
    )


def _make_logs() -> list[bytes]:
    """Return logs of Board Game Arena in every wrapping, and a page, of the starts of games."""
    games = [cut(random_game(seed, 2 + seed % 3), 4 + seed) for seed in range(len(WRAPPINGS))]
    logs = [write_log(*each) for each in zip(games, repeat(Habits()), WRAPPINGS)]
    return [text.encode() for text in (*logs, write_page(games[0], Habits()))]


def _make_queries(inputs: dict[str, list[bytes]]) -> list[bytes]:
    queries = [
        b'{"id": %d, "position": %s, "visits": 2}' % (number, position.strip())
        for number, position in enumerate(inputs["json"])
    ]
    queries += [
        b'{"id": "%d", "position": "%s", "top": 1}' % (number, position.strip())
        for number, position in enumerate(inputs["line"])
    ]
    return [b"\n".join(queries[start : start + 3]) + b"\n" for start in range(0, len(queries), 3)]


def _make_files(command: Command, folder: Path, inputs: dict[str, list[bytes]]) -> None:
    matches = (
        ("match", "greedy", "random", "--groups", "2", "--seed", "1"),
        ("tournament", "greedy", "random", "greedy", "--groups", "1", "--seed", "2"),
    )
    for number, arguments in enumerate(matches):
        path = folder / f"{number}.jsonl"
        command(*arguments, "--threads", "--workers", "1", "--out", str(path))
        inputs["journal"].append(path.read_bytes())
        inputs["journal"].append(without_sums(path.read_bytes()))
    game, cache = folder / "game.kbg", folder / "cache.jsonl"
    game.write_bytes(GAME)
    command("review", str(game), *REVIEW, "--cache", str(cache))
    inputs["cache"].append(cache.read_bytes())
    inputs["cache"].append(without_sums(cache.read_bytes()))


# How the game of the caches is reviewed.
REVIEW = ("--visits", "3", "--turns", "3-4", "--workers", "1", "--format", "json")


def without_sums(journal: bytes) -> bytes:
    """Return a journal as it was before its lines had checksums."""
    return re.sub(rb',"sum":"\w*"|"sum":"\w*",', b"", journal)
