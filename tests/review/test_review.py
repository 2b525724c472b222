"""Reviews: what a turn cost, what luck was, and how they add up."""

import math
from dataclasses import replace
from statistics import fmean

import pytest

from kbai.compute.pools import threads
from kbai.content import load
from kbai.core.errors import PlacedError
from kbai.core.intervals import Estimate
from kbai.core.seeds import derive_seed
from kbai.core.uncertainty import Measured, contrast, mean_of, total
from kbai.game.setup import Setup
from kbai.game.sources import name_sources
from kbai.game.steps import advance
from kbai.notation.games import format_game, read_game, record_game
from kbai.notation.positions import parse_position
from kbai.report.document_text import document_text
from kbai.report.review_document import review_document
from kbai.report.why import why_best
from kbai.review import searches
from kbai.review.assemble import GOLD_MISFIT
from kbai.review.cards import Cards
from kbai.review.judge import mark_of
from kbai.review.plan import ReviewOptions, parts_of, plan_review
from kbai.review.results import Review
from kbai.review.run import run_reviews
from kbai.review.searches import PARAMS, BestTurnTask, CardsTask, ValueTask
from kbai.search.calibration import Forecast, Misjudged
from kbai.search.evaluate import Sample, Value, blend, cost, evaluate
from kbai.search.params import Limit
from kbai.search.searcher import Searcher

FEW = Limit(24)
DOUBT = Misjudged(win=0.7, gold=4.0, margin=4.0, mover=0.5)


def random_game(seed=3, *, seats=2, sets=("base",), turns=None):
    setup = Setup.random(seed, seats=seats, sets=sets)
    start = setup.start_position()
    game = record_game(start, start.copy().playout_steps(seed))
    if turns is None:
        return game
    steps = [
        step
        for part in parts_of(game)
        if part.number <= turns
        for step in (*part.draws, *part.played)
    ]
    return record_game(start, steps)


def review(game, options=None, *, known=None) -> Review:
    found = []
    run_reviews(
        [plan_review("game", game, options or ReviewOptions(FEW))],
        workers=threads(1),
        known=known or {},
        keep=lambda id, answer: None,
        on_review=found.append,
    )
    return found[0]


# --- noise --------------------------------------------------------------------------------------


def test_errors_of_independent_values_add_up():
    both = Measured(1, 4, 3) + Measured(2, 4, 3)
    assert (both.value, both.variance, both.freedom) == (3, 8, 6)
    assert total([Measured(1), Measured(2)]).estimate() == Estimate(3, 3, 3)
    assert (Measured(5, 9, 2) - Measured(1)).estimate().value == 4


def test_the_mean_of_measurements_has_the_interval_of_student():
    mean = mean_of([1.0, 2.0, 3.0]).estimate()
    assert mean.value == 2
    assert mean.high - 2 == pytest.approx(4.303 / math.sqrt(3), abs=1e-3)
    assert mean_of([1.0]).estimate() == Estimate(1, -math.inf, math.inf)


def test_what_all_rows_share_is_no_noise_of_a_contrast():
    rows = [[1.0, 5.0], [2.0, 6.0], [4.0, 8.0]]
    found = contrast([1 - 0.5, -0.25, -0.25], rows)
    assert found.value == pytest.approx(3 * 0.5 - 4 * 0.25 - 6 * 0.25)
    assert found.variance == pytest.approx(0)
    noisy = contrast([0.5, -0.5], [[1.0, 5.0], [2.0, 4.0]])
    # Interaction of two rows and two columns: four residuals of 0.5, one degree of freedom.
    assert (noisy.variance, noisy.freedom) == (pytest.approx(0.25), 1)


def test_one_card_alone_is_no_luck():
    assert contrast([0.0], [[0.3, 0.5]]) == Measured(0.0, 0.0, 1)


# --- values -------------------------------------------------------------------------------------


