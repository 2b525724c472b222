"""Why one turn is better than another: numbers that add up, and one sentence."""

from dataclasses import replace

import pytest
from positions import position

from kbai.explain.compare import compare
from kbai.explain.results import OPPONENTS, TILES, Names
from kbai.explain.sentence import NOTHING
from kbai.game.sources import name_sources
from kbai.game.steps import END
from kbai.notation.positions import parse_position
from kbai.notation.turns import parse_turn, play_turn
from kbai.search.params import Limit
from kbai.search.suggest import suggest

START = position("red=- blue=- turn=red card=flower")


@pytest.fixture(scope="module")
def found():
    return suggest(START, Limit(1500), seed=1, top=4)


def by_name(comparison):
    return {part.name: part for part in comparison.parts}


def listed(turn, margin, *golds):
    """Return a turn as a list shows it, with this margin of the first seat and gold of all."""
    seats = [
        replace(outlook, gold=outlook.gold._replace(value=gold))
        for outlook, gold in zip(turn.seats, golds, strict=True)
    ]
    seats[0] = replace(seats[0], margin=seats[0].margin._replace(value=margin))
    return replace(turn, seats=tuple(seats), tree=turn.seats)


def test_parts_are_what_the_search_says_and_add_up_to_the_margin(found):
    first, second = found.turns[:2]
    comparison = compare(START, first, second)
    parts = by_name(comparison)
    one, two = (turn.seats[0] for turn in (first, second))
    named = [name_sources(START.board.source, outlook.sources) for outlook in (one, two)]
    for name, gold in named[0].items():
        assert parts[name].gold.value == pytest.approx(gold - named[1][name])
    total = one.margin.value - two.margin.value
    assert comparison.margin.value == pytest.approx(total)
    assert sum(part.gold.value for part in comparison.parts) == pytest.approx(total)
    assert comparison.games == 0


def test_the_other_way_round_all_signs_change(found):
    first, second = found.turns[:2]
    there, back = compare(START, first, second), compare(START, second, first)
    for one, two in zip(there.parts, back.parts, strict=True):
        assert one.gold.value == pytest.approx(-two.gold.value)
        assert one.gold.low == pytest.approx(-two.gold.high)
        if one.gold.value:
            assert (one.fact, one.other) == (two.other, two.fact)
            assert one.is_clear == two.is_clear


def test_a_turn_is_no_better_than_itself(found):
    first = found.turns[0]
    comparison = compare(START, first, first)
    assert comparison.sentence == NOTHING
    assert not any(part.gold.value or part.fact for part in comparison.parts)


def test_without_sources_there_is_nothing_to_compare(found):
    first, second = found.turns[:2]
    blank = replace(first, seats=tuple(replace(each, sources=()) for each in first.seats))
    assert compare(START, blank, second) is None


def test_many_games_with_the_same_cards_outweigh_the_tree(found):
    first, second = found.turns[:2]
    tied = ((10, 0, 0, 0, 20, 10, 10), (40, 0, 0, 0, 0, 0, 0))
    ahead = ((10, 0, 0, 0, 25, 10, 10), (38, 0, 0, 0, 0, 0, 0))
    pairs = [
        replace(turn, endings=tuple((number, end) for number in range(100)))
        for turn, end in (
            (listed(first, 6.97, 55, 38), ahead),
            (listed(second, 0.0, 50, 40), tied),
        )
    ]
    comparison = compare(START, *pairs)
    parts = by_name(comparison)
    assert comparison.games == 100
    assert parts["fishermen"].gold.value == pytest.approx(5, abs=0.2)
    assert parts[OPPONENTS].gold.value == pytest.approx(2, abs=0.2)
    assert parts["fishermen"].gold.low > 4
    assert comparison.margin.value == pytest.approx(7, abs=0.2)
    assert comparison.sentence.startswith("+5.0 fishermen")
    assert "+2.0 because blue gets less" in comparison.sentence


def test_only_games_of_the_same_round_are_compared(found):
    first, second = found.turns[:2]
    end = ((10, 0, 0, 0, 20, 10, 10), (40, 0, 0, 0, 0, 0, 0))
    one = replace(first, endings=((0, end), (1, end), (2, end)), tree=first.seats)
    two = replace(second, endings=((1, end), (3, end)), tree=second.seats)
    assert compare(START, one, two).games == 1


