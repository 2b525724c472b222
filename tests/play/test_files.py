"""Games under way in files: saved, resumed, with their variations."""

import pytest

from kbai.core.errors import KbaiError
from kbai.game.setup import Setup
from kbai.notation.games import parse_game
from kbai.notation.positions import format_line
from kbai.play.files import format_live, free_name, has_own_comments, load, parse_live, save
from kbai.play.live import Waiting, begin, go_to, play_action
from kbai.play.tree import ROOT

START = Setup.first_game().start_position()


def play(live, words):
    for word in words.split():
        live = play_action(live, word)
    return live


def game_with_variations():
    live = begin(START, players=("", "mcts:level=2"), seed=1, told=True, notes=[("Event", "Home")])
    live = play(live, "=flower n16 o15 p15 end =grass h8 i8 j8 end")
    live = play(go_to(live, ROOT), "n16 o15 o17 end =grass h8 i8 i9 end")
    live = play(go_to(live, 2), "h8 i8 j8 end")
    return go_to(live, live.tree.main)


def test_a_saved_game_comes_back_with_its_variations(tmp_path):
    live = game_with_variations()
    path = str(tmp_path / "game.kbg")
    save(live, path)
    again, problems = load(path, seed=99)
    assert problems == []
    assert again.told and again.players == live.players and again.notes == live.notes
    assert again.tree == live.tree and again.cursor == live.cursor
    assert format_live(again) == format_live(live)


def test_readers_that_know_no_variations_read_the_game():
    live = game_with_variations()
    text = format_live(live)
    assert "# Variation 2 after turn 1 of variation 1\n#   2 blue grass: h8 i8 j8" in text
    assert [turn.summary for turn in parse_game(text).turns] == ["n16 o15 p15", "h8 i8 j8"]


def test_the_seed_and_the_turn_under_way_are_kept():
    live = begin(START, players=("", "greedy"), seed=77)
    cell = live.position().legal()[0]
    text = format_live(live)
    assert "Players: red you, blue greedy" in text and "Seed: 77" in text
    again, _ = parse_live(text, seed=1)
    assert again == live and again.seed == 77
    assert again.position().legal()[0] == cell


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Ann, Ben", "red Ann, blue Ben"),
        ("red Ann, blue mcts:level=2", "red Ann, blue mcts:level=2"),
        ("red you, blue greedy", "red you, blue greedy"),
        ("greedy, mcts:level=3", "red bot greedy, blue bot mcts:level=3"),
        ("red bot greedy, blue Ben", "red bot greedy, blue Ben"),
    ],
)
def test_the_names_of_those_who_played_are_kept(before, after):
    live = begin(START, players=("", ""), seed=1, told=True)
    text = format_live(live).replace("red you, blue you", before)
    again, _ = parse_live(text, seed=1)
    assert dict(again.game().header)["Players"] == after


def test_what_is_wrong_with_a_variation_is_said_and_the_rest_is_read():
    text = format_live(game_with_variations()).replace(": h8 i8 i9", ": a1")
    live, problems = parse_live(text, seed=1)
    assert len(live.turns()) == 2 and len(live.tree.nodes) == 4
    assert len(problems) == 1 and "a1" in problems[0] and problems[0].startswith("line ")


def test_a_game_begins_at_any_position():
    position = play(begin(START, players=("", ""), seed=1, told=True), "=flower n16").position()
    live, _ = parse_live(format_line(position), seed=5, players=("", "greedy"))
    assert live.waiting() is Waiting.PERSON and live.position() == position
    live = play(live, "o15 p15 end")
    again, _ = parse_live(format_live(live), seed=6)
    assert again.seed == 5 and again.turns() == live.turns()


def test_bots_that_run_programs_are_not_taken_from_a_file():
    text = format_live(begin(START, players=("", "greedy"), seed=1))
    for spec in ("cmd:touch gone", "py:bot.py:Bot", "nobody", "mcts:level=99"):
        live, _ = parse_live(text.replace("blue greedy", f"blue {spec}"), seed=1)
        assert live.players == ("", "")
    spec = "mcts:level=3,threads=2"
    live, _ = parse_live(text.replace("blue greedy", f"blue {spec}"), seed=1)
    assert live.players == ("", spec)


def test_a_bot_with_a_comment_sign_in_its_program_can_be_kept():
    live = begin(START, players=("", "cmd:python3 bot.py '#1 #2'"), seed=1)
    again, problems = parse_live(format_live(live), seed=1)
    assert (again.players, problems) == (("", ""), [])


def test_comments_of_the_user_are_told_from_variations():
    text = format_live(game_with_variations())
    assert not has_own_comments(text)
    assert has_own_comments(text + "# what a game\n")
    assert has_own_comments(text.replace("\n1 red", "\n# first\n1 red"))


def test_a_file_that_cannot_be_written_is_a_sentence(tmp_path):
    with pytest.raises(KbaiError, match="expected a file to save the game in"):
        save(game_with_variations(), str(tmp_path / "no" / "game.kbg"))


def test_a_new_file_never_takes_the_place_of_another(tmp_path):
    first = free_name(str(tmp_path), 7)
    (tmp_path / "game-7.kbg").write_text("")
    assert first.endswith("game-7.kbg") and free_name(str(tmp_path), 7).endswith("game-7-2.kbg")
