"""Drawings: every hex can be read back from the text, in each of the three modes."""

from __future__ import annotations

import re
import unicodedata

import pytest
from drawings import SIGNS, every_mode, hex_at, line_of, plain
from mixed import MIXED_BOARD, MIXED_LINE, mixed_position
from positions import NOMADS_END, NOMADS_LINE, random_positions

from kbai import content
from kbai._fast import Draw, Phase, Position, Step, Terrain
from kbai.draw.terminal import draw_position
from kbai.draw.terminal_content import draw_legend
from kbai.draw.terminal_hexes import SEAT_LETTERS, WIDTH, tile_mark
from kbai.game.options import Options
from kbai.game.seats import SEATS
from kbai.game.setup import Setup, setup_of
from kbai.game.steps import advance, end_of, is_draw, unpack_step
from kbai.notation.positions import parse_position

# Spaces without a tile: castles, nomad spaces, palaces, silos.
EMPTY = {
    True: {"k": "##", "n": "::", "p": "@@", "o": "()"},
    False: {"k": "♜♜", "n": "::", "p": "♛♛", "o": "()"},
}
WALL = {True: "%%", False: "▓▓"}
CAVE = {True: "n^", False: "∩▲"}
CAPITOL = {True: "#!", False: "♜★"}


def play(steps: int, *, seed: int = 3, seats: int = 2, setup: Setup | None = None) -> Position:
    """Return the position after some steps of a random game."""
    position = (setup or Setup.first_game(SEATS[:seats])).start_position()
    return end_of(position, position.copy().playout_steps(seed)[:steps])


def nomads_position(rest: str) -> Position:
    return parse_position(f"{NOMADS_LINE} {rest} {NOMADS_END}")


def busy_position() -> Position:
    """Return a position with walls, and with nomad tiles both taken and not."""
    return nomads_position("doing=quarry:1")


def play_until(kind: Step, *, setup: Setup | None = None) -> Position:
    """Return a position just after a step of this kind."""
    for seed in range(50):
        position = (setup or Setup.first_game()).start_position()
        for step in position.copy().playout_steps(seed):
            advance(position, step)
            if not is_draw(step) and unpack_step(step)[0] is kind:
                return position
    raise AssertionError(f"no {kind.name} in 50 games")


def turn_of(drawing: str) -> str:
    """Return what is said about the turn, all of it on one line."""
    return " ".join(drawing.partition("\nTurn")[2].partition("\nCards")[0].split())


@every_mode
@pytest.mark.parametrize("with_nomads", [False, True])
def test_every_hex_can_be_read_back(mode: dict[str, bool], with_nomads: bool) -> None:
    position = busy_position() if with_nomads else play(150, seats=5)
    setup = setup_of(position)
    assert isinstance(setup, Setup)
    fields = position.fields()
    owner = {
        cell: SEAT_LETTERS[name]
        for name, seat in zip(setup.seats, fields["seats"], strict=True)
        for cell in seat["cells"]
    }
    gone = {setup.spaces[index].cell for index in fields["gone"]}
    spaces = {space.cell: space for space in setup.spaces}
    drawing = draw_position(position, **mode)
    assert bool(fields["walls"]) == bool(gone) == with_nomads
    for cell, letter in enumerate("".join(setup.letters)):
        marks = hex_at(drawing, *divmod(cell, 20))[1:3]
        sign = SIGNS[mode["ascii"]].get(letter, "")
        if cell in owner:
            house = mode["color"] and not mode["ascii"]
            assert marks == owner[cell] + ("⌂" if house else sign)
        elif cell in spaces:
            tile = None if cell in gone else spaces[cell].tile
            assert marks == (tile_mark(tile) if tile else EMPTY[mode["ascii"]][letter])
        elif cell in fields["walls"]:
            assert marks == WALL[mode["ascii"]]
        else:
            assert marks == " " + sign


@every_mode
def test_lines_are_short_and_end_without_spaces(mode: dict[str, bool]) -> None:
    setup = Setup.random(5, seats=5, board=("quarry", "caravan", "village", "garden"))
    positions = [play(steps, seats=5) for steps in range(0, 300, 30)]
    positions += [play(steps, setup=setup) for steps in range(0, 300, 30)]
    for position in [*positions, busy_position()]:
        for line in plain(draw_position(position, **mode)).splitlines():
            assert len(line) <= WIDTH
            assert line == line.rstrip()


