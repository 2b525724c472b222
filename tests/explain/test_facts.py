"""Facts are true on the board: every word of them is checked with the slow engine."""

import random
import re
from collections import Counter
from itertools import islice

import differential  # noqa: F401  (tells the reference all quadrants)
import pytest
import reference
from positions import NOMADS_BOARD, NOMADS_LAID, busy_steps, random_starts
from reference import hex_of

from kbai._fast import Phase, Step
from kbai.explain.facts import FINDERS
from kbai.explain.facts.choices import choices
from kbai.explain.facts.houses import houses_kept, houses_more
from kbai.explain.facts.opponents import opponents
from kbai.explain.facts.tiles import tiles
from kbai.explain.kingdom import Kingdom
from kbai.game.steps import END, advance, next_steps, unpack_step
from kbai.notation.positions import format_line, parse_position

QUADRANTS = ("top left", "top right", "bottom left", "bottom right")
CELL = r"(~?[a-t]\d+)"


# --- pairs of turns -----------------------------------------------------------------------------


def pairs(games):
    """Yield positions and where two random turns from there lead."""
    for seed, start in random_starts(games):
        steps = busy_steps(start, seed)
        generator = random.Random(seed)
        current = start.copy()
        for step in steps[: int(len(steps) * generator.uniform(0.2, 0.9))]:
            advance(current, step)
        while not current.is_over and (current.phase != Phase.PRE or current.pending_draw):
            advance(current, generator.choice(next_steps(current)))
        if current.is_over:
            continue
        yield current, random_turn(current, generator), random_turn(current, generator)


def random_turn(start, generator):
    """Return where a random turn leads whose player likes special spaces."""
    current = start.copy()
    while not current.is_over:
        options = next_steps(current)
        near = [step for step in options if step > 0 and beside_space(current, step)]
        step = generator.choice(near if near and generator.random() < 0.5 else options)
        advance(current, step)
        if step == END:
            break
    return current


def beside_space(current, step):
    kind, _, place = unpack_step(step)
    return kind in (Step.BUILD, Step.PUT) and bool(current.board.spaces_beside(place))


class Side:
    """What the slow engine knows of a seat after a turn."""

    def __init__(self, position, name):
        self._look(reference.parse(format_line(position)), name)

    @classmethod
    def of(cls, state, name):
        side = cls.__new__(cls)
        side._look(state, name)
        return side

    def _look(self, state, name):
        self.state = state
        self.name = name
        self.board = self.state.board
        self.own = reference.own_pieces(self.state, name)
        self.areas = reference.areas(self.board, self.own)
        self.seat = self.state.seat[name]

    def gold(self, source):
        return reference.GOLD[source](self.state, self.name)

    def touches(self, space):
        return reference.touches(self.board, space, self.own)

    def rows(self):
        return Counter(reference.name_in_row(reference.row_of(h)) for h in self.own)

    def quadrant(self, name, seat=None):
        return reference.per_quadrant(reference.own_pieces(self.state, seat or self.name))[
            QUADRANTS.index(name)
        ]

    def around(self, space, seat=None):
        pieces = reference.own_pieces(self.state, seat or self.name)
        return reference.neighbours_among(self.board, space, pieces)

    def others(self):
        return [seat for seat in self.state.seats if seat != self.name]

    def links(self, things):
        """Return which of some things, each a set of hexes, an area connects with another."""
        found = set()
        for area in self.areas:
            near = area | {n for h in area for n in self.board.neighbours[h]}
            touched = {key for key, hexes in things.items() if near & hexes}
            found |= touched if len(touched) > 1 else set()
        return found

    def land_beside(self):
        """Return the free hexes that can be built on and are next to settlements."""
        free = {h for h in reference.free_hexes(self.state) if h in self.board.buildable}
        return {h for h in free if reference.touches(self.board, h, self.own)}

    def merchant_spaces(self):
        return {h: {h} for h in reference.scoring_spaces(self.state, "merchants")}

    def settlements_to_link(self, space):
        """Return the fewest settlements that connect a space with another, up to three."""
        free = {
            h
            for h in reference.free_hexes(self.state)
            if any(h in self.board.land[name] for name in reference.LAND)
        }
        spaces = self.merchant_spaces().keys() - {space}
        best = 4
        for area in self.areas:
            if not any(reference.touches(self.board, other, area) for other in spaces):
                continue
            reached = set(area)
            for count in range(4):
                grown = set(reached)
                border = set(reached)
                while border:  # own settlements cost nothing
                    border = {
                        n for h in border for n in self.board.neighbours[h] if n in self.own
                    } - grown
                    grown |= border
                if reference.touches(self.board, space, grown):
                    best = min(best, count)
                    break
                reached = grown | {n for h in grown for n in self.board.neighbours[h] if n in free}
        return best


