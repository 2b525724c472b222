"""Summaries as text, Markdown, JSON and page: all say the same, advice first."""

import json
import re
from dataclasses import replace

import pytest
from pages import read
from summaries import made_up_games

from kbai.report.document_markdown import document_markdown
from kbai.report.document_text import document_text
from kbai.report.summary_document import summary_document
from kbai.report.summary_json import summary_dict
from kbai.report.summary_page import summary_page
from kbai.search.params import Limit
from kbai.summary.facts import Phase, TileUse
from kbai.summary.summarize import summarize


def weak(turn, cards):
    """Uses no farm at the end, and makes nothing of farmers before."""
    if turn.phase is Phase.END:
        return replace(turn, tiles={"farm": TileUse(1, 0, 1)})
    sources = dict(turn.sources)
    if "farmers" in cards:
        sources["farmers"] += 3
    return replace(turn, sources=sources)


@pytest.fixture(scope="module")
def summary():
    return summarize(made_up_games(30, weakness=weak), "Ann", limit=Limit(16), seed=1)


def test_what_to_work_on_comes_first(summary):
    text = document_text(summary_document(summary))
    title, intro, tiles, card, overview, method, *_ = text.split("\n\n")
    assert title == "Ann: 30 games, 270 turns (16 visits a turn, seed 1)"
    assert intro == "What to work on:"
    assert tiles.startswith("1. Use more tiles. In the 270 turns with a tile ready")
    assert "Most of all: farm." in tiles.replace("\n", " ")
    assert card.startswith("2. Make more of farmers.")
    assert overview.startswith("Ann loses ")
    assert "Holm" in method


def test_sentences_have_the_numbers_of_the_tables(summary):
    text = document_text(summary_document(summary)).replace("\n", " ")
    row = next(row for row in summary.cards if row.card == "farmers")
    assert f"In the {row.games} games with farmers" in text
    assert f"{row.gold.own.value:.1f} gold more a game" in text
    assert f"({row.gold.own.low:.1f} to {row.gold.own.high:.1f})" in text


def test_one_who_has_no_weakness_is_told_so():
    games = made_up_games(30)
    text = document_text(summary_document(summarize(games, "Ben", limit=Limit(16), seed=1)))
    assert "Nothing stands out: no tile, card or phase is beyond its interval." in text


def test_few_games_are_said_to_be_few():
    few = summarize(made_up_games(3), "Ann", limit=Limit(16), seed=1)
    assert "There are only 3 games" in document_text(summary_document(few))
    one = summarize(made_up_games(1), "Ann", limit=Limit(16), seed=1)
    assert "Nothing can be said yet" in document_text(summary_document(one))


def test_names_of_players_are_foreign_text(summary):
    bad = replace(summary, player="A\x1b[31m<b>|*")
    text = document_text(summary_document(bad))
    assert "\x1b" not in text
    page = summary_page([bad])
    assert "<b>|" not in page and "\x1b" not in page
    read(page)
    assert "\\|" in document_markdown(summary_document(bad))


def test_json_has_what_the_text_says(summary):
    data = json.loads(json.dumps(summary_dict(summary)))
    assert [each["name"] for each in data["findings"]][:1] == ["all tiles"]
    assert data["advice"][0].startswith("1. Use more tiles.")
    assert {*data["phases"]} == {"opening", "middle", "end"}
    assert data["tiles"]["farm"]["unused"]["more"]["low"] > 0
    assert data["cards"]["farmers"]["gold"]["more"]["low"] > 0
    assert len(data["worst"]) == 10 and len(data["history"]) == 30


def test_the_page_is_whole_and_needs_nothing_else(summary):
    text = summary_page([summary, replace(summary, player="Ben")])
    page = read(text)
    assert "Use more tiles" in text
    assert len(page.all("svg", "chart")) == 2 * 4
    assert len(page.all("svg", "board")) == 2 * 6
    names = re.findall(r'\bid="([^"]+)"', text)
    assert len(names) == len({*names})
    used = {*re.findall(r'<use href="#([^"]+)"', text)}
    assert used <= {*names}
    assert "http" not in text.replace("http://www.w3.org", "")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])
    assert [each["player"] for each in data] == ["Ann", "Ben"]
