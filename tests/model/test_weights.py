"""The learned weights: read, checked, and used only for games like those they come from."""

import json
from importlib import resources

import pytest

from kbai import content
from kbai.core.errors import SearchError
from kbai.game.setup import Setup
from kbai.game.steps import advance
from kbai.model.features import seat_features
from kbai.model.weights import FILE, hash_of, model_for, parse, shipped
from kbai.search.params import SearchParams

TEXT = (resources.files("kbai") / "data" / FILE).read_text("utf-8")
POLICY = {"candidates": 4, "tile": 0.6, "least_build": 0.5, "least_move": 0.5}


def start(seats=2, sets=("base",), seed=1):
    return Setup.random(seed, seats=seats, sets=sets).start_position()


def changed(change):
    """Return the file with a change, its hash as it should be."""
    data = json.loads(TEXT)
    change(data["models"][0])
    return json.dumps(data | {"hash": hash_of(data["models"])})


def test_a_model_says_where_it_comes_from():
    for model in json.loads(TEXT)["models"]:
        made = model["made"]
        assert made["games"] > 1000 and len(made["commit"]) == 40
        assert {"seeds", "visits", "deep", "command", "date"} <= {*made}


def test_a_model_is_for_games_like_those_it_was_learned_from():
    assert model_for(start().board) is not None
    assert model_for(start(seats=3).board) is None
    assert model_for(start(sets=tuple(content.load().sets)).board) is None


def test_a_game_that_nothing_was_learned_of_is_searched_as_without_a_model():
    position = start(seats=4)
    position.draw(0)
    trees = [
        SearchParams(model=model).make_tree(position, seed=3, threads=1)
        for model in ("none", "learned")
    ]
    for tree in trees:
        tree.run(60)
    assert trees[0].edges() == trees[1].edges()


@pytest.mark.parametrize("place", [200, len(TEXT) // 2, len(TEXT) - 200])
def test_a_changed_digit_is_noticed(place):
    while not TEXT[place].isdigit():
        place += 1
    digit = "1" if TEXT[place] != "1" else "2"
    with pytest.raises(SearchError, match="damaged"):
        parse(TEXT[:place] + digit + TEXT[place + 1 :])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "damaged"),
        ("[]", "damaged"),
        (TEXT[: len(TEXT) // 2], "damaged"),
        (TEXT.replace('"format": 1', '"format": 2'), "expected format 1"),
        (changed(lambda model: model["linear"].update(always=[1.0])), "expected 3 weights"),
        (changed(lambda model: model["prior"].update(nonsense=[1, 2])), "unknown feature"),
        (changed(lambda model: model.pop("spread")), "damaged"),
    ],
)
def test_a_damaged_file_is_one_sentence(text, message):
    with pytest.raises(SearchError, match=message) as error:
        parse(text)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200


def test_the_kernel_guesses_what_the_weights_say():
    data = json.loads(TEXT)["models"][0]
    model, names = shipped()[0], seat_features()
    for seed in range(6):
        position = start(seed=seed)
        for step in position.copy().playout_steps(seed)[: 9 * seed]:
            advance(position, step)
        left = position.houses_left
        expected = []
        for row in position.seat_features():
            traits = {name: value for name, value in zip(names, row, strict=True) if value}
            linear = sum(
                value * weight * left**power
                for name, value in traits.items()
                for power, weight in enumerate(data["linear"].get(name, ()))
            )
            inputs = traits | {"bias": 1, "left": left, "left_squared": left**2}
            hidden = [
                sum(value * data["hidden"][name][k] for name, value in inputs.items()
                    if name in data["hidden"])
                for k in range(len(data["hidden"]["out"]))
            ]  # fmt: skip
            more = sum(
                max(x, 0) * out for x, out in zip(hidden, data["hidden"]["out"], strict=True)
            )
            expected.append(linear + more)
        assert position.guess(model.value) == pytest.approx(expected, rel=1e-4)


def test_guesses_tell_who_will_have_more():
    agreed = 0
    for seed in range(60):
        position = start(seed=900 + seed)
        steps = position.copy().playout_steps(seed, POLICY)
        for step in steps[: len(steps) * 3 // 4]:
            advance(position, step)
        gold, _ = position.playouts(16, seed, POLICY)
        guess = position.guess(shipped()[0].value)
        agreed += (guess[0] > guess[1]) == (gold[0] > gold[1])
    assert agreed >= 48


def test_weights_of_another_length_are_refused():
    with pytest.raises(ValueError, match="expected .* weights"):
        start().guess([0.0] * 3)


def test_a_tree_with_a_model_gives_the_same_answer_for_the_same_seed():
    position = start()
    position.draw(2)
    found = []
    for visits in ((300,), (100, 200)):
        tree = SearchParams(model="learned").make_tree(position, seed=5, threads=1)
        for count in visits:
            tree.run(count)
        found.append(tree.edges())
    plain = SearchParams().make_tree(position, seed=5, threads=1)
    plain.run(300)
    assert found[0] == found[1] != plain.edges()
