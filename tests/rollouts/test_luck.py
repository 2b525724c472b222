"""Cards of games that are played on: the next ones come as often as their odds say."""

from collections import Counter
from math import sqrt
from statistics import fmean, variance

from positions import position

from kbai.rollouts.luck import BLOCK, FairDeals, deal_for, next_cards

START = position("red=- blue=- turn=red card=hidden")


def first_cards(seed, games=BLOCK):
    deals = FairDeals(START, seed)
    return [next_cards(START, deals[game])[0] for game in range(games)]


def test_the_next_cards_are_those_that_come_into_play():
    deal = deal_for(START, 7)
    mine, others = deal.hands[0][0], deal.hands[1][0]
    assert next_cards(START, 7) == [mine, others, deal.pile[-1]]


def test_every_card_is_as_likely_as_without_sorting():
    found = Counter(card for seed in range(100) for card in first_cards(seed))
    expected = 100 * BLOCK / 5
    assert all(abs(found[card] - expected) < 5 * sqrt(expected) for card in range(5))


def test_the_share_of_a_card_varies_less_than_by_chance():
    # Each of five kinds of card has the same odds.
    shares = [fmean(card == 0 for card in first_cards(seed)) for seed in range(60)]
    assert variance(shares) < 0.2 * 0.8 / BLOCK / 3


def test_blocks_have_deals_of_their_own():
    deals = FairDeals(START, 3)
    seeds = [deals[game] for game in range(2 * BLOCK)]
    assert len(set(seeds)) == 2 * BLOCK
    assert seeds == [FairDeals(START, 3)[game] for game in range(2 * BLOCK)]
