"""Turns that matter are played on, and no turn costs more than there was to lose."""

from dataclasses import replace

import pytest

from kbai.compute.pools import threads
from kbai.content import load
from kbai.core.errors import ShapeError
from kbai.game.setup import Setup
from kbai.notation.games import record_game
from kbai.review import games
from kbai.review.games import games_tasks, judge_with_games
from kbai.review.judge import judge
from kbai.review.plan import ReviewOptions, parts_of, plan_review
from kbai.review.run import run_reviews
from kbai.search.params import Limit

LATE = range(18, 22)
OPTIONS = ReviewOptions(Limit(40), turns=LATE, games=12)


@pytest.fixture(autouse=True)
def quick_games(monkeypatch):
    monkeypatch.setattr(games, "VISITS", 1)


def random_game(seed, *, seats=2, sets=("base",), turns):
    start = Setup.random(seed, seats=seats, sets=sets).start_position()
    whole = record_game(start, start.copy().playout_steps(seed))
    parts = [part for part in parts_of(whole) if part.number <= turns]
    return record_game(start, [step for part in parts for step in (*part.draws, *part.played)])


GAME = random_game(7, turns=21)


def review(game, options, *, known=None, workers=1):
    """Return a review and all answers it is made of."""
    found, answers = [], dict(known or {})
    run_reviews(
        [plan_review("game", game, options)],
        workers=threads(workers),
        known=known or {},
        keep=answers.__setitem__,
        on_review=found.append,
    )
    return found[0], answers


@pytest.fixture(scope="module")
def searched():
    """A turn that seems to cost something, not beyond doubt, and the answers to its searches."""
    plan = plan_review("", GAME, OPTIONS)
    answers = {task.id: task.run() for turn in plan.turns for task in turn.tasks()}
    for turn in plan.turns:
        review = judge(turn, answers).review
        if review.loss.win.value > 0.1 and not review.mark:
            return turn, answers
    raise AssertionError("expected a turn in doubt, got none")


def with_games(searched, *golds, swing=2):
    """Return what is said of the turn, and what is to be done, if games end with such gold."""
    turn, answers = searched
    answers = dict(answers)
    found, task = judge_with_games(turn, answers, OPTIONS)
    seat = turn.part.seat
    n_sources = len(turn.part.position.score_detail()[0])

    def ending(gold):
        rows = [[0] * n_sources, [0] * n_sources]
        rows[seat][0] = gold
        rows[1 - seat][0] = 50
        return rows

    for best, played in golds:
        swings = [swing * (-1) ** number for number in range(task.count)]
        rounds = [[ending(best + each), ending(played - each)] for each in swings]
        answers[task.id] = {"endings": rounds}
        task.check(answers[task.id])
        found, task = judge_with_games(turn, answers, OPTIONS)
    return found.review, task


def test_a_turn_that_seems_to_cost_enough_is_played_on():
    found, _ = review(GAME, OPTIONS)
    played_on = [turn for turn in found.turns if turn.games]
    assert played_on and found.games >= sum(turn.games for turn in played_on)
    for turn in found.turns:
        assert turn.games in (0, games.BUNDLE, 12)
    plain, _ = review(GAME, replace(OPTIONS, games=0))
    assert not plain.games and not any(turn.games for turn in plain.turns)


def test_so_few_visits_are_not_worth_games(monkeypatch):
    monkeypatch.setattr(games, "VISITS", 400)
    assert not review(GAME, replace(OPTIONS, limit=Limit(2), games=None))[0].games


def test_clear_games_decide_about_a_mark_and_end(searched):
    review, task = with_games(searched, (70, 20))
    assert (review.games, review.mark, task) == (8, "??", None)


def test_games_that_decide_nothing_go_on_to_the_last(searched):
    first, task = with_games(searched, (52, 48), swing=20)
    assert first.games == 8 and task.first == 8 and task.count == 4
    last, task = with_games(searched, (52, 48), (52, 48), swing=20)
    assert last.games == 12 and task is None


def test_what_games_find_no_worse_gets_no_mark(searched):
    review, _ = with_games(searched, (30, 70))
    assert not review.mark and review.is_best
    assert review.best.steps == review.played


def test_games_make_the_interval_of_a_loss_narrower(searched):
    turn, answers = searched
    before = judge(turn, answers).review.loss
    after = with_games(searched, (56, 44))[0].loss
    assert after.gold.high - after.gold.low < before.gold.high - before.gold.low


def test_any_number_of_workers_plays_the_same_games():
    assert review(GAME, OPTIONS)[0] == review(GAME, OPTIONS, workers=3)[0]


def test_known_games_are_not_played_again_and_more_can_be_asked_for():
    found, answers = review(GAME, OPTIONS)
    again, same = review(GAME, OPTIONS, known=answers)
    assert again == found and same == answers
    more, _ = review(GAME, replace(OPTIONS, games=20), known=answers)
    assert more.games >= found.games


def test_games_of_another_position_do_not_fit(searched):
    turn, answers = searched
    (task, *_) = games_tasks(judge(turn, answers), turn, OPTIONS)
    answer = task.run()
    task.check(answer)
    for wrong in ({"endings": []}, {"endings": [answer["endings"][0][:1]]}, {}):
        with pytest.raises(ShapeError):
            task.check(wrong)


# --- how it adds up -----------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_nobody_loses_more_than_there_was(seats):
    sets = tuple(load().sets) if seats % 2 else ("base",)
    game = random_game(seats, seats=seats, sets=sets, turns=99)
    turns = range(game.turns[-1].number - 5, 100)
    found, _ = review(game, ReviewOptions(Limit(16), turns=turns))
    for turn in found.turns:
        there = [
            outlook.win.value + luck.win.value
            for outlook, luck in zip(turn.outlooks, turn.luck, strict=True)
        ]
        left = [chance - cost.win.value for chance, cost in zip(there, turn.costs, strict=True)]
        best = [outlook.win.value for outlook in turn.best.seats]
        assert there == pytest.approx(best)
        for chances in (there, left, [outlook.win.value for outlook in turn.outlooks]):
            assert sum(chances) == pytest.approx(1)
            assert all(-1e-9 <= chance <= 1 + 1e-9 for chance in chances)
        assert turn.loss.win.high <= there[turn.seat] + 1e-9
    adjusted = [summary.adjusted.win for summary in found.seats]
    assert sum(each.value for each in adjusted) == pytest.approx(1)
    assert all(0 < each.low <= each.value <= each.high < 1 for each in adjusted)
