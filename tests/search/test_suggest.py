"""Suggestions: endings solved, honest, the same from the same seed, sensible at any budget."""

import dataclasses
import json
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import endings
import pytest
from mixed import mixed_position
from positions import position, random_positions

import kbai
from kbai import content
from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bots.protocol import View
from kbai.bots.specs import make_bot
from kbai.core.errors import SearchError
from kbai.game.setup import Setup
from kbai.game.steps import advance, draw_step
from kbai.notation.games import record_game
from kbai.notation.positions import format_line
from kbai.report.suggestion_json import WITH_REASONS, suggestion_dict
from kbai.search import searcher
from kbai.search.calibration import log_odds, misjudged_in
from kbai.search.params import Limit, SearchParams
from kbai.search.ranking import StepChoice, best_of, ranked
from kbai.search.searcher import Searcher, split
from kbai.search.suggest import suggest

START = position("red=- blue=- turn=red card=flower")
ALL_SETS = tuple(content.load().sets)


def answer(start, visits=300, seed=1, **options):
    """Return a suggestion as the command prints it."""
    found = suggest(start, Limit(visits), seed=seed, **options)
    return json.dumps(suggestion_dict(found, WITH_REASONS))


def five_seats(seed=1):
    setup = Setup.random(seed, seats=5, sets=ALL_SETS)
    start = setup.start_position()
    for step in start.copy().playout_steps(seed)[:40]:
        advance(start, step)
    return start


# --- what is suggested --------------------------------------------------------------------------


@pytest.mark.slow
def test_last_turns_are_solved():
    params = SearchParams()
    found = [endings.solved(seed, params) for seed in endings.SMALL]
    assert len(found) == 50
    losses = [endings.loss(ending, Limit(4000), params) for ending in found]
    assert sum(loss > 0 for loss in losses) <= 1, losses
    assert max(losses) <= 1


def test_what_is_exact_says_so():
    params, n_exact = SearchParams(), 0
    for seed in endings.SMALL[:8]:
        ending = endings.solved(seed, params)
        best = suggest(ending.position, Limit(20_000), seed=1).turns[0]
        if best.is_proven:
            n_exact += 1
            mover = ending.position.mover
            assert best.utility == pytest.approx(ending.utility(ending.position), abs=1e-6)
            win, gold = best.seats[mover].win, best.seats[mover].gold
            assert win.low == win.value == win.high
            assert gold.low == gold.value == gold.high
    assert n_exact >= 6


def test_turns_can_be_played_and_are_ranked():
    found = suggest(START, Limit(3000), seed=1, top=5)
    assert len(found.turns) == 5
    assert found.visits == 3000
    for choice in found.turns:
        after = START.copy()
        for step in (*choice.steps, *choice.line):
            advance(after, step)
        (turn,) = record_game(START, choice.steps).turns
        assert turn.finished
        for outlook in choice.seats:
            assert outlook.win.low <= outlook.win.value <= outlook.win.high
            assert 0 < sum(outlook.sources) < outlook.gold.value
        assert sum(outlook.win.value for outlook in choice.seats) == pytest.approx(1)
    best = found.turns[0]
    assert best.visits * 4 >= max(choice.visits for choice in found.turns)
    assert len({frozenset(choice.steps) for choice in found.turns}) == 5


def test_a_card_that_is_to_come_gives_a_turn_for_each():
    start = position("red=- blue=- turn=red card=hidden")
    assert start.pending_draw
    found = suggest(start, Limit(2000), seed=1)
    assert [choice.steps[0] for choice in found.turns] == [draw_step(card) for card in range(5)]
    assert sum(choice.odds for choice in found.turns) == pytest.approx(1)
    for choice in found.turns:
        assert record_game(start, choice.steps).turns[0].finished


def test_more_visits_narrow_the_intervals():
    few, many = (suggest(START, Limit(n), seed=1).turns[0].seats[0] for n in (20, 8000))
    assert many.win.high - many.win.low < few.win.high - few.win.low
    assert many.gold.high - many.gold.low < few.gold.high - few.gold.low


