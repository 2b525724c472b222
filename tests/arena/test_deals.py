"""The cards of a game come from a seed, are all there, and come whatever the bots do."""

import random
from collections import Counter
from itertools import chain, permutations

import pytest
from positions import position, random_positions, random_starts

from kbai._fast import CARD_KINDS, Draw
from kbai.arena.deals import Deal, shuffled
from kbai.arena.play import play
from kbai.bots.specs import make_bot
from kbai.core.errors import BotFault
from kbai.game.setup import Setup
from kbai.game.steps import advance, drawn_card, is_draw
from kbai.notation.games import format_game, parse_game, record_game

RANDOM = make_bot("random")


def start_of(seed=7, **choices):
    setup = Setup.random(seed, **choices)
    return setup.start_position()


def cards_of(played):
    return [drawn_card(step) for step in played.steps if is_draw(step)]


def chi_square(counts, expected):
    return sum((counts[key] - value) ** 2 / value for key, value in expected.items())


def check_cards(deal, current):
    """Compare what the deal has hidden with what the kernel counts as hidden, group by group."""
    fields = current.fields()
    hands = [list(hand) for hand in deal.hands]
    assert [len(hand) for hand in hands] == [seat["hidden"] for seat in fields["seats"]]
    for counts, seats in fields["held"]:
        # The oldest cards of a hand are those of the oldest pile.
        found = Counter(hands[seat].pop(0) for seat in seats)
        assert [found[card] for card in range(CARD_KINDS)] == counts
    found = Counter(deal.pile) + sum(map(Counter, hands), Counter())
    assert [found[card] for card in range(CARD_KINDS)] == fields["unseen"]


def scarce_starts():
    """Iterate over games in which cards are exhausted and replaced: most hexes are grass."""
    rows = ["CDFTWWWWWWWWWWWWWWWW"] * 4 + ["GGGGGGGGGGGGGGGGGGGG"] * 16
    board = f"kb1 map={'/'.join(rows)} cards=lords"
    rest = "red=- blue=- green=- turn=red card=hidden"
    for seed in range(10):
        kind = "discard" if seed % 2 else "remove"
        yield seed, position(rest, f"{board} options=exhausted_card:{kind}")


@pytest.mark.slow
def test_every_card_named_is_possible_and_none_is_lost_in_games_of_all_sets():
    met = Counter()
    for seed, start in chain(random_starts(90), scarce_starts()):
        deal = Deal(start, seed)
        met["unlike seats"] += start.mover != 0

        def choose(view, deal=deal):
            check_cards(deal, view.position)
            met["held"] += bool(view.position.fields()["held"])
            met["several"] += max(map(len, deal.hands)) > 1
            return RANDOM.choose(view)

        played = play(start, deal, choose, seed=seed)
        assert played.is_over
        check_cards(deal, played.final)
        met["shuffles"] += deal.n_shuffles > 1
        replay = start.copy()
        for step in played.steps:
            if is_draw(step):
                met[Draw(replay.pending_draw)] += 1
            advance(replay, step)
        assert replay == played.final
    # Without these the games would prove little.
    for what in ("unlike seats", "held", "several", "shuffles", Draw.REPLACE, Draw.FORT):
        assert met[what] > 5, what


def test_a_deal_can_start_in_the_middle_of_a_game():
    n_held = 0
    for seed, start in enumerate(random_positions(36, share=0.02)):
        deal = Deal(start, seed)
        check_cards(deal, start)
        n_held += bool(start.fields()["held"])
        assert play(start, deal, RANDOM.choose, seed=seed).is_over
    assert n_held > 5


def test_the_oldest_cards_of_a_hand_come_first():
    blue = "blue=-/gifts=crossroads,crossroads/hidden=3"
    rest = f"red=- {blue} turn=red card=flower held=blue:desert:1/blue:grass:1"
    for seed in range(9):
        assert Deal(position(rest), seed).hands[1][:2] == [2, 0]


