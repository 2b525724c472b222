"""Bad input of all kinds: one sentence that says what is wrong and where, never a traceback."""

import random
import re

import pytest
from click.testing import CliRunner
from mixed import MIXED_FILE, MIXED_GAME
from positions import FIRST_GAME, NOMADS_GAME, busy_steps, random_starts

from kbai.cli import main
from kbai.core.errors import KbaiError
from kbai.game.cells import format_cell
from kbai.game.steps import advance
from kbai.importing.reading import read_any
from kbai.notation.games import Game, format_game, parse_game, record_game
from kbai.notation.positions import SPELLINGS, format_line, format_position, parse_position

TOML = """\
board = ["tavern", "paddock", "oasis", "farm"]
cards = ["fishermen", "knights", "merchants"]
turn = "red"
card = "flower"

[seat.red]
settlements = "n16 o15 b7"

[seat.blue]
settlements = "b2 b3"
"""
LINE = f"{FIRST_GAME} red=n16 blue=b2 turn=red card=flower"
KBG = """\
Board: tavern,paddock,oasis,farm
Cards: fishermen,knights,merchants
Seats: red,blue

1 red flower: n16 o15 o17
2 blue canyon: c6 b6 d7
"""
NOMADS_LINE = f"{NOMADS_GAME} red=d6/nomads=sword blue=t20 turn=red card=grass gone=c6"
NOMADS_KBG = """\
Board: quarry,caravan,village,garden
Nomads: outpost@n4,sword@c6,treasure@f8
Cards: families,shepherds,ambassadors
Seats: red,blue

1 red grass: d6 d5 c5
2 blue canyon: f7 f6 e6
3 red grass: sword:blue@f6 d7 c8 d8
"""
MIXED_LINES = [
    f"{MIXED_GAME} {rest}"
    for rest in (
        "red=a13/gifts=barracks,wagon,city_hall/warriors=c13/wagon=k12/hall=d17/mayors=3,~2/roved=1"
        " blue=o2/tiles=canoe@n2/temple=1 turn=red card=marsh_grass terrain=marsh",
        "red=-/gifts=crossroads blue=-/hidden=2 turn=red card=choose hand=grass:1,marsh_flower:1 "
        "held=blue+blue:grass:1,desert:1",
        "red=a13/used=bazaar,cathedral/gifts=tower,bazaar,cathedral/tokens=2 blue=- turn=red "
        "card=flower repeat=tower",
        "red=a13 blue=o2/tiles=canoe@n2 turn=red card=flower phase=build1 reacting=red:blue",
        "red=a12/used=scout_cabin,fort/gifts=scout_cabin,fort blue=- turn=red card=flower "
        "doing=fort:grass scouts=a11",
        "red=a1,e8/temple=1 blue=- turn=red phase=silo doing=silo_build:1 silos=0 final=true",
    )
]
# Some cells of the island have no hex.
BOARD_AND_ISLAND = (*range(400), *range(400, 450))
COMMANDS = [["score"], ["convert"], ["show"], ["perft", "1"]]


def run(*arguments, data=None):
    return CliRunner().invoke(main, [str(a) for a in arguments], input=data, prog_name="kbai")


