"""The rules by number: every cited number has an entry, and docs/rules.md shows them all."""

from __future__ import annotations

import re

import pytest
from places import ROOT

from kbai.content.rulebook import find_rules, load_rules
from kbai.core.errors import NotationError
from kbai.report.rules import rules_page

PAGE = ROOT / "docs" / "rules.md"
SUFFIXES = (".py", ".pyx", ".pxd", ".pxi", ".pyi", ".h", ".md", ".toml", ".txt")


def test_every_rule_number_cited_is_explained():
    known = load_rules()
    cited = {
        (number, str(path))
        for folder in ("kbai", "docs", "tests", "scripts")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in SUFFIXES and "golden" not in path.parts
        for number in re.findall(r"\bR\d+(?:\.\d+)*", path.read_text("utf-8"))
    }
    assert len(cited) > 100
    unknown = {where for where in cited if where[0] not in known}
    assert unknown - WRONG_ON_PURPOSE == set()


# What this file and the test of the command ask for in vain.
WRONG_ON_PURPOSE = {
    (number, str(ROOT / "tests" / folder / name))
    for folder, name in (("content", "test_rulebook.py"), ("cli", "test_rules.py"))
    for number in ("R0", "R3.9", "R11.1", "R99")
}


def test_a_rule_has_a_section_above_it_and_one_or_more_sentences():
    rules = load_rules()
    for number, rule in rules.items():
        assert number.rpartition(".")[0] in {"", *rules}, number
        assert rule.heading and rule.text.endswith("."), number


def test_rules_are_in_order():
    numbers = [tuple(map(int, number[1:].split("."))) for number in load_rules()]
    assert numbers == sorted(set(numbers))


def test_a_section_has_all_its_rules_and_no_other():
    assert [rule.number for rule in find_rules("R1")] == [f"R1{n}" for n in
        ("", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", ".10")]  # fmt: skip
    assert [rule.number for rule in find_rules("R1.1")] == ["R1.1"]


@pytest.mark.parametrize("text", ["R3.2", "r3.2", "3.2", " R3.2 "])
def test_a_number_is_read_forgivingly(text):
    assert [rule.heading for rule in find_rules(text)] == ["Mandatory action"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("R3.9", "there is no rule 'R3.9'; section R3 has R3.1 to R3.8."),
        ("R99", "expected a rule such as R3.2, from sections R1 to R10, got 'R99'."),
        ("tower", "expected a rule such as R3.2, from sections R1 to R10, got 'tower'."),
        ("", "expected a rule such as R3.2, from sections R1 to R10, got ''."),
    ],
)
def test_an_unknown_number_is_one_sentence(text, sentence):
    with pytest.raises(NotationError) as caught:
        find_rules(text)
    assert str(caught.value) == sentence


def test_the_page_of_rules_is_made_from_the_rules(request):
    page = rules_page(load_rules().values())
    if request.config.getoption("rewrite_golden"):
        PAGE.write_text(page, "utf-8")
    assert PAGE.read_text("utf-8") == page
