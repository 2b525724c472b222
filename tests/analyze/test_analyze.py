"""Queries and answers: what can be asked, what comes out, and in which order."""

import io
import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest
from places import DOCS
from positions import FIRST_GAME, GAME_TEXT, START, random_positions

from kbai.analyze import queries
from kbai.analyze.answers import Settings, answer, answer_bundle
from kbai.analyze.queries import Defaults
from kbai.analyze.scheduler import FAR, NEAR
from kbai.analyze.service import analyze
from kbai.compute.pools import Pool, threads
from kbai.notation.games import parse_game
from kbai.notation.positions import format_json, format_line, format_toml, parse_position
from kbai.report.suggestion_json import suggestion_dict
from kbai.search.params import Limit, SearchParams
from kbai.search.suggest import suggest

SETTINGS = Settings(Defaults(Limit(60), seed=7, top=3), SearchParams())
PAGE = (DOCS / "analysis.md").read_text("utf-8")


def ask_lines(lines, *, workers=1, settings=SETTINGS, **options):
    """Return the answers to lines, and the summary."""
    written = []
    text = b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)
    summary = analyze(io.BytesIO(text).read, written.append, settings, threads(workers), **options)
    return [json.loads(line) for line in b"".join(written).splitlines()], summary


def ask(**query):
    """Return the answers to one query."""
    return ask_lines([json.dumps(query)])[0]


def ask_one(**query):
    (found,) = ask(**query)
    return found


def test_an_answer_is_that_of_suggest():
    found = ask_one(id="a", position=START)
    expected = suggestion_dict(suggest(parse_position(START), Limit(60), seed=7, top=3))
    assert found == {"id": "a"} | expected
    found = ask_one(id=2, position=START, visits=90, seed=11, top=1)
    expected = suggestion_dict(suggest(parse_position(START), Limit(90), seed=11, top=1))
    assert found == {"id": 2} | expected


def test_random_positions_are_answered_as_suggest_does():
    positions = list(random_positions(9, share=0.02))
    found, summary = ask_lines([
        json.dumps({"id": number, "position": format_line(position), "visits": 10})
        for number, position in enumerate(positions)
    ])  # fmt: skip
    assert summary.failed == 0
    for each, position in zip(found, positions, strict=True):
        expected = suggestion_dict(suggest(position, Limit(10), seed=7, top=3))
        assert each == {"id": each["id"]} | expected


def test_every_spelling_of_a_position_will_do():
    position = parse_position(START)
    line = ask_one(position=START)
    assert ask_one(position=format_toml(position)) == line
    assert ask_one(position=format_json(position)) == line
    assert ask_one(position=json.loads(format_json(position))) == line


def test_a_limit_of_seconds_ends_a_search():
    found = ask_one(position=START, seconds=0.01)
    assert 0 < found["visits"] < 100_000


def test_a_game_has_an_answer_for_each_turn():
    answers = ask(id="g", game=GAME_TEXT)
    assert [(a["id"], a["turn"], a["seat"]) for a in answers] == [("g", 1, "red"), ("g", 2, "blue")]
    assert [turn["card"] for turn in answers[1]["turns"]] == ["canyon"] * 3
    assert [a["turn"] for a in ask(game=GAME_TEXT, turns=[2, 1])] == [2, 1]
    (after,) = ask(game=GAME_TEXT, turns=[3])
    assert len(after["turns"]) == 5 and "hidden" in after["position"]
    assert [a["turn"] for a in ask(game=GAME_TEXT.partition("\n\n")[0])] == [1]


def test_a_card_that_is_not_revealed_can_be_any():
    found = ask_one(game=GAME_TEXT, turns=[2], reveal=False)
    expected = suggest(parse_game(GAME_TEXT).position_before(2), Limit(60), seed=7, top=3)
    assert found == {"id": None, "turn": 2} | suggestion_dict(expected)
    assert len(found["turns"]) == 5


