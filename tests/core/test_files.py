"""Files are written beside and renamed."""

import os
import stat
import threading

import pytest

from kbai.core.files import write_text


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")
    return path


def names(folder):
    return sorted(item.name for item in folder.iterdir())


def test_a_file_is_written_and_nothing_is_left_beside_it(file, tmp_path):
    write_text(str(file), "new \u00e9")
    assert file.read_text("utf-8") == "new \u00e9"
    assert names(tmp_path) == ["page.html"]


@pytest.mark.parametrize("call", ["fsync", "chmod", "replace"])
def test_a_write_that_fails_keeps_the_old_file(call, file, tmp_path, monkeypatch):
    def fail(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"kbai.core.files.os.{call}", fail)
    with pytest.raises(OSError, match="No space left"):
        write_text(str(file), "new")
    monkeypatch.undo()
    assert file.read_text() == "old"
    assert names(tmp_path) == ["page.html"]


def test_the_old_file_is_there_until_the_new_one_is_complete(file, monkeypatch):
    seen = []
    sync = os.fsync
    monkeypatch.setattr(
        "kbai.core.files.os.fsync", lambda number: (seen.append(file.read_text()), sync(number))
    )
    write_text(str(file), "new")
    assert (seen, file.read_text()) == (["old"], "new")


def test_permissions_stay_and_a_new_file_has_the_usual_ones(file, tmp_path):
    file.chmod(0o640)
    write_text(str(file), "new")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    (tmp_path / "usual").touch()
    write_text(str(tmp_path / "other"), "new")
    assert (tmp_path / "other").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_links_are_followed_even_to_a_file_that_is_not_there_yet(file, tmp_path):
    for name in ("page.html", "none.html"):
        link = tmp_path / f"link to {name}"
        link.symlink_to(name)
        write_text(str(link), "new")
        assert link.is_symlink()
        assert (tmp_path / name).read_text() == "new"


def test_a_pipe_is_written_to_as_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text()))
    reader.start()
    write_text(str(pipe), "new")
    reader.join(60)
    assert found == ["new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_file_in_a_folder_that_takes_no_others_is_written_in_place(file, monkeypatch):
    def refuse(**options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("kbai.core.files.tempfile.mkstemp", refuse)
    write_text(str(file), "new")
    assert file.read_text() == "new"
