"""Steps as numbers, and what they lead to."""

import pytest
from positions import position, random_starts

from kbai._fast import Step
from kbai.game.steps import (
    END,
    advance,
    choose_step,
    draw_step,
    drawn_card,
    end_of,
    is_draw,
    is_same_decision,
    is_same_turn,
    next_steps,
    pack_step,
    unpack_choice,
    unpack_step,
)
from kbai.notation.actions import parse_step

FIRST_TURN = "red=- blue=- turn=red card=flower"


@pytest.mark.parametrize("kind", Step)
def test_a_step_is_read_as_it_was_made(kind):
    for slot, cell in ((0, 0), (1, 449), (255, 0xFFFF)):
        assert unpack_step(pack_step(kind, slot, cell)) == (kind, slot, cell)


def test_a_choice_holds_its_card_and_terrain():
    kind, slot, cell = unpack_step(choose_step(9, 4))
    assert (kind, slot, unpack_choice(cell)) == (Step.CHOOSE, 0, (9, 4))


def test_only_cards_turned_up_are_draws():
    for card in range(10):
        assert is_draw(draw_step(card))
        assert drawn_card(draw_step(card)) == card
    assert not any(is_draw(pack_step(kind)) for kind in Step)


def test_what_comes_next_is_what_the_kernel_allows():
    n_draws = 0
    for seed, current in random_starts(20):
        for step in current.copy().playout_steps(seed):
            options = next_steps(current)
            assert step in options
            assert all(map(is_draw, options)) == bool(current.pending_draw)
            n_draws += is_draw(step)
            advance(current, step)
        assert current.is_over and not next_steps(current)
    assert n_draws > 100


def test_the_position_that_steps_begin_in_stays_as_it_is():
    start = position(FIRST_TURN)
    steps = [parse_step(start, text) for text in ("n16", "o15", "o17", "end")]
    end = end_of(start, steps)
    assert start == position(FIRST_TURN)
    assert end.mover != start.mover


def test_orders_of_the_same_houses_are_the_same_turn():
    start = position(FIRST_TURN)
    one, two, three, other = (parse_step(start, text) for text in ("n16", "o15", "o17", "n14"))
    assert is_same_turn(start, (one, two, three, END), (three, one, two, END))
    assert not is_same_turn(start, (one, two, three, END), (one, two, other, END))
    assert not is_same_turn(start, (one, two, three), (one, two, three, END))


def test_a_decision_lasts_to_the_end_of_the_turn():
    start = position(FIRST_TURN)
    steps = [parse_step(start, text) for text in ("n16", "o15", "o17")]
    for count in range(4):
        assert is_same_decision(start, steps[:count], end_of(start, steps[:count]))
    assert not is_same_decision(start, [*steps, END], end_of(start, [*steps, END]))


def test_a_decision_is_over_even_if_the_same_seat_goes_on_with_silos():
    found = 0
    for seed, current in random_starts(120):
        for step in current.copy().playout_steps(seed):
            before = current.copy()
            advance(current, step)
            if step == END and not current.is_over and current.actor == before.actor:
                found += not current.pending_draw
                assert not is_same_decision(before, (step,), current)
    assert found
