"""The three spellings of a position, where an error is, and pickling."""

import copy
import json
import pickle
import re

import pytest
from mixed import MIXED_BOARD, MIXED_GAME, MIXED_MAP
from places import DOCS
from positions import (
    FIRST_GAME,
    NOMADS_BOARD,
    NOMADS_CARDS,
    NOMADS_GAME,
    position,
    random_positions,
)

from kbai.core.errors import NotationError
from kbai.notation.positions import SPELLINGS, format_line, format_position, parse_position
from kbai.notation.spans import scan_json, scan_toml

FORMS = DOCS / "forms.md"

TOML = """\
# a position
board = ["tavern", "paddock", "oasis*", "farm"]   # farm, of all
cards = ["fishermen", "knights", "merchants"]
turn  = "red"
card  = "flower"
discard = {grass = 2}

[seat.red]
settlements = "n16 o15 o17 b7"  # b7 once more
tiles = ["tavern@c7", "farm@m16"]

[seat.blue]
settlements = [
    "b2",
    "b3",
]
"""
JSON = """\
{
  "board": ["tavern", "paddock", "oasis*", "farm"],
  "cards": ["fishermen", "knights", "merchants"],
  "turn": "red", "card": "flower",
  "discard": {"grass": 2},
  "seat": {
    "red": {"settlements": ["n16", "o15", "o17", "b7"], "tiles": "tavern@c7 farm@m16"},
    "blue": {"settlements": "b2 b3"}
  }
}
"""
LINE = (
    "kb1 board=tavern,paddock,oasis*,farm cards=fishermen,knights,merchants "
    "red=b7,o15,n16,o17/tiles=tavern@c7,farm@m16 blue=b2,b3 turn=red card=flower discard=grass:2"
)


@pytest.mark.slow
def test_every_position_comes_back_from_each_spelling():
    for current in random_positions(20, share=0.04):
        for spelling in SPELLINGS:
            text = format_position(current, spelling)
            assert parse_position(text) == current
            assert format_position(parse_position(text), spelling) == text


def test_the_spellings_say_the_same():
    assert parse_position(TOML) == parse_position(JSON) == parse_position(LINE)
    assert format_line(parse_position(TOML)) == LINE


