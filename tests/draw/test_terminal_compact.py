"""The board of a game under way: narrow enough for 80 columns, and every hex can be read back."""

import pytest
from drawings import SIGNS, every_mode, plain
from mixed import MIXED_LINE, mixed_position
from positions import START, random_positions

from kbai.draw.terminal_compact import draw_compact
from kbai.draw.terminal_hexes import SEAT_LETTERS, tile_mark
from kbai.game.cells import CELL_NUMBERS, N_BOARD_CELLS, SIZE
from kbai.game.pieces import HOUSE, all_pieces
from kbai.game.setup import setup_of
from kbai.notation.positions import parse_position
from kbai.notation.turns import parse_turn

START_POSITION = parse_position(START)


def hex_of(drawing: str, cell: int, size: int = 3) -> str:
    """Return the characters a hex of the board is drawn with."""
    row, col = divmod(cell, SIZE)
    line = drawing.splitlines()[1 + row + (row >= SIZE // 2)]
    start = 3 + row % 2 * max(1, size - 2) + size * col + (col >= SIZE // 2)
    return line[start : start + size]


@every_mode
@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_hex_of_the_board_can_be_read_back(mode, size):
    for position in [mixed_position(MIXED_LINE), *random_positions(9, 0.004)]:
        drawing = plain(draw_compact(position, **mode, width={2: 60, 3: 80, 4: 120}[size]))
        setup, fields = setup_of(position), position.fields()
        pieces = all_pieces(position.board, fields)
        covered = {*fields["walls"], *fields["scouts"], *setup.caves}
        for cell, letter in enumerate("".join(setup.letters[:SIZE])):
            drawn = hex_of(drawing, cell, size).strip()
            if cell in pieces:
                seat, kind = pieces[cell]
                assert drawn[0] == SEAT_LETTERS[setup.seats[seat]]
                if kind == HOUSE and not mode["color"] and size > 2:
                    assert drawn[1] == SIGNS[mode["ascii"]].get(letter, drawn[1])
            elif cell not in covered and letter in SIGNS[True]:
                assert drawn == SIGNS[mode["ascii"]][letter], cell
        for space in setup.spaces:
            if space.kind == "location" and space.tile and space.cell < N_BOARD_CELLS:
                assert hex_of(drawing, space.cell, size).strip() == tile_mark(space.tile)


@every_mode
def test_a_base_game_leaves_two_lines_of_a_terminal_of_80_by_24(mode):
    for seats in ("red=- blue=-", "red=- blue=- green=- yellow=- white=-"):
        position = parse_position(START.replace("red=- blue=-", seats))
        lines = plain(draw_compact(position, **mode)).splitlines()
        assert len(lines) <= 22 and max(map(len, lines)) <= 80


def test_no_line_is_wider_than_the_terminal():
    for position in random_positions(9, 0.004):
        for width in (48, 60, 70, 80, 120):
            drawing = draw_compact(position, color=True, width=width)
            assert max(map(len, plain(drawing).splitlines())) <= width


def test_what_is_possible_and_what_was_last_is_marked_without_colour():
    turn = parse_turn("1 red flower: n16")
    position = START_POSITION.copy()
    position.apply(next(s for s in position.legal() if s & 511 == CELL_NUMBERS["n16"]))
    possible = {CELL_NUMBERS["o15"]}
    drawing = draw_compact(position, color=False, ascii=True, possible=possible, last=[turn])
    assert hex_of(drawing, CELL_NUMBERS["o15"]) == "[*]"
    assert hex_of(drawing, CELL_NUMBERS["n16"]) == "*R*"
    assert "last:" in drawing and "R flower" in drawing


def test_on_a_narrow_terminal_a_mark_stands_before_each_hex():
    position = parse_position(START.replace("red=-", "red=n16"))
    turn = parse_turn("1 red flower: n16")
    possible = {CELL_NUMBERS["o15"], CELL_NUMBERS["m16"]}
    drawing = draw_compact(
        position, color=False, ascii=True, width=60, possible=possible, last=[turn]
    )
    assert hex_of(drawing, CELL_NUMBERS["o15"], 2) == "[*"
    assert hex_of(drawing, CELL_NUMBERS["n16"], 2) == "*R"
    assert hex_of(drawing, CELL_NUMBERS["m16"], 2) == "[a"  # of two letters one is left
    assert hex_of(drawing, CELL_NUMBERS["c7"], 2) == "Ta"
    assert "last:" in drawing and len(drawing.splitlines()) <= 22


def test_a_turn_beside_the_board_keeps_its_words_whole():
    turn = parse_turn("9 blue marsh_desert: choose:marsh_desert/desert t9 s8 barn:c17-d19")
    lines = draw_compact(START_POSITION, color=False, ascii=True, last=[turn]).splitlines()
    panel = [line[69:].rstrip() for line in lines]
    first = panel.index("last:")
    assert panel[first + 1 : first + 4] == ["B desert", "t9 s8 barn", "c17-d19"]


def test_letters_and_numbers_stand_twice_and_borders_part_the_quadrants():
    lines = draw_compact(START_POSITION, color=False, ascii=True).splitlines()
    letters = [line for line in lines if [c for c in line[3:65] if c.isalpha()][:3] == [*"abc"]]
    assert len(letters) == 2 and letters[1].count("+") == 1
    assert lines[1].startswith(" 1 ") and lines[1][66:68] == "1 "
    assert all("|" in line for line in lines[1:11])


def test_what_everybody_has_stands_below_if_there_is_no_room_beside_the_board():
    narrow = draw_compact(START_POSITION, color=False, ascii=True, width=70)
    assert ">R  40 left, gold 0" in narrow
    assert "cards: fishermen, knights, merchants" in narrow


@pytest.mark.parametrize("width", [47, 40])
def test_a_terminal_too_narrow_for_the_board_gets_a_sentence_and_no_broken_lines(width):
    lines = draw_compact(START_POSITION, color=False, ascii=True, width=width).splitlines()
    assert " ".join(lines).startswith(f"The board needs 48 columns, and your terminal has {width}.")
    assert ">R  40 left, gold 0" in lines
    assert all(len(line) <= width for line in lines)


def test_the_board_itself_is_as_wide_as_is_said():
    for width in (48, 68):
        lines = draw_compact(START_POSITION, color=False, ascii=True, width=width).splitlines()
        assert max(map(len, lines)) == width
