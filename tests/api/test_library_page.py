"""What docs/library.md shows is what happens: its Python is run, and what it prints compared."""

import io
import re
from contextlib import redirect_stdout

from places import DOCS

import kbai

PAGE = DOCS / "library.md"
# A block of Python, and what it prints if it prints something.
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n^```text\n(.*?)^```\n)?", re.M | re.S)


def test_the_page_prints_what_it_says(tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text("utf-8")
    names: dict[str, object] = {}
    shown: list[str] = []
    printed: list[str] = []
    for code, output in EXAMPLE.findall(text):
        stream = io.StringIO()
        with redirect_stdout(stream):
            exec(compile(code, str(PAGE), "exec"), names)
        shown.append(output)
        printed.append(stream.getvalue())
    if request.config.getoption("rewrite_golden"):
        new = iter(printed)

        def filled(match: re.Match[str]) -> str:
            return f"```python\n{match[1]}```\n\n```text\n{next(new)}```\n"

        PAGE.write_text(EXAMPLE.sub(filled, text), "utf-8")
        return
    assert shown == printed
    assert len(shown) >= 10
    assert (tmp_path / "board.svg").read_text().startswith("<svg ")


def test_the_first_example_has_ten_lines():
    first = EXAMPLE.findall(PAGE.read_text("utf-8"))[0][0]
    lines = [line for line in first.splitlines() if line and not re.match("import|from", line)]
    assert len(lines) <= 10


def test_every_name_of_the_library_is_on_the_page():
    words = set(re.findall(r"\w+", PAGE.read_text("utf-8")))
    public = {name for name in kbai.__all__ if name != "__version__"}
    results = {
        "Change",
        "Outlook",
        "ReviewedTurn",
        "SeatReview",
        "Standing",
        "SuggestedTurn",
        "Turn",
    }
    assert public - words <= results
    for name in ("Position", "Setup", "Game", "Suggestion", "SuggestedTurn", "ReviewedTurn"):
        thing = getattr(kbai, name)
        members = {key for key in (*vars(thing), *getattr(thing, "__annotations__", ()))}
        missing = {key for key in members if not key.startswith("_")} - words
        assert missing <= SELDOM, (name, missing)


# Parts of set-ups that only some sets have, and what the table of a value says in other words.
SELDOM = {
    "capitols", "caves", "exclude_cards", "island", "locations", "map", "options", "scouted",
    "tasks", "is_full", "is_interrupted", "part",
}  # fmt: skip
