"""The script that compares forecasts with games of strong bots."""

import argparse
import json
from dataclasses import replace

import pytest
from positions import position
from script_modules import load_script

from kbai.core.intervals import Estimate
from kbai.notation.positions import format_line
from kbai.search.params import Limit
from kbai.search.results import Variant
from kbai.search.suggest import suggest

LATE = position(
    "red=b7,a6,a5,n16,o15,o17/tiles=tavern@c7,farm@m16/supply=8 "
    "blue=b2,b3,c3,d3/supply=9 turn=red card=flower"
)


@pytest.fixture(scope="module")
def script():
    return load_script("truth_check")


def compared(script, monkeypatch, **options):
    """Return what is found of a position after which red always won by 10 gold."""
    monkeypatch.setattr(script, "BOT", "greedy")
    settings = {"visits": 200, "rollouts": 0, "turns": 4, "small": 5, "replay": 0} | options
    data = {"seed": 1, "position": format_line(LATE), "mover": 0, "gold": [[50, 40], [40, 30]]}
    return script.compare(argparse.Namespace(**settings), json.dumps(data))


def test_a_forecast_stands_beside_the_games_of_its_file(script, monkeypatch):
    (case,) = compared(script, monkeypatch).cases
    assert (case.rows["margin"].games, case.rows["gold"].games) == (10, 45)
    assert case.rows["margin"].noise == 0
    assert case.rows["win"].noise > 0  # the next game could still be lost
    assert [share for _, share in case.chances] == [1, 0]


def test_a_replay_tells_both_what_the_position_and_what_the_first_turn_is_worth(
    script, monkeypatch
):
    asked = []

    def replayed(after, times, seed):
        asked.append((after.mover, times))
        return [(30, 50)] * times

    monkeypatch.setattr(script, "replayed", replayed)
    position_case, turn_case = compared(script, monkeypatch, rollouts=2, replay=3).cases
    assert asked == [(1, 3)]
    assert position_case.rows["margin"].games == 10
    assert turn_case.rows["margin"].games == -20


def test_games_are_replayed_to_their_end(script, monkeypatch):
    monkeypatch.setattr(script, "BOT", "greedy")
    golds = script.replayed(LATE, 2, 5)
    assert golds == script.replayed(LATE, 2, 5) != script.replayed(LATE, 2, 6)
    before = LATE.scores()
    assert all(gold[seat] > before[seat] for gold in golds for seat in (0, 1))


def test_a_turn_is_found_where_it_has_become_a_detail_of_another(script):
    first, second = suggest(LATE, Limit(300), seed=1, top=2).turns
    variant = Variant(second.steps, second.visits, 0, 1, 0.0, 0.0)
    both = replace(first, variants=(variant,))
    assert script.turn_with([both], second.steps) is both
    assert script.turn_with([first, second], second.steps) is second


def test_an_interval_holds_if_it_comes_within_two_standard_errors(script):
    forecast = Estimate(10.0, 8.0, 12.0)
    assert script.Compared(forecast, 14.0, 1.0).holds
    assert not script.Compared(forecast, 14.1, 1.0).holds


def test_tables_tell_the_error_without_the_noise_of_the_games(script, capsys):
    cases = [
        script.Case(
            {
                name: script.Compared(Estimate(value, value - 9, value + 9), 0.5, 0.01)
                for name in ("win", "margin", "gold")
            },
            [(0.75, 1.0), (0.25, 0.0)],
        )
        for value in (0.4, 0.8)
    ]
    script.tell("Against games:", cases)
    text = capsys.readouterr().out
    assert "win     error 20.00  bias +10.00 +/- 39.20  intervals hold 2 of 2" in text
    assert " 70 to 80 %:    2 cases, forecast 75.0, won 100.0, +25.0" in text