def test_ascii_drawing_has_only_seven_bits() -> None:
    position = play_until(Step.LIFT)
    assert draw_position(position, color=False, ascii=True, highlight=[0]).isascii()
    assert draw_position(busy_position(), color=False, ascii=True).isascii()
    assert draw_legend(color=False, ascii=True, letters=content.LETTERS).isascii()


def test_unicode_signs_are_one_column_wide() -> None:
    drawing = draw_position(play(100), color=True) + draw_position(busy_position(), color=True)
    assert not {unicodedata.east_asian_width(char) for char in drawing} & {"W", "F"}


def test_without_color_there_are_no_escapes() -> None:
    position = play(100)
    assert "\x1b" not in draw_position(position, color=False)
    assert "\x1b" not in draw_position(position, color=False, ascii=True)


def test_color_adds_only_escapes_to_the_ascii_board() -> None:
    position = play(100)
    colored = draw_position(position, color=True, ascii=True)
    bare = draw_position(position, color=False, ascii=True)
    assert plain(colored).splitlines()[:22] == bare.splitlines()[:22]
    assert colored.count("\x1b[0m") * 2 == colored.count("\x1b[")


def test_marks_never_clash() -> None:
    """A settlement, a location and a terrain are different whoever and whichever they are."""
    assert {*SEAT_LETTERS} == {*SEATS}
    assert len({*SEAT_LETTERS.values()}) == len(SEATS)
    every = content.load()
    kinds = [*every.locations, *every.nomads]
    tiles = [tile_mark(kind) for kind in kinds]
    assert len({*tiles}) == len(tiles)
    assert all(len(mark) == 2 and mark.isalpha() for mark in tiles)
    # A house is a capital letter and a sign; only a nomad tile begins with a small letter.
    for kind in kinds:
        assert tile_mark(kind)[0].islower() == (kind in every.nomads)
    figures = {letter + figure for letter in SEAT_LETTERS.values() for figure in "xwshHi"}
    assert not figures & {*tiles}
    for ascii_only, signs in SIGNS.items():
        assert len({*signs.values()}) == len(content.TERRAINS)
        assert not {*signs.values()} & {*"xwshHi"}
        others = [*EMPTY[ascii_only].values(), *(f" {sign}" for sign in signs.values())]
        others += [WALL[ascii_only], CAVE[ascii_only], CAPITOL[ascii_only]]
        assert len({*others}) == len(others)
        assert not {*others} & {*tiles, *figures}


def test_column_letters_and_row_numbers_stand_on_all_four_sides() -> None:
    lines = draw_position(play(0), color=False, ascii=True).splitlines()
    assert lines[0] == lines[21]
    assert lines[0].split() == list("abcdefghijklmnopqrst")
    for row in range(20):
        words = lines[row + 1].split()
        assert words[0] == words[-1] == str(row + 1)
        assert lines[row + 1].index(str(row + 1), 80) == 86


def test_a_column_letter_stands_over_its_hex_in_every_row() -> None:
    header = draw_position(play(0), color=False).splitlines()[0]
    for col in range(20):
        for row in (0, 1):
            start = 3 + 2 * row + 4 * col
            assert chr(ord("a") + col) in header[start : start + 4]


@every_mode
def test_highlighted_hexes_are_bracketed(mode: dict[str, bool]) -> None:
    position = play(40)
    drawing = draw_position(position, **mode, highlight=[0, 399])
    brackets = {
        cell: hex_at(drawing, *divmod(cell, 20))[::3]
        for cell in range(400)
        if hex_at(drawing, *divmod(cell, 20))[::3] != "  "
    }
    assert brackets == {0: "[]", 399: "[]"}
    assert "[ ] last turn" in line_of(drawing, "Marks")
    assert "last turn" not in draw_position(position, **mode)


@every_mode
def test_lifted_piece_stands_in_angle_brackets(mode: dict[str, bool]) -> None:
    position = play_until(Step.LIFT)
    lift = position.fields()["lift"]
    assert lift is not None
    drawing = draw_position(position, **mode, highlight=[lift[1]])
    assert hex_at(drawing, *divmod(lift[1], 20))[::3] == "<>"
    assert "< > lifted" in line_of(drawing, "Marks")


