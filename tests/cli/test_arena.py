"""kbai match, tournament, standings and export, as processes and as Ctrl-C finds them."""

import csv
import io
import json
import os
import signal
import subprocess
import time

import pytest
from commands import on_terminal, run, start
from own_quadrants import QUADRANT

from kbai.arena.plan import GameKey, Plan
from kbai.arena.results import Result, read_results
from kbai.bots.specs import parse_spec
from kbai.cli.arena_score import Score
from kbai.compute.journal import open_journal
from kbai.notation.games import parse_game

SMALL = ("--groups", "2", "--seed", "7")
# Far more games than any test waits for.
ENDLESS = ("--groups", "3000", "--seed", "7")


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """Return the path of a finished match and what was printed at its end."""
    path = tmp_path_factory.mktemp("match") / "match.jsonl"
    done = run("match", "greedy", "random", *SMALL, "--workers", 1, "--out", path)
    assert (done.exit_code, done.stderr) == (0, "")
    return path, done.stdout


def wait_for_games(path, number, process):
    """Wait until so many games are in a journal."""
    deadline = time.monotonic() + 120
    while not path.exists() or path.read_bytes().count(b"\n") <= number:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)


def test_a_match_prints_its_standings(journal):
    path, output = journal
    plan, results = read_results(path)
    assert plan == Plan((parse_spec("greedy"), parse_spec("random")), seats=2, groups=2, seed=7)
    assert len(list(results)) == 4
    title = "Match between greedy and random, 2 seats: 2 groups, 4 games."
    assert output.startswith(f"{title}\nSeed 7;")
    assert "of the points against random" in output


@pytest.mark.slow
@pytest.mark.parametrize("workers", [["--workers", "2"], ["--workers", "2", "--threads"]])
def test_any_workers_give_the_same_standings(journal, workers):
    done = run("match", "greedy", "random", *SMALL, *workers)
    assert (done.exit_code, done.stderr, done.stdout) == (0, "", journal[1])


@pytest.mark.slow
def test_a_match_runs_from_a_shell(journal):
    process = start("match", "greedy", "random", *SMALL, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, text=True)  # fmt: skip
    stdout, stderr = process.communicate(timeout=120)
    assert (process.returncode, stderr, stdout) == (0, "", journal[1])


@pytest.mark.slow
def test_a_cluster_gives_the_same_standings(journal):
    pytest.importorskip("distributed")
    done = run("match", "greedy", "random", *SMALL, "--cluster", "local:1")
    assert (done.exit_code, done.stdout) == (0, journal[1])


def test_a_random_seed_is_printed_and_gives_the_same_games():
    arguments = ("match", "random", "random", "--groups", 1, "--workers", 1, "--format", "json")
    first = run(*arguments)
    told, number = first.stderr.split()
    assert told == "seed:"
    assert json.loads(first.stdout)["plan"]["seed"] == int(number)
    assert run(*arguments, "--seed", number).stdout == first.stdout
    other = run(*arguments)
    assert other.stderr != first.stderr


def test_the_choices_reach_the_games(tmp_path):
    path = tmp_path / "m"
    done = run("match", "random", "random", "--groups", 1, "--seed", 1, "--workers", 1,
               "--board", "farm,tavern*,oasis,tower", "--cards", "miners,knights,lords",
               "--option", "lost_tiles_return=true", "--out", path)  # fmt: skip
    assert done.exit_code == 0
    told = "cards miners, knights, lords; options lost_tiles_return=true."
    assert told in " ".join(done.stdout.split())
    _, (first, _) = read_results(path)
    header = first.game.partition("\n\n")[0].splitlines()
    assert {"Board: farm,tavern*,oasis,tower", "Cards: miners,knights,lords"} <= {*header}
    assert any("lost_tiles_return" in line for line in header)


