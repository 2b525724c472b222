"""Random games on both engines at once: the kernel behind kbai, and the naive reference.

At every step the legal steps, the possible draws, the canonical lines and the gold must be equal.
`play` is one game; tests/test_differential.py and scripts/differential.py play many of them.
"""

import random
from collections import Counter

import reference
from reference import CARDS, COLOURS, NOMAD_COUNTS, NOMAD_TILES, TILES

from kbai.notation import advance, legal_steps, parse_step
from kbai.report import score_rows
from kbai.spelling import format_line, format_position, parse_position

MOVES = ("barn", "harbor", "paddock", "caravan")
NOMADS_IN_HAND = tuple(kind for kind in NOMAD_TILES if kind != "treasure")

# What a run over many games must have met at least once.
EVENTS = (
    *(f"use {tile}" for tile in (*TILES, *NOMADS_IN_HAND)),
    *(f"gain {tile}" for tile in (*TILES, *NOMAD_TILES)),
    *(f"lose {tile}" for tile in TILES),
    *(f"second {tile}" for tile in TILES),
    *(f"lose used {tile}" for tile in MOVES),
    *(f"score {rule}" for rule in ("castles", "treasure", *CARDS)),
    *(f"{n} seats" for n in (2, 3, 4, 5)),
    *(f"{key}={value}" for key, values in reference.OPTIONS.items() for value in values),
    "no tile left", "not again",
    "exhausted at reveal", "exhausted before", "exhausted in build", "exhausted after",
    "any terrain", "replaced", "reshuffle", "held group", "no card",
    "supply empty", "short mandatory", "mandatory void", "stalemate", "game over",
    "wall", "second wall", "walls stopped", "donation short",
    "resettlement stopped", "resettlement four",
    "outpost mandatory", "outpost tile", "outpost donation",
    "sword", "sword takes tile", "supply back", "nomad expired", "treasure",
    "families", "shepherds", "ambassadors", "replaced in action", "end cancelled",
)


class Difference(AssertionError):
    """The two engines do not agree; the message has the line that shows it."""


def random_options(rng: random.Random) -> dict[str, str]:
    return {key: rng.choice(values) for key, values in reference.OPTIONS.items()}


def lay_nomads(rng: random.Random, spaces: list[str]) -> dict[str, str]:
    """Random nomad tiles for the spaces, no more of a kind than there are."""
    tiles = [kind for kind, count in NOMAD_COUNTS.items() for _ in range(count)]
    return dict(zip(spaces, rng.sample(tiles, min(len(spaces), len(tiles))), strict=False))


def quadrants_start(rng: random.Random, seats: list[str], cards: list[str]) -> str:
    """A game on printed quadrants."""
    board = [name + rng.choice(("", "*")) for name in rng.sample(sorted(reference.QUADRANTS), 4)]
    spaces = [reference.cell(h) for h in reference.quadrant_board(",".join(board)).land["nomad"]]
    nomads = lay_nomads(rng, sorted(spaces))
    start = rng.choice(seats)
    return reference.format(
        reference.new(board, cards, seats, start, random_options(rng), nomads=nomads))


def cell(row: int, column: int) -> str:
    return f"{chr(97 + column)}{row + 1}"


def map_start(rng: random.Random, seats: list[str], cards: list[str]) -> str:
    """A game on a map of its own, rich in what is rare: scarce terrains, many spaces, few houses.

    Games on it are short, and every seat sits next to everything soon.
    """
    scarce = rng.choice("GCDFT")
    letters = "GCDFTWM".replace(scarce, "") + rng.choice(("WM", "WWWWW", "MMM", "GCDF"))
    rows = [[rng.choice(letters) for _ in range(20)] for _ in range(20)]
    if rng.random() < 0.5:  # land only in a corner: terrains run out, cards leave the game
        size = rng.randint(4, 8)
        rows = [[c if r < size and k < size else "W" for k, c in enumerate(row)]
                for r, row in enumerate(rows)]
    else:
        size = 20
    spots = [(r, c) for r in range(1, size - 1) for c in range(1, size - 1)]
    rng.shuffle(spots)
    locations, nomads = [], []
    kinds = rng.sample(TILES, rng.randint(2, 3))
    for number, (r, c) in enumerate(spots[:rng.randint(6, 12)]):
        rows[r][c] = "k" if number < 2 else "n" if number % 3 == 0 else "l"
        if rows[r][c] == "l":
            locations.append((r, c, kinds[number % len(kinds)]))
        elif rows[r][c] == "n":
            nomads.append((r, c))
    for r, c in spots[12:12 + rng.randint(0, 3)]:
        rows[r][c] = scarce
    words = ["kb1", "map=" + "/".join("".join(row) for row in rows)]
    if locations:
        words.append("locations=" + ",".join(
            f"{kind}@{cell(r, c)}" for r, c, kind in sorted(locations)))
    laid = {}
    if nomads:
        laid = lay_nomads(rng, [cell(r, c) for r, c in sorted(nomads)])
        words.append("nomads=" + ",".join(f"{kind}@{space}" for space, kind in laid.items()))
    words.append("cards=" + ",".join(card for card in CARDS if card in cards))
    defaults = {key: values[0] for key, values in reference.OPTIONS.items()}
    options = {key: value for key, value in random_options(rng).items() if value != defaults[key]}
    if options:
        words.append("options=" + ",".join(f"{key}:{value}" for key, value in options.items()))
    start = rng.choice(seats)
    if start != seats[0]:
        words.append(f"start={start}")
    houses = rng.choice((1, 2, 4, 7, 10, 13))
    # Tiles from the start: a move tile pulls pieces away from their spaces, and the second tile of
    # a kind that lies on the board is in hand, so that swords fall early.
    movers = rng.sample(MOVES, rng.randint(0, 2))
    gifts = ",".join(kind for kind in TILES if kind in movers)
    extra = f"/gifts={gifts}" if gifts else ""
    twice = [kind for kind in NOMADS_IN_HAND if list(laid.values()).count(kind) == 1
             and NOMAD_COUNTS[kind] == 2]
    owners = {kind: rng.choice(seats) for kind in twice}
    for seat in seats:
        hand = ",".join(kind for kind in twice if owners[kind] == seat)
        nomad = f"/nomads={hand}" if hand else ""
        words.append(f"{seat}=-{nomad}{extra}/supply={houses}")
    removed = {terrain: rng.randint(0, 4) for terrain in reference.TERRAINS}
    words += [f"turn={start}", "card=hidden"]
    if rng.random() < 0.5 and 25 - sum(removed.values()) >= len(seats):
        few = ",".join(f"{terrain}:{n}" for terrain, n in removed.items() if n)
        words += [f"removed={few}"] if few else []
    return " ".join(words)


