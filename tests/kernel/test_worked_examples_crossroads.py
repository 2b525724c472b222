"""The worked examples of the rules (R10) that concern Crossroads, on both engines."""

import re

import pytest
from worked import FIRST_GAME, Table, as_set, cells, grass_with, line, sea_with

CENTRES = "(6,9) (7,9) (8,6) (8,10) (9,6) (9,9) (10,7) (10,8) (10,9)"


def test_c14_city_hall_needs_seven_free_hexes_one_of_them_beside_a_settlement():
    table = Table(line("(8,8)", gifts="city_hall"))
    assert table.targets("city_hall:") == as_set(CENTRES)


FLOWER_AREA = "(12,18) (12,19) (13,19)"


@pytest.mark.parametrize(
    "red, blue, gold",
    [
        (FLOWER_AREA, "", (5, 0)),
        ("", FLOWER_AREA, (0, 5)),
        ("(12,18) (12,19)", "", (0, 0)),
        ("(12,18) (12,19)", "(13,19)", (0, 0)),
    ],
    ids=["whole area", "whole area of another", "one hex empty", "one hex of another"],
)
def test_c19_home_country_is_a_whole_area(red, blue, gold):
    assert Table(line(red, blue, tasks="home_country")).gold_of("home_country") == gold


def test_c19_a_wall_in_the_area_spoils_it():
    text = line("(12,18) (12,19)", tasks="home_country", gifts="quarry", card="grass")
    assert Table(f"{text} walls=t14").gold_of("home_country") == (0, 0)


def test_c19_home_country_is_paid_once():
    desert_area = "(10,10) (10,11) (11,10)"
    for red in (desert_area, f"{FLOWER_AREA} {desert_area}"):
        assert Table(line(red, tasks="home_country")).gold_of("home_country") == (5, 0)


@pytest.mark.parametrize("centre", cells(CENTRES))
def test_10_3_a_city_hall_beside_a_single_house(centre):
    table = Table(line("(8,8)", gifts="city_hall", cards="citizens,hermits", tasks="fortress"))
    assert (table.gold_of("fortress"), table.supply("red")) == ((0, 0), 39)
    table.play(f"city_hall:{centre}")
    assert table.gold_of("fortress") == (6, 0)
    assert table.gold_of("citizens") == (4, 0)
    assert table.gold_of("hermits") == (1, 0)
    assert table.supply("red") == 39
    assert not table.targets("city_hall:")  # once a game


def test_10_3_a_ship_beside_a_castle():
    # (4,3) is water beside the castle (3,3); (4,2), (5,3) are water as well.
    table = Table(
        f"{FIRST_GAME} cards=fishermen,workers red=-/gifts=lighthouse/ship=d5 blue=- "
        "turn=red card=flower"
    )
    assert table.gold_of("castles") == (3, 0)
    assert table.gold_of("workers") == (1, 0)
    assert table.gold_of("fishermen") == (0, 0)


@pytest.mark.parametrize("wagon, fishermen", [("(2,14)", 1), ("(1,10)", 0)])
def test_10_3_a_wagon_on_a_mountain(wagon, fishermen):
    # Both lie in mountains with others beside them; (2,14) is beside the water (2,15), too.
    table = Table(
        f"{FIRST_GAME} cards=fishermen,miners red=-/gifts=wagon/wagon={cells(wagon)[0]} "
        "blue=- turn=red card=flower"
    )
    assert table.gold_of("fishermen") == (fishermen, 0)
    assert table.gold_of("miners") == (0, 0)


def test_10_3_a_house_below_the_mountain_of_the_wagon_is_a_miner():
    table = Table(
        f"{FIRST_GAME} cards=miners red=k1/gifts=wagon/wagon=k2 blue=- turn=red card=flower"
    )
    assert table.gold_of("miners") == (1, 0)


# Grass around j10, its tail to the west, and one hex far away; all else is water.
ISLET = sea_with(("j9", "GG"), ("h10", "GGGG"), ("j11", "GG"), ("a1", "G"))
SHORE = as_set("(9,6) (8,7) (8,8) (10,7) (10,8)")  # the water beside the tail
TILES = "farm,quarry,caravan,lighthouse,barracks,city_hall,wagon,refuge,scout_cabin"


def blocked(owner: str) -> Table:
    """Red to move from the tail; the warrior on j10 is red's or blue's."""
    warrior = {"red": "", "blue": "", owner: "/warriors=j10"}
    return Table(
        f"kb1 {ISLET} cards=lords "
        f"red=h10/nomads=donation_grass,resettlement,sword/gifts={TILES}{warrior['red']} "
        f"blue=t20/gifts=barracks{warrior['blue']} turn=red card=grass"
    )


@pytest.mark.parametrize("owner", ["red", "blue"])
def test_10_3_a_warrior_blocks_all_six_neighbours_for_everybody(owner):
    table = blocked(owner)
    for placing in ("", "farm:", "wagon:", "donation_grass:"):
        assert table.targets(placing) == {"a1"}, placing
    own = {"j10"} if owner == "red" else set()  # a warrior itself may be moved by other tiles
    assert table.targets("barracks:") == {"a1", *(f"back@{cell}" for cell in own)}
    assert table.targets("quarry:") == set()
    assert table.targets("city_hall:") == set()
    assert table.targets("scout_cabin:") == table.targets("lighthouse:") == SHORE
    for moving in ("refuge:", "caravan:", "resettlement:"):
        assert table.targets(moving) == own, moving