def test_the_worth_of_an_ending_is_the_result():
    end = random_game().final_position()
    value = evaluate(end, 0, FEW, 1, params=PARAMS)
    assert value.is_exact
    assert [value.outlook(seat, DOUBT).gold for seat in range(2)] == [
        Estimate(gold, gold, gold) for gold in end.scores()
    ]
    assert sum(value.chance(seat).value for seat in range(2)) == 1


def test_worth_comes_from_searches_that_differ():
    value = evaluate(random_game(turns=4).final_position(), 0, Limit(80), 1, params=PARAMS)
    assert len({sample.gold for sample in value.samples}) > 1
    assert value.visits == 80
    outlook = value.outlook(0, DOUBT)
    assert outlook.win.low < outlook.win.value < outlook.win.high
    assert Value.from_payload(value.to_payload()) == value


def test_values_know_where_the_gold_comes_from():
    position = random_game(turns=4).final_position()
    value = evaluate(position, 0, FEW, 1, params=PARAMS)
    golds = [fmean(sample.gold[seat] for sample in value.samples) for seat in range(2)]
    more = Forecast(position).gold((0.0, 0.0))
    assert [sum(sources) for sources in value.sources] == pytest.approx(
        [gold - extra for gold, extra in zip(golds, more, strict=True)]
    )
    end = random_game().final_position()
    assert evaluate(end, 0, FEW, 1, params=PARAMS).sources == end.score_detail()


def test_a_turn_that_cost_gold_says_from_which_source():
    found = review(random_game(7, turns=2), ReviewOptions(Limit(40)))
    bad = next(turn for turn in found.turns if not turn.is_best)
    assert len(bad.source_costs) == len(bad.position.score_detail()[0])
    for turn in found.turns:
        if turn.is_best:
            assert not any(turn.source_costs)


def test_a_turn_that_was_not_the_best_says_why():
    found = review(random_game(7, turns=2), ReviewOptions(Limit(40)))
    for turn in found.turns:
        why = why_best(turn)
        assert (why is None) == turn.is_best
        if why is not None:
            parts = {part.name: part.gold.value for part in why.parts}
            named = name_sources(turn.position.board.source, turn.source_costs)
            assert {name: parts[name] for name in named} == pytest.approx(named)
            assert why.sentence
    assert not all(turn.is_best for turn in found.turns)


def test_chances_are_compared_by_the_same_rule():
    """A forecast is never sure; an ending is no better than a position that is as good as won."""
    from kbai.search.evaluate import chances

    end = random_game().final_position()
    exact = evaluate(end, 0, FEW, 1, params=PARAMS)
    guess = evaluate(random_game(turns=4).final_position(), 0, FEW, 1, params=PARAMS)
    assert set(chances((exact, exact), 0)[0]) <= {0.0, 0.5, 1.0}
    assert not set(chances((exact, guess), 0)[0]) & {0.0, 1.0}


def test_a_blend_of_samples_is_their_mean():
    one = Sample((1.0, 0.0), (0.9, 0.1), (10.0, 20.0), (4.0, -4.0))
    other = Sample((0.0, 1.0), (0.1, 0.9), (30.0, 40.0), (-4.0, 4.0))
    found = blend(one, other, 0.25)
    assert found.shares == (0.25, 0.75) and found.wins == pytest.approx((0.3, 0.7))
    assert found.gold == (25.0, 35.0) and found.margin == (-2.0, 2.0)


def test_what_is_certain_gets_no_more_gold():
    position = random_game(turns=4).final_position()
    value = evaluate(position, 0, FEW, 1, params=PARAMS)
    searcher = Searcher(PARAMS)
    searcher.look_at(position, derive_seed(1, "batch", 0))
    searcher.run(FEW.part(1 / 4))
    gold = [seat.gold for seat in searcher.trees[0].root().seats]
    assert value.samples[0].gold == Forecast(position).gold(gold) != tuple(gold)
    end = random_game().final_position()
    assert evaluate(end, 0, FEW, 1, params=PARAMS).samples[0].gold == tuple(end.scores())


