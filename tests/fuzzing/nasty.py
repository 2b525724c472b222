"""Inputs that once cost too much or ended in a traceback, and others like them."""

import json

from fuzzing.corpus import GAME, POSITION, QUADRANTS, QUERIES, Corpus
from fuzzing.mutations import with_plan_id

LINE = b"kb1 board=tavern,paddock,oasis*,farm cards=fishermen red=n16 blue=- turn=red card=flower"
OBJECT = (
    b'{"board": ["tavern", "paddock", "oasis*", "farm"], "cards": ["fishermen"], "turn": "red", '
    b'"card": "flower", "seat": {"red": {"settlements": %s}, "blue": {"settlements": []}}}'
)
HUGE = b"x" * 15_900_000
ESCAPE = b"\x1b[31mred\x1b]0;title\x07"
ESCAPED = b"\\u001b[31mred\\u001b]0;title\\u0007"


def nasty_inputs(corpus: Corpus) -> dict[str, tuple[bytes, ...]]:
    """Return the fixed inputs of each kind."""
    made = {
        "line": _lines(),
        "toml": _toml(POSITION),
        "json": _json(),
        "game": _games(),
        "log": _logs(corpus.inputs["log"][0]),
        "query": _queries(),
        "quadrants": (*_toml(QUADRANTS), *_quadrants()),
        "journal": _journals(corpus.inputs["journal"][0]),
        "cache": _journals(corpus.inputs["cache"][0]),
        "words": (b"x" * 100_000, ESCAPE, b"\x00", b"\xff", b"a\nb", b"9" * 5000, b"", b" ", b"*"),
    }
    return {kind: (*inputs, *_encodings(corpus, kind)) for kind, inputs in made.items()}


def _encodings(corpus: Corpus, kind: str) -> tuple[bytes, ...]:
    good = corpus.inputs[kind][0]
    return (
        b"", b"\n", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf" + good, good.replace(b"\n", b"\r\n"),
        good + b"\x00", b"\xff" + good, good.decode().encode("utf-16"), b" " * 1_000_000,
        b"\n" * 100_000, b"\r" * 100_000, b"x" * 1_000_000, HUGE, ESCAPE + b"\n" + good,
        good + b" " * 990_000,
    )  # fmt: skip


def _lines() -> tuple[bytes, ...]:
    return (
        LINE + b" " + b"x" * 100_000,
        LINE + b" x=1" * 50_000,
        LINE + b" " + ESCAPE + b"=1",
        LINE.replace(b"n16", b"n16," * 100_000),
        LINE.replace(b"n16", b"n16/" * 20_000),
        LINE.replace(b"n16", b"n16/gold=" + b"families:1," * 20_000),
        LINE.replace(b"n16", b"n16/supply=" + b"9" * 5000),
        LINE.replace(b"tavern", b"x" * 100_000),
        LINE + b" held=" + b"red+blue:grass:1/" * 10_000,
        LINE + b" options=" + b"canoe_self:true," * 10_000,
        LINE.replace(b"board=tavern,paddock,oasis*,farm", b"map=" + (b"G" * 20 + b"/") * 5_000),
        LINE.replace(b"board=tavern,paddock,oasis*,farm", b"map=" + b"G" * 100_000),
        b"kb1 " * 50_000,
        (LINE + b"\n") * 2_000,
        b"kb1",
        b"kb1 =",
        b"kb1 red= blue= turn= card=",
    )


