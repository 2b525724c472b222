"""Who sat where, and whom a summary is for."""

import pytest

from kbai.core.errors import ReviewError
from kbai.game.setup import Setup
from kbai.notation.games import Game
from kbai.summary.players import choose_players, players_of


def game(players=None, *, seats=2):
    header = (("Players", players),) if players else ()
    return Game(Setup.random(1, seats=seats).start_position(), header=header)


@pytest.mark.parametrize(
    "players, names",
    [
        (None, ("red", "blue")),
        ("Ann, Ben", ("Ann", "Ben")),
        ("Ann,Ben", ("Ann", "Ben")),
        ("red Ann Lee, blue Ben", ("Ann Lee", "Ben")),
        ("blue Ben, red Ann", ("Ann", "Ben")),
        ("red Ann", ("Ann", "blue")),
        ("mcts:visits=9,threads=2, greedy", ("mcts:visits=9,threads=2", "greedy")),
        ("red you, blue mcts:visits=9,threads=2", ("you", "mcts:visits=9,threads=2")),
        ("Ann, Ben, Cid", ("red", "blue")),
        ("somebody", ("red", "blue")),
    ],
)
def test_names_come_from_the_header(players, names):
    assert players_of(game(players)) == names


def test_without_a_wish_the_summary_is_for_whoever_has_most_games():
    games = [("Ann", "Ben"), ("Cid", "Ann"), ("Ann", "Ben")]
    assert choose_players(games, ()) == ("Ann",)
    assert choose_players(games[:1], ()) == ("Ann", "Ben")
    assert choose_players([("mcts", "mcts"), ("mcts", "greedy")], ()) == ("mcts",)


def test_a_player_is_named_in_any_case():
    games = [("Ann", "Ben")]
    assert choose_players(games, ("BEN", "ben")) == ("Ben",)
    with pytest.raises(ReviewError, match="unknown player 'Bem'; did you mean 'Ben'"):
        choose_players(games, ("Bem",))
