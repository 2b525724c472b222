"""Matches and tournaments from positions that the user names."""

import json

import pytest
from commands import run
from positions import START

from kbai.arena.plan import Plan
from kbai.arena.results import read_results
from kbai.bots.specs import parse_spec
from kbai.core.errors import ArenaError
from kbai.notation.games import parse_game
from kbai.notation.positions import format_line, parse_position

LATER = START.replace("red=-", "red=n16,o15,p15").replace("turn=red", "turn=blue")
OTHER = START.replace("oasis", "oasis*")
PLAY = ("match", "greedy", "random", "--seed", 1, "--threads", "--workers", 1)
BOTS = (parse_spec("greedy"), parse_spec("random"))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "starts.txt"
    path.write_text(f"{START}\n{LATER}\n")
    return path


def starts(journal):
    """Return the line of the start position of each game, by deal and rotation."""
    _, results = read_results(journal)
    return {
        (game.deal, game.rotation): format_line(parse_game(game.game).start) for game in results
    }


def test_deals_take_the_positions_in_turn_and_play_each_in_every_rotation(file, tmp_path):
    journal = tmp_path / "match.jsonl"
    (tmp_path / "other.txt").write_text(OTHER)
    result = run(
        *PLAY, "--groups", 4, "--position", file, "--position", tmp_path / "other.txt",
        "--out", journal,
    )  # fmt: skip
    assert result.exit_code == 0
    assert "Seed 1; from 3 start positions." in result.stdout
    lines = [format_line(parse_position(line)) for line in (START, LATER, OTHER, START)]
    assert starts(journal) == {
        (deal, rotation): line for deal, line in enumerate(lines) for rotation in (0, 1)
    }
    first = {game.deal: game.start for game in read_results(journal)[1]}
    assert first == {0: 0, 1: 1, 2: 0, 3: 0}  # who moves first from there


def test_a_tournament_takes_them_too(file):
    bots = ("tournament", "greedy", "random", "random")
    result = run(*bots, "--groups", 1, "--seed", 1, "--threads", "--position", file)
    assert result.exit_code == 0
    assert "from 2 start positions." in result.stdout


def test_a_journal_is_resumed_with_the_same_positions_only(file, tmp_path):
    journal = tmp_path / "match.jsonl"
    run(*PLAY, "--groups", 1, "--position", file, "--out", journal)
    result = run(*PLAY, "--groups", 2, "--position", file, "--out", journal)
    assert "note: 2 of 4 games are in" in result.stderr
    whole = tmp_path / "whole.jsonl"
    run(*PLAY, "--groups", 2, "--position", file, "--out", whole)
    assert run("standings", journal).stdout == run("standings", whole).stdout == result.stdout
    result = run(*PLAY, "--groups", 2, "--out", journal)
    assert result.exit_code == 1
    assert "this journal belongs to another plan: positions" in result.stderr


def test_a_plan_without_positions_is_written_as_before_there_were_any():
    plan = Plan(BOTS, 2, 1, 1)
    assert "positions" not in plan.to_dict()
    assert Plan.from_dict(plan.to_dict()) == plan
    fixed = Plan(BOTS, 2, 1, 1, positions=(START,))
    data = json.loads(json.dumps(fixed.to_dict()))
    assert data["positions"] == [START]
    assert Plan.from_dict(data) == fixed


def test_a_position_that_cannot_be_played_from_is_refused(tmp_path):
    with pytest.raises(ArenaError, match=r"with 2 seats; start position 2 has 3"):
        third = START.replace("blue=-", "blue=- orange=-")
        Plan(BOTS, 2, 1, 1, positions=(START, third))
    game = tmp_path / "game.kbg"
    game.write_text(run("playout", "--seed", 1).stdout)
    result = run(*PLAY, "--position", game)
    assert result.exit_code == 2
    assert "start position 1: expected a game that goes on" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    "option",
    [
        ("--sets", "base"),
        ("--board", "farm,barn,oasis,tower"),
        ("--cards", "lords"),
        ("--exclude-cards", "lords"),
        ("--option", "lost_tiles_return=true"),
    ],
)
def test_what_would_be_drawn_cannot_be_chosen_beside_positions(file, option):
    result = run(*PLAY, "--position", file, *option)
    assert result.exit_code == 2
    assert f"--position and {option[0]} contradict each other." in result.stderr