# --- what each sentence claims ------------------------------------------------------------------


def spaces_in(text):
    """Return the hexes that a text names, and check that they are what it calls them."""
    return [hex_of(name) for name in re.findall(rf"at {CELL}", text)]


def is_called(side, text):
    """Tell whether every space of a list is called what it is."""
    for kind, name in re.findall(rf"the ([a-z ]+?) at {CELL}", text):
        space = hex_of(name)
        if kind == "nomad space":
            assert space in side.board.land["nomad"]
        elif kind in ("castle", "palace", "silo"):
            assert space in side.board.land[kind]
        else:
            assert side.board.locations[space] == kind.replace(" ", "_")
    return True


def counted(source, where, place=None):
    """Return the claims of a card that pays for settlements; ``place`` tells which hexes count."""

    def check(one, two, more):
        assert one.gold(source) - two.gold(source) == int(more) > 0

    def in_reach(one, two, count, other):
        near = [sum(place(side, h) for h in side.land_beside()) for side in (one, two)]
        assert near == [int(count), int(other)] and near[0] > near[1]
        assert one.gold(source) <= two.gold(source)

    claims = [(rf"has (\d+) more settlements? {where}", check)]
    reach = rf"can grow onto (\d+) hex(?:es)? {where} instead of (\d+)"
    return claims + [(reach, in_reach)] if place else claims


def beside(terrain):
    def counts(side, h):
        ground = side.board.land[terrain or side.state.scouted]
        return h not in ground and reference.touches(side.board, h, ground)

    return counts


def scores_as_worker(side, h):
    return reference.touches(side.board, h, reference.scoring_spaces(side.state, "workers"))


def castles_reached(one, two, names):
    assert is_called(one, names)
    for castle in spaces_in(names):
        assert castle in one.board.land["castle"]
        assert one.touches(castle) and not two.touches(castle)


def castle_near(one, two, hexes, name):
    castle = hex_of(name)
    assert castle in one.board.land["castle"]
    far = [
        min((reference.distance(h, castle) for h in side.own), default=99) for side in (one, two)
    ]
    assert far[0] == int(hexes) < far[1]


def rows_settled(one, two, names):
    rows = re.findall(r"~?\d+", names)
    assert {*rows} == one.rows().keys() - two.rows().keys()
    assert not two.rows().keys() - one.rows().keys()


def more_rows(one, two, more):
    assert len(one.rows()) - len(two.rows()) == int(more)


def rows_in_reach(one, two, count, other):
    near = [
        {reference.name_in_row(reference.row_of(h)) for h in side.land_beside()}
        - side.rows().keys()
        for side in (one, two)
    ]
    assert [len(rows) for rows in near] == [int(count), int(other)]
    assert int(count) > int(other) and len(one.rows()) <= len(two.rows())


def fullest_row(one, two, count, row, other):
    assert one.rows()[row] == int(count) == one.gold("knights") // 2
    assert two.gold("knights") // 2 == int(other) < int(count)


def lonely_rows(one, two, more):
    assert [*one.rows().values()].count(1) - [*two.rows().values()].count(1) == int(more)


def rows_claimed(one, two, names):
    for row in re.findall(r"~?\d+", names):
        marked = [
            {reference.name_in_row(r) for r in side.state.seat[one.name].mayors}
            for side in (one, two)
        ]
        assert row in marked[0] - marked[1]


def more_areas(one, two, more):
    assert len(one.areas) - len(two.areas) == int(more)


def larger_area(one, two, size, other):
    assert max(map(len, one.areas)) == int(size)
    assert max(map(len, two.areas), default=0) == int(other) < int(size)


def longer_area(one, two, start, end):
    ends = hex_of(start), hex_of(end)
    assert any({*ends} <= area for area in one.areas)
    assert 2 * (reference.distance(*ends) + 1) == one.gold("messengers") > two.gold("messengers")