@pytest.mark.parametrize("turn", ["n16 o15", ["n16", "o15"], "red flower: n16 o15 ...",
                                  "1 Red flower: N16, o15"], ids=str)  # fmt: skip
def test_turns_that_are_allowed_begin_so(turn):
    found = ask_one(position=START, allow=[turn])
    assert {tuple(turn["actions"][:2]) for turn in found["turns"]} == {("n16", "o15")}


def test_the_very_turn_and_nothing_else():
    (turn,) = ask_one(position=START, allow=["n16 o15 p15 end"])["turns"]
    assert (turn["actions"], turn["finished"]) == (["n16", "o15", "p15"], True)


def test_what_was_answered_can_be_avoided():
    first = ask_one(position=START)["turns"][0]["actions"]
    for avoid in (first, " ".join(first), f"red flower: {' '.join(first)} end"):
        found = ask_one(position=START, avoid=[avoid], visits=300, top=50)
        assert all(set(turn["actions"]) != set(first) for turn in found["turns"])


def test_the_parts_are_those_asked_for():
    bare = ask_one(position=START, include=[])
    assert list(bare["turns"][0]["seats"]["red"]) == ["gold", "margin"]
    assert "line" not in bare["turns"][0] and "ownership" not in bare
    full = ask_one(position=START, include=["win", "sources", "line", "ownership"])
    usual = ask_one(position=START)
    held = full.pop("ownership")
    assert full == usual
    assert list(held) == ["red", "blue"] and 30 < sum(held["red"].values()) < 40.01
    assert all(re.fullmatch(r"[a-t]\d+", cell) for cell in held["blue"])


def test_a_game_that_is_over_has_an_answer_without_turns():
    over = parse_position(START)
    over.playout(3)
    found = ask_one(position=format_line(over), include=["ownership"])
    assert (found["turns"], found["seat"], found["visits"]) == ([], None, 0)
    assert found["ownership"] == {"red": {}, "blue": {}}


