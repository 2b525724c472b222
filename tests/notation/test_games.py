"""Game files: round trips, replay, and what is wrong with a file."""

import pytest
from mixed import MIXED_FILE, MIXED_GAME
from positions import FIRST_GAME, NOMADS_GAME, busy_steps, position, random_starts

from kbai._fast import Position
from kbai.core.errors import IllegalActionError, NotationError, PlacedError
from kbai.game.steps import advance
from kbai.importing.reading import read_any
from kbai.notation.games import Game, format_game, parse_game, record_game
from kbai.notation.positions import format_line
from kbai.notation.turns import parse_turn

GAME = """\
Board: tavern,paddock,oasis,farm
Cards: fishermen,knights,merchants
Seats: red,blue
Seed: 7

1 red flower: n16 o15 o17
2 blue canyon: c6 b6 d7
3 red forest: n17 n18 m18 farm:l18 ...
"""


@pytest.mark.parametrize("play", [lambda p, s: p.copy().playout_steps(s), busy_steps])
def test_every_game_comes_back_from_its_file(play):
    for seed, start in random_starts(25):
        game = record_game(start, play(start, seed), header=[("Seed", str(seed))])
        text = format_game(game)
        assert parse_game(text) == game
        assert format_game(parse_game(text)) == text
        assert game.result == game.final_position().scores()


def test_a_part_of_a_game_comes_back_from_its_file():
    for seed, start in random_starts(25):
        steps = busy_steps(start, seed)
        cut = seed * len(steps) // 25
        before = record_game(start, steps[:cut])
        after = record_game(before.final_position(), steps[cut:], first=len(before.turns) + 1)
        for game in (before, after):
            text = format_game(game)
            assert parse_game(text) == game
            assert format_game(parse_game(text)) == text
        assert after.final_position() == record_game(start, steps).final_position()


def test_a_canonical_file_comes_back_unchanged():
    assert format_game(parse_game(GAME)) == GAME


def test_a_file_is_read_forgivingly():
    untidy = """\
# a game
cards :  Knights, merchants fishermen   # three
SEATS: Red, BLUE
board: tavern paddock oasis farm
seed: 7
1. RED Flower field: N16, o15, o17 end
   2 blue canyon: c6 b6 d7  # well

3 red forest: n17 n18 m18 farm:l18 ...
"""
    assert format_game(parse_game(untidy.replace("\n", "\r\n"))) == GAME


def test_the_header_for_people_is_kept_in_its_order():
    header = "Note: b\nDate: today\nNote: a: #1\nEvent: x\nPlayers: Ö, P\nSeed: 7"
    text = GAME.replace("Seed: 7", header)
    game = parse_game(text)
    assert [key for key, _ in game.header] == ["Seed", "Players", "Event", "Date", "Note", "Note"]
    assert game.header[-1] == ("Note", "a:")
    assert parse_game(format_game(game)) == game


def test_all_of_the_setup_stands_in_the_header():
    text = """\
Board: oracle*,farm,harbor,barn
Cards: lords
Seats: white,red,blue
Start: blue
Options: lords_need_presence:true,exhausted_card:discard

1 blue grass: ...
"""
    assert format_game(parse_game(text)) == text


def test_a_map_stands_in_the_header():
    rows = "/".join(["G" * 20] * 19 + ["WlWkW" + "G" * 15])
    text = f"Map: {rows}\nLocations: barn@b20\nCards: lords\nSeats: red,blue\n"
    assert format_game(parse_game(text)) == text


NOMADS_FILE = """\
Board: quarry,caravan,village,garden
Nomads: outpost@n4,sword@c6,donation_water@h6,treasure@f8,resettlement@e14
Cards: families,shepherds,ambassadors
Seats: red,blue
Options: sword_targets:one

1 red grass: d6 d5 c5
2 blue canyon: f7 f6 e6
3 red grass: sword:blue@f6 d7 c8 d8
4 blue flower: a7 a6 a5
5 red canyon: e7 ...
"""


def test_nomad_tiles_stand_in_the_header_and_in_turns():
    game = parse_game(NOMADS_FILE)
    assert format_game(game) == NOMADS_FILE
    assert game.setup.nomads[0] == ("outpost", 73)
    assert format_line(game.position_before(4)).endswith(
        "red=c5,d5,d6,d7,c8,d8/gold=shepherds:2 blue=e6,f7/gold=treasure:3,ambassadors:1 "
        "turn=blue card=hidden gone=c6,f8 discard=grass:2,canyon:1"
    )


def test_words_without_a_cell_stand_in_a_turn():
    red = "red=a1/nomads=resettlement,outpost/gifts=quarry"
    turn = "7 red grass: resettlement:a1-b1 stop quarry:c1 stop outpost t20 b2 a2"
    text = (
        f"Position: {NOMADS_GAME} {red} blue=- turn=red card=hidden\n\n{turn}\n8 blue grass: ...\n"
    )
    assert format_game(parse_game(text)) == text


