"""Reviews of the library."""

import json

import pytest

import kbai

GAME = (
    kbai.Game(kbai.Position(kbai.Setup.first_game()))
    .play("flower: n16 o15 o17")
    .play("canyon: c6 b6 d7")
    .play("grass: farm:l16 l15 m15 m17")
)
LIMIT = kbai.Limit(visits=20)


@pytest.fixture(scope="module")
def review() -> kbai.Review:
    return kbai.review_game(GAME, LIMIT)


def test_every_turn_has_what_was_played_and_the_best(review):
    assert [turn.played for turn in review.turns] == [turn.text for turn in GAME.turns]
    for turn, played in zip(review.turns, GAME.turns, strict=True):
        assert (turn.number, turn.seat, turn.card) == (played.number, played.seat, played.card)
        turn.position.play(turn.best.text)
        assert turn.is_best == (turn.best.text == turn.played)
        assert turn.mark in ("", "?!", "?", "??")


def test_losses_and_luck_are_plain_numbers(review):
    for turn in review.turns:
        assert turn.loss == turn.costs[turn.seat]
        assert turn.luck == turn.lucks[turn.seat]
        for estimate in (turn.loss.win, turn.loss.gold, turn.luck.win, turn.luck.gold):
            assert estimate.low <= estimate.value <= estimate.high
        assert 0 <= turn.before[turn.seat].win.value <= 1


def test_seats_have_their_sums(review):
    red = review.seats["red"]
    losses = [turn.loss.gold.value for turn in review.turns if turn.seat == "red"]
    assert red.turns == len(losses) == 2
    assert red.loss.gold.value == pytest.approx(sum(losses))
    assert set(red.marks) == {"??", "?", "?!"}
    for change in (red.loss, red.luck, red.gain, red.start, red.result):
        assert isinstance(change, kbai.Change)
    assert red.rest is not None
    total = red.start.win.value + red.luck.win.value - red.loss.win.value + red.gain.win.value
    assert total + red.rest.win.value == pytest.approx(red.result.win.value)


def test_a_review_prints_and_makes_a_page(review):
    assert "c6 b6 d7" in str(review)
    assert len(json.loads(json.dumps(review.to_dict()))["turns"]) == 3
    assert "<svg" in review.to_html()
    assert ">c6 b6 d7</td>" in review._repr_html_()


def test_some_turns_of_some_seats_are_reviewed():
    assert [t.number for t in kbai.review_game(GAME, LIMIT, seats=["Red"]).turns] == [1, 3]
    assert [t.number for t in kbai.review_game(GAME, LIMIT, turns=range(2, 4)).turns] == [2, 3]


def test_a_cache_keeps_what_was_found_out(tmp_path, review):
    cache = tmp_path / "cache.jsonl"
    first: list[tuple[int, int]] = []
    assert kbai.review_game(GAME, LIMIT, cache=cache, on_progress=_note(first)) == review
    assert first == [(number, len(first)) for number in range(1, len(first) + 1)]
    again: list[tuple[int, int]] = []
    assert kbai.review_game(GAME, LIMIT, cache=cache, on_progress=_note(again)) == review
    assert again == []


def _note(seen):
    return lambda done, total: seen.append((done, total))


@pytest.mark.slow
def test_processes_find_the_same(review):
    assert kbai.review_game(GAME, LIMIT, workers=2) == review


def test_a_game_without_turns_has_an_empty_review():
    review = kbai.review_game(kbai.Game(GAME.start), LIMIT)
    assert (review.turns, review.seats) == ((), {})
    assert "no turn to review" in str(review)


def test_bad_arguments_are_errors_with_a_sentence():
    with pytest.raises(kbai.ReviewError, match="unknown seat 'pink'"):
        kbai.review_game(GAME, LIMIT, seats=["pink"])
    with pytest.raises(kbai.ParallelError, match="expected at least one worker, got 0"):
        kbai.review_game(GAME, LIMIT, workers=0)
