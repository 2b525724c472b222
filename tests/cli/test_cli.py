"""The command line: what the commands print, how they fail, and how fast they start."""

import contextlib
import errno
import importlib
import io
import json
import os
import re
import signal
import subprocess
import sys

import cpu_time
import pytest
from commands import SCRIPT, environment, run, start
from positions import FIRST_GAME, START, random_starts

from kbai.bench.perft import estimate_sequences
from kbai.cli import COMMANDS, main
from kbai.notation.games import format_game, parse_game, record_game
from kbai.notation.positions import format_line, format_toml, parse_position

LINE = f"{FIRST_GAME} red=b7,n16/tiles=tavern@c7,farm@m16 blue=- turn=red card=flower"
# Scoring position P1 of the rules reference (R10.2) and its gold.
P1 = (
    "kb1 board=tavern,paddock,oasis,farm cards=fishermen,knights,merchants "
    "red=a1,a2,a3,b3,c3,d3,e3,s4,t4,f5,o8,h10,i10,j10,m13,m14,m15,o15,n16,g17,h17,o17,g18,k20,l20 "
    "blue=s1,t1,r2,s2,e4,e5,p7,q7,g8,h8,q8,i9,j9,l13,l14,e16,f16,f17 turn=red card=canyon"
)
P1_GOLD = {
    "red": {"castles": 9, "fishermen": 11, "knights": 10, "merchants": 8, "total": 38},
    "blue": {"castles": 9, "fishermen": 4, "knights": 6, "merchants": 0, "total": 19},
}


@pytest.fixture
def game():
    seed, first = next(random_starts(1))
    return record_game(first, first.copy().playout_steps(seed))


def test_help_lists_every_command_without_importing_it():
    result = run("--help")
    assert result.exit_code == 0
    width = max(map(len, COMMANDS))
    for name, (_, text) in COMMANDS.items():
        assert f"{name.ljust(width)}  {text}" in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_the_help_the_list_says(name):
    module, text = COMMANDS[name]
    assert importlib.import_module(module).command.get_short_help_str(limit=200) == text


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_option_of_every_command_is_explained(name, flag):
    result = run(name, flag)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: kbai {name} ")
    command = importlib.import_module(COMMANDS[name][0]).command
    for parameter in command.params:
        if parameter.param_type_name == "option":
            assert parameter.help, parameter.name


def test_help_imports_neither_kernel_nor_commands():
    code = (
        "import sys; from kbai.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    modules = {*done.stderr.split()}
    assert "kbai.cli" in modules
    unwanted = {"kbai._fast", "tomllib", "tqdm", "json", *(m for m, _ in COMMANDS.values())}
    assert not modules & unwanted


HEAVY = {
    "concurrent.futures",
    "difflib",
    "email",
    "hashlib",
    "importlib.metadata",
    "importlib.resources",
    "jinja2",
    "multiprocessing",
    "ssl",
    "statistics",
    "tempfile",
    "tomllib",
    "tqdm",
    "xml.sax",
    "kbai.arena",
    "kbai.content.files",
    "kbai.importing.bga",
    "kbai.review",
    "kbai.rollouts",
    "kbai.web",
}


@pytest.mark.parametrize(
    ("words", "most"),
    [(("score", LINE), 100), (("suggest", "--visits", "1", "--seed", "1", LINE), 135)],
    ids=["score", "suggest"],
)
def test_a_quick_command_loads_only_what_it_needs(words, most):
    code = (
        "import sys, click; old = {*sys.modules}\n"
        "from kbai.cli import main\n"
        f"try: main({list(words)!r})\n"
        "except SystemExit: print(*{*sys.modules} - old, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env=environment() | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    modules = {*done.stderr.split("\n")[-2].split()}
    assert "kbai._fast" in modules
    assert not modules & HEAVY
    assert len(modules) <= most


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "ratio"),
    [(("score", LINE), 1.7), (("suggest", "--visits", "1", "--seed", "1", LINE), 2.5)],
    ids=["score", "suggest"],
)
def test_a_quick_command_starts_about_as_fast_as_click(words, ratio, tmp_path):
    assert times_of_click(tmp_path, *words, most=ratio) <= ratio


