"""People's own quadrants: from a folder, from the configuration folder, and wrong ones."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from own_quadrants import ISLAND, QUADRANT
from places import DOCS

from kbai import content
from kbai.cli import COMMANDS, main
from kbai.core.errors import ContentError
from kbai.game.setup import Setup

POSITION = (
    "kb1 board=valley,oasis,farm,tower island=islet cards=lords red=- blue=- turn=red card=hidden"
)
PAGE = DOCS / "quadrants.md"


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where kbai looks for quadrants without being told; it does not exist yet."""
    for variable in ("XDG_CONFIG_HOME", "HOME", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    yield Path(click.get_app_dir("kbai")) / "quadrants"
    content.use_quadrants()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a quadrant and an island."""
    return write(tmp_path / "mine", {"valley.toml": QUADRANT, "islet.toml": ISLAND})


def write(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def run(*arguments: object, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)], input=stdin)


def grids(result: Result) -> dict[str, list[str]]:
    """Return the grids of the quadrants that ``kbai content --format json`` has told of."""
    rows = json.loads(result.stdout)["quadrants"]
    return {name: row["grid"] for name, row in rows.items()}


# What is known


@pytest.mark.parametrize(
    "arguments",
    [("show",), ("score",), ("convert",), ("perft", 1)],
    ids=lambda arguments: arguments[0],
)
def test_every_command_that_reads_a_position_knows_ones_own_quadrants(
    arguments: tuple[object, ...], folder: Path
) -> None:
    with_folder = run(*arguments, POSITION, "--quadrants", folder)
    assert with_folder.exit_code == 0, with_folder.output
    without = run(*arguments, POSITION)
    assert without.exit_code == 1
    assert "unknown quadrant 'valley'" in without.stderr


def test_every_command_is_among_those() -> None:
    for name in COMMANDS.keys() - {
        "bench",
        "bots",
        "help",
        "import",
        "rules",
    }:  # which read no such board
        assert "--quadrants DIR" in run(name, "--help").output


def test_new_knows_ones_own_quadrants_and_islands(folder: Path) -> None:
    choice = ("--board", "farm,valley*,oasis,tower", "--island", "islet", "--format", "line")
    result = run("new", "--seed", 1, *choice, "--quadrants", folder)
    assert result.exit_code == 0
    assert result.stdout.startswith("kb1 board=farm,valley*,oasis,tower island=islet cards=")
    assert result.stderr == ""
    assert run("new", "--seed", 1, *choice).exit_code == 2


def test_content_draws_ones_own_quadrants(folder: Path) -> None:
    result = run("content", "valley", "islet", "--quadrants", folder)
    assert "Quadrants (Quadrants of your own)\n\nvalley\n" in result.stdout
    assert "Islands (Quadrants of your own)\n\nislet\n" in result.stdout
    assert "own           Quadrants of your own: 1 quadrant, 1 side of an island." in (
        run("content", "--kind", "sets", "--quadrants", folder).stdout
    )


def test_configuration_folder_is_read_without_an_option(config: Path) -> None:
    assert run("score", POSITION).exit_code == 1
    write(config, {"a.toml": QUADRANT + ISLAND, "notes.txt": "not a quadrant"})
    assert run("score", POSITION).exit_code == 0


def test_nothing_of_one_command_is_left_for_the_next(folder: Path) -> None:
    assert run("score", POSITION, "--quadrants", folder).exit_code == 0
    assert "unknown quadrant" in run("score", POSITION).stderr


def test_same_name_wins_over_the_one_that_comes_with_kbai(tmp_path: Path) -> None:
    shipped = content.load()
    text = QUADRANT.replace('"valley"', '"kbai_temple"')
    folder = write(tmp_path / "mine", {"temple.toml": text})
    found = grids(run("content", "--format", "json", "--quadrants", folder))
    assert list(found) == [*shipped.quadrants]
    assert found["kbai_temple"][0] == "GGGGFFFWWT" != shipped.quadrants["kbai_temple"].grid[0]
    content.use_quadrants(content.read_folder(str(folder)))
    quadrant = content.load().quadrants["kbai_temple"]
    assert (quadrant.set, quadrant.official) == ("marshlands", True)


def test_folder_of_the_option_wins_over_the_configuration_folder(
    config: Path, folder: Path
) -> None:
    write(config, {"a.toml": QUADRANT.replace("G G G G F", "D D D D D") + ISLAND})
    command = ("content", "valley", "--format", "json")
    assert grids(run(*command))["valley"][0] == "DDDDDFFWWT"
    assert grids(run(*command, "--quadrants", folder))["valley"][0] == "GGGGFFFWWT"


def test_boards_are_made_anew_when_a_quadrant_changes() -> None:
    def first_row() -> tuple[str, bytes]:
        setup = Setup(("red", "blue"), (), board=("valley", "oasis", "farm", "tower"))
        board = setup.kernel_board
        return setup.letters[0][:10], bytes(board.terrain(cell) for cell in range(10))

    content.use_quadrants([("a.toml", QUADRANT)])
    before = first_row()
    content.use_quadrants([("a.toml", QUADRANT.replace("G G G G F", "C C C C C"))])
    after = first_row()
    assert before == ("GGGGFFFWWT", bytes([0, 0, 0, 0, 3, 3, 3, 7, 7, 4]))
    assert after == ("CCCCCFFWWT", bytes([1, 1, 1, 1, 1, 3, 3, 7, 7, 4]))


# What is drawn


def test_own_quadrants_are_drawn_only_if_their_set_is_asked_for() -> None:
    plain = [Setup.random(seed) for seed in range(60)]
    content.use_quadrants([("a.toml", QUADRANT)])
    assert [Setup.random(seed) for seed in range(60)] == plain
    mixed = [Setup.random(seed, sets=("base", "own")) for seed in range(60)]
    assert any({"valley", "valley*"} & {*setup.board} for setup in mixed)


def test_own_quadrant_may_belong_to_a_box() -> None:
    content.use_quadrants([("a.toml", QUADRANT.replace("castles", 'set = "base"\ncastles'))])
    assert "own" not in content.load().sets
    setups = [Setup.random(seed) for seed in range(60)]
    assert any({"valley", "valley*"} & {*setup.board} for setup in setups)


# What is wrong


def test_missing_folder_of_the_option_is_wrong_usage(tmp_path: Path) -> None:
    result = run("show", "--quadrants", tmp_path / "none")
    assert result.exit_code == 2
    assert "'--quadrants': Directory" in result.stderr
    assert "does not exist" in result.stderr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "valley"', "name = valley", "this is not TOML: "),
        ('name = "valley"\n', "", "quadrant number 1, key 'name': expected a value (str), got"),
        (
            '"valley"',
            '"the valley"',
            "quadrant 'the valley', key 'name': expected a name of small letters, digits and '_' "
            "like 'my_farm', got 'the valley'.",
        ),
        (
            "[[quadrant]]",
            "[[quadrants]]",
            "key 'quadrants': unknown key 'quadrants'; did you mean 'quadrant'? (known: island, "
            "quadrant).",
        ),
        ("[[quadrant]]", 'title = "x"\n[[quadrant]]', "key 'title': unknown key 'title'"),
        (
            "castles = 1",
            "castles = 2",
            "quadrant 'valley', key 'castles': expected 2 letters 'k' in the grid, got 1.",
        ),
        (
            "castles = 1\n",
            "",
            "quadrant 'valley', key 'castles': expected 0 letters 'k' in the grid, got 1.",
        ),
        (
            "castles = 1",
            'castles = 1\nset = "bases"',
            "quadrant 'valley', key 'set': unknown set 'bases'; did you mean 'base'?",
        ),
        (
            "castles = 1",
            'castles = 1\nofficial = "no"',
            "quadrant 'valley', key 'official': expected a value of type bool, got 'no'.",
        ),
        (
            "canoe@c4",
            "canoo@c4",
            "quadrant 'valley', key 'locations': unknown location 'canoo'; did you mean 'canoe'?",
        ),
        (
            "canoe@c4",
            "canoe@c5",
            "quadrant 'valley', key 'locations': expected the letters 'l' of the grid (c4 h7), "
            "got c5 h7.",
        ),
        (
            "G G G G F F F W W T\n",
            "",
            "quadrant 'valley', key 'grid': expected 10 rows, got 9.",
        ),
        (
            "G G G G F",
            ". G G G F",
            "quadrant 'valley', key 'grid': expected letters out of GCDFTSAWMklnpo in row 1, "
            "got '.'.",
        ),
        (
            ". . G G\n",
            "",
            "island 'islet', key 'grid': expected 5 rows, got 4.",
        ),
        (
            "tree_house@c2",
            "tree_house",
            "island 'islet', key 'locations': expected a location like 'tavern@c7', got "
            "'tree_house'.",
        ),
    ],
)
def test_wrong_file_is_named_with_its_key(
    old: str, new: str, message: str, tmp_path: Path, config: Path
) -> None:
    text = QUADRANT + ISLAND
    assert old in text
    files = {"bad.toml": text.replace(old, new, 1)}
    for result, place in (
        (run("show", "--quadrants", write(tmp_path / "mine", files)), tmp_path / "mine"),
        (write(config, files) and run("show"), config),
    ):
        assert result.exit_code == 1
        assert result.stdout == ""
        separator = ": " if message.startswith("this") else ", "
        assert result.stderr.startswith(f"Error: {place / 'bad.toml'}{separator}{message}")
        assert result.stderr.count("\n") == 1


def test_same_name_twice_in_a_folder_is_an_error(tmp_path: Path) -> None:
    folder = write(tmp_path / "mine", {"a.toml": QUADRANT, "b.toml": QUADRANT})
    result = run("show", "--quadrants", folder)
    assert result.exit_code == 1
    message = "quadrant 'valley', key 'name': 'valley' is there twice."
    assert result.stderr == f"Error: {folder / 'b.toml'}, {message}\n"


def test_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "mine", {})
    (folder / "bad.toml").write_bytes(b"\xff\xfe")
    result = run("show", "--quadrants", folder)
    assert result.exit_code == 1
    message = "line 1, column 1: expected text in UTF-8, got the byte 0xff."
    assert result.stderr == f"Error: {folder / 'bad.toml'}, {message}\n"


def test_folder_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="none: expected quadrants to read: No such file"):
        content.read_folder(str(tmp_path / "none"))
    (write(tmp_path / "mine", {}) / "folder.toml").mkdir()
    with pytest.raises(ContentError, match=r"folder\.toml: expected quadrants to read: "):
        content.read_folder(str(tmp_path / "mine"))


def test_wrong_file_changes_nothing() -> None:
    content.use_quadrants([("a.toml", QUADRANT)])
    known = content.load()
    with pytest.raises(ContentError):
        content.use_quadrants([("a.toml", ISLAND), ("b.toml", "x")])
    assert content.load() is known
    content.use_quadrants()
    assert "valley" not in content.load().quadrants


# The note about layouts that are not the printed ones

NOTE = "note: not laid out as printed: kbai_temple, kbai_tree_house.\n"
NOTED = (
    "kb1 board=farm,kbai_temple*,oasis,tower island=kbai_tree_house cards=lords red=- blue=- "
    "turn=red card=hidden"
)


@pytest.mark.parametrize(
    "arguments",
    [("show",), ("score",), ("convert",), ("perft", 1)],
    ids=lambda arguments: arguments[0],
)
def test_own_layouts_are_noted_once(arguments: tuple[object, ...]) -> None:
    result = run(*arguments, NOTED)
    assert result.exit_code == 0, result.output
    assert result.stderr == NOTE
    printed = NOTED.replace("kbai_temple*", "quarry").replace("island=kbai_tree_house ", "")
    result = run(*arguments, printed)
    assert (result.exit_code, result.stderr) == (0, "")


def test_several_positions_have_one_note() -> None:
    result = run("convert", "-", stdin=f"{NOTED}\n{NOTED}\n")
    assert result.stdout.count("kb1") == 2
    assert result.stderr == NOTE


def test_new_notes_own_layouts(tmp_path: Path) -> None:
    board = ("--board", "farm,kbai_temple*,oasis,tower", "--island", "kbai_tree_house")
    result = run("new", "--seed", 1, *board)
    assert result.stderr == NOTE
    assert "note" not in result.stdout
    assert run("new", "--seed", 1, "--sets", "base,nomads,crossroads").stderr == ""
    # Ones own of the same name are the printed ones, unless the file says otherwise.
    text = QUADRANT.replace('"valley"', '"kbai_temple"') + ISLAND.replace(
        "islet", "kbai_tree_house"
    )
    folder = write(tmp_path / "mine", {"a.toml": text})
    assert run("new", "--seed", 1, *board, "--quadrants", folder).stderr == ""
    write(folder, {"a.toml": text.replace("castles", "official = false\ncastles")})
    result = run("new", "--seed", 1, *board, "--quadrants", folder)
    assert result.stderr == "note: not laid out as printed: kbai_temple.\n"


# The page about it


def test_example_of_the_page_is_complete(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    folder = write(tmp_path / "mine", {"valley.toml": example})
    assert run("score", POSITION, "--quadrants", folder).exit_code == 0


def test_page_names_every_letter_and_key() -> None:
    text = PAGE.read_text("utf-8")
    for letter, name in (content.TERRAIN_LETTERS | content.SPACE_LETTERS).items():
        assert re.search(rf"`{letter}` \| {name}", text), name
    for key in ("name", "grid", "locations", "set", "official", "castles", "nomads", "silos"):
        assert f"`{key}`" in text


def test_a_pipe_in_the_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    assert content.read_folder(str(tmp_path)) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a" + ".a" * 20_000 + " = 1", "this is not TOML: it has 20,001 of the signs"),
        ("a" + ".a" * 10_000 + " = 1", "this is not TOML: it has a key of more than 16 parts"),
        ("a = " + "[" * 15_000, "this is not TOML: maximum recursion depth exceeded"),
        ("#" * 1_000_001, "expected at most 1,000,000 bytes, got more."),
        (QUADRANT.replace("valley", "V" * 100_000), "'_' like 'my_farm', got 'VVVV"),
        (QUADRANT + f"{'x' * 100_000} = 1", "unknown key 'xxxx"),
    ],
)
def test_files_that_would_cost_much_are_refused(tmp_path: Path, text: str, message: str) -> None:
    folder = write(tmp_path / "mine", {"bad.toml": text})
    result = run("show", "--quadrants", folder)
    assert result.exit_code == 1
    assert message in result.stderr and len(result.stderr) < 600
