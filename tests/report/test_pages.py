"""Pages: whole, without anything from outside, with a board for every turn."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner, Result
from mixed import MIXED_FILE
from positions import busy_steps, random_starts
from reviews import rough_review

from kbai.cli import main
from kbai.content import load
from kbai.core.intervals import Estimate
from kbai.draw.svg import middle
from kbai.draw.svg_curves import Line, Moment, draw_curve
from kbai.game.setup import Setup
from kbai.notation.games import Game, parse_game, record_game
from kbai.notation.names import parse_cell
from kbai.report.review_json import review_dict
from kbai.report.review_page import review_page
from kbai.report.suggestion_json import suggestion_dict
from kbai.report.suggestion_page import suggestion_page
from kbai.review.results import Review
from kbai.search.params import Limit
from kbai.search.results import Suggestion
from kbai.search.suggest import suggest

GAME = """\
Board: tavern,paddock,oasis,farm
Cards: fishermen,knights,merchants
Seats: red,blue
Players: Ann <ann@example.org>, Bob

1 red flower: n16 o15 o17
2 blue canyon: c6 b6 d7
3 red grass: farm:l16 l15 m15 m17
"""
VOID = {"meta", "link", "br", "hr", "img", "input"}
QUICK = ("--visits", "40", "--seed", "7")


class Reader(HTMLParser):
    """Reads a page; complains about a tag that is not closed by its own."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:], self.getpos())
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.append((self.open[-1], data))

    def all(self, tag: str, css: str = "") -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags
                if name == tag and css in (attrs.get("class") or "").split() + [""]]  # fmt: skip


def read(text: str) -> Reader:
    """Read a page and check that it is whole and needs nothing else."""
    assert text.startswith("<!DOCTYPE html>")
    page = Reader(text)
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    links = [attrs[key] or "" for _, attrs in page.tags for key in ("href", "src") if key in attrs]
    assert {link[0] for link in links if link != "data:,"} == {"#"}
    assert {link[1:] for link in links if link != "data:,"} <= {*ids}
    assert {name for name in re.findall(r"url\(#([^)]+)\)", text)} <= {*ids}
    code = "".join(data for tag, data in page.texts if tag in ("style", "script"))
    assert ".board" in code and not re.search(r"@import|https?:|url\(", code)
    return page


def articles(text: str) -> dict[str, str]:
    found = re.findall(r'<article class="[^"]*" id="([^"]+)".*?</article>', text, re.S)
    return {name: re.search(rf'<article class="[^"]*" id="{name}".*?</article>', text, re.S)[0]
            for name in found}  # fmt: skip


@pytest.fixture(scope="module")
def game() -> Game:
    return parse_game(GAME)


@pytest.fixture(scope="module")
def suggestion(game: Game) -> Suggestion:
    return suggest(game.position_before(3), Limit(visits=200), seed=7, top=4)


@pytest.fixture(scope="module")
def review(game: Game) -> Review:
    return rough_review(game, visits=60, name="a <b> & c.kbg")


def test_a_suggestion_has_a_board_for_each_turn(suggestion):
    text = suggestion_page(suggestion)
    read(text)
    boards = articles(text)
    assert len(boards) == len(suggestion.turns) > 1
    for body in boards.values():
        assert body.count('<use href="#board"/>') == 1
        x, y = middle(parse_cell("n16"))
        assert f'<use href="#red-house" x="{x:g}" y="{y:g}"/>' in body
        assert "Where the gold comes from" in body
    assert len(set(boards.values())) == len(boards)


def test_the_data_of_a_page_are_those_of_json(suggestion):
    text = suggestion_page(suggestion)
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert json.loads(data[1]) == json.loads(json.dumps(suggestion_dict(suggestion)))
    # What can be read on the page is what the data say.
    for turn in json.loads(data[1])["turns"]:
        assert f"{100 * turn['seats']['red']['win']['value']:.1f} %" in text


def test_what_is_the_same_on_all_boards_is_there_once(suggestion):
    text = suggestion_page(suggestion)
    assert text.count('id="board"') == 1
    assert text.count('href="#hex-water"') < 100


def test_a_suggestion_for_a_card_that_is_to_come_has_one_view_for_each(game):
    found = suggest(game.final_position(), Limit(visits=50), seed=1)
    page = read(suggestion_page(found))
    assert len(page.all("article")) == len(found.turns) == 5


def test_a_page_of_a_finished_game_has_the_last_board():
    start = next(random_starts(1))[1]
    over = record_game(start, start.copy().playout_steps(1)).final_position()
    page = read(suggestion_page(suggest(over, Limit(visits=1), seed=1)))
    assert len(page.all("article")) == 1
    assert page.all("nav") == []


def test_a_review_has_a_board_a_row_and_a_place_on_the_curves_for_each_turn(review):
    text = review_page(review)
    page = read(text)
    names = ["turn-1", "turn-2", "turn-3"]
    assert [attrs["id"] for attrs in page.all("article", "view")] == names
    links = [attrs["data-open"] for attrs in page.all("a") if "data-open" in attrs]
    # Two curves and the list.
    assert Counter(links) == dict.fromkeys(names, 3)
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
    # On two curves, above the board, in the list; and the column of the summary.
    assert len(shown) == 5
    assert [attrs["id"] for attrs in page.all("article", "is-marked")] == ["turn-2"]
    assert 'data-first="1"' in text


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


def test_a_curve_goes_through_its_values():
    lines = [Line("red", (0.0, 100.0), (0.0, 90.0), (10.0, 100.0)),
             Line("white", (100.0, 0.0), (90.0, 0.0), (100.0, 10.0))]  # fmt: skip
    moment = Moment("turn-1", "1", "first", "??", 1)
    drawing = draw_curve(lines, [moment], title="t", low=0, high=100)
    ways = re.findall(r'<path class="line" d="M([^"z]+)" fill="none" stroke="([^"]+)"', drawing)
    assert [way for way, _ in ways] == ["38.0,236.0L498.0,14.0", "38.0,14.0L498.0,236.0"]
    assert ">??</text>" in drawing and 'href="#turn-1"' in drawing


# The command.


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["suggest", *arguments], input=text)


def test_suggest_writes_a_page_beside_its_answer(tmp_path):
    path = tmp_path / "page.html"
    plain, result = run(*QUICK), run(*QUICK, "--html", str(path))
    assert (result.exit_code, result.stdout) == (0, plain.stdout)
    read(path.read_text("utf-8"))


def test_a_page_on_stdout_is_all_there_is_on_stdout():
    result = run(*QUICK, "--html", "-")
    assert result.exit_code == 0
    read(result.stdout)


def test_a_path_that_cannot_be_written_is_refused_before_the_search(tmp_path, monkeypatch):
    def never(*_: object, **__: object) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr("kbai.search.suggest.suggest", never)
    result = run("--html", str(tmp_path / "nowhere" / "page.html"))
    assert result.exit_code == 2
    assert "expected a file to write" in result.stderr


def test_a_full_disk_is_told():
    result = run(*QUICK, "--html", "/dev/full")
    assert result.exit_code == 1
    assert "expected a file to write, got '/dev/full': No space left" in result.stderr


def test_templates_are_loaded_only_for_a_page():
    code = (
        "import sys; from kbai.cli import main\n"
        "main(['suggest', '--visits', '1', '--seed', '1'], standalone_mode=False)\n"
        "sys.exit(2 * ('jinja2' in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0