def sword_start(rng: random.Random, seats: list[str], cards: list[str]) -> str:
    """The start seat builds its last house, the next one holds a sword that may give it back."""
    first, second, *others = seats
    words = ["kb1 board=tavern,quarry,oasis,farm nomads=sword@r6",
             "cards=" + ",".join(card for card in CARDS if card in cards),
             "options=sword_cancels_end:true", f"{first}=-/supply=1",
             f"{second}=-/nomads=sword/supply=6", *(f"{seat}=-/supply=6" for seat in others),
             f"turn={first} card=hidden"]
    return " ".join(words)


def choose(rng: random.Random, steps: list[str]) -> str:
    """Tiles more often than their share of the steps, so that all of them are used."""
    if "outpost" in steps and rng.random() < 0.5:
        return "outpost"
    tiles = [step for step in steps if ":" in step]
    if tiles and rng.random() < 0.6:
        kind = rng.choice(sorted({step.split(":")[0] for step in tiles}))
        return rng.choice([step for step in tiles if step.startswith(kind + ":")])
    return rng.choice(steps)


def same(what: str, line: str, kernel: object, naive: object) -> None:
    if kernel != naive:
        raise Difference(f"{what} of {line}: kernel {kernel}, reference {naive}")


def play(seed: int, max_steps: int = 600) -> Counter[str]:
    """Play one game on both engines; return how often what occurred, raise Difference."""
    rng = random.Random(seed)
    seats = rng.sample(COLOURS, rng.randint(2, 5))
    cards = rng.sample(CARDS, rng.choice((3, 3, 10)))
    start = rng.choices((quadrants_start, map_start, sword_start), (8, 11, 1))[0]
    line = start(rng, seats, cards)
    naive = reference.parse(line)
    position = parse_position(line)
    seen = Counter({f"{len(seats)} seats": 1})
    seen.update(f"{key}={value}" for key, value in naive.options.items())
    for _ in range(max_steps):
        same("line", line, format_line(position), line)
        position.check()
        for spelling in ("line", "json", "toml"):
            again = parse_position(format_position(position, spelling))
            same(f"round trip through {spelling}", line, format_line(again), line)
            same(f"equality after {spelling}", line, again == position, True)
        draws = reference.draws(naive)
        counts = zip(reference.TERRAINS, position.draws(), strict=False)
        kernel_draws = {name: n for name, n in counts if n}
        same("draws", line, kernel_draws, draws)
        steps = sorted(reference.legal(naive))
        same("legal steps", line, sorted(legal_steps(position)), steps)
        same("end", line, position.is_over, reference.over(naive))
        if reference.over(naive):
            break
        if draws:
            step = "=" + rng.choices(list(draws), list(draws.values()))[0]
        else:
            step = choose(rng, steps)
        seen["steps"] += 1
        if ":" in step or step == "outpost":
            seen["use " + step.split(":")[0]] += 1
        naive = reference.apply(naive, step)
        seen.update(naive.events)
        line = reference.format(naive)
        advance(position, parse_step(position, step))
        if step == "end":
            same("gold", line, score_rows(position), reference.score(naive))
    for gold in reference.score(naive).values():
        seen.update(f"score {rule}" for rule, amount in gold.items() if amount)
    return seen


def summary(seen: Counter[str]) -> str:
    """Return how often each event occurred, a few to a line."""
    words = [f"{event} {seen[event]}" for event in EVENTS]
    return "\n".join("  " + ", ".join(words[i:i + 6]) for i in range(0, len(words), 6))
