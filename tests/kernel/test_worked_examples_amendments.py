"""Worked examples of the amendments A1 to A9 of the rules, on both engines."""

import pytest
import reference
from worked import Table, grass_with, sea_with

from kbai.content import load
from kbai.core.errors import NotationError
from kbai.game.setup import Setup
from kbai.notation.positions import parse_position

FIGURES = grass_with(("d5", "WW"), ("c9", "M"))
LIFTS = ("barn", "harbor", "paddock", "caravan", "lighthouse", "barracks", "wagon")


def refuses(line: str) -> bool:
    """Whether a position cannot be read, by both engines."""
    answers = []
    for read in (parse_position, reference.parse):
        try:
            read(line)
        except ValueError:
            answers.append(True)
        else:
            answers.append(False)
    assert answers[0] == answers[1]
    return answers[0]


def seat(table: Table, name: str) -> str:
    return next(word for word in table.line.split() if word.startswith(f"{name}="))


# A1: figures stand where they may stand


@pytest.mark.parametrize(
    ("option", "ship", "wagon", "warrior"),
    [
        (
            "own_terrain",
            "harbor lighthouse",
            "barn caravan paddock wagon",
            "barn caravan paddock",
        ),
        (
            "any_terrain",
            "barn caravan harbor lighthouse paddock",
            "barn caravan harbor paddock wagon",
            "barn caravan harbor paddock",
        ),
        ("own_tile", "lighthouse", "wagon", ""),
    ],
)
def test_a1_tiles_move_figures_onto_terrain_they_may_stand_on(option, ship, wagon, warrior):
    table = Table(
        f"kb1 {FIGURES} cards=lords options=figure_moves:{option} red=f5/gifts={','.join(LIFTS)}/"
        "warriors=h8/wagon=j12/ship=d5 blue=- turn=red card=grass"
    )
    wanted = {"d5": ship, "j12": wagon, "h8": warrior}
    for cell, tiles in wanted.items():
        assert {tile for tile in LIFTS if f"{tile}:{cell}-" in table.steps} == {*tiles.split()}


def test_a1_a_harbor_sails_the_ship():
    table = Table(
        f"kb1 {FIGURES} cards=lords red=f5/gifts=harbor,lighthouse/ship=d5 blue=- turn=red "
        "card=grass"
    )
    assert table.moves("harbor", "d5") == {"e5"}


def test_a1_a_silo_leaves_the_ship_alone():
    table = Table(
        f"kb1 {grass_with(('e5', 'o'), ('f6', 'W'))} cards=lords red=e6/gifts=wagon,lighthouse/"
        "wagon=d4/ship=f6/supply=2 blue=-/supply=0 turn=red phase=silo"
    )
    assert {step for step in table.steps if step.endswith("-")} == {"silo:d4-", "silo:e6-"}


# A2: red cards are checked by the active player


@pytest.mark.parametrize(
    ("options", "gold"), [("false", ""), ("true", "=shepherds:2,ambassadors:1,rovers:1")]
)
def test_a2_a_canoe_in_another_turn_is_paid_by_option(options, gold):
    table = Table(
        f"kb1 {grass_with(('e5', 'n'), ('f5', 'W'), ('g5', 'S'))} nomads=outpost@e5 "
        f"cards=shepherds,ambassadors,rovers options=red_cards_any_turn:{options} red=e3 "
        "blue=-/gifts=canoe turn=red card=grass"
    )
    table.play("e4", "canoe:blue@f5")
    assert seat(table, "blue").partition("/gold")[2] == gold


@pytest.mark.parametrize(("options", "gold"), [("false", (0, 0, 0)), ("true", (0, 1, 1))])
def test_a2_silos_are_paid_by_option(options, gold):
    table = Table(
        f"kb1 {grass_with(('e5', 'o'))} cards=shepherds,ambassadors,rovers "
        f"options=red_cards_any_turn:{options} red=e6/supply=2 blue=f7/supply=0 "
        "turn=red phase=silo"
    )
    table.play("silo:f6")
    found = tuple(table.gold_of(card)[0] for card in ("shepherds", "ambassadors", "rovers"))
    assert found == gold
    assert ("roved=1" in table.line) == (options == "true")
    assert "roved" not in table.play("stop", "end").line


