"""The search tree: what it finds, shares, forgets, and what does not change its answer."""

import random
import threading
from dataclasses import replace
from itertools import islice

import pytest
from endings import SMALL, Ending, last_turn, play_game, solve, solved
from positions import SETS, position, random_positions

from kbai import _mcts
from kbai._fast import Position
from kbai._mcts import Tree
from kbai.game.setup import Setup
from kbai.game.steps import advance, draw_step, drawn_card, end_of, is_draw
from kbai.search.params import SearchParams

QUICK = SearchParams(playout="random", priors=False)
# What a tree needs without a policy.
VALUES = {
    "seed": 1,
    "playout": "random",
    "exploration": 1,
    "fpu": 0,
    "priors": False,
    "prior_temperature": 1,
    "experience": 0,
    "merge": True,
    "horizon": 9,
    "margin_weight": 0,
    "margin_scale": 1,
}
SELECTIONS = ("puct", "ucb", "flat")
# Two seats, red's flower card: 57 hexes to build on.
FIRST_TURN = "red=- blue=- turn=red card=flower"


def grow(start: Position, visits: int = 0, *, seed: int = 1, **changes: object) -> Tree:
    """Return a tree after some visits."""
    tree = replace(QUICK, **changes).make_tree(start, seed=seed, threads=1)
    tree.run(visits)
    return tree


def answer(tree: Tree) -> tuple:
    """Return all that a tree tells."""
    return tree.root(), tree.edges(), tree.turns(1000), tree.main_line((), 50), tree.nodes


def after(start: Position, *steps: int) -> Position:
    """Return the position after some steps and draws."""
    return end_of(start, steps)


def start_of(seats: int, sets: tuple[str, ...] = ("base",), seed: int = 1) -> Position:
    setup = Setup.random(seed, seats=seats, sets=sets)
    return setup.start_position()


def some_positions(count: int) -> list[Position]:
    """Return positions of all sets and numbers of seats."""
    return list(islice(random_positions(60, 0.02), count))


# The same answer.


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("playout", ["informed", "random"])
def test_slices_make_no_difference(selection, playout):
    start = start_of(3, SETS[-1])
    whole = grow(start, 400, selection=selection, playout=playout, priors=True)
    sliced = grow(start, 0, selection=selection, playout=playout, priors=True)
    for visits in (0, 1, 2, 97, 300):
        sliced.run(visits)
    assert answer(whole) == answer(sliced)
    assert sliced.runs == sliced.visits == 400


def test_a_seed_gives_the_same_tree_and_another_seed_another_one():
    start = position(FIRST_TURN)
    assert answer(grow(start, 500, seed=7)) == answer(grow(start, 500, seed=7))
    assert answer(grow(start, 500, seed=7)) != answer(grow(start, 500, seed=8))


def test_a_tree_leaves_the_position_alone():
    start = position(FIRST_TURN)
    before = start.copy()
    tree = grow(start, 100)
    assert start == before
    start.apply(start.legal()[0])
    untouched = grow(before, 100)
    assert answer(tree) == answer(untouched)


# What the numbers are.


@pytest.mark.parametrize("seats", [2, 5])
def test_gold_by_card_adds_up_to_the_gold(seats):
    tree = grow(after(start_of(seats, SETS[-1]), -1), 300)
    for turn in [tree.root(), *tree.turns(50)]:
        assert turn.detail_visits == turn.visits
        for stats, detail in zip(turn.seats, turn.detail, strict=True):
            assert sum(detail) == pytest.approx(stats.gold)


def test_win_shares_of_all_seats_add_up_to_one():
    for turn in grow(start_of(4), 300).turns(50):
        assert sum(stats.win for stats in turn.seats) == pytest.approx(1)


def test_two_margins_are_opposite_and_their_variances_equal():
    for turn in grow(position(FIRST_TURN), 300).turns(50):
        one, other = turn.seats
        assert one.margin == pytest.approx(one.gold - other.gold) == pytest.approx(-other.margin)
        assert one.margin_variance == pytest.approx(other.margin_variance)


