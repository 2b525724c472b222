"""Ideas: turns that differ in a detail that does not matter are one line of a suggestion."""

from dataclasses import replace

import pytest
from positions import position

from kbai.core.intervals import Estimate
from kbai.game.cells import CELL_NUMBERS, format_cell
from kbai.game.steps import end_of
from kbai.notation.turns import parse_turn, play_turn
from kbai.report.document_text import document_text
from kbai.report.suggestion_document import suggestion_document
from kbai.report.suggestion_json import suggestion_dict
from kbai.report.variants import variants_text
from kbai.search.ideas import MARGIN_APART, SEEN, SEEN_GAMES, SOURCE_APART, WIN_APART, group
from kbai.search.params import Limit
from kbai.search.results import Outlook, TurnChoice
from kbai.search.suggest import suggest

# Red can take the farm tile at m16 with l16 or m15; the rest of the forest there is much alike.
MIDGAME = position(
    "red=b7,a6,a5,n16,o15,o17/tiles=tavern@c7,farm@m16/supply=20 "
    "blue=b2,b3,c3,d3/supply=20 turn=red card=grass"
)
START = position("red=- blue=- turn=red card=flower")


def turn(start, text, visits=SEEN, win=0.5, margin=2.0, sources=(3.0, 8.0), is_proven=False):
    """Return a turn that a search might have found."""
    steps = play_turn(start.copy(), parse_turn(f"1 red {text}")).steps
    outlook = Outlook(
        Estimate(win, win - 0.2, win + 0.2),
        Estimate(60.0, 50.0, 70.0),
        Estimate(margin, margin - 5, margin + 5),
        tuple(sources),
    )
    return TurnChoice(steps, visits, win, is_proven, (outlook, outlook))


def ideas(start, *turns, top=5):
    return group(start, turns, top)


FIRST = turn(START, "flower: n16 o15 p15")


def test_turns_that_differ_in_one_house_are_one_idea():
    other = turn(START, "flower: n16 o15 n14", margin=1.7, win=0.49)
    (idea,) = ideas(START, FIRST, other)
    (variant,) = idea.variants
    assert (format_cell(variant.cell), format_cell(variant.instead)) == ("n14", "p15")
    assert (variant.steps, variant.visits) == (other.steps, SEEN)
    assert variant.margin == pytest.approx(-0.3) and variant.win == pytest.approx(-0.01)
    assert variants_text(idea) == "or n14 for p15: -0.3"


@pytest.mark.parametrize(
    "text, change",
    [
        ("flower: d18 d19 p15", {}),  # another idea
        ("flower: n16 o15 n14", {"visits": SEEN - 1}),
        ("flower: n16 o15 n14", {"margin": 2.0 - MARGIN_APART - 0.1}),
        ("flower: n16 o15 n14", {"win": 0.5 + WIN_APART + 0.01}),
        ("flower: n16 o15 n14", {"sources": (3.0, 8.0 - SOURCE_APART)}),
        ("flower: n16 o15 n14", {"is_proven": True}),
        ("flower: n16 o15 ...", {}),
        ("flower: o15 p15 n14", {}),  # without n16 there is no farm tile
    ],
)
def test_what_matters_is_an_idea_of_its_own(text, change):
    assert ideas(START, FIRST, turn(START, text, **change)) == (
        FIRST,
        turn(START, text, **change),
    )


def test_what_is_proven_needs_no_visits():
    texts = ("n16 o15 p15", "n16 o15 n14")
    first, second = (turn(START, f"flower: {text}", visits=1, is_proven=True) for text in texts)
    (idea,) = ideas(START, first, second)
    assert variants_text(idea) == "or n14 for p15: +0.0"