def links(one, two, text):
    """Every link: those at its ends are connected in one area, and not all were without it."""
    things = one.merchant_spaces()
    assert is_called(one, text)
    for part in text.split("links ")[1:]:
        named = spaces_in(part)
        assert any(
            all(reference.touches(one.board, space, area) for space in named) for area in one.areas
        )
        assert {*named} <= one.links(things)
        assert not {*named} <= two.links(things)
    assert one.gold("merchants") > two.gold("merchants")


def nearly_linked(one, two, more, names):
    assert is_called(one, names)
    space, other = spaces_in(names)
    assert one.settlements_to_link(space) == int(more) < two.settlements_to_link(space)
    assert one.touches(other)


def mountains_linked(one, two, text):
    mountains = reference.areas(one.board, one.board.land["mountain"])
    named = [next(m for m in mountains if h in m) for h in spaces_in(text)]
    things = {index: mountain for index, mountain in enumerate(mountains)}
    keys = {mountains.index(mountain) for mountain in named}
    assert keys <= one.links(things) and not keys <= two.links(things)
    assert one.gold("geologists") > two.gold("geologists")


def quadrants_settled(one, two, names):
    for name in QUADRANTS:
        if name in names:
            assert one.quadrant(name) and not two.quadrant(name)


def weakest_quadrant(one, two, count, other):
    assert one.gold("farmers") == 3 * int(count) > two.gold("farmers") == 3 * int(other)


def quadrant_near(one, two, where, name):
    hexes = 1 if where == "next to" else int(re.findall(r"\d", where)[0])
    far = []
    for side in (one, two):
        assert not side.quadrant(name)
        land = {
            h
            for h in reference.free_hexes(side.state)
            if reference.quadrant_of(h) == QUADRANTS.index(name) and h in side.board.buildable
        }
        own = reference.on_main(side.own)
        far.append(min((reference.distance(h, n) for h in own for n in land), default=99))
    assert far[0] == hexes < far[1]


def stronger_quadrant(one, two, count, name, other):
    assert one.quadrant(name) == int(count) > two.quadrant(name) == int(other)
    assert two.gold("farmers") == 3 * int(other) <= one.gold("farmers")


def fullest_quadrant(one, two, count, name, other):
    assert one.quadrant(name) == int(count) == one.gold("homesteaders")
    assert two.gold("homesteaders") == int(other) < int(count)


def named_quadrants(names):
    found = [name for name in QUADRANTS if name in names]
    assert found
    return found


def leads(side, name):
    """Tell whether a seat gets the gold of the first; without a settlement by option only."""
    own = side.quadrant(name)
    is_there = own > 0 or not side.state.option("lords_need_presence")
    return is_there and own >= max(side.quadrant(name, seat) for seat in side.others())


def most_in_quadrant(one, two, names):
    for name in named_quadrants(names):
        rivals = [one.quadrant(name, seat) for seat in one.others()]
        assert one.quadrant(name) > max(rivals)
        assert not leads(two, name)


def ties_in_quadrant(one, two, names):
    for name in named_quadrants(names):
        assert one.quadrant(name) == max(one.quadrant(name, seat) for seat in one.others())
        assert not leads(two, name)


def second_in_quadrant(one, two, names):
    for name in named_quadrants(names):
        counts = {one.quadrant(name, seat) for seat in one.state.seats}
        assert one.quadrant(name) == sorted(counts, reverse=True)[1]
        assert one.quadrant(name) not in [one.quadrant(name, seat) for seat in one.others()]


def ties_for_second(one, two, names):
    for name in named_quadrants(names):
        counts = {one.quadrant(name, seat) for seat in one.state.seats}
        assert one.quadrant(name) == sorted(counts, reverse=True)[1]
        assert one.quadrant(name) in [one.quadrant(name, seat) for seat in one.others()]


def most_around(one, two, names):
    assert is_called(one, names)
    for space in spaces_in(names):
        assert one.around(space) > max(one.around(space, seat) for seat in one.others())
        rivals = max(two.around(space, seat) for seat in two.others())
        assert two.around(space) == 0 or two.around(space) < rivals


def ties_around(one, two, names):
    assert is_called(one, names)
    for space in spaces_in(names):
        assert one.around(space) == max(one.around(space, seat) for seat in one.others()) > 0


def scored_at_once(source, gold=None):
    def check(one, two, more=None):
        difference = one.gold(source) - two.gold(source)
        assert difference > 0 and difference == (int(more) if more else gold or difference)

    return check


