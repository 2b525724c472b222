"""Logs and pages of Board Game Arena become the games that they were written from."""

import json
import time
from dataclasses import replace

import pytest
from bga_logs import (
    WRAPPINGS,
    Habits,
    cut,
    edited,
    events_of,
    random_game,
    turns_of,
    write_log,
    write_page,
)

from kbai.importing.bga import import_game
from kbai.importing.kinds import is_log
from kbai.notation.games import format_game, parse_game

EVERYTHING = Habits(undo=0.2, restart=0.15, own_hex=0.2, running_scores=True)


def check_same(imported, game):
    assert imported.difference == ""
    assert imported.game.setup == game.setup
    assert turns_of(imported.game) == turns_of(game)
    assert imported.game.result == game.result
    assert parse_game(format_game(imported.game)) == imported.game


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("numbers", ["int", "str", "mixed"])
def test_every_wrapping_and_way_to_write_numbers_is_read(wrapping, numbers):
    game = random_game(3)
    text = write_log(game, replace(EVERYTHING, numbers=numbers), wrapping)
    assert is_log(text)
    check_same(import_game(text), game)


def test_a_page_is_read():
    game = random_game(4, 3)
    text = write_page(game, EVERYTHING)
    assert is_log(text)
    check_same(import_game(text), game)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("has_moves", [True, False])
def test_undo_is_read_by_number_and_by_meaning(seats, has_moves):
    for seed in range(4):
        game = random_game(100 + seed, seats)
        habits = replace(EVERYTHING, has_moves=has_moves, seed=seed)
        imported = import_game(write_log(game, habits))
        check_same(imported, game)
        assert imported.agreed["snapshots"] > 0
        assert imported.agreed["offers"] > 30
        assert imported.agreed["gold"] >= seats * 4


def test_undo_is_read_by_meaning_if_its_numbers_are_wrong():
    game = random_game(21)

    def shift(packets):
        for event in events_of(packets, "cancel"):
            event["args"]["moveIds"] = [100_000]

    text = write_log(game, Habits(undo=0.4, restart=0.2))
    assert len(events_of(json.loads(text)["data"]["logs"], "cancel")) > 5
    check_same(import_game(edited(text, shift)), game)


def test_private_packets_and_packets_without_a_number_tell_nothing():
    game = random_game(5, 3)
    with_all = import_game(write_log(game, Habits(private=True, wakeups=True)))
    without = import_game(write_log(game, Habits(private=False, wakeups=False)))
    check_same(with_all, game)
    assert without.game == with_all.game


def test_running_scores_are_compared():
    game = random_game(6, 3)
    plain = import_game(write_log(game))
    running = import_game(write_log(game, Habits(running_scores=True)))
    check_same(running, game)
    assert running.agreed["gold"] >= plain.agreed["gold"] + 3 * (len(game.turns) - 3)


def test_running_scores_of_a_game_without_known_cards_are_not_compared():
    game = cut(random_game(6, 3), 9)
    imported = import_game(write_log(game, Habits(running_scores=True, unfinished=True)))
    assert imported.difference == ""
    assert imported.game.setup.cards == ()
    assert "scoring cards" in imported.notes[0]


def test_a_move_to_its_own_hex_is_left_out():
    n_own = 0
    for seed in (3, 5, 9, 10):
        game = random_game(seed, 3)
        text = write_log(game, Habits(own_hex=1.0, numbers="int"))
        for move in events_of(json.loads(text)["data"]["logs"], "move"):
            n_own += move["args"]["from"] == {key: move["args"][key] for key in "xy"}
        check_same(import_game(text), game)
    assert n_own > 3


def test_a_game_given_up_is_unfinished_and_has_its_cards():
    game = cut(random_game(9), 7)
    imported = import_game(write_log(game, Habits(concede=True)))
    assert imported.difference == ""
    assert imported.game.setup == game.setup
    assert imported.game.result is None
    assert imported.notes == ("red gave up.",)
    assert ("Note", "red gave up") in imported.game.header
    assert turns_of(imported.game)[:-1] == turns_of(game)[:-1]
    assert turns_of(imported.game)[-1] == turns_of(game)[-1] + " ..."


def test_a_game_broken_off_has_no_cards_in_its_log_but_in_its_page():
    game = cut(random_game(9), 7)
    habits = Habits(unfinished=True)
    log, page = import_game(write_log(game, habits)), import_game(write_page(game, habits))
    assert log.game.setup.cards == ()
    assert page.game.setup == game.setup
    assert turns_of(log.game) == turns_of(page.game)
    assert len(log.game.turns) == 7 and not log.game.turns[-1].finished