def test_seats_are_told_with_settlements_supply_gold_and_tiles() -> None:
    position = play(150, seats=5)
    drawing = draw_position(position, color=False)
    fields = position.fields()
    kinds = Setup.first_game().tile_kinds
    for index, (name, seat) in enumerate(zip(SEATS, fields["seats"], strict=False)):
        arrow = ">" if index == fields["mover"] else " "
        line = line_of(drawing, f"{arrow} {SEAT_LETTERS[name]} {name}")
        numbers = [str(len(seat["cells"])), str(seat["supply"]), str(position.scores()[index])]
        assert line.split()[2 + (arrow == ">") :][:3] == numbers
        for states, word in (("ready", ""), ("used", " used"), ("fresh", " fresh")):
            for kind, count in zip(kinds, seat[states], strict=True):  # type: ignore[literal-required]
                assert count == 0 or f"  {kind}{word}" in line or f"  2 {kind}{word}" in line
        assert line.count("@") == len(seat["taken"]) - len(seat["held"])
        assert ("lost" in line) == (seat["taken"] != seat["held"])


def test_nomad_tiles_and_gold_so_far_are_told() -> None:
    drawing = draw_position(busy_position(), color=False)
    assert line_of(drawing, "> R red").endswith("outpost  quarry used  sword fresh")
    lines = [line for line in drawing.splitlines() if line.startswith("Gold so far")]
    assert lines == [
        "Gold so far red:  treasure 3  families 2",
        "Gold so far blue:  ambassadors 1",
    ]
    assert line_of(drawing, "Nomads left") == "Nomads left donation_water@h6  resettlement@e14"
    assert line_of(drawing, "Walls left") == "Walls left  23"
    assert "n4" not in line_of(drawing, "Tiles left")


def test_what_only_nomads_need_is_not_told_of_a_base_game() -> None:
    drawing = draw_position(play(100), color=False)
    for word in ("omad", "Walls", "wall", "Gold so far"):
        assert word not in drawing


@every_mode
def test_legend_names_the_nomad_tiles_that_still_lie_there(mode: dict[str, bool]) -> None:
    legend = plain(draw_position(busy_position(), **mode)).partition("Terrain")[2]
    words = " ".join(legend.split())
    assert "dW donation_water re resettlement :: nomad space without a tile" in words
    assert f"{WALL[mode['ascii']]} stone wall" in words
    assert "treasure" not in words


@pytest.mark.parametrize(
    ("rest", "text"),
    [
        ("doing=quarry:1", "red to move with grass; quarry under way, 1 step left"),
        ("outpost=true", "red to move with grass; outpost declared"),
        ("phase=build2 built=b1", "; 2 houses left to build; built b1"),
        ("doing=donation_grass:2 outpost=true", "2 steps left; outpost declared"),
    ],
)
def test_turn_line_tells_what_is_under_way(rest: str, text: str) -> None:
    # One outpost has been taken out of the hand.
    line = f"{NOMADS_LINE} {rest} {NOMADS_END}".replace("nomads=outpost,sword/", "nomads=sword/")
    assert turn_of(draw_position(parse_position(line), color=False)).endswith(text)


def test_turn_line_tells_whom_the_sword_takes_from() -> None:
    line = f"{NOMADS_LINE} doing=sword:green {NOMADS_END}".replace("turn=", "green=a20 turn=", 1)
    line = line.replace("/fresh=sword/nomads=outpost,sword/", "/nomads=outpost/")
    turn = turn_of(draw_position(parse_position(line), color=False))
    assert turn.endswith("the sword has to take a settlement of green")


def test_fresh_used_and_lost_tiles_are_told_apart() -> None:
    setup = Setup.first_game()
    fields = play(1).fields()
    spaces = {space.cell: index for index, space in enumerate(setup.spaces)}
    tavern_c7, oasis_h13, farm_r12 = (spaces[cell] for cell in (122, 247, 237))
    fields["seats"][0] |= {
        "cells": [121, 123, 246],
        "supply": 37,
        "taken": sorted([tavern_c7, oasis_h13, farm_r12]),
        "held": sorted([tavern_c7, oasis_h13]),
        "used": [0, 0, 1, 0],
        "fresh": [0, 1, 0, 0],
    }
    position = Position.from_fields(setup.kernel_board, fields)
    drawing = draw_position(position, color=False)
    line = line_of(drawing, "> R red")
    assert line.endswith("tavern used  oasis fresh  farm@r12 lost")
    left = " ".join(plain(drawing).split("Tiles left")[1].split("\n\n")[0].split())
    assert "tavern@c7 1" in left
    assert "oasis@h13 1" in left
    assert "farm@r12 1" in left
    assert "paddock@s3 2" in left


