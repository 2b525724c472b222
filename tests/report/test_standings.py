"""Standings as text, Markdown, CSV and JSON: what is told, and that the numbers are right."""

import csv
import io
import json

import pytest

from kbai.arena.plan import GameKey, Plan
from kbai.arena.results import Result
from kbai.arena.sprt import SprtPlan
from kbai.arena.standings import compute_standings
from kbai.bots.specs import parse_spec
from kbai.report.document_text import document_text
from kbai.report.game_list import games_document
from kbai.report.standings import FORMATS, format_standings

LONG = "cmd:on_fault=random,time=2.0 python3 somewhere/far/away/bot.py"


def plan(*bots, **changes):
    values = {"bots": tuple(map(parse_spec, bots)), "seats": len(bots), "groups": 2, "seed": 7}
    return Plan(**(values | changes))


def result(plan, deal, rotation, gold, lineup=0, start=0, **more):
    """Return a game; ``gold`` by label, so that rotations cannot confuse anybody."""
    key = GameKey(lineup, deal, rotation)
    bots = key.bots(plan)
    return Result(
        id=key.id(plan), lineup=lineup, deal=deal, rotation=rotation, bots=bots,
        gold=tuple(gold[bot] for bot in bots), start=start, **more,
    )  # fmt: skip


def duel(n_groups=2, lost=(), **changes):
    """A match in which greedy wins all games but the numbers in ``lost``, 50 to 30."""
    match = plan("greedy", "random", groups=n_groups, **changes)
    golds = [{"greedy": 50, "random": 30}, {"greedy": 30, "random": 50}]
    return match, [
        result(match, number // 2, number % 2, golds[number in lost])
        for number in range(2 * n_groups)
    ]


def text(plan, results, form="text", sprt=None):
    return format_standings(compute_standings(plan, results, sprt), form)


def row(output, bot):
    """Return the cells of a bot in the first ranking that has it."""
    lines = [line.split() for line in output.splitlines()]
    return next(cells for cells in lines if cells[1:2] == [bot] and cells[0].isdigit())


def test_a_duel_is_told_in_words():
    output = text(*duel(20, lost=(1, 4, 5, 9)))
    flat = " ".join(output.split())
    assert (
        "Match between greedy and random, 2 seats: 20 groups, 40 games. Seed 7; sets base." in flat
    )
    assert "greedy won 90.0 % of the points against random (" in flat
    assert "over 20 groups of 2 games. That is +382 Elo (+" in flat
    assert "): greedy is stronger." in flat


def test_the_interval_in_the_sentence_is_that_of_the_statistics():
    match, results = duel(20, lost=(1, 4, 5, 9))
    share = compute_standings(match, results).summaries[0].share
    assert f"({100 * share.low:.1f}-{100 * share.high:.1f})" in text(match, results)


def test_the_first_bot_is_the_one_spoken_of_though_it_lost():
    match, results = duel(20, lost=range(40))
    flat = " ".join(text(match, results).split())
    assert "greedy won 0.0 % of the points against random (0.0-" in flat
    assert "random is stronger." in flat


def test_an_open_duel_is_called_open():
    assert "it is not settled which one is stronger." in text(*duel(4, lost=(0, 2, 5, 7)))


def test_what_pairing_was_worth_is_told():
    won_both_or_none = text(*duel(12, lost=(0, 1, 6, 7, 10, 11)))
    assert (
        "Pairing made the interval no narrower than the same number of unpaired" in won_both_or_none
    )
    one_each = text(*duel(12, lost=(*range(0, 20, 2), 1)))
    assert "Pairing made the interval as narrow as" in one_each
    few = text(*duel(3, lost=(0, 1)))
    assert "Pairing" not in few


def test_the_table_has_the_numbers_of_a_bot():
    output = text(*duel(2, lost=(3,)))
    head = next(line.split() for line in output.splitlines() if "points" in line and "+/-" in line)
    assert head[:5] == ["bot", "games", "points", "share", "%"]
    cells = row(output, "greedy")
    assert cells[:5] == ["1", "greedy", "4", "3.0", "75.0"]
    assert cells[6:8] == ["50.0", "45.0"]  # equal bots; gold
    assert cells[9] == "+10.0"
    assert row(output, "random")[:5] == ["2", "random", "4", "1.0", "25.0"]


def test_one_group_says_nothing_about_an_interval():
    cells = row(text(*duel(1)), "greedy")
    assert cells[-4:] == ["50.0", "?", "+20.0", "?"]


def test_a_bias_of_the_seats_shows():
    match = plan("greedy", "random", groups=2)
    # Whoever begins wins; in the second deal the second seat begins.
    results = []
    for deal, rotation in ((0, 0), (0, 1), (1, 0), (1, 1)):
        bots = GameKey(0, deal, rotation).bots(match)
        gold = {bots[deal]: 50, bots[1 - deal]: 30}
        results.append(result(match, deal, rotation, gold, start=deal))
    lines = text(match, results).splitlines()
    place = lines.index("bot     first  second")
    assert [line.split() for line in lines[place + 1 : place + 4]] == [
        ["greedy", "100.0", "0.0"],
        ["random", "100.0", "0.0"],
        ["all", "100.0", "0.0"],
    ]
    assert "'all' is 50.0 everywhere, give or take 49.0 by chance" in text(match, results)


def test_a_table_of_more_bots_has_elo_and_what_equal_bots_would_have():
    match = plan("greedy", "random", "random", groups=6)
    gold = {"greedy": 50, "random": 30, "random#2": 20}
    results = [result(match, deal, turn, gold) for deal in range(6) for turn in range(3)]
    output = text(match, results)
    assert "Stronger than average: greedy; weaker: random, random#2." in output
    assert row(output, "random#2")[6] == "33.3"
    assert row(output, "random#2")[-2].startswith("-")
    assert "0 is the mean of the table" in " ".join(output.split())
    assert "mean of the table" not in text(*duel(2))


def test_the_bots_of_a_round_robin_are_ranked_by_their_share():
    robin = plan("greedy", "random", "random", seats=2, kind="round_robin", groups=2)
    strength = {"greedy": 10, "random": 20, "random#2": 30}
    results = [
        result(robin, deal, turn, strength, lineup=number)
        for number in range(3) for deal in range(2) for turn in range(2)
    ]  # fmt: skip
    output = text(robin, results)
    assert output.startswith("Round robin of 3 bots, 2 seats: 6 groups, 12 games.")
    assert [row(output, bot)[:5] for bot in ("random#2", "random", "greedy")] == [
        ["1", "random#2", "8", "8.0", "100.0"],
        ["2", "random", "8", "4.0", "50.0"],
        ["3", "greedy", "8", "0.0", "0.0"],
    ]


def test_of_two_with_the_same_share_the_one_with_more_elo_is_first():
    match = plan("greedy", "random", "random", groups=2)
    gold = {"greedy": 50, "random": 20, "random#2": 30}  # nobody but greedy has points
    results = [result(match, deal, turn, gold) for deal in range(2) for turn in range(3)]
    output = text(match, results)
    assert row(output, "random#2")[:4] == ["2", "random#2", "6", "0.0"]
    assert row(output, "random")[:4] == ["3", "random", "6", "0.0"]


def test_bots_that_never_met_are_in_tables_of_their_own():
    robin = plan("greedy", "random", "random", "greedy", seats=2, kind="round_robin", groups=1)
    apart = [robin.lineups.index(pair) for pair in (("greedy", "random"), ("random#2", "greedy#2"))]
    gold = {"greedy": 50, "random": 30, "random#2": 20, "greedy#2": 40}
    results = [result(robin, 0, turn, gold, lineup=number) for number in apart for turn in (0, 1)]
    output = text(robin, results)
    above, below = output.split("These bots never met those above and cannot be compared")
    assert row(above, "greedy")[:2] == ["1", "greedy"]
    assert row(below, "greedy#2")[:2] == ["1", "greedy#2"]
    data = json.loads(text(robin, results, "json"))
    assert [(bot["table"], bot["rank"], bot["bot"]) for bot in data["bots"]] == [
        (1, 1, "greedy"), (1, 2, "random"), (2, 1, "greedy#2"), (2, 2, "random#2"),
    ]  # fmt: skip


def test_bots_without_a_complete_group_are_named():
    robin = plan("greedy", "random", "random", seats=2, kind="round_robin", groups=1)
    gold = {"greedy": 50, "random": 30, "random#2": 20}
    results = [result(robin, 0, 0, gold), result(robin, 0, 1, gold),
               result(robin, 0, 0, gold, lineup=1)]  # fmt: skip
    output = text(robin, results)
    assert "1 of 3 groups, 3 of 6 games." in output
    assert "No complete group yet: random#2." in output
    assert "1 game belongs to an incomplete group and is not counted." in output
    assert "incomplete" not in text(*duel(2))


@pytest.mark.parametrize("form", FORMATS)
def test_standings_of_nothing_can_be_printed(form):
    output = text(plan("greedy", "random"), [], form)
    assert output
    if form in ("text", "markdown"):
        assert "0 of 2 groups, 0 of 4 games." in output
        assert "No group is complete yet" in output


def test_a_sequential_test_is_told():
    match, results = duel(30)
    sprt = SprtPlan(0, 200)
    flat = " ".join(text(match, results, sprt=sprt).split())
    reason = compute_standings(match, results, sprt).sprt.reason
    assert f"Sequential test of greedy: a{reason[1:]}" in flat
    assert "the bot passes" in flat
    assert "lean towards" not in flat
    assert "LLR log-likelihood ratio" in flat
    ended = [r for r in results if r.deal < compute_standings(match, results, sprt).sprt.groups]
    assert len(ended) < len(results)
    assert "numbers here lean towards its verdict" in text(match, ended, sprt=sprt)
    assert "LLR" not in text(match, results)


def test_what_went_wrong_is_told():
    match, results = duel(4)
    faults = {"greedy": {"babble": 0, "crash": 1, "illegal": 2, "timeout": 0}}  # as journals sort
    fine = results[:-3]
    gold = {"greedy": -1, "random": 30}
    odd = [
        result(match, 2, 1, gold, outcome="given up", reason="no answer", faults=faults),
        result(match, 3, 0, gold, outcome="crashed", reason="the worker died"),
        result(match, 3, 1, gold, outcome="too long"),
    ]
    output = text(match, fine + odd)
    assert output.split("Faults of the bots:\n\n")[1].splitlines()[:2] == [
        "bot     illegal  timeout  crash  babble",
        "greedy        2        0      1       0",
    ]
    assert "1 game was given up; the bot that gave up is last, with -1 gold." in output
    assert "1 game was stopped after 20000 steps" in output
    assert "1 game could not be played and was not counted:" in output
    assert f"{odd[1].id} crashed: the worker died" in output
    assert "1 game belongs to an incomplete group" in output
    plain = text(match, results)
    for word in ("Faults", "given up", "stopped after", "could not be played"):
        assert word not in plain


def test_many_lost_games_are_not_all_listed():
    match = plan("greedy", "random", groups=4)
    gold = {"greedy": 0, "random": 0}
    lost = [result(match, deal, turn, gold, outcome="failed", reason="no such file")
            for deal in range(4) for turn in range(2)]  # fmt: skip
    output = text(match, lost)
    assert "8 games could not be played and were not counted:" in output
    assert output.count("no such file") == 3
    assert "and 5 more" in output
    assert len(json.loads(text(match, lost, "json"))["lost"]) == 8


def test_long_names_are_listed_once_so_that_tables_stay_narrow():
    match = plan(LONG, "random")
    gold = {match.labels[0]: 50, "random": 30}
    results = [result(match, deal, turn, gold) for deal in range(2) for turn in range(2)]
    output = text(match, results)
    assert output.count(match.labels[0]) == 1
    assert f"bot 1  {match.labels[0]}" in output
    assert "bot 2  random" in output
    assert "bot 1 won 100.0 % of the points against bot 2" in output
    assert max(map(len, output.splitlines())) <= 100


def test_the_choices_of_the_set_up_are_told():
    match, results = duel(1, cards=("lords", "miners", "knights"), sets=("base", "nomads"),
                          options=(("lost_tiles_return", "true"),))  # fmt: skip
    line = (
        "Seed 7; sets base, nomads; cards lords, miners, knights; options lost_tiles_return=true."
    )
    assert line in text(match, results)


def test_markdown_has_the_same_tables_and_no_accidental_marks():
    match = plan("greedy", "greedy")
    gold = {"greedy": 50, "greedy#2": 30}
    results = [result(match, deal, turn, gold) for deal in range(2) for turn in range(2)]
    output = text(match, results, "markdown")
    lines = output.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("| 1 | greedy |"))
    assert set(lines[place - 1]) <= set("|-: ")
    widths = {line.replace("\\|", "").count("|") for line in lines[place - 2 : place + 2]}
    assert len(widths) == 1
    assert "greedy\\#2" in lines[place + 1]
    assert "- points: 1 per game" in output


