"""The card in hand, turned down again."""

from mixed import MIXED_LINE, mixed_position
from positions import random_positions

from kbai._fast import Draw
from kbai.content import load
from kbai.game.hand import before_card
from kbai.game.setup import Setup


def test_a_card_that_was_just_turned_up_can_be_turned_down_again():
    for sets in (("base",), tuple(load().sets)):
        start = Setup.random(3, seats=3, sets=sets).start_position()
        for card, count in enumerate(start.draws()):
            if count:
                position = start.copy()
                position.draw(card)
                assert before_card(position) == start


def test_after_an_action_of_the_turn_the_card_stays():
    assert before_card(mixed_position(MIXED_LINE)) is None
    position = Setup.first_game().start_position()
    position.draw(3)
    position.apply(position.legal()[0])
    assert before_card(position) is None


def test_wherever_it_is_possible_the_same_card_leads_back():
    n_found = 0
    for position in random_positions(4, share=0.3):
        earlier = before_card(position)
        if earlier is not None:
            assert earlier.fields()["draw"] == Draw.REVEAL
            earlier.draw(position.fields()["card"])
            assert earlier.fields()["unseen"] == position.fields()["unseen"]
            assert earlier.fields()["card"] == position.fields()["card"]
            n_found += 1
    assert n_found > 5