def _toml(good: bytes) -> tuple[bytes, ...]:
    return (
        b"a." * 20_000 + b"a = 1\n",
        b"a." * 40_000 + b"a = 1\n",
        good + b"\n" + b"a." * 20_000 + b"a = 1\n",
        b"[" + b"a." * 20_000 + b"a]\n",
        b"a = {" + b"a." * 20_000 + b"a = 1}\n",
        b'"a" . ' * 10_000 + b"a = 1\n",
        b"a = " + b"[" * 490 + b"]" * 490 + b"\n",
        b"a = " + b"[" * 50_000 + b"]" * 50_000 + b"\n",
        b"a = " + b"{a = " * 490 + b"1" + b"}" * 490 + b"\n",
        b"a = " + b"{a = " * 5_000 + b"1" + b"}" * 5_000 + b"\n",
        b"".join(b"k%d = 1\n" % number for number in range(20_000)),
        b"".join(b"[t%d]\n" % number for number in range(20_000)),
        b"".join(b"[[t]]\na = 1\n" for _ in range(10_000)),
        good + b"board = 1\nboard = 2\n",
        b"turn = " + b"9" * 5_000 + b"\n" + good,
        b"turn = 1e999\n" + good.replace(b"turn ", b"x "),
        b"turn = nan\n" + good.replace(b"turn ", b"x "),
        b"turn = 1979-05-27T07:32:00Z\n" + good.replace(b"turn ", b"x "),
        b'turn = "' + ESCAPED + b'"\n' + good.replace(b"turn ", b"x "),
        b'"' + ESCAPED + b'" = 1\n' + good,
        b'turn = "' + b"x" * 100_000 + b'"\n' + good.replace(b"turn ", b"x "),
        b"x" * 100_000 + b" = 1\n" + good,
        b'turn = """' + b"\n" * 100_000,
        b"turn = '''" + b"x" * 100_000,
        good + b"# " + b"x" * 900_000,
        good.replace(b'"', b'"""'),
        b"seat = 1\n" + good,
        b"turn = \"\\ud800\"\n",
        b'a = "' + b"\\u0041" * 20_000 + b'"\n',
        b"a = " + b"-" * 100_000,
        b"a = 1" + b" " * 500_000 + b"x",
        b"a = [" + b"1," * 200_000 + b"]\n",
    )  # fmt: skip


def _json() -> tuple[bytes, ...]:
    deep = [b"[" * depth + b"]" * depth for depth in (490, 900, 5_000, 100_000)]
    keys = b", ".join(b'"k%d": 1' % number for number in range(80_000))
    values = (
        b"1e999", b"-1e999", b"NaN", b"Infinity", b"9" * 5_000, b"9" * 400 + b".5", b"null", b"{}",
        b'"' + ESCAPED + b'"', b'["' + ESCAPED + b'"]', b'["\\ud800"]', b'["\\u0000"]',
        b'["' + b"x" * 100_000 + b'"]', b"[" + b'"n16",' * 50_000 + b'"n16"]', b"[[[]]]", b"true",
    )  # fmt: skip
    return (
        *deep,
        *(OBJECT % value for value in (*deep, *values)),
        *(b'{"a":' * depth + b"1" + b"}" * depth for depth in (490, 900, 5_000, 50_000)),
        b'{"seat":' * 490 + b"1" + b"}" * 490,
        b"{%s}" % keys,
        b'{%s, "k0": 2}' % keys,
        b'{%s, "k79999": 2}' % keys,
        b'{"board": 1, "board": 2}',
        b'{"' + ESCAPED + b'": 1}',
        b'{"' + b"x" * 100_000 + b'": 1}',
        b"[" + b"1," * 300_000 + b"1]",
        b'{"a": "' + b"\\" * 99_999,
        b"1e999",
        b'"' + b"x" * 100_000 + b'"',
    )


def _games() -> tuple[bytes, ...]:
    turn = b"1 red grass: g8 h9 h10\n"
    return (
        GAME + turn * 20_000,
        GAME + b"6 blue grass: " + b"a1 " * 50_000 + b"\n",
        GAME + b"6 blue grass: " + b"x" * 100_000 + b"\n",
        GAME + b"6 blue grass: tavern:" + b"a1-" * 30_000 + b"\n",
        GAME + b"9" * 5_000 + b" blue grass: a1\n",
        GAME + b"6 blue " + b"grass+" * 20_000 + b": a1\n",
        GAME + b"6 blue " + ESCAPE + b": a1\n",
        GAME + b"6 blue grass: " + ESCAPE + b"\n",
        GAME + b"Result: red " + b"9" * 5_000 + b", blue 1\n",
        GAME + b"Result: " + b"red 1, " * 20_000 + b"\n",
        GAME + b"\n" * 500_000,
        GAME + b"# " + b"x" * 900_000 + b"\n",
        GAME.replace(b"Tuesday", ESCAPE),
        GAME.replace(b"Tuesday", b"x" * 100_000),
        GAME.replace(b"Tuesday", b"\x00\x07\x08\x7f\xc2\x9b31m\xe2\x80\xae"),
        GAME.replace(b"Ann, Ben", b"Ann, " * 20_000),
        GAME.replace(b"Ann, Ben", ESCAPE + b", Ben"),
        b"Event: x\n" * 20_000 + GAME,
        GAME.replace(b"tavern", b"tavern," * 20_000),
        GAME.replace(b"Seats: red,blue", b"Seats: " + b"red," * 20_000),
        GAME.replace(b"Event", b"x" * 100_000),
        GAME.replace(b"Event", ESCAPE),
        b"Board:\nCards:\nSeats:\n\n1 :",
        b"Board: " + b": " * 50_000,
        GAME[: GAME.index(b"1 red")],
    )


