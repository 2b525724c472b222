"""Visits that begin with steps of the best turn known: what they look at, and what stays."""

import pytest
from positions import position

from kbai._fast import Position
from kbai._mcts import Tree
from kbai.notation.positions import parse_position
from kbai.search.params import Limit, SearchParams
from kbai.search.suggest import suggest

# The last turn but one of a game with all sets: three houses, and up to five tiles to use.
MANY_TILES = parse_position(
    "kb1 board=paddock,village*,tower*,kbai_cathedral* island=kbai_rope_bridge "
    "caves=l1,a2,q11,c19 nomads=donation_mountain@p7 cards=discoverers,scouts,rovers "
    "scouted=desert start=blue red=a1,b1,o1,p1,c2,m2,c3,k3,l3,n3,b4,c5,a6,b6,p10,n11,o11,p11,r11,"
    "r12,p13,q13,r13,o14,q14,o15,p15,q15,o16,q16,q17,r17,c18,d18,e19,a20,d20"
    "/tiles=paddock@b7,watchtower@s12,tower@e17/gold=rovers:21 "
    "blue=c1,d1,e1,j3,j4,j5,i6,j6,g7,h7,i7,j7,m7,j8,l8,l9,q10,i11,t12,s13,t13,r14,t14,s15,b16,"
    "t16,d17,s17,t17,q18,r18,t18,b20/tiles=paddock@i3,village@m6,watchtower@s12,tower@e17"
    "/gold=rovers:17 turn=blue card=canyon discard=grass:5,canyon:1,flower:4,forest:4"
)
VISITS = 20_000


def new_tree(start: Position = MANY_TILES, **options: object) -> Tree:
    return SearchParams(**options).make_tree(start, seed=1, threads=1)


def answer(tree: Tree) -> tuple:
    """Return all that a tree tells."""
    return tree.root(), tree.edges(), tree.turns(1000), tree.main_line((), 50), tree.nodes


def grown(share: float) -> Tree:
    """Return a tree in which a share of the second half of the visits follows the best turn."""
    tree = new_tree()
    tree.run(VISITS // 2)
    tree.follow(share)
    tree.run(VISITS // 2)
    return tree


def test_the_end_of_a_long_turn_is_looked_at():
    most = {share: grown(share).turns(1)[0].visits for share in (0.0, 0.8)}
    assert most[0.8] > 5 * most[0.0]


def test_nothing_is_followed_unless_one_asks_for_it():
    free = new_tree()
    free.run(VISITS)
    assert answer(grown(0.0)) == answer(free)


def test_slices_make_no_difference():
    whole, sliced = (grown(0.5) for _ in range(2))
    whole.run(1000)
    for visits in (1, 99, 900):
        sliced.run(visits)
    assert answer(whole) == answer(sliced)


def test_a_tree_that_has_moved_on_follows_no_more():
    tree, free = grown(0.0), grown(0.0)
    tree.follow(1.0)
    moved = MANY_TILES.copy()
    moved.apply(tree.edges()[0].step)
    for each in (tree, free):
        assert each.move_to(moved)
        each.run(500)
    assert answer(tree) == answer(free)


def test_avoided_turns_are_not_followed():
    (best,) = grown(0.8).turns(1)
    tree = new_tree()
    tree.restrict([], [best.steps])
    tree.run(VISITS // 2)
    tree.follow(0.8)
    tree.run(VISITS // 2)
    assert best.key not in {turn.key for turn in tree.turns(10_000)}


@pytest.mark.parametrize("selection", ["puct", "ucb", "flat"])
def test_every_kind_of_search_can_follow(selection):
    tree = new_tree(position("red=- blue=- turn=red card=flower"), selection=selection)
    tree.run(500)
    tree.follow(1.0)
    tree.run(500)
    assert tree.visits == 1000


def test_a_share_is_a_number():
    with pytest.raises(ValueError, match="expected a finite number for a share, got nan"):
        new_tree().follow(float("nan"))


def test_the_best_turn_of_a_suggestion_is_looked_at_to_its_end():
    for limit in (Limit(VISITS), Limit(VISITS, 60.0)):
        found = suggest(MANY_TILES, limit, seed=1)
        assert found.visits == VISITS
        assert not found.is_rough


@pytest.mark.parametrize("visits", [1, 2, 3, 63, 129])
def test_a_suggestion_makes_as_many_visits_as_were_asked_for(visits):
    assert suggest(MANY_TILES, Limit(visits), seed=1).visits == visits