def test_the_utility_is_a_mix_of_win_share_and_squashed_margin():
    start = position(FIRST_TURN)
    for stats in grow(start, 50, margin_weight=0.0).root().seats:
        assert stats.utility == pytest.approx(stats.win)
    one, other = grow(start, 50, margin_weight=1.0).root().seats
    assert one.utility + other.utility == pytest.approx(1)
    assert (one.utility > 0.5) == (one.margin > 0)


def test_a_finished_game_is_its_own_result():
    over = start_of(3)
    over.playout(1)
    tree = grow(over)
    assert tree.edges() == [] and tree.visits == 0 and tree.root().seats == ()
    tree.run(10)
    assert tree.is_proven and tree.visits == 10 and tree.edges() == []
    (turn,) = tree.turns(5)
    assert turn.steps == () and turn.is_proven
    assert [stats.gold for stats in turn.seats] == pytest.approx(list(over.scores()))
    assert turn.detail == over.score_detail()
    most = max(over.scores())
    winners = over.scores().count(most)
    for stats, gold in zip(turn.seats, over.scores(), strict=True):
        assert stats.win == (pytest.approx(1 / winners) if gold == most else 0)
        assert stats.gold_variance == 0


# Visits.


@pytest.mark.parametrize("selection", SELECTIONS)
def test_every_visit_takes_an_edge_of_the_root(selection):
    tree = grow(position(FIRST_TURN), 321, selection=selection)
    assert sum(edge.visits for edge in tree.edges()) == tree.visits == 321
    assert [edge.visits for edge in tree.edges()] == sorted(
        (edge.visits for edge in tree.edges()), reverse=True
    )


def test_without_a_visit_the_root_has_its_edges():
    start = position(FIRST_TURN)
    tree = grow(start)
    assert sorted(edge.step for edge in tree.edges()) == start.legal()
    assert {(edge.visits, edge.seats) for edge in tree.edges()} == {(0, ())}
    assert sum(edge.prior for edge in tree.edges()) == pytest.approx(1)
    assert [turn.steps for turn in tree.turns(5)] == [()]


def test_flat_visits_all_steps_equally_and_has_nothing_below_them():
    start = position(FIRST_TURN)
    tree = grow(start, 2 * len(start.legal()) + 5, selection="flat")
    visits = [edge.visits for edge in tree.edges()]
    assert visits == [3] * 5 + [2] * (len(visits) - 5)
    assert tree.nodes == 1 + len(visits)


def test_ucb_tries_every_step_once_before_any_twice():
    start = position(FIRST_TURN)
    n = len(start.legal())
    assert {edge.visits for edge in grow(start, n, selection="ucb").edges()} == {1}
    assert {edge.visits for edge in grow(start, n - 1, selection="ucb").edges()} == {0, 1}


def test_steps_are_tried_from_the_likeliest_on():
    start = position(FIRST_TURN)
    tree = grow(start, 12, selection="flat", priors=True)
    tried = [edge.prior for edge in tree.edges() if edge.visits]
    others = [edge.prior for edge in tree.edges() if not edge.visits]
    assert tried == sorted(tried, reverse=True)
    assert min(tried) >= max(others)


def test_a_lone_step_gets_all_visits():
    start = next(p for p in random_positions(20) if len(p.legal()) == 1)
    tree = grow(start, 25)
    (edge,) = tree.edges()
    assert (edge.step, edge.visits, edge.prior) == (start.legal()[0], 25, 1.0)


def test_the_mover_prefers_what_is_better_for_him():
    """Three houses beside each other, all steps tried: the mean of the choice beats the root's."""
    tree = grow(position(FIRST_TURN), 3000)
    assert tree.edges()[0].seats[0].utility > tree.root().seats[0].utility


# Cards.


def test_cards_are_visited_by_their_odds():
    start = start_of(2, ("base", "marshlands"))
    counts = start.draws()
    tree = grow(start)
    for visits in range(1, 200):
        tree.run(1)
        for edge in tree.edges():
            odds = counts[drawn_card(edge.step)] / sum(counts)
            assert edge.prior == pytest.approx(odds)
            assert abs(edge.visits - visits * odds) <= 1
    assert sorted(drawn_card(edge.step) for edge in tree.edges()) == [
        card for card, count in enumerate(counts) if count
    ]