def whole_area(one, two, terrain, name):
    ground = reference.on_main(one.board.land[terrain])
    area = next(a for a in reference.areas(one.board, ground) if hex_of(name) in a)
    assert area <= one.own and two.gold("home_country") == 0


def surrounded(one, two, name):
    assert hex_of(name) in one.own and one.around(hex_of(name)) == 6 and not two.gold("fortress")


def refuge(one, two, names):
    assert is_called(one, names)
    (space,) = spaces_in(names)
    assert one.around(space) == 6 and not two.gold("place_of_refuge")


def nearly_refuge(one, two, count, names, other):
    assert is_called(one, names)
    (space,) = spaces_in(names)
    spaces = reference.on_main(reference.scoring_spaces(one.state, "place_of_refuge"))
    assert space in spaces and one.around(space) == int(count) < 6
    assert max(two.around(each) for each in spaces) == int(other) < int(count)


def diagonal(side, least):
    return any(
        all(reference.step_from(h, d, i) in side.own for i in range(least))
        for h in reference.on_main(side.own)
        for d in reference.DIAGONALS
    )


def road(one, two, count, other):
    assert diagonal(one, int(count)) and not diagonal(one, int(count) + 1)
    assert not diagonal(two, int(other) + 1) and int(other) < int(count)


def on_edge(side, edge):
    row, column = {"top": (0, None), "bottom": (19, None), "left": (None, 0), "right": (None, 19)}[
        edge
    ]
    return sum(
        (reference.row_of(h) == row) if column is None else (reference.column_of(h) == column)
        for h in reference.on_main(side.own)
    )


EDGES = ("top", "bottom", "left", "right")


def advanced(one, two, count, edge, other=0):
    assert on_edge(one, edge) == int(count)
    assert max(on_edge(two, each) for each in EDGES) == int(other) < int(count)


def edges_reached(one, two, names):
    for edge in EDGES:
        if edge in names:
            assert on_edge(one, edge) and not on_edge(two, edge)


def tiles_had(before, one, two, text):
    """Check every tile of a text: taken or kept, the last one or not."""
    for verb, rest in re.findall(r"(takes|keeps) ((?:(?!takes|keeps).)*)", text):
        for last, kind, name in re.findall(rf"the (last )?([a-z ]+?) tile at {CELL}", rest):
            space, tile = hex_of(name), kind.replace(" ", "_")
            assert side_tile(one, space) == tile
            assert has_tile(one, space) and not has_tile(two, space)
            assert has_tile(before, space) == (verb == "keeps")
            if last:
                assert reference.tiles_left(one.state, space) == 0
            elif verb == "takes" and space not in one.board.land["nomad"]:
                assert reference.tiles_left(one.state, space) > 0


def side_tile(side, space):
    return side.board.locations.get(space) or side.state.nomads[space]


def has_tile(side, space):
    if space in side.board.land["nomad"]:
        return space in side.state.gone and side.touches(space)
    return space in side.seat.tiles


def free_choice(one, two, names):
    for name in re.findall(r"[a-z]+", names.replace(" and ", " ")):
        for side, is_free in ((one, True), (two, False)):
            hexes = reference.free_hexes(side.state) & side.board.land[name]
            assert hexes
            assert not any(reference.touches(side.board, h, side.own) for h in hexes) == is_free


def gold_lost(one, two, less, source, seat):
    source = source.replace(" ", "_")
    golds = [reference.GOLD[source](side.state, seat) for side in (one, two)]
    assert golds[1] - golds[0] == int(less) > 0


def cut_off(one, two, seat, names, needed):
    assert is_called(one, names)
    space, other = spaces_in(names)
    now, then = (Side.of(side.state, seat) for side in (one, two))
    assert then.settlements_to_link(space) == int(needed) < now.settlements_to_link(space)
    assert then.touches(other)


def choice_taken(one, two, seat, names):
    free_choice(Side.of(two.state, seat), Side.of(one.state, seat), names)


def shut_out(one, two, names, castle):
    space = hex_of(castle)
    land = set().union(*(one.board.land[name] for name in reference.LAND))
    room = [
        [
            n
            for n in side.board.neighbours[space]
            if n in land and n not in reference.all_settlements(side.state)
            and n not in side.state.walls
        ]
        for side in (one, two)
    ]  # fmt: skip
    assert not room[0] and room[1]
    for seat in names.replace(" and ", ", ").split(", "):
        assert seat in one.others() and not one.around(space, seat)


