"""The requests of the page: positions, set-ups, games, suggestions, reviews."""

import itertools
import tomllib
from fnmatch import fnmatch
from types import SimpleNamespace

import pytest
from places import ROOT

from kbai.compute.cache import Cache
from kbai.notation.games import parse_game
from kbai.web.catalogue import DEMO

FIRST = "kb1 board=tavern,paddock,oasis,farm cards=fishermen,knights,merchants red=- blue=-"
START = f"{FIRST} turn=red card=flower"
HIDDEN = f"{FIRST} turn=red card=hidden"
TURN = ["n16", "o15", "o17"]
DATA = {
    "board": ["tavern", "paddock", "oasis", "farm"],
    "cards": ["fishermen", "knights", "merchants"],
    "turn": "red",
    "card": "flower",
    "seat": {"red": {"settlements": []}, "blue": {"settlements": []}},
}


def new_game(client, text=START, **options):
    answer = client.post("/api/games", {"text": text, **options})
    assert answer.status == 200, answer.body
    return answer.json()


def do(client, game, **body):
    return client.post(f"/api/games/{game['id']}", body)


# The page.


def test_the_page_and_its_files_are_served_with_their_types(client):
    page = client.get("/")
    assert page.status == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for name, kind in (("main.js", "text/javascript"), ("style.css", "text/css")):
        assert client.get(f"/static/{name}").headers["content-type"].startswith(kind)
        assert f"/static/{name}" in page.body.decode()


def test_the_page_has_no_inline_scripts_or_styles(client):
    text = client.get("/").body.decode()
    assert "<style" not in text and " style=" not in text and " onclick=" not in text
    assert "<script>" not in text and "http://" not in text.replace(
        "http://www.w3.org/2000/svg", ""
    )


def test_every_script_imports_only_files_that_are_there(client):
    names = ["main.js"]
    for name in names:
        answer = client.get(f"/static/{name}")
        assert answer.status == 200, name
        for line in answer.body.decode().splitlines():
            if line.startswith("import ") or line.startswith("} from"):
                found = line.rpartition('"./')[2].rstrip('";')
                names += [] if found in names else [found]
    assert len(names) > 8


def test_all_files_of_the_page_go_into_a_wheel():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = config["tool"]["setuptools"]["package-data"]["kbai.web.static"]
    files = [path.name for path in (ROOT / "kbai" / "web" / "static").iterdir()]
    assert files and all(any(fnmatch(name, each) for each in patterns) for name in files)


def test_the_catalogue_lists_what_there_is_to_choose_from(client):
    found = client.get("/api/catalogue").json()
    assert {"tavern", "quarry"} <= {item["name"] for item in found["quadrants"]}
    assert "mcts:level=9" in [bot["spec"] for bot in found["bots"]]
    assert 'id="red-house"' in found["symbols"] and 'id="tile-quarry"' in found["symbols"]
    assert found["demo"] == DEMO


def test_a_scene_has_every_hex_as_an_element_with_its_name(client):
    scene = client.post("/api/scene", {"position": START}).json()
    assert len(scene["cells"]) == 400
    assert scene["svg"].count("data-cell=") == 400
    assert scene["texts"]["c7"] == "c7: tavern"


def test_a_view_says_who_is_to_move_and_what_they_may_do(client):
    view = client.post("/api/view", {"position": START}).json()
    assert view["sentence"] == "Red to move with flower: build 3 houses on flower."
    assert {"text": "n16", "kind": "build", "tile": "", "cell": "n16", "label": ""} in view["steps"]
    view = client.post("/api/view", {"position": START, "actions": TURN}).json()
    assert view["sentence"] == "Red has built, and may end the turn."
    assert [step["label"] for step in view["steps"]] == ["End turn"]


# Setting up.


def test_what_contradicts_the_rules_is_left_out_and_said_at_its_place(client):
    data = {**DATA, "seat": {"red": {"settlements": ["n16", "c7"]}, "blue": {"settlements": []}}}
    answer = client.post("/api/edit", {"data": data}).json()
    assert answer["data"]["seat"]["red"]["settlements"] == ["n16"]
    (problem,) = answer["problems"]
    assert problem["token"] == "c7"
    assert "a tavern space (R1.8)" in problem["message"]
    assert " red=n16/tiles=farm@m16 " in answer["view"]["line"]