LAST_KEY_TWICE = json.dumps(
    dict.fromkeys((f"k{i}" for i in range(80_000)), 1), separators=(",", ":")
).encode()
LAST_KEY_TWICE = LAST_KEY_TWICE[:-1] + b', "k79999": 1}'
BAD = {
    "no-json": (b"position", None, "expected a JSON object"),
    "half": (b'{"id": 1', None, "expected a JSON object"),
    "list": (b"[1]", None, "expected a JSON object, got"),
    "no-text": (b'{"id": "\xff"}', None, "UTF-8, got the byte 0xff at 9"),
    "nan": (b'{"seconds": NaN}', None, "NaN"),
    "twice": (b'{"id": 1, "id": 2}', None, "'id' occurs twice"),
    "last-twice": (LAST_KEY_TWICE, None, "'k79999' occurs twice"),
    "long-key": (b'{"' + b"x" * 100_000 + b'": 1}', "x" * 200, "unknown key 'xxxx"),
    "deep": (b"[" * 100_000, None, "expected a JSON object"),
    "long": (b" " * 1_000_001 + b"{}", None, "at most 1,000,000 bytes"),
    "huge-number": (b'{"seed": ' + b"9" * 5000 + b"}", None, "expected a JSON object"),
    "empty": ({}, "position", "'position' or 'game', got neither"),
    "both": ({"position": START, "game": GAME_TEXT}, "position", "got both"),
    "unknown": ({"position": START, "vists": 1}, "vists", "did you mean 'visits'?"),
    "id": ({"id": [1], "position": START}, "id", "a text or a number"),
    "position": ({"position": "kb1 board=x"}, "position", "line 1"),
    "position-type": ({"position": 7}, "position", "a text or an object"),
    "object": ({"position": {"seat": {"red": {"color": 1}}}}, "position.seat.red.color", "key"),
    "a-game": ({"position": GAME_TEXT}, "position", "its key is 'game'"),
    "game": ({"game": GAME_TEXT.replace("o15", "a1")}, "game", "line 5, column 19"),
    "game-type": ({"game": 1}, "game", "text of a game file"),
    "a-position": ({"game": START}, "game", "got a position"),
    "turns": ({"game": GAME_TEXT, "turns": [4]}, "turns", "from 1 to 3 for 'turns', got 4"),
    "no-turns": ({"game": GAME_TEXT, "turns": []}, "turns", "a list of turns"),
    "turns-alone": ({"position": START, "turns": [1]}, "turns", "with a game"),
    "reveal": ({"game": GAME_TEXT, "reveal": 1}, "reveal", "true or false"),
    "visits": ({"position": START, "visits": 0}, "visits", "from 1 to"),
    "visits-type": ({"position": START, "visits": True}, "visits", "got True"),
    "seconds": ({"position": START, "seconds": 0}, "seconds", "more than 0"),
    "top": ({"position": START, "top": 101}, "top", "from 1 to 100"),
    "seed": ({"position": START, "seed": 1.5}, "seed", "a whole number"),
    "priority": ({"position": START, "priority": "high"}, "priority", "a number from"),
    "include": ({"position": START, "include": ["owner"]}, "include", "'ownership'"),
    "include-type": ({"position": START, "include": "win"}, "include", "a list"),
    "allow": ({"position": START, "allow": ["a1 a1"]}, "allow", "a1"),
    "allow-empty": ({"position": START, "allow": [" "]}, "allow", "a turn like"),
    "allow-type": ({"position": START, "allow": "n16"}, "allow", "a list"),
    "allow-seat": ({"position": START, "allow": ["blue flower: n16"]}, "allow", "a turn of red"),
    "allow-card": ({"position": START, "allow": ["red grass: n16"]}, "allow", "the card flower"),
    "avoid-part": ({"position": START, "avoid": ["n16 o15"]}, "avoid", "whole turn"),
    "avoid-more": ({"position": START, "avoid": ["n16 o15 ..."]}, "avoid", "whole turn"),
    "no-turn": ({"position": START, "allow": ["n16 o15 p15 end"], "avoid": ["p15 o15 n16"]},
                "avoid", "allowed"),
    "hidden": ({"game": GAME_TEXT, "turns": [3], "allow": ["a1"]}, "allow", "known card"),
}  # fmt: skip


@pytest.mark.parametrize("line, field, words", BAD.values(), ids=BAD)
def test_a_bad_line_is_answered_with_the_field_to_blame(line, field, words):
    bad = json.dumps({"id": "x", **line}).encode() if isinstance(line, dict) else line
    good = json.dumps({"id": "good", "position": START, "visits": 1})
    answers, summary = ask_lines([good, bad, good])
    assert [a["id"] for a in (answers[0], answers[2])] == ["good", "good"]
    assert "error" not in answers[0] and "error" not in answers[2]
    error = answers[1]["error"]
    assert (error["field"], error["line"]) == (field, 2)
    assert words in error["message"] and error["message"].endswith(".")
    assert answers[1]["id"] == ("x" if isinstance(line, dict) and line.get("id") is None else None)
    assert (summary.lines, summary.failed) == (3, 1)


def test_blank_lines_are_no_queries():
    answers, summary = ask_lines(["", "  ", json.dumps({"position": START}), "\r"])
    assert len(answers) == 1 and (summary.lines, summary.failed) == (1, 0)


def mixed_lines(number):
    """Queries that take more and less time, some of them bad."""
    kinds = (
        {"position": START, "visits": 300}, {"position": START, "visits": 1}, {"visits": 1},
        {"game": GAME_TEXT, "visits": 5},
    )  # fmt: skip
    return [json.dumps({"id": i} | kinds[i % len(kinds)]) for i in range(number)]


@pytest.mark.parametrize("workers", [1, 3])
def test_answers_come_in_order_and_do_not_depend_on_the_workers(workers):
    lines = mixed_lines(20)
    answers, summary = ask_lines(lines, workers=workers)
    alone = [answer for line in lines for answer in ask(**json.loads(line))]
    for one, other in zip(answers, alone, strict=True):
        if "error" in one:
            one["error"]["line"] = other["error"]["line"] = 0
        assert one == other
    assert (summary.lines, summary.failed) == (20, 5)