# --- turns --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats, sets", [(2, ("base",)), (3, ("base",)), (4, "all")])
def test_parts_are_all_of_a_game(seats, sets):
    sets = tuple(load().sets) if sets == "all" else sets
    for seed in range(3):
        game = random_game(seed, seats=seats, sets=sets)
        position = game.start.copy()
        for part in parts_of(game):
            assert part.before == position
            for step in part.draws:
                advance(position, step)
            assert part.position == position and position.actor == part.seat
            for step in part.played:
                assert position.actor == part.seat and not position.pending_draw
                advance(position, step)
            assert part.after == position
        assert position == game.final_position()


def test_a_turn_that_is_not_finished_is_left_out():
    game = random_game(turns=4)
    steps = [step for part in parts_of(game) for step in (*part.draws, *part.played)]
    cut = record_game(game.start, steps[:-1])
    assert not cut.turns[-1].finished
    assert [part.number for part in parts_of(cut)] == [1, 2, 3]


def test_the_best_turn_costs_nothing():
    options = ReviewOptions(Limit(40))
    game = random_game(7, turns=1)
    assert not review(game, options).turns[0].is_best
    best = plan_review("", game, options).turns[0].best.run()
    (part,) = parts_of(game)
    better = record_game(game.start, [*part.draws, *best["steps"]])
    turn = review(better, options).turns[0]
    assert turn.is_best and not turn.mark
    assert turn.best.steps == turn.played == tuple(best["steps"])
    for change in turn.costs:
        assert change.win == change.gold == Estimate(0, 0, 0)


def test_no_turn_has_a_negative_loss():
    found = review(random_game(), ReviewOptions(Limit(40)))
    for turn in found.turns:
        assert turn.loss.win.value > 0 or turn.is_best
        assert not turn.mark or turn.loss.win.low > 0
    assert any(not turn.is_best for turn in found.turns)


def test_what_is_decided_for_certain_has_no_interval():
    """Last turns of random games are rarely the best; the end of the game is seen from there."""
    found = review(random_game(1), ReviewOptions(Limit(2000), turns=range(20, 100)))
    last = found.turns[-1]
    assert last.is_exact
    assert last.loss.win.low == last.loss.win.value == last.loss.win.high
    assert found.final[0].gold.value == random_game(1).result[0]


@pytest.mark.parametrize(
    "loss, mark",
    [
        (Estimate(0.2, -0.01, 0.41), ""),
        (Estimate(0.2, 0.0, 0.4), ""),
        (Estimate(0.2, 0.04, 0.39), ""),
        (Estimate(0.2, 0.05, 0.39), "??"),
        (Estimate(0.12, 0.03, 0.23), "?"),
        (Estimate(0.065, 0.016, 0.12), "?!"),
        (Estimate(0.055, 0.01, 0.1), ""),
        (Estimate(0.01, 0.005, 0.015), ""),
        (Estimate(0, 0, 0), ""),
    ],
)
def test_marks_need_size_and_certainty(loss, mark):
    assert mark_of(loss) == mark


def value_of(chance, *, is_exact=False):
    """What four searches say alike of a position of two seats."""
    sample = Sample((chance, 1 - chance), (chance, 1 - chance), (50.0, 50.0), (0.0, 0.0))
    return Value((sample,) * 4, 100, is_exact)


@pytest.mark.parametrize(("best", "played", "mark"), [
    (0.55, 0.45, ""),  # games may well say otherwise
    (0.65, 0.35, "??"),
    (0.99, 0.91, ""),
    (0.99, 0.87, "?"),  # there is less to misjudge where the game is decided
])  # fmt: skip
def test_searches_that_agree_may_be_wrong_together(best, played, mark):
    assert mark_of(cost(value_of(best), value_of(played), 0).win.estimate()) == mark


def test_what_is_exact_is_not_misjudged():
    amount = cost(value_of(0.6, is_exact=True), value_of(0.5, is_exact=True), 0)
    assert amount.win.variance == amount.gold.variance == 0
    assert cost(value_of(0.6, is_exact=True), value_of(0.5), 0).win.variance > 0