def test_tiles_that_follow_from_the_settlements_are_not_written_down(client):
    data = {**DATA, "seat": {"red": {"settlements": ["n16"]}, "blue": {"settlements": ["l16"]}}}
    answer = client.post("/api/edit", {"data": data}).json()
    assert "tiles" not in answer["data"]["seat"]["red"]
    (space,) = [space for space in answer["spaces"] if space["beside"]]
    assert space == {"tile": "farm", "cell": "m16", "beside": ["red", "blue"],
                     "held": ["red", "blue"]}  # fmt: skip


def test_only_terrain_cards_that_are_in_the_game_can_be_chosen(client):
    def deck(**changes):
        return client.post("/api/edit", {"data": DATA | changes}).json()["deck"]

    five = ["grass", "canyon", "desert", "flower", "forest"]
    assert deck() == five
    marshes = ["kbai_temple", "paddock", "oasis", "farm"]
    assert deck(board=marshes) == [*five, *(f"marsh_{name}" for name in five)]
    left = deck(board=marshes, cards=["scouts"], scouted="grass")
    assert left == [*five[1:], *(f"marsh_{name}" for name in five[1:])]


def test_a_board_that_cannot_be_is_refused_with_a_sentence(client):
    answer = client.post("/api/edit", {"data": {**DATA, "board": ["tavern"]}})
    assert answer.status == 400
    assert "expected 4 quadrants" in answer.sentence


@pytest.mark.parametrize("text", [START, "\n".join([
    'board = ["tavern", "paddock", "oasis", "farm"]', 'cards = "fishermen knights merchants"',
    'turn = "red"', 'card = "flower"', "[seat.red]", 'settlements = ""', "[seat.blue]",
    'settlements = ""'])])  # fmt: skip
def test_a_position_is_read_in_any_spelling(client, text):
    assert client.post("/api/edit", {"text": text}).json()["view"]["line"] == START


def test_a_board_can_be_drawn_from_all_sets(client):
    sets = [item["name"] for item in client.get("/api/catalogue").json()["sets"]]
    seats = ["red", "blue", "green", "yellow", "white"]
    answer = client.post("/api/random", {"sets": sets, "seats": seats, "seed": 3}).json()
    assert len(answer["view"]["seats"]) == 5
    again = client.post("/api/edit", {"data": answer["data"]}).json()
    assert again["view"]["line"] == answer["view"]["line"] and not again["problems"]


# Suggestions.


def test_a_suggestion_refines_line_by_line_until_it_is_done(client, monkeypatch):
    clock = SimpleNamespace(monotonic=itertools.count().__next__)  # a second for every look at it
    monkeypatch.setattr("kbai.web.searches.time", clock)
    lines = client.post("/api/suggest", {"position": START, "seconds": 3}).lines()
    assert [line["done"] for line in lines] == [False, False, True]
    visits = [line["visits"] for line in lines]
    assert visits == sorted(visits) and visits[0] > 0
    best = lines[-1]["turns"][0]
    assert best["svg"].startswith("<g") and 0 <= best["seats"]["red"]["win"]["value"] <= 1


def test_a_search_that_is_asked_for_again_goes_on_where_it_was(client):
    before = client.post("/api/suggest", {"position": START, "seconds": 0.1}).lines()[-1]
    after = client.post("/api/suggest", {"position": START, "seconds": 0.1}).lines()[0]
    assert after["visits"] > before["visits"]
    known = client.post("/api/suggest", {"position": START, "known": True}).json()
    assert known["visits"] >= after["visits"]
    other = client.post("/api/suggest", {"position": HIDDEN, "known": True}).json()
    assert other is None


def test_an_unknown_card_gives_the_best_turn_for_each(client):
    last = client.post("/api/suggest", {"position": HIDDEN, "seconds": 0.1}).lines()[-1]
    assert {turn["card"] for turn in last["turns"]} == {"grass", "canyon", "desert", "flower",
                                                       "forest"}  # fmt: skip