def test_sets_are_mixed_and_layouts_of_our_own_noted():
    done = run("match", "random", "random", "--groups", 1, "--seed", 1, "--workers", 1,
               "--sets", "all", "--exclude-cards", "lords")  # fmt: skip
    assert done.exit_code == 0
    flat = " ".join(done.stdout.split())
    assert "sets base, nomads, crossroads," in flat
    assert "; without the cards lords." in flat
    assert done.stderr.startswith("note: not laid out as printed: kbai_temple, ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("workers", [[], ["--threads"]])
def test_your_own_quadrants_reach_the_workers(tmp_path, workers):
    (tmp_path / "valley.toml").write_text(QUADRANT)
    arguments = ("match", "random", "random", "--groups", 1, "--seed", 1, "--workers", 1, *workers,
                 "--board", "valley,farm,oasis,tower")  # fmt: skip
    done = run(*arguments, "--quadrants", tmp_path)
    assert done.exit_code == 0
    assert "board valley, farm, oasis, tower." in done.stdout
    assert "could not be played" not in done.stdout
    assert run(*arguments).exit_code == 2


@pytest.mark.slow
def test_a_round_robin_on_three_seats():
    done = run("tournament", "random", "greedy", "random", "greedy", "--seats", 3, "--groups", 1,
               "--seed", 3, "--workers", 2, "--format", "json")  # fmt: skip
    assert (done.exit_code, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert (data["plan"]["kind"], data["plan"]["seats"]) == ("round_robin", 3)
    assert (data["games"], data["groups"]) == (4 * 3, 4)
    bots = {bot["bot"]: bot for bot in data["bots"]}
    assert bots.keys() == {"random", "greedy", "random#2", "greedy#2"}
    assert {bot["games"] for bot in bots.values()} == {9}
    assert sum(bot["points"] for bot in bots.values()) == 12
    assert bots["greedy"]["gold"]["value"] > bots["random"]["gold"]["value"]


@pytest.mark.slow
def test_a_gauntlet_of_five_on_four_seats():
    done = run("tournament", "random", "random", "greedy", "random", "random", "--seats", 4,
               "--focus", "greedy", "--groups", 1, "--seed", 3, "--workers", 2)  # fmt: skip
    assert (done.exit_code, done.stderr) == (0, "")
    first, _, _, head, best = done.stdout.splitlines()[:5]
    assert first == "Gauntlet of greedy against 4 other bots, 4 seats: 4 groups, 16 games."
    assert head.split()[-2:] == ["Elo", "+/-"]
    assert best.split()[:3] == ["1", "greedy", "16"]
    assert "bot       first  second  third  fourth" in done.stdout


def test_the_focus_need_not_be_named_twice():
    arguments = ("--groups", 1, "--seed", 3, "--workers", 1, "--format", "csv")
    alone = run("tournament", "--focus", "greedy", "random", *arguments)
    twice = run("tournament", "greedy", "random", "--focus", "greedy", *arguments)
    assert alone.exit_code == 0
    assert alone.stdout == twice.stdout
    rows = list(csv.DictReader(io.StringIO(alone.stdout)))
    assert {row["bot"] for row in rows} == {"greedy", "random"}


@pytest.mark.slow
def test_a_program_plays_and_its_faults_are_reported(tmp_path):
    script = tmp_path / "bot.py"
    script.write_text('for _ in open(0):\n    print(\'{"action": "z99"}\', flush=True)\n')
    path = tmp_path / "m"
    done = run("match", f"cmd:on_fault=random python3 {script}", "random", "--groups", 1,
               "--seed", 3, "--workers", 1, "--out", path)  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert "Faults of the bots:" in done.stdout
    assert run("standings", path).stdout == done.stdout
    faults = next(result.faults for result in read_results(path)[1])
    assert [*faults.values()][0]["illegal"] > 0


@pytest.fixture
def broken(tmp_path):
    """Return a program that is there and cannot be started."""
    path = tmp_path / "broken"
    path.write_bytes(b"\0")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("program", ["no-such-program", "./no/such/program x"])
def test_a_program_that_does_not_exist_is_refused_before_any_game(tmp_path, program):
    path = tmp_path / "m"
    done = run("match", f"cmd:{program}", "random", *SMALL, "--out", path)
    assert (done.exit_code, done.stdout) == (1, "")
    name = program.split()[0]
    assert done.stderr == f"Error: cmd:{program}: there is no program '{name}' that can be run.\n"
    assert not path.exists()


def test_games_that_could_not_be_played_are_shown_and_exit_with_1(broken):
    done = run("match", f"cmd:{broken}", "random", *SMALL, "--workers", 1)
    assert done.exit_code == 1
    assert "No group is complete yet" in done.stdout
    assert "4 games could not be played and were not counted:" in done.stdout
    assert f"could not start '{broken}'" in " ".join(done.stdout.split())
    told = f"Error: 4 of 4 games could not be played: could not start '{broken}': Exec format error"
    assert done.stderr.startswith(told) and len(done.stderr.splitlines()) == 1


# --- journals -----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "json"])
def test_standings_are_those_the_match_printed(journal, form):
    path, output = journal
    done = run("standings", path, "--format", form)
    assert (done.exit_code, done.stderr) == (0, "")
    if form == "text":
        assert done.stdout == output
    again = run("match", "greedy", "random", *SMALL, "--out", path, "--format", form)
    assert again.stdout == done.stdout
    assert again.stderr == f"note: 4 of 4 games are in {path} already.\n"


def test_the_text_of_a_bot_is_parsed_once(monkeypatch):
    texts = []

    def counted(text):
        texts.append(text)
        return parse_spec(text)

    for module in ("kbai.bots.specs", "kbai.arena.plan"):
        monkeypatch.setattr(f"{module}.parse_spec", counted)
    assert run("match", "greedy", "Random", *SMALL, "--threads").exit_code == 0
    assert texts == ["greedy", "Random"]


def test_a_finished_match_is_not_played_again(journal, monkeypatch):
    monkeypatch.setattr("kbai.arena.runner.play_game", None)
    done = run("match", "greedy", "random", *SMALL, "--out", journal[0], "--threads")
    assert (done.exit_code, done.stdout) == (0, journal[1])


def test_a_journal_is_continued_and_knows_its_seed(journal, tmp_path):
    path, output = journal
    part = tmp_path / "part"
    lines = path.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(lines[:3]))
    done = run("match", "greedy", "random", "--groups", 2, "--workers", 1, "--out", part)
    assert (done.exit_code, done.stdout) == (0, output)
    assert done.stderr == f"note: 2 of 4 games are in {part} already.\n"
    assert sorted(part.read_bytes().splitlines()) == sorted(path.read_bytes().splitlines())


@pytest.mark.slow
def test_a_journal_is_continued_with_more_groups(journal, tmp_path):
    path = tmp_path / "grown"
    path.write_bytes(journal[0].read_bytes())
    more = ("match", "greedy", "random", "--groups", 3, "--seed", 7, "--workers", 1)
    done = run(*more, "--out", path)
    assert done.stderr == f"note: 4 of 6 games are in {path} already.\n"
    assert (done.exit_code, done.stdout) == (0, run(*more).stdout)
    assert ", 2 seats: 3 groups, 6 games." in done.stdout
    assert path.read_bytes().startswith(journal[0].read_bytes())
    for form in ("text", "json"):
        assert run("standings", path, "--format", form).stdout == run(
            *more, "--out", path, "--format", form).stdout  # fmt: skip
    games = run("export", path).stdout.splitlines()[1:]
    assert [line.split()[1] for line in games] == ["0", "0", "1", "1", "2", "2"]


def test_fewer_groups_than_a_journal_has_are_all_that_it_has(journal):
    path, output = journal
    done = run("match", "greedy", "random", "--groups", 1, "--out", path)
    assert (done.exit_code, done.stdout) == (0, output)
    assert done.stderr == f"note: 2 of 2 games are in {path} already, and 2 more.\n"


def test_standings_of_an_unfinished_journal_count_complete_groups(journal, tmp_path):
    part = tmp_path / "part"
    part.write_bytes(b"".join(journal[0].read_bytes().splitlines(keepends=True)[:4]))
    output = run("standings", part).stdout
    assert "1 of 2 groups, 3 of 4 games." in output
    assert "1 game belongs to an incomplete group" in output


def test_a_journal_of_another_plan_is_refused(journal):
    path = journal[0]
    before = path.read_bytes()
    done = run("match", "greedy", "greedy", *SMALL, "--out", path)
    assert done.exit_code == 1
    assert done.stderr == (
        f'Error: {path}: this journal belongs to another plan: bots.1 was "random", now "greedy".\n'
    )
    assert path.read_bytes() == before


def test_a_file_that_is_not_a_journal_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary\n")
    for arguments in (("match", "random", "random", "--out"), ("standings",), ("export",)):
        done = run(*arguments, path)
        assert done.exit_code == 1
        assert "expected a journal, but its first line is not a header" in done.stderr
    assert path.read_text() == "dear diary\n"


def test_a_journal_of_something_else_is_not_a_match(tmp_path):
    path = tmp_path / "other"
    open_journal(path, {"job": "review"}).close()
    for name in ("standings", "export"):
        done = run(name, path)
        assert done.exit_code == 1
        assert "expected the journal of a match or tournament" in done.stderr


def test_export_lists_the_games_and_prints_one(journal):
    path = journal[0]
    plan, results = read_results(path)
    games = {game.id: game for game in results}
    listed = run("export", path).stdout.splitlines()[1:]
    assert [line.split()[0] for line in listed] == [key.id(plan) for key in plan.keys()]
    for line in listed:
        game = games[line.split()[0]]
        assert line.endswith(f"{game.bots[0]} {game.gold[0]}, {game.bots[1]} {game.gold[1]}")
    wanted = games[listed[2].split()[0]]
    done = run("export", path, "--game", wanted.id[:8].upper())
    assert (done.exit_code, done.stdout) == (0, wanted.game)
    played = parse_game(done.stdout)
    assert played.final_position().scores() == wanted.gold


def test_export_needs_the_beginning_of_one_id(journal, tmp_path):
    path = journal[0]
    for wanted, sentence in (
        ("", "4 games have ids that begin with '', such as "),
        ("xyz", "no game has an id that begins with 'xyz'"),
    ):
        done = run("export", path, "--game", wanted)
        assert (done.exit_code, done.stdout) == (1, "")
        assert sentence in done.stderr


def test_export_says_why_there_is_no_game(tmp_path, broken):
    path = tmp_path / "m"
    run("match", f"cmd:{broken}", "random", "--groups", 1, "--seed", 1, "--workers", 1,
        "--out", path)  # fmt: skip
    _, (game, _) = read_results(path)
    done = run("export", path, "--game", game.id)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "this game could not be played: " in done.stderr


# --- sequential tests ---------------------------------------------------------------------------


@pytest.mark.slow
def test_a_sequential_test_stops_the_match(tmp_path):
    path = tmp_path / "m"
    arguments = ("greedy", "random", "--groups", 500, "--seed", 7, "--out", path)
    done = run("match", *arguments, "--sprt", "-100,100", "--workers", 2)
    assert done.exit_code == 0
    flat = " ".join(done.stdout.split())
    assert "Sequential test of greedy: after " in flat
    assert "reached the upper bound 2.94: the bot passes." in flat
    assert " of 500 groups" in flat
    assert run("standings", path, "--sprt", "-100,100").stdout == done.stdout
    stricter = run("standings", path, "--sprt", "-100,100", "--alpha", "0.0001").stdout
    assert "not decided yet" in " ".join(stricter.split())
    assert "Sequential" not in run("standings", path).stdout


@pytest.mark.slow
def test_an_undecided_sequential_test_continues_with_more_groups(tmp_path):
    path = tmp_path / "m"
    arguments = ("match", "greedy", "random", "--seed", 7, "--sprt", "-100,100", "--workers", 2)
    first = run(*arguments, "--out", path, "--groups", 2)
    assert "not decided yet" in " ".join(first.stdout.split())
    done = run(*arguments, "--out", path, "--groups", 500)
    assert done.exit_code == 0 and "the bot passes." in " ".join(done.stdout.split())
    assert done.stdout == run(*arguments, "--groups", 500).stdout
    # The goal that the journal began with was reached; that of the run is nowhere else.
    table = run("standings", path, "--sprt", "-100,100").stdout
    assert table.splitlines()[1:] == done.stdout.splitlines()[1:]


def test_a_sequential_test_of_a_tournament_is_refused(tmp_path):
    path = tmp_path / "t"
    run("tournament", "random", "greedy", "--groups", 1, "--workers", 1, "--out", path)
    done = run("standings", path, "--sprt", "0,10")
    assert done.exit_code == 1
    assert "expected a match for a sequential test" in done.stderr


# --- wrong usage --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["match", "greedy"], "expected 2 to 5 bots, got 1"),
        (["match", *["random"] * 6], "expected 2 to 5 bots, got 6"),
        (["match"], "Missing argument 'BOT BOT...'"),
        (["match", "greedy", "rendom"], "unknown bot 'rendom'; did you mean 'random'?"),
        (["match", "greedy", "cmd:tme=1 x"], "unknown option of cmd 'tme'; did you mean 'time'?"),
        (["match", "greedy", "cmd:"], "expected a program as in"),
        (["match", "random", "random", "--groups", "0"], "'--groups': 0 is not in the range"),
        (["match", "random", "random", "--workers", "0"], "'--workers': 0 is not in the range"),
        (["match", "random", "random", "--sets", "bse"], "'--sets': unknown set 'bse'; did you"),
        (["match", "random", "random", "--cards", "lord"], "'--cards': unknown card 'lord'; did"),
        (
            ["match", "random", "random", "--exclude-cards", "lord"],
            "'--exclude-cards': unknown card 'lord'; did you mean 'lords'?",
        ),
        (["match", "random", "random", "--board", "farm"], "'--board': expected 4 quadrants"),
        (["match", "random", "random", "--option", "x=1"], "'--option': unknown option 'x'"),
        (["match", "random", "random", "--sprt", "5"], "'--sprt': expected two Elo numbers like"),
        (["match", "random", "random", "--sprt", "5,0"], "'--sprt': expected a first Elo below"),
        (
            ["match", "random", "random", "--sprt", "0,5", "--beta", "2"],
            "'--sprt': expected error rates above 0 and together below 1, got 0.05 and 2",
        ),
        (["match", "random", "random", "--alpha", "0.1"], "--alpha works only with --sprt"),
        (["match", "random", "random", "--format", "xml"], "'xml' is not one of 'text'"),
        (["match", "random", "random", "--cluster", "x"], "'--cluster': expected a cluster like"),
        (
            ["match", "random", "random", "--cluster", "tcp://h:1", "--workers", "2"],
            "--cluster brings its own workers",
        ),
        (["tournament", "random", "greedy", "--seats", "3"], "at least 3 bots for 3 seats, got 2"),
        (["tournament", "random", "greedy", "--seats", "6"], "'--seats': 6 is not in the range"),
        (["tournament", "random", "--focus", "gredy"], "'--focus': unknown bot 'gredy'; did you"),
        (["tournament", "random", "--focus", "random"], "expected at least 2 bots for 2 seats"),
        (["tournament", "random", "greedy", "--sprt", "0,5"], "No such option"),
        (["standings"], "Missing argument 'FILE'"),
        (["export"], "Missing argument 'FILE'"),
    ],
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(arguments, sentence):
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in " ".join(result.stderr.split())
    assert "seed:" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("name", ["standings", "export"])
