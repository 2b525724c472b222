"""Pages in headless Chromium: the board is on the screen, clicks and keys work, all of it fits."""

import shutil
import subprocess
import sys

import pytest
from mixed import MIXED_FILE
from places import ROOT
from reviews import rough_review

from kbai.notation.games import parse_game
from kbai.report.review_page import review_page

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
IS_THERE = any(map(shutil.which, BROWSERS)) and shutil.which("chromedriver")


@pytest.mark.slow
@pytest.mark.skipif(not IS_THERE, reason="pages were not tried: no chromium and chromedriver")
def test_a_review_of_all_sets_is_fit_for_a_desk_and_a_phone(tmp_path):
    pytest.importorskip("selenium", reason="pages were not tried: selenium is not installed")
    page = tmp_path / "review.html"
    page.write_text(review_page(rough_review(parse_game(MIXED_FILE), visits=20)), "utf-8")
    command = [sys.executable, ROOT / "scripts" / "check_page.py", page]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "the whole board is on the screen, top left" in done.stdout