def test_a_turn_of_ones_own_is_compared_with_the_best(client):
    body = {"position": DEMO, "seconds": 0.4, "mine": ["m12", "j6", "k6"]}
    last = client.post("/api/suggest", body).lines()[-1]
    cost = last["mine"]["cost"]
    assert cost["win"]["low"] <= cost["win"]["value"] <= cost["win"]["high"]
    body["mine"] = last["turns"][0]["actions"]
    mine = client.post("/api/suggest", body).lines()[-1]["mine"]
    assert mine["best"] or abs(mine["cost"]["win"]["value"]) < 0.2


def test_who_goes_away_ends_the_search(client):
    answer = client.post("/api/suggest", {"position": START, "seconds": 100}, leave_after=2)
    assert 2 <= len(answer.chunks) <= 3


def test_more_searches_than_there_is_room_for_are_refused_with_a_sentence(client):
    body = {"position": START, "seconds": 0.1}
    answers = client.together(*(client.send("POST", "/api/suggest", body) for _ in range(20)))
    refused = [answer for answer in answers if answer.status != 200]
    assert len(refused) == 16
    assert {answer.status for answer in refused} == {503}
    assert "try again in a moment" in refused[0].sentence
    assert all(answer.lines()[-1]["done"] for answer in answers if answer.status == 200)


def test_an_exact_answer_says_so_and_ends_early(client):
    over = f"{FIRST} phase=over"
    last = client.post("/api/suggest", {"position": over, "seconds": 60}).lines()[-1]
    assert last["done"] and last["turns"] == []


# Games.


def test_a_turn_is_played_hex_by_hex_and_undone(client):
    game = new_game(client)
    for action in TURN:
        game = do(client, game, do="act", action=action).json()
    assert game["begun"] == TURN and game["cursor"] == -1
    game = do(client, game, do="undo").json()
    assert game["begun"] == TURN[:2]
    game = do(client, game, do="play", actions=["o17", "end"]).json()
    assert [node["text"] for node in game["nodes"]] == ["n16 o15 o17"]
    assert game["waiting"] == "card" and game["came_from"] == {"line": START, "actions": TURN}
    game = do(client, game, do="card", card="canyon").json()
    assert game["view"]["sentence"] == "Blue to move with canyon: build 3 houses on canyon."


def test_a_card_that_was_told_by_mistake_is_taken_back(client):
    game = new_game(client, HIDDEN, told=True)
    assert not game["has_begun"]
    game = do(client, game, do="card", card="canyon").json()
    assert game["has_begun"] and game["waiting"] == "person"
    game = do(client, game, do="undo").json()
    assert not game["has_begun"] and game["waiting"] == "card"


def test_why_a_hex_is_not_possible_is_a_sentence(client):
    answer = client.post("/api/why", {"position": START, "action": "c6"}).json()
    assert "c6 is canyon, the card is flower (R3.2)" in answer["message"]
    assert client.post("/api/why", {"position": START, "action": "n16"}).json() == {"message": ""}


def test_a_variation_keeps_the_main_line_and_can_take_its_place(client):
    game = new_game(client)
    game = do(client, game, do="play", actions=[*TURN, "end"]).json()
    game = do(client, game, do="go", node=-1).json()
    assert game["view"]["card"] == "flower"
    game = do(client, game, do="play", actions=["a1", "a2", "b2", "end"]).json()
    assert [node["is_main"] for node in game["nodes"]] == [True, False]
    game = do(client, game, do="promote").json()
    assert [node["is_main"] for node in game["nodes"]] == [False, True]


def test_a_game_is_in_its_file_after_every_turn_and_found_again(client, folder):
    game = new_game(client)
    assert not folder.exists()  # nothing to lose yet
    do(client, game, do="play", actions=[*TURN, "end"])
    (path,) = folder.iterdir()
    assert parse_game(path.read_text()).turns[0].actions == tuple(TURN)
    again = client.get(f"/api/games/{game['id']}").json()
    assert [node["text"] for node in again["nodes"]] == ["n16 o15 o17"]
    text = client.get(f"/api/games/{game['id']}/file").body.decode()
    assert text == path.read_text()
    (row,) = client.get("/api/games").json()["games"]
    assert row["id"] == game["id"] and row["turns"] == 1