def test_the_examples_of_the_forms_are_true():
    text = FORMS.read_text("utf-8")
    (toml,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    parse_position(toml)
    (line,) = re.findall(r"^    (kb1 .*)$", text, re.MULTILINE)
    assert format_line(parse_position(line)) == line


MAP = "/".join(["G" * 20] * 19 + ["GlWkW" + "G" * 15])
# Everything the line can hold, in its order.
LINES = [
    f"{FIRST_GAME} red=- blue=- turn=red card=hidden",
    f"{FIRST_GAME} start=blue red=- blue=- turn=blue card=grass phase=build2",
    f"{FIRST_GAME} red=b7/tiles=-/lost=tavern@c7 blue=- turn=red card=flower",
    f"{FIRST_GAME} red=h6,b7/tiles=tavern@c7,tavern@h7/used=tavern/fresh=tavern blue=- turn=red "
    "card=flower phase=post",
    f"{FIRST_GAME} red=c3/gifts=oracle,barn,barn/supply=7 blue=- turn=red card=flower lift=barn@c3",
    f"{FIRST_GAME} red=- blue=- phase=over final=true",
    f"{FIRST_GAME} red=- blue=- turn=red card=flower final=true",
    f"{FIRST_GAME} red=- blue=- green=- turn=red card=flower "
    "discard=grass:2,desert:1 removed=forest:5 held=blue+green:grass:1,canyon:1",
    f"{FIRST_GAME} red=- blue=- green=- turn=red card=flower held=green:desert:1/blue:grass:1",
    f"{FIRST_GAME} red=- blue=- green=- turn=red card=none phase=post nocard=blue,green",
    f"{FIRST_GAME} options=lords_need_presence:true,vacated_hex_counts:false,"
    "exhausted_card:discard,lost_tiles_return:true red=- blue=- turn=red card=replace "
    "spent=grass:1",
    f"{FIRST_GAME} options=exhausted_any_hex:true red=- blue=- turn=red card=grass terrain=any",
    "kb1 board=oracle*,farm,harbor,barn cards=- red=- blue=- turn=red card=flower",
    f"kb1 map={MAP} locations=barn@b20 cards=- red=a20/tiles=barn@b20 blue=- turn=red card=grass",
    f"{NOMADS_GAME} red=- blue=- turn=red card=hidden",
    f"{NOMADS_BOARD} {NOMADS_CARDS} red=- blue=- turn=red card=hidden",
    f"{NOMADS_GAME} options=exhausted_card:discard,sword_targets:one,sword_cancels_end:true "
    "red=-/supply=0 blue=- turn=red card=grass phase=post",
    f"{NOMADS_GAME} red=b1,c1/used=quarry/fresh=outpost,sword/nomads=donation_grass,outpost,sword/"
    "gifts=quarry/supply=7/gold=treasure:3,families:2,shepherds:4,ambassadors:1 blue=a20/nomads="
    "resettlement turn=red card=grass doing=quarry:1 final=true walls=a1,t20 gone=n4,c6,f8 "
    "discard=grass:1",
    f"{NOMADS_GAME} red=a1 blue=- turn=red card=grass lift=resettlement@a1 doing=resettlement:2",
    f"{NOMADS_GAME} red=a1 blue=- turn=red card=grass doing=donation_grass:1 outpost=true gone=n4",
    f"{NOMADS_GAME} red=a1 blue=- green=t20 turn=red card=grass doing=sword:green",
    f"{NOMADS_GAME} red=a1/used=quarry/gifts=quarry blue=- turn=red card=replace doing=quarry:1 "
    "removed=grass:1",
    f"{NOMADS_GAME} red=a1,t20 blue=- turn=red card=grass phase=build1 outpost=true built=a1,t20",
    f"{NOMADS_GAME} red=a1/nomads=sword blue=- phase=over final=true",
    f"kb1 map={MAP.replace('G', 'n', 1)} locations=barn@b20 nomads=treasure@a1 cards=lords "
    "red=b1/gold=treasure:3 blue=- turn=red card=grass gone=a1",
    f"{MIXED_GAME} red=- blue=- turn=red card=hidden",
    f"{MIXED_MAP} caves=n11,k12 capitols=c2,m8 cards=scouts scouted=desert "
    "options=figure_moves:own_tile,canoe_self:true,island_knights:true,"
    "special_spaces:all,crossroads_identical_any:true,marsh_cards_always:true,"
    "red_cards_any_turn:true,move_tiles:at_end start=blue red=- blue=- turn=blue card=hidden",
    f"{MIXED_GAME} red=a13,~a3/used=farmland/fresh=temple/gifts=lighthouse,barracks,city_hall,"
    "wagon,temple,cathedral/warriors=c13,f13/wagon=k12/ship=a12/hall=d17/tokens=2/temple=1/"
    "mayors=3,~2/roved=1,4/supply=30/gold=rovers:2 blue=-/mayors=4 turn=red card=marsh_grass "
    "terrain=marsh owed=0 walls=t20,~c1",
    f"{MIXED_GAME} red=-/gifts=crossroads blue=-/hidden=3 turn=red card=flower "
    "hand=grass:1,marsh_desert:1 phase=build2 discard=marsh_flower:1 removed=marsh_canyon:1 "
    "held=blue+blue:grass:1,marsh_grass:1/blue:forest:1",
    f"{MIXED_GAME} red=-/gifts=crossroads blue=- turn=red card=choose hand=grass:2,marsh_flower:1",
    f"{MIXED_GAME} red=-/gifts=crossroads/hidden=2 blue=- turn=red card=hidden hand=grass:1",
    f"{MIXED_GAME} red=a13/used=bazaar/gifts=tower,bazaar blue=- turn=red card=flower repeat=tower",
    f"{MIXED_GAME} red=a13/used=bazaar/gifts=tower,bazaar blue=- turn=red card=flower repeat=tower "
    "outpost=true gone=q2",
    f"{MIXED_GAME} red=a13 blue=o2/tiles=canoe@n2 green=n1/tiles=canoe@n2 turn=red card=flower "
    "phase=post reacting=red:blue,blue:green",
    f"{MIXED_GAME} red=a12/used=scout_cabin/gifts=scout_cabin blue=- turn=red card=flower "
    "doing=scout_cabin:1 scouts=a11",
    f"{MIXED_GAME} red=-/used=fort/gifts=fort blue=- turn=red card=flower doing=fort:draw",
    f"{MIXED_GAME} red=-/used=fort/gifts=fort blue=- turn=red card=none phase=post "
    "doing=fort:marsh_grass",
    f"{MIXED_GAME} red=-/temple=2 blue=- turn=red card=flower phase=build0 owed=1",
    f"{MIXED_GAME} red=a1,e8 blue=- turn=red phase=silo lift=silo@a1 doing=silo_move:2 silos=0 "
    "final=true",
    f"{MIXED_GAME} red=r2/used=canoe/gifts=canoe blue=- turn=red phase=silo silos=1 final=true",
    f"{MIXED_BOARD} cards=lords red=- blue=- phase=over final=true nocard=red,blue",
]


@pytest.mark.parametrize("line", LINES)
def test_a_canonical_line_comes_back_unchanged(line):
    current = parse_position(line)
    assert format_line(current) == line
    for spelling in SPELLINGS:
        assert parse_position(format_position(current, spelling)) == current


def test_lists_of_cells_are_one_text_in_toml():
    assert 'walls = "b1"\ngone = "c6 f8"\n' in NOMADS_TOML
    assert "gold = {treasure = 3}\n" in NOMADS_TOML
    assert 'nomads = ["outpost@n4", ' in NOMADS_TOML


def test_short_words_of_the_later_sets_are_one_text_in_toml():
    assert 'island = "kbai_rope_bridge"\ncaves = "n11"\ncapitols = "m8"\n' in MIXED_TOML
    assert 'tasks = ["road", "advance"]\n' in MIXED_TOML
    assert 'hand = {grass = 1}\nreacting = ["red:blue"]\n' in MIXED_TOML
    assert 'warriors = "c13"\nmayors = "3 ~2"\n' in MIXED_TOML


def test_json_is_one_line_with_the_keys_of_the_schema():
    data = json.loads(format_position(parse_position(LINE), "json"))
    assert list(data) == ["board", "cards", "turn", "card", "discard", "seat"]
    assert data["seat"]["blue"] == {"settlements": ["b2", "b3"]}
    assert "\n" not in format_position(parse_position(LINE), "json")


@pytest.mark.parametrize(
    "text",
    [
        f"  {LINE}  # a comment\n\n",
        f"# a comment\n\n{LINE}\n",
        LINE.upper(),
        "\ufeff" + LINE,
        LINE.replace(" ", "   "),
        " ".join([*LINE.split()[:1], *reversed(LINE.split()[1:])]).replace(
            "blue=b2,b3 red=b7,o15,n16,o17/tiles=tavern@c7,farm@m16",
            "red=b7,o15,n16,o17/tiles=tavern@c7,farm@m16 blue=b2,b3",
        ),
        TOML.replace("\n", "\r\n"),
        "\ufeff" + TOML,
        "\n\n" + JSON.replace("\n", "\r\n"),
        TOML.replace('"red"', '"RED"').replace("n16 o15", "N16,  O15,"),
    ],
)
def test_reading_is_forgiving(text):
    assert format_line(parse_position(text)) == LINE


NOMADS_LINE = (
    f"{NOMADS_GAME} red=a1/used=quarry/fresh=sword/nomads=sword/gifts=quarry/gold=treasure:3 "
    "blue=t20 turn=red card=grass doing=quarry:1 walls=b1 gone=c6,f8"
)
NOMADS_TOML = format_position(parse_position(NOMADS_LINE), "toml")
MIXED_LINE = (
    f"{MIXED_GAME} red=a13/gifts=barracks,crossroads/warriors=c13/mayors=3,~2 "
    "blue=o2/tiles=canoe@n2/hidden=2 turn=red card=flower hand=grass:1 reacting=red:blue"
)
MIXED_TOML = format_position(parse_position(MIXED_LINE), "toml")
# Text, what is replaced (its first occurrence), by what, part of the sentence. The mark | stands
# before the place to blame and is taken out.
PLACES = [
    (LINE, "fishermen", "|fishers", "unknown card 'fishers'"),
    (LINE, "oasis*", "|oases*", "unknown quadrant 'oases'"),
    (LINE, "n16", "|d4", "a castle space"),
    (LINE, "farm@m16", "|farm@m17", "expected the cell of a location space"),
    (LINE, "/tiles", "/|tyles", "unknown key 'tyles'; did you mean 'tiles'?"),
    (LINE, "/tiles", "/tiles=-/|tiles", "expected 'tiles' once"),
    (LINE, "turn=red", "|tern=red", "unknown key 'tern'; did you mean 'turn'?"),
    (LINE, "turn=red", "|turn=", "expected turn=VALUE, got 'turn='"),
    (LINE, "turn=red", "|turn", "expected turn=VALUE, got 'turn'"),
    (LINE, "turn=red", "turn=red |turn=red", "expected 'turn' once"),
    (LINE, "card=flower", "card=|flwer", "unknown card 'flwer'"),
    (LINE, "grass:2", "|grass:9", "expected at most 5 grass cards"),
    (LINE, "grass:2", "grass:2 held=blue:|grass:2", "expected as many cards as seats"),
    (LINE, "grass:2", "grass:2 held=|blue", "expected hidden cards like 'blue:desert:1'"),
    (LINE, "kb1", "|kb2", "expected a position that begins with 'kb1', got 'kb2'"),
    (LINE, "kb1", "# two\n\n  kb1 |bord=x", "unknown key 'bord'; did you mean 'board'?"),
    (NOMADS_LINE, "outpost@n4", "|outpost@n5", "expected a nomad tile on a nomad space"),
    (NOMADS_LINE, "nomads=sword/", "nomads=|treasure/", "which is gold at once"),
    (NOMADS_LINE, "treasure:3", "|treasure:4", "expected gold from treasure in steps of 3"),
    (NOMADS_LINE, "quarry:1", "|quarry:2", "expected the steps that may follow, quarry:1"),
    (NOMADS_LINE, "walls=b1", "walls=b1,|a1", "expected one thing on a1"),
    (NOMADS_LINE, "gone=c6", "gone=|c7", "expected a nomad space whose tile was taken"),
    (NOMADS_LINE, "doing=", "outpost=|true doing=", "expected no outpost while the quarry"),
    (NOMADS_TOML, "outpost@n4", "|outpost@n5", "expected a nomad tile on a nomad space"),
    (NOMADS_TOML, "{treasure = 3}", "{|treasure = 4}", "expected gold from treasure in steps of"),
    (NOMADS_TOML, "{treasure = 3}", "{|tresure = 3}", "unknown key 'tresure'; did you mean"),
    (NOMADS_TOML, '"b1"', '"b1 |a1"', "expected one thing on a1"),
    (NOMADS_TOML, '"quarry:1"', '"|quarry:2"', "expected the steps that may follow, quarry:1"),
    (MIXED_LINE, "caves=n11", "caves=n11,|a1", "expected a mountain of the board for a cave"),
    (MIXED_LINE, "capitols=m8", "capitols=|m7", "expected a castle of the board for a capitol"),
    (MIXED_LINE, "road,advance", "road,|advence", "unknown task 'advence'; did you mean"),
    (MIXED_LINE, "tasks=", "scouted=|grass tasks=", "expected a terrain taken out only with"),
    (MIXED_LINE, "warriors=c13", "warriors=|a13", "expected one piece on a13"),
    (MIXED_LINE, "~2", "|~6", "expected rows from 1 to 20, or ~1 to ~5 on the island"),
    (MIXED_LINE, "~2", "~2/wagon=|a1", "expected 'wagon' only with wagon tiles"),
    (MIXED_LINE, "hidden=2", "hidden=2/mayors=|3", "expected each row marked once"),
    (MIXED_LINE, "red:blue", "|red:red", "expected another seat to react"),
    (MIXED_LINE, "reacting=", "terrain=|grass reacting=", "expected the terrain flower with the"),
    (MIXED_LINE, "reacting=", "owed=|1 reacting=", "expected at most the 0 houses of red on"),
    (MIXED_TOML, '"c13"', '"c13 |a13"', "expected one piece on a13"),
    (MIXED_TOML, "hidden = 2", "hidden = |99", "expected a number from 0 to 30 for 'hidden'"),
    (MIXED_TOML, '"red:blue"', '"|blue:red"', "expected red as the one who took a tile"),
    (MIXED_TOML, 'capitols = "m8"', "capitols = |8", "expected text or a list of texts for"),
    (MIXED_TOML, '"3 ~2"', "[3, 3, |true]", "expected a list of texts for 'mayors', got True"),
    (TOML, "fishermen", "|fishers", "unknown card 'fishers'"),
    (TOML, "cards", "|crads", "unknown key 'crads'; did you mean 'cards'?"),
    (TOML, '"farm"', '"|frm"', "unknown quadrant 'frm'"),
    (TOML, "grass", "|gras", "unknown key 'gras'; did you mean 'grass'?"),
    (TOML, "b7", "|d4", "a castle space"),
    (TOML, '"farm@m16', '"|farm@n16', "expected the cell of a location space"),
    (TOML, '"b3"', '"|b2 b2"', "expected each cell once"),
    (TOML, '"b3"', "|3", "expected a list of texts for 'settlements', got 3"),
    (TOML, "[seat.blue]", "[seat.|bleu]", "unknown seat 'bleu'; did you mean 'blue'?"),
    (TOML, "[seat.blue]\nsettlements", "|[seat.blue]\ntiles", "the key 'settlements' of blue"),
    (TOML, '"flower"', '"flower|', "expected a position in TOML, got a text that is not: illegal"),
    (TOML, "[seat.blue]", "[seat.red|]", "expected a position in TOML"),
    (JSON, "fishermen", "|fishers", "unknown card 'fishers'"),
    (JSON, '"turn"', '"|tern"', "unknown key 'tern'; did you mean 'turn'?"),
    (JSON, '"b7"', '"|d4"', "a castle space"),
    (JSON, '"b2 b3"', '"b2 |q99"', "expected a cell from a1 to t20, got 'q99'"),
    (JSON, '"turn": "red"', '"turn": |red', "expected a position in JSON, got a text that is not"),
    (JSON, '"card"', '|"turn"', "expected the key 'turn' once, got it twice"),
]


@pytest.mark.parametrize(("text", "old", "new", "sentence"), PLACES)
def test_an_error_names_file_line_and_column(text, old, new, sentence):
    assert old in text
    marked = text.replace(old, new, 1)
    before, after = marked.split("|")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    with pytest.raises(NotationError) as caught:
        parse_position(before + after, file="p.txt")
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(f"p.txt, line {line}, column {column}: ")


def test_a_comment_does_not_draw_the_place_of_an_error():
    text = "# crads b99\n" + TOML.replace('"b3"', '"b99" # b99')
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    assert (caught.value.line, caught.value.column) == (16, 6)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "expected a position, got an empty text"),
        ("  \n# only a comment\n", "expected a position, got an empty text"),
        ("[1, 2]", "expected a position in TOML"),
        ("{}", "the key 'seat' is missing"),
        ("{1: 2}", "expected a position in JSON"),
        ("hello", "expected a position or a game, got 'hello'; a position is TOML, JSON or a line"),
        ("{" + '"a":[' * 100_000, "expected a position in JSON"),
        ("a = " + "[" * 100_000, "expected a position in TOML"),
        ('{"turn": ' + "9" * 5000 + "}", "expected a position in JSON"),
        ("turn = " + "9" * 5000, "expected a position in TOML"),
        (f"{LINE}\n{LINE}", "expected one position on one line, got a second line"),
        ("kb1", "the key 'seat' is missing"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text, sentence):
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "copier", [copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))]
)
def test_positions_can_be_copied_and_pickled(copier):
    for current in random_positions(3, share=0.02):
        again = copier(current)
        assert again == current
        assert again is not current
    current = position("red=- blue=- turn=red card=hidden")
    copier(current).draw(0)
    assert current == position("red=- blue=- turn=red card=hidden")


def test_spans_of_toml_follow_tables_dotted_keys_and_arrays_of_tables():
    text = "a.b = \"x\" # y\n[[held]]\nseats = '''\nblue'''\n[[held]]\n'se ats' = [1, {c = 2}]\n"
    spans = scan_toml(text)
    places = {path: text[span.start : span.end] for path, span in spans.known.items()}
    assert places["a", "b"] == '"x"'
    assert places["held", 0, "seats"] == "'''\nblue'''"
    assert places["held", 1, "se ats", 0] == "1"
    assert places["held", 1, "se ats", 1, "c"] == "2"


def test_spans_of_json_find_what_stands_twice():
    spans = scan_json('{"a": {"b": 1, "b": [true]}, "c": "}"}')
    assert spans.repeated == [("a", "b")]
    assert spans.known["c",].start == 34
