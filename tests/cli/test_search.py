"""``kbai suggest`` and ``kbai bench``: what they print, how they end."""

import json
import re
import subprocess

import pytest
from commands import on_terminal, run, start
from positions import FIRST_GAME, GAME_TEXT, START

from kbai import content
from kbai._fast import count_gold
from kbai.bench.profiles import list_profiles
from kbai.bench.signature import bench_positions, run_bench
from kbai.notation.positions import format_line

QUICK = ("--visits", "200", "--seed", "1")


def suggest(*arguments, text=None):
    result = run("suggest", *arguments, text=text)
    assert result.exit_code == 0, result.output
    return result


def test_without_input_the_first_game_is_searched():
    result = suggest(*QUICK)
    assert result.stdout.startswith("Best turns for red with flower (200 visits, seed 1):\n")
    assert result.stderr == ""
    assert suggest(START, *QUICK).stdout == result.stdout


FEW = ("--visits", "8", "--seed", "1")


def test_the_card_in_hand_can_be_given():
    assert "for red with grass" in suggest("--card", "Gras", *FEW).stdout
    assert "for blue with desert" in suggest("-", "--turn", "2", "--card", "desert", *FEW,
                                             text=GAME_TEXT).stdout  # fmt: skip
    result = run("suggest", "--card", "marsh grass", *FEW)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no marsh_grass card is left to turn up (R2.1)" in result.stderr


def test_the_card_that_was_turned_up_can_be_revealed():
    found = suggest("-", "--turn", "2", "--reveal", *FEW, text=GAME_TEXT)
    assert "for blue with canyon" in found.stdout
    result = run("suggest", "--reveal", *FEW)
    assert result.exit_code == 2
    assert "--reveal needs a turn that has been played" in result.stderr
    result = run("suggest", "-", "--turn", "2", "--reveal", "--card", "grass", text=GAME_TEXT)
    assert "--card and --reveal contradict each other" in result.stderr


def test_tables_fold_on_a_narrow_terminal_and_not_in_a_pipe(monkeypatch):
    wide = suggest(*QUICK).stdout
    monkeypatch.setattr("kbai.cli.drawing.terminal_width", lambda: 60)
    narrow = suggest(*QUICK).stdout
    assert max(map(len, wide.splitlines())) > 60 >= max(map(len, narrow.splitlines()))
    assert sorted(wide.split()) == sorted(narrow.split())


def test_top_says_how_many_turns():
    for top in (1, 3):
        table = suggest(*QUICK, "--top", top).stdout.split("\n\n")[1]
        assert len(table.splitlines()) == 1 + top


def test_json_is_one_object_and_the_same_each_time():
    lines = {suggest(*QUICK, "--format", "json").stdout for _ in range(2)}
    assert len(lines) == 1
    data = json.loads(lines.pop())
    assert (data["position"], data["visits"], data["threads"]) == (START, 200, 1)
    assert len(data["turns"]) == 5


def test_a_game_is_searched_at_its_end_or_at_a_turn(tmp_path):
    file = tmp_path / "game.kbg"
    file.write_text(GAME_TEXT)
    assert suggest(file, *QUICK).stdout.startswith("red turns up a card next.")
    before = suggest(file, *QUICK, "--turn", 2).stdout
    assert before.startswith("blue turns up a card next.")
    assert suggest(file, *QUICK, "--turn", "last").stdout == before
    result = run("suggest", START, "--turn", "2")
    assert result.exit_code == 2 and "--turn needs a game file" in result.stderr


def test_a_random_seed_is_printed_and_gives_the_same_again():
    first = suggest("--visits", 500)
    (seed,) = re.fullmatch(r"seed: (\d+)\n", first.stderr).groups()
    assert suggest("--visits", 500, "--seed", seed).stdout == first.stdout


def test_the_board_shows_the_first_turn():
    result = suggest(*QUICK, "--board", "--ascii")
    board, _, rest = result.stdout.partition("\n\nBest turns for red")
    actions = rest.splitlines()[3].split()[1:4]
    assert sorted(re.findall(r"(\d)R.\]", board)) == ["1", "2", "3"], board
    assert "1 ] first action of the turn" in board
    assert "settlements  supply" in board and all(re.fullmatch(r"[a-t]\d+", a) for a in actions)
    result = run("suggest", *QUICK, "--board", "--format", "json")
    assert result.exit_code == 2


def test_a_finished_game_has_a_result_and_a_board():
    over = run("playout", START, "--seed", 1).stdout
    result = suggest("-", *QUICK, "--board", text=over)
    sentence = r"^The game is over: \w+ has won \(red \d+, blue \d+\)\.$"
    assert re.search(sentence, result.stdout, re.M)
    assert json.loads(suggest("-", *QUICK, "--format", "json", text=over).stdout)["turns"] == []


@pytest.mark.parametrize(
    "arguments",
    [("--visits", "0"), ("--time", "0"), ("--time", "-1"), ("--threads", "0"), ("--top", "0"),
     ("--visits", "many"), ("--memory", "0")],
    ids=" ".join,
)  # fmt: skip
def test_a_limit_of_nothing_is_wrong_usage(arguments):
    result = run("suggest", *arguments)
    assert result.exit_code == 2 and arguments[0] in result.stderr


@pytest.mark.parametrize("arguments", [("--visits", "1"), ("--time", "0.01"), ("--time", "1e-9")])
def test_tiny_budgets_give_an_answer(arguments):
    assert "\n1  " in suggest(*arguments, "--seed", 1).stdout