SPACES = r"(the .*)"
CLAIMS = {
    "castles": [
        (rf"reaches {SPACES}", castles_reached),
        (rf"comes within (\d) hexes of the castle at {CELL}", castle_near),
    ],
    "treasure": [("takes a treasure", scored_at_once("treasure", 3))],
    "fishermen": counted("fishermen", "beside water", beside("water")),
    "miners": counted("miners", "beside a mountain", beside("mountain")),
    "workers": counted(
        "workers", "beside (?:castles and locations|special spaces)", scores_as_worker
    ),
    "vassals": counted(
        "vassals", "where the quadrants meet", lambda _, h: reference.on_inner_border(h)
    ),
    "travelers": counted(
        "travelers", "on the edge of the board", lambda side, h: h in side.board.edge
    ),
    "captains": counted("captains", "beside three or more own ones"),
    "chainers": counted("chainers", "beside exactly two own ones"),
    "scouts": counted("scouts", "beside [a-z]+", beside(None)),
    "capitols": counted("capitols", "within two hexes of (?:the|a) capitol"),
    "discoverers": [
        (r"also settles rows? (.*)", rows_settled),
        (r"settles (\d+) more rows?", more_rows),
        (r"is next to free hexes in (\d+) new rows? instead of (\d+)", rows_in_reach),
    ],
    "knights": [
        (r"has (\d+) settlements in row (~?\d+) instead of at most (\d+) in any row", fullest_row)
    ],
    "rangers": [(r"has (\d+) more rows? with a single settlement", lonely_rows)],
    "mayors": [(r"claims (rows? .*)", rows_claimed)],
    "hermits": [(r"has (\d+) more settlement areas?", more_areas)],
    "citizens": [(r"has (\d+) settlements in its largest area instead of (\d+)", larger_area)],
    "messengers": [(rf"has an area that reaches from {CELL} to {CELL}", longer_area)],
    "merchants": [
        (r"(links .*)", links),
        (rf"needs only (\d) more settlements? to link {SPACES}", nearly_linked),
    ],
    "geologists": [(r"(links .*)", mountains_linked)],
    "farmers": [
        (r"settles the (.*) quadrants?", quadrants_settled),
        (r"has (\d+) settlements? in the (.*) quadrant instead of (\d+)", stronger_quadrant),
        (r"gets (next to|within \d hexes of) free land in the (.*) quadrant", quadrant_near),
        (r"has at least (\d+) settlements in every quadrant instead of (\d+)", weakest_quadrant),
    ],
    "homesteaders": [
        (
            r"has (\d+) settlements in the (.*) quadrant instead of at most (\d+) in any",
            fullest_quadrant,
        )
    ],
    "lords": [
        (r"has the most settlements in the (.*) quadrants?", most_in_quadrant),
        (r"ties for the most settlements in the (.*) quadrants?", ties_in_quadrant),
        (r"is second in the (.*) quadrants?", second_in_quadrant),
        (r"ties for second in the (.*) quadrants?", ties_for_second),
    ],
    "palaces": [
        (rf"has the most settlements around {SPACES}", most_around),
        (rf"ties for the most settlements around {SPACES}", ties_around),
    ],
    "noblewomen": [
        (rf"has the most settlements around {SPACES}", most_around),
        (rf"ties for the most settlements around {SPACES}", ties_around),
    ],
    "families": [("builds its three houses in a line", scored_at_once("families", 2))],
    "shepherds": [
        (
            r"scores (\d+) gold more at once",
            scored_at_once("shepherds"),
        )
    ],
    "ambassadors": [
        (
            r"scores (\d+) gold more at once, building beside other players",
            scored_at_once("ambassadors"),
        )
    ],
    "rovers": [(r"builds in (\d) more quadrants? this turn", scored_at_once("rovers"))],
    "home_country": [(rf"covers the whole area of ([a-z]+) at {CELL}", whole_area)],
    "fortress": [(rf"surrounds its settlement on {CELL} on all sides", surrounded)],
    "place_of_refuge": [
        (rf"surrounds {SPACES} on all sides", refuge),
        (
            rf"has (\d) settlements around {SPACES} instead of at most (\d) around any",
            nearly_refuge,
        ),
    ],
    "road": [(r"has (\d+) settlements in a diagonal line instead of (\d+)", road)],
    "advance": [
        (r"has (\d+) settlements? on the ([a-z]+) edge instead of at most (\d+) on any", advanced),
        (r"has (\d+) settlements? on the ([a-z]+) edge instead of none", advanced),
    ],
    "compass_points": [(r"reaches the (.*) edges?", edges_reached)],
    "choices": [(r"can build anywhere on (.*)", free_choice)],
    "opponents": [
        (r"takes (\d+) gold of ([a-z ]+) from ([a-z]+) for now", gold_lost),
        (rf"blocks ([a-z]+)'s shortest link from {SPACES} \((\d) more settlements?\)", cut_off),
        (r"leaves ([a-z]+) no free choice of hexes on (.*)", choice_taken),
        (rf"leaves (.*) no free land at the castle at {CELL}", shut_out),
    ],
}


