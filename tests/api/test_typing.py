"""The types of the library, as a program that uses it sees them."""

import subprocess
import sys

import pytest
from places import ROOT

PROGRAM = """\
from collections.abc import Iterator
from pathlib import Path

import kbai
from kbai import Game, Limit, Position, suggest

setup: kbai.Setup = kbai.Setup.random(7, seats=2)
position: Position = Position(setup).turn_up("grass")
turns: Iterator[str] = position.legal_turns()
suggestion: kbai.Suggestion = suggest(position, Limit(visits=10), seed=1, on_progress=print)
best: kbai.SuggestedTurn = suggestion.best
win: float = best.win.value
by_card: dict[str, float] = best.outlooks["red"].sources
game: Game = kbai.read_game(Path("game.kbg")).play(best.text)
review: kbai.Review = kbai.review_game(game)
loss: kbai.Estimate = review.turns[0].loss.gold
match: kbai.MatchResult = kbai.play_match(["greedy", "random"], groups=1)
share: float = match.standings[0].share.low
gold: int = kbai.score(game)["red"]["total"]
picture: str = kbai.draw_svg(position)
version: str = kbai.__version__
problem: kbai.KbaiError = kbai.NotationError("expected a position.")
"""
# A line, and what is wrong with it.
WRONG = {
    "kbai.suggest('kb1')": "arg-type",
    "kbai.sugest": "attr-defined",
    "kbai.Position(kbai.Setup.first_game()).card = 'grass'": "misc",
    "number: int = kbai.parse_position('kb1').card": "assignment",
}


def check(folder, program: str) -> subprocess.CompletedProcess:
    path = folder / "program.py"
    path.write_text(program)
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", path],
        capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip


@pytest.mark.slow
def test_a_program_that_uses_the_library_is_strictly_typed(tmp_path):
    done = check(tmp_path, PROGRAM)
    assert (done.stdout, done.returncode) == ("", 0)
    found = check(tmp_path, "\n".join(["import kbai", *WRONG])).stdout.splitlines()
    codes = [line.rpartition("[")[2].rstrip("]") for line in found]
    assert codes == [*WRONG.values()], found
