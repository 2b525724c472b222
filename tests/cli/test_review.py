"""``kbai review``: what it reads, prints, keeps and refuses."""

import errno
import json
import os
import re

import pytest
from click.testing import CliRunner
from places import DOCS

from kbai.cli import main
from kbai.cli.run_review import usual_cache
from kbai.game.setup import Setup
from kbai.notation.games import format_game, record_game

FEW = ("--visits", "16", "--workers", "1")


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return tmp_path / "caches"


@pytest.fixture
def game_file(tmp_path):
    path = tmp_path / "game.kbg"
    path.write_text(first_turns(3))
    return path


def first_turns(n):
    setup = Setup.random(4, seats=2)
    start = setup.start_position()
    lines = format_game(record_game(start, start.copy().playout_steps(4))).splitlines()
    head = lines.index("") + 1
    return "\n".join(lines[: head + n]) + "\n"


def run(*args, input=None):
    return CliRunner().invoke(main, ["review", *map(str, args)], input=input)


def test_a_review_has_a_line_for_every_turn_and_every_seat(game_file):
    result = run(game_file, *FEW)
    assert result.exit_code == 0, result.stderr
    title, turns, seats, intro, check, legend, meaning = result.stdout.split("\n\n")
    assert title == f"{game_file}: unfinished (16 visits a turn, seed 1)"
    assert [line.split()[0] for line in turns.splitlines()] == ["turn", "1", "2", "3"]
    assert [line.split()[0] for line in seats.splitlines()] == ["seat", "red", "blue"]
    assert [line.split("  ")[0] for line in check.splitlines()[1:]] == [
        "red, win %",
        "blue, win %",
        "red, gold",
        "blue, gold",
    ]
    assert legend.startswith("win %")
    assert meaning.startswith("A win % is how often the seat would win")


def test_the_numbers_of_the_check_line_add_up(game_file):
    check = run(game_file, *FEW).stdout.split("\n\n")[4]
    for line in check.splitlines()[1:]:
        start, luck, own, others, rest, _, result, _ = map(float, line.split()[-8:])
        assert start + luck - own + others + rest == pytest.approx(result, abs=0.31)


def test_json_has_one_object_per_game(game_file):
    result = run(game_file, game_file, *FEW, "--format", "json")
    first, second = map(json.loads, result.stdout.splitlines())
    assert first == second
    assert first["visits_per_turn"] == 16 and first["problem"] is None
    turn = first["turns"][0]
    assert turn["turn"] == 1 and set(turn["luck"]) == {"red", "blue"}
    assert set(turn["best"]["seats"]["red"]) == {"win", "gold", "margin", "sources"}
    assert {"value", "low", "high"} == set(turn["loss"]["win"])
    assert set(first["seats"]["red"]["marks"]) == {"?!", "?", "??"}


def test_every_key_is_documented(game_file):
    found = json.loads(run(game_file, *FEW, "--turns", "1", "--format", "json").stdout)
    page = (DOCS / "review.md").read_text("utf-8")
    section = page.partition("## As JSON")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", section))
    own = {*found, *found["turns"][0], *found["seats"]["red"], *found["turns"][0]["loss"]}
    assert own <= named
    assert named == own


def test_a_second_run_searches_only_what_is_new(game_file, tmp_path):
    cache = tmp_path / "cache.jsonl"
    part = run(game_file, *FEW, "--cache", cache, "--turns", "1-2")
    before = cache.read_bytes()
    whole = run(game_file, *FEW, "--cache", cache)
    after = cache.read_bytes()
    assert after.startswith(before) and len(after) > len(before)
    again = run(game_file, *FEW, "--cache", cache)
    assert again.stdout == whole.stdout != part.stdout
    assert cache.read_bytes() == after
    assert run(game_file, *FEW, "--no-cache").stdout == whole.stdout


def test_a_line_that_was_half_written_is_searched_again(game_file, tmp_path):
    cache = tmp_path / "cache.jsonl"
    whole = run(game_file, *FEW, "--cache", cache)
    data = cache.read_bytes()
    cache.write_bytes(data[:-20])
    assert run(game_file, *FEW, "--cache", cache).stdout == whole.stdout
    assert cache.read_bytes() == data


def test_the_default_cache_is_in_the_cache_folder(game_file, cache_folder):
    run(game_file, *FEW, "--turns", "1")
    assert usual_cache() == str(cache_folder / "kbai" / "review.jsonl")
    assert (cache_folder / "kbai" / "review.jsonl").is_file()


def test_a_review_works_without_the_default_cache(game_file, cache_folder):
    cache_folder.write_text("a file where a folder should be")
    result = run(game_file, *FEW, "--turns", "1")
    assert result.exit_code == 0
    assert "note: nothing is kept" in result.stderr