def check(source, fact, one, two):
    """Check what a fact says, and return which kind of fact it is."""
    for pattern, claim in CLAIMS[source]:
        match = re.fullmatch(pattern, fact)
        if match:
            claim(one, two, *match.groups())
            return source, pattern
    raise AssertionError(f"nobody has checked {source}: {fact}")


def check_pair(position, first, second):
    """Check all facts of a pair of turns in both directions, and return their kinds."""
    setup = position.board.source
    seat = position.mover
    name = setup.seats[seat]
    before = Side(position, name)
    sides = [Side(end, name) for end in (first, second)]
    kingdoms = [Kingdom(end, seat) for end in (first, second)]
    met = set()
    for (one, two), pair in (
        (sides, kingdoms),
        (sides[::-1], kingdoms[::-1]),
    ):
        found = {source: FINDERS[source](*pair) for source in pair[0].gold}
        found |= {"choices": choices(*pair), "opponents": opponents(*pair)}
        for source, fact in found.items():
            if fact:
                met.add(check(source, fact, one, two))
        fact = tiles(Kingdom(position, seat), *pair)
        if fact:
            tiles_had(before, one, two, fact)
            met.add(("tiles", fact.split()[0]))
    return met


def test_every_source_has_a_finder():
    assert FINDERS.keys() == reference.GOLD.keys()
    assert CLAIMS.keys() == {*FINDERS, "choices", "opponents"}


def test_facts_are_true():
    met = set()
    for position, first, second in islice(pairs(40), 40):
        met |= check_pair(position, first, second)
    assert len(met) > 20


# What random turns hardly ever do.
RARE = {"fortress", "home_country", "place_of_refuge", "treasure"}


@pytest.mark.slow
def test_facts_of_many_games_are_true():
    met = set()
    for position, first, second in pairs(400):
        met |= check_pair(position, first, second)
    assert FINDERS.keys() - RARE <= {source for source, _ in met}


# --- examples -----------------------------------------------------------------------------------

CARDS = "merchants,knights,farmers"
TASKS = "home_country,fortress,road,place_of_refuge,advance,compass_points"


def kingdom(rest, cards=CARDS, board="tavern,paddock,oasis,farm", more=""):
    line = f"kb1 board={board} cards={cards} {more} {rest} turn=blue card=hidden"
    return Kingdom(parse_position(" ".join(line.split())), 0)


def fact(source, first, second, **game):
    """Return what red has after the first turn and not after the second, and check it."""
    pair = [kingdom(f"red={cells} blue=t1", **game) for cells in (first, second)]
    found = FINDERS[source](*pair)
    assert FINDERS[source](*pair[::-1]) is None
    check(source, found, *(Side(each.position, "red") for each in pair))
    return found


@pytest.mark.parametrize(
    "source, first, second, expected",
    [
        ("castles", "e5", "f6", "reaches the castle at d4"),
        ("castles", "f5", "g8", "comes within 2 hexes of the castle at d4"),
        (
            "knights",
            "e8,f8,g8",
            "e8,f8,g9",
            "has 3 settlements in row 8 instead of at most 2 in any row",
        ),
        ("merchants", "e5,f5,f6,g6", "e5,f5,f6", "links the castle at d4 to the tavern at h7"),
        (
            "merchants",
            "g6,f6",
            "g6,g7",
            "needs only 2 more settlements to link the castle at d4 to the tavern at h7",
        ),
        ("farmers", "e8,k8", "e8,f8", "settles the top right quadrant"),
        (
            "farmers",
            "e8,f8,k8,e15,k11,l11",
            "e8,k8,e15,k11,l11,m11",
            "has 2 settlements in the top left quadrant instead of 1",
        ),
        ("farmers", "e8,j9", "e8,h9", "gets next to free land in the top right quadrant"),
        (
            "farmers",
            "e8,f8,k8,k9,k11,l11,e15,f15",
            "e8,f8,k8,k9,k11,l11,e15",
            "has at least 2 settlements in every quadrant instead of 1",
        ),
    ],
)
def test_examples(source, first, second, expected):
    assert fact(source, first, second) == expected