def test_returned_tiles_lie_on_their_space_again() -> None:
    setup = Setup(
        seats=("red", "blue"),
        cards=(),
        board=("tavern", "paddock", "oasis", "farm"),
        options=Options(lost_tiles_return=True),
    )
    fields = setup.start_position().fields()
    index = next(number for number, space in enumerate(setup.spaces) if space.tile)
    fields["seats"][0] |= {"taken": [index], "held": []}
    drawing = draw_position(Position.from_fields(setup.kernel_board, fields), color=False)
    assert "paddock@s3 2" in line_of(drawing, "Tiles left")
    assert line_of(drawing, "Cards") == "Cards       none"


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        (0, r"red to move, card not turned up yet"),
        (1, r"red to move with \w+"),
        (2, r"red to move with \w+; 2 houses left to build"),
        (3, r"red to move with \w+; 1 house left to build"),
        (4, r"red to move with \w+; mandatory action done"),
        (5, r"blue to move, card not turned up yet"),
    ],
)
def test_turn_line_tells_who_does_what(steps: int, text: str) -> None:
    line = line_of(draw_position(play(steps), color=False), "Turn")
    assert re.fullmatch("Turn        " + text, line)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            {"card": -1, "terrain": -1, "draw": Draw.REPLACE},
            "red to move, about to draw a new card: the old one can build nowhere",
        ),
        (
            {"card": -1, "terrain": -1, "draw": Draw.NONE, "phase": Phase.POST},
            "red to move without a card; ",
        ),
        ({"terrain": Terrain.SPECIAL}, "red to move with grass, on any terrain"),
        ({"final": True}, "red to move with grass; last round"),
    ],
)
def test_turn_line_tells_the_rare_states(change: dict[str, object], text: str) -> None:
    options = Options(exhausted_any_hex=change.get("terrain") == Terrain.SPECIAL)
    setup = Setup(("red", "blue"), (), ("tavern", "paddock", "oasis", "farm"), options=options)
    position = setup.start_position()
    position.draw(0)
    fields = position.fields() | change  # type: ignore[operator]
    position = Position.from_fields(setup.kernel_board, fields)
    assert text in line_of(draw_position(position, color=False), "Turn")


def test_finished_game_has_no_mover() -> None:
    position = Setup.first_game().start_position()
    position.playout(1)
    drawing = draw_position(position, color=False)
    assert line_of(drawing, "Turn") == "Turn        the game is over"
    assert not any(line.startswith(">") for line in drawing.splitlines())


def test_every_card_of_the_deck_is_told() -> None:
    """Unseen, discarded, removed and held cards and the one in play make the deck again."""
    for steps in range(0, 240, 7):
        position = play(steps, seed=5, seats=4)
        drawing = draw_position(position, color=False)
        words = re.findall(r"^(?:Unseen|Discard|Spent|Removed|Held) .*$", drawing, re.MULTILINE)
        told = sum(int(number) for number in re.findall(r" (\d+)", " ".join(words)))
        assert told + (position.fields()["card"] >= 0) == 25


def test_piles_that_are_rare_are_told_when_they_are_there() -> None:
    setup = Setup.first_game()
    position = setup.start_position()
    position.draw(0)
    fields = position.fields()
    assert "Removed" not in draw_position(position, color=False)
    fields["unseen"][:5] = [2, 5, 4, 5, 5]
    fields["discard"][0] = 1
    fields["held"] = [([0, 0, 1, 0, 0, 0, 0, 0, 0, 0], [1])]
    drawing = draw_position(Position.from_fields(setup.kernel_board, fields), color=False)
    assert line_of(drawing, "Unseen").endswith("grass 2  canyon 5  desert 4  flower 5  forest 5")
    assert line_of(drawing, "Discard") == "Discard     grass 1"
    assert line_of(drawing, "Removed") == "Removed     grass 1"
    assert line_of(drawing, "Held") == "Held        blue:  desert 1"