@pytest.mark.parametrize("named", [(), ("--cache", "cache.jsonl")])
def test_a_disk_that_gets_full_costs_only_the_cache(game_file, tmp_path, monkeypatch, named):
    def full(file, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.chdir(tmp_path)
    run(game_file, *FEW, "--turns", "1", *named)
    monkeypatch.setattr("kbai.compute.journal._write", full)
    result = run(game_file, *FEW, *named)
    assert result.exit_code == 0
    assert result.stdout == run(game_file, *FEW, "--no-cache").stdout
    assert result.stderr.count("note: no more searches are kept: could not write to ") == 1


def test_turns_are_played_on_and_their_games_kept(game_file, tmp_path, monkeypatch):
    monkeypatch.setattr("kbai.review.games.VISITS", 1)
    monkeypatch.setattr("kbai.review.games.NEAR", 0.0)
    cache = tmp_path / "cache.jsonl"
    searched = run(game_file, *FEW, "--turns", "3", "--cache", cache, "--no-rollouts")
    assert "games" not in searched.stdout
    before = cache.read_bytes()
    played = run(game_file, *FEW, "--turns", "3", "--cache", cache, "--rollouts", 2)
    after = cache.read_bytes()
    assert after.startswith(before) and after.count(b'"endings"') == 1
    _, table, *_, legend, _ = played.stdout.split("\n\n")
    head, row = table.splitlines()
    assert head.split()[-1] == "games" and row.split()[-1] == "2"
    assert "games         played on from each of the two turns" in legend
    again = run(game_file, *FEW, "--turns", "3", "--cache", cache, "--rollouts", 2)
    assert again.stdout == played.stdout and cache.read_bytes() == after


@pytest.mark.slow
def test_workers_change_nothing(game_file):
    one = run(game_file, *FEW, "--no-cache")
    two = run(game_file, "--visits", 16, "--workers", 2, "--no-cache")
    assert one.stdout == two.stdout


def test_turns_and_seats_are_chosen(game_file):
    result = run(game_file, *FEW, "--seat", "BLUE", "--format", "json")
    assert [turn["turn"] for turn in json.loads(result.stdout)["turns"]] == [1, 3]
    result = run(game_file, *FEW, "--turns", "2-3", "--format", "json")
    assert [turn["turn"] for turn in json.loads(result.stdout)["turns"]] == [2, 3]
    result = run(game_file, *FEW, "--turns", "90")
    assert (result.exit_code, result.stdout) == (1, "")
    assert (
        result.stderr == f"Error: {game_file}: no turn is chosen; the game has the turns 1 to 3.\n"
    )


def test_time_is_a_limit_too(game_file):
    result = run(game_file, "--time", "0.05", "--workers", 1, "--turns", "1")
    assert result.exit_code == 0
    assert "(0.05 s a turn, seed 1)" in result.stdout


def test_folders_journals_and_stdin_are_read(game_file, tmp_path):
    journal = tmp_path / "match.jsonl"
    CliRunner().invoke(
        main,
        [
            "match",
            "random",
            "random",
            "--groups",
            "1",
            "--seed",
            "1",
            "--workers",
            "1",
            "--threads",
            "--out",
            str(journal),
        ],
    )
    result = run(tmp_path, *FEW, "--turns", "1", "--format", "json")
    names = [json.loads(line)["name"] for line in result.stdout.splitlines()]
    assert names[0] == str(game_file)
    assert [name.split()[0] for name in names[1:]] == [str(journal)] * 2
    piped = run("-", *FEW, "--turns", "1", input=game_file.read_text())
    assert piped.stdout.startswith("stdin: ")


def test_an_illegal_turn_ends_the_review_and_is_reported(game_file):
    lines = game_file.read_text().splitlines()
    lines[-1] = f"{lines[-1].rpartition(' ')[0]} a1 a1"
    game_file.write_text("\n".join(lines))
    result = run(game_file, *FEW)
    assert result.exit_code == 1
    where = f"{game_file}, line {len(lines)}, column"
    assert where in result.stderr and "Traceback" not in result.stderr
    flat = " ".join(result.stdout.split())
    assert f"Reviewed as far as the file can be read. {where}" in flat
    assert [line.split()[0] for line in result.stdout.split("\n\n")[2].splitlines()] == [
        "turn",
        "1",
        "2",
    ]


def test_half_a_file_is_reviewed_as_far_as_it_goes(game_file):
    game_file.write_text(game_file.read_text()[:-6])
    result = run(game_file, *FEW, "--format", "json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [turn["turn"] for turn in found["turns"]] == [1, 2]
    assert found["problem"] in result.stderr


def test_one_bad_file_does_not_stop_the_others(game_file, tmp_path):
    bad = tmp_path / "bad.kbg"
    bad.write_text("Board: nowhere\nSeats: red,blue\n\n1 red flower: a1\n")
    missing = tmp_path / "missing.kbg"
    result = run(bad, missing, game_file, *FEW, "--turns", "1")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{game_file}: ")
    assert "bad.kbg, line 1" in result.stderr and "missing.kbg" in result.stderr


@pytest.mark.parametrize(
    "text, told",
    [
        ("kb2 board=tavern", "expected a game, got a position"),
        (
            '{"format":2,"journal":"kbai","plan":{},"plan_id":"x"}\n',
            "format 2 of journals is unknown",
        ),
        ("Edition: 2\n\n1 red flower: a1", "unknown header key 'Edition'"),
    ],
)
def test_what_another_version_wrote_is_refused(tmp_path, text, told):
    path = tmp_path / "other.kbg"
    path.write_text(text)
    result = run(path, *FEW)
    assert result.exit_code == 1
    assert told in result.stderr and result.stdout == ""


def test_a_cache_that_cannot_be_written_is_refused_before_the_work(game_file, tmp_path):
    for path in (tmp_path / "game.kbg", tmp_path / "game.kbg" / "cache.jsonl"):
        result = run(game_file, *FEW, "--cache", path)
        assert result.exit_code == 1
        assert result.stdout == "" and "Traceback" not in result.stderr
        assert "game.kbg" in result.stderr


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("game.kbg", "--turns", "9-5"),
        ("game.kbg", "--turns", "x"),
        ("game.kbg", "--seat", "pink"),
        ("game.kbg", "--visits", "0"),
        ("game.kbg", "--cache", "x", "--no-cache"),
        ("game.kbg", "--rollouts", "8", "--no-rollouts"),
        ("game.kbg", "--rollouts", "0"),
    ],
)
def test_wrong_usage_exits_with_2(args):
    assert run(*args).exit_code == 2