@pytest.mark.parametrize(
    "source, first, second, expected",
    [
        ("discoverers", "e8,e9", "e8,f8", "also settles row 9"),
        ("discoverers", "h8,i8", "k20,l20", "is next to free hexes in 2 new rows instead of 1"),
        ("miners", "i5", "i6", "has 1 more settlement beside a mountain"),
        ("miners", "i6", "h9", "can grow onto 2 hexes beside a mountain instead of 0"),
        ("travelers", "b9", "c8", "can grow onto 3 hexes on the edge of the board instead of 0"),
    ],
)
def test_examples_of_what_comes_next(source, first, second, expected):
    assert fact(source, first, second, cards="discoverers,miners,travelers") == expected


@pytest.mark.parametrize(
    "source, first, second",
    [
        ("farmers", "e8,f8", "o8,q8"),  # two settlements in one quadrant, or two in another
        # The weakest quadrant is another one, though there are more settlements in a strong one.
        ("farmers", "k8,e15,e16,f15,k11,l11", "e8,e15,e16,k11,l11"),
        ("castles", "f5", "p10"),  # two hexes from a castle, or two from another
        ("merchants", "g6,f6", "j6,k6"),
    ],
)
def test_what_the_other_turn_has_elsewhere_is_no_difference(source, first, second):
    pair = [kingdom(f"red={cells} blue=t1") for cells in (first, second)]
    assert FINDERS[source](*pair) is FINDERS[source](*pair[::-1]) is None


def test_a_house_more_is_told():
    more, fewer = (kingdom(f"red={cells} blue=t1") for cells in ("e8,f8,g8", "e8"))
    assert houses_more(more, fewer) == "has 2 more houses on the board"
    assert houses_more(fewer, more) is houses_more(more, more) is None
    assert houses_kept(fewer, more) == "has 2 more houses left to build"
    assert houses_kept(more, fewer) is houses_kept(more, more) is None


def test_opponents_are_told_of_one_seat_or_of_all():
    first, second = (
        Kingdom(
            parse_position(
                f"kb1 board=tavern,paddock,oasis,farm cards=lords red={cells} blue=e9 "
                "green=e10,f10,g10 turn=blue card=hidden"
            ),
            0,
        )
        for cells in ("e8,f8,h15", "h15,i15")
    )
    assert opponents(first, second) == "takes 6 gold of lords from blue for now"
    assert opponents(first, second, 1) == "takes 6 gold of lords from blue for now"
    assert opponents(first, second, 2) is None


@pytest.mark.parametrize(
    "source, first, second, expected",
    [
        (
            "place_of_refuge",
            "b7,d7,c6,b6,c8,b8",
            "b7,d7,c6,b6,c8",
            "surrounds the tavern at c7 on all sides",
        ),
        (
            "place_of_refuge",
            "b7,d7,c6",
            "b7,d7,e8",
            "has 3 settlements around the tavern at c7 instead of at most 2 around any",
        ),
        ("advance", "k20,l20,f9", "g9,f9", "has 2 settlements on the bottom edge instead of none"),
        ("advance", "k20", "g9", "has 1 settlement on the bottom edge instead of none"),
        (
            "fortress",
            "f8,e8,g8,f7,g7,f9,g9",
            "f8,e8,g8,f7,g7,f9",
            "surrounds its settlement on f8 on all sides",
        ),
        ("home_country", "s13,t13,t14", "s13,t13", "covers the whole area of flower at s13"),
    ],
)
def test_examples_of_tasks(source, first, second, expected):
    assert fact(source, first, second, more=f"tasks={TASKS}") == expected


def test_a_treasure_is_told():
    rest = "blue=t1"
    found = [
        kingdom(
            f"red=b1/gold=treasure:{gold} {rest}",
            cards="miners",
            board=NOMADS_BOARD.removeprefix("kb1 board="),
            more=NOMADS_LAID,
        )
        for gold in (3, 0)
    ]
    assert FINDERS["treasure"](*found) == "takes a treasure"
    assert FINDERS["treasure"](*found[::-1]) is None