# A3: tiles claimed in a round are for the next round

ROUND = grass_with(("e5", "n"), ("f5", "W"), ("f4", "n"), ("h9", "W"))


def test_a3_a_tile_gained_before_the_own_turn_waits_for_the_next_round():
    table = Table(
        f"kb1 {ROUND} nomads=sword@e5,outpost@f4 cards=lords red=c5 blue=-/gifts=canoe green=- "
        "turn=red card=grass"
    )
    table.play("d5", "canoe:blue@f5")
    assert seat(table, "blue") == "blue=f5/used=canoe/fresh=outpost/nomads=outpost/gifts=canoe"
    for _ in range(2):
        table.play(min(table.targets()))
    table.play("end", "=grass")
    assert "outpost" not in table.steps
    for _ in range(3):
        table.play(min(table.targets()))
    table.play("end")
    assert "fresh" not in table.line and "nomads=outpost/" in table.line
    table.play_turn("grass").play_turn("grass").play("=grass")
    assert "outpost" in table.steps
    for _ in range(3):
        table.play(min(table.targets()))
    assert "nomads" not in seat(table.play("end"), "blue")


def test_a3_a_tile_gained_after_the_own_turn_is_ready_in_the_next():
    table = Table(
        f"kb1 {ROUND} nomads=sword@e5,outpost@f4 cards=lords start=blue red=c5 "
        "blue=-/gifts=canoe green=- turn=red card=grass"
    )
    table.play("d5", "canoe:blue@f5")
    assert seat(table, "blue") == "blue=f5/used=canoe/nomads=outpost/gifts=canoe"


# A4: special spaces by card


@pytest.mark.parametrize(
    ("option", "red", "blue"), [("books", (7, 0, 5, 0), (0, 0)), ("all", (8, 8, 10, 8), (1, 5))]
)
def test_a4_special_spaces_count_as_the_books_list_them(option, red, blue):
    table = Table(
        f"kb1 {grass_with(('e5', 'p'), ('h5', 'o'), ('l5', 'k'))} "
        f"cards=workers,merchants,noblewomen tasks=place_of_refuge options=special_spaces:{option} "
        "red=d4,e4,d5,f5,g5,d6,e6,k5 blue=i5 turn=red card=grass"
    )
    cards = ("workers", "merchants", "noblewomen", "place_of_refuge")
    assert tuple(table.gold_of(card)[0] for card in cards) == red
    assert (table.gold_of("workers")[1], table.gold_of("noblewomen")[1]) == blue
    assert table.gold_of("palaces")[0] == 5


def test_a4_the_university_counts_palaces_and_silos():
    table = Table(
        f"kb1 {grass_with(('e5', 'o'), ('m9', 'p'))} cards=lords red=a1/gifts=university blue=i5 "
        "turn=red card=grass"
    )
    assert len(table.targets("university:")) == 12


# A5: 18 tokens

CATHEDRAL = f"kb1 {grass_with(('e5', 'l'))} locations=cathedral@e5 cards=lords"


def test_a5_without_a_token_none_is_taken():
    table = Table(
        f"{CATHEDRAL} red=a1/gifts=cathedral/tokens=18 blue=- turn=red card=grass phase=post"
    )
    assert "cathedral:take" not in table.steps and "end" in table.steps


def test_a5_without_a_token_a_tile_brings_none():
    table = Table(f"{CATHEDRAL} red=d4/gifts=cathedral/tokens=18 blue=- turn=blue card=grass")
    table.play("e4")
    assert seat(table, "blue") == "blue=e4/tiles=cathedral@e5/fresh=cathedral/tokens=0"


