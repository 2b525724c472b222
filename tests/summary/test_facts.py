"""What a summary counts of a turn."""

from reviews import rough_review

from kbai.game.steps import end_of
from kbai.notation.games import parse_game
from kbai.summary.facts import Phase, facts_of, phase_of, turn_facts

GAME = """\
Board: farm,oasis,paddock,harbor
Cards: fishermen,knights,farmers
Seats: red,blue
Players: Ann, Ben

1 red forest: q3 p3 p4
2 blue flower: n3 n2 n4
3 red desert: q17 r17 s17
4 blue forest: g1 f2 g2
5 red canyon: t17 r18 r19
6 blue forest: h1 f1 g3
7 red forest: q2 q1 p1
8 blue canyon: farm:o4 h3 h4 i4
"""


def reviewed():
    return rough_review(parse_game(GAME), visits=40)


def test_tiles_are_counted_as_they_are_used():
    turn = facts_of(reviewed()).turns[-1]
    use = turn.tiles["farm"]
    assert (use.ready, use.played) == (1, 1)
    assert turn.built[0] == 4
    assert turn.built[1] == 3 + use.best  # a farm builds
    assert "farm" not in turn.unused


def test_the_end_of_a_turn_does_not_hide_that_a_tile_was_used():
    review = reviewed().turns[-1]
    assert end_of(review.position, review.played).mover != review.seat
    assert turn_facts(review).tiles["farm"].played == 1


def test_a_turn_that_leaves_a_tile_is_told():
    review = reviewed().turns[-1]
    best = turn_facts(review).tiles["farm"].best
    other = parse_game(GAME.replace("farm:o4 h3 h4 i4", "h3 h4 i4"))
    found = facts_of(rough_review(other, visits=40)).turns[-1]
    assert found.tiles["farm"].played == 0 and found.tiles["farm"].best == best
    assert found.unused == (("farm",) if best else ())


def test_a_game_has_its_players_and_cards():
    facts = facts_of(reviewed())
    assert facts.players == ("Ann", "Ben")
    assert facts.cards == ("fishermen", "knights", "farmers")
    assert facts.points is None and len(facts.luck) == 2


def test_phases_are_thirds_of_the_settlements_of_whoever_built_most():
    game = parse_game(GAME)
    start = game.start.copy()
    assert phase_of(start) is Phase.OPENING
    final = game.final_position()
    assert min(seat["supply"] for seat in final.fields()["seats"]) == 27
    assert phase_of(final) is Phase.OPENING  # 13 of 40 are less than a third
    steps = start.copy().playout_steps(1)
    assert phase_of(end_of(start, steps)) is Phase.END