def test_csv_has_a_row_for_each_bot_with_unrounded_numbers():
    match, results = duel(3, lost=(0,))
    rows = list(csv.DictReader(io.StringIO(text(match, results, "csv"))))
    assert [row["bot"] for row in rows] == ["greedy", "random"]
    summary = compute_standings(match, results).summaries[0]
    assert float(rows[0]["share"]) == summary.share.value == 5 / 6
    assert float(rows[0]["share_low"]) == summary.share.low
    assert float(rows[0]["seat_2_points"]) == summary.seats[1].points
    one_group = next(csv.DictReader(io.StringIO(text(*duel(1), "csv"))))
    assert one_group["gold_low"] == ""


def test_json_is_strict_and_has_its_keys():
    match, results = duel(1)
    data = json.loads(text(match, results, "json", SprtPlan(0, 20)))
    assert list(data) == ["plan", "games", "games_planned", "groups", "groups_planned", "bots",
                          "elo", "sprt", "outcomes", "faults", "reasons", "lost"]  # fmt: skip
    assert Plan.from_dict(data["plan"]) == match
    assert data["bots"][0]["bot"] == "greedy"
    assert data["bots"][0]["gold"] == {"value": 50.0, "low": None, "high": None}
    assert data["sprt"]["decision"] == "open"
    assert data["outcomes"] == {"over": 2}


def test_a_list_of_games_has_ids_bots_and_gold():
    match, results = duel(1)
    crashed = result(match, 1, 0, {"greedy": 0, "random": 0}, outcome="crashed")
    lines = document_text(games_document([*results, crashed])).splitlines()
    assert lines[0].split() == ["game", "deal", "turns", "bots", "and", "gold"]
    assert lines[1].split()[0] == results[0].id
    assert lines[1].endswith("greedy 50, random 30")
    assert lines[2].endswith("random 30, greedy 50")
    assert lines[3].endswith("(crashed)")