@every_mode
def test_legend_names_every_terrain_and_space(mode: dict[str, bool]) -> None:
    drawing = draw_position(play(0), **mode)
    legend = plain(drawing)[plain(drawing).index("Terrain") :]
    terrains = ("grass", "canyon", "desert", "flower", "forest", "water", "mountain")
    for name in (*terrains, "castle", "tavern", "paddock", "oasis", "farm"):
        assert f" {name}" in legend
    for name in ("marsh", "farmland", "palace", "silo", "cave", "capitol", "warrior", "scout"):
        assert name not in legend
    assert "harbor" not in legend


# The later sets.


# Everything that is drawn or told, on the board with something of every set.
def mixed_drawing(rest: str = MIXED_LINE, **style: bool) -> str:
    return draw_position(mixed_position(rest), **{"color": False, "ascii": True} | style)


def island_hex(drawing: str, row: int, col: int) -> str:
    """Return the four characters a hex of the island is drawn with."""
    lines = plain(drawing).partition("\nIsland")[2].splitlines()
    start = 3 + 2 * (row % 2) + 4 * col
    return lines[row + 2][start : start + 4]


@pytest.mark.parametrize(
    ("cell", "marks"),
    [
        ("a4", ' "'), ("k4", " ="), ("c8", "@@"), ("f8", "()"), ("c2", "##"), ("m8", "#!"),
        ("k10", " ^"), ("e2", "Te"), ("k2", "Ct"), ("n2", "Cn"), ("q2", "ou"),
        ("a13", "R*"), ("k11", "R^"), ("f13", "Rx"), ("n11", "Rw"), ("d17", "RH"), ("d16", "Rh"),
        ("e17", "Rh"), ("a12", "Ri"), ("t20", "%%"), ("l2", "B,"),
    ],
)  # fmt: skip
def test_everything_on_the_board_is_drawn(cell: str, marks: str) -> None:
    row, col = int(cell[1:]) - 1, ord(cell[0]) - ord("a")
    assert hex_at(mixed_drawing(), row, col)[1:3] == marks


def test_a_cave_is_drawn_unless_a_piece_stands_on_it() -> None:
    empty = mixed_drawing("red=- blue=- turn=red card=grass")
    assert hex_at(empty, 10, 13) == " n^ "
    assert hex_at(mixed_drawing("red=n11 blue=- turn=red card=grass"), 10, 13) == " Rn "


@every_mode
def test_the_island_is_drawn_below_the_board(mode: dict[str, bool]) -> None:
    drawing = mixed_drawing(**mode)
    grid = content.load().islands["kbai_rope_bridge"].grid
    for row, letters in enumerate(grid):
        for col, letter in enumerate(letters):
            marks = island_hex(drawing, row, col)[1:3]
            if (row, col) == (2, 1):
                assert marks[0] == "R"
            elif (row, col) == (2, 3):
                assert marks == WALL[mode["ascii"]]
            elif letter == "l":
                assert marks == "Ro"
            elif letter == ".":
                assert marks.strip() == ""
            else:
                sign = (SIGNS[mode["ascii"]] | EMPTY[mode["ascii"]])[letter]
                assert marks == sign.rjust(2)
    lines = plain(drawing).splitlines()
    assert [line.split()[0] for line in lines if line.startswith("~")] == [
        f"~{row}" for row in range(1, 6)
    ]


def test_without_an_island_there_is_nothing_about_it() -> None:
    assert "~1" not in draw_position(play(20), color=False)
    assert "Island" not in draw_position(play(20), color=False)


@pytest.mark.parametrize(
    "line",
    [
        "Tasks       road, advance",
        "Gold so far red:  rovers 2",
        "Reserve     red:  warrior 1",
        "Reserve     blue:  warrior 2  wagon 1  city hall 1",
        "Tokens      blue:  5",
        "Temple      red:  houses 2",
        "Mayors      red:  row 3  row ~2",
        "Roved       red:  top left  bottom right",
        "In hand     blue:  hidden cards 2",
    ],
)
def test_what_a_seat_has_is_told(line: str) -> None:
    assert line in mixed_drawing().splitlines()


def test_settlements_are_houses_figures_and_the_hexes_of_the_city_hall() -> None:
    row = line_of(mixed_drawing(), "> R red")
    assert row.split()[3:5] == [str(3 + 1 + 1 + 7), str(40 - 3 - 2 - 2)]


def test_what_everybody_has_is_told_only_when_it_is_used() -> None:
    drawing = mixed_drawing()
    assert "farmland used" in drawing.partition("> R red")[2].partition("  B blue")[0]
    assert not re.search("farmland|cave|silo", line_of(drawing, "  B blue"))


