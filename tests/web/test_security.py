"""Requests that are refused: other hosts and origins, too large, malformed, unknown."""

import json
import random

import pytest

from kbai.web.security import MAX_BODY, MAX_REQUESTS, Guard

START = (
    "kb1 board=tavern,paddock,oasis,farm cards=fishermen,knights,merchants red=- blue=- "
    "turn=red card=flower"
)


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "evil.example:8000"},
        {"host": "127.0.0.1.evil.example"},
        {"host": ""},
        {"host": "192.168.1.7:8000"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1:8000"},
        {"origin": "http://127.0.0.1:9000"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
    ids=str,
)
def test_other_hosts_and_origins_are_refused(client, headers):
    for answer in (
        client.get("/", headers=headers),
        client.post("/api/view", {"position": START}, headers=headers),
    ):
        assert answer.status == 403
        assert answer.sentence.startswith("expected a request ")


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "localhost"])
def test_this_machine_may_be_called_by_its_names(client, host):
    headers = {"host": host, "origin": f"http://{host}"}
    assert client.post("/api/view", {"position": START}, headers=headers).status == 200


def test_a_server_for_others_is_called_by_address_not_by_any_name():
    guard = Guard("0.0.0.0")
    assert guard.is_ours("192.168.1.7:8000")
    assert guard.is_ours("[fe80::1]:8000")
    assert not guard.is_ours("evil.example:8000")


def test_a_body_that_is_too_large_is_refused_before_and_while_it_is_read(client):
    answer = client.post("/api/edit", b"{}", headers={"content-length": str(MAX_BODY + 1)})
    assert answer.status == 413 and "at most" in answer.sentence
    large = json.dumps({"position": "x" * 1_100_000}).encode()
    answer = client.post("/api/view", large, headers={"content-length": "10"})
    assert answer.status == 413


def test_a_body_must_say_that_it_is_json(client):
    answer = client.post("/api/view", b"{}", headers={"content-type": "text/plain"})
    assert answer.status == 415


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/static/../app.py", "/static/%2e%2e/app.py", "/static/nothing.js", "/etc/passwd",
     "/api/games/../../etc/passwd", "/api/games/..%2f..%2fx", "/api/games/0123456789abcdef"],
)  # fmt: skip
def test_addresses_that_lead_nowhere_get_a_sentence(client, path):
    answer = client.get(path)
    assert answer.status == 404
    assert answer.sentence


def test_names_of_files_from_outside_never_reach_the_disk(client, folder):
    body = {"do": "undo"}
    for id in ("../evil", "..", "x" * 16, "0123456789ABCDEF", "a/b", "%00", "é" * 16):
        assert client.post(f"/api/games/{id}", body).status == 404
    assert not folder.exists()


def test_an_address_that_is_too_long_is_refused(client):
    assert client.get("/" + "x" * 300).status == 414


def test_too_many_requests_at_once_are_refused(client):
    body = {"position": START}
    count = MAX_REQUESTS + 10
    answers = client.together(*(client.send("POST", "/api/view", body) for _ in range(count)))
    assert {answer.status for answer in answers} <= {200, 503}


def mutated(seeds, rng):
    """Yield a request that was changed at random: its bytes, its values, or its keys."""
    path, body = rng.choice(seeds)
    kind = rng.randrange(4)
    if kind == 0:
        data = bytearray(json.dumps(body).encode())
        for _ in range(rng.randrange(1, 6)):
            place = rng.randrange(len(data))
            data[place : place + rng.randrange(3)] = bytes(rng.randrange(256) for _ in range(2))
        return path, bytes(data)
    values = [None, True, -1, 10**30, 1.5, "", "x" * 300, [], {}, [[]], "kb1", "=flower", "\x00",
              "kb1 board=", {"red": 3}, ["c7"], float("inf")]  # fmt: skip
    body = json.loads(json.dumps(body))
    target = body
    while isinstance(target, dict) and target:
        key = rng.choice([*target])
        if isinstance(target[key], dict) and rng.random() < 0.7:
            target = target[key]
            continue
        if kind == 1:
            del target[key]
        elif kind == 2:
            target[key] = rng.choice(values)
        else:
            text = str(target[key])
            place = rng.randrange(len(text) + 1)
            target[key] = text[:place] + rng.choice("=@:,-~ kz9\n") + text[place + 1 :]
        break
    return path, json.dumps(body).encode()


