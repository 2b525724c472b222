"""Suggestions as text and as dicts."""

import json
import re
from dataclasses import replace

import pytest
from positions import position

from kbai.explain.compare import compare
from kbai.explain.results import Names
from kbai.report.document_html import blocks_html
from kbai.report.document_text import document_text
from kbai.report.suggestion_document import TERMS, TURNS, suggestion_document
from kbai.report.suggestion_json import WITH_REASONS, suggestion_dict
from kbai.report.suggestion_page import suggestion_page
from kbai.report.why import why_first, why_text
from kbai.search.params import Limit
from kbai.search.suggest import suggest

START = position("red=- blue=- turn=red card=flower")


def text_of(start, visits=400, **options):
    return document_text(suggestion_document(suggest(start, Limit(visits), seed=1, **options)))


def test_the_table_tells_turns_chances_gold_and_visits():
    title, table, why, _, sources, _, line, legend, meaning = text_of(START, top=3).split("\n\n")
    assert title == "Best turns for red with flower (400 visits, seed 1):"
    head, *rows = table.splitlines()
    assert head.split() == [
        "turn", "win", "%", "interval", "red", "blue", "margin", "+/-", "visits",
    ]  # fmt: skip
    assert [row.split()[0] for row in rows] == ["1", "2", "3"]
    best = suggest(START, Limit(400), seed=1, top=3).turns[0]
    assert f" {100 * best.seats[0].win.value:.1f} " in rows[0]
    assert f" {best.seats[1].gold.value:.1f} " in rows[0]
    assert rows[0].endswith(str(best.visits))
    assert [row.split()[0] for row in sources.splitlines()[1:]] == [
        "castles", "fishermen", "knights", "merchants", "better", "total", "win",
    ]  # fmt: skip
    assert re.match(
        "(Why turn 1 rather than turn 2|Turn 1 compared with turn 2), in gold: |"
        "Between turn 1 and turn 2 there is no",
        why,
    )
    assert line.startswith("  red flower: ")
    assert legend.startswith("order ")
    assert "A win % is how often red would win" in meaning


@pytest.mark.parametrize(("games", "text"), [(1, "1 game"), (2000, "2,000 games")])
def test_one_visit_and_one_game_are_told_as_such(games, text):
    suggestion = suggest(START, Limit(1), seed=1)
    suggestion = replace(suggestion, turns=(replace(suggestion.turns[0], games=games),))
    title = document_text(suggestion_document(suggestion)).partition("\n")[0]
    assert title == f"Best turns for red with flower (1 visit, {text}, seed 1):"


def test_the_actions_are_those_of_a_game_file():
    found = suggestion_dict(suggest(START, Limit(400), seed=1))
    first = found["turns"][0]
    assert first["finished"] and len(first["actions"]) == 3
    assert first["line"][0] == f"red flower: {' '.join(first['actions'])}"
    assert f"1  {' '.join(first['actions'])} " in text_of(START)


def test_the_dict_has_all_of_it():
    found = suggest(START, Limit(400), seed=1, top=2)
    data = json.loads(json.dumps(suggestion_dict(found)))
    assert list(data) == [
        "version", "position", "seat", "visits", "seed", "threads", "interrupted", "full", "turns",
    ]  # fmt: skip
    assert (data["seat"], data["visits"], data["seed"], len(data["turns"])) == ("red", 400, 1, 2)
    assert list(data["turns"][0]) == [
        "card", "odds", "actions", "finished", "visits", "games", "utility", "exact", "seats",
        "variants", "line",
    ]  # fmt: skip
    red = data["turns"][0]["seats"]["red"]
    assert list(red) == ["win", "gold", "margin", "sources"]
    assert list(red["win"]) == ["value", "low", "high"]
    assert sum(red["sources"].values()) == pytest.approx(red["gold"]["value"])


def test_one_game_gives_no_interval():
    data = suggestion_dict(suggest(START, Limit(1), seed=1))
    (turn,) = data["turns"]
    assert not turn["finished"] and len(turn["actions"]) == 1
    assert turn["seats"]["red"]["gold"]["low"] is None
    assert " ... " in text_of(START, 1) and " ? " in text_of(START, 1)


def test_cards_to_come_are_told_with_their_odds():
    start = position("red=- blue=- turn=red card=hidden")
    title, table, *_ = text_of(start).split("\n\n")
    assert title == "red turns up a card next. The best turn for each card (400 visits, seed 1):"
    head, *rows = table.splitlines()
    assert head.split()[:3] == ["card", "odds", "%"]
    assert {row.split()[0] for row in rows} == {"grass", "canyon", "desert", "flower", "forest"}
    assert all(row.split()[1] == "20.0" for row in rows)


