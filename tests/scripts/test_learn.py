"""The script that learns: its games can be played on, and its weights are what the games say."""

import json

import numpy as np
import pytest
from script_modules import load_script

from kbai.core.errors import KbaiError


@pytest.fixture(scope="module")
def learn():
    return load_script("learn")


@pytest.fixture(scope="module")
def game(learn):
    return json.loads(learn.play_game(learn.GameTask(5, 2, ("base",), visits=8, deep=40)))


def test_the_same_seed_gives_the_same_game(learn, game):
    again = learn.play_game(learn.GameTask(5, 2, ("base",), visits=8, deep=40))
    assert json.loads(again) == game
    assert len(game["gold"]) == 2 and game["looks"]


def test_a_game_can_be_replayed_and_its_looks_are_about_its_steps(learn, game):
    looks = dict(game["looks"])
    seen = {}
    for position, made, _ in learn.replay(game):
        if made in looks and not position.pending_draw:
            seen[made] = {step for step, _, _ in looks[made]} <= {*position.legal()}
    assert seen == dict.fromkeys(looks, True)


def test_every_turn_gives_a_row_for_each_seat(learn, game):
    data = learn.ValueData()
    turns = 0
    for position, _, is_new in learn.replay(game):
        if is_new:
            data.add(position, game["gold"], False)
            turns += 1
    ends = sum(step == 0 for step in game["steps"])
    assert ends <= turns <= ends + 1
    assert data.gold == game["gold"] * turns


def test_the_linear_part_finds_the_weights_that_made_the_gold(learn):
    rng = np.random.default_rng(1)
    x = np.zeros((4000, learn.N_SEAT_FEATURES), np.float32)
    x[:, :3] = rng.normal(size=(4000, 3))
    left = rng.random(4000).astype(np.float32)
    gold = 3 * x[:, 0] - 2 * x[:, 1] * left + 5 * x[:, 2] * left**2
    weights = learn.fit_linear(x, left, gold, np.ones(4000, bool), shrink=1e-3)
    rows = weights.reshape(learn.VALUE_POWERS, -1)[:, :3]
    assert rows == pytest.approx(np.array([[3, 0, 0], [0, -2, 0], [0, 0, 5]]), abs=0.02)


def test_hidden_units_find_what_is_not_linear(learn):
    rng = np.random.default_rng(2)
    inputs = rng.normal(size=(20_000, 4)).astype(np.float32)
    rest = np.abs(inputs[:, 0]) * 4
    first, out = learn.fit_hidden(inputs, rest, np.ones(len(rest), bool), seed=3, steps=3000)
    guess = np.maximum(inputs @ first, 0) @ out
    assert np.mean((guess - rest) ** 2) < 0.1 * rest.var()


def test_margins_are_to_the_best_opponent(learn):
    gold = np.array([30, 20, 25, 10, 40, 40.0])
    assert [*learn.margins(gold, 3)] == [5, -10, -5, -30, 0, 0]


def test_games_of_two_kinds_are_not_mixed(learn, game, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(
        json.dumps(game) + "\n" + json.dumps(game | {"sets": ["base", "nomads"]}) + "\n"
    )
    with pytest.raises(KbaiError, match="expected games like the first"):
        learn.collect([file])