def test_a5_a_token_given_back_comes_again_with_the_tile_its_house_gains():
    table = Table(
        f"{CATHEDRAL} red=d3/gifts=cathedral/tokens=18 blue=- turn=red card=grass phase=post"
    )
    table.play("cathedral:d4")
    assert "/tokens=18" in seat(table, "red") and "doing=cathedral:18" in table.line


def test_a5_more_than_18_tokens_are_refused():
    both = "red=a1/gifts=cathedral/tokens={} blue=a3/gifts=cathedral/tokens={} turn=red card=grass"
    assert refuses(f"{CATHEDRAL} {both.format(19, 0)}")
    assert refuses(f"{CATHEDRAL} {both.format(10, 9)}")
    assert not refuses(f"{CATHEDRAL} {both.format(10, 8)}")
    message = r"expected at most 18 tokens in all, got 19 \(R6.5\)"
    with pytest.raises(NotationError, match=message):
        parse_position(f"{CATHEDRAL} {both.format(10, 9)}")


# A6: expansions are added to the base game


@pytest.mark.parametrize(
    ("sets", "whole"),
    [
        (("caves",), ("base", "caves")),
        (("nomads",), ("base", "nomads")),
        (("nomads", "harvest"), ("base", "nomads", "harvest")),
    ],
)
def test_a6_an_expansion_named_alone_comes_with_the_base_game(sets, whole):
    setups = [Setup.random(seed, sets=sets) for seed in range(40)]
    assert setups == [Setup.random(seed, sets=whole) for seed in range(40)]
    base = {quadrant.name for quadrant in load().quadrants.values() if quadrant.set == "base"}
    assert base <= {name.rstrip("*") for setup in setups for name in setup.board}


# A7: caves and capitols are checked

PRINTED = "board=oracle,harbor,tavern,farm"
SITES = "a6 h9 q4 d11 e11 f12 g12 h13 i13 j13 i14 j14 o18 l19"


@pytest.mark.parametrize("word", ["capitols=d2", "capitols=d2,m5", "caves=a6", "caves=h9,q4,i14"])
def test_a7_caves_and_capitols_lie_where_the_rules_lay_them(word):
    assert not refuses(f"kb1 {PRINTED} {word} cards=lords red=- blue=- turn=red card=hidden")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("capitols=d14", "expected a castle of the quadrant oracle or harbor for a capitol, got "),
        ("capitols=d2,c8", "expected one capitol in a quadrant, got 'c8' as a second (R8.4)."),
        ("capitols=m5,m9", "expected one capitol in a quadrant, got 'm9' as a second (R8.4)."),
        ("caves=a6,h9", "expected one cave in a quadrant, got 'h9' as a second (R6.7)."),
        ("caves=b6", "expected a mountain 3 hexes or more from all special spaces for a cave, got"),
        ("caves=d7", "got 'd7'; in its quadrant a6 h9 would do (R6.7)."),
        ("caves=c7", "expected a mountain of the board for a cave, got 'c7'."),
    ],
)
def test_a7_others_are_refused_with_the_rule(word, message):
    line = f"kb1 {PRINTED} {word} cards=lords red=- blue=- turn=red card=hidden"
    assert refuses(line)
    with pytest.raises(NotationError) as caught:
        parse_position(line)
    assert message in str(caught.value)


def test_a7_the_sites_of_caves_are_those_of_the_rules():
    found = [
        f"{chr(97 + column)}{row + 1}"
        for row in range(20)
        for column in range(20)
        if not refuses(
            f"kb1 {PRINTED} caves={chr(97 + column)}{row + 1} cards=lords red=- blue=- turn=red "
            "card=hidden"
        )
    ]
    assert sorted(found) == sorted(SITES.split())


@pytest.mark.parametrize(
    ("caves", "capitols", "is_refused"),
    [(4, 0, False), (5, 0, True), (0, 2, False), (0, 3, True)],
)
def test_a7_on_a_map_only_the_numbers_are_checked(caves, capitols, is_refused):
    ground = grass_with(("a1", "MMMMM"), ("a3", "kkk"))
    words = [f"caves={','.join('abcde'[i] + '1' for i in range(caves))}"] * bool(caves)
    words += [f"capitols={','.join('abc'[i] + '3' for i in range(capitols))}"] * bool(capitols)
    line = f"kb1 {ground} {' '.join(words)} cards=lords red=- blue=- turn=red card=hidden"
    assert refuses(line) is is_refused