@pytest.mark.parametrize(
    "owner, removal", [("red", "barracks:back@j10"), ("blue", "sword:blue@j10")]
)
def test_10_3_the_neighbours_are_free_once_the_warrior_is_gone(owner, removal):
    table = blocked(owner).play(removal)
    for placing in ("", "farm:", "wagon:", "donation_grass:", "quarry:"):
        assert table.targets(placing) == {"i10"}, placing
    assert table.targets("scout_cabin:") == {*SHORE, "i10"}
    assert table.targets("city_hall:") == {"j10"}
    assert table.moves("refuge", "h10") == {"i10"}
    assert table.moves("caravan", "h10") == {"k10"}


@pytest.mark.parametrize("tile", ["refuge", "caravan"])
def test_10_3_a_warrior_that_is_moved_does_not_block_its_own_way(tile):
    assert blocked("red").moves(tile, "j10") == as_set("(8,9) (8,10) (9,8) (9,10) (10,9) (10,10)")


@pytest.mark.parametrize("owner", ["red", "blue"])
def test_10_3_a_second_warrior_cannot_stand_beside_the_first(owner):
    warrior = {"red": "", "blue": "", owner: "/warriors=j10"}
    table = Table(
        f"kb1 {grass_with()} cards=lords red=h10/gifts=barracks{warrior['red']} "
        f"blue=-/gifts=barracks{warrior['blue']} turn=red card=grass"
    )
    assert table.targets("barracks:") - {"back@j10"} == as_set("(8,7) (8,8) (9,6) (10,7) (10,8)")


@pytest.mark.parametrize("owner", ["red", "blue"])
def test_10_3_a_piece_beside_a_warrior_may_leave(owner):
    warrior = {"red": "", "blue": "", owner: "/warriors=j10"}
    table = Table(
        f"kb1 {grass_with()} cards=citizens "
        f"red=i10/gifts=barracks,refuge,paddock{warrior['red']} "
        f"blue=-/gifts=barracks{warrior['blue']} turn=red card=grass"
    )
    assert table.gold_of("citizens") == ((1, 0) if owner == "red" else (0, 0))  # counts as ever
    assert table.moves("refuge", "i10") == as_set("(9,7) (8,8) (10,8)")
    # Two away lie the warrior's far neighbour k10 in the east, and hexes out of its reach.
    assert table.moves("paddock", "i10") == as_set("(9,6) (7,7) (7,9) (11,7) (11,9)")
    table.play("refuge:i10-", "-h10")
    assert "i10" not in table.targets()  # and cannot come back
    assert table.targets() == as_set("(8,7) (8,8) (9,6) (10,7) (10,8)")


def test_10_3_supply_1_the_last_house_leaves_figures_and_city_hall_to_place():
    table = Table(
        f"kb1 {grass_with()} cards=lords red=h10/gifts=barracks,city_hall,farm/supply=1 "
        "blue=t20 turn=red card=grass"
    )
    table.play("g10")
    assert "phase=post" in table.line and table.supply("red") == 0
    assert not table.targets() and not table.targets("farm:")
    table.play("city_hall:i8", "barracks:f10", "end")
    assert "hall=i8" in table.line and "warriors=f10" in table.line
    assert not table.position.is_over
    assert table.play_turn("grass").position.is_over


BUILDS = (
    "farm",
    "tower",
    "tavern",
    "village",
    "foresters_lodge",
    "fort",
    "fountain",
    "water_mill",
    "mountain_station",
    "watchtower",
    "university",
)
OTHERS = (
    "quarry",
    "lighthouse",
    "barracks",
    "city_hall",
    "wagon",
    "temple",
    "refuge",
    "scout_cabin",
)


@pytest.mark.parametrize("tiles", [BUILDS, OTHERS], ids=["builds", "others"])
@pytest.mark.parametrize("supply", [1, 0])
def test_10_3_supply_0_leaves_what_needs_no_house(supply, tiles):
    # A line of three, a gap between three, forest, water, a mountain, a castle, and blue's house.
    ground = grass_with(("a3", "WM"), ("s3", "k"), ("s15", "T"))
    table = Table(
        f"kb1 {ground} cards=lords red=b2,i10,j10,k10,j12/gifts={','.join(tiles)},"
        f"cathedral/tokens=1/supply={supply} blue=t20 turn=red card=grass"
    )
    kinds = {step.split(":")[0] for step in table.steps if not re.fullmatch(r"[a-t]\d+", step)}
    if supply:
        assert kinds == {*tiles, "cathedral"} and len(table.targets("cathedral:")) > 1
    else:
        assert kinds == {*(set(tiles) - set(BUILDS)), "cathedral", "end"}
        assert table.targets("cathedral:") == {"take"}