def test_a_turn_ends_where_a_card_is_drawn_or_somebody_else_decides():
    for start in some_positions(40):
        if start.is_over or start.pending_draw:
            continue
        for turn in grow(start, 200).turns(20):
            before = after(start, *turn.steps[:-1])
            assert before.actor == start.actor and not before.pending_draw
            end = after(start, *turn.steps)
            if turn.visits > 1 and not end.is_over and end.actor == start.actor:
                assert end.pending_draw or 0 in turn.steps or not turn.steps


def test_a_horizon_of_no_turns_has_no_draw_in_its_line():
    start = after(start_of(2), -1)
    near, far = (grow(start, 3000, horizon=horizon) for horizon in (0, 99))
    assert min(near.main_line((), 50)) == 0
    assert min(far.main_line((), 50)) < 0
    assert near.nodes < far.nodes


def test_the_main_line_is_legal_and_goes_on_after_a_turn():
    for start in some_positions(30):
        tree = grow(start, 300)
        line = tree.main_line((), 40)
        after(start, *line)
        for turn in tree.turns(3):
            after(start, *turn.steps, *tree.main_line(turn.steps, 10))
        assert tree.main_line(line, 1) == []
        assert tree.main_line((123456789,), 5) == []
        assert len(tree.main_line((), 2)) <= 2


# Merging.


def test_orders_of_the_same_steps_are_one_turn():
    start = position(FIRST_TURN)
    turns = grow(start, 5000).turns(10**6)
    states = {after(start, *turn.steps) for turn in turns}
    assert len(states) == len(turns) == len({turn.key for turn in turns})
    apart = grow(start, 5000, merge=False).turns(10**6)
    assert len({after(start, *turn.steps) for turn in apart}) < len(apart)


def test_a_solved_tree_has_a_node_for_each_state():
    ending = solved(SMALL[0], QUICK)
    merged = run_until_proven(grow(ending.position))
    assert merged.nodes == len(ending.values)
    assert run_until_proven(grow(ending.position, merge=False)).nodes > merged.nodes


def test_keys_are_those_of_the_states_in_any_tree():
    start = position(FIRST_TURN)
    first, second = grow(start, 2000, seed=1), grow(start, 2000, seed=2)
    step = first.edges()[0].step
    below = after(start, step)
    assert first.move_to(below)
    known = {turn.key: after(below, *turn.steps) for turn in first.turns(1000)}
    again = {turn.key: after(below, *turn.steps) for turn in grow(below, 2000).turns(1000)}
    other = {turn.key: after(start, *turn.steps) for turn in second.turns(1000)}
    shared = known.keys() & again.keys() & other.keys()
    assert shared
    for key in shared:
        assert known[key] == again[key] == other[key]


# Endings.


def run_until_proven(tree: Tree) -> Tree:
    while not tree.is_proven:
        assert tree.visits < 10**6
        tree.run(1000)
    return tree


def late_in(seed: int, n_steps: int) -> Ending:
    """Return what is left some steps after the beginning of the last turn of a game, solved."""
    start, steps = play_game(seed)
    beginning = last_turn(start, steps)
    assert beginning is not None
    current, done = start.copy(), 0
    while current != beginning:
        advance(current, steps[done])
        done += 1
    current = after(current, *steps[done : done + n_steps])
    return Ending(f"game {seed}", current, solve(current, 3000, QUICK))


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize(
    ("seed", "n_steps"),
    [
        (1, 0),
        (2, 0),
        (39, 0),
        (43, 0),
        (59, 0),
        (60, 0),
        (91, 0),
        (93, 0),
        pytest.param(15, 10, id="silos of others"),
        pytest.param(27, 10, id="silos of others too"),
        pytest.param(204, 3, id="draws"),
        pytest.param(372, 0, id="other draws"),
    ],
)
def test_a_proven_ending_is_what_trying_everything_gives(seed, n_steps, merge):
    ending = late_in(seed, n_steps)
    start, mover = ending.position, ending.position.mover
    tree = run_until_proven(grow(start, merge=merge))
    best = ending.utility(start)
    assert tree.root().seats[mover].utility == pytest.approx(best, abs=1e-6)
    for edge in tree.edges():
        worth = ending.utility(after(start, edge.step))
        assert edge.is_proven
        assert edge.seats[mover].utility == pytest.approx(worth, abs=1e-6)
    turns = tree.turns(10**6)
    for turn in turns:
        worth = ending.utility(after(start, *turn.steps))
        assert turn.seats[mover].utility == pytest.approx(worth, abs=1e-6)
    line = tree.main_line((), 100)
    if not any(map(is_draw, line)):
        over = after(start, *line)
        assert over.is_over
        assert ending.utility(over) == pytest.approx(best, abs=1e-6)
    before = tree.root()
    tree.run(100)
    assert tree.root().seats[mover].utility == pytest.approx(before.seats[mover].utility)


