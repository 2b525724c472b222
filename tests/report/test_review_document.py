"""Reviews as documents: text, Markdown and page say the same."""

from dataclasses import replace
from html import escape

import pytest
from mixed import MIXED_FILE
from reviews import rough_review

from kbai.core.intervals import LEVEL, Estimate
from kbai.core.uncertainty import mean_of
from kbai.notation.games import parse_game
from kbai.report.document import Table, Terms
from kbai.report.document_html import blocks_html
from kbai.report.document_markdown import document_markdown
from kbai.report.document_text import document_text
from kbai.report.review_document import RESULTS, SEATS, TERMS, review_document
from kbai.report.review_page import review_page
from kbai.review.judge import mark_of
from kbai.review.results import Review


@pytest.fixture(scope="module")
def review() -> Review:
    return rough_review(parse_game(MIXED_FILE), visits=20)


def terms_of(review):
    terms, meaning = review_document(review).section(TERMS)
    assert isinstance(terms, Terms)
    assert "A win % is how often the seat would win" in meaning.text
    return terms.rows


def test_text_markdown_and_page_explain_every_term_alike(review):
    document = review_document(review)
    text = " ".join(document_text(document).split())
    markdown, page = document_markdown(document), review_page(review)
    for term, meaning in terms_of(review):
        assert f"{term} {meaning}" in text
        assert f"- {term}: {meaning}" in markdown.replace("\\", "")
        # Once: what is explained twice can be explained in two ways.
        assert page.count(f"<dt>{escape(term)}</dt>") == 1
        assert f"<dt>{escape(term)}</dt><dd>{escape(meaning)}</dd>" in page


def test_intervals_are_said_to_be_what_they_are_computed_for(review):
    meaning = dict(terms_of(review))["+/-"]
    assert meaning == "how far the 95 % interval of the number to its left reaches towards 0"
    assert LEVEL == 0.95
    # Student's quantile for 95 % and three degrees of freedom.
    found = mean_of((1.0, 2.0, 3.0, 4.0)).estimate()
    assert found.high - found.value == pytest.approx(3.182 * (5 / 12) ** 0.5, rel=2e-3)


def test_the_page_has_the_tables_of_the_text(review):
    document = review_document(review)
    page = review_page(review)
    for name in (SEATS, RESULTS):
        blocks = document.section(name)
        assert any(isinstance(block, Table) for block in blocks)
        assert blocks_html(blocks) in page


def test_without_all_turns_results_are_not_explained(review):
    seats = tuple(replace(summary, rest=None) for summary in review.seats)
    part = replace(review, seats=seats)
    assert review_document(part).section(RESULTS) == ()
    assert "without luck" not in dict(terms_of(part))
    assert "without luck" in dict(terms_of(review))


def test_a_turn_has_a_row_with_its_numbers(review):
    loss = replace(review.turns[1].loss, win=review.turns[1].loss.win._replace(value=0.2134))
    costs = list(review.turns[1].costs)
    costs[review.turns[1].seat] = loss
    turn = replace(review.turns[1], is_best=False, mark="??", costs=tuple(costs))
    turns = (review.turns[0], turn, *review.turns[2:])
    lines = document_text(review_document(replace(review, turns=turns))).splitlines()
    row = next(line for line in lines if "??" in line)
    assert row.split()[:2] == ["2", "??"]
    assert " 21.3 " in row


@pytest.mark.parametrize(
    ("loss", "mark", "printed"),
    [
        (Estimate(0.198, 0.048, 0.415), "?", ["19.8", "15.0"]),  # half of the interval is 18.4
        (Estimate(0.192, 0.022, 0.317), "", ["19.2", "17.0"]),  # half of it is 14.8
    ],
)
def test_a_turn_has_a_mark_just_if_what_is_printed_says_so(review, loss, mark, printed):
    assert mark_of(loss) == mark
    costs = list(review.turns[1].costs)
    costs[review.turns[1].seat] = replace(review.turns[1].loss, win=loss)
    turn = replace(review.turns[1], is_best=False, mark=mark, costs=tuple(costs))
    lines = document_text(review_document(replace(review, turns=(turn,)))).splitlines()
    row = next(line.split() for line in lines if " 2 " in line[:6])
    assert row[row.index(printed[0]) :][:2] == printed