def changed(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


# Content of a file, what its error must say.
FILES = {
    "misspelt card": (
        changed(TOML, "fishermen", "fishers"),
        "line 2, column 11: unknown card 'fishers'; did you mean 'fishermen'?",
    ),
    "misspelt quadrant": (
        changed(TOML, "oasis", "osasis"), "line 1, column 32: unknown quadrant 'osasis'"
    ),
    "misspelt key": (
        changed(TOML, "settlements", "setlements"), "line 7, column 1: unknown key 'setlements'"
    ),
    "misspelt terrain": (
        changed(TOML, '"flower"', '"flwr"'), "line 4, column 9: unknown card 'flwr'; did you mean"
    ),
    "off the board": (
        changed(TOML, "o15", "o21"), "line 7, column 20: expected a cell from a1 to t20, got 'o21'"
    ),
    "on a mountain": (
        changed(TOML, "o15", "d1"), "expected a hex to build on, got 'd1', a mountain (R1.5)"
    ),
    "occupied": (
        changed(TOML, "b3", "n16"), "line 10, column 19: expected one settlement on n16, got one of"
    ),
    "unclosed text": (
        changed(TOML, '"red"', '"red'), "line 3, column 12: expected a position in TOML, got"
    ),
    "number for text": (
        changed(TOML, '"red"', "5"), "line 3, column 8: expected text for 'turn', got 5"
    ),
    "huge number": (
        TOML + "supply = 0x" + "f" * 9000, "line 11, column 10: expected a number from 0 to 40"
    ),
    "huger number": (TOML + "supply = " + "9" * 9000, "expected a position in TOML"),
    "date": (TOML + "supply = 1979-05-27T07:32:00Z", "expected a number from 0 to 40 for 'supply'"),
    "empty": ("", "expected a position, got an empty text"),
    "blank": (" \n\t\n", "expected a position, got an empty text"),
    "prose": ("It was a dark night.\n", "line 1, column 1: expected a position or a game"),
    "XML": ("\n<?xml version='1.0'?>\n<a/>", "line 2, column 1: expected a position or a game"),
    "half JSON": ('{"board": [', "line 1, column 12: expected a position in JSON"),
    "nested JSON": ('{"board": ' + "[" * 99_999, "expected a position in JSON"),
    "JSON of nothing": ("{}", "expected the seats with their settlements, but the key 'seat'"),
    "JSON null": ('{"seat": null}', "expected a table for each seat, got None"),
    "line cut off": (LINE[:-3], "column 101: unknown card 'flo'; did you mean 'flower'?"),
    "two lines for one": (f"{LINE}\n{LINE}", "line 2: expected one position on one line"),
    "unknown version": (changed(LINE, "kb1", "kb9"), "line 1, column 1: expected a position that"),
    "illegal turn": (
        changed(KBG, "c6 b6", "c6 d6"),
        "line 6, column 19: turn 2: 'd6' is not possible: d6 is water, the card is canyon (R3.2)",
    ),
    "turn too short": (
        changed(KBG, " d7", ""), "line 6, column 1: turn 2 cannot end here: first finish"
    ),
    "turn number": (changed(KBG, "2 blue", "5 blue"), "line 6, column 1: expected turn 2, got"),
    "header key": (
        changed(KBG, "Cards", "Crads"), "line 2, column 1: unknown header key 'Crads'; did you mean"
    ),
    "no header": ("1 red flower: n16", "line 1: expected a header with 'Board', 'Cards' and"),
    "result too early": (KBG + "Result: red 1, blue 2", "line 7, column 1: expected no result"),
    "nomad tile twice": (
        changed(NOMADS_LINE, "outpost@n4", "donation_water@n4"),
        "column 75: expected at most 1 donation_water tiles, got 'donation_water@h6' once more",
    ),
    "misspelt nomad tile": (
        changed(NOMADS_LINE, "nomads=sword", "nomads=sord"), "unknown nomad tile 'sord'; did you"
    ),
    "nomad tile on the edge": (
        changed(NOMADS_KBG, "sword@c6", "sword@a1"), "line 2, column 20: expected a nomad tile on a"
    ),
    "sword without a seat": (
        changed(NOMADS_KBG, "sword:blue@f6", "sword:f6"),
        "line 8, column 14: expected the seat and the cell of its settlement",
    ),
    "sword in the air": (
        changed(NOMADS_KBG, "blue@f6", "blue@a1"),
        "line 8, column 14: turn 3: 'sword:blue@a1' is not possible: there is no settlement of",
    ),
    "stop for nothing": (
        changed(NOMADS_KBG, "d8\n", "d8 stop\n"),
        "line 8, column 37: turn 3: 'stop' is not possible: there is no action under way",
    ),
    "house within a city hall": (
        changed(MIXED_LINES[0], "blue=o2", "blue=d16,o2"),
        "expected one piece on d16, got a city hall of red and a house of blue (R4.1)",
    ),
    "figure on the sea": (
        changed(MIXED_LINES[0], "wagon=k12", "wagon=~a1"),
        "expected a hex of this board, got '~a1', where there is none (R1.1)",
    ),
    "choice of one card": (
        changed(MIXED_LINES[1], "grass:1,marsh_flower:1", "grass:1"),
        "expected several cards in 'hand' to choose from, got grass (R3.6)",
    ),
    "reaction of nobody": (
        changed(MIXED_LINES[3], "blue=o2/tiles=canoe@n2", "blue=a20"),
        "expected a seat with a ready canoe tile and a house, got 'red:blue' (R6.4)",
    ),
    "silos too many": (
        changed(MIXED_LINES[5], "silos=0", "silos=3"), "expected a number from 0 to 2 for 'silos'"
    ),
    "cave in the water": (
        changed(MIXED_FILE, "Caves: n11", "Caves: a11"),
        "line 4, column 8: expected a mountain of the board for a cave, got 'a11'",
    ),
    "no island of that name": (
        changed(MIXED_FILE, "kbai_rope_bridge", "atlantis"),
        "line 3, column 9: unknown island 'atlantis'",
    ),
    "scouts without a terrain": (
        changed(MIXED_FILE, "Scouted: desert\n", ""),
        "expected the terrain taken out for the card 'scouts'",
    ),
    "card of the terrain taken out": (
        changed(MIXED_FILE, "3 red flower", "3 red desert"),
        "line 14, column 7: turn 3: no desert card is left to turn up (R2.1)",
    ),
    "half without a choice": (
        changed(MIXED_FILE, "choose:marsh_flower/marsh ", ""),
        "line 13, column 22: turn 2: 'a4' is not possible: first choose the card, as in",
    ),
    "half of another card": (
        changed(MIXED_FILE, "marsh_flower/marsh", "marsh_flower/grass"),
        "the card marsh_flower shows marsh and flower, not grass (R3.6)",
    ),
    "reaction out of the blue": (
        changed(MIXED_FILE, "3 red flower: ", "3 red flower: pass:blue "),
        "line 14, column 15: turn 3: 'pass:blue' is not possible: nobody is asked to react now",
    ),
    "silo turn too early": (
        changed(MIXED_FILE, "3 red flower: a13 b13 c13", "3 red silo: silo:a1"),
        "line 14, column 7: turn 3: red has a card to turn up, got silo (R3.1)",
    ),
    "NUL": ("\0" * 50, "expected a position or a game, got"),
    "NUL in a name": (changed(LINE, "red=n16", "r\0d=n16"), "unknown key 'r\\x00d'"),
    "lone surrogate": ('{"turn\\ud800": 1}', "unknown key 'turn\\ud800'"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), FILES.values(), ids=FILES)
def test_a_bad_file_is_reported_in_one_line_with_its_name(text, sentence, tmp_path):
    path = tmp_path / "input"
    path.write_text(text, "utf-8")
    result = run("score", path)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {path}")
    assert result.stderr.count("\n") == 1
    assert sentence in result.stderr
    assert len(result.stderr) < 600 + len(str(path))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\xff\xfe\x00a", "line 1, column 1: expected text in UTF-8, got the byte 0xff"),
        (TOML.encode() + b"\n# J\xfcrgen", "line 12, column 4: expected text in UTF-8, got the"),
        (bytes(range(256)), "expected text in UTF-8"),
        (b"\x7fELF\x02\x01\x01", "expected a position or a game, got"),
        (TOML.encode("utf-16"), "expected text in UTF-8"),
    ],
    ids=["UTF-16 mark", "latin-1", "all bytes", "ELF", "UTF-16"],
)
def test_a_file_that_is_not_text_is_reported(command, data, sentence, tmp_path):
    path = tmp_path / "input"
    path.write_bytes(data)
    for source, name, piped in ((path, path, None), ("-", "stdin", data)):
        result = run(*command, source, data=piped)
        assert result.exit_code == 1
        assert result.stderr.startswith(f"Error: {name}, line ")
        assert sentence in result.stderr


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_file_that_cannot_be_opened_is_reported(command, tmp_path):
    missing = tmp_path / "missing.toml"
    for path, reason in ((missing, "No such file or directory"), (tmp_path, "Is a directory")):
        result = run(*command, path)
        assert result.exit_code == 1
        expected = "expected a file to read, '-' or a line 'kb1 ...'"
        assert result.stderr == f"Error: {expected}, got {str(path)!r}: {reason}.\n"
    assert run(*command, "a\0b").exit_code == 1
    assert run(*command, "").exit_code == 1


