"""The worked examples of the rules (R10) that concern Marshlands, on both engines."""

import pytest
from worked import FIRST_GAME, Table, as_set, cells, grass_with, line, sea_with

MARSH = {"c3", "d3", "e3", "f3"}
DESERT = {"c15", "d15", "e15", "f15"}


@pytest.mark.parametrize("half, land, houses", [("marsh", MARSH, 2), ("desert", DESERT, 3)])
def test_x17_a_marsh_card_is_two_houses_on_marsh_or_three_on_the_other_half(half, land, houses):
    table = Table(
        f"kb1 {sea_with(('c3', 'SSSS'), ('c15', 'DDDD'))} cards=lords red=- blue=- "
        "turn=red card=marsh_desert"
    )
    assert set(table.steps) == {"choose:marsh_desert/marsh", "choose:marsh_desert/desert"}
    table.play(f"choose:marsh_desert/{half}")
    assert table.targets() == land
    for cell in sorted(land)[:houses]:
        assert "end" not in table.steps
        table.play(cell)
    assert table.steps == ["end"]
    assert table.supply("red") == 40 - houses


def test_x18_a_palace_pays_those_with_the_most_settlements_beside_it():
    # Red has three of the six hexes around the palace j10, blue two, green one.
    table = Table(
        f"kb1 {grass_with(('j10', 'p'))} cards=lords red=i10,j9,k9 blue=k10,k11 "
        "green=j11 turn=red card=grass"
    )
    assert table.gold_of("palaces") == (5, 0, 0)
    level = Table(
        f"kb1 {grass_with(('j10', 'p'))} cards=lords red=i10,j9 blue=k10,k11 "
        "green=j11 turn=red card=grass"
    )
    assert level.gold_of("palaces") == (5, 5, 0)


def canoe(*nature: tuple[str, str]) -> Table:
    """Blue has just taken the last tile of the refuge j10; red, on c3 and i10, has a canoe."""
    table = Table(
        f"kb1 {grass_with(('j10', 'l'), *nature)} locations=refuge@j10 cards=lords "
        "red=c3,i10/gifts=canoe blue=- turn=blue card=grass"
    )
    assert "red=c3,i10/tiles=refuge@j10" in table.line
    return table.play("k10")


SHORE = (("b2", "WW"), ("b3", "W"), ("b4", "W"))  # water beside c3
FAR = (("r19", "SS"), ("q2", "WW"))


def test_x19_canoe_reacts_on_marsh_and_water_beside_own_settlements():
    table = canoe(*SHORE, ("d3", "S"), ("c4", "S"), ("h10", "S"), *FAR)
    expected = {"b2", "c2", "b3", "b4", "d3", "c4", "h10"}
    assert len(expected) == 7
    assert set(table.steps) == {*(f"canoe:red@{cell}" for cell in expected), "pass:red"}
    table.play("canoe:red@h10")
    assert (table.supply("red"), table.supply("blue")) == (37, 39)
    assert "blue=k10/tiles=refuge@j10/fresh=refuge" in table.line
    assert "phase=build2" in table.line and "reacting" not in table.line


def test_x19_water_beside_does_not_force_water():
    table = canoe(*SHORE, *FAR)
    assert table.targets("canoe:red@") == {"b2", "c2", "b3", "b4", "r19", "s19"}
    table.play("pass:red")
    assert (table.supply("red"), table.supply("blue")) == (38, 39)


def test_x19_marsh_beside_does_not_force_marsh():
    assert canoe(("h10", "S"), *FAR).targets("canoe:red@") == {"h10", "q2", "r2"}


@pytest.mark.parametrize(
    "gifts, ground, expected",
    [
        ("fountain", "W", {"l9"}),
        ("fountain", "M", {"l9"}),
        ("fountain,fountain_bonus", "M", {"l9", "j11"}),
    ],
    ids=["x20", "mountain", "mountain with the bonus"],
)
def test_x20_fountain_beside_the_palace(gifts, ground, expected):
    # Of the hexes around j10 and k10: k9 and k11 touch both, i10, j9 and l11 touch blue,
    # l10 is the palace, and j11 is water or mountain.
    table = Table(
        f"kb1 {grass_with(('l10', 'p'), ('j11', ground))} cards=lords "
        f"red=j10,k10/gifts={gifts} blue=i9,l12 turn=red card=grass"
    )
    assert table.targets("fountain:") == expected


TEMPLES = grass_with(("c5", "l"), ("e5", "FFF"), ("p15", "FFF"), ("c15", "l"))


def after_two_temples(second: str) -> Table:
    """Red puts two houses onto temples; blue has a turn; then red turns up a flower card."""
    table = Table(
        f"kb1 {TEMPLES} locations=temple@c5,{second}@c15 cards=lords "
        f"red=a1,b1,d5,d15/gifts={'temple' if second != 'temple' else '-'} blue=t20 "
        "turn=red card=grass phase=post"
    ).play("temple:a1", "temple:b1")
    assert "temple=2" in table.line and table.supply("red") == 36
    return table.play("end").play_turn("grass").play("=flower")