@pytest.mark.parametrize("seats", [2, 4])
def test_turns_are_read_from_states_if_no_card_is_shown(seats):
    game = random_game(31, seats)
    habits = replace(EVERYTHING, shows_cards=False, wakeups=False)
    check_same(import_game(write_log(game, habits)), game)


def test_the_board_is_found_without_offers_from_terrains_tiles_and_castles():
    for seed in range(40, 48):
        game = random_game(seed, 4)
        imported = import_game(write_log(game, Habits(has_states=False, english=True)))
        check_same(imported, game)
        assert "offers" not in imported.agreed


def test_the_board_is_found_from_the_snapshot_of_an_undo():
    game = random_game(50)
    habits = Habits(has_states=False, undo=0.3)
    check_same(import_game(write_log(game, habits)), game)


def test_the_order_of_seats_is_known_in_the_first_round_from_a_page():
    game = cut(random_game(60, 4), 2)
    habits = Habits(unfinished=True)
    page = import_game(write_page(game, habits))
    assert page.game.setup == game.setup
    log = import_game(write_log(game, habits))
    assert set(log.game.setup.seats) == set(game.setup.seats)
    assert log.game.setup.seats[:2] == game.setup.seats[:2]
    assert any("first round" in note for note in log.notes)


def test_players_are_known_from_the_result_if_nothing_else_lists_them():
    game = cut(random_game(61, 3), 2)
    text = write_log(game, Habits(concede=True, private=False), "bare")
    imported = import_game(text)
    assert len(imported.game.setup.seats) == 3
    names = dict(imported.game.header)["Players"]
    assert [name.split(" ", 1)[1] for name in names.split(", ")] == [
        "player 1",
        "player 2",
        "player 3",
    ]


def test_the_header_has_names_table_date_and_site():
    game = random_game(3)
    text = write_log(game, Habits(names=("Ann", "Bob")))
    assert import_game(text).game.header == (
        ("Players", "red Ann, blue Bob"),
        ("Event", "Board Game Arena, table 4711"),
        ("Date", "2026-02-02"),
    )
    assert import_game(text).table == 4711
    anonymous = import_game(text, anonymous=True).game
    assert "Players" not in dict(anonymous.header)
    assert "Ann" not in format_game(anonymous)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann, Queen # of\nBlue", "Ann Queen of Blue"),
        ('<span style="color:red">Ann</span>', "Ann"),
        ("&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"),
        ("<<b>script>Ann", "<script>Ann"),
        ("\ud800\x1b[31mAnn\x00", "[31mAnn"),
        ("Jürgen 王", "Jürgen 王"),
        ("x" * 500, "x" * 40),
    ],
)
def test_odd_names_stay_on_one_line_of_the_header(name, shown):
    game = cut(random_game(3), 4)
    imported = import_game(write_log(game, Habits(names=(name, "Bob"), concede=True)))
    assert dict(imported.game.header)["Players"] == f"red {shown}, blue Bob"
    assert parse_game(format_game(imported.game)) == imported.game


def test_unknown_colours_get_free_seats():
    game = cut(random_game(70, 3), 6)

    def repaint(text, colors):
        data = json.loads(text)
        for row, color in zip(data["data"]["players"], colors, strict=True):
            row["color"] = color
        return json.dumps(data)

    text = write_log(game, Habits(concede=True))
    # The players are listed in the opposite order of their turns.
    imported = import_game(repaint(text, ["e94190", "#982FFF", "72c3b1"]))
    assert imported.game.setup.seats == ("red", "purple", "blue")
    same = import_game(repaint(text, ["ff0000", "ff0000", "ff0000"]))
    assert len(set(same.game.setup.seats)) == 3


@pytest.mark.slow
def test_a_game_imported_exported_and_imported_again_is_the_same():
    for seed in range(80, 86):
        game = random_game(seed, 2 + seed % 4)
        once = import_game(write_log(game, replace(EVERYTHING, seed=seed))).game
        again = import_game(write_log(once, replace(EVERYTHING, seed=seed + 1))).game
        assert again == once


@pytest.mark.slow
def test_a_log_of_five_megabytes_takes_less_than_a_second():
    game = random_game(3, 5)
    text = write_log(game, Habits(tries=4, running_scores=True))
    assert len(text) > 5_000_000
    start = time.process_time()
    json.loads(text)
    middle = time.process_time()
    imported = import_game(text)
    seconds = (time.process_time() - middle) - (middle - start)
    check_same(imported, game)
    assert imported.agreed["snapshots"] > 500
    assert seconds < 1.0
