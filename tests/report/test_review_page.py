"""The page of a review: whole, needs nothing else, has curves and a board for every turn."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace

import pytest
from mixed import MIXED_FILE
from pages import PAGE_GAME, articles, read
from positions import busy_steps
from reviews import rough_review

from kbai.content import load
from kbai.core.intervals import Estimate
from kbai.game.setup import Setup
from kbai.notation.games import Game, parse_game, record_game
from kbai.report.review_json import review_dict
from kbai.report.review_page import review_page
from kbai.review.results import Change, Review


@pytest.fixture(scope="module")
def game() -> Game:
    return parse_game(PAGE_GAME)


@pytest.fixture(scope="module")
def review(game: Game) -> Review:
    return rough_review(game, visits=60, name="a <b> & c.kbg")


def test_a_review_has_a_board_a_row_and_a_place_on_the_curves_for_each_turn(review):
    text = review_page(review)
    page = read(text)
    names = ["turn-1", "turn-2", "turn-3"]
    assert [attrs["id"] for attrs in page.all("article", "view")] == names
    links = [attrs["data-open"] for attrs in page.all("a") if "data-open" in attrs]
    # Two curves and the list; those that cost something are also at its beginning.
    costly = {f"turn-{turn.number}" for turn in review.turns if turn.loss.win.value > 0}
    assert Counter(links) == {name: 3 + (name in costly) for name in names}
    assert len(page.all("svg", "curve")) == 2
    for turn, body in zip(review.turns, articles(text).values(), strict=True):
        assert body.count('<use href="#board"/>') == 1
        assert ('href="#best"' in body) == (not turn.is_best)
        assert 'href="#played"' in body
        assert "The turns searched most" in body and "Where the gold comes from" in body


def test_the_data_of_a_review_are_those_of_json_without_the_turns_looked_at(review):
    data = re.search(r'id="data">(.*?)</script>', review_page(review), re.S)
    printed = json.loads(json.dumps(review_dict(review)))
    for turn in printed["turns"]:
        assert turn["turns"]
        turn["turns"] = []
    assert json.loads(data[1]) == printed


def test_marks_are_in_the_list_on_the_curves_and_in_the_title(review):
    turns = tuple(replace(turn, mark="?!" if turn.number == 2 else "") for turn in review.turns)
    text = review_page(replace(review, turns=turns))
    page = read(text)
    shown = [data for tag, data in page.texts if data == "?!"]
    # On two curves, beside the board, in the list and at its beginning; the column of the summary.
    assert len(shown) == 6
    assert [attrs["id"] for attrs in page.all("article", "is-marked")] == ["turn-2"]
    assert 'data-first="1"' in text


def test_the_list_begins_with_the_three_worst_turns(review):
    turn = next(turn for turn in review.turns if not turn.is_best)
    rows = [
        replace(turn, number=number, mark=mark, costs=(Change(*2 * [Estimate(x, x, x)]),) * 2)
        for number, mark, x in (
            (1, "", 0.02), (2, "??", 0.3), (3, "", 0.0), (4, "?!", 0.1), (5, "??", 0.2)
        )
    ]  # fmt: skip
    text = review_page(replace(review, turns=tuple(rows)))
    first = text[text.index(">The worst turns") : text.index(">All turns")]
    assert re.findall(r'data-open="turn-(\d)"', first) == ["2", "5", "4"]
    assert 'data-first="1"' in text


def test_a_note_is_only_about_turns_that_are_listed(review):
    turn = next(turn for turn in review.turns if not turn.is_best)
    notes = {"Bold: the best turn.": turn.best.steps, "Shaded: the played turn.": turn.played}
    for note, steps in notes.items():
        others = tuple(choice for choice in turn.candidates if choice.steps != steps)
        one = replace(review, turns=(replace(turn, candidates=others),))
        assert note not in review_page(one)
    whole = replace(review, turns=(replace(turn, candidates=(turn.best, *turn.candidates)),))
    assert "Bold: the best turn." in review_page(whole)


def test_parts_of_a_turn_are_views_of_their_own(review):
    second = replace(review.turns[0], part=1)
    text = review_page(replace(review, turns=(review.turns[0], second, *review.turns[1:])))
    page = read(text)
    assert [attrs["id"] for attrs in page.all("article")] == [
        "turn-1",
        "turn-1-1",
        "turn-2",
        "turn-3",
    ]


def test_names_and_problems_are_only_text(review):
    text = review_page(replace(review, problem="line 7: <script>alert(1)</script>"))
    page = read(text)
    assert "a &lt;b&gt; &amp; c.kbg" in text and "<ann@" not in text
    assert len(page.all("script")) == 2
    assert "line 7: <script>alert(1)</script>" in "".join(data for _, data in page.texts)


def test_a_review_of_no_turns_is_a_page(review):
    read(review_page(replace(review, turns=())))


def test_a_review_that_does_not_know_the_end_is_a_page(review):
    page = read(review_page(replace(review, final=())))
    assert len(page.all("svg", "curve")) == 2


def test_the_bands_of_the_curves_stay_between_the_ends_of_their_axes(review):
    wide = replace(review.turns[0].outlooks[0], win=Estimate(0.1, -0.3, 1.2))
    first = replace(review.turns[0], outlooks=(wide, *review.turns[0].outlooks[1:]))
    text = review_page(replace(review, turns=(first, *review.turns[1:])))
    bands = re.findall(r'<path d="M([^"]+)z" fill="#[0-9a-f]+" opacity="0.16"', text)
    assert len(bands) == 4  # two seats on two curves
    heights = [float(point.partition(",")[2]) for band in bands for point in band.split("L")]
    assert 14 <= min(heights) < max(heights) <= 236


def test_a_review_of_a_game_of_all_sets_is_a_whole_page():
    read(review_page(rough_review(parse_game(MIXED_FILE), visits=20)))


def test_the_page_of_a_long_game_stays_small():
    setup = Setup.random(1, seats=4, sets=tuple(load().sets))
    start = setup.start_position()
    game = record_game(start, busy_steps(start, 1))
    last = game.turns[-25:]
    game = Game(game.position_before(last[0].number), last)
    # One part a turn: cards drawn within a turn are no matter of the page.
    text = review_page(rough_review(game, visits=6))
    assert len(articles(text)) == 25
    assert len(text) < 1_000_000
