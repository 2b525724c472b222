"""The worked examples of the rules (R10), each under its number, on both engines.

Here those of base and Nomads, and the scoring position P1 with the cards of all sets; the others
are in test_worked_examples_SET.py.
"""

import re

import pytest
import reference
from worked import FIRST_GAME, Table, as_set, cells, line, sea_with

COUNTS = {"grass": 61, "canyon": 55, "desert": 53, "flower": 57, "forest": 58}


def test_x1_several_settlements_at_one_castle_are_3_gold():
    table = Table(line("(3,2) (3,4) (2,3)"))
    assert table.gold["red"]["castles"] == 3


def test_x2_two_free_adjacent_hexes_are_the_only_choice_for_the_third_house():
    # (4,0) and (5,0) touch two more flower hexes; everything else around is water, desert, canyon.
    table = Table(line(card="flower")).play(*cells("(4,0) (5,0)"))
    assert table.targets() == as_set("(4,1) (6,1)")


TAVERN = reference.QUADRANTS["tavern"][1].split()


@pytest.mark.parametrize("counts, gold", [((8, 8, 6, 2), (12, 12, 6, 0)), ((5, 0), (12, 6))])
def test_x3_lords_rank_distinct_counts(counts, gold):
    # One quadrant has land for the counts, the others are level: no settlement at all there.
    names = ("red", "blue", "green", "yellow")[: len(counts)]
    land = [f"({r},{c})" for r in range(10) for c in range(10) if TAVERN[r][c] not in "MWkl"]
    free = iter(cells(" ".join(land)))
    seats = " ".join(
        f"{name}={','.join([next(free) for _ in range(n)]) or '-'}"
        for name, n in zip(names, counts, strict=True)
    )
    text = f"{FIRST_GAME} cards=lords {seats} turn=red card=flower"
    # Zero counts tie for the most in the three empty quadrants: 12 each for everybody.
    rows = Table(text).gold
    assert tuple(rows[name]["lords"] - 36 for name in names) == gold


def test_x4_farmers_take_the_smallest_quadrant():
    table = Table(
        f"{FIRST_GAME} cards=farmers "
        "red=a1,b1,c1,f1,g1,h1,i1,j1,a2,b2,k1,l1,m1,n1,o1,q1,a11,b11,c11,f11,g11,h11,"
        "k11,l11,m11,p11 blue=- turn=red card=forest"
    )
    assert table.gold["red"]["farmers"] == 12


def test_x5_merchants_count_each_connected_space_once():
    # One area from Tavern (6,7) to Paddock (6,11), another from Oasis (12,7) to (17,5);
    # a lone settlement at the castle (3,3) connects nothing.
    table = Table(
        f"{FIRST_GAME} cards=merchants red={','.join(cells(CHAIN))} blue=- turn=red card=flower"
    )
    assert table.gold["red"]["merchants"] == 16


CHAIN = "(6,8) (6,9) (6,10) (13,6) (14,6) (15,6) (16,6) (3,4)"


def test_x6_knights_score_the_best_row_alone():
    table = Table(line("(0,0) (0,1) (0,2) (4,0) (4,1) (10,0) (10,1)", cards="knights"))
    assert table.gold["red"]["knights"] == 6


@pytest.mark.parametrize("size", [6, 7])
def test_x7_citizens_score_half_the_largest_area(size):
    area = "(2,0) (2,1) (2,2) (2,3) (2,4) (2,5) (2,6)".split()[:size]
    table = Table(line(" ".join([*area, "(10,0)", "(10,1)"]), cards="citizens"))
    assert table.gold["red"]["citizens"] == 3


def test_x8_nine_flower_hexes_reach_five_locations():
    table = Table(line(card="flower"))
    reached = {}
    for cell in table.targets():
        after = Table(line(card="flower")).play(cell)
        found = re.search(r"red=\S*/tiles=([^/ ]+)", after.line)
        if found and found[1] != "-":
            reached[cell] = found[1]
    assert len(reached) == 9
    assert set(reached.values()) == {"paddock@s3", "tavern@c7", "farm@r12", "oasis@h13", "farm@m16"}


def test_x9_no_canyon_beside_leaves_all_canyons_free():
    red = "(15,13) (14,14) (16,14)"
    canyon = Table(line(red, card="canyon"))
    assert len(canyon.targets()) == 55 and "g17" in canyon.targets()
    assert Table(line(red, card="forest")).targets() == as_set("(16,13) (17,13)")


@pytest.mark.parametrize("card, count", COUNTS.items())
def test_first_placements_are_all_hexes_of_the_terrain(card, count):
    assert len(Table(line(card=card)).targets()) == count


def test_c1_second_house_on_flower():
    assert Table(line("(15,13)", card="flower")).targets() == as_set("(14,14) (16,14)")