@pytest.mark.slow
def test_help_starts_about_as_fast_as_click(tmp_path):
    assert times_of_click(tmp_path, "--help", most=2.5) <= 2.5


PROGRAM = "import sys; from kbai.__main__ import main; sys.exit(main())"


def times_of_click(folder, *words, most):
    """Return what a command costs, in times of what importing click does, all compiled before."""
    # An empty text is as if the variable were not set.
    settings = environment(PYTHONPYCACHEPREFIX=str(folder), PYTHONDONTWRITEBYTECODE="")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": settings}
    actions = {
        "click": lambda: end_well([sys.executable, "-c", "import click"], quiet),
        # As the program that pip installs does it.
        "kbai": lambda: end_well([sys.executable, "-c", PROGRAM, *words], quiet),
    }
    least = cpu_time.least(actions, lambda t: t["kbai"] <= most * t["click"], rounds=9)
    return least["kbai"] / least["click"]


def end_well(command, options):
    assert subprocess.run(command, **options).returncode == 0


def test_version_is_printed():
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("kbai")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["shwo"], "unknown command 'shwo'; did you mean 'show'?"),
        (["score", "--formt", "json"], "No such option"),
        (["score", "--format", "xml"], "'xml' is not one of 'text', 'markdown', 'json'"),
        (["perft"], "Missing argument 'N'"),
        (["perft", "101"], "101 is not in the range"),
        (["perft", "9" * 5000], "is not a valid integer"),
        (["new", "--seats", "9"], "'--seats': expected 2 to 5 seats, got '9'"),
        (["new", "--seats", "red,bleu"], "'--seats': unknown seat 'bleu'; did you mean 'blue'?"),
        (["new", "--seats", "9" * 5000], "expected 2 to 5 seats"),
        (["new", "--cards", "fishers"], "'--cards': unknown card 'fishers'; did you mean"),
        (["new", "--board", "farm"], "'--board': expected 4 quadrants, got 1"),
        (["new", "--board", "a,b,c,d"], "'--board': unknown quadrant 'a'"),
        (["new", "--option", "lost_tiles=true"], "'--option': unknown option 'lost_tiles'"),
        (["new", "--option", "lost_tiles_return"], "'--option': expected an option like"),
        (["new", "--option", "lost_tiles_return=x"], "'--option': expected 'false' or 'true'"),
        (["new", "--sets", "bse"], "'--sets': unknown set 'bse'; did you mean 'base'?"),
        (["new", "--sets", "base,nomad"], "'--sets': unknown set 'nomad'; did you mean 'nomads'?"),
        (["new", "--nomads", "sword"], "'--nomads': expected a nomad tile and its cell like"),
        (["new", "--nomads", "sward@c6"], "'--nomads': unknown nomad tile 'sward'; did you mean"),
        (
            ["new", "--board", "farm,barn,oasis,tower", "--nomads", "sword@c6"],
            "'--nomads': expected a nomad tile on a nomad space, got 'sword@c6'; this board",
        ),
        (
            ["new", "--first-game", "--nomads", "sword@c6"],
            "--first-game works only with",
        ),
        (["new", "--first-game", "--tasks", "-"], "--first-game works only with"),
        (["new", "--tasks", "rode"], "'--tasks': unknown task 'rode'; did you mean 'road'?"),
        (["new", "--island", "atoll"], "'--island': unknown island 'atoll' (known: kbai_rope"),
        (["new", "--caves", "z9"], "'--caves': expected a cell"),
        (["new", "--seed", "7", "--caves", "a1"], "'--caves': expected a mountain of the board"),
        (["new", "--seed", "7", "--capitols", "a1"], "'--capitols': expected a castle of the"),
        (["new", "--scouted", "grass", "--cards", "lords"], "'--scouted': expected a terrain"),
        (["new", "--cards", "scouts", "--scouted", "water"], "'--scouted': unknown terrain with"),
        (["new", "--first-game", "--sets", "all"], "--first-game works only with"),
        (["new", "--first-game", "--sets", "base"], "--first-game works only with"),
        (["show", "--quadrants", "nowhere"], "'--quadrants': Directory 'nowhere' does not exist"),
        (["suggest", "--time", "nan"], "'--seconds': expected a number of seconds, got 'nan'"),
        (["suggest", "--format", "json", "--html", "-"], "--html - and --format json both print"),
        (["suggest", "--board", "--html", "-"], "--html - and --board both print on stdout"),
        (["review", "x.kbg", "--format", "json", "--html", "-"], "--format json both print"),
        (["new", "--seed", "x"], "'--seed': 'x' is not a valid integer"),
        (
            ["new", "--first-game", "--cards", "lords"],
            "--first-game works only with --seats",
        ),
        (["convert", START, "--turn", "1"], "--turn needs a game file, but INPUT is a position"),
    ],
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(arguments, sentence):
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize("form", ["toml", "json", "line"])
def test_new_gives_the_same_position_for_the_same_seed(form):
    first = run("new", "--seed", 7, "--seats", 4, "--format", form)
    assert first.exit_code == 0
    assert first.stderr == ""
    assert run("new", "--seed", 7, "--seats", 4, "--format", form).stdout == first.stdout
    assert run("new", "--seed", 8, "--seats", 4, "--format", form).stdout != first.stdout
    position = parse_position(first.stdout)
    assert position == parse_position(run("new", "--seed", 7, "--seats", 4).stdout)
    assert position.board.seats == 4
    assert not position.pending_draw


