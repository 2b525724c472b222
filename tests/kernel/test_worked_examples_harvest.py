"""The worked examples of the rules (R10) that concern Harvest, on both engines."""

from worked import FIRST_GAME, Table, as_set, cells, grass_with, sea_with


def test_x24_two_scouts_on_mountains_lead_the_houses_to_a_castle():
    # g10 grass, h10 desert with red's house, two mountains, three grass hexes, the castle n10.
    table = Table(
        f"kb1 {sea_with(('g10', 'GDMMGGGk'))} cards=lords red=h10/gifts=scout_cabin "
        "blue=- turn=red card=grass"
    )
    assert table.targets() == {"g10"}
    assert table.targets("scout_cabin:") == as_set("(9,6) (9,8) (8,7) (8,8) (10,7) (10,8)")
    table.play("scout_cabin:i10")
    assert table.targets("scout_cabin:") == as_set(
        "(9,6) (8,7) (8,8) (10,7) (10,8) (9,9) (8,9) (10,9)"
    )
    table.play("scout_cabin:j10")
    assert "scouts=i10,j10" in table.line and table.supply("red") == 39
    assert table.targets() == {"g10", "k10"}
    assert table.gold_of("castles") == (0, 0)
    table.play("k10", "l10", "m10")
    assert table.gold_of("castles") == (3, 0)
    table.play("end")
    assert "scouts" not in table.line and "red=h10,k10,l10,m10" in table.line


def test_x25_homesteaders_count_the_best_quadrant():
    # 12 of red's top left, 5 top right, 6 bottom left, 7 bottom right.
    red = (
        "(0,0) (0,1) (0,2) (1,0) (1,1) (1,2) (2,0) (2,1) (2,2) (9,7) (9,8) (9,9) "
        "(0,10) (0,11) (0,12) (9,10) (9,11) "
        "(10,0) (10,1) (11,0) (10,7) (10,8) (10,9) "
        "(10,10) (10,11) (10,12) (11,10) (12,10) (12,11) (12,12)"
    )
    table = Table(
        f"{FIRST_GAME} cards=homesteaders red={','.join(cells(red))} blue=a5 turn=red card=flower"
    )
    assert table.gold_of("homesteaders") == (12, 1)


def test_x26_mayors_pay_4_for_each_marker():
    # Red marks row 10 with his fourth house there, though they do not all touch.
    table = Table(
        f"kb1 {grass_with()} cards=mayors red=a10,b10,h10/mayors=3 blue=-/mayors=1,2,4 "
        "yellow=-/mayors=7 turn=red card=grass"
    )
    assert table.gold_of("mayors") == (4, 12, 4)
    assert [table.supply(seat) for seat in ("red", "blue", "yellow")] == [36, 37, 39]
    table.play("c10")
    assert table.gold_of("mayors") == (8, 12, 4)
    assert "mayors=3,10" in table.line and table.supply("red") == 34
    table.play("d10")  # the row is marked once
    assert table.gold_of("mayors") == (8, 12, 4) and table.supply("red") == 33


def test_x26_mayors_a_row_marked_by_another_is_taken():
    table = Table(
        f"kb1 {grass_with()} cards=mayors red=a10,b10,h10 blue=-/mayors=10 turn=red card=grass"
    ).play("c10")
    assert table.gold_of("mayors") == (0, 4) and table.supply("red") == 36


def test_x27_rovers_pay_for_each_quadrant_built_in_during_a_turn():
    table = Table(f"kb1 {grass_with()} cards=rovers red=i5 blue=- turn=red card=grass")
    for cell, gold in (("j5", 1), ("k5", 2), ("l5", 2)):
        assert table.play(cell).gold_of("rovers") == (gold, 0)
    assert "roved=1,2" in table.line
    table.play("end").play_turn("grass")
    assert "roved" not in table.line
    table.play("=grass", "m5")
    assert table.gold_of("rovers")[0] == 3  # a new turn, a new quadrant


def test_x28_silo_moves_make_a_castle_score():
    # The silo d10 beside e10; the castle p10 and the water n12-p12 near n10.
    ground = grass_with(("d10", "o"), ("p10", "k"), ("n12", "WWW"))
    table = Table(
        f"kb1 {ground} cards=fishermen red=e10,f10,g10,n10/supply=0 blue=t20 turn=blue "
        "card=grass phase=post"
    ).play("end")
    assert "turn=red phase=silo" in table.line
    assert set(table.steps) == {"silo:e10-", "silo:f10-", "silo:g10-", "silo:n10-", "end"}
    assert (table.gold_of("castles"), table.gold_of("fishermen")) == ((0, 0), (0, 0))
    assert table.moves("silo", "n10") == as_set(  # beside e10, f10, g10
        "(8,4) (8,5) (8,6) (8,7) (10,4) (10,5) (10,6) (10,7) (9,7)"
    )
    table.play("silo:e10-", "-o11", "silo:f10-", "-p11", "silo:g10-")
    assert table.targets("-") == as_set(  # beside n10, o11, p11
        "(9,12) (8,13) (8,14) (9,14) (10,13) (10,16)"
    )
    table.play("-n11")
    assert table.steps == ["end"]
    assert (table.gold_of("castles"), table.gold_of("fishermen")) == ((3, 0), (3, 0))
    assert table.play("end").position.is_over


def test_x28_a_silo_builds_or_moves_but_not_both():
    table = Table(
        f"kb1 {grass_with(('d10', 'o'))} cards=lords red=e10/supply=5 blue=t20/supply=0 "
        "turn=blue card=grass phase=post"
    ).play("end", "silo:e9")
    assert {step.split(":")[0] for step in table.steps} == {"silo", "stop"}
    assert not [step for step in table.steps if step.endswith("-")]
    table.play("silo:f9", "silo:g9")
    assert table.steps == ["end"] and table.supply("red") == 2