@pytest.mark.parametrize(
    "number, red, tile, expected",
    [
        ("c3", "(2,1) (2,2) (2,3)", "tower", "(1,0) (2,0)"),
        ("c4", "(2,1) (2,2) (2,3)", "tavern", "(2,0) (2,4)"),
        ("c5", "(2,1) (2,2) (1,2)", "tavern", ""),
    ],
    ids=lambda value: value if isinstance(value, str) and value[0:1] == "c" else "",
)
def test_c3_c4_c5_build_tiles(number, red, tile, expected):
    assert Table(line(red, gifts=tile)).targets(f"{tile}:") == as_set(expected)


def test_c2_tower_without_an_adjacent_edge_hex_takes_any_of_47():
    assert len(Table(line("(15,13) (14,14) (16,14)", gifts="tower")).targets("tower:")) == 47


@pytest.mark.parametrize(
    "red, expected",
    [
        ("(2,2)", "(0,1) (2,0) (2,4) (4,1)"),
        ("(16,6)", "(14,5) (14,7) (16,8) (18,7)"),
    ],
    ids=["c6", "c7"],
)
def test_c6_c7_paddock_jumps_exactly_two(red, expected):
    table = Table(line(red, gifts="paddock"))
    source = cells(red)[0]
    assert table.targets("paddock:") == {source}
    assert table.play(f"paddock:{source}-").targets("-") == as_set(expected)


def barn(red: str, source: str, card: str, options: str = "") -> set[str] | None:
    """Where the Barn may put a lifted piece; None if it cannot be lifted."""
    table = Table(line(red, card=card, gifts="barn", options=options))
    cell = cells(source)[0]
    if cell not in table.targets("barn:"):
        return None
    return table.play(f"barn:{cell}-").targets("-")


WHOLE_DESERT = "(10,10) (10,11) (11,10)"


def test_c15_a_piece_whose_vacated_hex_is_the_only_adjacent_one_cannot_move():
    assert barn(WHOLE_DESERT, "(11,10)", "desert") is None
    elsewhere = barn(WHOLE_DESERT, "(11,10)", "desert", "vacated_hex_counts:false")
    assert elsewhere is not None and len(elsewhere) == 50


def test_c16_a_piece_from_another_terrain_may_go_to_any_desert():
    targets = barn(WHOLE_DESERT + " (15,13)", "(15,13)", "desert")
    assert targets is not None and len(targets) == 50


def test_c17_hexes_that_touch_only_the_vacated_hex_are_no_targets():
    assert barn("(8,8) (8,9) (9,9)", "(8,8)", "grass") == as_set(
        "(7,8) (7,9) (8,10) (9,8) (9,10) (10,9)"
    )


@pytest.mark.parametrize("source", ["m13", "m14", "m15"])
def test_c18_harbor_moves_next_to_the_own_line(source):
    table = Table(line("(12,12) (13,12) (14,12)", gifts="harbor"))
    assert table.play(f"harbor:{source}-").targets("-") == as_set("(14,13)")


P1_A = """(0,0) (1,0) (2,0) (2,1) (2,2) (2,3) (2,4) (4,5) (9,7) (9,8) (9,9) (3,18) (3,19) (7,14)
(16,6) (16,7) (17,6) (12,12) (13,12) (14,12) (14,14) (15,13) (16,14) (19,10) (19,11)"""
P1_B = """(3,4) (4,4) (7,6) (7,7) (8,8) (8,9) (0,18) (0,19) (1,17) (1,18) (6,15) (6,16) (7,16)
(15,4) (15,5) (16,5) (12,11) (13,11)"""
P1 = {
    "castles": (9, 9),
    "fishermen": (11, 4),
    "miners": (3, 0),
    "workers": (9, 11),
    "discoverers": (14, 11),
    "knights": (10, 6),
    "hermits": (9, 6),
    "citizens": (3, 2),
    "merchants": (8, 0),
    "farmers": (9, 6),
    "lords": (42, 36),
    "geologists": (0, 0),
    "messengers": (12, 8),
    "noblewomen": (20, 25),
    "vassals": (4, 1),
    "captains": (2, 2),
    "rangers": (16, 10),
    "travelers": (6, 2),
    "chainers": (9, 8),
    "homesteaders": (11, 7),
    "home_country": (0, 0),
    "fortress": (0, 0),
    "road": (0, 0),
    "place_of_refuge": (0, 0),
    "advance": (0, 0),
    "compass_points": (10, 0),
}
P1_SCOUTS = {
    "grass": (4, 3),
    "canyon": (3, 5),
    "desert": (8, 1),
    "flower": (3, 4),
    "forest": (4, 1),
}
P1_CARDS = [name for name in P1 if name in reference.CARDS]