def test_a_folder_that_cannot_be_used_is_named(client, folder):
    game = new_game(client)
    folder.write_text("a file where a folder should be")
    played = do(client, game, do="play", actions=[*TURN, "end"])
    for answer in (played, client.get("/api/games")):
        assert answer.status == 400
        assert f"expected a folder for games, got '{folder}': " in answer.sentence


def test_a_bot_plays_its_turn_and_the_game_goes_on(client):
    game = new_game(client, HIDDEN, players=["", "greedy"], told=False)
    assert game["waiting"] == "person"
    while game["cursor"] < 0:
        step = game["view"]["steps"][-1]
        game = do(client, game, do="act", action=step["text"]).json()
    assert game["waiting"] == "bot"
    game = do(client, game, do="bot").json()
    assert [node["seat"] for node in game["nodes"]] == ["red", "blue"]
    game = do(client, game, do="undo").json()
    assert game["cursor"] == -1


def test_an_action_that_is_not_legal_changes_nothing(client):
    game = new_game(client)
    answer = do(client, game, do="play", actions=["n16", "c6"])
    assert answer.status == 400 and "R3.2" in answer.sentence
    assert client.get(f"/api/games/{game['id']}").json()["begun"] == []


def test_a_review_tells_its_progress_and_then_what_every_turn_cost(client):
    game = new_game(client)
    game = do(client, game, do="play", actions=[*TURN, "end"]).json()
    lines = client.post(f"/api/games/{game['id']}/review", {"depth": "quick"}).lines()
    review = lines[-1]["review"]
    assert review["turns"][0]["actions"] == TURN
    assert review["texts"][0]["played"] == "n16 o15 o17"
    assert "<svg" in review["curve"] and 'href="#turn-1"' in review["curve"]


def test_a_review_keeps_what_its_searches_found(client, folder):
    game = new_game(client)
    game = do(client, game, do="play", actions=[*TURN, "end"]).json()
    path = folder.parent / "review.jsonl"
    asked = f"/api/games/{game['id']}/review", {"depth": "quick"}
    first = client.post(*asked).lines()[-1]["review"]
    kept = path.read_bytes()
    assert kept.count(b"\n") > 1
    assert client.post(*asked).lines()[-1]["review"] == first
    assert path.read_bytes() == kept  # nothing was searched again
    with Cache(path):  # another review has the file: this one goes on without it
        assert client.post(*asked).lines()[-1]["review"] == first


def test_a_game_without_turns_has_nothing_to_review(client):
    game = new_game(client)
    (line,) = client.post(f"/api/games/{game['id']}/review", {"depth": "quick"}).lines()[-1:]
    assert "finished turn" in line["error"]["message"]


def test_names_from_a_file_are_text(client):
    text = "\n".join([
        "Board: tavern,paddock,oasis,farm", "Cards: fishermen", "Seats: red,blue",
        "Players: <script>alert(1)</script>, Ben", "", "1 red flower: n16 o15 o17",
        ""])  # fmt: skip
    game = new_game(client, text)
    assert game["players"] == ["", ""]
    assert "<script" not in game["view"]["svg"]
    answer = client.get(f"/api/games/{game['id']}")
    assert answer.headers["content-type"] == "application/json"


def test_bots_that_run_programs_or_for_long_are_not_taken_from_outside(client):
    for spec in ("cmd:touch /tmp/x", "mcts:visits=1000000000"):
        answer = client.post("/api/games", {"text": HIDDEN, "players": ["", spec]})
        assert answer.status == 400 and "as a bot" in answer.sentence
    text = "\n".join(["Board: tavern,paddock,oasis,farm", "Cards: fishermen", "Seats: red,blue",
                      "Players: red you, blue mcts:visits=1000000000", ""])  # fmt: skip
    assert new_game(client, text)["players"] == ["", ""]
