"""``kbai import``, and logs in the place of positions and games."""

import json
import os

import pytest
from bga_logs import Habits, cut, edited, events_of, random_game, turns_of, write_log, write_page
from commands import run

from kbai.notation.games import format_game, parse_game

GAME = random_game(3)
SHORT = cut(GAME, 4)


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.json"
    path.write_text(write_log(GAME))
    return path


@pytest.fixture
def short(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(write_page(SHORT, Habits(concede=True, names=("<script>x", "Bob"))))
    return path


def wrong_gold(text):
    def change(packets):
        events_of(packets, "scoringEnd")[0]["args"]["total"] = 99

    return edited(text, change)


def test_the_game_goes_to_stdout_and_what_was_compared_to_stderr(log):
    result = run("import", log)
    assert result.exit_code == 0
    assert turns_of(parse_game(result.stdout)) == turns_of(GAME)
    turns = len(GAME.turns)
    assert result.stderr.startswith(f"note: {log}: {turns} turns; in agreement with the log: ")


def test_a_log_comes_from_stdin():
    result = run("import", "-", text=write_log(GAME))
    assert turns_of(parse_game(result.stdout)) == turns_of(GAME)


def test_out_writes_a_file_for_each_log_named_after_its_table(log, tmp_path):
    other = tmp_path / "my game (2).json"
    other.write_text(write_log(SHORT, Habits(concede=True)).replace("/table/t4711", "/table/x"))
    result = run("import", log, other, "--out", tmp_path / "games", "--anonymous")
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    files = sorted(path.name for path in (tmp_path / "games").iterdir())
    assert files == ["bga-4711.kbg", "my-game-2.kbg"]
    text = (tmp_path / "games" / files[0]).read_text()
    assert turns_of(parse_game(text)) == turns_of(GAME)
    assert "Players" not in text


def test_a_game_file_is_overwritten_only_with_force(log, tmp_path):
    target = tmp_path / "games" / "bga-4711.kbg"
    target.parent.mkdir()
    target.write_text("mine")
    result = run("import", log, "--out", target.parent)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {target} exists; --force overwrites it.\n"
    assert target.read_text() == "mine"
    assert run("import", log, "--out", target.parent, "--force").exit_code == 0
    assert target.read_text().startswith("Board: ")
    assert os.listdir(target.parent) == ["bga-4711.kbg"]


def test_a_file_that_cannot_be_written_leaves_nothing_behind(log, tmp_path):
    (tmp_path / "file").write_text("")
    result = run("import", log, "--out", tmp_path / "file" / "games")
    assert result.exit_code == 1
    assert "expected a file to write" in result.stderr
    target = tmp_path / "games" / "bga-4711.kbg"
    target.mkdir(parents=True)
    assert run("import", log, "--out", target.parent, "--force").exit_code == 1
    assert os.listdir(target.parent) == ["bga-4711.kbg"]


def test_a_folder_is_searched_for_logs(log, short, tmp_path):
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "other.html").write_text("<p>")
    log.write_text(log.read_text().replace("/table/t4711", "/table/t4712"))
    result = run("import", tmp_path, "--out", tmp_path / "games")
    assert result.exit_code == 0, result.output
    assert sorted(os.listdir(tmp_path / "games")) == ["bga-4711.kbg", "bga-4712.kbg"]
    empty = tmp_path / "empty"
    empty.mkdir()
    result = run("import", empty, "--out", tmp_path / "games")
    assert (result.exit_code, "got none" in result.stderr) == (1, True)


def test_the_log_and_the_page_of_a_table_give_one_game(log, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(write_page(GAME))
    names = run("import", page).stdout
    assert names == run("import", log).stdout
    assert run("import", log, page, "--out", tmp_path / "games").exit_code == 0
    page.write_text(write_page(SHORT, Habits(concede=True)))
    result = run("import", log, page, "--out", tmp_path / "games", "--force")
    assert result.exit_code == 1
    assert "not the same game as" in result.stderr


def test_several_logs_need_a_folder_to_write_to(log, tmp_path):
    assert run("import", log, log).exit_code == 2
    assert run("import", tmp_path).exit_code == 2
    assert run("import", log, "--force").exit_code == 2


def test_a_difference_prints_the_game_up_to_there_and_exits_with_one(log):
    log.write_text(wrong_gold(log.read_text()))
    result = run("import", log)
    assert result.exit_code == 1
    assert turns_of(parse_game(result.stdout)) == turns_of(GAME)
    assert result.stderr.splitlines()[-1].startswith(f"Error: {log}: packet ")
    assert "the log has 99. The game is imported up to there." in result.stderr


def test_a_bad_log_among_others_is_told_and_the_others_imported(log, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('{"status":"0","error":"no such table"}')
    result = run("import", bad, tmp_path / "none.json", log, "--out", tmp_path / "games")
    assert result.exit_code == 1
    assert f"Error: {bad}: the site answered with an error" in result.stderr
    assert "none.json" in result.stderr
    assert os.listdir(tmp_path / "games") == ["bga-4711.kbg"]


@pytest.mark.parametrize("command", ["show", "score", "convert"])
def test_commands_take_a_log_or_page_in_the_place_of_a_game(command, log, short, tmp_path):
    for path in (log, short):
        game = tmp_path / "game.kbg"
        game.write_text(run("import", path).stdout)
        assert run(command, path).stdout == run(command, game).stdout != ""


def test_commands_refuse_a_log_that_differs_and_name_its_file(log):
    log.write_text(wrong_gold(log.read_text()))
    result = run("show", log)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"Error: {log}: packet ")


def test_suggest_takes_a_log(short):
    result = run("suggest", short, "--turn", 3, "--visits", 20, "--seed", 1)
    assert result.exit_code == 0, result.output


def test_review_takes_logs_and_folders_with_logs(short, tmp_path):
    options = ("--visits", 10, "--turns", 1, "--no-cache", "--workers", 1)
    alone = run("review", short, *options)
    assert alone.exit_code == 0, alone.output
    assert run("review", tmp_path, *options).stdout == alone.stdout


def test_a_page_of_a_review_shows_names_as_text(short, tmp_path):
    page = tmp_path / "review.html"
    options = ("--visits", 10, "--turns", 1, "--no-cache", "--workers", 1, "--html", page)
    assert run("review", short, *options).exit_code == 0
    assert "<script>x" not in page.read_text()


def test_a_query_takes_the_text_of_a_log_as_its_game(short):
    query = {"id": 1, "game": short.read_text(), "turns": [2], "visits": 10}
    result = run("analyze", "-", text=json.dumps(query) + "\n")
    answer = json.loads(result.stdout)
    assert (answer["id"], answer["turn"]) == (1, 2)


def test_the_library_reads_a_log(log):
    import kbai

    game = kbai.read_game(log)
    assert str(game).splitlines()[-1] == format_game(GAME).splitlines()[-1]
    assert kbai.parse_game(log.read_text()) == game
    with pytest.raises(kbai.KbaiError, match="packet"):
        kbai.parse_game(wrong_gold(log.read_text()))