# --- luck ---------------------------------------------------------------------------------------


def test_luck_is_nothing_in_the_mean_of_all_cards():
    game = random_game(turns=5, seats=3)
    *_, part = parts_of(game)
    answer = CardsTask(part.before, FEW, 7).run()
    cards = Cards.of(part, answer)
    assert len(cards.odds) > 1
    every = [replace(cards, came=index) for index in range(len(cards.odds))]
    level = (0.2, 0.5, 0.3)
    for seat in range(3):
        gold = [card.luck_in(seat, lambda sample: sample.gold).value for card in every]
        win = [card.foreseen(level)[seat] - level[seat] for card in every]
        for luck in (gold, win):
            mean = sum(odds * each for odds, each in zip(cards.odds, luck, strict=True))
            assert mean == pytest.approx(0, abs=1e-9)


def test_luck_in_win_probability_is_one_seats_gain_and_the_others_loss():
    for turn in review(random_game(turns=3, seats=3)).turns:
        assert sum(change.win.value for change in turn.luck) == pytest.approx(0, abs=1e-9)


# --- sums ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [
        random_game(),
        random_game(seats=3, turns=7),
        random_game(5, turns=3),
    ],
    ids=["two", "three", "cut"],
)
def test_the_result_is_the_sum_of_its_parts(game):
    found = review(game)
    for summary in found.seats:
        for side in ("win", "gold"):
            start, luck, loss, gain, rest, result, adjusted = (
                getattr(getattr(summary, name), side).value
                for name in ("start", "luck", "loss", "gain", "rest", "result", "adjusted")
            )
            assert start + luck - loss + gain + rest == pytest.approx(result)
            if side == "gold":
                assert adjusted == pytest.approx(result - luck)
            else:
                assert 0 < adjusted < 1
    if game.result:
        assert [round(s.result.gold.value) for s in found.seats] == list(game.result)
        assert sum(s.result.win.value for s in found.seats) == pytest.approx(1)


def test_the_rest_may_be_what_searches_misjudge_in_every_turn():
    for turns in (3, 7):
        for summary in review(random_game(turns=turns)).seats:
            assert summary.rest.gold.high - summary.rest.gold.value > 1.9 * GOLD_MISFIT * turns**0.5
            assert 0 < summary.rest.win.high - summary.rest.win.value < math.inf


def test_a_new_forecast_makes_old_answers_useless(monkeypatch):
    position = random_game(turns=2).final_position()

    def task_id():
        return ValueTask(position, 0, FEW, 1).id

    old = task_id()
    assert task_id() == old
    try:
        with monkeypatch.context() as patch:
            patch.setattr(searches, "CORRECTIONS", {})
            searches.search_version.cache_clear()
            assert task_id() != old
    finally:
        searches.search_version.cache_clear()
    assert task_id() == old


def test_what_comes_after_a_turn_is_what_was_before_the_next():
    found = review(random_game(turns=3))
    assert found.seats[0].start.win == found.turns[0].outlooks[0].win
    assert found.seats[0].result.win == found.final[0].win
    part = review(random_game(turns=3), ReviewOptions(FEW, turns=range(2, 3)))
    assert part.turns == found.turns[1:2]
    # The same position by two looks: one of them knows what its card and its best turn led to.
    for final, outlook in zip(part.final, found.turns[2].outlooks, strict=True):
        assert final.win.low < outlook.win.value < final.win.high


def test_turns_of_one_seat_leave_no_rest():
    found = review(random_game(turns=6), ReviewOptions(FEW, seats=("blue",)))
    assert [turn.number for turn in found.turns] == [2, 4, 6]
    assert [summary.rest for summary in found.seats] == [None, None]
    assert [summary.turns for summary in found.seats] == [0, 3]


def test_the_title_has_the_result_of_the_game_whatever_is_reviewed():
    game = random_game()
    text = document_text(review_document(review(game, ReviewOptions(FEW, turns=range(1, 2)))))
    red, blue = game.result
    assert text.startswith(f"game: red {red}, blue {blue} (24 visits a turn, seed 1)\n")