def test_a_missing_journal_is_one_sentence(name, tmp_path):
    result = run(name, tmp_path / "nothing")
    assert result.exit_code == 1
    assert "No such file" in result.stderr
    assert result.stdout == ""


def test_a_journal_that_cannot_be_written_is_one_sentence(tmp_path):
    result = run("match", "random", "random", "--out", tmp_path / "no" / "folder")
    assert result.exit_code == 1
    assert "could not open" in result.stderr


# --- Ctrl-C -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_says_how_to_continue(tmp_path):
    path = tmp_path / "long match"
    arguments = ("match", "random", "random", *ENDLESS, "--workers", "2", "--out", str(path))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = start(*arguments, **pipes)
    wait_for_games(path, 6, process)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 1
    _, results = read_results(path)
    n_games = len(list(results))
    assert f"of 3000 groups, {n_games} of 6000 games." in stdout
    assert stdout == run("standings", path).stdout
    told, line = stderr.splitlines()
    assert told == f"Stopped after {n_games} of 6000 games. To continue, run again:"
    assert line == f"kbai match random random --groups 3000 --seed 7 --workers 2 --out '{path}'"

    again = start(*arguments, **pipes)
    wait_for_games(path, n_games + 1, again)
    os.killpg(again.pid, signal.SIGINT)
    _, stderr = again.communicate(timeout=120)
    assert stderr.startswith(f"note: {n_games} of 6000 games are in {path} already.\nStopped")


