"""Suggestions of the library: the search in text and plain numbers."""

import json
import pickle

import pytest

import kbai

START = kbai.Position(kbai.Setup.first_game())
POSITION = START.turn_up("flower")
LIMIT = kbai.Limit(visits=200)


@pytest.fixture(scope="module")
def suggestion() -> kbai.Suggestion:
    return kbai.suggest(POSITION, LIMIT, seed=7, top=3)


def test_suggested_turns_are_text_that_can_be_played(suggestion):
    assert len(suggestion.turns) == 3
    legal = {POSITION.play(turn) for turn in POSITION.legal_turns()}
    for turn in suggestion.turns:
        assert str(turn) == turn.text
        assert POSITION.play(turn.text) in legal
        assert turn.line[0] == f"red flower: {turn.text}"


def test_numbers_are_those_of_the_seat_that_plays(suggestion):
    best = suggestion.best
    assert best is suggestion.turns[0]
    assert (best.seat, best.card, best.odds) == ("red", "flower", 1.0)
    own = best.outlooks["red"]
    assert (best.win, best.gold, best.margin) == (own.win, own.gold, own.margin)
    for estimate in (best.win, best.gold, best.margin):
        assert estimate.low <= estimate.value <= estimate.high
    assert own.win.value + best.outlooks["blue"].win.value == pytest.approx(1)
    assert set(own.sources) == {
        "castles",
        "fishermen",
        "knights",
        "merchants",
        "better play",
    }
    assert sum(own.sources.values()) == pytest.approx(own.gold.value)
    assert sum(own.sources.values()) == pytest.approx(own.gold.value, abs=0.1)
    assert not best.is_exact


def test_a_suggestion_is_a_value(suggestion):
    assert suggestion == kbai.suggest(POSITION, LIMIT, seed=7, top=3)
    assert pickle.loads(pickle.dumps(suggestion)) == suggestion
    assert (suggestion.visits, suggestion.seed, suggestion.threads) == (200, 7, 1)
    assert suggestion.position == POSITION


def test_a_suggestion_prints_as_a_table_and_as_json(suggestion):
    assert suggestion.best.text in str(suggestion).split("\n")[3]
    data = json.loads(json.dumps(suggestion.to_dict()))
    assert " ".join(data["turns"][0]["actions"]) == suggestion.best.text


def test_a_notebook_shows_the_same_table_as_a_terminal(suggestion):
    html = suggestion._repr_html_()
    assert "<table>" in html and "<svg" not in html
    for turn in suggestion.turns:
        assert f">{turn.text}</td>" in html
        assert turn.text in str(suggestion)
    assert suggestion.to_html().lower().startswith("<!doctype html>")


def test_without_a_card_there_is_a_turn_for_each():
    suggestion = kbai.suggest(START, LIMIT, seed=7)
    assert {turn.card for turn in suggestion.turns} == set(START.card_odds())
    assert sum(turn.odds for turn in suggestion.turns) == pytest.approx(1)
    for turn in suggestion.turns:
        START.play(f"{turn.card}: {turn.text}")


def test_a_seed_that_is_not_given_is_in_the_result():
    suggestion = kbai.suggest(POSITION, LIMIT)
    assert kbai.suggest(POSITION, LIMIT, seed=suggestion.seed) == suggestion


def test_turns_can_be_allowed_and_avoided(suggestion):
    best = suggestion.best.text
    other = kbai.suggest(POSITION, LIMIT, seed=7, avoid=[best])
    assert best not in [turn.text for turn in other.turns]
    only = kbai.suggest(POSITION, LIMIT, seed=7, allow=["a1"])
    assert all("a1" in turn.text.split() for turn in only.turns)


def test_progress_is_told():
    seen: list[int] = []
    kbai.suggest(POSITION, LIMIT, seed=7, on_progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 200


def test_the_search_has_threads_of_its_own():
    assert kbai.suggest(POSITION, LIMIT, seed=7, threads=2).threads == 2
    assert kbai.suggest(POSITION, kbai.Limit(seconds=0.05), seed=7).threads >= 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: kbai.suggest(POSITION, LIMIT, top=0), "expected at least one turn to list, got 0"),
        (lambda: kbai.suggest(POSITION, LIMIT, threads=0), "expected at least one thread, got 0"),
        (lambda: kbai.suggest(POSITION, LIMIT, memory=0), "for memory, got 0"),
        (lambda: kbai.suggest(START, LIMIT, avoid=["a1"]), "a position with a known card"),
        (lambda: kbai.suggest(POSITION, LIMIT, allow=["a20"]), "'a20' is not possible"),
        (lambda: kbai.suggest(POSITION, LIMIT, avoid=["n16 ..."]), "expected a whole turn"),
        (lambda: kbai.Limit(), "expected a limit of visits or seconds"),
        (lambda: kbai.Limit(visits=0), "expected at least one visit, got 0"),
    ],
)
def test_a_bad_argument_is_an_error_with_a_sentence(call, message):
    with pytest.raises(kbai.KbaiError, match=message):
        call()


def test_a_game_that_is_over_has_no_turns():
    over = kbai.parse_position(
        "kb1 board=tavern,paddock,oasis,farm cards=lords red=a1 blue=b2 phase=over"
    )
    assert over.is_over
    with pytest.raises(kbai.SearchError, match="got one of a game that is over"):
        kbai.suggest(over, LIMIT)


def test_two_turns_are_compared():
    start = kbai.Position(kbai.Setup.first_game()).turn_up("flower")
    found = kbai.suggest(start, kbai.Limit(visits=500), seed=1, top=3)
    why, other = found.why(), found.why(2, 0)
    assert isinstance(why, kbai.Comparison) and why.sentence
    one, two = (found.turns[place].margin.value for place in (0, 1))
    assert why.margin.value == pytest.approx(one - two)
    assert other != why
    with pytest.raises(kbai.SearchError, match="expected two of 3 turns, got 0 and 3"):
        found.why(0, 3)
    hidden = kbai.Position(kbai.Setup.first_game())
    assert kbai.suggest(hidden, kbai.Limit(visits=50), seed=1).why() is None
