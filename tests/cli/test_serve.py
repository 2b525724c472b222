"""``kbai serve`` as a process: its address, Ctrl-C, and what is kept if it is killed."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from click.testing import CliRunner

from kbai.cli import main

START = (
    "kb1 board=tavern,paddock,oasis,farm cards=fishermen,knights,merchants red=- blue=- "
    "turn=red card=flower"
)


@contextmanager
def running(folder, *options) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start a server and yield it with its address."""
    command = [sys.executable, "-m", "kbai", "serve", "--port", "0", "--no-browser",
               "--games", str(folder), "--threads", "1", *options]  # fmt: skip
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        yield server, server.stdout.readline().decode().strip()
    finally:
        server.kill()
        server.communicate()


def post(address, path, body):
    data = json.dumps(body).encode()
    request = urllib.request.Request(
        address + path, data, {"content-type": "application/json"}, method="POST"
    )
    return urllib.request.urlopen(request, timeout=60)


@pytest.mark.slow
def test_the_address_comes_first_and_ctrl_c_ends_it_in_the_middle_of_a_search(tmp_path):
    with running(tmp_path) as (server, address):
        assert address.startswith("http://127.0.0.1:")
        stream = post(address, "api/suggest", {"position": START, "seconds": 100})
        assert json.loads(stream.readline())["visits"] > 0
        reader = threading.Thread(target=stream.read)
        reader.start()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=300) == 0
        reader.join(timeout=300)
        assert b"Traceback" not in server.stderr.read()


@pytest.mark.slow
def test_a_killed_server_has_kept_every_finished_turn(tmp_path):
    with running(tmp_path) as (server, address):
        with post(address, "api/games", {"text": START}) as answer:
            id = json.load(answer)["id"]
        turns = {"do": "play", "actions": ["n16", "o15", "o17", "end", "=canyon", "c6", "b6",
                                           "d7", "end", "=grass", "l15"]}  # fmt: skip
        with post(address, f"api/games/{id}", turns) as answer:
            assert json.load(answer)["begun"] == ["l15"]
        server.kill()
    with running(tmp_path) as (_, address):
        with urllib.request.urlopen(f"{address}api/games/{id}", timeout=60) as answer:
            game = json.load(answer)
    assert [node["text"] for node in game["nodes"]] == ["n16 o15 o17", "c6 b6 d7"]


def test_a_port_in_use_is_an_error_in_one_line(tmp_path):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(main, ["serve", "--port", port, "--no-browser"])
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: expected an address to listen at, got 127.0.0.1:")


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch):
    # Only the module that needs it: a package imported anew would be another one for later tests.
    monkeypatch.delitem(sys.modules, "kbai.web.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(main, ["serve", "--no-browser"])
    assert result.exit_code == 1
    assert result.stderr == (
        "Error: the board in the browser needs more packages; in the source folder of kbai: "
        "pip install '.[web]'.\n"
    )


def test_other_devices_get_an_address_that_they_can_reach():
    from kbai.web.server import address_for_others, listen

    with listen("127.0.0.1", 0) as listener:
        assert address_for_others(listener, "127.0.0.1") == ""
    with listen("0.0.0.0", 0) as listener:
        port = listener.getsockname()[1]
        address = address_for_others(listener, "0.0.0.0")
    # Without a network there is none.
    assert address == "" or re.fullmatch(rf"http://\d+\.\d+\.\d+\.\d+:{port}/", address)
    assert "//127." not in address and "//0." not in address


def test_games_go_to_the_data_folder_of_the_user(monkeypatch):
    from kbai.web.server import usual_folder

    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert usual_folder() == os.path.join("/data", "kbai", "games")


def test_what_cannot_be_listened_at_is_told_without_talk_of_ports(tmp_path):
    for host in ("nowhere.invalid", "192.0.2.1", "", "a..b", "ä..b"):
        result = CliRunner().invoke(main, ["serve", "--host", host, "--no-browser"])
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("Error: expected an address to listen at, got ")
        assert "--port" not in result.stderr


def test_a_folder_that_cannot_be_is_told_before_anybody_plays(tmp_path):
    (tmp_path / "file").write_text("no folder")
    folder = str(tmp_path / "file" / "games")
    result = CliRunner().invoke(main, ["serve", "--games", folder, "--port", "0", "--no-browser"])
    assert (result.exit_code, result.stdout) == (1, "")
    expected = f"Error: expected a folder for games, got {folder!r}: Not a directory.\n"
    assert result.stderr == expected