def _logs(good: bytes) -> tuple[bytes, ...]:
    deep = b"[" * 490 + b"]" * 490
    return (
        good.replace(b"player 1", ESCAPED),
        good.replace(b"player 1", b"x" * 100_000),
        good.replace(b'"move_id": 1', b'"move_id": 1e999'),
        good.replace(b'"move_id": 1', b'"move_id": ' + b"9" * 5_000),
        good.replace(b'"data": [', b'"data": %s, "more": [' % deep, 1),
        good.replace(b"4711", b"\\ud800"),
        good * 2,
        good[: len(good) // 2],
        b'{"status": 1, "data": {"logs": %s}}' % deep,
        b'{"status": 1, "data": {"logs": []}}',
        b'{"status": 1, "data": {"logs": [1]}}',
        b'{"status": 1, "data": {"logs": [{"data": [{"type": "x", "args": %s}]}]}}' % deep,
        b"[" + b'{"channel": "/table/t1", "data": []},' * 20_000 + b"{}]",
        b"<!DOCTYPE html><html><body>" + b"<ul>" * 100_000,
        b'<!DOCTYPE html><ul><li class="' + b"quadrant " * 50_000,
    )


def _queries() -> tuple[bytes, ...]:
    keys = b", ".join(b'"k%d": 1' % number for number in range(80_000))
    texts = [
        b'{"id": 1e999}', b'{"id": -1e999}', b'{"id": NaN}', b'{"id": ' + b"9" * 5_000 + b"}",
        b'{"id": ' + b"9" * 4_000 + b"}", b'{"id": "\\ud800"}', b'{"id": "' + ESCAPED + b'"}',
        b'{"id": "' + b"x" * 100_000 + b'"}', b'{"id": [1]}', b'{"id": 1, "id": 2}', b"{}", b"[]",
        b"{%s}" % keys, b'{%s, "k0": 2}' % keys, b'{%s, "k79999": 2}' % keys, b"1e999", b"nul",
        b'{"' + ESCAPED + b'": 1}', b'{"' + b"x" * 100_000 + b'": 1}', LINE,
        *(b"[" * depth + b"]" * depth for depth in (490, 900, 5_000, 100_000)),
        *(b'{"id":' * depth + b"1" + b"}" * depth for depth in (490, 900, 5_000, 50_000)),
        b'{"position": "' + b"x" * 100_000 + b'"}', b'{"game": "' + b"x" * 900_000 + b'"}',
        b'{"position": "' + b"a." * 20_000 + b'a = 1"}',
        b'{"position": "' + b"[" * 490 + b'"}',
        b'{"position": "' + (b"[" * 490 + b"]" * 490) + b'"}',
        b'{"position": "kb1 ' + ESCAPED + b'"}',
        *(b'{"position": %s}' % text for text in _json() if len(text) < 200_000),
        *(
            b'{"position": "%s", "visits": 2, "%s": %s}' % (LINE, key, value)
            for key in (b"top", b"seed", b"priority", b"seconds", b"allow", b"avoid", b"include",
                        b"turns", b"reveal", b"id")
            for value in (b"1e999", b"-1", b"9" * 400, b"9" * 5000, b"null", b"[[]]", b"{}",
                          b'["' + b"x" * 100_000 + b'"]', b'["' + ESCAPED + b'"]', b'"\\ud800"',
                          b"[" + b'"a1",' * 900 + b'"a1"]', b"[" * 490 + b"]" * 490, b'["red : "]',
                          b'[""]', b'["1"]', b'["1 red"]', b'["end"]', b'[" "]')
        ),
    ]  # fmt: skip
    lines = [b"\n".join(texts[start : start + 5]) + b"\n" for start in range(0, len(texts), 5)]
    return (*lines, b"\n" * 100_000 + QUERIES, QUERIES.replace(b"\n", b"\r\n"), b"{}\n" * 2_000)


def _quadrants() -> tuple[bytes, ...]:
    return (
        QUADRANTS * 2_000,
        QUADRANTS.replace(b"G G G G", b"G " * 100_000),
        QUADRANTS.replace(b"G G G G", b"G G G G\n" * 10_000),
        QUADRANTS.replace(b"valley", b"v" * 100_000),
        QUADRANTS.replace(b"valley", ESCAPED),
        QUADRANTS.replace(b"canoe@c4", ESCAPED),
        QUADRANTS.replace(b"canoe@c4", b"canoe@c" + b"9" * 5_000),
        QUADRANTS.replace(b'"canoe@c4"', b'"canoe@c4",' * 50_000),
        QUADRANTS.replace(b"castles = 1", b"castles = " + b"9" * 4_000),
        QUADRANTS.replace(b"castles = 1", b"castles = 1e999"),
        QUADRANTS.replace(b"castles = 1", b"castles = []"),
        QUADRANTS.replace(b'set = "own"', b"set = []"),
        QUADRANTS.replace(b'set = "own"', b'set = "' + ESCAPED + b'"'),
        QUADRANTS.replace(b"official = false", b"official = 1979-05-27"),
        QUADRANTS.replace(b"[[quadrant]]", b"[quadrant]"),
        QUADRANTS.replace(b"G G G G", b"\\u001b[31m"),
        b"quadrant = 1\n",
        b"quadrant = [1]\n",
        b"quadrant = [[]]\n",
        b"island = {}\n",
    )


def _journals(good: bytes) -> tuple[bytes, ...]:
    header, first, *rest = good.splitlines(keepends=True)
    plan = json.loads(header)
    found = []
    for key, value in (
        ("bots", ["greedy"] * 80), ("bots", []), ("bots", 1), ("bots", [[]]),
        ("bots", ["\x1b[31m", "random"]),
        ("bots", ["x" * 100_000, "random"]), ("seats", 5), ("seats", 10**9), ("seats", "2"),
        ("groups", 10**18), ("groups", -1), ("groups", "x"), ("groups", 1.5), ("seed", None),
        ("seed", 10**400), ("seed", []), ("kind", "round_robin"), ("kind", 1), ("kind", "gauntlet"),
        ("focus", []), ("sets", 1), ("sets", ["x"]), ("sets", [[]]), ("board", ["x"]),
        ("board", 1), ("cards", [1]), ("options", {}), ("options", [1]), ("options", [["a", 1]]),
        ("max_steps", -1), ("max_steps", "x"), ("quadrants", []), ("x", 1), ("cards", ["\x1b[31m"]),
    ):  # fmt: skip
        changed = plan | {"plan": plan["plan"] | {key: value}}
        found.append(with_plan_id(json.dumps(changed).encode()) + b"\n" + first + b"".join(rest))
    for wide in (
        {"bots": ["greedy"] * 80, "seats": 5, "kind": "round_robin"},
        {"bots": ["greedy"] * 3000, "seats": 2, "kind": "round_robin"},
        {"bots": ["greedy"] * 80, "seats": 5, "kind": "gauntlet", "focus": "greedy"},
    ):
        changed = plan | {"plan": plan["plan"] | wide}
        found.append(with_plan_id(json.dumps(changed).encode()) + b"\n" + first)
    deep = b"[" * 490 + b"]" * 490
    return (
        *found,
        header,
        header[:-1],
        header[:30],
        header + first[:-1],
        header + first[: len(first) // 2],
        header + first * 2 + b"".join(rest),
        header + first[: len(first) // 2] + b"\n" + b"".join(rest),
        header + b"\n" + first,
        header * 2 + first,
        first + header,
        header + deep + b"\n" + first,
        header + b'{"id":"x","payload":%s}\n' % deep + first,
        header + b'{"id":"x","payload":{}}\n' + first,
        header + b'{"id":1,"payload":{}}\n' + first,
        header + b'{"id":"' + ESCAPED + b'","payload":{}}\n' + first,
        header + b'{"id":"x","payload":{"game":"' + ESCAPED + b'"}}\n' + first,
        header + b"x" * 1_000_000 + b"\n" + first,
        header + (b"{}\n" * 100_000),
        header.replace(b'"format":1', b'"format":2') + first,
        header.replace(b'"format":1', b'"format":"' + ESCAPED + b'"') + first,
        header.replace(b'"format":1', b'"format":1e999') + first,
        header.replace(b'"plan":', b'"plan":1,"x":') + first,
        header + first.replace(b"[", b"[[", 1) + b"".join(rest),
        header + first.replace(b'"gold":[', b'"gold":[1e999,') + b"".join(rest),
        header + first.replace(b'"gold":[', b'"gold":[NaN,') + b"".join(rest),
        header + first.replace(b'"gold":[', b'"gold":[' + b"9" * 5_000 + b",") + b"".join(rest),
        b'{"format":' + b"x" * 900_000,
    )
