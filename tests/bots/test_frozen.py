"""mcts1 plays as it always did: what it is measured with must not move."""

import ast
import hashlib
import inspect
from dataclasses import fields

from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bench.signature import run_bench
from kbai.bots import builtin
from kbai.bots.specs import make_bot
from kbai.game.setup import Setup
from kbai.search.params import SearchParams

# Never to be changed: of `kbai bench --visits 64`, and of two games, when mcts1 was frozen.
SIGNATURE = "af8a8624b420"
GAMES = "3fa208c6fee5"


def steps_of_a_game(setup):
    start = setup.start_position()
    bots = [make_bot("mcts1:visits=60") for _ in setup.seats]
    return play(start, Deal(start, 1), lambda view: bots[view.seat].choose(view), seed=1).steps


def test_its_search_has_the_signature_that_it_was_frozen_with():
    assert run_bench(64, builtin.MCTS1).signature == SIGNATURE


def test_it_plays_the_games_that_it_was_frozen_with():
    steps = [
        steps_of_a_game(Setup.random(1, seats=2, sets=("base",))),
        steps_of_a_game(Setup.random(2, seats=3, sets=("base", "nomads", "crossroads"))),
    ]
    assert hashlib.blake2b(repr(steps).encode(), digest_size=6).hexdigest() == GAMES


def test_no_default_of_a_parameter_can_change_it():
    tree = ast.parse(inspect.getsource(builtin))
    (call,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MCTS1"
    )
    assert {keyword.arg for keyword in call.keywords} == {
        item.name for item in fields(SearchParams)
    }


def test_it_has_no_options_but_its_budget():
    kind = next(kind for kind in builtin.BUILTIN if kind.name == "mcts1")
    assert [option.name for option in kind.options] == ["visits", "seconds", "threads"]
