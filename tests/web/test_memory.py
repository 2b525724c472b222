"""What the server keeps has an end."""

import asyncio
import platform
import subprocess
import sys

import pytest

from kbai.notation.positions import parse_position
from kbai.play.live import begin
from kbai.web import searches
from kbai.web.games import Table, play_bot_turn

FIRST = "kb1 board=tavern,paddock,oasis,farm cards=fishermen,knights,merchants red=- blue=-"

# In place of answering requests, the server makes arrays as large as those of trees and frees
# them, while answers stay between them. Prints how much of what the C library holds is free.
ARRAYS = """
import ctypes, sys
from kbai.web import server

class Memory(ctypes.Structure):
    _fields_ = [(f"field{number}", ctypes.c_size_t) for number in range(10)]

def run(sockets):
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.restype, libc.free.argtypes = None, [ctypes.c_void_p]
    libc.mallinfo2.restype = Memory
    arrays = []
    for number in range(100):
        arrays.append(libc.malloc(500_000 + 30_000 * (number * 37 % 100)))
        libc.malloc(10_000)
        if number >= 4:
            libc.free(arrays[number - 4])
    print(libc.mallinfo2().field8)

server._Server.run = lambda self, sockets: run(sockets)
server.serve(server.listen("127.0.0.1", 0), "127.0.0.1", server.make_service(sys.argv[1]))
"""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="other C libraries do it by themselves"
)
def test_freed_trees_leave_no_holes_between_answers_that_stay(tmp_path):
    command = [sys.executable, "-c", ARRAYS, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 1_000_000


def test_searches_and_answers_that_are_kept_are_few(monkeypatch):
    monkeypatch.setattr(searches, "MAX_ANSWERS", 6)
    monkeypatch.setattr(searches, "SLICES", (0.001,))
    kept = searches.Searches(threads=1, memory=100)

    async def is_gone():
        return False

    async def ask(number):
        line = f"{FIRST} turn=red card=flower discard=grass:{number % 5},canyon:{number // 5}"
        lines = kept.stream(parse_position(line), seconds=0.001, is_gone=is_gone)
        assert [line async for line in lines]

    async def ask_all():
        for number in range(10):
            await ask(number)

    asyncio.run(ask_all())
    assert len(kept._kept) == searches.MAX_KEPT
    assert len(kept._answers) == 6


def test_a_bot_that_has_played_its_turn_holds_no_tree():
    position = parse_position(f"{FIRST} turn=red card=hidden")
    table = Table(begin(position, players=("mcts:level=1", "mcts:level=1"), seed=1, told=False))
    for _ in range(2):
        play_bot_turn(table)
    assert len(table.live.turns()) == 2
    assert len(table.bots._bots) == 2
    assert not any(bot.searcher.trees for bot in table.bots._bots.values())