def test_x21_two_temple_houses_and_the_bonus():
    table = after_two_temples("temple")
    for cell, expected in [
        ("p15", {"e5", "f5", "g5", "p15", "q15", "r15"}),  # the first one anywhere
        ("q15", {"e5", "q15"}),
        ("e5", {"e5", "r15"}),
        ("f5", {"f5", "r15"}),
        ("r15", {"g5", "r15"}),
    ]:
        assert table.targets() == expected
        table.play(cell)
    assert "phase=post" in table.line and "temple=" not in table.line
    assert table.supply("red") == 33


def test_x21_without_the_bonus_the_first_is_adjacent_too():
    table = after_two_temples("oracle")
    for cell in ("e5", "f5", "g5"):
        assert table.targets() == {cell}
        table.play(cell)
    assert table.targets() == {"p15", "q15", "r15"}  # no flower left beside a settlement
    table.play("q15")
    assert table.targets() == {"p15", "r15"}
    assert "phase=post" in table.play("p15").line and table.supply("red") == 33


def test_x22_refuge_bonus_over_a_location_and_a_settlement():
    # From e10 east: the farm f10, blue's g10, then h10 beside the temple i10.
    table = Table(
        f"kb1 {grass_with(('f10', 'l'), ('i10', 'l'), ('c15', 'l'))} "
        "locations=farm@f10,temple@i10,temple@c15 cards=lords "
        "red=e10,d15/gifts=refuge_bonus blue=g10 turn=red card=grass"
    )
    assert "red=e10,d15/tiles=farm@f10,temple@c15/gifts" in table.line
    assert table.moves("refuge_bonus", "e10") == as_set("(9,7) (9,3) (8,4) (8,5) (10,4) (10,5)")
    table.play("refuge_bonus:e10-", "-h10")
    assert (
        "red=h10,d15/tiles=temple@i10,temple@c15/used=refuge_bonus/fresh=temple,temple_bonus"
        "/lost=farm@f10/gifts=refuge_bonus"
    ) in table.line
    assert table.targets("temple:") == {"h10", "d15"}  # by the first tile, the second is fresh
    table.play("temple:d15")
    assert not table.targets("temple:")


def test_x23_noblewomen_pay_each_space_but_palaces():
    # Yellow leads at the castle d5, the farm j5 and the nomad space p5; red and blue share the
    # tavern d15; red leads at the palace j15, which pays once and not for this card.
    spaces = (("d5", "k"), ("j5", "l"), ("p5", "n"), ("d15", "l"), ("j15", "p"))
    table = Table(
        f"kb1 {grass_with(*spaces)} locations=farm@j5,tavern@d15 cards=noblewomen "
        "red=d4,c15,i15,k15 blue=q5,e15 yellow=c5,e5,i5,o5,p4,j14 turn=red card=grass"
    )
    assert table.gold_of("noblewomen") == (5, 5, 15)
    assert table.gold_of("palaces") == (5, 0, 0)
    assert table.gold_of("castles") == (3, 0, 3)


def test_c11_refuge_bonus_takes_the_nearest_hex():
    table = Table(line("(2,2)", "(2,3)", gifts="refuge_bonus"))
    assert table.moves("refuge_bonus", "c3") == as_set("(2,4) (2,1) (1,2) (1,1) (3,2) (4,1)")


def test_c13_fountain_beside_one_own_settlement_and_no_other():
    table = Table(line("(8,8)", "(8,6)", gifts="fountain"))
    assert table.targets("fountain:") == as_set("(7,7) (7,8) (8,9) (9,7) (9,8)")


def last_two_houses(gifts: str) -> Table:
    return Table(
        f"{FIRST_GAME} cards=lords red={','.join(cells('(2,0) (2,1) (2,2)'))}"
        f"/gifts={gifts}/supply=2 blue=- turn=red card=flower"
    )


def test_10_3_a_house_on_a_temple_delays_the_end():
    table = last_two_houses("temple").play("temple:c3")
    assert (table.supply("red"), table.naive.seat["red"].temple) == (2, 1)
    table.play("c3").play("d3")
    assert (table.supply("red"), table.naive.seat["red"].temple) == (0, 1)
    assert "phase=post" in table.line  # the house on the temple is for the next turn
    table.play("end").play_turn("grass")
    assert not table.position.is_over and "turn=red" in table.line
    table.play("=flower")
    assert "phase" not in table.line and "end" not in table.steps  # one house is owed
    table.play("e3")
    assert (table.supply("red"), table.naive.seat["red"].temple) == (0, 0)
    assert "phase=post" in table.line
    table.play("end")
    assert not table.position.is_over
    assert table.play_turn("grass").position.is_over


def test_10_3_without_a_temple_the_last_two_houses_are_the_end():
    table = last_two_houses("-").play("d3", "e3")
    assert table.supply("red") == 0 and "phase=post" in table.line
    assert table.play("end").play_turn("grass").position.is_over


def test_10_3_supply_1_with_a_marsh_card_is_one_house():
    table = Table(
        f"kb1 {sea_with(('c3', 'SSSS'), ('c15', 'DDDD'))} cards=lords "
        "red=c3/supply=1 blue=f15 turn=red card=marsh_desert"
    )
    table.play("choose:marsh_desert/marsh", "d3")
    assert table.steps == ["end"] and table.supply("red") == 0
