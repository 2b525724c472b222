"""What Python hands to a tree is checked, and two threads cannot use it at once."""

import threading
import time

import pytest
from positions import position

from kbai._mcts import Tree
from kbai.search.params import SearchParams

START = "red=- blue=- turn=red card=flower"


def make_tree() -> Tree:
    return SearchParams().make_tree(position(START), seed=1, threads=1)


@pytest.mark.parametrize("steps", [(511,), (2**32 - 1,), (-1,), (2**40,), (2 << 24, 3 << 24), (0,)])
@pytest.mark.parametrize("key", ["allow", "avoid"])
def test_an_illegal_step_of_a_turn_is_refused(key, steps):
    tree = make_tree()
    legal = position(START).legal()[0]
    with pytest.raises(ValueError, match="expected a legal step in a turn, got"):
        tree.restrict(**({"allow": [], "avoid": []} | {key: [(legal,), steps]}))
    tree.run(20)
    assert tree.visits == 20


@pytest.mark.parametrize("allow", [3, [3], None])
def test_what_is_no_list_of_turns_is_refused(allow):
    with pytest.raises(TypeError):
        make_tree().restrict(allow, [])


def test_a_tree_that_was_not_made_says_so():
    tree = Tree.__new__(Tree)
    for use in (
        lambda: tree.run(1),
        lambda: tree.visits,
        lambda: tree.is_proven,
        lambda: tree.move_to(position(START)),
        lambda: tree.restrict([], []),
        lambda: tree.count_holders(),
        lambda: tree.holders(),
        lambda: tree.root(),
        lambda: tree.edges(),
        lambda: tree.turns(1),
        lambda: tree.main_line((), 1),
    ):
        with pytest.raises(ValueError, match="not made completely"):
            use()


@pytest.mark.parametrize("key", ["exploration", "fpu", "experience", "margin_weight"])
def test_parameters_are_finite_numbers(key):
    values = {
        "seed": 1, "playout": "random", "exploration": 1, "fpu": 0, "priors": False,
        "prior_temperature": 1, "experience": 0, "merge": True, "horizon": 9, "margin_weight": 0,
        "margin_scale": 1,
    }  # fmt: skip
    with pytest.raises(ValueError, match=f"expected a finite number for {key}, got nan"):
        Tree(position(START), **(values | {key: float("nan")}))


def test_a_negative_number_of_turns_is_refused():
    with pytest.raises(ValueError, match="expected a number of turns, got -1"):
        make_tree().turns(-1)


def test_a_tree_in_use_says_so_and_stays_whole():
    tree = make_tree()
    done = threading.Event()

    def grow() -> None:
        while not done.is_set():
            # Long enough for the other thread to come at least once while it lasts.
            tree_is_free = False
            while not tree_is_free:
                try:
                    tree.run(2_000)
                    tree_is_free = True
                except RuntimeError:
                    pass

    other = threading.Thread(target=grow)
    other.start()
    n_refused = 0
    deadline = time.monotonic() + 60
    uses = (
        lambda: tree.run(10),
        lambda: tree.edges(),
        lambda: tree.turns(5),
        lambda: tree.visits,
        lambda: tree.main_line((), 9),
    )
    try:
        while n_refused < 50 and time.monotonic() < deadline:
            for use in uses:
                try:
                    use()
                except RuntimeError as error:
                    assert "this tree is in use" in str(error)
                    n_refused += 1
    finally:
        done.set()
        other.join()
    assert n_refused >= 50
    assert tree.visits == tree.runs
