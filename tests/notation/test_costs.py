"""Bad input is refused before it can cost much, whatever it consists of."""

import tracemalloc

import pytest

from kbai.core.errors import KbaiError
from kbai.core.texts import MAX_GAME, MAX_POSITION
from kbai.core.toml import MAX_KEY_PARTS, MAX_SIGNS, TomlError, parse_toml
from kbai.importing.reading import read_any

HEAD = "kb1 board=tavern,paddock,oasis,farm cards=lords"
TAIL = "blue=- turn=red card=hidden"
HEADER = "Board: tavern,paddock,oasis,farm\nCards: lords\nSeats: red,blue\n\n"

SEATS_IN_JSON = '","seat":{"red":{},"blue":{}},"board":"tavern paddock oasis farm"}'
SEATS_IN_TOML = '"\nseat={red={},blue={}}\nboard="tavern paddock oasis farm"'

COSTLY = {
    "long dotted key": ("a" + ".a" * 5_000 + " = 1", "a key of more than 16 parts"),
    "long quoted key": ('"a"' + ' . "a"' * 5_000 + " = 1", "a key of more than 16 parts"),
    "long dotted header": ("[a" + ".a" * 5_000 + "]", "a key of more than 16 parts"),
    "long key in a table": ("a = {b" + ".b" * 5_000 + " = 1}", "a key of more than 16 parts"),
    "many dotted keys": ("a.b.c.d = 1\n" * 60_000, "more than 20,000"),
    "many keys in TOML": ("".join(f"k{i} = 1\n" for i in range(50_000)), "more than 20,000"),
    "many lists in TOML": ("board = [" + "[]," * 300_000 + "]", "more than 20,000"),
    "many comments": ("#\n" * 400_000 + "board = 1", "more than 20,000"),
    "many escapes": ('board = "' + r"\t" * 400_000 + '"', "more than 20,000"),
    "deep values in JSON": (
        '{"board":' + "[" * 480 + "1," * 300_000 + "1" + "]" * 480 + "}",
        "more than 20,000",
    ),
    "many words in JSON": ('{"cards":"' + "a " * 400_000 + SEATS_IN_JSON, "at most 2,000 words"),
    "many words in TOML": ('cards="' + "a " * 400_000 + SEATS_IN_TOML, "at most 2,000 words"),
    "many words in a list": (
        '{"cards":[' + '"a a a a",' * 9_000 + '"a"],"turn":"' + SEATS_IN_JSON,
        "at most 2,000 words",
    ),
    "many words of a line": (f"{HEAD} red={'a1,' * 200_000} {TAIL}", "at most 2,000 words"),
    "many hidden cards": (
        f"{HEAD} red=- held={'blue:grass:1/' * 50_000} {TAIL}",
        "at most 100 groups",
    ),
    "many keys of a line": ("kb1 " + "a=1 " * 200_000, "unknown key 'a'"),
    "a long position": (f"{HEAD} red={'a' * MAX_POSITION} {TAIL}", "at most 1,000,000 characters"),
    "a long game": (HEADER + "Note: x\n" * MAX_GAME, "at most 1,000,000 characters"),
    "many actions": (f"{HEADER}1 red flower: {'n16 ' * 200_000}", "at most 1,000 actions"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("text", "message"), COSTLY.values(), ids=COSTLY)
def test_costly_input_is_refused_with_little_memory(text, message):
    tracemalloc.start()
    try:
        with pytest.raises(KbaiError, match=message):
            read_any(text)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


LONG = "x" * 100_000
WORDY = {
    "key of TOML": f"{LONG} = 1",
    "key of JSON": f'{{"{LONG}": 1}}',
    "repeated key of JSON": f'{{"{LONG}": 1, "{LONG}": 2}}',
    "key of a line": f"kb1 {LONG}=1",
    "mark of a line": f"kb1{LONG} board=x",
    "quadrant": f"kb1 board={LONG},paddock,oasis,farm cards=lords red=- {TAIL}",
    "card": f"kb1 board=tavern,paddock,oasis,farm cards={LONG} red=- {TAIL}",
    "cell": f"{HEAD} red={LONG} {TAIL}",
    "tile": f"{HEAD} red=-/tiles={LONG}@c7 {TAIL}",
    "seat": f"{HEAD} red=- blue=- turn={LONG}",
    "phase": f"{HEAD} red=- {TAIL} phase={LONG}",
    "option": f"{HEAD} red=- {TAIL} options={LONG}:true",
    "setting": f"{HEAD} red=- {TAIL} options=lost_tiles_return:{LONG}",
    "action under way": f"{HEAD} red=- blue=- turn=red card=grass doing={LONG}",
    "header": f"{LONG}: 1",
    "value of a header": f"Board: tavern,paddock,oasis,farm\nCards: lords\nSeats: {LONG}\n",
    "action": f"{HEADER}1 red flower: {LONG}",
    "tile of an action": f"{HEADER}1 red flower: {LONG}:n16",
    "number of a turn": f"{HEADER}1{LONG} red flower: n16",
    "card of a turn": f"{HEADER}1 red {LONG}: n16",
    "result": f"{HEADER}Result: {LONG}",
}


@pytest.mark.parametrize("text", WORDY.values(), ids=WORDY)
def test_a_long_word_is_cut_in_the_message(text):
    with pytest.raises(KbaiError) as caught:
        read_any(text)
    assert len(str(caught.value)) < 1_500
    assert len(getattr(caught.value, "token", "")) <= 200


def test_a_key_of_as_many_parts_as_are_allowed_is_read():
    parts = ["a"] * MAX_KEY_PARTS
    assert parse_toml(f"{'.'.join(parts)} = 1.5")
    with pytest.raises(TomlError, match="a key of more than 16 parts") as caught:
        parse_toml(f"b = 1.5\n {'.'.join([*parts, 'a'])} = 1")
    assert (caught.value.line, caught.value.column) == (2, 2)


def test_dots_in_comments_and_strings_are_no_keys():
    dots = "a.b" * 500
    text = f"# {dots}\nx = '{dots}' # {dots}\ny = \"\"\"\n{dots}\n\"\"\"\nz = '''{dots}''\n'''\n"
    assert parse_toml(text) == {"x": dots, "y": f"{dots}\n", "z": f"{dots}''\n"}


def test_as_many_signs_as_are_allowed_are_read():
    assert parse_toml("#" * MAX_SIGNS) == {}
    with pytest.raises(TomlError, match="it has 20,001 of the signs"):
        parse_toml("#" * (MAX_SIGNS + 1))


@pytest.mark.parametrize("depth", [10, 100, 400, 490, 900])
def test_a_key_twice_is_found_at_any_depth(depth):
    text = '{"a":' * depth + '{"b":1,"b":2}' + "}" * depth
    with pytest.raises(KbaiError, match="the key 'b' once, got it twice"):
        read_any(text)


def test_a_long_word_is_found_in_its_place():
    text = f'cards = "lords"\nboard = ["tavern", "oasis",\n "farm", "{LONG}"]\n'
    text += "[seat.red]\n[seat.blue]\n"
    with pytest.raises(KbaiError, match="^line 3, column 11: unknown quadrant 'xxx"):
        read_any(text)
