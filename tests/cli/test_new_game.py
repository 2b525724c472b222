"""``kbai new --format kbg`` begins a game file, to be gone on with at the table."""

from commands import run

from kbai.notation.games import parse_game


def test_a_game_file_begins_with_the_set_up():
    text = run("new", "--first-game", "--format", "kbg", "--seed", 1).stdout
    game = parse_game(text)
    assert game.turns == ()
    assert game.setup.board == ("tavern", "paddock", "oasis", "farm")


def test_a_card_begins_the_first_turn_and_can_be_gone_on_with():
    arguments = ("new", "--sets", "nomads", "--seed", 3, "--seats", 3, "--card", "gras")
    text = run(*arguments, "--format", "kbg").stdout
    assert text.endswith("\n\n1 blue grass: ...\n")
    game = parse_game(text)
    position = run("convert", "-", "--turn", 1, "--to", "line", text=text).stdout
    assert "card=hidden" in position
    assert game.final_position() == parse_game(text).final_position()
    line = run(*arguments, "--format", "line").stdout
    assert line.rstrip().endswith("card=grass")
    assert run("convert", "-", "--turn", 2, "--to", "line", text=text).stdout == line


def test_a_card_that_is_not_in_the_deck_is_refused():
    result = run("new", "--card", "marsh grass", "--seed", 1, "--format", "kbg")
    assert result.exit_code == 1
    assert "no marsh_grass card is left" in result.stderr
    result = run("new", "--card", "lava", "--seed", 1)
    assert result.exit_code == 2
    assert "Invalid value for '--card': unknown card 'lava'" in result.stderr


def test_the_seat_that_begins_can_be_chosen():
    arguments = ("new", "--seed", 1, "--seats", 3, "--format", "kbg")
    for seat in ("red", "blue", "green"):
        game = parse_game(run(*arguments, "--start", seat, "--card", "grass").stdout)
        assert game.turns[0].seat == seat
    result = run(*arguments, "--start", "yellow")
    assert result.exit_code == 2
    assert "expected one of the seats red, blue, green, got 'yellow'" in result.stderr