def test_no_number_of_visits_makes_an_interval_narrower_than_what_searches_misjudge():
    outlook = suggest(START, Limit(30_000), seed=1).turns[0].seats[0]
    doubt = misjudged_in(START)
    assert outlook.gold.high - outlook.gold.value >= 1.96 * doubt.gold
    assert outlook.margin.high - outlook.margin.value >= 1.96 * doubt.margin
    width = log_odds(outlook.win.high) - log_odds(outlook.win.low)
    assert width >= 2 * 1.96 * doubt.win


# --- honest -------------------------------------------------------------------------------------


class TwistedDeal(Deal):
    """A deal in which all that nobody has seen changes places once."""

    def twist(self, seed):
        generator = random.Random(seed)
        places = [(hand, i) for hand in (*self.hands, self.pile) for i in range(len(hand))]
        cards = [hand[i] for hand, i in places]
        generator.shuffle(cards)
        for (hand, i), card in zip(places, cards, strict=True):
            hand[i] = card


@pytest.mark.parametrize("sets", [("base",), ALL_SETS], ids=["base", "all"])
def test_hidden_cards_change_nothing(sets):
    setup = Setup.random(3, seats=3, sets=sets)
    start = setup.start_position()
    seen = []
    for twist in (None, 1, 2):
        deal = TwistedDeal(start, 5)
        views = []

        def choose(view, deal=deal, views=views, twist=twist):
            views.append(view)
            if len(views) == 12 and twist is not None:
                deal.twist(twist)
            return make_bot("greedy").choose(view)

        play(start, deal, choose, seed=1, max_steps=40)
        seen.append((views[11], deal))
    assert len({str((deal.hands, deal.pile)) for _, deal in seen}) == 3
    assert len({answer(view.position, 200) for view, _ in seen}) == 1
    bots = [make_bot("mcts:visits=200") for _ in seen]
    assert len({bot.choose(view) for bot, (view, _) in zip(bots, seen, strict=True)}) == 1


