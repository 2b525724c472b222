"""What the page shows of any position: random games with all sets meet every kind of step."""

import json
import random

import pytest

from kbai.content import load
from kbai.game.setup import Setup, setup_of
from kbai.game.steps import advance, next_steps
from kbai.notation.positions import parse_position
from kbai.web.editing import edit, editable
from kbai.web.sentences import sentence
from kbai.web.views import scene_dict, view_dict


def random_positions(seed, every):
    """Yield some positions of a random game, in the middle of turns too."""
    rng = random.Random(seed)
    seats = rng.randrange(2, 6)
    position = Setup.random(seed, sets=tuple(load().sets), seats=seats).start_position()
    count = 0
    while True:
        if count % every == 0 or position.is_over:
            yield position.copy()
        if position.is_over:
            return
        advance(position, rng.choice(next_steps(position)))
        count += 1


@pytest.mark.parametrize("seed", range(6))
def test_every_position_has_a_sentence_and_a_view(seed):
    kinds = set()
    for position in random_positions(seed, every=7):
        view = view_dict(position)
        text = str(view["sentence"])
        assert text == sentence(position)
        assert text.endswith((".", "?")) and "_" not in text and text[0].isupper()
        json.dumps(view, allow_nan=False)
        for step in view["steps"]:
            kinds.add(step["kind"])
            assert step["cell"] or step["label"], step
        assert bool(view["steps"]) == (not position.is_over and not position.pending_draw)
    assert {"build", "end"} < kinds


@pytest.mark.parametrize("seed", range(4))
def test_the_editor_gives_back_what_it_was_given(seed):
    for position in random_positions(seed, every=60):
        edited = edit(editable(position))
        assert edited.position == position and not edited.problems


def test_a_scene_names_every_hex_of_board_and_island():
    setup = Setup.random(3, sets=tuple(load().sets))
    scene = scene_dict(setup)
    hexes = sum(letter != "." for letter in "".join(setup.letters))
    assert len(scene["cells"]) == len(scene["texts"]) == hexes
    assert "~b3" in scene["texts"] or not setup.island


def test_a_mover_is_told_what_can_be_done():
    position = Setup.first_game().start_position()
    assert sentence(position) == "Red turns up a card: which one?"
    position.draw(0)
    assert sentence(position) == "Red to move with grass: build 3 houses on grass."
    position.apply(position.legal()[0])
    assert sentence(position) == "Red builds 2 more houses on grass."
    assert setup_of(position).seats == ("red", "blue")


def test_a_mover_is_told_which_tiles_there_are_while_they_are_few():
    line = "kb1 board=tavern,paddock,oasis,farm cards=lords red={} blue=- turn=red card=flower"
    few = parse_position(line.format("n16,h14/tiles=farm@m16,oasis@h13"))
    assert sentence(few).endswith("on flower, or first use the farm or the oasis.")
    many = parse_position(line.format("n16,h14,k7/tiles=farm@m16,oasis@h13,paddock@l7"))
    assert sentence(many).endswith("on flower, or first use one of the 3 actions below.")
