"""The gold by source, as a table and as a dict."""

import subprocess
import sys

from mixed import MIXED_MAP, mixed_position
from positions import position

from kbai.report.document_text import document_text
from kbai.report.scores import score_dict, score_document


def gold(current, seat="red"):
    return score_dict(current)["seats"][seat]


def test_sources_stand_in_their_order():
    current = mixed_position("red=- blue=- turn=red card=grass", cards="lords,captains")
    assert list(gold(current)) == [
        "castles", "treasure", "palaces", "capitols", "lords", "captains", "total",
    ]  # fmt: skip
    with_tasks = mixed_position("red=- blue=- turn=red card=grass")
    assert list(gold(with_tasks))[4:] == ["mayors", "rovers", "road", "advance", "total"]


def test_what_the_board_does_not_have_is_left_out():
    rest = "cards=lords red=- blue=- turn=red card=grass"
    assert list(gold(position(rest, MIXED_MAP))) == [
        "castles", "treasure", "palaces", "lords", "total",
    ]  # fmt: skip
    first_game = position("red=- blue=- turn=red card=grass")
    assert list(gold(first_game)) == ["castles", "fishermen", "knights", "merchants", "total"]


def test_palaces_capitols_markers_and_tasks_pay():
    red = "red=b8,l8,a13,a14,a15,a16,a17,a18,a19/mayors=3,4/gold=rovers:2"
    current = mixed_position(f"{red} blue=d8 turn=red card=grass")
    expected = {
        "castles": 3, "treasure": 0, "palaces": 5, "capitols": 1, "mayors": 8, "rovers": 2,
        "road": 0, "advance": 9, "total": 28,
    }  # fmt: skip
    assert gold(current) == expected
    assert gold(current, "blue")["palaces"] == 5
    rows = [line.split() for line in document_text(score_document(current)).splitlines()]
    assert rows[0] == ["red", "blue"]
    assert [row[0] for row in rows[1:]] == list(expected)
    assert rows[-1] == ["total", "28", "5"]


def test_counting_gold_does_not_load_the_search():
    """Commands start as fast as they can: what they do not need is not imported."""
    code = (
        "import sys; from kbai.cli import main\n"
        "for name in ('score', 'show'): main([name], standalone_mode=False)\n"
        "sys.exit(2 * ('kbai._mcts' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == 0