# --- the same from the same seed ----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_fresh_process_answers_byte_for_byte_the_same(threads):
    start = five_seats()
    code = "from kbai.cli import main; main(prog_name='kbai')"
    line = [sys.executable, "-c", code, "suggest", format_line(start), "--format", "json",
            "--visits", "500", "--seed", "7", "--threads", threads]  # fmt: skip
    variables = os.environ | {"PYTHONPATH": str(Path(kbai.__file__).parents[1])}
    outputs = [
        subprocess.run(
            line, env=variables | {"PYTHONHASHSEED": salt}, capture_output=True, check=True
        ).stdout
        for salt in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert answer(start, 500, 7, threads=int(threads), top=5) == outputs[0].decode().rstrip("\n")


def test_slices_change_nothing(monkeypatch):
    wanted = answer(START, 1500), answer(START, 1500, threads=3)
    for first, slice_s, growth in ((1, 1e-6, 2), (7, 0.001, 3), (10**9, 9, 9)):
        monkeypatch.setattr(searcher, "FIRST_SLICE", first)
        monkeypatch.setattr(searcher, "SLICE_S", slice_s)
        monkeypatch.setattr(searcher, "GROWTH", growth)
        assert (answer(START, 1500), answer(START, 1500, threads=3)) == wanted


def test_another_seed_is_another_search():
    assert answer(START, seed=1) != answer(START, seed=2)
    assert answer(START) != answer(START, threads=2)


# --- any budget, any position -------------------------------------------------------------------


@pytest.mark.parametrize(
    "limit", [Limit(1), Limit(2), Limit(3), Limit(seconds=0.01), Limit(50, 60.0)], ids=str
)
@pytest.mark.parametrize("threads", [1, 3])
def test_any_budget_gives_a_legal_answer(limit, threads):
    for start in (START, five_seats(), mixed_position("red=- blue=- turn=red card=grass")):
        found = suggest(start, limit, seed=1, threads=threads)
        assert found.visits >= 1
        if limit.visits:
            assert found.visits == limit.visits
        after = start.copy()
        for step in found.turns[0].steps:
            advance(after, step)
        assert json.loads(json.dumps(suggestion_dict(found)))["turns"]


@pytest.mark.slow
def test_odd_positions_have_an_answer():
    met = set()
    for number, start in enumerate(random_positions(36, share=0.03)):
        found = suggest(start, Limit(20), seed=number)
        suggestion_dict(found)
        if start.is_over:
            met.add("over")
            assert found.turns == ()
        elif start.pending_draw:
            met.add("draw")
            assert {choice.steps[0] for choice in found.turns} <= {
                draw_step(card) for card, count in enumerate(start.draws()) if count
            }
        else:
            met.add("reaction" if start.actor != start.mover else "turn")
            if len(start.legal()) == 1:
                met.add("forced")
                assert found.turns[0].steps[0] == start.legal()[0]
            assert found.turns
    assert met >= {"over", "draw", "turn", "forced"}, met


def test_a_limit_of_time_is_kept():
    before = time.process_time()  # of both threads; less if the machine is busy
    found = suggest(five_seats(), Limit(seconds=0.2), seed=1, threads=2)
    assert found.visits > 2
    assert time.process_time() - before < 5


@pytest.mark.parametrize("values", [{}, {"visits": 0}, {"seconds": 0.0}, {"seconds": float("inf")}])
def test_a_limit_is_one(values):
    with pytest.raises(SearchError, match="^expected .*, got .*\\.$"):
        Limit(**values)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"selection": "best"}, "expected puct or ucb or flat for selection, got 'best'."),
        ({"fpu": -1.0}, "expected 0 to 1 for fpu, got -1.0."),
        ({"margin_weight": 1.5}, "expected 0 to 1 for margin_weight, got 1.5."),
        ({"memory": 0}, "expected 1 to 1e+06 for memory, got 0."),
    ],
)
def test_parameters_are_checked(values, sentence):
    with pytest.raises(SearchError) as caught:
        SearchParams(**values)
    assert str(caught.value) == sentence
    with pytest.raises(SearchError, match="at least one thread"):
        Searcher(SearchParams(), threads=0)


def test_the_memory_limit_is_kept_and_the_search_goes_on():
    params = SearchParams(memory=3, playout="random", priors=False)
    searcher = Searcher(params, threads=2)
    searcher.look_at(START, 1)
    assert searcher.run(Limit(60_000)) == 60_000
    assert all(tree.is_full for tree in searcher.trees)
    assert sum(tree.bytes for tree in searcher.trees) <= 3 * 2**20
    assert searcher.visits == 60_000
    assert START.is_legal(searcher.best_step())
    found = suggest(START, Limit(40_000), seed=1, params=dataclasses.replace(params, memory=1))
    assert found.is_full and found.turns[0].visits > 100


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_gives_what_is_known(threads):
    told = []

    def interrupt(visits):
        told.append(visits)
        if len(told) == 3:
            raise KeyboardInterrupt

    found = suggest(START, Limit(10**8), seed=1, threads=threads, on_progress=interrupt)
    assert found.is_interrupted
    assert found.visits >= told[-1]
    assert found.turns and START.is_legal(found.turns[0].steps[0])