def test_unordered_answers_are_the_same_ones():
    lines = mixed_lines(20)
    ordered, _ = ask_lines(lines)
    mixed, _ = ask_lines(lines, workers=3, in_order=False)
    assert sorted(map(str, mixed)) == sorted(map(str, ordered))


class Feed:
    """An input that gives a line when it is told to, as a pipe does."""

    def __init__(self):
        self.lines, self.more = [], threading.Condition()

    def put(self, *lines):
        with self.more:
            self.lines += [line.encode() + b"\n" if line else b"" for line in lines]
            self.more.notify()

    def read(self, size):
        with self.more:
            self.more.wait_for(lambda: self.lines)
            return self.lines.pop(0)


def test_an_answer_does_not_wait_for_the_next_query():
    feed, written = Feed(), []

    def write(text):
        written.append(json.loads(text))
        # Whoever asks waits for the answer first.
        feed.put(json.dumps({"id": len(written), "position": START}) if len(written) < 3 else "")

    feed.put(json.dumps({"id": 0, "position": START}))
    analyze(feed.read, write, SETTINGS, threads(2))
    assert [answer["id"] for answer in written] == [0, 1, 2]


def test_what_is_urgent_is_taken_first():
    lines = [json.dumps({"id": i, "position": START, "priority": i % 3}) for i in range(9)]
    source, is_read, order = io.BytesIO("\n".join(lines).encode()), threading.Event(), []

    def read(size):
        data = source.read(size)
        if not data:
            is_read.set()
        return data

    def write(text):
        assert is_read.wait(60)
        order.extend(json.loads(line)["id"] for line in text.splitlines())

    analyze(read, write, SETTINGS, threads(1), in_order=False)
    # A few are under way before the others are there.
    rest = [number % 3 for number in order[4:]]
    assert rest == sorted(rest, reverse=True) and set(order) == set(range(9))


def test_little_is_read_ahead_and_little_is_held_back():
    pace = replace(NEAR, lines=20, held=4)
    n_read, n_written, ahead = 0, 0, []
    line = json.dumps({"position": "?"}).encode() + b"\n"
    slow = json.dumps({"position": START, "visits": 20_000}).encode() + b"\n"

    def read(size):
        nonlocal n_read
        n_read += 1
        return b"" if n_read > 200 else slow if n_read == 1 else line

    def write(text):
        nonlocal n_written
        n_written += text.count(b"\n")
        ahead.append(n_read - n_written)

    summary = analyze(read, write, SETTINGS, threads(2), pace=pace)
    assert (summary.lines, summary.failed, n_written) == (200, 199, 200)
    assert max(ahead) <= 22


def test_what_breaks_a_worker_costs_the_others_nothing(monkeypatch):
    def breaking(question, settings):
        if b"bad" in question.line:
            raise MemoryError("no more")
        return answer(question, settings)

    monkeypatch.setattr("kbai.analyze.answers.answer", breaking)
    lines = [json.dumps({"id": "bad" if i == 40 else i, "position": START, "visits": 1})
             for i in range(80)]  # fmt: skip
    answers, summary = ask_lines(lines, workers=2)
    assert (summary.lines, summary.failed) == (80, 1)
    assert [a["id"] for a in answers] == [*range(40), "bad", *range(41, 80)]
    error = answers[40]["error"]
    assert error == {"field": None, "message": "MemoryError: no more.", "line": 41}


def test_a_slow_line_holds_up_no_other(monkeypatch):
    lines = [json.dumps({"id": i, "position": START, "visits": 1}) for i in range(80)]
    sizes = []
    monkeypatch.setattr(
        "kbai.analyze.service.answer_bundle",
        lambda task: sizes.append(len(task.questions)) or answer_bundle(task),
    )
    answers, _ = ask_lines(lines, pace=replace(NEAR, seconds=0.0))
    assert [a["id"] for a in answers] == [*range(80)]
    assert max(sizes) == NEAR.bundle and len(sizes) == 80


