"""Positions of the library: text in, text out, never changed."""

import pickle
import random
from itertools import islice

import pytest

import kbai

LINE = (
    "kb1 board=tavern,paddock,oasis*,farm cards=fishermen,knights,merchants "
    "red=b7,o15,n16,o17/tiles=tavern@c7,farm@m16 blue=b2,b3 turn=red card=flower"
)
START = kbai.Position(kbai.Setup.first_game())


def test_a_position_prints_as_its_line_and_is_read_back_from_all_forms():
    position = kbai.parse_position(LINE)
    assert str(position) == repr(position) == position.to_line() == LINE
    for text in (position.to_line(), position.to_toml(), position.to_json()):
        assert kbai.parse_position(text) == position


def test_a_position_is_read_from_a_file(tmp_path):
    path = tmp_path / "position.toml"
    path.write_text(kbai.parse_position(LINE).to_toml())
    assert kbai.read_position(path) == kbai.read_position(str(path)) == kbai.parse_position(LINE)


def test_a_bad_file_is_named_in_the_error(tmp_path):
    path = tmp_path / "position.txt"
    path.write_text(LINE.replace("b7", "b77"))
    with pytest.raises(kbai.NotationError, match=r"position\.txt, line 1, column \d+: expected"):
        kbai.read_position(path)
    path.write_bytes(b"kb1\n\xff")
    with pytest.raises(kbai.NotationError, match=r"position\.txt, line 2, column 1: .* 0xff"):
        kbai.read_position(path)
    with pytest.raises(FileNotFoundError):
        kbai.read_position(tmp_path / "none")


def test_a_game_is_no_position():
    with pytest.raises(kbai.NotationError, match="got a game; kbai.parse_game"):
        kbai.parse_position("Board: tavern,paddock,oasis,farm")


def test_equal_positions_are_equal_values():
    position = kbai.parse_position(LINE)
    assert {position: 1}[kbai.parse_position(LINE)] == 1
    assert position != START
    assert position != LINE
    assert pickle.loads(pickle.dumps(position)) == position


def test_a_position_cannot_be_changed():
    position = kbai.parse_position(LINE)
    with pytest.raises(AttributeError):
        position.card = "grass"
    with pytest.raises(AttributeError):
        position.note = "mine"
    position.play(f"{position.legal_actions()[0]} ...")
    assert position.to_line() == LINE


def test_names_say_whose_turn_it_is_and_with_which_card():
    assert (START.mover, START.seat, START.card) == ("red", "red", "hidden")
    assert START.needs_card and not START.is_over
    position = START.turn_up("flower")
    assert (position.card, position.needs_card, position.card_odds()) == ("flower", False, {})
    assert position.seats == position.setup.seats == ("red", "blue")


def test_cards_to_come_have_odds():
    assert START.card_odds() == dict.fromkeys(
        ("grass", "canyon", "desert", "flower", "forest"), 0.2
    )
    assert START.legal_actions() == ("=grass", "=canyon", "=desert", "=flower", "=forest")
    after = START.play("flower: n16 o15 p15")
    assert after.card_odds()["flower"] == pytest.approx(4 / 24)


def test_a_seat_that_may_react_is_the_one_that_decides():
    generator = random.Random(2)
    reacting = None
    for seed in range(40):
        board = ["kbai_canoe", "tavern", "farm", "oasis"]
        position = kbai.Position(kbai.Setup.random(seed, sets=["base", "marshlands"], board=board))
        while not position.is_over and position.seat == position.mover:
            position = position.play_action(generator.choice(position.legal_actions()))
        if not position.is_over:
            reacting = position
            break
    assert reacting is not None
    assert f"pass:{reacting.seat}" in reacting.legal_actions()
    for turn in reacting.legal_turns():
        assert turn.endswith(" ...")
        reacting.play(turn)


@pytest.mark.parametrize(
    "turn",
    [
        "n16 o15 p15",
        "N16, o15, p15",
        "n16 o15 p15 end",
        "flower: n16 o15 p15",
        "red flower: n16 o15 p15",
        "7 red flower: n16 o15 p15",
    ],
)
def test_a_turn_is_played_to_its_end(turn):
    after = START.turn_up("flower").play(turn)
    assert after.mover == "blue"
    assert "red=o15,p15,n16/" in after.to_line()


