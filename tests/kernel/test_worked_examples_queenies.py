"""The worked examples of the rules (R10) that concern capitol and island, on both engines."""

import pytest
from worked import Table, as_set, cells, sea_with

from kbai.game.cells import format_cell
from kbai.game.setup import Setup

HARBOR_GAME = "kb1 board=harbor,paddock,oasis,farm"
SETUP = Setup.first_game()
PLACES = [f"{space.tile}@{format_cell(space.cell)}" for space in SETUP.spaces if space.tile]
# As a map: the castle l12 is the farm's, which has no capitol as a quadrant.
FIRST_MAP = f"kb1 map={'/'.join(SETUP.letters)} locations={','.join(PLACES)}"


def test_x29_a_capitol_pays_for_settlements_within_two_hexes():
    # Castle (4,2): two of red's hexes are beside it, two at distance 2, three farther away.
    red = "(3,1) (4,3) (2,2) (5,0) (1,2) (1,1) (9,1)"
    table = Table(
        f"{HARBOR_GAME} capitols=c5 cards=lords red={','.join(cells(red))} blue=d4 "
        "turn=red card=flower"
    )
    assert table.gold_of("capitols") == (4, 1)
    assert table.gold_of("castles") == (6, 0)  # (9,1) is beside the castle (8,2)


NEAR = """(9,10) (9,11) (9,12) (10,10) (10,11) (10,12) (10,13) (11,9) (11,10) (11,12) (11,13)
(12,10) (12,11) (12,12) (12,13) (13,10) (13,11) (13,12)"""
THREE_AWAY = """(8,10) (8,11) (8,12) (8,13) (9,9) (9,13) (10,9) (10,14) (11,8) (11,14) (12,9)
(12,14) (13,9) (13,13) (14,10) (14,11) (14,12) (14,13)"""


def test_c21_eighteen_hexes_lie_within_two_of_a_capitol():
    assert len(as_set(NEAR)) == len(as_set(THREE_AWAY)) == 18
    # With a harbor a house may stand on water.
    table = Table(
        f"{FIRST_MAP} capitols=l12 cards=lords red={','.join(cells(NEAR))}/gifts=harbor "
        f"blue={','.join(cells(THREE_AWAY))} turn=red card=flower"
    )
    assert table.gold_of("capitols") == (18, 0)


def test_c21_no_other_hex_of_the_board_counts():
    special = as_set(
        "(3,3) (7,15) (17,1) (11,11) (6,2) (6,7) (2,18) (6,11) (12,7) (17,5) (11,17) (15,12)"
    )
    board = as_set(" ".join(f"({r},{c})" for r in range(20) for c in range(20)))
    counted = set()
    for cell in board - special:
        # With a harbor, a fountain and its bonus a house may stand on water and mountains, too.
        table = Table(
            f"{FIRST_MAP} capitols=l12 cards=lords red={cell}"
            "/gifts=harbor,fountain,fountain_bonus blue=- turn=red card=flower"
        )
        if table.gold_of("capitols") == (1, 0):
            counted.add(cell)
    assert counted == as_set(NEAR)


@pytest.mark.parametrize(
    "oasis, farm",
    [
        ("~b2", {"~c1", "~c2"}),  # grass beside it: only there
        ("~a3", {"a1", "~c1", "~d1", "~c2", "~d2", "~d3"}),  # none beside it: anywhere
    ],
)
def test_x30_the_island_is_open_when_no_hex_is_adjacent(oasis, farm):
    table = Table(
        f"kb1 {sea_with(('h10', 'DDD'), ('t20', 'D'), ('a1', 'G'))} "
        "island=kbai_tree_house cards=lords red=-/gifts=farm,oasis blue=- "
        "turn=red card=desert"
    )
    island = {"~a2", "~b2", "~a3", "~b3", "~a4"}
    assert table.targets() == {"h10", "i10", "j10", "t20", *island}
    table.play("h10")
    assert table.targets() == {"i10"}
    table.play("i10", "j10")
    assert table.targets("oasis:") == {"t20", *island}
    table.play(f"oasis:{oasis}")
    assert table.targets("farm:") == farm
