"""Playthroughs of each set that people have read and found right, compared to the letter."""

from difflib import unified_diff

import pytest
from places import TESTS
from playthrough import consequence_lines, tell
from positions import FIRST_GAME

from kbai import content
from kbai.notation.positions import parse_position

FOLDER = TESTS / "golden"


@pytest.mark.parametrize("name", content.load().sets)
def test_a_playthrough_is_as_it_was_reviewed(name, request):
    golden = FOLDER / f"{name}.txt"
    story = tell((FOLDER / f"{name}.play").read_text(encoding="utf-8")) + "\n"
    if request.config.getoption("rewrite_golden"):
        golden.write_text(story, encoding="utf-8")
    reviewed = golden.read_text(encoding="utf-8") if golden.exists() else ""
    if story != reviewed:
        lines = unified_diff(
            reviewed.splitlines(), story.splitlines(), f"{name}.txt", "played now", lineterm=""
        )
        advice = f"If that is right, write tests/golden/{name}.txt anew by pytest --rewrite-golden."
        pytest.fail("\n".join([*lines, "", advice]), pytrace=False)


def test_every_file_belongs_to_a_set():
    names = {f"{name}.{ending}" for name in content.load().sets for ending in ("play", "txt")}
    assert {path.name for path in FOLDER.iterdir()} == names


def test_no_change_is_told_as_nothing():
    position = parse_position(f"{FIRST_GAME} red=- blue=- turn=red card=grass")
    assert consequence_lines(position, position.copy()) == ["    nothing"]