# A8: tiles during a move of several steps

SEA = f"kb1 {sea_with(('d4', 'l'), ('k11', 'GGG'))} locations=farm@d4 cards=lords"


def sail(option: str, start: str, *way: str, tiles: str = "") -> Table:
    table = Table(
        f"{SEA} options=move_tiles:{option} red=k11{tiles}/gifts=lighthouse/ship={start} blue=- "
        "turn=red card=grass"
    )
    for cell in way:
        table.play(f"lighthouse:{start}-", f"-{cell}")
        start = cell
    return table


@pytest.mark.parametrize(("option", "lost"), [("each_step", True), ("at_end", False)])
def test_a8_a_ship_that_passes_takes_and_loses_a_tile_or_neither(option, lost):
    table = sail(option, "b5", "c5", "d5", "d6")
    assert ("/lost=farm@d4" in table.line) is lost


@pytest.mark.parametrize("option", ["each_step", "at_end"])
def test_a8_a_ship_that_ends_there_takes_the_tile(option):
    table = sail(option, "b5", "c5", "d5", "e5")
    assert "/tiles=farm@d4/used=lighthouse/fresh=farm/" in table.line


@pytest.mark.parametrize(("option", "lost"), [("each_step", True), ("at_end", False)])
def test_a8_a_ship_that_comes_back_has_its_tile_or_not(option, lost):
    table = sail(option, "d5", "d6", "d5", tiles="/tiles=farm@d4").play("stop")
    assert ("/lost=farm@d4" in table.line) is lost
    assert ("/tiles=farm@d4" in table.line) is not lost


def test_a8_a_resettlement_looks_at_all_its_pieces_where_it_ends():
    ends = {}
    for option in ("each_step", "at_end"):
        table = Table(
            f"kb1 {grass_with(('e5', 'l'), ('j5', 'n'))} locations=farm@e5 nomads=sword@j5 "
            f"cards=lords options=move_tiles:{option} red=c5,e8/nomads=resettlement blue=- "
            "turn=red card=grass"
        )
        moved = []
        for source, target in (("c5", "d5"), ("d5", "c5"), ("e8", "e7"), ("e7", "e6")):
            table.play(f"resettlement:{source}-", f"-{target}")
            moved += [word for word in table.line.split() if word.startswith("moved=")]
        ends[option] = seat(table, "red"), moved
    assert ends == {
        "each_step": ("red=c5,e6/tiles=-/lost=farm@e5", []),
        "at_end": (
            "red=c5,e6/tiles=farm@e5/fresh=farm",
            ["moved=d5", "moved=c5", "moved=c5,e7"],
        ),
    }


# A9: a bazaar that repeats a cathedral

BAZAAR = f"kb1 {grass_with(('r18', 'W'))} cards=lords"


@pytest.mark.parametrize(("tokens", "offered"), [(0, False), (1, True)])
def test_a9_a_repeated_cathedral_only_builds(tokens, offered):
    table = Table(
        f"{BAZAAR} red=a1/used=cathedral/gifts=bazaar,cathedral/tokens={tokens} blue=- turn=red "
        "card=grass"
    )
    assert ("bazaar:cathedral" in table.steps) is offered
    if offered:
        assert sorted(table.play("bazaar:cathedral").steps) == ["cathedral:a2", "cathedral:b1"]


def test_a9_another_cathedral_still_takes_a_token():
    table = Table(
        f"{BAZAAR} red=a1/used=cathedral/gifts=bazaar,cathedral,cathedral/tokens=0 blue=- "
        "turn=red card=grass"
    )
    assert "cathedral:take" in table.steps and "bazaar:cathedral" not in table.steps