# --- tasks --------------------------------------------------------------------------------------


def test_ids_name_all_that_decides_an_answer():
    first, second, *_ = parts_of(random_game(turns=2))
    tasks = [
        ValueTask(first.before, 1, FEW, 1),
        ValueTask(first.before, 0, FEW, 1),
        ValueTask(first.after, 1, FEW, 1),
        ValueTask(first.before, 1, FEW, 2),
        ValueTask(first.before, 1, Limit(25), 1),
        ValueTask(first.before, 1, Limit(24, 1.0), 1),
        CardsTask(first.before, FEW, 1),
        BestTurnTask(first.position, first.after, FEW, 1),
        BestTurnTask(first.position, second.after, FEW, 1),
    ]
    assert len({task.id for task in tasks}) == len(tasks)
    assert ValueTask(first.before.copy(), 1, Limit(24), 1).id == tasks[0].id


def test_the_id_of_a_task_is_computed_once(monkeypatch):
    named = []
    find = searches.content_id
    monkeypatch.setattr(searches, "content_id", lambda value: named.append(value[0]) or find(value))
    found = []
    plan = plan_review("game", random_game(turns=3), ReviewOptions(FEW))
    run_reviews(
        [plan],
        workers=threads(1),
        known={},
        keep=lambda id, answer: None,
        on_review=found.append,
    )
    assert found
    ids = [kind for kind in named if kind in ("worth", "turn", "cards")]
    assert len(ids) == len(plan.tasks())


def test_known_answers_are_not_searched_again():
    game = random_game(turns=2)
    answers = {}
    for known in ({}, answers):
        found = []
        run_reviews(
            [plan_review("game", game, ReviewOptions(FEW))],
            workers=threads(1),
            known=known,
            keep=answers.__setitem__ if not known else refuse,
            on_review=found.append,
        )
        assert found == [review(game)]


def refuse(id, answer):
    raise AssertionError(f"{id} was known")


# --- game files that break off ------------------------------------------------------------------


def test_a_game_is_read_up_to_what_is_wrong():
    game = random_game(turns=5)
    lines = format_game(game).splitlines()
    whole, error = read_game("\n".join(lines))
    assert error is None and whole == game
    lines[-2] = lines[-2].rpartition(" ")[0] + " z9"
    part, error = read_game("\n".join(lines), file="some.kbg")
    assert part.turns == game.turns[:3]
    assert "some.kbg, line" in str(error)
    with pytest.raises(PlacedError):
        read_game("Board: nowhere\n\n1 red flower: a1")


def test_an_answer_fits_its_own_task():
    # All is known here, blue wins, and the odds of the cards add up to 1.00000003.
    before = (
        "kb1 board=farm*,tavern,oracle,barn* cards=workers,discoverers,knights start=blue "
        "red=q3,q4,q5,r5,r6,a7,k7,q7,s7,a8,b8,c8,d8,e8,f8,g8,h8,i8,j8,k8,l8,o8,p8,q8,r8,s8,t8,b9,"
        "j9,k9,l9,m9,t9,b10,i10,k10,t10,t11,t12/tiles=tavern@m7,tavern@r7,farm@c9 blue=l5,l6,m6,"
        "l7,n7,m8,n11,m12,h13,i13,j13,k13,l13,n13,o13,p13,q13,r13,s13,t13,g14,l14,m14,q14,s14,h15,"
        "r15,s15,{}/tiles=tavern@m7,oracle@h14,barn@r14,barn@n18 turn={} card={} "
        "discard=grass:5,canyon:3,desert:{},flower:4,forest:3"
    )
    position = parse_position(before.format("m16,s16,n17", "blue", "desert", 3))
    played = parse_position(before.format("s16,n17,m18,n19,o19,m20,n20", "red", "hidden", 4))
    task = BestTurnTask(position, played, Limit(1000), 922392882350359897)
    answer = task.run()
    task.check(answer)
    assert answer["values"][0]["samples"][0][0] == [0.0, 1.0]
