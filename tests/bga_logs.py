"""Logs of Board Game Arena, written from games of kbai: all wrappings, undo, restarts, odd numbers.

Nothing here is shared with `kbai.importing`: the tables are typed once more, so that a slip in one
of them shows. What a log offers and shows comes from the kernel.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass

from kbai._fast import Step
from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.game.setup import Setup
from kbai.game.steps import END, unpack_step
from kbai.notation.actions import legal_actions
from kbai.notation.games import Game, format_game, record_game
from kbai.notation.illegal import apply_action
from kbai.notation.turns import turn_up

TERRAIN = {"grass": 0, "canyon": 1, "desert": 2, "flower": 3, "forest": 4}
LOCATION = dict(oracle=8, farm=9, tavern=10, tower=11, harbor=12, paddock=13, oasis=14, barn=15)
CARD = dict(
    fishermen=1, merchants=2, discoverers=3, hermits=4, citizens=5, miners=6, workers=7, knights=8,
    lords=9, farmers=10,
)  # fmt: skip
QUADRANT = ("barn", "farm", "oracle", "harbor", "tower", "oasis", "paddock", "tavern")
COLOR = dict(red="ff0000", blue="0000ff", green="008000", yellow="ffa500", white="ffffff")
WRAPPINGS = ("new", "old", "page log", "bare", "players by id")


@dataclass(frozen=True)
class Habits:
    """What a log has more than its game."""

    undo: float = 0.0
    """How often, of all actions, something else was tried first and taken back."""
    restart: float = 0.0
    """How often, of all turns, one was begun anew."""
    own_hex: float = 0.0
    """How often, of all turns, a settlement was moved to its own hex before the end."""
    numbers: str = "mixed"
    """``int``, ``str`` or ``mixed``."""
    has_moves: bool = True
    """Whether an undo names what it takes back by number; otherwise by meaning only."""
    running_scores: bool = False
    private: bool = True
    has_states: bool = True
    """Whether it tells what each state of the game offers."""
    shows_cards: bool = True
    """Whether it shows the cards of turns, which can be told from states, too."""
    english: bool = False
    """Whether it names terrains in English."""
    wakeups: bool = True
    concede: bool = False
    unfinished: bool = False
    """Whether it breaks off before the last turn is confirmed."""
    names: Sequence[str] = ()
    tries: int = 0
    """How many other actions were tried before each one and taken back."""
    seed: int = 1


def random_game(seed: int, seats: int = 2) -> Game:
    """Return a game of the base set, played at random but with a liking for tiles."""
    start = Setup.random(seed, seats=seats).start_position()
    start = Setup(
        seats=tuple(COLOR)[:seats],
        cards=start.board.source.cards,
        board=start.board.source.board,
    ).start_position()
    rng = random.Random(seed)

    def choose(view):
        steps = view.position.legal()
        if END in steps and rng.random() < 0.6:
            return END  # and leave a tile unused
        tiles = [step for step in steps if unpack_step(step)[1]]
        return rng.choice(tiles if tiles and rng.random() < 0.4 else steps)

    played = play(start, Deal(start, seed), choose, seed=seed)
    return record_game(start, played.steps)


def write_log(game: Game, habits: Habits = Habits(), wrapping: str = "new") -> str:
    """Return the log of a game as text."""
    return json.dumps(wrap(_Writer(game, habits).packets(), game, habits, wrapping))


def write_page(game: Game, habits: Habits = Habits()) -> str:
    """Return the page of a replay."""
    writer = _Writer(game, habits)
    log = json.dumps(wrap(writer.packets(), game, habits, "page log"))
    places = ("top-left", "top-right", "bottom-left", "bottom-right")
    quadrants = "\n".join(
        f'<li class="quadrant quadrant-{QUADRANT.index(name.rstrip("*"))}'
        f'{" flipped" if name.endswith("*") else ""}" id="quadrant-{place}"></li>'
        for name, place in zip(game.setup.board, places, strict=True)
    )
    start = json.dumps(
        {
            "objectives": [{"id": CARD[card]} for card in game.setup.cards] + [{"id": 0}],
            "board": {"settlements": [], "locations": writer.locations()},
            "fplayers": [
                {"id": player, "no": place, "color": COLOR[seat], "name": name}
                for place, (player, seat, name) in enumerate(people(game, habits), start=1)
            ],
            "firstPlayer": people(game, habits)[0][0],
        }
    )
    return (
        f"<!DOCTYPE html><html><body><ul>{quadrants}</ul><script>\n"
        f'gameui.completesetup( "kingdombuilder", "Kingdom Builder", 1, 2, "", {start}, null );\n'
        f"g_gamelogs = {log};\n</script></body></html>"
    )


def people(game: Game, habits: Habits) -> list[tuple[int, str, str]]:
    """Return id, seat and name of each player, in turn order."""
    names = habits.names or [f"player {number}" for number in range(1, 6)]
    rows = zip(game.setup.seats, names, strict=False)
    return [(9000 + 7 * place, seat, name) for place, (seat, name) in enumerate(rows)]


def wrap(packets, game: Game, habits: Habits, wrapping: str) -> object:
    rows = [{"id": p, "color": f"#{COLOR[s]}", "name": n} for p, s, n in people(game, habits)]
    rows.reverse()  # not in turn order
    match wrapping:
        case "old":
            return {"status": 1, "data": {"status": 1, "data": {"valid": 1, "data": packets}}}
        case "page log":
            return {"status": 1, "data": {"valid": 1, "data": packets}}
        case "bare":
            return packets
        case "players by id":
            return {"status": 1, "data": {"logs": packets, "players": {r["id"]: r for r in rows}}}
    return {"status": 1, "data": {"logs": packets, "players": rows}}


class _Writer:
    def __init__(self, game: Game, habits: Habits) -> None:
        self.game = game
        self.habits = habits
        self.rng = random.Random(habits.seed)
        self.players = [player for player, _, _ in people(game, habits)]
        self.names = [name for _, _, name in people(game, habits)]
        self.position = game.start.copy()
        spaces = [space for space in game.setup.spaces if space.kind == "location"]
        self.tile_spaces = [space.cell for space in spaces]
        self.kind_at = {space.cell: space.tile for space in spaces}
        self.events: list[dict] = []
        self.rows: list[dict] = []
        self.move = 0

    # --- packets --------------------------------------------------------------------------------

    def number(self, value: int) -> int | str:
        numbers = self.habits.numbers
        as_text = self.rng.random() < 0.5 if numbers == "mixed" else numbers == "str"
        return str(value) if as_text else value

    def tell(self, kind: str, **args) -> None:
        args = {key.rstrip("_"): value for key, value in args.items()}
        if kind == "showTerrain" and not self.habits.shows_cards:
            return
        if kind == "gameStateChange" and not self.habits.has_states and args.get("id") in (5, 9):
            args["args"] = None
        self.events.append({"uid": "x", "type": kind, "log": "", "args": args or []})

    def send(self, channel: str = "/table/t4711", *, new_move: bool = True, null=False) -> None:
        if not self.events:
            return
        self.move += new_move
        self.rows.append(
            {
                "channel": channel,
                "table_id": "4711",
                "packet_id": self.number(len(self.rows) + 1),
                "packet_type": "resend",
                "move_id": None if null else self.number(self.move),
                "time": self.number(1_770_000_000 + 10 * len(self.rows)),
                "data": self.events,
            }
        )
        self.events = []

    def hexes(self, cells) -> list[dict]:
        return [
            {"x": self.number(cell // 20), "y": self.number(cell % 20)} for cell in sorted(cells)
        ]

    def place(self, cell: int) -> dict:
        return {"x": self.number(cell // 20), "y": self.number(cell % 20)}

    # --- the game -------------------------------------------------------------------------------

    def packets(self) -> list[dict]:
        self.tell("gameStateChange", name="gameSetup", args=None)
        self.send()
        turns = self.game.turns
        for turn in turns:
            is_last = turn is turns[-1]
            self.play_turn(turn, is_last=is_last)
        if self.habits.concede:
            self.tell("playerConcedeGame", player_id=self.number(self.players[0]))
            self.end(concede=True)
        elif not self.habits.unfinished and self.position.is_over:
            self.score()
            self.end(concede=False)
        self.send()
        return self.rows

    def play_turn(self, turn, *, is_last: bool) -> None:
        seat = self.position.mover
        player = self.players[seat]
        self.start_turn(seat, turn)
        before = self.position.copy()
        moves: list[int] = []
        if self.rng.random() < self.habits.restart:
            for _ in range(self.rng.randint(1, 2)):
                moves += self.try_something(seat)
            self.position = before.copy()
            self.cancel(seat, moves)
            self.tell("gameStateChange", id=4, active_player=player, args=None)
            self.show_card(seat, turn)
            self.send()
        for action in turn.actions:
            for _ in range(self.habits.tries):
                self.try_and_cancel(seat)
            if self.rng.random() < self.habits.undo:
                self.try_and_cancel(seat)
            self.act(seat, action)
        if self.rng.random() < self.habits.own_hex:
            self.move_to_own_hex(seat)
        if is_last and (self.habits.unfinished or self.habits.concede):
            return
        if self.habits.private:
            self.tell("showTerrain", pId=player, terrain=self.number(0), terrainName="?")
            self.send(f"/player/p{player}")
        if self.habits.wakeups:
            self.tell("wakeupPlayers")
            self.send(null=True, new_move=False)
        self.tell("gameStateChange", id=7, active_player=player, args=None)
        self.tell("showTerrain", pId=player, terrain="back")
        self.position.apply(END)
        if self.habits.running_scores:
            scores = zip(self.players, self.position.scores(), strict=True)
            self.tell("updateScores", scores={str(p): self.number(gold) for p, gold in scores})

    def start_turn(self, seat: int, turn) -> None:
        turn_up(self.position, turn)
        self.tell("gameStateChange", id=self.number(4), active_player=self.players[seat], args=None)
        self.show_card(seat, turn)
        self.send()

    def show_card(self, seat: int, turn) -> None:
        self.tell("enableTiles", pId=self.number(self.players[seat]))
        terrain = TERRAIN[turn.card]
        self.tell("showTerrain", pId=self.number(self.players[seat]), terrain=self.number(terrain))
        self.card = terrain
        self.offer(seat)

    def offer(self, seat: int, tile: str = "") -> None:
        """Tell what can be built or moved now."""
        kinds = self.game.setup.tile_kinds
        slot = kinds.index(tile) + 1 if tile else 0
        steps = [unpack_step(step) for step in self.position.legal()]
        builds = [cell for kind, s, cell in steps if kind is Step.BUILD and s == slot]
        lifts = [cell for kind, s, cell in steps if kind is Step.LIFT and s == slot]
        terrain = self.number(self.card)
        if builds:
            args = dict(terrain=terrain, hexes=self.hexes(builds), tileName=tile.title())
            self.tell("gameStateChange", id=5, active_player=self.players[seat], args=args)
        elif lifts and tile:
            args = dict(hexes=self.hexes(lifts), tileName=tile.title())
            self.tell("gameStateChange", id=9, active_player=self.players[seat], args=args)
        else:
            self.tell("gameStateChange", id=8, active_player=self.players[seat], args=None)

    def terrain_name(self, cell: int) -> str:
        """Return what the terrain of a hex is called."""
        names = dict(G="Grass", C="Canyon", D="Desert", F="Flower Field", T="Forest", W="Water")
        return f"a {names[''.join(self.game.setup.letters)[cell]]}" if self.habits.english else "?"

    def act(self, seat: int, action: str) -> list[int]:
        """Tell an action; return the numbers of its moves."""
        used = []
        tile, colon, rest = action.rpartition(":")
        player = self.number(self.players[seat])
        fields = self.position.fields()["seats"][seat]
        if colon:
            kinds = self.game.setup.tile_kinds
            assert fields["ready"][kinds.index(tile)]
            space = next(
                place
                for place, cell in enumerate(self.tile_spaces)
                if self.kind_at[cell] == tile and cell in self.tiles(seat)
            )
            identity = 2 * space + 1 + self.rng.randint(0, 1)
            self.tell("useTile", player_id=player, id=self.number(identity), player_name="?")
            self.offer(seat, tile)
            self.send()
            used.append(self.move)
        before = self.tiles(seat)
        source, dash, target = rest.partition("-")
        steps = apply_action(self.position, action)
        cell = unpack_step(steps[-1])[2]
        if dash:
            origin = unpack_step(steps[0])[2]
            self.tell("argPlayerMoveTarget", hexes=[])
            self.send(f"/player/p{self.players[seat]}")
            used.append(self.move)
            self.tell(
                "move", player_id=player, from_=self.place(origin), **self.place(cell),
                terrainName=self.terrain_name(cell),
            )  # fmt: skip
        else:
            name = self.terrain_name(cell)
            self.tell("build", player_id=player, **self.place(cell), terrainName=name)
        after = self.tiles(seat)
        for lost in before - after:
            self.tell("loseTile", player_id=player, id=self.number(self.tile_id(lost)))
        for gained in after - before:
            self.tell(
                "obtainTile", player_id=player, id=self.number(self.tile_id(gained)),
                location=self.number(LOCATION[self.kind_at[gained]]), status="pending",
                **self.place(gained),
            )  # fmt: skip
        if not self.position.fields()["seats"][seat]["supply"] and not dash:
            self.tell("message", player_name="?")
        self.offer(seat)
        self.send()
        return [*used, self.move]

    def move_to_own_hex(self, seat: int) -> None:
        """Tell of a move that the site allows and the rules do not know, if a tile is ready."""
        kinds = self.game.setup.tile_kinds
        for step in self.position.legal():
            kind, slot, cell = unpack_step(step)
            if kind is Step.LIFT and kinds[slot - 1] in ("barn", "harbor"):
                tile = kinds[slot - 1]
                space = next(
                    place
                    for place, c in enumerate(self.tile_spaces)
                    if self.kind_at[c] == tile and c in self.tiles(seat)
                )
                player = self.number(self.players[seat])
                self.tell("useTile", player_id=player, id=self.number(2 * space + 1))
                self.send()
                self.tell("move", player_id=player, from_=self.place(cell), **self.place(cell))
                self.send()
                return

    def try_something(self, seat: int) -> list[int]:
        """Do an action that is taken back later; return the numbers of its moves."""
        actions = [a for a in legal_actions(self.position) if a != "end"]
        return self.act(seat, self.rng.choice(actions)) if actions else []

    def try_and_cancel(self, seat: int) -> None:
        held = self.position.copy()
        moves = self.try_something(seat)
        if moves:
            self.position = held
            self.cancel(seat, moves)
            self.offer(seat)
            self.send()

    def cancel(self, seat: int, moves: list[int]) -> None:
        fields = self.position.fields()["seats"]
        settlements = [
            {"player_id": self.number(player), **self.place(cell)}
            for player, row in zip(self.players, fields, strict=True)
            for cell in row["cells"]
        ]
        self.tell(
            "cancel",
            player_name="?",
            moveIds=[self.number(m) for m in [*moves, *moves]] if self.habits.has_moves else [],
            board={"settlements": settlements, "locations": self.locations()},
            fplayers=[
                {
                    "id": self.number(player),
                    "settlements": self.number(row["supply"]),
                    "tiles": [{"id": self.number(self.tile_id(c))} for c in self.tiles(number)],
                }
                for number, (player, row) in enumerate(zip(self.players, fields, strict=True))
            ],
        )

    def locations(self) -> list[dict]:
        return [
            {
                **self.place(space.cell),
                "n": 0,
                "location": self.number(LOCATION[space.tile] if space.tile else 5),
            }
            for space in self.game.setup.spaces
        ]

    def tiles(self, seat: int) -> set[int]:
        spaces = self.position.board.spaces
        return {spaces[place][0] for place in self.position.fields()["seats"][seat]["held"]}

    def tile_id(self, cell: int) -> int:
        return 2 * self.tile_spaces.index(cell) + 1 + self.rng.randint(0, 1)

    def score(self) -> None:
        self.tell("gameStateChange", id=98, args=None)
        self.tell("updateScores", scores={str(player): 0 for player in self.players})
        setup = self.game.setup
        details = self.position.score_detail()
        for card in sorted(setup.cards, key=CARD.get):
            for player, gold in zip(self.players, details, strict=True):
                total = gold[len(gold) - len(setup.cards) + setup.cards.index(card)]
                self.tell(
                    "scoringEnd", playerId=self.number(player),
                    objectiveId=self.number(CARD[card]), total=self.number(total),
                )  # fmt: skip
        for player, gold in zip(self.players, details, strict=True):
            castles = [{"hexes": [self.place(cell)], "score": 3} for cell in self.castles(player)]
            args = dict(objectiveId=0, total=gold[0], detail=castles)
            self.tell("scoringEnd", playerId=player, **args)

    def castles(self, player: int) -> list[int]:
        """Return the castles that a player has a settlement beside."""
        seat = self.position.fields()["seats"][self.players.index(player)]
        around = {cell for own in seat["cells"] for cell in beside(own)}
        spaces = self.game.setup.spaces
        return [s.cell for s in spaces if s.kind == "castle" and s.cell in around]

    def end(self, *, concede: bool) -> None:
        setup = self.game.setup
        result = []
        rows = zip(self.players, self.position.scores(), self.position.score_detail(), strict=True)
        for player, total, gold in rows:
            cards = gold[len(gold) - len(setup.cards) :]
            stats = {str(100 + CARD[c]): "0" if concede else self.number(g)
                     for c, g in zip(setup.cards, cards, strict=True)}  # fmt: skip
            score = 0 if concede else total
            name = self.names[self.players.index(player)]
            result.append({"player": self.number(player), "score": self.number(score),
                           "name": name, "stats": stats, "zombie": "0"})  # fmt: skip
        self.tell("gameStateChange", id=self.number(99),
                  args={"result": result, "table": {"concede": concede}})  # fmt: skip
        self.tell("simpleNode")


def beside(cell: int) -> list[int]:
    """Return the cells next to one; odd rows lie half a hex to the right."""
    row, column = divmod(cell, 20)
    shift = row % 2
    near = [(0, -1), (0, 1), *((d, c) for d in (-1, 1) for c in (shift - 1, shift))]
    return [
        (row + down) * 20 + column + right
        for down, right in near
        if 0 <= row + down < 20 and 0 <= column + right < 20
    ]


def cut(game: Game, turns: int) -> Game:
    """Return the first turns of a game."""
    return Game(game.start, game.turns[:turns])


def turns_of(game: Game) -> list[str]:
    """Return the lines of a game's turns."""
    return [line for line in format_game(game).splitlines() if line[:1].isdigit()]


def edited(text: str, change) -> str:
    """Return a log after a function has changed its list of packets."""
    data = json.loads(text)
    change(data["data"]["logs"])
    return json.dumps(data)


def events_of(packets, kind: str) -> list[dict]:
    """Return the events of a kind, in order."""
    return [event for packet in packets for event in packet["data"] if event["type"] == kind]