def searched(start, text):
    """Return what a search says about a turn."""
    steps = play_turn(start.copy(), parse_turn(f"1 red {text}")).steps
    return suggest(start, Limit(50), seed=1, top=1, allow=[steps]).turns[0]


def test_a_tile_is_told_in_words_and_gold():
    first, second = (searched(START, f"flower: {t}") for t in ("n16 o15 p15", "p7 q7 r7"))
    comparison = compare(START, first, second)
    part = by_name(comparison)[TILES]
    assert part.gold.value > 0
    assert part.fact == "takes the farm tile at m16"
    assert "tiles: takes the farm tile at m16" in comparison.sentence
    back = compare(START, second, first)
    assert "tiles: the other turn takes the farm tile at m16" in back.sentence
    named = compare(START, second, first, Names.of_list(0, 1))
    assert "tiles: turn 2 takes the farm tile at m16" in named.sentence


def test_tiles_that_both_turns_have_are_worth_more_with_more_houses_left():
    tiles = "farm,farm,tavern,tavern,oasis,oasis,paddock,paddock"
    start = position(f"red=o15,p15,n16/gifts={tiles} blue=a1 turn=red card=flower")
    first, second = (searched(start, f"flower: n14 m14 o13{more}") for more in ("", " farm:m15"))
    part = by_name(compare(start, first, second))[TILES]
    assert part.is_clear and part.gold.value > 0
    assert (part.fact, part.other) == ("has 1 more house left to build", "")


@pytest.mark.parametrize("lead", [1.5, 4.0, -3.0])
def test_the_parts_add_up_to_what_the_list_says(found, lead):
    # The games say 7 gold, the tree something else; how much each counts the list has decided.
    tied = ((10, 0, 0, 0, 20, 10, 10), (40, 0, 0, 0, 0, 0, 0))
    ahead = ((10, 0, 0, 0, 25, 10, 10), (38, 0, 0, 0, 0, 0, 0))
    first, second = (
        replace(turn, endings=tuple((number, end) for number in range(8)))
        for turn, end in (
            (listed(found.turns[0], lead, 50, 38), ahead),
            (listed(found.turns[1], 0.0, 50, 40), tied),
        )
    )
    comparison = compare(START, first, second)
    assert comparison.margin.value == pytest.approx(lead)
    assert sum(part.gold.value for part in comparison.parts) == pytest.approx(lead)
    assert by_name(comparison)["fishermen"].gold.value <= 5 + 1e-9


THREE = position("red=- blue=- green=- turn=red card=flower")


def test_the_seat_that_gets_more_is_the_one_in_the_list():
    first, second = suggest(THREE, Limit(600), seed=1, top=2).turns
    ending = ((30, 0, 0, 0, 0, 0, 0), (40, 0, 0, 0, 0, 0, 0), (20, 0, 0, 0, 0, 0, 0))
    other = ((30, 0, 0, 0, 0, 0, 0), (44, 0, 0, 0, 0, 0, 0), (20, 0, 0, 0, 0, 0, 0))
    pair = [
        replace(turn, endings=tuple((number, end) for number in range(50)))
        for turn, end in (
            (listed(first, -10.0, 30, 40, 20), ending),
            (listed(second, -14.0, 30, 44, 20), other),
        )
    ]
    assert "+4.0 because blue gets less" in compare(THREE, *pair).sentence
    # Nobody can tell from this list whose gold it is.
    hidden = [listed(turn, -10.0 - 4.0 * n, 30, 42, 20) for n, turn in enumerate((first, second))]
    pair = [replace(turn, endings=one.endings) for turn, one in zip(hidden, pair, strict=True)]
    assert "+4.0 because the best opponent gets less" in compare(THREE, *pair).sentence


def test_a_turn_that_draws_a_card_on_its_way_is_not_compared():
    start = parse_position(
        "kb1 board=barracks,paddock,oasis,farm cards=fishermen,knights,merchants "
        "red=a1/gifts=fort blue=- turn=red card=flower"
    )
    turns = suggest(start, Limit(3000), seed=1, top=100).turns
    whole = next(turn for turn in turns if turn.steps[-1] == END)
    drawing = next(turn for turn in turns if turn.steps[-1] != END)
    assert compare(start, whole, drawing) is None
    assert compare(start, drawing, whole) is None
    assert compare(start, whole, whole)
