"""A damaged log gives a game that can be read again, or one sentence; never anything else."""

import random
from functools import cache

import pytest
from bga_logs import Habits, cut, random_game, write_log, write_page
from bga_mutations import mutate
from commands import run

from kbai.core.errors import ImportedLogError
from kbai.importing.bga import import_game
from kbai.notation.games import format_game, parse_game

HABITS = Habits(undo=0.3, restart=0.2, own_hex=0.2, running_scores=True)


@cache
def originals():
    whole = random_game(11, 3)
    short = cut(random_game(12, 2), 6)
    return (
        write_log(whole, HABITS),
        write_log(short, HABITS, "bare"),
        write_page(short, HABITS),
        write_page(short, Habits(concede=True)),
    )


@pytest.mark.parametrize("seed", range(400))
def test_a_damaged_log_gives_a_game_or_one_sentence(seed):
    rng = random.Random(seed)
    text = mutate(rng.choice(originals()[1:] if seed % 8 else originals()), rng)
    try:
        game = import_game(text).game
    except ImportedLogError as error:
        assert "\n" not in str(error)
        assert str(error).endswith(".")
    else:
        assert parse_game(format_game(game)) == game


@pytest.mark.parametrize("seed", range(60))
def test_the_command_prints_a_whole_game_or_nothing(seed, tmp_path):
    rng = random.Random(1000 + seed)
    path = tmp_path / "log.json"
    path.write_text(mutate(rng.choice(originals()[1:]), rng), "utf-8", "replace")
    result = run("import", path)
    assert result.exit_code in (0, 1)
    assert (result.exit_code == 1) == ("Error: " in result.stderr)
    assert "Traceback" not in result.stderr
    if result.stdout:
        parse_game(result.stdout)
    else:
        assert result.exit_code == 1
    written = run("import", path, "--out", tmp_path / "out")
    assert written.exit_code == result.exit_code
    assert len([*tmp_path.glob("out/*")]) == bool(result.stdout)
