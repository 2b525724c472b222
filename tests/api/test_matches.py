"""Matches of the library."""

import pickle

import pytest

import kbai


@pytest.fixture(scope="module")
def match() -> kbai.MatchResult:
    return kbai.play_match(["greedy", "random"], groups=4, seed=7)


def test_a_match_has_standings_with_numbers(match):
    first, second = match.standings
    assert (first.bot, second.bot) == ("greedy", "random")
    assert (match.groups, match.games, match.seed) == (4, 8, 7)
    assert first.points + second.points == match.games
    assert first.share.value == first.points / first.games
    assert first.equal == 0.5
    assert first.margin.value == -second.margin.value > 0
    assert first.gold.low < first.gold.value < first.gold.high
    assert match.elo is not None and match.elo.value > 0


def test_a_match_is_a_value_that_prints(match):
    assert kbai.play_match(["greedy", "random"], groups=4, seed=7) == match
    assert pickle.loads(pickle.dumps(match)) == match
    assert "greedy won" in str(match)
    assert ">greedy</td>" in match._repr_html_()
    assert match.to_dict()["games"] == 8


def test_a_seed_that_is_not_given_is_in_the_result():
    match = kbai.play_match(["random", "random"], groups=1)
    assert kbai.play_match(["random", "random"], groups=1, seed=match.seed) == match


def test_a_match_can_start_from_positions():
    position = kbai.Position(kbai.Setup.first_game())
    match = kbai.play_match(["random", "random"], groups=1, seed=1, positions=[position])
    assert match.to_dict()["plan"]["positions"] == (position.to_line(),)
    assert "from 1 start position." in str(match)


def test_a_journal_goes_on_where_it_was(tmp_path, match):
    journal = tmp_path / "match.jsonl"
    seen: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        seen.append((done, total))

    def play(groups: int) -> kbai.MatchResult:
        return kbai.play_match(
            ["greedy", "random"], groups=groups, seed=7, journal=journal, on_progress=note
        )

    assert play(2).games == 4
    assert seen[-1] == (4, 4)
    seen.clear()
    assert play(4) == match
    assert 4 < seen[0][0] <= seen[-1][0] == 8


@pytest.mark.slow
def test_processes_play_the_same_games(match):
    assert kbai.play_match(["greedy", "random"], groups=4, seed=7, workers=2) == match


def test_deals_are_as_they_are_asked_for():
    match = kbai.play_match(
        ["random"] * 3, groups=1, seed=1, sets=["base", "nomads"], cards="lords,farmers",
        board=["farm", "tower", "barn", "oasis*"], options={"lords_need_presence": True},
    )  # fmt: skip
    assert len(match.standings) == match.games == 3


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"bots": ["greedy", "randm"]}, "unknown bot 'randm'; did you mean 'random'"),
        ({"bots": "greedy"}, "expected a list of bots, got the text 'greedy'"),
        ({"bots": ["greedy"]}, "expected 2 to 5 seats, got 1"),
        ({"groups": 0}, "expected at least one group, got 0"),
        ({"workers": 0}, "expected at least one worker, got 0"),
        ({"cards": ["lord"]}, "unknown card 'lord'"),
        ({"sets": ["bas"]}, "unknown set 'bas'"),
    ],
)
def test_a_bad_argument_is_an_error_with_a_sentence(values, message):
    with pytest.raises(kbai.KbaiError, match=message):
        kbai.play_match(**({"bots": ["greedy", "random"], "groups": 1, "seed": 1} | values))


def test_games_that_could_not_be_played_are_an_error():
    with pytest.raises(kbai.ArenaError, match="2 of 2 games could not be played"):
        kbai.play_match(["random", "cmd:/no/such/program"], groups=1, seed=1)