def test_a_game_that_is_over_tells_who_won():
    over = START.copy()
    over.playout(3)
    gold = over.scores()
    text = text_of(over)
    winner = "red" if gold[0] > gold[1] else "blue"
    assert text == f"The game is over: {winner} has won (red {gold[0]}, blue {gold[1]})."
    data = suggestion_dict(suggest(over, Limit(5), seed=1))
    assert (data["seat"], data["turns"], data["visits"]) == (None, [], 0)


def test_a_turn_that_can_only_end_says_so():
    start = position("red=a1 blue=- turn=red card=flower phase=post")
    assert len(start.legal()) == 1
    assert "\n1  end " in text_of(start)


def test_a_reaction_is_called_so():
    from mixed import mixed_position

    rest = "red=a13 blue=j13/gifts=canoe turn=red card=flower phase=build1 reacting=red:blue"
    text = text_of(mixed_position(rest, cards="miners"))
    assert text.startswith("Best reactions for blue (400 visits, seed 1):")
    assert "canoe:blue@j12" in text


@pytest.mark.parametrize("card", ["flower", "hidden"])
def test_the_page_has_the_turns_and_the_terms_of_the_text(card):
    found = suggest(position(f"red=- blue=- turn=red card={card}"), Limit(50), seed=1, top=3)
    document, page = suggestion_document(found), suggestion_page(found)
    for name in (TURNS, TERMS):
        assert document.section(name)
        assert blocks_html(document.section(name)) in page


def test_terms_speak_of_the_seat_that_decides():
    start = position("red=- blue=- turn=blue card=flower")
    legend, meaning = text_of(start).split("\n\n")[-2:]
    assert "how often blue would win" in meaning
    assert "win %        blue's chance of winning; a tie counts as a share" in legend
    assert "margin       blue's gold minus the best opponent's" in legend


def test_why_the_first_turn_is_better_is_told_as_in_json():
    found = suggest(START, Limit(1500), seed=1, top=2)
    why = why_first(found)
    data = json.loads(json.dumps(suggestion_dict(found, WITH_REASONS)))["why"]
    assert list(data) == ["sentence", "margin", "games", "parts"]
    assert data["sentence"] == why.sentence
    assert why_text(why) in document_text(suggestion_document(found)).replace("\n", " ")
    assert sum(part["gold"]["value"] for part in data["parts"]) == pytest.approx(
        data["margin"]["value"]
    )
    assert {part["name"] for part in data["parts"]} >= {"castles", "tiles", "choices", "opponents"}


@pytest.mark.parametrize("card, top", [("hidden", 5), ("flower", 1)])
def test_without_two_turns_to_choose_from_there_is_no_why(card, top):
    found = suggest(position(f"red=- blue=- turn=red card={card}"), Limit(60), seed=1, top=top)
    assert suggestion_dict(found, WITH_REASONS)["why"] is None
    assert "rather than" not in document_text(suggestion_document(found))


def test_less_gold_is_no_reason_for_a_turn():
    found = suggest(START, Limit(1500), seed=1, top=2)
    first, second = found.turns
    names = Names.of_list(0, 1)
    there, back = compare(START, first, second, names), compare(START, second, first, names)
    better, worse = (there, back) if there.margin.value > 0 else (back, there)
    assert why_text(better) == f"Why turn 1 rather than turn 2, in gold: {better.sentence}."
    compared = "Turn 1 compared with turn 2"
    assert why_text(worse) == f"{compared}, in gold: {worse.sentence}."
    unplayed = why_text(worse, is_played_on=False)
    assert unplayed == f"{compared}, which was not played on, in gold: {worse.sentence}."
    against = tuple(replace(part, is_clear=part.gold.value < 0) for part in better.parts)
    assert why_text(replace(better, parts=against)).startswith(compared)
    blurred = tuple(replace(part, is_clear=False) for part in better.parts)
    seen = replace(better, parts=blurred, sentence="turn 2 takes a tile")
    between = "Between turn 1 and turn 2 there is no clear difference"
    assert why_text(seen) == f"{between} in gold; what differs: turn 2 takes a tile."
    nothing = compare(START, first, first, Names.of_list(0, 1))
    assert why_text(nothing) == f"{between}."
