"""What is no log, tells too little or contradicts the rules is told in one sentence."""

import json

import pytest
from bga_logs import Habits, edited, events_of, random_game, turns_of, write_log, write_page

from kbai.core.errors import ImportedLogError
from kbai.importing.bga import import_game
from kbai.importing.kinds import is_log

GAME = random_game(3)


def problem(text):
    with pytest.raises(ImportedLogError) as caught:
        import_game(text)
    return str(caught.value)


def packet(*events, **more):
    return {"channel": "/table/t1", "packet_id": "1", "move_id": "1", "data": [*events], **more}


def test_an_error_answer_of_the_site_is_quoted():
    text = '{"status":"0","error":"You have reached\\n a limit\\u001b","expected":1}'
    assert is_log(text)
    assert problem(text) == (
        "the site answered with an error instead of a log: You have reached a limit."
    )
    assert "no reason given" in problem('{"status": 0, "data": {"status": "0", "error": ""}}')


@pytest.mark.parametrize(
    "text", ["{}", "[]", "null", "3", '{"status":1,"data":{"valid":1}}', "[7]"]
)
def test_json_without_packets_is_refused(text):
    assert problem(text).startswith("expected the log of a table of Board Game Arena")


@pytest.mark.parametrize("part", [0.0, 0.3, 0.999])
def test_a_truncated_log_is_refused(part):
    text = write_log(GAME)
    assert problem(text[: int(part * len(text))]).startswith("expected the log of a table as JSON")