def test_a_turn_with_dots_is_not_at_its_end():
    position = START.play("flower: n16 ...")
    assert position.mover == "red"
    assert position.play("o15 p15") == START.play("flower: n16 o15 p15")


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        ("n16 o15 a1", "'a1' is not possible: .* \\(R4.2\\)"),
        ("n16 o15", "the turn cannot end here: "),
        ("blue flower: n16 o15 p15", "expected a turn of red, got one of blue"),
        ("grass: n16 o15 p15", "expected the card flower, got grass"),
    ],
)
def test_an_illegal_turn_says_why(turn, message):
    with pytest.raises(kbai.IllegalActionError, match=f"^{message}"):
        START.turn_up("flower").play(turn)


@pytest.mark.parametrize("turn", ["", "n16 z99", "purple: n16", "n16 ... o15"])
def test_what_is_no_turn_is_an_error(turn):
    with pytest.raises(kbai.KbaiError):
        START.turn_up("flower").play(turn)


def test_a_hidden_card_has_to_be_named():
    with pytest.raises(kbai.IllegalActionError, match="red has a card to turn up"):
        START.play("n16 o15 p15")
    with pytest.raises(kbai.IllegalActionError, match="red has a card to turn up .*turn_up"):
        START.legal_turns()


@pytest.mark.parametrize("settlements", ["-", "o15,n16"], ids=["start", "tile"])
def test_legal_turns_are_all_results_once(settlements):
    line = START.turn_up("flower").to_line().replace("red=-", f"red={settlements}")
    position = kbai.parse_position(line)
    distinct, every = ([*position.legal_turns(distinct=d)] for d in (True, False))
    assert len(distinct) < len(every)
    ends = {position.play(turn) for turn in every}
    assert len(distinct) == len(ends)
    assert {position.play(turn) for turn in distinct} == ends


def test_legal_turns_are_in_the_order_of_their_actions():
    position = START.turn_up("flower")
    actions = position.legal_actions()
    firsts = [turn.split()[0] for turn in position.legal_turns(distinct=False)]
    assert list(dict.fromkeys(firsts)) == list(actions)
    assert firsts == sorted(firsts, key=actions.index)


def test_every_legal_turn_of_a_rich_position_can_be_played():
    generator = random.Random(5)
    sets = ["base", "nomads", "crossroads", "marshlands", "harvest", "caves", "island"]
    position = kbai.Position(kbai.Setup.random(5, sets=sets))
    cut = 0
    for _ in range(60):
        while position.needs_card:
            odds = position.card_odds()
            position = position.turn_up(generator.choices([*odds], [*odds.values()])[0])
        if position.is_over:
            break
        turns = [*islice(position.legal_turns(), 300)]
        for turn in generator.sample(turns, min(5, len(turns))):
            cut += turn.endswith("...")
            position.play(turn)
        position = position.play(generator.choice(turns))
    assert cut


def test_a_game_can_be_played_action_by_action():
    generator = random.Random(1)
    position = START
    while not position.is_over:
        position = position.play_action(generator.choice(position.legal_actions()))
    assert position.legal_actions() == ()
    assert [*position.legal_turns()] == []
    assert position.score()["red"]["total"] > 0


def test_score_counts_by_card():
    assert kbai.score(kbai.parse_position(LINE)) == {
        "red": {"castles": 0, "fishermen": 3, "knights": 2, "merchants": 0, "total": 5},
        "blue": {"castles": 0, "fishermen": 1, "knights": 2, "merchants": 0, "total": 3},
    }


def test_a_notebook_shows_the_picture():
    assert START._repr_svg_() == kbai.draw_svg(START)
    assert kbai.draw_svg(START).startswith("<svg ")


def test_a_picture_numbers_a_turn():
    position = START.turn_up("flower")
    picture = kbai.draw_svg(position, turn="n16 o15 p15", label="Best turn")
    assert "Best turn" in picture and "n16 o15 p15" in picture
    assert len(picture) > len(kbai.draw_svg(position))
    with pytest.raises(kbai.IllegalActionError):
        kbai.draw_svg(position, turn="n16 o15 a20")


@pytest.mark.parametrize("function", [kbai.suggest, kbai.score, kbai.draw_svg, kbai.Game])
def test_a_text_is_no_position(function):
    with pytest.raises(TypeError, match="expected a kbai.Position, got 'kb1.*parse_position"):
        function(LINE)
