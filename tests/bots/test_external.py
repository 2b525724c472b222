"""Programs as bots: what they are asked, what they may answer, and how they fail."""

import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time

import pytest
from mixed import mixed_position
from pids import is_running
from places import ROOT
from positions import position, random_starts
from test_readme import BOTS_PAGE, blocks

from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bots import external
from kbai.bots.external import ExternalBot, Program, plan_steps
from kbai.bots.protocol import Faults, View
from kbai.bots.specs import make_bot
from kbai.core.errors import BotError, BotFault
from kbai.notation.actions import format_step
from kbai.notation.positions import parse_position

PYTHON = shlex.quote(sys.executable)
START = position("red=- blue=- turn=red card=flower")
# Longer than a busy machine needs for anything here, and shorter than programs that hang.
PATIENCE_S = 60
HANG_S = 600
HEAD = "import json, os, signal, sys, time\n"
# Answers every request with what `answer` makes of it.
LOOP = """
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
"""


@pytest.fixture
def bot(tmp_path):
    """Return a maker of bots from Python code; all of them are closed in the end."""
    made = []

    def make(code, *, loop=True, **options):
        path = tmp_path / f"bot{len(made)}.py"
        path.write_text(HEAD + code + (LOOP if loop else ""))
        settings = {"time": 20.0, "start": 20.0, "stderr": "drop"} | options
        # -S: start quickly.
        made.append(ExternalBot([sys.executable, "-S", str(path)], **settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


def view(start=START, seed=5):
    return View(start.copy(), start.actor, seed)


def turn_of(one):
    """Return the steps of a bot up to the end of its turn."""
    current, done = START.copy(), []
    while not current.pending_draw:
        step = one.choose(view(current))
        done.append(format_step(current, step))
        current.apply(step)
    return done


def fail(one, start=START):
    """Return the reason why a bot gives the game up."""
    with pytest.raises(BotFault) as caught:
        one.choose(view(start))
    return str(caught.value)


def until(condition):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.slow
def test_the_first_bot_of_the_documents_plays_twenty_games(tmp_path):
    path = tmp_path / "first_bot.py"
    (code,) = (block.text for block in blocks(BOTS_PAGE) if block.mark == "file: first_bot.py")
    path.write_text(code)
    assert len(code.splitlines()) <= 20
    first = make_bot(f"cmd:time=20 {PYTHON} {shlex.quote(str(path))}")
    other = make_bot("random")
    try:
        for seed, start in random_starts(20):
            players = {seat: other for seat in range(start.board.seats)} | {0: first}
            played = play(
                start,
                Deal(start, seed),
                lambda seen, players=players: players[seen.seat].choose(seen),
                seed=seed,
            )
            assert played.is_over, played.reason
    finally:
        first.close()
    assert first.faults == Faults()


def test_a_request_says_all_that_is_known(bot, tmp_path):
    target = tmp_path / "request.json"
    one = bot(
        f"def answer(request):\n    open({str(target)!r}, 'w').write(json.dumps(request))\n"
        "    return {'action': request['legal'][0]}\n"
    )
    start = position("red=b2/gifts=paddock blue=b3 turn=red card=flower phase=post")
    assert format_step(start, one.choose(view(start, seed=2**63))) == "end"
    request = json.loads(target.read_text())
    assert request["legal"] == ["end", "paddock:b2-d2", "paddock:b2-c4"]
    assert (request["type"], request["seat"], request["clock"]) == ("turn", "red", 40)
    assert parse_position(request["position"]) == start
    assert parse_position(json.dumps(request["state"])) == start
    assert 0 <= request["seed"] < 2**31


def test_a_reaction_is_asked_for_as_one(bot):
    one = bot("def answer(request): return {'action': request['type'] + request['seat']}\n")
    rows = ["WWWW" + "G" * 16] * 20
    start = position(
        "red=e2 blue=e5/gifts=canoe turn=red card=grass phase=build1 reacting=red:blue",
        f"kb1 map={'/'.join(rows)} cards=lords",
    )
    assert "'reactblue'" in fail(one, start)
    sure = bot("def answer(request): return {'action': request['legal'][-1]}\n")
    assert format_step(start, sure.choose(view(start))) == "pass:blue"


def test_a_whole_turn_is_one_answer(bot, tmp_path):
    log = tmp_path / "log"
    one = bot(
        f"def answer(request):\n    open({str(log)!r}, 'a').write('asked ')\n"
        "    return {'actions': ['B2', 'b3 ', 'a3', 'end', 'never', 'reached']}\n"
    )
    assert turn_of(one) == ["b2", "b3", "a3", "end"]
    assert log.read_text() == "asked "


def test_a_program_is_asked_again_when_its_answer_is_used_up(bot):
    one = bot(
        "def answer(request):\n"
        "    if 'end' in request['legal']: return {'action': 'end'}\n"
        "    return {'actions': [a for a in ('b2', 'b3') if a in request['legal']] or ['a3']}\n"
    )
    assert turn_of(one) == ["b2", "b3", "a3", "end"]


def test_a_plan_is_dropped_when_the_game_goes_another_way(bot):
    one = bot(
        "def answer(request):\n"
        "    return {'actions': ['b2', 'b3'] if 'b2' in request['legal'] else ['a3']}\n"
    )
    one.choose(view())
    elsewhere = position("red=b2,b3 blue=- turn=red card=flower phase=build1")
    assert format_step(elsewhere, one.choose(view(elsewhere))) == "a3"


def test_a_plan_ends_where_a_card_is_turned_up():
    start = position(
        "red=b2/gifts=fort blue=- turn=red card=flower phase=post",
        "kb1 board=lighthouse,barracks,city_hall,monastery cards=lords",
    )
    plan = plan_steps(start, ["fort", "whatever"])
    assert [format_step(before, step) for before, step in plan] == ["fort"]


def test_a_plan_ends_with_the_turn_even_if_the_seat_goes_on_with_its_silo():
    start = mixed_position("red=f7 blue=a1 start=blue turn=red card=grass phase=post final=true")
    plan = plan_steps(start, ["end", "whatever"])
    assert [format_step(before, step) for before, step in plan] == ["end"]


def test_a_move_in_one_piece_is_two_steps():
    start = position("red=b2/gifts=paddock blue=- turn=red card=flower phase=post")
    plan = plan_steps(start, ["paddock:b2-c4", "end"])
    assert [format_step(before, step) for before, step in plan] == ["paddock:b2-", "-c4", "end"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("{'action': 'z99'}", "expected a cell from a1 to t20, got 'z99'"),
        ("{'action': 'c1'}", "'c1' is not possible: c1 is desert, the card is flower (R3.2)"),
        ("{'actions': ['b2', 'b3', 't7']}", "'t7' is not possible"),
        ("{'action': '=grass'}", "'=grass' is not possible"),
        ("{'actions': []}", "expected at least one action, got none"),
        ("{'actions': 'b2'}", "expected texts of actions, got 'b2'"),
        ("{'actions': ['b2', 3]}", "expected texts of actions, got a list"),
        ("{'action': None}", "expected texts of actions"),
    ],
)
def test_an_illegal_answer_is_counted_and_told(bot, answer, reason):
    one = bot(f"def answer(request): return {answer}\n")
    assert reason in fail(one)
    assert one.faults == Faults(illegal=1)


def test_an_illegal_answer_does_not_cost_the_program_its_life(bot):
    one = bot("def answer(request): return {'action': str(os.getpid())}\n")
    assert fail(one) == fail(one)
    assert one.faults == Faults(illegal=2)


def test_a_hanging_program_is_stopped_by_its_clock_and_started_anew(bot):
    one = bot(
        "def answer(request):\n"
        f"    if request['clock'] == 0.2: time.sleep({HANG_S})\n"
        "    return {'action': request['legal'][0]}\n",
        time=0.2,
    )
    one.choose(view())
    process = one.program.process
    other = position("red=- blue=- turn=red card=grass")
    before = time.monotonic()
    assert "no answer within 0.2 seconds" in fail(one, other)
    assert 0.2 <= time.monotonic() - before < PATIENCE_S
    assert process.returncode == -9
    assert one.faults == Faults(timeout=1)
    assert one.choose(view(other)) == other.legal()[0]


def test_what_a_program_has_started_ends_with_it(bot, tmp_path):
    note = tmp_path / "pid"
    one = bot(
        "import subprocess\n"
        "def answer(request):\n"
        f"    if request['clock'] == 0.2: time.sleep({HANG_S})\n"
        f"    child = subprocess.Popen(['sleep', '{HANG_S}'])\n"
        f"    open({str(note)!r}, 'w').write(str(child.pid))\n"
        "    return {'action': request['legal'][0]}\n",
        time=0.2,
    )
    one.choose(view())
    pid = int(note.read_text())
    assert is_running(pid)
    fail(one, position("red=- blue=- turn=red card=grass"))
    until(lambda: not is_running(pid))


def test_a_crash_is_counted_with_its_exit_code(bot):
    one = bot("sys.stdin.readline(); sys.exit(3)\n", loop=False)
    assert "ended without an answer, exit code 3" in fail(one)
    assert "exit code 3" in fail(one)
    assert one.faults == Faults(crash=2)


def test_a_program_that_does_not_answer_is_quoted(bot):
    one = bot("print('\\x1b[1m n16')\nprint('o15')\nsys.exit(3)\n", loop=False)
    assert r"ended without an answer, exit code 3; it wrote '\x1b[1m n16'." in fail(one)


def test_junk_lines_are_counted_and_skipped(bot):
    one = bot(
        "def answer(request):\n"
        "    print('hello')\n    print('42')\n    print('{\"info\": 1}')\n    print('[' * 90000)\n"
        "    sys.stdout.buffer.write(b'\\xff\\xfe\\n')\n"
        "    return {'action': request['legal'][0]}\n"
    )
    assert one.choose(view()) == START.legal()[0]
    # The raw bytes overtake the buffered text or not; they are a line either way.
    assert one.faults == Faults(junk_lines=5)


@pytest.mark.parametrize(
    "code",
    ["while True: print('what shall I do')", "while True: sys.stdout.write('x' * 10_000_000)"],
    ids=["lines", "one line"],
)
def test_a_program_that_writes_junk_without_end_is_stopped(bot, code):
    threads = threading.active_count()
    one = bot(code, loop=False, time=20)
    assert "more than 100 lines that are not answers" in fail(one)
    assert one.faults == Faults(junk_lines=101)
    assert one.program is None
    until(lambda: threading.active_count() <= threads)


def test_lines_that_nobody_waited_for_are_no_answer(bot):
    one = bot(
        "def answer(request):\n"
        "    print(json.dumps({'action': request['legal'][0]}))\n"
        "    return {'action': 'never'}\n"
    )
    one.choose(view())
    until(lambda: one.program.lines.qsize() == 1)
    assert one.choose(view(position("red=- blue=- turn=red card=grass"))) >= 0
    assert one.faults == Faults(junk_lines=1)


def test_a_program_that_does_not_listen_blocks_nobody():
    threads = threading.active_count()
    program = Program([sys.executable, "-S", "-c", f"import time; time.sleep({HANG_S})"])
    before = time.monotonic()
    program.send(b"x" * 10_000_000)
    with pytest.raises(queue.Empty):
        program.receive(0.1)
    program.kill()
    assert time.monotonic() - before < PATIENCE_S
    until(lambda: threading.active_count() <= threads)


@pytest.mark.parametrize(
    ("code", "expected", "patience"),
    [
        ("for line in sys.stdin: pass", 0, (PATIENCE_S, 0)),
        (f"time.sleep({HANG_S})", -15, (0.1, PATIENCE_S)),
        (f"time.sleep({HANG_S})", -9, (0.1, 0.1)),
    ],
    ids=["at the end of input", "when told", "never"],
)
def test_a_closed_bot_leaves_no_process(bot, monkeypatch, code, expected, patience):
    monkeypatch.setattr(external, "CLOSE_SECONDS", patience[0])
    monkeypatch.setattr(external, "TERM_SECONDS", patience[1])
    deaf = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" if expected == -9 else ""
    answer = "print(json.dumps({'action': 'b2'}), flush=True)"
    one = bot(f"{deaf}sys.stdin.readline()\n{answer}\n{code}\n", loop=False)
    one.choose(view())
    process = one.program.process
    threads = threading.active_count()
    one.close()
    assert process.returncode == expected
    until(lambda: threading.active_count() <= threads - 2)
    one.close()


def test_a_new_program_has_not_said_anything_too_early(bot, monkeypatch):
    """What it says before it is asked is an answer or junk, however quick it or we are."""
    one = bot("print('hello'); print(json.dumps({'action': 'b2'}), flush=True)\n"
              "for line in sys.stdin: pass\n", loop=False)  # fmt: skip
    send = Program.send

    def send_late(program, line):
        until(lambda: program.lines.qsize() == 2)
        send(program, line)

    monkeypatch.setattr(Program, "send", send_late)
    assert format_step(START, one.choose(view())) == "b2"
    assert one.faults == Faults(junk_lines=1)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="the watcher is a shell")
