"""The script with the gates: its arithmetic, and what its files hold."""

import argparse
import json
import random

import pytest
from places import ROOT
from script_modules import load_script

from kbai.bots.specs import make_bot
from kbai.core.errors import KbaiError
from kbai.game.setup import Setup
from kbai.game.steps import END, advance, end_of
from kbai.notation.positions import format_line, parse_position

FILES = sorted((ROOT / "scripts" / "gates").glob("*.jsonl"))


@pytest.fixture(scope="module")
def gates():
    return load_script("gates")


@pytest.fixture(scope="module")
def line(gates, tmp_path_factory):
    """Return the line that is made of a position of two seats."""
    position = Setup.random(3, seats=2, sets=("base",)).start_position()
    position.draw(next(card for card, count in enumerate(position.draws()) if count))
    truth, file = (tmp_path_factory.mktemp("gates") / name for name in ("truth", "file"))
    about = {"seed": 3, "bot": "x", "position": format_line(position), "mover": position.mover}
    truth.write_text(json.dumps(about | {"gold": [[40, 30], [20, 50]]}) + "\n")
    args = argparse.Namespace(
        truth=truth, file=file, turned=1, bot="mcts1:visits=2", games=3, deep=40, workers=1
    )
    gates.make(args)
    once = file.read_text()
    gates.make(args)
    assert file.read_text() == once
    return json.loads(once)


def test_what_is_said_is_compared_without_the_noise_of_the_games(gates):
    rng = random.Random(4)
    rows = []
    for _ in range(400):
        worth = [rng.gauss(0, 3) for _ in range(6)]
        cards = [rng.gauss(0, 10) for _ in range(12)]
        margins = [[w + card + rng.gauss(0, 6) for card in cards] for w in worth]
        said = [5 + w + rng.gauss(0, 3) for w in worth]
        rows.append(gates.agreement(said, margins))
    assert gates.correlation(rows) == pytest.approx(0.5**0.5, abs=0.04)
    assert gates.correlation([row._replace(noise=0.0) for row in rows]) < 0.66
    low, high = gates.interval(rows, gates.correlation)[1:]
    assert low < gates.correlation(rows) < high < low + 0.1


def test_turns_that_games_cannot_tell_apart_have_no_correlation(gates):
    assert gates.correlation([gates.agreement([1, 2], [[3, 4], [3, 4]])]) == 0


def test_an_error_is_that_of_the_forecast_and_not_of_the_games(gates):
    rng = random.Random(5)
    rows = []
    for _ in range(3000):
        worth = rng.gauss(0, 10)
        games = [worth + rng.gauss(0, 12) for _ in range(16)]
        rows.append(gates.gap_of(worth + 1 + rng.gauss(0, 4), games))
    assert gates.error(rows) == pytest.approx(17**0.5, abs=0.2)
    assert gates.bias(rows) == pytest.approx(1, abs=0.3)


def test_games_that_were_all_won_are_no_proof(gates):
    assert gates.gap_of(1, [1, 1, 1], gates.doubt_of_wins([1, 1, 1])).noise > 0.05


def test_a_line_has_turns_with_the_games_of_each(line):
    assert line["gold"] == [[40, 30], [20, 50]]
    position = parse_position(line["position"])
    assert len(line["turns"]) >= 4
    ends = {format_line(end_of(position, turn["steps"])) for turn in line["turns"]}
    assert len(ends) == len(line["turns"])
    assert {len(turn["margins"]) for turn in line["turns"]} == {3}
    assert line["best"][-1] == END


def test_every_gate_asks_a_bot_and_gives_the_same_answer_again(gates, line):
    asked = gates.Asked(line, make_bot("mcts:visits=20"), 20)
    for work in (gates.said_of_turns, gates.forecast_of, gates.loss_of):
        assert work(asked) == work(asked) is not None


def test_the_turn_of_a_bot_is_played_to_its_end(gates, line):
    position = parse_position(line["position"])
    end = gates.after_turn(position, make_bot("mcts:visits=20"), 7)
    assert end.pending_draw and end != position
    assert end == gates.after_turn(position, make_bot("mcts:visits=20"), 7)


def test_only_bots_that_search_can_be_asked(gates, tmp_path):
    with pytest.raises(KbaiError, match="expected a bot that searches"):
        gates.ask(argparse.Namespace(bot="greedy", file=tmp_path))


def test_visits_are_changed_until_both_bots_take_the_same_time(gates, monkeypatch, capsys):
    monkeypatch.setattr(gates, "cpu_times", lambda args, seed: (2.0, 1.0))
    args = argparse.Namespace(
        bots=["mcts:visits=1000", "mcts1:visits=1000"], first_seed=1, timed=2, workers=1
    )
    assert gates.at_equal_time(args) == "mcts:visits=500"
    assert "2.000 times" in capsys.readouterr().out


def test_the_files_are_small_and_can_be_played(gates):
    assert FILES and sum(path.stat().st_size for path in FILES) < 300_000
    for path in FILES:
        for text in path.read_text().splitlines()[:5]:
            line = json.loads(text)
            position = parse_position(line["position"])
            assert position.mover == line["mover"]
            for turn in line.get("turns", ()):
                here = position.copy()
                for step in turn["steps"]:
                    assert step in here.legal()
                    advance(here, step)
