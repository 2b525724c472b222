"""The features of the model in plain Python, for games of the base box: cell by cell, no tables."""

from kbai._fast import Filter, Phase, Position, Score, Space, Step, Terrain
from kbai.game.steps import unpack_step

LAND = range(Terrain.GRASS, Terrain.MARSH)
PAYS_BESIDE = {Score.FISHERMEN: Terrain.WATER, Score.MINERS: Terrain.MOUNTAIN}


class Table:
    """A position of the base game, as sets of cells."""

    def __init__(self, position: Position) -> None:
        self.position, self.board = position, position.board
        fields = position.fields()
        self.lifted = fields["lift"][1] if fields["lift"] else None
        self.seats = fields["seats"]
        self.mover, self.start, self.phase = fields["mover"], fields["start"], fields["phase"]
        self.own = [set(seat["cells"]) for seat in self.seats]
        if self.lifted is not None:
            self.own[self.mover].discard(self.lifted)
        pieces = set().union(*self.own)
        self.free = {c for c in range(400) if self.terrain(c) in LAND} - pieces
        self.spaces = [(cell, kind, slot) for cell, kind, slot in self.board.spaces]
        taken = [place for seat in self.seats for place in seat["taken"]]
        self.left = [2 - taken.count(i) for i in range(len(self.spaces))]
        self.least = min(seat["supply"] for seat in self.seats)

    def terrain(self, cell):
        return self.board.terrain(cell)

    def around(self, cells):
        return {n for cell in cells for n in self.board.neighbours(cell)}

    def wanted(self, seat):
        """Return the places of tiles that a seat can still gain."""
        return {
            i
            for i, (_, kind, _) in enumerate(self.spaces)
            if kind == Space.LOCATION and self.left[i] > 0 and i not in self.seats[seat]["taken"]
        }

    def castles(self):
        return {i for i, (_, kind, _) in enumerate(self.spaces) if kind == Space.CASTLE}

    def beside(self, cells):
        """Return the special spaces beside some cells."""
        near = self.around(cells)
        return {i for i, (cell, _, _) in enumerate(self.spaces) if cell in near}

    def layers(self, seat):
        """Return the spaces that one, two, three more houses reach."""
        seen, found, near = self.beside(self.own[seat]), [], self.around(self.own[seat])
        for _ in range(3):
            near = self.around(near & self.free)
            new = {i for i, (cell, _, _) in enumerate(self.spaces) if cell in near} - seen
            found.append(new)
            seen |= new
        return found

    def untouched(self, seat):
        near = self.around(self.own[seat]) & self.free
        return {terrain for terrain in LAND if not any(self.terrain(c) == terrain for c in near)}

    def pays(self, rule, cell):
        """Tell whether a card pays for a hex alone; None if it asks for more."""
        if rule in PAYS_BESIDE:
            terrain = PAYS_BESIDE[rule]
            return self.terrain(cell) != terrain and any(
                self.terrain(n) == terrain for n in self.board.neighbours(cell)
            )
        return bool(self.beside({cell})) if rule == Score.WORKERS else None

    def row(self, seat, number):
        return sum(cell // 20 == number for cell in self.own[seat])

    def quadrant(self, seat, number):
        return sum((c // 200) * 2 + c % 20 // 10 == number for c in self.own[seat])

    def tiles(self, seat, slot):
        fields = self.seats[seat]
        return sum(fields[key][slot - 1] for key in ("ready", "fresh", "used"))


def tile_class(table, slot):
    return Filter(table.board.tiles[slot - 1][1]).name.lower()


def seat_features(position, seat):
    """Return the features of a seat that are not 0, by name."""
    table = Table(position)
    own, fields = table.own[seat], table.seats[seat]
    room = table.around(own) & table.free
    layers, wanted = table.layers(seat), table.wanted(seat)
    turn = (seat - table.start) % len(table.seats) < (table.mover - table.start) % len(table.seats)
    sizes = [sum(table.terrain(c) == terrain for c in room) for terrain in LAND]
    detail = position.score_detail()[seat]
    found = {
        "always": 1,
        "supply": fields["supply"] / 40,
        "behind": (fields["supply"] - table.least) / 10,
        "moved": turn,
        "castles": detail[0] / 10,
        "room": sum(n / (n + 3) for n in sizes),
        "untouched": len(table.untouched(seat)),
        "wanted": len(wanted) / 4,
    }
    if len(table.seats) > 2:
        found[f"seats:{len(table.seats) - 3}"] = 1
    for i, layer in enumerate(layers):
        found[f"tile_ahead:{i}"] = len(layer & wanted)
        found[f"castle_ahead:{i}"] = len(layer & table.castles())
    for slot in range(1, len(table.board.tiles) + 1):
        key = f"tiles:{tile_class(table, slot)}"
        found[key] = found.get(key, 0) + table.tiles(seat, slot)
    for rule, gold in zip(table.board.cards, detail[4:], strict=True):
        name = Score(rule).name.lower()
        found |= {f"card:{name}": 1, f"gold:{name}": gold / 10}
        found |= card_features(table, seat, rule, gold, room, layers)
    return {name: float(value) for name, value in found.items() if value}


def card_features(table, seat, rule, gold, room, layers):
    if rule in (Score.FISHERMEN, Score.MINERS, Score.WORKERS):
        name = Score(rule).name.lower()
        return {f"chances:{name}": sum(table.pays(rule, cell) for cell in room) / 10}
    if rule == Score.DISCOVERERS:
        rows = {cell // 20 for cell in room if not table.row(seat, cell // 20)}
        return {"new_rows": len(rows) / 10}
    if rule == Score.KNIGHTS:
        best, most = gold // 2, 0
        for number in range(20):
            if best and table.row(seat, number) >= best - 1:
                free = sum(cell // 20 == number for cell in room)
                most = max(most, free - 2 * (best - table.row(seat, number)))
        return {"row_room": most / 10}
    if rule == Score.MERCHANTS:
        touched = len(table.beside(table.own[seat]))
        ahead = {f"spaces:{i + 1}": len(layer) / 10 for i, layer in enumerate(layers)}
        return {"spaces:0": (touched - gold // 4) / 10} | ahead
    counts = [table.quadrant(seat, k) for k in range(4)]
    if rule == Score.FARMERS:
        first, second, third, _ = sorted(counts)
        place = counts.index(first)
        reach = any((c // 200) * 2 + c % 20 // 10 == place for c in room)
        return {
            "quadrants:0": min(second - first, 4) / 4,
            "quadrants:1": min(third - first, 6) / 6,
            "quadrants:2": reach,
        }
    found = {}
    if rule == Score.LORDS:
        for k in range(4):
            others = [table.quadrant(i, k) for i in range(len(table.seats)) if i != seat]
            key = f"lords:{min(max(counts[k] - max(others), -3), 3) + 3}"
            found[key] = found.get(key, 0) + 1
    return found


def step_features(position, step):
    """Return the features of a step that builds or puts a house, or ends the turn, by name."""
    table = Table(position)
    kind, slot, cell = unpack_step(step)
    found = {f"kind:{Step(kind).name.lower()}": 1.0}
    seat = position.actor
    if slot and table.phase == Phase.PRE:
        found["first"] = 1
    if kind == Step.END:
        ready = sum(bin(count).count("1") for count in table.seats[seat]["ready"])
        return found | ({"ready": ready} if ready else {})
    if kind == Step.BUILD and slot:
        found[f"build_by:{tile_class(table, slot)}"] = 1
    found |= place_features(table, seat, cell)
    for rule in table.board.cards:
        found |= rule_features(table, seat, rule, cell)
    return {name: float(value) for name, value in found.items() if value}


def place_features(table, seat, cell):
    own, around = table.own[seat], set(table.board.neighbours(cell))
    beside, reached = table.beside({cell}), table.beside(own)
    found = {}
    for i in beside & table.wanted(seat):
        slot = table.spaces[i][2]
        key = f"gain:{tile_class(table, slot)}"
        found[key] = found.get(key, 0) + 1
        found["second"] = found.get("second", 0) + bool(table.tiles(seat, slot))
        found["last"] = found.get("last", 0) + (table.left[i] == 1)
    found["castle"] = len(beside & table.castles() - reached)
    touched = table.untouched(seat) & {table.terrain(n) for n in around}
    if touched:
        found[f"touched:{min(len(touched), 3) - 1}"] = 1
    found[f"beside:{min(len(around & own), 3)}"] = 1
    fresh = around & table.free - table.around(own)
    found["free"], found["fresh"] = len(around & table.free) / 6, len(fresh) / 6
    others = set().union(*(table.own[i] for i in range(len(table.seats)) if i != seat))
    found["others"] = bool(around & others)
    found["edge"] = cell // 20 in (0, 19) or cell % 20 in (0, 19)
    return found


def areas_beside(table, seat, cell):
    """Return the own areas that a cell touches."""
    left, found = set(table.own[seat]), []
    for start in table.board.neighbours(cell):
        if start not in left:
            continue
        area, waiting = set(), [start]
        while waiting:
            here = waiting.pop()
            if here in left:
                left.discard(here)
                area.add(here)
                waiting += table.board.neighbours(here)
        found.append(area)
    return found


def rule_features(table, seat, rule, cell):
    name = Score(rule).name.lower()
    row = cell // 20
    if table.pays(rule, cell) is not None:
        fresh = set(table.board.neighbours(cell)) & table.free - table.around(table.own[seat])
        opens = sum(table.pays(rule, n) for n in fresh)
        return {f"pays:{name}": table.pays(rule, cell), f"opens:{name}": opens / 6}
    if rule == Score.DISCOVERERS:
        beside = [r for r in (row - 1, row + 1) if 0 <= r < 20 and not table.row(seat, r)]
        return {f"worth:{name}": not table.row(seat, row), "rows_ahead": len(beside)}
    if rule == Score.KNIGHTS:
        short = max(table.row(seat, r) for r in range(20)) - table.row(seat, row) - 1
        return {f"knights:{0 if short < 0 else min(short + 1, 3)}": 1}
    if rule == Score.HERMITS:
        return {f"hermits:{min(len(areas_beside(table, seat, cell)), 3)}": 1}
    return {}