def test_legend_names_what_there_is_of_the_later_sets() -> None:
    legend = " ".join(mixed_drawing().partition("\nTerrain")[2].split())
    for text in (
        '" marsh', "= farmland", "@@ palace", "() silo", "#! castle with a capitol",
        "## castle", "Te temple", "Ct cathedral", "Ro rope_bridge", "ou outpost",
        "Rx warrior of red, nothing may be placed beside it", "Rw wagon of red",
        "Rh city hall of red, seven settlements", "Ri scout of red, until the turn ends",
        "%% stone wall",
    ):  # fmt: skip
        assert text in legend
    assert "ship" not in legend
    bare = mixed_drawing("red=- blue=- turn=red card=grass").partition("\nTerrain")[2]
    assert "n^ cave in a mountain" in bare
    for name in ("warrior", "wagon of", "city hall", "scout", "wall"):
        assert name not in bare


CHOICE = "red=-/gifts=crossroads blue=- turn=red card=choose hand=grass:1,marsh_flower:1"
# Rest of the position, what is said about the turn.
TURN_TEXTS = {
    "half": (
        "red=- blue=- turn=red card=marsh_grass",
        "red to move with marsh_grass, half not chosen yet",
    ),
    "chosen half": (MIXED_LINE, "red to move with marsh_grass as marsh; also turned up: desert;"),
    "choice": (CHOICE, "red to move, has to choose a card: grass 1, marsh_flower 1"),
    "temple": (MIXED_LINE, "; 1 more house for the temple"),
    "silo": (
        "red=e8 blue=- turn=red phase=silo",
        "red to use silos after the last turn; 1 action left",
    ),
    "silo builds": (
        "red=e8 blue=- turn=red phase=silo doing=silo_build:2 silos=0",
        "silo_build under way, 2 steps left",
    ),
    "fort": (
        "red=-/used=fort/gifts=fort blue=- turn=red card=flower doing=fort:draw",
        "draws a card for the fort",
    ),
    "fort drawn": (
        "red=-/used=fort/gifts=fort blue=- turn=red card=flower doing=fort:marsh_grass",
        "builds a house on marsh_grass with the fort",
    ),
    "bazaar": (
        "red=a1/used=bazaar/gifts=tower,bazaar blue=- turn=red card=grass repeat=tower",
        "the bazaar repeats tower",
    ),
    "reaction": (
        "red=a13 blue=o2/tiles=canoe@n2 turn=red card=flower phase=post reacting=red:blue",
        "blue may build with a canoe because red took a last tile",
    ),
}


@pytest.mark.parametrize(("rest", "text"), TURN_TEXTS.values(), ids=TURN_TEXTS)
def test_turn_line_tells_the_states_of_the_later_sets(rest: str, text: str) -> None:
    assert text in turn_of(mixed_drawing(rest))


def test_the_arrow_points_at_the_seat_that_decides() -> None:
    drawing = mixed_drawing(TURN_TEXTS["reaction"][0])
    assert [line[2] for line in drawing.splitlines() if line.startswith("> ")] == ["B"]


def test_cards_of_ten_kinds_are_told() -> None:
    line = f"{MIXED_LINE} discard=marsh_flower:1 removed=marsh_forest:1"
    drawing = mixed_drawing(line)
    assert line_of(drawing, "Discard") == "Discard     marsh_flower 1"
    assert line_of(drawing, "Removed") == "Removed     marsh_forest 1"
    assert "desert 4" in line_of(drawing, "Unseen")


def test_a_scouted_terrain_is_told() -> None:
    start = f"{MIXED_BOARD} cards=scouts scouted=desert red=- blue=- turn=red card=grass"
    drawing = draw_position(parse_position(start), color=False)
    assert line_of(drawing, "Scouted") == "Scouted     desert, whose cards are out of the game"


@every_mode
def test_drawings_of_all_sets_keep_to_the_width(mode: dict[str, bool]) -> None:
    for position in random_positions(18, share=0.01):
        for line in plain(draw_position(position, **mode)).splitlines():
            assert len(line) <= WIDTH
            assert line == line.rstrip()


def test_mixed_drawings_are_ascii_or_one_column_wide() -> None:
    assert mixed_drawing().isascii()
    wide = mixed_drawing(ascii=False, color=True)
    assert not {unicodedata.east_asian_width(char) for char in wide} & {"W", "F"}