def request_seeds(id):
    """Return a request of every kind."""
    data = {
        "board": ["tavern", "paddock", "oasis", "farm"],
        "cards": ["fishermen", "scouts"],
        "scouted": "grass",
        "turn": "red",
        "card": "flower",
        "walls": ["a1"],
        "discard": {"canyon": 2},
        "options": {"canoe_self": "true"},
        "seat": {"red": {"settlements": ["n16", "o15"], "tiles": ["farm@m16"]},
                 "blue": {"settlements": ["b6"]}},
    }  # fmt: skip
    game = f"/api/games/{id}"
    return [
        ("/api/scene", {"position": START}),
        ("/api/view", {"position": START, "actions": ["n16", "o15"]}),
        ("/api/edit", {"data": data}),
        ("/api/edit", {"data": data, "lay_out": True, "sets": ["base", "nomads", "caves"]}),
        ("/api/edit", {"text": START}),
        ("/api/random", {"sets": ["base", "island"], "seats": ["red", "blue"], "seed": 4}),
        ("/api/why", {"position": START, "action": "c6"}),
        ("/api/suggest", {"position": START, "seconds": 0.001, "mine": ["n16", "o15", "o17"]}),
        ("/api/games", {"text": START, "players": ["", "greedy"], "told": False}),
        (game, {"do": "act", "action": "n16"}),
        (game, {"do": "play", "actions": ["o15", "o17", "end"]}),
        (game, {"do": "card", "card": "flower", "random": False}),
        (game, {"do": "undo"}),
        (game, {"do": "go", "node": -1}),
        (game, {"do": "promote"}),
        (game, {"do": "players", "players": ["", ""], "told": True}),
        (f"{game}/review", {"depth": "none"}),
    ]


def test_mutated_requests_get_an_answer_or_a_sentence(client):
    game = client.post("/api/games", {"text": START}).json()
    seeds = request_seeds(game["id"])
    for path, body in seeds[:-1]:
        assert client.post(path, body, leave_after=1).status == 200, (path, body)
    rng = random.Random(19)
    for _ in range(400):
        path, data = mutated(seeds, rng)
        answer = client.post(path, data, leave_after=1)
        assert answer.status in (200, 400, 404, 413), (path, data, answer.body)
        if answer.status != 200:
            assert answer.sentence.endswith((".", "?", ")")), (path, data, answer.body)


def with_settlements(cells):
    seats = {"red": {"settlements": cells}, "blue": {"settlements": []}}
    board = ["tavern", "paddock", "oasis", "farm"]
    return {"board": board, "cards": ["lords"], "turn": "red", "card": "flower", "seat": seats}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/edit", {"data": with_settlements(json.loads("[" * 700 + "]" * 700))}),
        ("/api/edit", {"data": with_settlements(["\ud800"])}),
        ("/api/edit", {"text": json.dumps(with_settlements(["\ud800"]))}),
        ("/api/games", {"text": f"{START} \ud800"}),
    ],
    ids=["deep", "half a character", "half a character in JSON", "half a character in a line"],
)
def test_what_cannot_be_copied_or_written_down_gets_a_sentence(client, path, body):
    answer = client.post(path, json.dumps(body).encode())
    assert answer.status in (200, 400)
    problems = answer.json().get("problems") or [answer.json()["error"]]
    assert all(problem["message"].endswith((".", ")")) for problem in problems)
