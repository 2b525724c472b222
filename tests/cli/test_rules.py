"""``kbai rules``: what a number in a message stands for."""

import json
import re

import pytest
from commands import run

from kbai.content.rulebook import load_rules


def test_a_rule_is_printed_with_its_heading_and_wrapped():
    result = run("rules", "R3.2")
    assert result.exit_code == 0
    heading, *lines = result.stdout.splitlines()
    assert heading == "R3.2 Mandatory action"
    assert " ".join(line.strip() for line in lines) == load_rules()["R3.2"].text
    assert max(map(len, lines)) <= 80 and len(lines) > 1


def test_several_rules_come_in_the_order_asked_for_and_once():
    numbers = re.findall(r"^(R\S+)", run("rules", "r9.1", "R6.7", "9.1").stdout, re.M)
    assert numbers == ["R9.1", "R6.7"]


def test_a_section_is_printed_whole():
    numbers = re.findall(r"^(R\S+)", run("rules", "R3").stdout, re.M)
    assert numbers == [number for number in load_rules() if number.split(".")[0] == "R3"]


def test_without_a_number_all_headings_are_listed():
    rows = [line.split(maxsplit=1) for line in run("rules").stdout.splitlines()]
    assert rows == [[rule.number, rule.heading] for rule in load_rules().values()]


def test_json_has_heading_and_text_by_number():
    rule = load_rules()["R3.2"]
    data = json.loads(run("rules", "R3.2", "--format", "json").stdout)
    assert data == {"R3.2": {"heading": rule.heading, "text": rule.text}}


@pytest.mark.parametrize("number", ["R3.9", "R99", "tower"])
def test_an_unknown_number_is_one_sentence_and_exit_code_1(number):
    result = run("rules", "R3.2", number)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: ") and result.stderr.count("\n") == 1


def test_a_message_that_cites_a_rule_leads_to_it():
    game = "Board: tavern,paddock,oasis,farm\nCards: lords\nSeats: red,blue\n\n1 red flower: a1\n"
    cited = re.findall(r"\bR\d+(?:\.\d+)*", run("convert", "-", text=game).stderr)
    assert cited and run("rules", *cited).exit_code == 0
