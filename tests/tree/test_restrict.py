"""Searches that may begin with some turns only, or must not end as others; who holds what."""

import pytest
from positions import position

from kbai.core.errors import SearchError
from kbai.notation.actions import parse_action
from kbai.report.turns import chosen_turn
from kbai.search.params import Limit
from kbai.search.suggest import suggest

START = position("red=- blue=- turn=red card=flower")
# The last turn of a game, with nine ways to play it.
END = position("red=a1,b1/supply=3 blue=t1/supply=0 turn=red card=flower final=true")


def steps(start, text):
    trial, found = start.copy(), []
    for word in text.split():
        for step in parse_action(trial, word):
            found.append(step)
            trial.apply(step)
    return tuple(found)


def actions(start, visits=600, top=100, **limits):
    limits = {key: [steps(start, text) for text in texts] for key, texts in limits.items()}
    found = suggest(start, Limit(visits), seed=1, top=top, **limits)
    turns = [each for choice in found.turns for each in (choice, *choice.variants)]
    return [chosen_turn(start, each).actions for each in turns]


def test_only_turns_that_begin_so_are_looked_at():
    every = actions(START)
    assert len({turn[0] for turn in every}) > 1
    first, second, _ = every[0]
    other = next(turn[0] for turn in every if turn[0] not in every[0])
    found = actions(START, allow=[first])
    assert len(found) > 2 and {turn[0] for turn in found} == {first}
    found = actions(START, allow=[f"{first} {second}", other], visits=3000)
    begins = {turn[:2] for turn in found if len(turn) > 1}
    assert {after for before, after in begins if before == first} == {second}
    assert {before for before, _ in begins} == {first, other}


def test_a_whole_turn_can_be_the_only_one():
    found = suggest(START, Limit(300), seed=1, allow=[steps(START, "n16 o15 p15 end")])
    (choice,) = found.turns
    assert chosen_turn(START, choice).actions == ("n16", "o15", "p15")
    assert choice.visits > 290


def test_the_shorter_beginning_holds_for_all_orders():
    found = actions(START, allow=["o15 n16 p15", "n16 o15"], visits=2000)
    assert {turn[2] for turn in found if len(turn) == 3} > {"p15", "n14"}


def test_a_turn_is_avoided_in_every_order():
    best, second = actions(START)[:2]
    found = actions(START, avoid=[" ".join([*reversed(best), "end"]), " ".join([*second, "end"])])
    for turn in found:
        assert set(turn) not in (set(best), set(second))
    assert any(len(set(best) & set(turn)) == 2 for turn in found)


def test_avoiding_all_but_one_leaves_that_one():
    every = {frozenset(turn): turn for turn in actions(END, visits=3000)}
    assert len(every) == 9
    left, *others = every
    avoid = [" ".join([*every[turn], "end"]) for turn in others]
    assert {frozenset(turn) for turn in actions(END, avoid=avoid)} == {left}


def test_no_turn_left_is_an_error():
    with pytest.raises(SearchError, match="expected a turn that is allowed"):
        actions(START, allow=["n16 o15 p15 end"], avoid=["p15 o15 n16 end"])


def test_cards_to_come_allow_no_limits():
    hidden = position("red=- blue=- turn=red card=hidden")
    with pytest.raises(SearchError, match="known card"):
        suggest(hidden, Limit(10), seed=1, avoid=[(1,)])


def test_a_free_search_is_the_same_with_and_without_counting():
    plain = suggest(START, Limit(300), seed=1)
    counted = suggest(START, Limit(300), seed=1, with_ownership=True)
    assert plain.turns == counted.turns and plain.ownership == ()
    assert all(0 < share <= 1 for seat in counted.ownership for share in seat.values())


@pytest.mark.parametrize("card", ["flower", "hidden"])
@pytest.mark.parametrize("threads", [1, 2])
def test_every_seat_holds_as_many_hexes_as_it_has_pieces_at_the_end(card, threads):
    start = position(f"red=n16 blue=- turn=red card={card}")
    found = suggest(start, Limit(200), seed=1, threads=threads, with_ownership=True)
    for seat in found.ownership:
        assert 30 < sum(seat.values()) < 40.01
    assert found.ownership[0][15 * 20 + 13] > 0.9  # n16 has a house already