UNFINISHED_FILE = f"{MIXED_FILE}5 red forest: =grass ...\n"


def test_all_of_the_setup_of_the_later_sets_stands_in_the_header():
    text = UNFINISHED_FILE.replace("5 red forest: =grass ...", "5 red forest: d16 ...")
    game = parse_game(text)
    assert format_game(game) == text
    assert game.setup.island == "kbai_rope_bridge"
    assert (game.setup.tasks, game.setup.scouted) == (("road", "advance"), "desert")


def test_a_card_that_is_not_exhausted_is_not_replaced():
    with pytest.raises(IllegalActionError, match="there is no card to turn up now") as caught:
        parse_game(UNFINISHED_FILE)
    assert (caught.value.line, caught.value.column) == (16, 15)


# Start, and turns as the file has them.
TURNS = {
    "reactions": (
        "red=- blue=o2/tiles=canoe@n2 green=n1/tiles=canoe@n2 turn=red card=hidden",
        "7 red grass: r3 canoe:blue@a10 pass:green s3 t3\n8 blue grass: ...",
    ),
    "several cards": (
        "red=-/gifts=crossroads/hidden=2 blue=- turn=red card=hidden",
        "7 red marsh_grass+desert: choose:marsh_grass/marsh a4 a5\n8 blue grass: ...",
    ),
    "equal cards": (
        "red=-/gifts=crossroads/hidden=2 blue=- turn=red card=hidden",
        "7 red desert+desert: a7 a8 a9\n8 blue grass: ...",
    ),
    "one of two cards turned up": (
        "red=-/gifts=crossroads/hidden=2 blue=- turn=red card=hidden", "7 red desert: ...",
    ),
    "the other of two cards turned up": (
        "red=-/gifts=crossroads blue=- turn=red card=hidden hand=grass:1",
        "7 red grass+desert: choose:desert ...",
    ),
    "card shown with others": (
        "red=-/gifts=crossroads blue=- turn=red card=flower hand=grass:1",
        "7 red grass+flower: a13 ...",
    ),
    "fort": (
        "red=-/gifts=fort blue=- turn=red card=hidden",
        "7 red desert: fort =marsh_grass fort:a4 a7 a8 b7\n8 blue grass: ...",
    ),
    "fort under way": (
        "red=-/used=fort/gifts=fort blue=- turn=red card=flower doing=fort:draw",
        "7 red flower: =canyon fort:a20 ...",
    ),
    "figures and tokens": (
        "red=l2/tiles=cathedral@k2/gifts=barracks,wagon/warriors=a20/wagon=a13 blue=- turn=red "
        "card=hidden",
        "7 red grass: barracks:back@a20 wagon:a13-b13 wagon:b13-c13 stop cathedral:take m3 n3 o3"
        "\n8 blue grass: ...",
    ),
    "bazaar": (
        "red=a1/gifts=tower,bazaar blue=- turn=red card=hidden",
        "7 red grass: tower:b1 bazaar:tower tower:c1 d1 e1 f1\n8 blue grass: ...",
    ),
    "temple houses": (
        "red=a1/temple=1 blue=- turn=red card=hidden",
        "7 red grass: b1 c1 d1 e1\n8 blue grass: ...",
    ),
    "silos": (
        "red=a1,e8,i8 blue=k8/supply=1 turn=red phase=silo final=true",
        "7 red silo: silo:a2 silo:b1 stop silo:a1-a3 stop\n8 blue silo: silo:l8\n"
        "Result: red 0, blue 5",
    ),
    "silo under way": (
        "red=a1,e8 blue=- turn=red phase=silo doing=silo_build:1 silos=0 final=true",
        "7 red silo: silo:a2 ...",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("start", "turns"), TURNS.values(), ids=TURNS)
def test_turns_of_the_later_sets_come_back_from_their_file(start, turns):
    text = f"Position: {MIXED_GAME} {start}\n\n{turns}\n"
    assert format_game(parse_game(text)) == text


def test_recording_takes_the_steps_of_a_turn_of_the_later_sets():
    text = f"Position: {MIXED_GAME} {TURNS['several cards'][0]}\n"
    start = parse_game(text).start
    steps = start.copy().playout_steps(5)
    game = record_game(start, steps, first=7)
    assert "+" in game.turns[0].card
    assert parse_game(format_game(game)) == game
    with pytest.raises(ValueError, match="a turn begins with the turning up of its cards"):
        record_game(start, [0])


def test_a_game_may_start_from_the_middle():
    line = f"{FIRST_GAME} red=n16/tiles=farm@m16 blue=- turn=red card=flower phase=build2"
    text = f"Position: {line}\n\n17 red flower: o15 o17\n18 blue grass: ...\n"
    game = parse_game(text)
    assert format_line(game.start) == line
    assert format_game(game) == text
    assert game.position_before(17) == game.start


def test_a_turn_may_begin_with_a_piece_in_hand_or_a_card_to_replace():
    line = f"{FIRST_GAME} red=c3/gifts=paddock blue=- turn=red card=flower lift=paddock@c3"
    text = f"Position: {line}\n\n5 red flower: -e3 d3 ...\n"
    assert format_game(parse_game(text)) == text
    line = f"{FIRST_GAME} red=c3 blue=- turn=red card=replace phase=build2 removed=grass:1"
    text = f"Position: {line}\n\n5 red flower: b3 ...\n"
    assert format_game(parse_game(text)) == text


def test_a_turn_without_a_card_says_none():
    line = f"{FIRST_GAME} red=c3 blue=- turn=red card=none phase=post"
    text = f"Position: {line}\n\n5 red none:\n6 blue grass: ...\n"
    assert format_game(parse_game(text)) == text


def test_replay_gives_the_position_before_each_turn():
    game = parse_game(GAME)
    before = [pos for _, pos in game.positions()]
    assert [game.position_before(number) for number in (1, 2, 3)] == before
    assert format_line(before[1]) == (
        f"{FIRST_GAME} red=o15,n16,o17/tiles=farm@m16 blue=- turn=blue card=hidden discard=flower:1"
    )
    assert game.position_before(4) == game.final_position()
    for number in (0, 5, -1, 10**50):
        with pytest.raises(NotationError, match="expected the number of a turn from 1 to 4, got"):
            game.position_before(number)


def test_replay_leaves_the_start_as_it_was():
    game = parse_game(GAME)
    game.final_position()
    assert game.start == Position(game.setup.kernel_board, 0)


def test_recording_follows_the_steps_of_the_kernel():
    start = Position(position("red=- blue=- turn=red card=hidden").board)
    steps = start.copy().playout_steps(3)
    end = start.copy()
    for step in steps:
        advance(end, step)
    game = record_game(start, steps)
    assert game.final_position() == end
    assert game.turns[0].number == 1
    assert all(turn.finished for turn in game.turns)
    assert parse_turn("1 red flower:").finished


def test_what_a_text_holds_is_found_out():
    assert isinstance(read_any(GAME), Game)
    assert isinstance(read_any("\ufeff# x\n\n" + GAME), Game)
    assert isinstance(read_any(f"Position: {FIRST_GAME} red=- blue=- turn=red card=hidden"), Game)
    line = f"{FIRST_GAME} red=- blue=- turn=red card=hidden"
    assert format_line(read_any(line)) == line
    toml = 'cards=""\nturn="red"\ncard="hidden"\nboard="farm,barn,oasis,tower" # a: b\n'
    assert isinstance(read_any(toml + "[seat]\nred.settlements=''\nblue.settlements=''"), Position)


def finished_game():
    start = Position(position("red=- blue=- turn=red card=hidden").board)
    return format_game(record_game(start, start.copy().playout_steps(1)))


def test_a_wrong_result_is_an_error_that_says_the_right_one():
    text = finished_game()
    *_, result = text.splitlines()
    right = result.removeprefix("Result: ")
    red, blue = right.split(", ")
    for wrong in (f"{red}9, {blue}", red, f"{right}, {red}9", f"{red}, blue", f"{red}, blue x"):
        with pytest.raises(NotationError) as caught:
            parse_game(text.replace(right, wrong), file="g.kbg")
        assert f"expected the result '{right}', got '{wrong}'" in str(caught.value)
        place = f"g.kbg, line {len(text.splitlines())}, column 9: "
        assert str(caught.value).startswith(place)
    assert parse_game(text.replace(right, f" {blue} ,{red}")) == parse_game(text)
    assert parse_game(text.replace(result, "")).turns == parse_game(text).turns


# What is replaced in GAME, by what (| marks the place to blame), part of the sentence.
WRONG = [
    ("n16 o15", "n16 |a1", "turn 1: 'a1' is not possible: it has to be beside your own"),
    ("o17\n", "|n16\n", "turn 1: 'n16' is not possible: a settlement of red stands on n16 (R4.1)"),
    ("c6 b6", "c6 |d6", "turn 2: 'd6' is not possible: d6 is water, the card is canyon (R3.2)"),
    ("farm:l18", "|barn:l18-l17", "there is no barn tile in this game (R3.3)"),
    ("farm:l18", "farm:l18 |farm:l18", "red has already used the farm tile this turn (R3.3)"),
    ("b6 d7", "b6", "turn 2 cannot end here: first finish the mandatory action (R3.2)"),
    ("c6 b6", "c6 |zz", "expected a cell from a1 to t20, got 'zz'"),
    ("2 blue", "2 |red", "expected a turn of blue, got one of red (R3.1)"),
    ("2 blue", "2 |bleu", "unknown seat 'bleu'; did you mean 'blue'?"),
    ("blue canyon", "blue |canjon", "unknown card 'canjon'; did you mean 'canyon'?"),
    ("blue canyon", "blue |none", "turn 2: blue has a card to turn up, got none (R3.1)"),
    ("2 blue", "|3 blue", "expected turn 2, got turn 3"),
    ("1 red", "|2 red", "expected turn 1, got turn 2"),
    ("d7\n", "d7 ...\n|", "expected nothing after turn 2, which is not finished"),
    ("l18 ...\n", "l18\nResult: red 1, blue 2\n", "expected no result before the game is over"),
    ("Cards:", "|Crads:", "unknown header key 'Crads'; did you mean 'Cards'?"),
    ("Cards: fishermen", "Cards: |fishers", "unknown card 'fishers'; did you mean 'fishermen'?"),
    ("Board: tavern", "Board: |tvern", "unknown quadrant 'tvern'; did you mean 'tavern'?"),
    ("red,blue", "red,|bleu", "unknown seat 'bleu'; did you mean 'blue'?"),
    ("red,blue", "|red", "expected 2 to 5 seats, got 1"),
    ("Seed: 7", "Start: |green", "unknown seat 'green' (known: red, blue)"),
    ("Seed: 7", "Options: |lost:true", "unknown option 'lost'"),
    ("Seed: 7", "|Seats: red,white", "expected the header 'Seats' once, got it twice"),
    ("Seed: 7", "Seed: 7\n|Seed: 8", "expected the header 'Seed' once, got it twice"),
    ("Seed: 7", "|Seed:", "expected a value for the header 'Seed', got nothing"),
    ("Seed: 7", "|Seed", "expected a header 'Key: value' or a turn, got 'Seed'"),
    ("\n2 blue", "\n|Seed: 8\n2 blue", "expected a turn, got the header 'Seed' after the first"),
    ("Seats: red,blue\n", "", "'Seats' is missing"),
    ("Cards: fishermen,knights,merchants\n", "", "the key 'cards' is missing"),
    ("Seed: 7", "Position: |x", "expected 'Position' or 'Board' in the header, got both"),
]  # fmt: skip


def test_a_wrong_nomad_tile_in_the_header_is_said_with_its_place():
    text = NOMADS_FILE.replace("sword@c6", "sword@c7")
    with pytest.raises(NotationError, match="expected a nomad tile on a nomad space") as caught:
        parse_game(text)
    assert (caught.value.line, caught.value.column) == (2, 20)


@pytest.mark.parametrize(("old", "new", "sentence"), WRONG)
def test_what_is_wrong_with_a_file_is_said_with_its_place(old, new, sentence):
    assert old in GAME
    before, _, after = GAME.replace(old, new, 1).partition("|")
    with pytest.raises(PlacedError) as caught:
        parse_game(before + after, file="g.kbg")
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("g.kbg, line ")
    if "|" in new and "Position" not in new:
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        assert (caught.value.line, caught.value.column) == (line, column)


def test_an_error_in_the_position_of_a_header_has_its_column():
    text = f"# x\nPosition: {FIRST_GAME} red=a1,d4 blue=- turn=red card=hidden\n"
    with pytest.raises(NotationError, match="a castle space") as caught:
        parse_game(text)
    assert (caught.value.line, caught.value.column) == (2, text.index("d4") - 3)
    with pytest.raises(NotationError, match="begins with 'kb1', got 'x'"):
        parse_game("Position: x\n")


def test_an_illegal_turn_is_no_notation_error():
    with pytest.raises(IllegalActionError):
        parse_game(GAME.replace("c6 b6", "c6 d6"))


def test_an_empty_file_lacks_its_header():
    with pytest.raises(NotationError, match="expected a header with 'Board', 'Cards' and 'Seats'"):
        parse_game("")


def test_nothing_follows_the_result():
    with pytest.raises(NotationError, match="expected nothing after the result, got 'Note: x'"):
        parse_game(finished_game() + "Note: x\n")


@pytest.mark.parametrize(
    ("key", "value"),
    [("Bot", "x"), ("Note", "a\nb"), ("Note", " a"), ("Note", "a # b"), ("Note", "")],
)
def test_a_header_that_could_not_be_read_back_is_refused(key, value):
    start = position("red=- blue=- turn=red card=hidden")
    with pytest.raises(NotationError):
        Game(start, header=((key, value),))