@pytest.mark.parametrize("seats", [2, 5])
def test_the_same_seed_gives_the_same_cards_whatever_is_played(seats):
    for seed in range(12):
        start = start_of(seed, seats=seats)
        games = [play(start, Deal(start, 99), RANDOM.choose, seed=k) for k in range(3)]
        assert len({game.steps for game in games}) == 3
        drawn = [cards_of(game) for game in games]
        n_cards = min(map(len, drawn))
        assert n_cards > 8 * seats  # with five seats more than the first pile
        assert drawn[0][:n_cards] == drawn[1][:n_cards] == drawn[2][:n_cards]
        assert cards_of(play(start, Deal(start, 98), RANDOM.choose, seed=0))[:20] != drawn[0][:20]


def test_the_same_seeds_give_the_same_game():
    start = start_of(sets=("base", "nomads", "crossroads", "marshlands"))
    first, second = (play(start, Deal(start, 3), RANDOM.choose, seed=4) for _ in range(2))
    assert first.steps == second.steps
    other = play(start, Deal(start, 3), RANDOM.choose, seed=5)
    assert other.steps != first.steps


@pytest.mark.parametrize(
    ("sets", "weights", "limit"),
    [
        (("base",), [5] * 5, 23.5),
        (("marshlands", "harvest"), [5] * 5 + [1] * 5, 33.7),
    ],
    ids=["plain cards", "with marsh cards"],
)
def test_first_cards_come_as_often_as_they_are_in_the_deck(sets, weights, limit):
    # The limits are passed once in ten thousand times.
    games = 3000
    start = start_of(sets=sets)
    hands = [Deal(start, seed).hands for seed in range(games)]
    expected = {card: games * n / sum(weights) for card, n in enumerate(weights)}
    for seat in range(2):
        assert chi_square(Counter(hand[seat][0] for hand in hands), expected) < limit
    both = Counter(hand[0][0] == hand[1][0] for hand in hands)
    total = sum(weights)
    share = sum(n * (n - 1) for n in weights) / (total * (total - 1))
    assert abs(both[True] / games - share) < 4 * (share * (1 - share) / games) ** 0.5


def test_every_order_of_a_pile_is_as_likely():
    counts = Counter(tuple(shuffled([5, 5, 5], [1, 1, 1], seed)) for seed in range(6000))
    expected = dict.fromkeys(permutations(range(3)), 1000)
    assert chi_square(counts, expected) < 25.7


def test_piles_that_differ_by_a_card_have_the_others_in_the_same_order():
    deck = [5, 5, 5, 1]
    for seed in range(50):
        full = shuffled(deck, [5, 4, 5, 1], seed)
        less = shuffled(deck, [4, 4, 5, 1], seed)
        without = [full[:i] + full[i + 1 :] for i, card in enumerate(full) if card == 0]
        assert less in without


def test_played_steps_make_a_game_file():
    for seed, start in random_starts(9):
        played = play(start, Deal(start, seed), RANDOM.choose, seed=seed)
        game = record_game(start, played.steps)
        assert len(game.turns) == played.turns
        assert parse_game(format_game(game)).result == played.final.scores()


def test_a_game_that_does_not_end_is_broken_off():
    start = start_of()
    played = play(start, Deal(start, 1), RANDOM.choose, seed=1, max_steps=20)
    assert (played.is_over, len(played.steps), played.loser) == (False, 20, None)


def test_a_seat_that_gives_up_is_named():
    start = start_of()
    generator = random.Random(1)

    def choose(view):
        if view.seat == 1:
            raise BotFault("no idea.")
        return generator.choice(view.position.legal())

    played = play(start, Deal(start, 1), choose, seed=1)
    assert (played.is_over, played.loser, played.reason) == (False, 1, "no idea.")


def test_a_bot_cannot_change_the_game_by_its_view():
    start = start_of()

    def choose(view):
        step = view.position.legal()[0]
        view.position.apply(step)
        return step

    assert play(start, Deal(start, 1), choose, seed=1).is_over


def test_each_decision_has_a_seed_of_its_own():
    start, seeds = start_of(), []

    def choose(view):
        seeds.append(view.seed)
        return view.position.legal()[0]

    play(start, Deal(start, 1), choose, seed=1)
    first = list(seeds)
    assert len(set(first)) == len(first)
    seeds.clear()
    play(start, Deal(start, 2), choose, seed=1)
    # The cards have no part in it.
    assert seeds[:3] == first[:3]