def test_an_endless_file_is_not_read_to_its_end():
    result = run("score", "/dev/zero")
    assert result.exit_code == 1
    assert "expected at most 8,000,000 bytes, got more" in result.stderr


def test_a_byte_order_mark_does_no_harm(tmp_path):
    for text in (TOML, LINE, KBG):
        path = tmp_path / "input"
        path.write_text(text, "utf-8-sig")
        assert run("convert", path).exit_code == 0


def test_a_bad_line_as_argument_is_reported():
    result = run("score", changed(LINE, "red=n16", "red=n61"))
    assert result.exit_code == 1
    assert result.stderr == "Error: line 1, column 75: expected a cell from a1 to t20, got 'n61'.\n"


# Mutations.


def samples():
    """Valid texts of all forms, from random games."""
    texts = [TOML, LINE, KBG, NOMADS_LINE, NOMADS_KBG, *MIXED_LINES, MIXED_FILE]
    for seed, start in random_starts(18):
        steps = busy_steps(start, seed)
        texts.append(format_game(record_game(start, steps[:60], header=[("Note", "x: y")])))
        current = start.copy()
        for number, step in enumerate(steps):
            if number % 50 == 20:
                texts += [format_position(current, spelling) for spelling in SPELLINGS]
            advance(current, step)
        texts.append(format_line(current))
    return texts


