"""What a person types: every legal step can be typed in words, and wrong words are told why."""

import re

import pytest
from positions import START, random_positions

from kbai._fast import Position
from kbai.core.errors import IllegalActionError, KbaiError, NotationError
from kbai.game.cells import CELL_NAMES
from kbai.game.setup import setup_of
from kbai.game.steps import advance, end_of, next_steps
from kbai.notation.actions import format_step
from kbai.notation.positions import parse_position
from kbai.play.choices import cells_of, choices, why_cell
from kbai.play.words import (
    IncompleteError,
    next_action,
    possible_words,
    read_actions,
    split_words,
)

# Red has a ready paddock and a farm, and houses to move.
TILES = parse_position(
    "kb1 board=tavern,paddock,oasis,farm cards=fishermen,knights,merchants "
    "red=s4,t4,t3,r11,q11 blue=- turn=red card=grass"
)


def typed(position: Position, text: str) -> list[str]:
    return list(read_actions(position.copy(), text))


def test_every_legal_step_can_be_typed_in_words():
    count = 0
    for position in random_positions(18, 0.03):
        for step in next_steps(position):
            words = re.findall(r"[^\s:@=-]+", format_step(position, step))
            if words[0] == "choose":
                words = words[1:]
            action = next_action(position, words)
            after = position.copy()
            list(read_actions(after, " ".join(words)))
            assert after == end_of(position, [step]), (format_step(position, step), action)
            count += 1
    assert count > 1000


def test_every_word_that_tab_offers_begins_something_legal():
    for position in random_positions(9, 0.01):
        for word in possible_words(position):
            rest = possible_words(position, [word])
            try:
                typed(position, word)
            except IncompleteError:
                assert rest, word
                for second in rest[:3]:
                    typed(position, f"{word} {second}")


def test_several_cells_at_once():
    position = parse_position(START)
    assert typed(position, "N16 o15,p15 end") == ["n16", "o15", "p15", "end"]


def test_tiles_are_used_by_name():
    assert typed(TILES, "paddock s4 r2") == ["paddock:s4-r2"]
    assert typed(TILES, "Paddock:s4-r2") == ["paddock:s4-r2"]
    assert typed(TILES, "paddock s4") == ["paddock:s4-"]
    assert typed(TILES, "paddock s4 r2 farm q12"[:13]) == ["paddock:s4-r2"]
    assert typed(TILES, "padd s4 r2") == ["paddock:s4-r2"]
    assert [*possible_words(TILES, ["paddock"])][:2] == ["t3", "s4"]
    with pytest.raises(IncompleteError, match="expected a cell after paddock; possible: t3 s4"):
        typed(TILES, "paddock")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a1", "a1 is flower, the card is grass (R3.2)"),
        ("z9", "expected a cell from a1 to t20, got 'z9'"),
        ("a21", "expected a cell from a1 to t20, got 'a21'"),
        ("paddock s4 a1", "a1 is not exactly two hexes away in a straight line (R6.1)"),
        ("paddock a1", "(R"),
        ("tavern a1", "(R"),
        ("tavern", "(R"),
        ("barn c7", "there is no barn in this game (R3.3)"),
        ("end", "first do the mandatory action (R3.2)"),
        ("stop", "there is no action under way"),
        ("pass", "nobody is asked to react now"),
        ("=flower", "there is no card to turn up now"),
        ("flower", "expected a cell (c7)"),
        ("house", "expected a cell (c7)"),
        ("(-:", "unknown tile '(-'"),
        ("\x00\x1b[2J", "expected"),
    ],
)
def test_what_is_wrong_is_said(text, reason):
    with pytest.raises((IllegalActionError, NotationError)) as caught:
        typed(TILES, text)
    assert reason in caught.value.message


def test_a_card_is_told_by_its_name():
    position = setup_of(TILES).start_position()
    assert typed(position, "flower n16") == ["=flower", "n16"]
    assert typed(position, "Blumen") == ["=flower"]
    assert choices(position) == [("card", ["grass", "canyon", "desert", "flower", "forest"])]
    with pytest.raises(NotationError, match="unknown card 'lava'"):
        typed(position, "lava")


def test_what_is_possible_is_listed_by_what_is_typed_first():
    rows = dict(choices(TILES))
    assert [*rows] == ["cells", "farm", "paddock"]
    assert rows["cells"] == [CELL_NAMES[cell] for cell in sorted(cells_of(TILES))]
    assert "s4-" in rows["paddock"]


def test_of_a_cell_you_hear_why_not_and_which_tile_reaches_it():
    cell = min(cells_of(TILES))
    assert f"{CELL_NAMES[cell]} is possible." in why_cell(TILES, cell)
    sentence = why_cell(TILES, CELL_NAMES.index("a1"))
    assert sentence == "'a1' is not possible: a1 is flower, the card is grass (R3.2)."


def test_words_never_end_in_anything_but_a_sentence():
    words = split_words(
        "c7 tavern end stop pass take back choose =flower - : @ ~b3 flower barn 7 c"
    )
    for position in random_positions(9, 0.005):
        for first in words:
            for second in words:
                try:
                    typed(position, f"{first} {second}")
                except KbaiError as error:
                    assert str(error).endswith("."), str(error)


def test_a_position_in_which_a_card_is_due_is_left_as_it_was():
    position = setup_of(TILES).start_position()
    before = position.copy()
    possible_words(position, ["flower"])
    advance(position, next_steps(position)[0])
    assert before != position