def test_new_prints_the_seed_it_used():
    result = run("new", "--format", "line")
    assert result.exit_code == 0
    label, seed = result.stderr.split()
    assert label == "seed:"
    assert run("new", "--seed", seed, "--format", "line").stdout == result.stdout


def test_new_uses_what_is_given():
    result = run(
        "new", "--seed", 1, "--seats", "White,black,red", "--cards", "lords,miners",
        "--board", "farm,barn*,oasis,tower", "--option", "lost_tiles_return=TRUE",
        "--option", "exhausted_card=discard", "--sets", "base", "--format", "line",
    )  # fmt: skip
    words = result.stdout.split()
    assert words[1:4] == [
        "board=farm,barn*,oasis,tower",
        "cards=miners,lords",
        "options=exhausted_card:discard,lost_tiles_return:true",
    ]
    assert [w for w in words if w.endswith("=-")] == ["white=-", "black=-", "red=-"]


EVERY_SET = "base,nomads,crossroads,marshlands,harvest,capitol,caves,island"


@pytest.mark.parametrize(
    ("sets", "same", "words"),
    [
        ("Nomads BASE", "base,nomads", ("quarry", "nomads=", "oasis", "knights", "families")),
        (
            "all",
            EVERY_SET,
            (
                *("barracks", "kbai_temple", "kbai_bazaar", "nomads=", "tasks=", "scouted="),
                *("island=kbai_tree_house", "island=kbai_rope_bridge", "caves=", "capitols="),
                *("card=marsh_", "rangers", "captains", "shepherds", "hermits"),
            ),
        ),
        ("all,base", EVERY_SET, ()),
    ],
)
def test_new_draws_from_all_boxes_that_are_named(sets, same, words):
    seeds = range(30)
    lines = [run("new", "--seed", n, "--sets", sets, "--format", "line").stdout for n in seeds]
    assert lines == [
        run("new", "--seed", n, "--sets", same, "--format", "line").stdout for n in seeds
    ]
    text = "".join(lines)
    assert [word for word in words if word not in text] == []
    for line in lines:
        assert format_line(parse_position(line)) == line.strip()


@pytest.mark.parametrize("form", ["toml", "json", "line"])
def test_new_of_all_boxes_can_be_read_in_every_form(form):
    for seed in range(8):
        result = run("new", "--seed", seed, "--sets", "all", "--format", form)
        line = run("new", "--seed", seed, "--sets", "all", "--format", "line").stdout
        assert format_line(parse_position(result.stdout)) == line.strip()


def test_new_never_changes_what_a_seed_gives():
    line = run("new", "--seed", 1, "--sets", "all", "--format", "line").stdout
    assert line == (
        "kb1 board=farm,village,kbai_cathedral*,kbai_university island=kbai_rope_bridge "
        "caves=e8,t9,g11,k14 nomads=donation_forest@o4 cards=fishermen,hermits,chainers "
        "start=blue red=- blue=- turn=blue card=flower\n"
    )


