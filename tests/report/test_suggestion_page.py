"""The page of a suggestion: whole, needs nothing else, and has a board for every turn."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result
from pages import PAGE_GAME, articles, read
from positions import position, random_starts

from kbai.cli import main
from kbai.draw.svg import middle
from kbai.notation.games import Game, parse_game, record_game
from kbai.notation.names import parse_cell
from kbai.report.document import Text
from kbai.report.document_html import blocks_html
from kbai.report.suggestion_json import WITH_REASONS, suggestion_dict
from kbai.report.suggestion_page import suggestion_page
from kbai.report.why import why_first, why_table
from kbai.search.params import Limit
from kbai.search.results import Suggestion
from kbai.search.suggest import suggest


@pytest.fixture(scope="module")
def game() -> Game:
    return parse_game(PAGE_GAME)


QUICK = ("--visits", "40", "--seed", "7")


@pytest.fixture(scope="module")
def suggestion(game: Game) -> Suggestion:
    return suggest(game.position_before(3), Limit(visits=200), seed=7, top=4)


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
    assert json.loads(data[1]) == json.loads(json.dumps(suggestion_dict(suggestion, WITH_REASONS)))
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


def test_every_turn_says_why_it_is_better_or_worse():
    found = suggest(position("red=- blue=- turn=red card=flower"), Limit(1500), seed=1, top=3)
    page = suggestion_page(found)
    assert page.count("<h3>Against turn 2</h3>") == 1
    assert page.count("<h3>Against turn 1</h3>") == 2
    why = why_first(found)
    assert blocks_html((Text(why.sentence), why_table(why))) in page