@pytest.fixture(scope="module")
def p1():
    return Table(line(P1_A, P1_B, cards=",".join(P1_CARDS), tasks=",".join(reference.TASKS)))


@pytest.mark.parametrize("rule, gold", P1.items(), ids=P1)
def test_p1_gold_of_the_scoring_position(p1, rule, gold):
    assert p1.gold_of(rule) == gold


def test_p1_is_scored_for_all_it_has(p1):
    assert set(p1.gold["red"]) == {*P1, "total"}
    assert p1.gold_of("total") == (
        sum(red for red, _ in P1.values()),
        sum(blue for _, blue in P1.values()),
    )


@pytest.mark.parametrize("terrain, gold", P1_SCOUTS.items(), ids=P1_SCOUTS)
def test_p1_scouts_count_what_is_beside_the_terrain_taken_out(terrain, gold):
    card = "grass" if terrain == "flower" else "flower"
    table = Table(line(P1_A, P1_B, cards=f"scouts scouted={terrain}", card=card))
    assert table.gold_of("scouts") == gold


def test_10_3_a_tile_may_lose_itself_by_its_move_and_never_comes_back():
    # Red's only settlement at Paddock (6,11) jumps away with it, and later builds there again.
    table = Table(line("(6,10)", card="flower", phase="post"))
    assert "tiles=paddock@l7" in table.line
    table.play("paddock:k7-")
    target = sorted(table.targets("-") - as_set("(5,10) (5,11) (6,12) (7,10) (7,11)"))[0]
    table.play(f"-{target}")
    assert "lost=paddock@l7" in table.line and "tiles=paddock" not in table.line
    again = Table(f"{FIRST_GAME} cards=lords red=a1/lost=paddock@l7 blue=- turn=red card=canyon")
    again.play("k7")
    assert "red=a1,k7/tiles=-/lost=paddock@l7" in again.line


def test_10_3_of_two_paddocks_the_used_one_goes_when_a_space_is_lost():
    table = Table(
        f"{FIRST_GAME} cards=lords red=k7,t3/tiles=paddock@s3,paddock@l7 blue=- "
        "turn=red card=canyon phase=post"
    )
    table.play("paddock:k7-").play("-" + sorted(table.targets("-") - {"l8", "m7"})[0])
    assert "tiles=paddock@s3" in table.line and "lost=paddock@l7" in table.line
    assert "used=" not in table.line  # the used tile was discarded, the other is ready
    assert table.targets("paddock:")


def test_10_3_a_third_seat_gets_nothing_but_the_space_still_counts():
    text = (
        f"{FIRST_GAME} cards=workers red=- blue=c6/tiles=tavern@c7 green=b7/tiles=tavern@c7 "
        "turn=red card=canyon"
    )
    table = Table(text)
    before = table.targets()
    assert "d7" in before
    table.play("d7")
    assert "red=d7/tiles=-" in table.line
    assert table.gold["red"]["workers"] == 1


def test_10_3_the_last_house_fixes_the_final_round_and_the_turn_goes_on():
    table = Table(f"{FIRST_GAME} cards=lords red=k7/supply=1 blue=- turn=red card=flower")
    table.play(sorted(table.targets())[0])
    assert "phase=post" in table.line and table.targets("paddock:")
    table.play("end", "=grass")
    assert not table.position.is_over
    for _ in range(3):
        table.play(sorted(table.targets())[0])
    table.play("end")
    assert table.position.is_over and table.line.endswith(" discard=grass:1,flower:1")


@pytest.mark.parametrize("options, gold", [("", (12, 6)), ("lords_need_presence:true", (12, 0))])
def test_10_3_lords_without_a_settlement(options, gold):
    rows = Table(line("(0,0) (0,1) (0,2) (1,0) (1,1)", options=options)).gold
    elsewhere = 36 if not options else 0
    assert (rows["red"]["lords"] - elsewhere, rows["blue"]["lords"] - elsewhere) == gold


@pytest.mark.parametrize(
    "red, blue, expected",
    [
        ("(2,2)", "", "(2,6) (2,0) (1,2) (0,1) (3,2)"),
        ("(8,8)", "", "(8,13) (8,4) (4,10) (7,7) (18,13) (15,4)"),
        ("(8,8)", "(8,6)", "(8,13) (8,7) (4,10) (7,7) (18,13) (15,4)"),
    ],
    ids=["c8", "c9", "c10"],
)
def test_c8_c9_c10_caravan_goes_the_full_way(red, blue, expected):
    table = Table(line(red, blue, gifts="caravan"))
    assert table.moves("caravan", cells(red)[0]) == as_set(expected)


