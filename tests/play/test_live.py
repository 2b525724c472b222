"""A game under way: turns, cards, undo, variations, bots."""

import pytest

from kbai.core.errors import IllegalActionError, KbaiError
from kbai.game.setup import Setup
from kbai.notation.actions import legal_actions
from kbai.notation.games import format_game, parse_game
from kbai.notation.turns import format_turn
from kbai.play.bots import BotTable, let_bots_play
from kbai.play.live import (
    Waiting,
    begin,
    go_to,
    play_action,
    play_steps,
    promote,
    resume,
    take_back,
    undo,
)
from kbai.play.tree import ROOT

START = Setup.first_game().start_position()
FLOWER, GRASS = "n16 o15 p15", "h8 i8 j8"


def told_game(*players):
    return begin(START, players=players or ("", ""), seed=1, told=True)


def play(live, words):
    for word in words.split():
        live = play_action(live, word)
    return live


def lines(live):
    return [format_turn(turn) for turn in live.turns()]


def test_a_person_tells_the_cards_if_the_box_is_on_the_table():
    live = told_game()
    assert live.waiting() is Waiting.CARD
    live = play(live, f"=flower {FLOWER} end")
    assert lines(live) == ["1 red flower: n16 o15 p15"]
    assert live.waiting() is Waiting.CARD
    assert live.position().mover == 1


def test_kbai_draws_the_cards_from_the_seed():
    games = [begin(START, players=("", ""), seed=seed) for seed in (1, 1, 2, 3, 4, 5)]
    assert games[0] == games[1]
    assert all(live.waiting() is Waiting.PERSON for live in games)
    assert len({live.typed for live in games}) > 1


def test_an_illegal_action_is_refused_with_its_rule_and_changes_nothing():
    live = play(told_game(), "=flower")
    with pytest.raises(IllegalActionError, match=r"b1.*\(R"):
        play_action(live, "b1")
    assert live.typed == play(told_game(), "=flower").typed


def test_undo_takes_back_one_action_then_the_card_then_the_turn_before():
    live = play(told_game(), f"=flower {FLOWER} end =grass h8 i8")
    live = undo(live)
    assert live.turn_under_way().summary == "h8 ..."
    live = undo(undo(live))
    assert live.waiting() is Waiting.CARD and live.number == 2
    live = undo(live)
    assert live.number == 1 and live.turn_under_way().card == "flower"
    assert live.waiting() is Waiting.PERSON
    live = undo(live)
    assert live.waiting() is Waiting.CARD
    with pytest.raises(KbaiError, match="no turn to take back"):
        undo(live)


def test_undo_takes_back_a_move_as_one_action():
    live = play(told_game(), "=flower t3 t4 s4 end =grass h8 i8 j8 end =flower")
    move = next(a for a in legal_actions(live.position()) if "-" in a)
    assert undo(play(live, move)) == live


def test_a_turn_taken_back_leaves_the_line_that_counts_but_not_the_tree():
    live = play(told_game(), f"=flower {FLOWER} end =grass {GRASS} end")
    back = take_back(take_back(live))
    assert back.game().turns[:-1] == () and len(back.tree.nodes) == 2
    again = play(back, "n16 o15 o17 end")
    assert lines(again) == ["1 red flower: n16 o15 o17"]
    assert [turn.number for turn in again.game().turns] == [1]
    assert len(again.tree.children(ROOT)) == 2


def test_a_turn_played_from_an_earlier_moment_is_a_variation():
    live = play(told_game(), f"=flower {FLOWER} end =grass {GRASS} end")
    there = go_to(live, 0)
    assert there.turn_under_way().card == "grass"
    other = play(there, "h8 i8 i9 end")
    assert lines(other)[1] == "2 blue grass: h8 i8 i9"
    assert [turn.summary for turn in other.game().turns] == [FLOWER, GRASS]
    assert [turn.summary for turn in promote(other).game().turns] == [FLOWER, "h8 i8 i9"]
    assert promote(promote(other)) == promote(other)
    with pytest.raises(KbaiError, match="expected a turn of the game, got number 99"):
        go_to(live, 99)


def test_the_same_turn_twice_is_one_node():
    live = play(told_game(), f"=flower {FLOWER} end")
    again = play(go_to(live, ROOT), f"{FLOWER} end")
    assert again.tree == live.tree and again.cursor == live.cursor


def test_bots_play_until_a_person_has_to_and_every_turn_is_reported():
    saved = []
    with BotTable() as bots:
        live = begin(START, players=("greedy", ""), seed=3)
        live = let_bots_play(live, bots, saved.append)
    assert live.waiting() is Waiting.PERSON and live.position().mover == 1
    assert [len(each.turns()) for each in saved] == [1]


def test_a_game_of_bots_is_the_same_if_it_was_resumed_in_the_middle():
    with BotTable() as bots:
        whole = let_bots_play(begin(START, players=("greedy", "greedy"), seed=3), bots)
    assert whole.waiting() is Waiting.OVER and whole.game().result is not None
    first = whole.game().turns[:5]
    text = format_game(whole.game())
    begun = resume(parse_game(text[: text.index("\n6 ")]), seed=0)
    assert begun.turns() == first
    with BotTable() as bots:
        assert format_game(let_bots_play(begun, bots).game()) == text


def test_undo_after_a_bots_answer_takes_back_the_own_turn_and_brings_no_other_card():
    with BotTable() as bots:
        live = begin(START, players=("", "greedy"), seed=3)
        card = live.turn_under_way().card
        legal = live.position().legal()
        while live.number == 1:
            live = play_steps(live, live.position().legal()[:1])
        live = let_bots_play(live, bots)
        assert len(live.turns()) == 2
        back = undo(live)
    assert back.number == 1 and back.turn_under_way().card == card
    assert back.position().legal() == legal


def test_with_told_cards_undo_gets_past_the_turn_of_a_bot():
    with BotTable() as bots:
        live = play(told_game("", "greedy"), f"=flower {FLOWER} end =grass")
        live = let_bots_play(live, bots)
        assert len(live.turns()) == 2
        back = undo(live)
        assert back.number == 2 and back.waiting() is Waiting.CARD
        assert undo(back).number == 1