def test_a_truncated_page_is_refused():
    text = write_page(GAME)
    assert problem(text[: len(text) * 9 // 10]) == "the log in this page is cut off or damaged."
    assert "this page has none" in problem("<!DOCTYPE html><html></html>")


def test_a_deeply_nested_text_is_refused():
    assert problem("[" * 100_000).startswith("expected")
    assert problem("<p> g_gamelogs = " + "[" * 100_000).startswith("the log in this page")


def test_a_page_saved_as_a_web_archive_is_refused():
    text = "From: <Saved by Blink>\nSnapshot-Content-Location: x\nMIME-Version: 1.0\n"
    assert is_log(text)
    assert "HTML only" in problem(text)


def test_the_history_of_a_running_game_is_refused():
    event = {"type": "history_history", "args": {"originalType": "build", "x": 1, "y": 2}}
    assert "running game" in problem(json.dumps([packet(event)]))
    assert "running game" in problem(json.dumps([event]))


def test_the_packet_type_does_not_matter():
    def retype(packets):
        for row in packets:
            row["packet_type"] = "history"

    assert import_game(edited(write_log(GAME), retype)).difference == ""


def test_a_log_of_another_game_is_refused():
    event = {"type": "build", "args": {"player_id": 1, "x": 1, "y": 2}}
    assert "another game" in problem(json.dumps([packet(event)]))
    page = write_page(GAME).replace('"kingdombuilder"', '"tokaido"')
    assert problem(page) == "this is the page of another game, 'tokaido'."


def test_a_log_with_nomads_is_refused():
    def add_quarry(packets):
        events_of(packets, "obtainTile")[0]["args"]["location"] = 17

    def add_nomads(packets):
        events_of(packets, "cancel")[0]["args"]["board"]["locations"][0]["location"] = "20"

    for change, number in ((add_quarry, 17), (add_nomads, 20)):
        message = problem(edited(write_log(GAME, Habits(undo=0.5)), change))
        assert f"location of number {number}" in message
        assert "expansions" in message


def test_a_card_that_nobody_knows_is_refused():
    def change(packets):
        for event in events_of(packets, "scoringEnd"):
            event["args"]["objectiveId"] = 14

    assert "scoring card of number 14" in problem(edited(write_log(GAME), change))


def test_one_player_is_too_few():
    def change(packets):
        for event in events_of(packets, "showTerrain"):
            event["args"]["pId"] = 7

    text = edited(write_log(GAME, Habits(private=False)), change)
    data = json.loads(text)
    data["data"]["players"] = []
    data["data"]["logs"] = data["data"]["logs"][:8]
    assert problem(json.dumps(data)) == "expected 2 to 5 players, the log names 1."


def test_too_little_about_the_board_asks_for_the_page():
    def change(packets):
        del packets[12:]

    text = edited(write_log(GAME, Habits(has_states=False)), change)
    assert "Save the page of the replay" in problem(text)


def test_hexes_of_no_board_are_refused():
    def change(packets):
        for event in events_of(packets, "gameStateChange"):
            if isinstance(event["args"].get("args"), dict) and "hexes" in event["args"]["args"]:
                for place in event["args"]["args"]["hexes"]:
                    place["x"] = (int(place["x"]) + 3) % 20

    assert "not those of any board" in problem(edited(write_log(GAME), change))


def at_turn(kind, number):
    """Return a function that returns the event of a kind with this number."""
    return lambda packets: events_of(packets, kind)[number]["args"]


def set_value(find, key, value):
    def change(packets):
        find(packets)[key] = value

    return change


DIFFERENCES = {
    "a settlement elsewhere": (set_value(at_turn("build", 20), "x", 0), "a legal step"),
    "another tile": (set_value(at_turn("obtainTile", 1), "id", 1), "tile from"),
    "another owner": (set_value(at_turn("build", 20), "player_id", 5), "one of nobody"),
    "gold": (set_value(at_turn("scoringEnd", 4), "total", "77"), "the log has 77"),
    "no card": (set_value(at_turn("showTerrain", 8), "terrain", 9), "the card of a player"),
    "another player": (set_value(at_turn("showTerrain", 8), "pId", 9007), "turn"),
    "an undo": (
        lambda packets: events_of(packets, "cancel")[2]["args"]["board"]["settlements"].pop(),
        "settlements of",
    ),
    "a supply": (
        lambda packets: events_of(packets, "cancel")[2]["args"]["fplayers"][0].update(
            settlements=41
        ),
        "supply: ",
    ),
    "tiles": (
        lambda packets: events_of(packets, "cancel")[4]["args"]["fplayers"][0].update(
            tiles=[{"id": 1}, {"id": 3}, {"id": 5}]
        ),
        "tiles from",
    ),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_difference_names_packet_turn_and_both_values(name):
    change, words = DIFFERENCES[name]
    imported = import_game(edited(write_log(GAME, Habits(undo=0.3, seed=5)), change))
    assert imported.difference.startswith("packet ")
    assert ", turn " in imported.difference
    assert words in imported.difference
    assert "expected" in imported.difference and "the log has" in imported.difference
    got, whole = turns_of(imported.game), turns_of(GAME)
    assert got[:-1] == whole[: len(got) - 1]
    assert len(got) > 1


def test_an_offer_that_lacks_a_hex_is_a_difference():
    def change(packets):
        offers = [
            event["args"]["args"] for event in events_of(packets, "gameStateChange")
            if isinstance(event["args"].get("args"), dict) and "hexes" in event["args"]["args"]
        ]  # fmt: skip
        next(offer for offer in offers[30:] if not offer["tileName"])["hexes"].pop()

    imported = import_game(edited(write_log(GAME), change))
    assert "mandatory offers of" in imported.difference


def test_a_first_offer_that_is_wrong_is_a_difference_not_another_board():
    def change(packets):
        first = next(
            event["args"]["args"] for event in events_of(packets, "gameStateChange")
            if isinstance(event["args"].get("args"), dict) and "hexes" in event["args"]["args"]
        )  # fmt: skip
        first["hexes"].pop()

    imported = import_game(edited(write_log(GAME), change))
    assert imported.game.setup.board == GAME.setup.board
    assert ", turn 1:" in imported.difference


def test_a_result_before_the_end_is_a_difference():
    def change(packets):
        back = [p for p in packets if any(e["type"] == "scoringEnd" for e in p["data"])]
        del packets[60:]
        packets += back

    imported = import_game(edited(write_log(GAME), change))
    assert imported.difference
    assert imported.game.result is None


def test_unknown_events_are_reported_and_left_out():
    def change(packets):
        packets[3]["data"].append({"type": "newThing\n", "args": []})
        packets[9]["data"].append({"type": "newThing\n", "args": {"x": 1}})

    imported = import_game(edited(write_log(GAME), change))
    assert imported.difference == ""
    assert imported.notes == ("unknown event 'newThing', 2 times: left out.",)
    assert turns_of(imported.game) == turns_of(GAME)


def test_a_player_who_left_is_noted():
    def change(packets):
        rows = [e["args"] for e in events_of(packets, "gameStateChange") if e["args"].get("id")]
        end = next(row for row in rows if str(row["id"]) == "99")
        end["args"]["result"][1]["zombie"] = "1"

    assert import_game(edited(write_log(GAME), change)).notes == ("blue left the table.",)