def test_the_best_proven_turn_is_always_listed():
    ending = solved(SMALL[1], QUICK)
    mover = ending.position.mover
    tree = run_until_proven(grow(ending.position))
    best = max(tree.turns(10**6), key=lambda turn: turn.seats[mover].utility)
    listed = tree.turns(1)
    assert len(listed) <= 2
    assert max(turn.seats[mover].utility for turn in listed) == best.seats[mover].utility


# Memory.


@pytest.mark.parametrize("merge", [True, False])
def test_a_full_tree_goes_on_within_its_memory(merge):
    start = start_of(5, SETS[-1])
    tree = grow(start, 4000, memory=1, merge=merge, priors=True)
    assert tree.is_full
    nodes = tree.nodes
    tree.run(1000)
    assert tree.visits == 5000 and tree.nodes == nodes
    assert tree.bytes <= 1 << 20
    counts = start.draws()
    for edge in tree.edges():
        assert abs(edge.visits - 5000 * counts[drawn_card(edge.step)] / sum(counts)) <= 1


def test_a_full_tree_has_room_again_after_a_move():
    start = after(start_of(4), -1)
    tree = grow(start, 6000, memory=1)
    assert tree.is_full
    assert tree.move_to(after(start, tree.edges()[1].step))
    assert not tree.is_full
    nodes = tree.nodes
    tree.run(500)
    assert tree.nodes > nodes and tree.bytes <= 1 << 20


def test_less_than_a_megabyte_is_refused():
    with pytest.raises(ValueError, match="memory"):
        Tree(position(FIRST_TURN), memory=1000, **VALUES)


# Another root.


def test_a_move_keeps_what_is_known_below_it():
    start = position(FIRST_TURN)
    tree = grow(start, 3000)
    turn = tree.turns(1)[0]
    line = tree.main_line(turn.steps, 20)
    current = start.copy()
    for step in turn.steps:
        edge = next(edge for edge in tree.edges() if edge.step == step)
        current.apply(step)
        nodes = tree.nodes
        assert tree.move_to(current)
        assert tree.root().seats == edge.seats
        assert tree.visits >= edge.visits
        assert tree.nodes < nodes
    assert tree.runs == 3000
    assert tree.root().visits == turn.visits and tree.root().seats == turn.seats
    assert tree.main_line((), 20) == line


def test_a_move_is_found_after_a_draw_and_turns_of_others():
    start = after(start_of(3), -1)
    tree = grow(start, 20000)
    line = tree.main_line((), 50)
    reply = line.index(0, line.index(0) + 1) + 2  # the card of the third seat is there
    reached = after(start, *line[:reply])
    assert reached.mover != start.mover
    assert tree.move_to(reached)
    assert sorted(edge.step for edge in tree.edges()) == reached.legal()
    visits = tree.visits
    tree.run(100)
    assert tree.visits == visits + 100
    assert tree.main_line((), 5)


def test_unknown_positions_leave_the_tree_as_it_was():
    start = position(FIRST_TURN)
    tree = grow(start, 50)
    before = answer(tree)
    far = start.copy()
    far.playout(3)
    assert not tree.move_to(far)
    assert not tree.move_to(start_of(2))
    assert answer(tree) == before
    assert tree.move_to(start)
    assert answer(tree) == before


@pytest.mark.parametrize("merge", [True, False])
def test_moves_through_whole_games_keep_the_tree_sound(merge):
    moves = strange = 0
    for seed, sets in enumerate(SETS):
        current = start_of(2 + seed % 4, sets, seed)
        tree = grow(current, 10, merge=merge, priors=True)
        while not current.is_over:
            advance(current, tree.edges()[0].step)
            moves += 1
            if not tree.move_to(current):
                # Which plans are known for the next cards depends on what was visited.
                assert merge
                strange += 1
                tree = grow(current, 0, merge=merge, priors=True)
            tree.run(10)
            assert sum(edge.visits for edge in tree.edges()) <= tree.visits
            for turn in tree.turns(5):
                after(current, *turn.steps)
        assert tree.is_proven
    assert strange < moves / 20