@pytest.mark.parametrize(
    "games, count",
    [((SEEN_GAMES, SEEN_GAMES), 1), ((SEEN_GAMES, SEEN_GAMES - 1), 2), ((SEEN_GAMES, 0), 2)],
)
def test_games_tell_as_well_whether_a_detail_matters(games, count):
    texts = ("n16 o15 p15", "n16 o15 n14")
    turns = [
        replace(turn(START, f"flower: {text}", visits=SEEN // 2), games=number)
        for text, number in zip(texts, games, strict=True)
    ]
    assert len(ideas(START, *turns)) == count


def test_an_idea_keeps_the_variants_that_it_had():
    (idea,) = ideas(START, FIRST, turn(START, "flower: n16 o15 n14"))
    (again,) = ideas(START, idea, turn(START, "flower: n16 o15 o17", margin=1.9))
    assert [format_cell(variant.cell) for variant in again.variants] == ["n14", "o17"]


# Red has the paddock, and can move either of two houses to the same hex.
MOVER = position("red=l8,m8,h9,l9/tiles=paddock@l7/supply=20 blue=- turn=red card=grass")
MOVED = turn(MOVER, "grass: k8 j8 i8 paddock:h9-j9")


def test_which_of_two_houses_is_moved_is_a_detail():
    (idea,) = ideas(MOVER, MOVED, turn(MOVER, "grass: k8 j8 i8 paddock:l9-j9"))
    (variant,) = idea.variants
    assert variant.is_moved
    assert (format_cell(variant.cell), format_cell(variant.instead)) == ("h9", "l9")
    assert variants_text(idea) == "or moving l9 instead of h9: +0.0"


def test_to_move_a_house_or_not_is_no_detail():
    assert len(ideas(MOVER, MOVED, turn(MOVER, "grass: k8 j8 i8"))) == 2


def test_a_turn_that_loses_a_castle_is_an_idea_of_its_own():
    start = position("red=b2 blue=- turn=red card=flower")
    first, other = turn(start, "flower: b3 c3 d3"), turn(start, "flower: b3 c3 a3")
    assert end_of(start, first.steps).score_detail()[0][0] == 3
    assert end_of(start, other.steps).score_detail()[0][0] == 0
    assert ideas(start, first, other) == (first, other)


def test_top_counts_ideas():
    others = [turn(START, f"flower: {text}") for text in ("b7 a6 a5", "n16 o15 n14", "h14 i14 j14")]
    found = ideas(START, FIRST, *others, top=2)
    assert [idea.steps for idea in found] == [FIRST.steps, others[0].steps]
    assert [len(idea.variants) for idea in found] == [1, 0]


def test_many_variants_are_counted_and_the_worst_is_told():
    (idea,) = ideas(START, FIRST, turn(START, "flower: n16 o15 n14", margin=1.5))
    (variant,) = idea.variants
    cells = [CELL_NUMBERS[name] for name in ("p17", "o17", "p16", "q17")]
    more = [replace(variant, cell=cell, margin=-0.1) for cell in cells]
    idea = replace(idea, variants=(*more, variant))
    assert variants_text(idea) == "or p17 / o17 / p16 for p15 and 2 more: -0.5"


def test_a_suggestion_lists_ideas_and_has_their_variants():
    found = suggest(MIDGAME, Limit(10_000), seed=1, top=3)
    assert len(found.turns) == 3
    data = suggestion_dict(found)
    variants = [(one, each) for one in found.turns for each in one.variants]
    assert variants
    for idea, variant in variants:
        ends = [end_of(MIDGAME, steps).fields() for steps in (idea.steps, variant.steps)]
        houses = [{*end["seats"][0]["cells"]} for end in ends]
        assert houses[1] - houses[0] == {variant.cell}
        assert houses[0] - houses[1] == {variant.instead}
        held = [end["seats"][0]["held"] for end in ends]
        assert held[0] == held[1]
        assert f"{format_cell(variant.cell)}" in variants_text(idea)
    assert [len(each["variants"]) for each in data["turns"]] == [
        len(idea.variants) for idea in found.turns
    ]
    text = document_text(suggestion_document(found))
    assert all(variants_text(idea) in text for idea in found.turns)
    assert "or ...       makes no clear difference" in text
