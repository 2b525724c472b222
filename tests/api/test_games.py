"""Games of the library."""

import pickle
import random
from itertools import islice

import pytest

import kbai

TEXT = """\
Board: tavern,paddock,oasis,farm
Cards: fishermen,knights,merchants
Seats: red,blue
Players: Ann, Bob

1 red flower: n16 o15 o17
2 blue canyon: c6 b6 d7
3 red grass: farm:l16 l15 m15 m17
"""
GAME = kbai.parse_game(TEXT)


def test_a_game_is_read_and_printed(tmp_path):
    path = tmp_path / "game.kbg"
    path.write_text(TEXT)
    assert GAME.to_text() == TEXT
    assert str(GAME) == TEXT.rstrip("\n")
    assert repr(GAME) == "<kbai.Game of red, blue: 3 turns>"
    assert kbai.read_game(path) == GAME
    assert pickle.loads(pickle.dumps(GAME)) == GAME


def test_a_turn_has_its_parts():
    turn = GAME.turns[2]
    assert (turn.number, turn.seat, turn.card) == (3, "red", "grass")
    assert turn.text == "farm:l16 l15 m15 m17"
    assert str(turn) == turn.line == "3 red grass: farm:l16 l15 m15 m17"


def test_a_game_leads_through_its_positions():
    position = GAME.start
    for turn, before in GAME.positions():
        assert position == before == GAME.position_before(turn.number)
        position = position.play(turn.line)
    assert position == GAME.final_position() == GAME.position_before(4)
    assert kbai.score(GAME) == position.score()


def test_a_game_is_played_turn_by_turn():
    game = kbai.Game(kbai.Position(kbai.Setup.first_game()), header=[("Players", "Ann, Bob")])
    for turn in ("flower: n16 o15 o17", "blue canyon: c6 b6 d7", GAME.turns[2].line):
        assert game.result is None and not game.is_over
        game = game.play(turn)
    assert game == GAME
    assert game.header == (("Players", "Ann, Bob"),)
    assert game.setup == kbai.Setup.first_game()


def test_a_game_that_is_over_has_its_result():
    generator = random.Random(3)
    game = kbai.Game(kbai.Position(kbai.Setup.random(3)))
    while not game.is_over:
        position = game.final_position()
        card = generator.choice([*position.card_odds()])
        turns = [*islice(position.turn_up(card).legal_turns(), 50)]
        game = game.play(f"{card}: {generator.choice(turns)}")
    gold = {seat: rows["total"] for seat, rows in kbai.score(game).items()}
    assert game.result == gold
    assert kbai.parse_game(game.to_text()) == game
    assert kbai.Game(game.final_position()).result == gold
    with pytest.raises(kbai.IllegalActionError, match="the game is over"):
        game.play("grass: a1 a2 a3")


def test_nothing_follows_a_turn_that_is_not_finished():
    game = GAME.play("blue desert: a8 ...")
    assert game.turns[-1].text == "a8 ..."
    with pytest.raises(kbai.NotationError, match="after turn 4, which is not finished"):
        game.play("grass: a1 a2 a3")


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (TEXT.replace("d7", "d8"), kbai.IllegalActionError, "line 7, column 22: turn 2: 'd8' is"),
        (TEXT.replace("Seats", "Seat"), kbai.NotationError, "line 3, column 1: unknown header"),
        ("kb1 board=tavern", kbai.NotationError, "got a position; kbai.parse_position"),
        ("hello", kbai.NotationError, "expected a header"),
        ("", kbai.NotationError, "expected a header"),
    ],
)
def test_a_bad_game_says_where_it_is_wrong(text, error, message):
    with pytest.raises(error, match=message):
        kbai.parse_game(text)


def test_the_next_turn_has_the_next_number():
    with pytest.raises(kbai.NotationError, match="expected turn 4, got turn 5"):
        GAME.play("5 blue desert: a8 a9 a10")
    with pytest.raises(kbai.NotationError, match="from 1 to 4, got 9"):
        GAME.position_before(9)


def test_a_notebook_shows_the_last_position():
    assert GAME._repr_svg_() == kbai.draw_svg(GAME) != kbai.draw_svg(GAME.final_position())
    assert "farm:l16 l15 m15 m17" in GAME._repr_svg_()


def test_the_next_turn_is_numbered_on_the_board_of_a_game():
    assert "Reply" in kbai.draw_svg(GAME, turn="canyon: c8 h1 i1", label="Reply")


def test_a_position_is_no_game():
    with pytest.raises(TypeError, match="expected a kbai.Game, got kb1 "):
        kbai.review_game(GAME.start)