@pytest.mark.parametrize("end", ["SIGKILL", "SIGTERM"])
@pytest.mark.parametrize("workers", [("--workers", "1"), ("--threads", "--workers", "1")], ids=str)
def test_a_program_that_does_not_listen_dies_with_the_coordinator(tmp_path, end, workers):
    note = tmp_path / "pids"
    code = (
        "import os, subprocess, time\n"
        f"child = subprocess.Popen(['sleep', '{HANG_S}'])\n"
        f"open({str(note)!r} + '.new', 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        f"os.rename({str(note)!r} + '.new', {str(note)!r})\n"
        f"time.sleep({HANG_S})\n"
    )
    program = tmp_path / "deaf.py"
    program.write_text(code)
    bot = f"cmd:time={HANG_S} {PYTHON} -S {shlex.quote(str(program))}"
    arguments = ["match", bot, "random", "--groups", "1", "--seed", "1", *workers]
    coordinator = subprocess.Popen(
        [sys.executable, "-m", "kbai", *arguments],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        until(note.exists)
        pids = [int(word) for word in note.read_text().split()]
        assert all(map(is_running, pids))
        coordinator.send_signal(getattr(signal, end))
        coordinator.wait(PATIENCE_S)
        until(lambda: not any(map(is_running, pids)))
    finally:
        coordinator.kill()
        coordinator.wait()


def test_with_the_option_a_fault_is_a_random_step(bot):
    one = bot("def answer(request): return {'action': 'a1'}\n", on_fault="random")
    current = position("red=- blue=- turn=red card=grass")
    found = set()
    for seed in range(40):
        step = one.choose(View(current.copy(), 0, seed))
        assert step == one.choose(View(current.copy(), 0, seed))
        assert current.is_legal(step)
        found.add(step)
    assert len(found) > 10
    assert one.faults == Faults(illegal=80)


def test_a_game_is_lost_by_the_seat_whose_program_fails(bot):
    start = next(random_starts(1))[1]
    bad = bot("def answer(request): return {'action': 'nonsense'}\n")
    players = {seat: make_bot("random") for seat in range(start.board.seats)} | {1: bad}
    played = play(start, Deal(start, 1), lambda seen: players[seen.seat].choose(seen), seed=1)
    assert (played.is_over, played.loser) == (False, 1)
    assert "nonsense" in played.reason


def test_a_single_legal_step_is_made_without_asking(bot):
    one = bot("def answer(request): return {}\n")
    over = position("red=b2 blue=- turn=red card=flower phase=post")
    assert format_step(over, one.choose(view(over))) == "end"
    assert one.program is None


@pytest.mark.parametrize("program", ["./no-such-program", "/", "'a\0b'"])
def test_a_program_that_cannot_be_started_is_an_error(program):
    with pytest.raises(BotError):
        make_bot(f"cmd:{program}").choose(view())


def test_stderr_is_passed_on_or_dropped(tmp_path, capfd):
    path = tmp_path / "talker.py"
    answer = json.dumps({"action": "b2"})
    path.write_text(
        # Only once it is asked: what comes before that is no answer.
        "import sys; sys.stdin.readline(); print('a word', file=sys.stderr)\n"
        f"print({answer!r}, flush=True); sys.stdin.read()\n"
    )
    for option, expected in (("pass", "a word\n"), ("drop", "")):
        one = make_bot(f"cmd:time=20,stderr={option} {PYTHON} -S {shlex.quote(str(path))}")
        one.choose(view())
        one.close()
        assert capfd.readouterr().err == expected


def test_faults_keep_the_names_that_journals_have():
    counts = {"illegal": 1, "timeout": 2, "crash": 3, "babble": 4}
    assert Faults(1, 2, 3, junk_lines=4).to_dict() == counts


def test_faults_add_up():
    game = Faults(illegal=1, junk_lines=4) + Faults(timeout=2, crash=3, junk_lines=1)
    assert game == Faults(1, 2, 3, 5)
    assert game - Faults(timeout=1) == Faults(1, 1, 3, 5)