def mutate(generator, data, words):
    """Return a text with one or two random changes, and sometimes without its end."""
    data = bytearray(data)
    for _ in range(generator.choice((1, 1, 2))):
        start = generator.randrange(len(data) + 1)
        end = min(len(data), start + generator.choice((1, 1, 2, 5, 20, 100)))
        match generator.randrange(10):
            case 0 if start < len(data):
                data[start] ^= 1 << generator.randrange(8)
            case 1:
                del data[start:end]
            case 2:
                data[start:start] = data[start:end]
            case 3:
                data[start:end] = bytes(generator.randrange(256) for _ in range(end - start))
            case 4:
                lines = data.split(b"\n")
                generator.shuffle(lines)
                data = bytearray(b"\n".join(lines))
            case 5 | 6:
                # Two words for each other, or one for another: well-formed, seldom right.
                found = [match.span() for match in re.finditer(rb"[\w@]+", data)]
                first, second = (generator.choice(found or [(0, 0)]) for _ in range(2))
                data[slice(*first)] = data[slice(*second)]
            case 7:
                old = generator.choice(words)
                data = bytearray(data.replace(old, generator.choice(words), 1))
            case _:
                cells = [m.span() for m in re.finditer(rb"~?\b[a-t][1-9][0-9]?\b", data)]
                if cells:
                    cell = format_cell(generator.choice(BOARD_AND_ISLAND)).encode()
                    data[slice(*generator.choice(cells))] = cell
    return bytes(data[: generator.randrange(len(data) + 1)] if generator.random() < 0.05 else data)


def mutations(count, seed):
    """Iterate over changed texts; a byte that is no UTF-8 becomes a lone surrogate."""
    generator = random.Random(seed)
    texts = [text.encode() for text in samples()]
    special = b"\x00 - = \" ' { } [ ] [[ / , @ : # 99 -1 1e9 0x1 true nan \\u0000 \xc3\xa9 kb1 ..."
    words = [*special.split(), *re.findall(rb"[^\s,]+", b" ".join(texts[:20]))]
    for _ in range(count):
        yield mutate(generator, generator.choice(texts), words)


def check_round_trip(found):
    if isinstance(found, Game):
        text = format_game(found)
        again = parse_game(text)
        assert again == found
        assert format_game(again) == text
        return
    for spelling in SPELLINGS:
        text = format_position(found, spelling)
        again = parse_position(text)
        assert again == found
        assert format_position(again, spelling) == text


@pytest.mark.slow
def test_a_changed_text_is_read_or_refused_in_one_sentence():
    n_read = 0
    for data in mutations(5000, seed=1):
        text = data.decode("utf-8", "surrogateescape")
        try:
            found = read_any(text, file="f")
        except KbaiError as error:
            sentence = str(error)
            assert sentence.startswith("f")
            assert sentence.endswith(".")
            assert sentence.isprintable(), sentence
            assert len(sentence) < 1000
        else:
            n_read += 1
            check_round_trip(found)
    # Enough of both, or the mutations are too wild or too tame.
    assert 500 < n_read < 4500


def test_a_changed_file_ends_a_command_with_0_or_1(tmp_path):
    path = tmp_path / "input"
    for number, data in enumerate(mutations(120, seed=2)):
        path.write_bytes(data)
        result = run(*COMMANDS[number % len(COMMANDS)], path)
        assert result.exit_code in (0, 1), result.stderr
        assert bool(result.stdout) == (result.exit_code == 0)
        # Layouts that are not the printed ones are noted there, too.
        assert result.stderr.count("Error: ") == result.exit_code
        assert result.stderr.count("\n") <= 1


def test_too_little_memory_is_one_sentence(monkeypatch):
    def fail(*_args, **_options):
        raise MemoryError

    monkeypatch.setattr("kbai.cli.reading.read_any", fail)
    result = run("score", LINE)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: there is not enough memory to do this.\n"


@pytest.mark.parametrize(
    ("seats", "message"),
    [("", "got 0"), (",", "got 0"), ("red", "got 1"), ("red,red", "'red' twice")],
)
def test_seats_that_are_none_are_refused(seats, message):
    result = run("new", "--seed", 1, "--seats", seats)
    assert result.exit_code in (1, 2)
    assert message in result.stderr and "Traceback" not in result.stderr
