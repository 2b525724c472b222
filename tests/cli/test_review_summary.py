"""``kbai review --summary``: whom it is for, and what it prints."""

import json

import pytest
from commands import run

from kbai.game.setup import Setup
from kbai.notation.games import format_game, record_game

FEW = ("--summary", "--visits", "16", "--workers", "1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the first turns of three games of Ann."""
    place = tmp_path_factory.mktemp("games")
    for seed, other in enumerate(("Ben", "Cid", "Ben")):
        start = Setup.random(seed, seats=2).start_position()
        game = record_game(
            start, start.copy().playout_steps(seed), header=[("Players", f"Ann, {other}")]
        )
        lines = format_game(game).splitlines()
        head = lines.index("") + 1
        (place / f"{seed}.kbg").write_text("\n".join(lines[: head + 2]) + "\n")
    return place


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return ("--cache", tmp_path_factory.mktemp("cache") / "review.jsonl")


def review(*arguments):
    return run("review", *arguments, *FEW)


def test_a_summary_is_for_whoever_has_most_games(folder, cache):
    result = review(folder, *cache)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("Ann: 3 games, 3 turns (16 visits a turn, seed 1)")
    assert "also there: Ben (2), Cid (1). Choose with --player NAME." in result.stderr


def test_a_player_can_be_chosen(folder, cache):
    result = review(folder, *cache, "--player", "ben", "--format", "json")
    assert result.exit_code == 0 and not result.stderr
    data = json.loads(result.stdout)
    assert (data["player"], data["games"]) == ("Ben", 2)
    assert data["loss"]["win"]["others"] is not None


def test_each_of_several_players_gets_a_summary(folder, cache, tmp_path):
    page = tmp_path / "page.html"
    result = review(folder / "0.kbg", *cache, "--format", "markdown", "--html", page)
    assert [line for line in result.stdout.splitlines() if line.startswith("## ")] == [
        "## Ann: 1 game, 1 turn (16 visits a turn, seed 1)",
        "## Ben: 1 game, 1 turn (16 visits a turn, seed 1)",
    ]
    assert "Summary of 2 players" in page.read_text()


def test_only_one_seat_has_nobody_to_be_compared_with(folder, cache):
    result = review(folder, *cache, "--seat", "red", "--format", "json")
    data = json.loads(result.stdout)
    assert data["player"] == "Ann" and data["loss"]["win"]["others"] is None


def test_a_game_that_is_there_twice_counts_once(folder, cache, tmp_path):
    again = tmp_path / "again.kbg"
    again.write_text((folder / "0.kbg").read_text())
    result = review(folder, again, *cache, "--player", "Ann", "--format", "json")
    assert json.loads(result.stdout)["games"] == 3
    assert "left out: 1." in result.stderr


def test_an_unknown_player_is_an_error(folder, cache):
    result = review(folder, *cache, "--player", "Zoe")
    assert result.exit_code == 1
    assert "unknown player 'Zoe' (known: Ann, Ben, Cid)" in result.stderr


def test_a_review_can_be_of_one_player(folder, cache):
    result = run("review", folder, *cache, *FEW[1:], "--player", "Cid")
    assert result.exit_code == 0, result.stderr
    (title, turns, *_) = result.stdout.split("\n\n")
    assert "1.kbg" in title
    assert [line.split()[1] for line in turns.splitlines()[1:]] == ["blue"]


def test_a_file_that_cannot_be_read_is_told_at_the_end(folder, cache, tmp_path):
    bad = tmp_path / "bad.kbg"
    bad.write_text("Board: nowhere\n")
    result = review(folder, bad, *cache)
    assert result.exit_code == 1
    assert result.stdout.startswith("Ann: 3 games")
    assert "bad.kbg" in result.stderr


def test_ctrl_c_prints_the_summary_of_what_there_is(folder, monkeypatch):
    searched = 0

    def search(task):
        nonlocal searched
        searched += 1
        if searched > 9:
            raise KeyboardInterrupt
        return task.run()

    monkeypatch.setattr("kbai.review.bundles.run_task", search)
    result = review(folder, "--no-cache", "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["turns"] in (1, 2)
    assert "stopped after" in result.stderr and "nothing is kept" in result.stderr