def test_c12_village_needs_three_own_settlements_beside():
    table = Table(line("(8,7) (8,9) (9,8)", gifts="village"))
    assert table.targets("village:") == as_set("(8,8)")


@pytest.mark.parametrize(
    "order, gold",
    [
        ("(12,18) (12,19) (13,19)", 2),
        ("(12,19) (12,18) (13,19)", 4),
    ],
)
def test_c20_shepherds_pay_when_no_empty_hex_of_the_terrain_is_beside(order, gold):
    table = Table(line(cards="shepherds"))
    for pair in order.split():
        table.play(cells(pair)[0])
    assert table.gold["red"]["shepherds"] == gold


def test_10_3_a_sword_in_the_final_round_changes_nothing_about_the_end():
    text = (
        f"{FIRST_GAME} cards=lords red=a1/nomads=sword blue=t20/supply=0 "
        "turn=red card=flower start=blue"
    )
    table = Table(text).play("sword:blue@t20")
    assert table.line.split()[-1] == "final=true"
    for _ in range(3):
        table.play(min(table.targets()))
    assert table.play("end").position.is_over


# --- Nomads -------------------------------------------------------------------------------------

CARAVAN_BOARD = "kb1 board=caravan,paddock,oasis,farm"


def test_x10_resettlement_of_two_pieces_takes_both_tiles():
    table = Table(
        f"{CARAVAN_BOARD} nomads=sword@d4 cards=lords red=d1,b5/nomads=resettlement "
        "blue=- turn=red card=flower"
    )
    for move in ("d1-c1", "c1-c2", "c2-d3", "b5-b6"):
        source, target = move.split("-")
        table.play(f"resettlement:{source}-", f"-{target}")
    assert "red=d3,b6/tiles=caravan@c7/fresh=caravan,sword/nomads=sword" in table.line
    assert "doing" not in table.line and "gone=d4" in table.line


def test_x11_a_house_away_from_the_others_needs_an_outpost():
    text = (
        f"{CARAVAN_BOARD} nomads=sword@d4 cards=lords red=-/nomads=outpost blue=- "
        "turn=red card=forest"
    )
    without = Table(text).play("b6", "c6")
    assert "e3" not in without.targets()
    table = Table(text).play("b6", "c6", "outpost")
    assert "e3" in table.targets()
    assert "gone=d4" in table.play("e3").line


@pytest.mark.parametrize(
    "card, order",
    [
        ("flower", "(2,0) (2,1) (2,2)"),
        ("flower", "(2,1) (2,2) (2,0)"),
        ("grass", "(7,7) (8,8) (9,8)"),
    ],
    ids=["along the row", "middle first", "diagonal"],
)
def test_x12_families_score_three_in_a_row(card, order):
    table = Table(line(card=card, cards="families"))
    table.play(*[cells(pair)[0] for pair in order.split()])
    assert table.gold["red"]["families"] == 2


def test_x12_families_score_nothing_for_a_bend():
    table = Table(line(card="flower", cards="families"))
    table.play(*[cells(pair)[0] for pair in ("(2,0)", "(2,1)", "(1,1)")])
    assert table.gold["red"]["families"] == 0


@pytest.mark.parametrize("order, gold", [("i10 j10 k10", 2), ("k10 j10 i10", 0)])
def test_x13_shepherds_depend_on_the_order(order, gold):
    table = Table(
        f"kb1 {sea_with(('h10', 'DDDD'))} cards=shepherds red=- blue=- turn=red card=desert"
    )
    table.play(*order.split())
    assert table.gold["red"]["shepherds"] == gold


def test_x14_ambassadors_score_each_house_beside_others_once():
    table = Table(
        f"kb1 {sea_with(('h10', 'DDDDDDD'), ('h11', 'G'), ('j11', 'GG'))} "
        "cards=ambassadors red=- blue=h11,j11,k11 turn=red card=desert"
    )
    table.play("l10", "k10", "j10")
    assert table.gold["red"]["ambassadors"] == 2


def test_x15_a_second_wall_needs_a_second_hex_beside_an_own_settlement():
    table = Table(
        f"kb1 {sea_with(('h10', 'DDDD'), ('a1', 'D'))} cards=lords "
        "red=h10,i10,j10/gifts=quarry blue=- turn=red card=desert phase=post"
    )
    assert table.targets("quarry:") == {"k10"}
    table.play("quarry:k10")
    assert "walls=k10" in table.line and "doing" not in table.line
    assert not table.targets("quarry:")


def test_x16_caravan_is_stopped_by_a_mountain_and_by_another_seat():
    table = Table(
        f"kb1 {sea_with(('k10', 'M'), letter='G')} cards=lords red=j10/gifts=caravan "
        "blue=i10 turn=red card=grass"
    )
    assert len(table.play("caravan:j10-").targets("-")) == 4