def test_new_takes_tasks_caves_capitols_island_and_the_scouted_terrain():
    board = ("new", "--seed", 1, "--board", "oracle,lighthouse,barracks,tavern", "--format", "line")
    given = run(
        *board, "--island", "KBAI_tree_house", "--caves", "L8,a6", "--capitols", "d2",
        "--tasks", "Road,fortress", "--cards", "scouts", "--scouted", "Forest",
    )  # fmt: skip
    assert given.stderr.startswith("note: ")
    assert given.stdout.split()[2:8] == [
        "island=kbai_tree_house",
        "caves=a6,l8",
        "capitols=d2",
        "cards=scouts",
        "tasks=fortress,road",
        "scouted=forest",
    ]
    everything = run(*board, "--sets", "all").stdout
    assert all(f" {key}=" in everything for key in ("island", "caves", "capitols", "tasks"))
    none = ("--island", "-", "--caves", "-", "--capitols", "-", "--tasks", "-")
    nothing = run(*board, "--sets", "all", *none).stdout
    assert not any(f" {key}=" in nothing for key in ("island", "caves", "capitols", "tasks"))
    # Tasks belong to the quadrants; the others come only with their box.
    plain = run(*board).stdout
    assert " tasks=" in plain
    assert not any(f" {key}=" in plain for key in ("island", "caves", "capitols"))


def test_new_lays_the_nomad_tiles_that_are_given():
    board = ("new", "--seed", 1, "--board", "quarry,farm,oasis,village", "--format", "line")
    result = run(*board, "--nomads", "Sword@f8,outpost@C6")
    assert result.stdout.split()[2] == "nomads=outpost@c6,sword@f8"
    assert result.stdout.split()[3].startswith("cards=")
    assert run(*board, "--nomads", "-").stdout.split()[2].startswith("cards=")
    assert run(*board).stdout.split()[2].count("@") == 4


@pytest.mark.parametrize("name", ["nomads", "crossroads", "caves", "island"])
def test_new_adds_expansions_to_the_base_game(name):
    alone = run("new", "--sets", name, "--seed", 7)
    assert alone.exit_code == 0
    assert alone.stdout == run("new", "--sets", f"base,{name}", "--seed", 7).stdout


def test_new_first_game_is_the_recommended_one():
    result = run("new", "--first-game", "--seed", 2, "--seats", 3, "--format", "line")
    assert result.stdout.startswith(f"{FIRST_GAME} red=- blue=- green=- turn=red card=")


def test_the_cards_dealt_follow_the_deck():
    lines = [run("new", "--seed", seed, "--format", "line").stdout for seed in range(40)]
    cards = {line.split()[-1] for line in lines}
    assert cards == {f"card={name}" for name in ("grass", "canyon", "desert", "flower", "forest")}


def test_score_prints_a_table():
    result = run("score", P1)
    assert result.exit_code == 0
    assert result.stdout == (
        "           red  blue\n"
        "castles      9     9\n"
        "fishermen   11     4\n"
        "knights     10     6\n"
        "merchants    8     0\n"
        "total       38    19\n"
    )


def test_score_as_json_has_its_documented_keys():
    result = run("score", P1, "--format", "json")
    assert json.loads(result.stdout) == {"seats": P1_GOLD}
    assert result.stdout.count("\n") == 1


def test_score_shows_gold_of_the_nomads_set_so_far():
    line = (
        "kb1 board=quarry,caravan,village,garden cards=lords,families "
        "red=a1/gold=treasure:3,families:4 blue=b1 turn=red card=grass"
    )
    rows = json.loads(run("score", line, "--format", "json").stdout)["seats"]
    assert list(rows["red"].items()) == [
        ("castles", 0), ("treasure", 3), ("lords", 48), ("families", 4), ("total", 55),
    ]  # fmt: skip
    assert list(rows["blue"].values()) == [0, 0, 48, 0, 48]


def test_score_of_a_game_is_its_result(game, tmp_path):
    path = tmp_path / "game.kbg"
    path.write_text(format_game(game), "utf-8")
    seats = json.loads(run("score", path, "--format", "json").stdout)["seats"]
    assert tuple(gold["total"] for gold in seats.values()) == game.result


