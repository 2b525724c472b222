"""The packed form of the content: it says what the data files say, or does not count."""

import shutil
from pathlib import Path

import pytest

from kbai import content
from kbai.content import compiled, packed
from kbai.content.files import read_content
from kbai.content.items import Content

FAMILIES = tuple(Content.__annotations__)


def families(found: Content) -> dict[str, list]:
    """Return all rows in order; equality of dicts does not see it."""
    return {name: list(getattr(found, name).items()) for name in FAMILIES}


def test_the_packed_content_is_that_of_the_files():
    files = content.shipped_files()
    assert compiled.hash_files(files) == packed.HASH, "run python scripts/pack_content.py"
    found = compiled.load_packed(files)
    assert found is not None
    assert families(found) == families(read_content(files))
    assert found.nomads.keys() == content.load().nomads.keys()


def test_what_is_packed_comes_back():
    every = read_content(content.shipped_files())
    assert families(compiled.unpack(compiled.pack(every))) == families(every)


def test_a_changed_file_is_read_in_place_of_the_packed_rows(monkeypatch, tmp_path):
    folder = Path(shutil.copytree(content.DATA, tmp_path / "data"))
    base = folder / "base.toml"
    base.write_text(base.read_text("utf-8").replace("houses = 40", "houses = 39"), "utf-8")
    monkeypatch.setattr(content, "DATA", str(folder))
    assert compiled.load_packed(content.shipped_files()) is None
    content._load.cache_clear()
    try:
        assert content.load().sets["base"].houses == 39
    finally:
        content._load.cache_clear()


@pytest.mark.parametrize(
    "files",
    [
        [("a", "b"), ("c", "d")],
        [("a", "bc"), ("", "d")],
        [("ab", ""), ("c", "d")],
        [("a", "b")],
        [("a", "d"), ("c", "b")],
    ],
)
def test_the_hash_is_of_names_and_texts(files):
    others = [("a", "b"), ("c", "e")]
    assert compiled.hash_files(files) != compiled.hash_files(others)
    assert compiled.hash_files(files) == compiled.hash_files(files[::-1])