def test_a_page_is_written_for_one_game(game_file, tmp_path):
    page = tmp_path / "page.html"
    result = run(game_file, *FEW, "--turns", "1", "--html", page)
    assert result.exit_code == 0 and result.stdout.startswith(f"{game_file}: ")
    assert page.read_text().startswith("<!DOCTYPE html>")
    several = run(game_file, game_file, *FEW, "--html", page)
    assert several.exit_code == 1
    assert "expected one game for --html, got 2" in several.stderr and several.stdout == ""


def test_a_page_that_cannot_be_written_is_refused_before_the_work(game_file):
    result = run(game_file, *FEW, "--html", game_file / "page.html")
    assert result.exit_code == 2
    assert "page.html" in result.stderr and result.stdout == ""


def test_a_seat_that_does_not_play_is_reported(game_file):
    result = run(game_file, *FEW, "--seat", "green")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {game_file}: unknown seat 'green' (known: red, blue).\n"


def test_a_game_without_turns_is_reported(tmp_path):
    path = tmp_path / "start.kbg"
    path.write_text(first_turns(0))
    result = run(path, *FEW)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {path}: expected a game with turns, got one without.\n"


def test_games_with_turns_to_review_are_reviewed_beside_one_without(game_file, tmp_path):
    (tmp_path / "start.kbg").write_text(first_turns(0))
    result = run(game_file, tmp_path / "start.kbg", *FEW)
    assert result.exit_code == 0
    assert "There is no turn to review." in result.stdout


def test_a_file_that_is_missing_or_empty_is_reported(tmp_path):
    result = run(tmp_path / "nofile", *FEW)
    assert result.exit_code == 1
    assert result.stderr == (
        "Error: expected a game file, a folder of games or a journal, "
        f"got '{tmp_path / 'nofile'}': there is no such file.\n"
    )
    (tmp_path / "empty.kbg").write_text("\n")
    result = run(tmp_path / "empty.kbg", *FEW)
    assert result.exit_code == 1
    assert (
        result.stderr == f"Error: {tmp_path / 'empty.kbg'}: expected a game, got an empty file.\n"
    )


def test_a_pipe_in_a_folder_is_not_waited_for(game_file, tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    game = game_file.rename(folder / "game.kbg")
    os.mkfifo(folder / "pipe.kbg")
    os.mkfifo(folder / "pipe.jsonl")
    result = run(folder, *FEW)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{game}: ")


def test_ctrl_c_prints_the_turns_reviewed_so_far(game_file, monkeypatch):
    searched = 0

    def search(task):
        nonlocal searched
        searched += 1
        if searched > 6:
            raise KeyboardInterrupt
        return task.run()

    monkeypatch.setattr("kbai.review.bundles.run_task", search)
    result = run(game_file, *FEW, "--no-cache")
    assert result.exit_code == 1
    _, turns, *_ = result.stdout.split("\n\n")
    numbers = [line.split()[0] for line in turns.splitlines()[1:]]
    assert numbers and len(numbers) < 3
    assert f"stopped after {len(numbers)} of 3 turns; nothing is kept." in result.stderr


def test_an_empty_folder_is_reported(tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    result = run(folder)
    assert result.exit_code == 1
    assert "expected game files '*.kbg', saved logs or journals of matches" in result.stderr


@pytest.mark.slow
def test_a_cluster_gives_the_same_bytes_and_takes_what_is_known(game_file, tmp_path):
    pytest.importorskip("distributed")
    cache = tmp_path / "cache.jsonl"
    here = run(game_file, *FEW, "--no-cache")
    assert run(game_file, *FEW, "--turns", "1-2", "--cache", cache).exit_code == 0
    known = cache.read_bytes()
    there = run(game_file, *FEW[:2], "--cluster", "local:2", "--cache", cache)
    assert (there.exit_code, there.stdout) == (0, here.stdout)
    lines = cache.read_bytes().splitlines()
    assert cache.read_bytes().startswith(known) and len({*lines}) == len(lines)