@pytest.mark.slow
def test_ctrl_c_without_a_journal_prints_what_there_is():
    code, stdout, seen = on_terminal("match", "random", "random", *ENDLESS, "--workers", 1,
                                     stop_at=b"games/s, random")  # fmt: skip
    assert code == 1
    assert stdout.startswith(b"Match between random and random#2, 2 seats: ")
    assert b"\r\nStopped after " in seen
    assert b"They are not kept; with --out FILE you could continue." in seen


# --- the bar ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_terminal_has_a_bar_with_the_score_that_ctrl_c_leaves_there(tmp_path):
    arguments = ("match", "greedy", "random", *ENDLESS, "--workers", 1, "--out", tmp_path / "m")
    _, stdout, seen = on_terminal(*arguments, stop_at=b" games/s, greedy ")
    assert b"games/s" not in stdout
    bars = [bar for bar in seen.split(b"\r") if b"games/s" in bar]
    assert bars[0].startswith(b"  0%|") and b"| 0/6000 [" in bars[0]
    assert b"games/s, greedy " in bars[-1]
    assert seen.rpartition(bars[-1])[2].startswith(b"\r\nStopped after ")
    assert {len(bar.decode()) for bar in bars} == {94}  # '^C' has room behind it


@pytest.mark.slow
def test_a_bar_is_gone_when_all_is_done():
    code, _, seen = on_terminal("match", "random", "random", *SMALL, "--workers", 1, columns=50)
    assert code == 0
    *bars, blank, end = seen.split(b"\r")
    assert blank.strip() == end == b""
    assert max(len(bar.decode()) for bar in bars) == 44


def test_the_score_of_the_bar_is_the_share_of_the_points():
    plan = Plan((parse_spec("greedy"), parse_spec("random")), seats=2, groups=2, seed=1)

    def result(rotation, *gold, outcome="over"):
        bots = GameKey(0, 0, rotation).bots(plan)
        return Result("", 0, 0, rotation, bots, gold, 0, outcome)

    score = Score([result(0, 50, 30), result(1, 40, 40)])
    assert str(score) == "greedy 75%, random 25%"
    score.add(result(0, 0, 0, outcome="crashed"))
    score.add(result(1, 50, 30))
    score.add(result(1, 50, 30))
    assert str(score) == "random 62%, greedy 38%"