def test_ctrl_c_before_the_first_visit_leaves_nothing_to_answer_with(monkeypatch):
    def interrupt(self, limit, on_progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(Searcher, "run", interrupt)
    with pytest.raises(KeyboardInterrupt):
        suggest(START, Limit(100), seed=1)


def test_progress_is_told_in_order():
    told = []
    suggest(position("red=- blue=- turn=red card=hidden"), Limit(2000), seed=1,
            on_progress=told.append)  # fmt: skip
    assert told == sorted(told) and told[-1] == 2000


# --- choosing -----------------------------------------------------------------------------------


def choice(number, visits, utility, is_proven, sure=-1.0):
    return StepChoice(number, visits, utility, is_proven, utility if is_proven else sure)


def chosen(*candidates, **params):
    """Return which of (visits, utility, is_proven[, sure]) are ranked first, by number."""
    choices = [choice(number, *values) for number, values in enumerate(candidates)]
    return [choice.step for choice in ranked(choices, SearchParams(**params))]


def test_the_most_visited_is_chosen_unless_another_is_clearly_better():
    assert chosen((900, 0.50, False), (400, 0.52, False)) == [0, 1]
    assert chosen((900, 0.50, False), (400, 0.60, False)) == [1, 0]
    assert chosen((900, 0.50, False), (100, 0.80, False)) == [0, 1]  # too few visits
    assert chosen((900, 0.50, False), (100, 0.80, False), fair_share=0.1) == [1, 0]
    assert chosen((900, 0.50, False), (900, 0.51, False), clear=0.0) == [1, 0]


def test_what_is_proven_needs_no_visits():
    assert chosen((900, 0.50, False), (1, 0.51, True)) == [1, 0]
    assert chosen((900, 0.50, False), (1, 0.49, True)) == [0, 1]
    assert chosen((5, 0.3, True), (1, 0.7, True), (9, 0.5, True)) == [1, 2, 0]


def test_what_is_sure_needs_no_visits():
    assert chosen((900, 0.50, False), (1, 0.2, False, 0.51)) == [1, 0]
    assert chosen((900, 0.50, False, 0.50), (1, 0.9, False, 0.49)) == [0, 1]
    assert chosen((900, 0.50, False), (5, 0.6, True), (1, 0.2, False, 0.7)) == [2, 1, 0]


def test_the_first_of_equal_ones_is_chosen():
    choices = [choice(number, 10, 0.5, False) for number in range(3)]
    assert best_of(choices, SearchParams()) is choices[0]


def test_visits_are_split_evenly():
    assert split(7, 3) == [3, 2, 2]
    assert split(2, 3) == [1, 1, 0]
    assert split(None, 2) == [None, None]


def test_trees_of_all_threads_are_counted_together():
    searcher = Searcher(SearchParams(), threads=3)
    searcher.look_at(START, 1)
    assert searcher.run(Limit(1000)) == 1000
    assert [tree.visits for tree in searcher.trees] == [334, 333, 333]
    choices = {choice.step: choice for choice in searcher.choices()}
    for step, choice in choices.items():
        edges = [edge for tree in searcher.trees for edge in tree.edges() if edge.step == step]
        assert choice.visits == sum(edge.visits for edge in edges)
        weighted = sum(edge.visits * edge.seats[0].utility for edge in edges if edge.visits)
        assert choice.utility == pytest.approx(weighted / choice.visits)


def test_a_searcher_keeps_what_it_knows_of_the_next_position():
    searcher = Searcher(SearchParams())
    searcher.look_at(START, 1)
    searcher.run(Limit(2000))
    step = searcher.best_step()
    visits = next(choice.visits for choice in searcher.choices() if choice.step == step)
    after = START.copy()
    after.apply(step)
    searcher.look_at(after, 2)
    assert searcher.visits >= visits > 100
    searcher.look_at(five_seats(), 3)  # another game: nothing is known
    assert searcher.visits == 0


def test_two_threads_search_at_the_same_time():
    view = View(START, 0, 1)
    assert START.is_legal(make_bot("mcts:visits=300,threads=2").choose(view))


def test_trees_are_free_even_if_ctrl_c_is_pressed_twice(monkeypatch):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadPoolExecutor, "shutdown", interrupt)  # the second one
    two = Searcher(SearchParams(), threads=2)
    two.look_at(START, 1)
    with pytest.raises(KeyboardInterrupt):
        two.run(Limit(seconds=60), interrupt)
    assert two.choices()
