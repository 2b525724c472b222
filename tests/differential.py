"""Random games on both engines at once: the kernel behind kbai, and the naive reference.

At every step the legal steps, the possible draws, the canonical lines and the gold must be equal.
`play` is one game; tests/kernel/test_differential.py and scripts/differential.py play many of them.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import reference
from reference import BONUS_TILES, CARDS, COLOURS, NOMAD_COUNTS, NOMAD_TILES, TASKS, TILES

from kbai import content
from kbai.game.steps import advance
from kbai.notation.actions import legal_steps, parse_step
from kbai.notation.positions import format_line, format_position, parse_position
from kbai.report.scores import score_rows

# The printed layouts are in the reference; those of our own come from kbai's data.
for quadrant in content.load().quadrants.values():
    if quadrant.name not in reference.QUADRANTS:
        reference.add_quadrant(quadrant.name, quadrant.grid, quadrant.locations)
for island in content.load().islands.values():
    reference.add_island(island.name, island.grid, island.locations)

MOVES = ("barn", "harbor", "paddock", "caravan", "refuge", "palisade", "rope_bridge", "tree_house")
PASSIVE = ("crossroads", "temple_bonus", "fountain_bonus")
NOMADS_IN_HAND = tuple(kind for kind in NOMAD_TILES if kind != "treasure")
FIGURES = ("warrior", "wagon", "ship")
REPEATED = tuple(kind for kind in TILES if kind not in ("bazaar", "canoe", "city_hall"))

# What a run over many games must have met at least once.
EVENTS = (
    *(
        f"use {tile}"
        for tile in (*TILES, *BONUS_TILES, "farmland", "cave", "silo", *NOMADS_IN_HAND)
        if tile not in PASSIVE
    ),
    *(f"gain {tile}" for tile in (*TILES, *NOMAD_TILES)),
    *(f"lose {tile}" for tile in TILES),
    *(f"second {tile}" for tile in TILES),
    *(f"lose used {tile}" for tile in MOVES),
    *(f"bazaar {tile}" for tile in REPEATED),
    *(f"score {rule}" for rule in ("castles", "treasure", "palaces", "capitols", *CARDS, *TASKS)),
    *(f"{n} seats" for n in (2, 3, 4, 5)),
    *(f"{key}={value}" for key, values in reference.OPTIONS.items() for value in values),
    "no tile left",
    "not again",
    "exhausted at reveal",
    "exhausted before",
    "exhausted in build",
    "exhausted after",
    "any terrain",
    "replaced",
    "reshuffle",
    "held group",
    "no card",
    "supply empty",
    "short mandatory",
    "mandatory void",
    "stalemate",
    "game over",
    "wall",
    "second wall",
    "walls stopped",
    "donation short",
    "resettlement stopped",
    "resettlement four",
    "outpost mandatory",
    "outpost tile",
    "outpost donation",
    "outpost fort",
    "outpost figure",
    "outpost cathedral",
    "sword",
    "sword takes tile",
    "sword takes figure",
    "supply back",
    "nomad expired",
    "treasure",
    "families",
    "shepherds",
    "ambassadors",
    "rovers",
    "replaced in action",
    "end cancelled",
    "warrior placed",
    "warrior back",
    "blocked",
    "wagon placed",
    "wagon moved",
    "wagon back",
    "wagon on mountain",
    "ship placed",
    "ship moved",
    "ship back",
    *(f"{figure} moved by tile" for figure in FIGURES),
    *(f"{figure} off its terrain" for figure in FIGURES),
    *(f"{figure} kept off" for figure in FIGURES),
    *(
        f"{paid} {card} {when}"
        for paid in ("paid", "unpaid")
        for card in ("shepherds", "ambassadors", "rovers")
        for when in ("canoe", "silo")
    ),
    "tile for next round",
    "nomad for next round",
    "tile after own turn",
    "nomad after own turn",
    *(f"spaces matter to {source}" for source in reference.BOOKS),
    "no token to take",
    "token not gained",
    "no token by bazaar",
    "misplaced cave",
    "misplaced capitol",
    "cave laid",
    "capitol laid",
    "tile passed",
    "tile kept on the way",
    "hall placed",
    "fort",
    "fort nothing",
    "fort marsh",
    "second card",
    "third card",
    "choose card",
    "choose half",
    "half exhausted",
    "two cards exhausted",
    "named any",
    "marsh two",
    "exhausted marsh card",
    "temple",
    "temple built",
    "temple delays end",
    "temple returned",
    "temple bonus",
    "refuge bonus",
    "fountain on mountain",
    "bonus gained",
    "bonus lost",
    "canoe",
    "canoe pass",
    "canoe nested",
    "canoe twice",
    "canoe own turn",
    "canoe self",
    "canoe interrupts mandatory",
    "farmland",
    "bazaar",
    "scout",
    "second scout",
    "scouts stopped",
    "scouts taken up",
    "cathedral take",
    "cathedral build",
    "cathedral second",
    "tokens lost",
    "mayor",
    "mayor empties supply",
    "silo build",
    "silo move",
    "silo stopped",
    "silo seat skipped",
    "cave",
    "island build",
)


class Difference(AssertionError):
    """The two engines do not agree; the message has the line that shows it."""


def random_options(rng: random.Random) -> dict[str, str]:
    return {key: rng.choice(values) for key, values in reference.OPTIONS.items()}


def lay_nomads(rng: random.Random, spaces: list[str]) -> dict[str, str]:
    """Random nomad tiles for the spaces, no more of a kind than there are."""
    tiles = [kind for kind, count in NOMAD_COUNTS.items() for _ in range(count)]
    return dict(zip(spaces, rng.sample(tiles, min(len(spaces), len(tiles))), strict=False))


def some(rng: random.Random, things: list[str], most: int) -> list[str]:
    return rng.sample(things, min(len(things), rng.randint(0, most)))


def one_of_some(rng: random.Random, groups: list[set[reference.Hex]]) -> list[str]:
    """From some of the groups a hex each, from most if they have any."""
    return [
        reference.cell(rng.choice(reference.by_cell(group)))
        for group in groups
        if group and rng.random() < 0.8
    ]


def quadrants_start(rng: random.Random, seats: list[str], cards: list[str], turn: int) -> str:
    """A game on quadrants of all sets, with caves, capitols, tasks and an island now and then."""
    board = [name + rng.choice(("", "*")) for name in rng.sample(sorted(reference.QUADRANTS), 4)]
    plain = reference.quadrant_board(",".join(board))
    nomads = sorted(reference.cell(h) for h in plain.land["nomad"])
    quadrants = [reference.cave_sites(plain, quadrant) for quadrant in range(4)]
    castles = reference.capitol_sites(plain, ",".join(board))
    extras = {
        "island": rng.choice((None, *reference.ISLANDS)),
        "caves": one_of_some(rng, quadrants) if rng.random() < 0.8 else [],
        "capitols": one_of_some(rng, castles),
        "tasks": some(rng, list(TASKS), 3),
    }
    if "scouts" in cards:
        extras["scouted"] = rng.choice(reference.TERRAINS)
    return reference.format(
        reference.new(
            board,
            cards,
            seats,
            rng.choice(seats),
            random_options(rng),
            nomads=lay_nomads(rng, nomads),
            **extras,
        )
    )


def cell(row: int, column: int) -> str:
    return f"{chr(97 + column)}{row + 1}"


def draw_map(rng: random.Random, size: int, scarce: str) -> list[list[str]]:
    """Terrain at random: all of a board, or a corner of it and nothing but water around."""
    letters = "GCDFTWMSA".replace(scarce, "") + rng.choice(("WM", "WWWWW", "MMM", "GCDF", "SSAA"))
    if rng.random() < 0.3:
        letters = letters.replace("S", "").replace("A", "")
    return [
        [rng.choice(letters) if r < size and c < size else "W" for c in range(20)]
        for r in range(20)
    ]


def map_start(rng: random.Random, seats: list[str], cards: list[str], turn: int) -> str:
    """A game on a map of its own, rich in what is rare: scarce terrains, many spaces, few houses.

    Games on it are short, and every seat sits next to everything soon.
    """
    scarce = rng.choice("GCDFTS")
    # Land only in a corner: terrains run out, cards leave the game.
    size = rng.randint(4, 8) if rng.random() < 0.5 else 20
    rows = draw_map(rng, size, scarce)
    spots = [(r, c) for r in range(1, size - 1) for c in range(1, size - 1)]
    rng.shuffle(spots)
    locations, nomads = [], []
    kinds = rng.sample(TILES, rng.randint(2, 3))
    if rng.random() < 0.3:  # these need company: two of a kind, or something to repeat
        kinds = rng.choice(
            (
                ["canoe", "temple", "harbor"],
                ["bazaar", *kinds],
                ["canoe", "canoe"],
                ["fountain", "refuge"],
                ["crossroads", "bazaar", "fort"],
                ["cathedral", "barn", "bazaar"],
                ["scout_cabin", "bazaar"],
                ["barracks", "wagon", "paddock"],
                ["lighthouse", "harbor"],
            )
        )
    for number, (r, c) in enumerate(spots[: rng.randint(6, 12)]):
        rows[r][c] = rng.choice("kpo") if number < 2 else "n" if number % 3 == 0 else "l"
        if rows[r][c] == "l":
            locations.append((r, c, kinds[number % len(kinds)]))
        elif rows[r][c] == "n":
            nomads.append((r, c))
    for r, c in spots[12 : 12 + rng.randint(0, 3)]:
        rows[r][c] = scarce
    words = ["kb1", "map=" + "/".join("".join(row) for row in rows)]
    if locations:
        words.append(
            "locations=" + ",".join(f"{kind}@{cell(r, c)}" for r, c, kind in sorted(locations))
        )
    if rng.random() < 0.2:
        words.append(f"island={rng.choice(sorted(reference.ISLANDS))}")
    caves = sorted((r, c) for r in range(20) for c in range(20) if rows[r][c] == "M")
    if caves and rng.random() < 0.3:
        caves = sorted(rng.sample(caves, min(len(caves), 3)))
        words.append("caves=" + ",".join(cell(r, c) for r, c in caves))
    laid = {}
    if nomads:
        laid = lay_nomads(rng, [cell(r, c) for r, c in sorted(nomads)])
        words.append("nomads=" + ",".join(f"{kind}@{space}" for space, kind in laid.items()))
    words.append("cards=" + ",".join(card for card in CARDS if card in cards))
    tasks = some(rng, list(TASKS), 6)
    if tasks:
        words.append("tasks=" + ",".join(task for task in TASKS if task in tasks))
    if "scouts" in cards:
        words.append(f"scouted={rng.choice(reference.TERRAINS)}")
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
    gifts = rng.sample(
        (*MOVES, "bazaar", "canoe", "temple", "crossroads", *BONUS_TILES), rng.randint(0, 2)
    )
    extra = "/gifts=" + ",".join(kind for kind in reference.KINDS if kind in gifts) if gifts else ""
    twice = [
        kind
        for kind in NOMADS_IN_HAND
        if list(laid.values()).count(kind) == 1 and NOMAD_COUNTS[kind] == 2
    ]
    owners = {kind: rng.choice(seats) for kind in twice}
    for seat in seats:
        hand = ",".join(kind for kind in twice if owners[kind] == seat)
        nomad = f"/nomads={hand}" if hand else ""
        words.append(f"{seat}=-{nomad}{extra}/supply={houses}")
    words += [f"turn={start}", "card=hidden"]
    removed = {terrain: rng.randint(0, 4) for terrain in reference.TERRAINS}
    if "scouts" not in cards and rng.random() < 0.5 and 25 - sum(removed.values()) >= len(seats):
        few = ",".join(f"{terrain}:{n}" for terrain, n in removed.items() if n)
        words += [f"removed={few}"] if few else []
    return " ".join(words)


def sword_start(rng: random.Random, seats: list[str], cards: list[str], turn: int) -> str:
    """The start seat builds its last house, the next one holds a sword that may give it back."""
    first, second, *others = seats
    cards = [card for card in CARDS if card in cards and card != "scouts"]
    words = [
        "kb1 board=tavern,quarry,oasis,farm nomads=sword@r6",
        "cards=" + (",".join(cards) or "-"),
        "options=sword_cancels_end:true",
        f"{first}=-/supply=1",
        f"{second}=-/nomads=sword/supply=6",
        *(f"{seat}=-/supply=6" for seat in others),
        f"turn={first} card=hidden",
    ]
    return " ".join(words)


def take_turns(kinds: tuple[str, ...], turn: int, count: int) -> list[str]:
    """The next few of some kinds, so that all have had their turn soon."""
    return [kinds[(turn * count + i) % len(kinds)] for i in range(count)]


def huddle(
    rng: random.Random, land: list[tuple[int, int]], kinds: set[str]
) -> list[tuple[int, int]]:
    """Three hexes around one that stays free, for a village, or in a row, for a tavern."""
    for r, c in rng.sample(land, len(land)):
        right = r % 2  # odd rows lie half a hex to the right (R1.1)
        ring = [(r - 1, c - 1 + right), (r, c + 1), (r + 1, c - 1 + right)]
        row = [(r, c + 1), (r, c + 2), (r, c + 3)]
        shape = ring if "village" in kinds else row
        if set(shape) <= set(land):
            return shape
    return []


def gifts_start(rng: random.Random, seats: list[str], cards: list[str], turn: int) -> str:
    """Settlements and figures on a board without spaces, each seat with many tiles."""
    rows = draw_map(rng, 20, rng.choice("CDFTS"))  # grass there is, for the card
    rows[15][3] = rows[17][8] = "n"  # far away, so that the nomad tiles in hand are in the game
    near = [(r, c) for r in range(3, 9) for c in range(3, 13)]  # everybody beside everybody
    spots = [(r, c) for r, c in near if rows[r][c] not in "WM"]
    lake = [(r, c) for r, c in near if rows[r][c] == "W"]
    seats = seats[:3]
    rng.shuffle(spots)
    # Something to repeat, or to be used with an outpost; the others may have other tiles.
    first = {"bazaar", *take_turns(REPEATED, turn, 3)}
    if rng.random() < 0.5:
        first |= set(
            rng.choice(
                (
                    ("fort", "cathedral"),
                    ("wagon", "lighthouse", "barracks"),
                    ("fountain", "fountain_bonus"),
                )
            )
        )
    other = {*take_turns(REPEATED, turn, 2), *rng.sample((*BONUS_TILES, "barracks", "canoe"), 2)}
    own = {
        seat: [kind for kind in reference.KINDS if kind in gifts]
        for seat, gifts in (
            (seat, first if seat == seats[0] else rng.choice((first, other))) for seat in seats
        )
    }
    nomads = dict(zip(seats, ("outpost", "sword"), strict=False))
    words = [
        "kb1",
        "map=" + "/".join("".join(row) for row in rows),
        "nomads=outpost@d16,sword@i18",
        "cards=" + ",".join(card for card in CARDS if card in cards),
    ]
    if "scouts" in cards:
        words.append(f"scouted={rng.choice(reference.TERRAINS[1:])}")
    words.append("options=" + ",".join(f"{k}:{v}" for k, v in random_options(rng).items()))
    card = "grass" if {"village", "tavern"} & first else rng.choice(("hidden", "grass", "grass"))
    together = huddle(rng, spots, first)
    spots = [spot for spot in spots if spot not in together]
    for seat in seats:
        houses = [cell(*spots.pop()) for _ in range(rng.randint(2, 4))]
        if seat == seats[0]:
            houses += [cell(*spot) for spot in together]
        word = f"{seat}={','.join(houses)}"
        used = [kind for kind in own[seat] if kind in REPEATED and kind != "crossroads"]
        if seat == seats[0] and used and card == "grass":
            word += f"/used={','.join(used)}"  # there is something to repeat at once
        if seat in nomads:
            word += f"/nomads={nomads[seat]}"
        word += f"/gifts={','.join(own[seat])}"
        for kind, key in (("barracks", "warriors"), ("wagon", "wagon"), ("lighthouse", "ship")):
            if kind in own[seat] and rng.random() < 0.5:
                places = lake if key == "ship" else spots
                if places:
                    word += f"/{key}={cell(*places.pop())}"
        if "cathedral" in own[seat]:
            word += f"/tokens={rng.randint(0, 3)}"
        words.append(f"{word}/supply={rng.choice((1, 2, 3, 5, 8))}")
    return " ".join([*words, f"turn={seats[0]}", f"card={card}"])


def tiles_start(rng: random.Random, seats: list[str], cards: list[str], turn: int) -> str:
    """Spaces of two kinds only, on little land, and tiles that move pieces away from them."""
    size = rng.randint(5, 8)
    rows = draw_map(rng, size, rng.choice("GCDFTS"))
    kinds = take_turns(TILES, turn, 2)
    spots = rng.sample([(r, c) for r in range(1, size - 1) for c in range(1, size - 1)], 4)
    for r, c in spots:
        rows[r][c] = "l"
    places = sorted((r, c, kinds[i % 2]) for i, (r, c) in enumerate(spots))
    gifts = {*kinds, "paddock", rng.choice(("barn", "refuge", "temple", "quarry", "cathedral"))}
    if rng.random() < 0.4:
        gifts -= {*kinds}
    rows[15][3] = "n"  # out of reach, so that the sword in hand is in the game
    gift = ",".join(name for name in reference.KINDS if name in gifts)
    words = [
        "kb1",
        "map=" + "/".join("".join(row) for row in rows),
        "locations=" + ",".join(f"{kind}@{cell(r, c)}" for r, c, kind in places),
        "nomads=sword@d16",
        "cards=" + ",".join(card for card in CARDS if card in cards and card != "scouts"),
        "options=" + ",".join(f"{k}:{v}" for k, v in random_options(rng).items()),
        f"{seats[0]}=-/gifts={gift}/supply=10",
        *(f"{seat}=-/nomads=sword/gifts={gift}/supply=10" for seat in seats[1:2]),
        *(f"{seat}=-/gifts={gift}/supply=10" for seat in seats[2:3]),
        f"turn={seats[0]}",
        "card=hidden",
    ]
    return " ".join(words)


def with_red(rng: random.Random, cards: list[str]) -> list[str]:
    """The cards and now and then those that pay for builds, Scouts left out."""
    red = {"shepherds", "ambassadors", "rovers"} if rng.random() < 0.7 else set()
    return [card for card in CARDS if card in {*cards, *red} - {"scouts"}]


def canoe_start(rng: random.Random, seats: list[str], cards: list[str], turn: int) -> str:
    """Tiles between marsh and water, and canoes in every hand: reactions to reactions."""
    rows = [
        [rng.choice("SSWWWGCDFT") if r < 8 and c < 8 else "M" for c in range(20)] for r in range(20)
    ]
    spots = sorted(rng.sample([(r, c) for r in range(1, 7) for c in range(1, 7)], 8))
    kinds = rng.sample(TILES, 2)
    locations = dict(zip(sorted(rng.sample(spots, 2)), kinds, strict=True))
    for r, c in spots:
        rows[r][c] = "l" if (r, c) in locations else "n"
    laid = lay_nomads(rng, [cell(*spot) for spot in spots if spot not in locations])
    words = [
        "kb1",
        "map=" + "/".join("".join(row) for row in rows),
        "locations=" + ",".join(f"{kind}@{cell(*spot)}" for spot, kind in locations.items()),
        "nomads=" + ",".join(f"{kind}@{space}" for space, kind in laid.items()),
        "cards=" + ",".join(with_red(rng, cards)),
        "options=" + ",".join(f"{k}:{v}" for k, v in random_options(rng).items()),
        *(f"{seat}=-/gifts={rng.choice(('canoe', 'canoe,canoe'))}/supply=9" for seat in seats),
        f"turn={seats[0]}",
        "card=hidden",
    ]
    return " ".join(words)


def tokens_start(rng: random.Random, seats: list[str], cards: list[str], turn: int) -> str:
    """Nearly all tokens in hand, cathedrals all around, and bazaars to repeat them."""
    rows = draw_map(rng, 8, rng.choice("CDFTS"))
    spots = sorted(rng.sample([(r, c) for r in range(1, 7) for c in range(1, 7)], 4))
    for r, c in spots:
        rows[r][c] = "l"
    seats = seats[:3]
    tokens = [rng.randint(0, 2) for _ in seats[1:]]
    tokens.insert(0, reference.TOKENS - rng.choice((0, 0, 1, 2)) - sum(tokens))
    rng.shuffle(tokens)
    words = [
        "kb1",
        "map=" + "/".join("".join(row) for row in rows),
        "locations=" + ",".join(f"cathedral@{cell(r, c)}" for r, c in spots),
        "cards=" + ",".join(card for card in CARDS if card in cards and card != "scouts"),
        "options=" + ",".join(f"{k}:{v}" for k, v in random_options(rng).items()),
        *(
            f"{seat}=-/gifts=bazaar,cathedral/tokens={number}/supply=9"
            for seat, number in zip(seats, tokens, strict=True)
        ),
        f"turn={seats[0]}",
        "card=hidden",
    ]
    return " ".join(words)


def siege_start(rng: random.Random, seats: list[str], cards: list[str], turn: int) -> str:
    """Houses all around a space, and silo actions soon."""
    rows = [[rng.choice("GCDFT") for _ in range(20)] for _ in range(20)]
    rows[4][4], rows[4][8], rows[8][5] = rng.choice("klnpo"), rng.choice("po"), "o"
    around = [cell(r, c) for r, c in ((3, 3), (3, 4), (4, 3), (4, 5), (5, 3), (5, 4))]
    seats = seats[:2]
    words = [
        "kb1",
        "map=" + "/".join("".join(row) for row in rows),
        *(["locations=farm@e5"] if rows[4][4] == "l" else []),
        "cards=" + ",".join(with_red(rng, cards)),
        "tasks=place_of_refuge",
        "options=" + ",".join(f"{k}:{v}" for k, v in random_options(rng).items()),
        f"{seats[0]}={','.join(around)},c9/supply=4",
        f"{seats[1]}={rng.choice(('h5', 'j5'))},e9/supply=12",
        f"turn={seats[0]}",
        "card=hidden",
    ]
    return " ".join(words)


def voyage_start(rng: random.Random, seats: list[str], cards: list[str], turn: int) -> str:
    """Spaces along a strip of land and a river, and pieces that travel past them."""
    rows = draw_map(rng, 8, rng.choice("CDFTS"))
    for c in range(8):
        rows[3][c], rows[4][c] = rng.choice("GCDF"), "W"
    spots = sorted(rng.sample([(r, c) for r in (2, 5) for c in range(1, 7)], 6))
    for number, (r, c) in enumerate(spots):
        rows[r][c] = "n" if number % 3 == 0 else "l"
    nomads = dict(zip(("resettlement", "outpost"), spots[::3], strict=True))
    locations = [spot for number, spot in enumerate(spots) if number % 3]
    seats = seats[:3]
    kinds = rng.sample(TILES, 2)
    words = [
        "kb1",
        "map=" + "/".join("".join(row) for row in rows),
        "locations="
        + ",".join(f"{kinds[i % 2]}@{cell(*spot)}" for i, spot in enumerate(locations)),
        "nomads=" + ",".join(f"{kind}@{cell(*spot)}" for kind, spot in nomads.items()),
        "cards=" + ",".join(card for card in CARDS if card in cards and card != "scouts"),
        "options=" + ",".join(f"{k}:{v}" for k, v in random_options(rng).items()),
        *(
            f"{seat}=-/nomads=resettlement/gifts=harbor,paddock,lighthouse,wagon/supply=8"
            if seat == seats[0]
            else f"{seat}=-/gifts=harbor,paddock,lighthouse,barracks,wagon/supply=8"
            for seat in seats
        ),
        f"turn={seats[0]}",
        "card=hidden",
    ]
    return " ".join(words)


# In this order, again and again; the small boards meet what whole games seldom do.
STARTS = (
    quadrants_start,
    tiles_start,
    map_start,
    gifts_start,
    quadrants_start,
    tiles_start,
    map_start,
    gifts_start,
    quadrants_start,
    canoe_start,
    map_start,
    gifts_start,
    tiles_start,
    sword_start,
    tokens_start,
    gifts_start,
    voyage_start,
    siege_start,
    canoe_start,
    gifts_start,
    voyage_start,
)


def choose(rng: random.Random, steps: list[str]) -> str:
    """Tiles more often than their share of the steps, so that all of them are used."""
    for word in ("fort", "outpost"):
        if word in steps and rng.random() < 0.5:
            return word
    repeats = [step for step in steps if step.startswith("bazaar:")]
    if repeats and rng.random() < 0.8:
        # A village has seldom a second hex to build on.
        return "bazaar:village" if "bazaar:village" in repeats else rng.choice(repeats)
    tiles = [step for step in steps if ":" in step or step == "fort"]
    if tiles and rng.random() < 0.6:
        kind = rng.choice(sorted({step.split(":")[0] for step in tiles}))
        return rng.choice([step for step in tiles if step.split(":")[0] == kind])
    return rng.choice(steps)


def notice(naive: reference.State, steps: list[str]) -> list[str]:
    """Name what is not offered because a rule takes it away."""
    events = []
    mover = naive.mover
    if naive.options["figure_moves"] == "own_terrain" and mover.figures():
        loose = replace(naive, options={**naive.options, "figure_moves": "any_terrain"})
        for step in reference.legal(loose) - set(steps):
            if step.endswith("-"):
                h = reference.hex_of(step.split(":")[1][:-1])
                figure = {mover.wagon: "wagon", mover.ship: "ship"}.get(h, "warrior")
                events.append(f"{figure} kept off")
    if "end" in steps and "cathedral:take" not in steps and reference.ready(naive, "cathedral"):
        events.append("no token to take")
    if (
        "end" in steps
        and "bazaar:cathedral" not in steps
        and mover.used.get("cathedral")
        and reference.ready(naive, "bazaar")
    ):
        events.append("no token by bazaar")
    return events


def compare_spaces(naive: reference.State) -> list[str]:
    """Name the cards and tasks that would pay something else if other special spaces counted."""
    other = {"books": "all", "all": "books"}[naive.options["special_spaces"]]
    changed = replace(naive, options={**naive.options, "special_spaces": other})
    return [
        f"spaces matter to {source}"
        for source in reference.BOOKS
        if source in (*naive.cards, *naive.tasks)
        for name in naive.seats
        if reference.GOLD[source](naive, name) != reference.GOLD[source](changed, name)
    ]


def accepts(read: Callable[[str], object], line: str) -> bool:
    """Whether a position can be read."""
    try:
        read(line)
    except ValueError:
        return False
    return True


def compare_refusals(rng: random.Random, naive: reference.State) -> list[str]:
    """Caves and capitols anywhere: both engines take the line, or neither does."""
    events = []
    for key, terrain, most in (("cave", "mountain", 5), ("capitol", "castle", 3)):
        places = reference.by_cell(reference.on_main(naive.board.land[terrain]))
        names = [reference.cell(h) for h in rng.sample(places, min(len(places), most))]
        names = names[: rng.randint(1, most)]
        if not names:
            continue
        main = " ".join(
            word
            for word in naive.board.text.split()
            if not word.startswith(("island=", "caves=", "capitols="))
        )
        line = f"kb1 {main} {key}s={','.join(names)} cards=lords red=- blue=- turn=red card=hidden"
        known = accepts(reference.parse, line)
        same(f"whether one can read the {key}s", line, accepts(parse_position, line), known)
        events.append(f"{key} laid" if known else f"misplaced {key}")
    return events


def same(what: str, line: str, kernel: object, naive: object) -> None:
    if kernel != naive:
        raise Difference(f"{what} of {line}: kernel {kernel}, reference {naive}")


def play(seed: int, max_steps: int = 600) -> Counter[str]:
    """Play one game on both engines; return how often what occurred, raise Difference."""
    rng = random.Random(seed)
    seats = rng.sample(COLOURS, rng.randint(2, 5))
    cards = rng.sample(CARDS, rng.choice((3, 3, 12)))
    turn, place = divmod(seed, len(STARTS))
    # How often the same start has had its turn.
    turn = turn * STARTS.count(STARTS[place]) + STARTS[:place].count(STARTS[place])
    naive = reference.parse(STARTS[place](rng, seats, cards, turn))
    line = reference.format(naive)
    position = parse_position(line)
    seen = Counter({f"{len(seats)} seats": 1})
    seen.update(f"{key}={value}" for key, value in naive.options.items())
    seen.update(compare_refusals(rng, naive))
    for number in range(max_steps):
        same("line", line, format_line(position), line)
        position.check()
        if number % 2 == 0:  # costs as much as all the rest
            spelling = ("line", "json", "toml")[number // 2 % 3]
            again = parse_position(format_position(position, spelling))
            same(f"round trip through {spelling}", line, format_line(again), line)
            same(f"equality after {spelling}", line, again == position, True)
        draws = reference.draws(naive)
        counts = zip(reference.TERRAIN_CARDS, position.draws(), strict=True)
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
            seen.update(notice(naive, steps))
        seen["steps"] += 1
        if ":" in step or step in ("outpost", "fort"):
            seen["use " + step.split(":")[0]] += 1
        naive = reference.apply(naive, step)
        seen.update(naive.events)
        line = reference.format(naive)
        advance(position, parse_step(position, step))
        if step == "end":
            same("gold", line, score_rows(position), reference.score(naive))
    seen.update(compare_spaces(naive))
    for gold in reference.score(naive).values():
        seen.update(f"score {rule}" for rule, amount in gold.items() if amount)
    return seen


def summary(seen: Counter[str]) -> str:
    """Return how often each event occurred, a few to a line."""
    words = [f"{event} {seen[event]}" for event in EVENTS]
    return "\n".join("  " + ", ".join(words[i : i + 6]) for i in range(0, len(words), 6))
