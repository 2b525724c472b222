"""What is tried: an input, and a command that reads it."""

import random
import re
from dataclasses import dataclass
from functools import cached_property

from fuzzing.corpus import REVIEW, Corpus
from fuzzing.mutations import Changes
from fuzzing.nasty import nasty_inputs

# Places in a command, filled in when it is run: a file with the input, the folder it is in, the
# input itself, a file to write to, one that is not there yet, and the game that caches are of.
FILE, FOLDER, TEXT, OUT, NEW, GAME_FILE = (
    "{file}", "{folder}", "{text}", "{out}", "{new}", "{game}",
)  # fmt: skip
SEARCH = ("--visits", "2", "--seed", "1")
QUICK = ("--visits", "1", "--workers", "1", "--no-cache", "--turns", "2")
PLAY = ("play", "--bot", "greedy", "--seed", "1", "--save", NEW)
MATCH = ("match", "greedy", "random", "--seed", "1", "--threads", "--workers", "1")

Arguments = tuple[str, ...]

POSITION: tuple[tuple[int, Arguments], ...] = (
    (6, ("convert", "-", "--to", "toml")),
    (6, ("convert", "-", "--to", "json")),
    (6, ("convert", FILE, "--to", "line")),
    (2, ("convert", "-", "--to", "kbg")),
    (4, ("show", "-")),
    (2, ("show", FILE, "--ascii")),
    (2, ("show", "-", "--svg", OUT)),
    (4, ("score", "-", "--format", "json")),
    (2, ("score", FILE, "--format", "markdown")),
    (2, ("playout", "-", "--seed", "1")),
    (1, ("suggest", "-", *SEARCH, "--format", "json")),
    (1, ("suggest", FILE, *SEARCH, "--html", OUT)),
    (2, (*PLAY, "-")),
)
COMMANDS: dict[str, tuple[tuple[int, Arguments], ...]] = {
    "line": (*POSITION, (8, ("convert", TEXT, "--to", "json")), (4, ("show", TEXT))),
    "toml": POSITION,
    "json": POSITION,
    "game": (
        (8, ("convert", "-")),
        (8, ("convert", FILE, "--turn", "3", "--to", "json")),
        (6, ("show", "-")),
        (4, ("show", "-", "--turn", "last")),
        (3, ("show", FILE, "--turn", "2", "--svg", OUT)),
        (6, ("score", "-", "--format", "json")),
        (2, ("playout", "-", "--seed", "1")),
        (1, ("suggest", "-", *SEARCH)),
        (1, ("review", "-", *QUICK, "--format", "json")),
        (1, ("review", FILE, *QUICK)),
        (1, ("review", FOLDER, *QUICK, "--html", OUT)),
        (1, ("review", FOLDER, *QUICK, "--no-rollouts", "--summary")),
        (2, (*PLAY, "-")),
    ),
    "log": (
        (4, ("import", "-")),
        (2, ("import", FILE, "--anonymous")),
        (2, ("show", "-")),
        (1, ("convert", FILE, "--turn", "2", "--to", "json")),
        (1, ("review", "-", *QUICK)),
        (1, (*PLAY, FILE)),
    ),
    "query": (
        (3, ("analyze", "-", *SEARCH, "--memory", "50")),
        (1, ("analyze", FILE, *SEARCH, "--memory", "50", "--unordered")),
    ),
    "quadrants": (
        (3, ("content", "valley", "--quadrants", FOLDER, "--format", "json")),
        (2, ("content", "islet", "--quadrants", FOLDER)),
        (1, ("content", "--kind", "quadrants", "--quadrants", FOLDER, "--ascii")),
        (
            3,
            ("new", "--seed", "1", "--quadrants", FOLDER, "--board", "valley,oasis,farm*,tower",
             "--island", "islet", "--format", "json"),
        ),
        (1, ("show", "--quadrants", FOLDER)),
    ),
    "journal": (
        (12, ("standings", FILE)),
        (12, ("standings", FILE, "--format", "json")),
        (4, ("standings", FILE, "--format", "csv")),
        (1, ("standings", FILE, "--sprt", "0,10", "--format", "markdown")),
        (10, ("export", FILE)),
        (8, ("export", FILE, "--game", "{id}")),
        (4, (*MATCH, "--groups", "2", "--out", FILE, "--format", "json")),
        (1, ("review", FILE, *QUICK, "--format", "json")),
    ),
    "cache": (
        (3, ("review", GAME_FILE, *REVIEW, "--cache", FILE)),
        (1, ("standings", FILE)),
    ),
    "words": (
        (1, ("new", "--seed", "1", "--board", TEXT)),
        (1, ("new", "--seed", "1", "--cards", TEXT)),
        (1, ("new", "--seed", "1", "--sets", TEXT)),
        (1, ("new", "--seed", "1", "--seats", TEXT)),
        (1, ("new", "--seed", "1", "--sets", "all", "--caves", TEXT)),
        (1, ("new", "--seed", "1", "--sets", "all", "--nomads", TEXT)),
        (1, ("new", "--seed", "1", "--sets", "all", "--tasks", TEXT)),
        (1, ("new", "--seed", "1", "--sets", "all", "--island", TEXT)),
        (1, ("new", "--seed", "1", "--option", TEXT)),
        (1, ("new", "--seed", TEXT)),
        (1, ("content", "--", TEXT)),
        (1, ("content", "--set", TEXT)),
        (1, ("rules", "--", TEXT)),
        (1, ("help", "--", TEXT)),
        (1, ("bots", "--", TEXT)),
        (1, ("show", "--", TEXT)),
        (1, ("show", "--turn", TEXT)),
        (1, ("standings", "--", TEXT)),
        (1, ("review", "--no-cache", "--turns", TEXT, GAME_FILE, "--visits", "1")),
        (1, ("--", TEXT)),
    ),
}  # fmt: skip
MAX_QUERIES = 20
# Larger inputs are tried as they are.
MAX_CHANGED = 200_000
# How many of the inputs are of each kind.
WEIGHTS = {
    "line": 16, "toml": 14, "json": 14, "game": 14, "log": 4, "query": 8, "quadrants": 10,
    "journal": 14, "cache": 3, "words": 5,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """An input and the command that is to read it."""

    kind: str
    data: bytes
    arguments: Arguments

    @property
    def is_json(self) -> bool:
        """Whether all lines of stdout are JSON."""
        arguments = self.arguments
        form = arguments[arguments.index("--format") + 1] if "--format" in arguments else ""
        to = arguments[arguments.index("--to") + 1] if "--to" in arguments else ""
        return arguments[0] == "analyze" or "json" in (form, to)


class Cases:
    """All cases of a seed, by number."""

    def __init__(self, corpus: Corpus, seed: int, kinds: tuple[str, ...]) -> None:
        self.corpus = corpus
        self.seed = seed
        self.kinds = kinds

    def __reduce__(self) -> tuple[type["Cases"], tuple[Corpus, int, tuple[str, ...]]]:
        # Without the nasty inputs, which are made again where they are needed.
        return type(self), (self.corpus, self.seed, self.kinds)

    @cached_property
    def nasty(self) -> dict[str, tuple[bytes, ...]]:
        """The fixed inputs of each kind."""
        return nasty_inputs(self.corpus)

    @cached_property
    def small(self) -> dict[str, tuple[bytes, ...]]:
        """Those of them that are not too large to be changed."""
        return {
            kind: tuple(data for data in found if len(data) < MAX_CHANGED)
            for kind, found in self.nasty.items()
        }

    def make(self, number: int) -> Case:
        """Return the case of a number, always the same."""
        rng = random.Random(f"{self.seed} {number}")
        kind = rng.choices(self.kinds, [WEIGHTS[kind] for kind in self.kinds])[0]
        good = self.corpus.inputs[kind]
        changes = Changes(rng, self.corpus.words)
        data = rng.choice(self.small[kind] if rng.random() < 0.01 else good)
        if kind == "words" and rng.random() < 0.5:
            data = rng.choice(self.corpus.words)
        data = cap_searches(changes.mutate(kind, data, rng.choice(good)))
        if kind == "query":  # each line has an answer of its own, and a right to its time
            data = b"\n".join(data.split(b"\n")[:MAX_QUERIES])
        commands = [each for each in COMMANDS[kind] if self._is_there(each[1])]
        arguments = rng.choices([a for _, a in commands], [weight for weight, _ in commands])[0]
        return self._case(kind, data, arguments, rng.choice(self.corpus.games))

    def fixed(self) -> list[Case]:
        """Return the inputs that are always tried, each with two of the commands that read such."""
        found = []
        for kind in self.kinds:
            commands = [each for _, each in COMMANDS[kind] if self._is_there(each)]
            for number, data in enumerate(map(cap_searches, self.nasty[kind])):
                for place in (2 * number, 2 * number + 1):
                    arguments = commands[place % len(commands)]
                    found.append(self._case(kind, data, arguments, "0"))
        # In any order, so that a part of them has all kinds.
        random.Random(0).shuffle(found)
        return found

    def _is_there(self, arguments: Arguments) -> bool:
        return arguments[0] in self.corpus.commands or arguments[0] == "--"

    def _case(self, kind: str, data: bytes, arguments: Arguments, game: str) -> Case:
        if TEXT in arguments:  # no system hands a NUL over
            data = data.replace(b"\0", b"")
        if kind == "line" and not data.lstrip().startswith(b"kb1"):
            # It would be the name of a file; such are among the words.
            arguments = tuple("-" if argument == TEXT else argument for argument in arguments)
        filled = (game[:6] if argument == "{id}" else argument for argument in arguments)
        return Case(kind, data, tuple(filled))


def cap_searches(data: bytes) -> bytes:
    """Return the input without wishes for searches that may rightly take long."""
    wish = rb'("(?:visits|seconds)"\s*:\s*)([0-9][0-9.eE+]*)'
    return re.sub(wish, lambda match: match[1] + _capped(match[2]), data)


def _capped(number: bytes) -> bytes:
    try:
        return b"1" if 1 < float(number) < 1e10 else number
    except ValueError:
        return number