@pytest.mark.parametrize("seed", range(3000, 3010))
def test_turns_of_a_plan_that_has_come_about_are_legal_in_every_order(seed):
    """Steps in another order may be another state: a piece put where one is lifted later, say."""
    current = start_of(2, ("marshlands", "harvest"), seed)
    generator = random.Random(seed - 3000)
    tree = grow(current, 30, priors=True)
    while not current.is_over:
        edges = [edge for edge in tree.edges() if edge.prior > 0] or tree.edges()
        edge = edges[0] if generator.random() < 0.7 else generator.choice(edges)
        advance(current, edge.step)
        if not tree.move_to(current):
            tree = grow(current, 0, priors=True)
        tree.run(30)
        for turn in tree.turns(10):
            after(current, *turn.steps)


@pytest.mark.slow
def test_a_plan_that_has_come_about_has_the_steps_that_are_legal_then():
    start = after(start_of(2), -1)
    known = 0
    for seed in range(40):
        tree = grow(start, 4000, priors=True)
        current = after(start, *tree.turns(1)[0].steps)
        generator = random.Random(seed)
        while current.mover != start.mover or current.pending_draw:
            cards = list(map(draw_step, range(5)))
            advance(current, generator.choice(cards if current.pending_draw else current.legal()))
        before = tree.visits
        if tree.move_to(current):
            known += 1
            assert 0 < tree.visits < before
            assert sorted(edge.step for edge in tree.edges()) == current.legal()
            assert any(edge.visits for edge in tree.edges())
            tree.run(500)
            for turn in tree.turns(10**6):
                after(current, *turn.steps)
    assert known > 20


# All kinds of positions.


@pytest.mark.parametrize("selection", SELECTIONS)
def test_trees_of_all_sets_and_seats(selection):
    for seed, start in enumerate(some_positions(60)):
        tree = grow(
            start,
            120,
            seed=seed,
            selection=selection,
            priors=seed % 2 == 0,
            playout="informed" if seed % 3 else "random",
            merge=seed % 5 > 0,
        )
        assert tree.visits == 120
        assert sorted(edge.step for edge in tree.edges() if not is_draw(edge.step)) == start.legal()
        for turn in tree.turns(10):
            end = after(start, *turn.steps)
            if turn.is_proven and end.is_over:
                assert [stats.gold for stats in turn.seats] == pytest.approx(list(end.scores()))


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("selection", "best", ValueError),
        ("playout", "good", ValueError),
        ("prior_temperature", 0, ValueError),
        ("margin_scale", 0, ValueError),
        ("horizon", -1, ValueError),
        ("exploration", "much", TypeError),
        ("charm", 1, TypeError),
    ],
)
def test_odd_parameters_are_refused(name, value, error):
    Tree(position(FIRST_TURN), **VALUES)
    with pytest.raises(error):
        Tree(position(FIRST_TURN), **{**VALUES, name: value})


def test_informed_playouts_need_a_policy():
    with pytest.raises(ValueError, match="struct"):
        Tree(position(FIRST_TURN), **{**VALUES, "playout": "informed"})


def test_a_run_lets_other_threads_go_on():
    tree = grow(position(FIRST_TURN))
    is_seen = threading.Event()

    def run():
        for _ in range(300):
            tree.run(1_000)
            if is_seen.is_set():
                break

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        try:
            assert tree.visits >= 0
        except RuntimeError:  # it is in use, and this thread has its turn all the same
            is_seen.set()
    assert is_seen.is_set()
    assert tree.visits % 1_000 == 0


def test_trees_of_one_scale_share_the_table_of_utilities():
    """It takes as long as fifteen visits."""
    made = _mcts._squashed.cache_info

    def n_tables(scale):
        before = made().misses
        for seed in range(5):
            Tree(position(FIRST_TURN), **{**VALUES, "margin_scale": scale, "seed": seed})
        return made().misses - before

    assert [n_tables(scale) for scale in (12.345, 12.345, 54.321)] == [1, 0, 1]