def test_cores_are_used_for_time_and_one_thread_for_visits(monkeypatch):
    monkeypatch.setattr("kbai.compute.pools.count_cores", lambda: 3)
    by_time = json.loads(suggest("--time", 0.05, "--seed", 1, "--format", "json").stdout)
    assert by_time["threads"] == 3
    by_visits = json.loads(suggest(*QUICK, "--format", "json").stdout)
    assert by_visits["threads"] == 1


@pytest.mark.slow
def test_time_is_for_a_tree_and_games_and_both_can_be_asked_for_alone():
    # Two turns from the end: games are over in a moment, however busy the machine is.
    late = f"{FIRST_GAME} red=o15,n16/supply=4 blue=b6,c6/supply=3 turn=red card=flower"
    title = suggest(late, "--time", "5", "--rollouts", "3", "--seed", "1").stdout.splitlines()[0]
    assert re.search(r"\([\d,]+ visits, [\d,]+ games, seed 1\):$", title)
    alone = suggest(late, "--time", "0.2", "--no-rollouts", "--seed", "1").stdout
    assert "games" not in alone.splitlines()[0]
    counted = suggest(late, *QUICK, "--rollouts", "2", "--top", "2", "--format", "json").stdout
    assert [turn["games"] for turn in json.loads(counted)["turns"]] == [2, 2]
    assert run("suggest", "--rollouts", "2", "--no-rollouts").exit_code == 2


def test_used_up_memory_is_reported():
    result = suggest("--visits", 30_000, "--seed", 1, "--memory", 1)
    assert "note: the memory is used up" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_prints_what_is_known(threads):
    line = ("suggest", "--time", "600", "--threads", threads, "--seed", "1", "--format", "json")
    code, output, talk = on_terminal(*line, stop_at=b" visits")
    assert code == 0
    data = json.loads(output)
    assert data["interrupted"] and data["turns"]
    assert re.search(rb"note: stopped after [\d,]+ visits\.", talk)


@pytest.mark.slow
def test_a_terminal_shows_how_far_the_search_is():
    code, output, talk = on_terminal("suggest", "--time", "1.5", "--no-rollouts", "--seed", "1")
    assert code == 0 and output.startswith(b"Best turns for red")
    assert re.search(rb"\d%\|.*\| [\d,]+ visits", talk)


def test_bench_measures_every_position_and_has_one_signature():
    result = run("bench", "--visits", 20)
    assert result.exit_code == 0
    head, *rows = result.stdout.split("\n\n")[0].splitlines()
    assert head.split() == ["position", "visits/s", "random", "playouts/s"]
    names = [name for name, _ in bench_positions()]
    assert [re.split(r"  +", row)[0] for row in rows] == [*names, "all"]
    data = json.loads(run("bench", "--visits", 20, "--format", "json").stdout)
    assert result.stdout.rstrip().endswith(f"signature {data['signature']}")
    assert [row["name"] for row in data["positions"]] == names
    assert run_bench(20).signature == data["signature"] != run_bench(21).signature


def test_bench_measures_each_set_with_figures_that_fit_together():
    games = run("bench", "--visits", 20).stdout.split("\n\n")[1].splitlines()
    names = [profile.name for profile in list_profiles()]
    assert [re.split(r"  +", row)[0] for row in games] == ["game", *names]
    profiles = json.loads(run("bench", "--visits", 20, "--format", "json").stdout)["profiles"]
    assert [profile["name"] for profile in profiles] == names
    for profile in profiles:
        seconds = profile["placements"] * profile["ns_per_placement"] / 1e9
        assert seconds * profile["playouts_per_second"] == pytest.approx(1)
        # Houses of the seat that ends the game; a scoring is a part of a playout.
        assert profile["placements"] > 40
        assert 0 < profile["ns_per_scoring"] / 1e9 < seconds
    sets = {name for profile in list_profiles() for name in profile.sets}
    assert sets == set(content.load().sets)


def test_the_kernel_counts_gold_as_positions_do():
    endings = [position.copy() for _, position in bench_positions()]
    for ending in endings:
        ending.playout(1)
    assert count_gold(endings, 3) == 3 * sum(sum(ending.scores()) for ending in endings)
    with pytest.raises(TypeError, match="NoneType"):
        count_gold([*endings, None], 1)


def test_bench_positions_are_of_all_sets_and_numbers_of_seats():
    positions = [position for _, position in bench_positions()]
    assert {position.board.seats for position in positions} == {2, 3, 4, 5}
    assert all(position.legal() for position in positions)
    text = " ".join(map(format_line, positions))
    for word in ("nomads=", "island=", "caves=", "capitols=", "tasks=", "scouted=", "kbai_"):
        assert word in text


def test_a_fresh_process_has_the_same_signature():
    done = start("bench", "--visits", "20", "--format", "json", stdout=subprocess.PIPE)
    output, _ = done.communicate(timeout=60)
    assert json.loads(output)["signature"] == run_bench(20).signature


def test_suggest_says_when_it_has_seen_too_little():
    assert "note: 1 visit is too little to judge turns by" in run("suggest", "--visits", 1).stderr
    assert "too little" not in run("suggest", "--visits", 1000, "--seed", 1).stderr


@pytest.mark.slow
def test_a_cluster_plays_the_games_and_the_answer_is_the_same():
    late = START.replace("red=-", "red=n16/supply=4").replace("blue=-", "blue=b2/supply=4")
    options = (late, *QUICK, "--rollouts", 2)
    assert suggest(*options, "--cluster", "local:2").stdout == suggest(*options).stdout


def test_a_cluster_without_games_is_wrong_usage():
    result = run("suggest", *QUICK, "--cluster", "local:2")
    assert result.exit_code == 2
    assert "--cluster is for games; it needs --rollouts or --time." in result.output