def test_score_of_a_game_can_be_counted_before_any_turn(game):
    text = format_game(game)
    line = format_line(game.position_before(5))
    assert run("score", "-", "--turn", 5, text=text).stdout == run("score", line).stdout
    last = run("score", "-", "--turn", "last", text=text).stdout
    assert last == run("score", format_line(game.position_before(len(game.turns)))).stdout


def test_without_input_the_first_game_is_used():
    assert run("convert").stdout == f"{START}\n"
    assert run("score").exit_code == 0


@pytest.mark.parametrize("spelling", ["toml", "json", "line"])
def test_a_position_goes_through_every_spelling(spelling, tmp_path):
    there = run("convert", LINE, "--to", spelling)
    path = tmp_path / "position"
    path.write_bytes(there.stdout_bytes)
    assert run("convert", path).stdout == f"{LINE}\n"
    assert run("convert", "-", text=there.stdout).stdout == f"{LINE}\n"
    assert run("convert", path, "--to", spelling).stdout == there.stdout


def test_several_lines_give_several_lines():
    lines = f"{LINE}\n\n# a comment\n{START}\n"
    assert run("convert", "-", text=lines).stdout == f"{LINE}\n{START}\n"
    found = run("convert", "-", "--to", "json", text=lines).stdout.splitlines()
    assert [format_line(parse_position(text)) for text in found] == [LINE, START]


def test_a_bad_line_among_several_is_named():
    result = run("convert", "-", text=f"{LINE}\n\n{START} x=1\n{LINE}\n")
    assert result.exit_code == 1
    assert result.stdout == f"{LINE}\n"
    place = f"stdin, line 3, column {len(START) + 2}"
    assert result.stderr.startswith(f"Error: {place}: unknown key 'x'")


def test_a_game_is_printed_in_its_canonical_form(game, tmp_path):
    text = format_game(game)
    path = tmp_path / "game.kbg"
    path.write_text(f"# a comment\n{text}".replace(":", " : ", 1), "utf-8")
    assert run("convert", path).stdout == text
    assert run("convert", path, "--to", "kbg").stdout == text
    assert run("convert", "-", text=text).stdout == text


def test_a_position_is_taken_from_a_game(game):
    text = format_game(game)
    for number in (1, 5, len(game.turns) + 1):
        line = format_line(game.position_before(number))
        assert run("convert", "-", "--turn", number, text=text).stdout == f"{line}\n"
    toml = run("convert", "-", "--turn", 3, "--to", "toml", text=text).stdout
    assert toml == format_toml(game.position_before(3))
    result = run("convert", "-", "--turn", 0, text=text)
    assert result.exit_code == 1
    assert "expected the number of a turn from 1 to" in result.stderr


@pytest.mark.parametrize("form", ["line", "toml", "json"])
def test_a_game_becomes_the_position_at_its_end(game, form):
    result = run("convert", "-", "--to", form, text=format_game(game))
    assert result.exit_code == 0
    assert parse_position(result.stdout) == game.final_position()


def test_a_position_becomes_a_game_without_turns():
    result = run("convert", LINE, "--to", "kbg")
    assert result.stdout == f"Position: {LINE}\n"
    assert parse_game(result.stdout).start == parse_position(LINE)


def test_perft_counts_like_the_kernel():
    for depth in range(5):
        result = run("perft", depth, LINE)
        assert result.stdout == f"{parse_position(LINE).perft(depth)}\n"
    result = run("perft", 3, LINE, "--format", "json")
    assert json.loads(result.stdout) == {"depth": 3, "count": parse_position(LINE).perft(3)}


@pytest.mark.parametrize("line", [LINE, f"{FIRST_GAME} red=- blue=- turn=red card=hidden"])
def test_perft_divides_by_the_first_step(line):
    count = parse_position(line).perft(3)
    *rows, total = run("perft", 3, line, "--divide").stdout.splitlines()
    assert total == f"total {count}"
    parts = {step: int(number) for step, number in (row.split() for row in rows)}
    assert sum(parts.values()) == count
    assert len(parts) == parse_position(line).perft(1)
    data = json.loads(run("perft", 3, line, "--divide", "--format", "json").stdout)
    assert data == {"depth": 3, "count": count, "divide": parts}


