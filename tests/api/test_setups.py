"""Set-ups of the library speak in names."""

import pickle

import pytest

import kbai

SETS = ("base", "nomads", "crossroads", "marshlands", "harvest", "capitol", "caves", "island")


def test_a_set_up_is_made_of_names():
    setup = kbai.Setup(
        board=["Tavern", "paddock", "oasis*", "farm"],
        cards="lords, knights",
        seats=["green", "white", "red"],
        start="white",
        options={"lords_need_presence": True},
    )
    assert setup.board == ("tavern", "paddock", "oasis*", "farm")
    assert setup.cards == ("knights", "lords")
    assert (setup.seats, setup.start) == (("green", "white", "red"), "white")
    assert setup.options == {"lords_need_presence": True}
    assert kbai.Position(setup).mover == "white"


def test_a_random_set_up_is_that_of_its_seed():
    setup = kbai.Setup.random(7)
    assert setup == kbai.Setup.random(7) != kbai.Setup.random(8)
    assert setup.board == ("paddock", "harbor*", "oasis", "tavern")
    assert kbai.Setup.random(7, cards=["lords"]).cards == ("lords",)
    assert len(kbai.Setup.random(7, seats=4).seats) == 4


def test_a_random_set_up_takes_every_spelling_that_files_take():
    setup = kbai.Setup.random(
        7,
        sets=["Base", "crossroads"],
        board=["Taverne*", "city hall", "oasis", "farm"],
        cards="Vissers, HÄNDLER, caballeros",
    )
    assert setup.board == ("tavern*", "city_hall", "oasis", "farm")
    assert setup.cards == ("fishermen", "knights", "merchants")
    drawn = {
        card
        for seed in range(20)
        for card in kbai.Setup.random(seed, exclude_cards=["Fischer", "Lords"]).cards
    }
    assert "lords" not in drawn and "fishermen" not in drawn and len(drawn) == 8
    with pytest.raises(kbai.NotationError, match="unknown card 'fishers'; did you mean 'fisherm"):
        kbai.Setup.random(7, cards=["fishers"])


def full_set_up() -> kbai.Setup:
    return next(
        setup
        for seed in range(100)
        for setup in [kbai.Setup.random(seed, seats=3, sets=SETS)]
        if setup.nomads and setup.caves and setup.tasks and setup.island
    )


def test_tiles_and_caves_are_texts():
    setup = full_set_up()
    cells = [text.rpartition("@")[2] for text in (*setup.nomads, *setup.caves, *setup.capitols)]
    assert all(cell[0] in "abcdefghijklmnopqrst" and cell[1:].isdigit() for cell in cells)
    assert all("@" in text for text in setup.nomads)


def test_repr_makes_the_same_set_up():
    for setup in (kbai.Setup.first_game(), full_set_up()):
        assert eval(repr(setup), {"kbai": kbai}) == setup
        assert pickle.loads(pickle.dumps(setup)) == setup
        assert {setup: 1}[setup] == 1


def test_a_set_up_is_that_of_its_positions():
    setup = full_set_up()
    position = kbai.Position(setup)
    assert position.setup == setup
    assert kbai.parse_position(position.to_line()).setup == setup


def test_a_map_takes_the_place_of_quadrants():
    rows = ["G" * 20] * 19 + ["G" * 19 + "l"]
    setup = kbai.Setup(map=rows, locations=["tower@t20"], cards=["lords"])
    assert setup.map == tuple(rows)
    assert setup.locations == ("tower@t20",)
    assert setup.board == ()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cards": ["lord"]}, "unknown card 'lord'; did you mean 'lords'"),
        ({"cards": ["lords"], "board": ["farm"]}, "expected 4 quadrants"),
        ({"cards": ["lords"], "seats": ["red"]}, "expected 2 to 5 seats"),
        ({"cards": ["lords"], "start": "pink"}, "unknown seat 'pink'"),
        ({"cards": ["lords"], "options": {"lords": True}}, "unknown option 'lords'"),
    ],
)
def test_a_bad_set_up_says_what_is_wrong(values, message):
    with pytest.raises(kbai.NotationError, match=message):
        kbai.Setup(**({"board": "tavern paddock oasis farm"} | values))


def test_a_position_needs_a_set_up():
    with pytest.raises(TypeError, match="expected a kbai.Setup, got 'tavern'"):
        kbai.Position("tavern")
