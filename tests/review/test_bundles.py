"""Workers on other machines get several searches at once, and the review is the same."""

from contextlib import contextmanager
from dataclasses import replace

import pytest

from kbai.compute.pools import Pool, threads
from kbai.game.setup import Setup
from kbai.notation.games import record_game
from kbai.review import games
from kbai.review.bundles import AHEAD, MOST, VISITS, Bundler, run_bundle
from kbai.review.plan import ReviewOptions, plan_review
from kbai.review.run import run_reviews
from kbai.search.params import Limit

SIZE = 2
LATE = range(18, 99)


@pytest.fixture(autouse=True)
def quick_games(monkeypatch):
    monkeypatch.setattr(games, "VISITS", 1)


def random_game(seed):
    start = Setup.random(seed).start_position()
    return record_game(start, start.copy().playout_steps(seed))


@contextmanager
def far():
    with threads(SIZE)() as pool:
        yield replace(pool, window=256, is_far=True)


def reviews(workers, visits):
    """Return the reviews of two games, and how many searches were made at once each time."""
    found, sizes = [], []
    options = ReviewOptions(Limit(visits), turns=LATE, games=16)

    def count(bundle):
        sizes.append(len(bundle.tasks))
        return run_bundle(bundle)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kbai.review.run.run_bundle", count)
        run_reviews(
            [plan_review(f"game {seed}", random_game(seed), options) for seed in (7, 8)],
            workers=workers,
            known={},
            keep=lambda id, answer: None,
            on_review=found.append,
        )
    return found, sizes


def test_far_away_a_review_is_the_same_in_fewer_bundles():
    near, singles = reviews(threads(1), 20)
    there, sizes = reviews(far, 20)
    assert there == near
    assert any(turn.games for review in near for turn in review.turns)
    assert {*singles} == {1} and sum(sizes) == len(singles)
    assert 1 in sizes and 2 < max(sizes) <= MOST


class FakeTask:
    def __init__(self, number):
        self.id = str(number)


def bundler(limit, n_tasks, **pool):
    found = Bundler([ReviewOptions(limit)])
    found.waiting.extend(map(FakeTask, range(n_tasks)))
    found.open(lambda: None, Pool(None, 256, lambda: None, size=SIZE, **pool))
    return found


@pytest.mark.parametrize(
    ("limit", "most"),
    [
        (Limit(4000), VISITS // 4000),
        (Limit(10), MOST),
        (Limit(10 * VISITS), 1),
        (Limit(None, 2.0), 1),
    ],
)
def test_a_bundle_is_worth_sending_and_not_long(limit, most):
    made = bundler(limit, 9999, is_far=True)
    assert len(next(made.bundles()).tasks) == most


def test_only_so_many_bundles_are_under_way_and_the_last_are_small():
    made = bundler(Limit(1000), 100, is_far=True)
    out = made.bundles()
    first = [next(out) for _ in range(AHEAD * SIZE)]
    assert next(out) is None
    sizes = [len(bundle.tasks) for bundle in first]
    for _ in first:
        made.running -= 1
        sizes.append(len(next(out).tasks))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 13 and sizes[-1] < 6  # of 16 that are allowed


def test_here_every_search_is_sent_alone():
    made = bundler(Limit(10), 100)
    assert {len(bundle.tasks) for bundle, _ in zip(made.bundles(), range(100), strict=False)} == {1}