def test_perft_says_what_a_long_count_would_take(monkeypatch):
    monkeypatch.setattr("kbai.cli.perft.ESTIMATE_AFTER_S", 0.0)
    result = run("perft", 4, LINE)
    assert result.stdout == f"{parse_position(LINE).perft(4)}\n"
    assert re.fullmatch(
        r"note: about \S+ sequences; to count them takes about \S+ \w+ more\.\n", result.stderr
    )


def test_perft_estimates_are_about_right():
    position = parse_position(LINE)
    assert estimate_sequences(position, 1) == position.perft(1)
    assert estimate_sequences(position, 4) == pytest.approx(position.perft(4), rel=0.3)
    assert estimate_sequences(position, 99) > 1e30


def test_perft_of_nothing_is_one():
    assert run("perft", 0).stdout == "1\n"
    assert run("perft", 0, "--divide").stdout == "total 1\n"
    over = f"{FIRST_GAME} red=- blue=- phase=over"
    assert run("perft", 2, over, "--divide").stdout == "total 0\n"


def test_a_name_the_terminal_cannot_show_does_no_harm(game):
    text = format_game(game).replace("\n\n", "\nPlayers: Zoë, Jürgen\n\n", 1).encode()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = start("convert", "-", encoding="ascii", **pipes)
    assert process.communicate(text, timeout=120) == (text, None)
    assert process.returncode == 0


def test_a_closed_pipe_ends_quietly():
    process = start("convert", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE)  # fmt: skip
    process.stdout.close()
    process.stdin.write(f"{LINE}\n".encode() * 2000)
    process.stdin.close()
    assert process.stderr.read() == b""
    assert process.wait(120) == 1
    process.stderr.close()


def test_ctrl_c_says_aborted():
    process = start("perft", "12", "--divide", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline().startswith(b"a1 ")
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert (stderr.strip(), process.returncode) == (b"Aborted!", 1)


def test_a_full_disk_is_one_sentence(monkeypatch):
    def full(*_args, **_kwargs):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("kbai.cli.score.click.echo", full)
    monkeypatch.setattr("click.exceptions.echo", lambda text, **_: told.append(text))
    told: list[str] = []
    with pytest.raises(SystemExit) as stop, contextlib.redirect_stdout(io.StringIO()):
        main(["score"], prog_name="kbai")
    assert stop.value.code == 1
    assert told == ["Error: could not write the result: No space left on device."]


@pytest.mark.slow
def test_turn_last_means_the_last_turn_in_show_and_convert(tmp_path):
    game = tmp_path / "game.kbg"
    game.write_text(f"{HEADER}\n1 red flower: n16 o15 o17\n2 blue canyon: c6 b6 d7\n")
    for arguments in (["convert", str(game)], ["show", str(game), "--no-color"]):
        last, second = (
            subprocess.run([*SCRIPT, *arguments, "--turn", turn], capture_output=True, text=True)
            for turn in ("last", "2")
        )
        assert last.returncode == 0 and last.stdout == second.stdout != ""


HEADER = """Board: tavern,paddock,oasis,farm
Cards: fishermen,knights,merchants
Seats: red,blue
"""


def test_playout_prints_a_game_that_can_be_read_and_scored():
    setup = run("new", "--sets", "all", "--seed", "5").stdout
    result = run("playout", "-", "--seed", "2", text=setup)
    game = parse_game(result.stdout)
    assert game.final_position().is_over and ("Seed", "2") in game.header
    again = run("playout", "-", "--seed", "2", text=setup)
    assert again.stdout == result.stdout
    assert run("playout", "-", "--seed", "3", text=setup).stdout != result.stdout
    assert run("score", "-", text=result.stdout).exit_code == 0


def test_playout_continues_from_the_middle_and_prints_a_random_seed():
    result = run("playout", LINE)
    seed = int(result.stderr.removeprefix("seed: "))
    assert run("playout", LINE, "--seed", seed).stdout == result.stdout
    over = format_line(parse_game(result.stdout).final_position())
    assert parse_game(run("playout", over, "--seed", "1").stdout).turns == ()