def test_workers_far_away_get_few_large_bundles(monkeypatch):
    sizes = []
    monkeypatch.setattr(
        "kbai.analyze.service.answer_bundle",
        lambda task: sizes.append(len(task.questions)) or answer_bundle(task),
    )

    @contextmanager
    def far():
        with ThreadPoolExecutor(1) as executor:
            yield Pool(executor, 256, executor.shutdown)

    lines = b'{"position": "?"}\n' * 640
    summary = analyze(io.BytesIO(lines).read, lambda text: None, SETTINGS, far,
                      pace=replace(FAR, seconds=60))  # fmt: skip
    assert summary.lines == sum(sizes) == 640
    assert max(sizes) == FAR.bundle and len(sizes) <= 60


@pytest.mark.parametrize(("query", "times"), [
    ({"position": START}, 1),
    ({"position": START, "wrong": 1}, 1),
    ({"position": START, "priority": 1}, 2),  # read for its priority, then answered
    ({"game": GAME_TEXT, "priority": 1}, 2),  # two turns, two answers
])  # fmt: skip
def test_a_line_is_decoded_once_by_who_reads_and_once_by_who_answers(monkeypatch, query, times):
    decoded = []

    class Counting(json.JSONDecoder):
        def decode(self, text):
            decoded.append(text)
            return super().decode(text)

    monkeypatch.setattr(queries, "_DECODER", Counting())
    # The seed makes it another line than those of other tests, which may be remembered.
    line = json.dumps({**query, "visits": 2, "seed": 77})
    ask_lines([line])
    assert decoded == [line] * times


def test_an_input_that_breaks_is_an_error():
    def read(size):
        raise OSError("broken")

    with pytest.raises(OSError, match="broken"):
        analyze(read, lambda text: None, SETTINGS, threads(1))


def test_an_output_that_is_closed_ends_it():
    before = threading.active_count()

    def write(text):
        raise BrokenPipeError

    lines = "\n".join(mixed_lines(1000)).encode()
    with pytest.raises(BrokenPipeError):
        analyze(io.BytesIO(lines).read, write, SETTINGS, threads(2))
    deadline = time.monotonic() + 60
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before


def table_keys(heading):
    """Return the keys of the tables below a heading of docs/analysis.md, table by table."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    tables = re.split(r"^\| key \| value \|\n", section, flags=re.M)[1:]
    return [
        re.findall("`(.*?)`", " ".join(re.findall(r"^\| (`.*?) \| ", table, re.M)))
        for table in tables
    ]


def test_the_documentation_has_every_key_and_no_other():
    assert table_keys("A query") == [list(queries.KEYS)]
    (answer,) = ask(game=GAME_TEXT, turns=[1], include=list(queries.PARTS))
    (bad,) = ask(game=GAME_TEXT, turns=[9])
    head, error, about = table_keys("An answer")
    assert [key for key in head if key in bad] + error == list(bad) == ["id", "error"]
    assert about == list(bad["error"])
    (suggestion,) = table_keys("A suggestion")
    assert sorted([*head, *suggestion]) == sorted(answer)
    (turn,) = table_keys("A turn")
    assert turn == list(answer["turns"][0])
    rest = "red=b7,a6,a5,n16,o15,o17/supply=20 blue=b2,b3,c3,d3/supply=20 turn=red card=grass"
    busy = ask_one(position=f"{FIRST_GAME} {rest}", visits=3000)
    variants = [variant for each in busy["turns"] for variant in each["variants"]]
    assert table_keys("A variant") == [list(variants[0])]
    seat, estimate = table_keys("A seat")
    assert seat == list(answer["turns"][0]["seats"]["red"])
    assert estimate == list(answer["turns"][0]["seats"]["red"]["win"])
    why, part = table_keys("Why")
    assert why == list(answer["why"])
    assert part == list(answer["why"]["parts"][0])
    for part in queries.PARTS:
        assert f"`{part}`" in PAGE
