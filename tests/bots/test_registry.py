"""Bots by name, their spec strings, and what random and greedy play."""

import json
import pickle
import sys
import textwrap
from collections import Counter

import pytest
from click.testing import CliRunner
from mixed import mixed_position
from places import DOCS
from positions import position, random_positions, random_starts

from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bots import registry
from kbai.bots.kinds import BotOption
from kbai.bots.protocol import Bot, View
from kbai.bots.registry import bot_kinds
from kbai.bots.specs import make_bot, parse_spec
from kbai.cli import main
from kbai.core.errors import BotError
from kbai.notation.actions import format_step, legal_actions
from kbai.notation.illegal import apply_action

FISHERMEN = "kb1 board=tavern,paddock,oasis,farm cards=fishermen"
PLAIN = "G" * 20


def chosen(start, name="greedy", seeds=1):
    """Return what a bot chooses with some seeds, as texts."""
    bot = make_bot(name)
    views = (View(start.copy(), start.actor, seed) for seed in range(seeds))
    return {format_step(start, bot.choose(view)) for view in views}


def one_turn(start):
    """Return what greedy does until the turn is over, as texts."""
    current, found = start.copy(), []
    while not current.pending_draw and current.mover == start.mover:
        step = make_bot("greedy").choose(View(current.copy(), current.actor, 0))
        found.append(format_step(current, step))
        current.apply(step)
    return found


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("random", "random"),
        (" Greedy ", "greedy"),
        ("random:", "random"),
        ("cmd:python3   bot.py", "cmd:python3 bot.py"),
        ("cmd: time=2,on_fault=random  ./bot", "cmd:on_fault=random,time=2.0 ./bot"),
        ("cmd:TIME=2e0,ON_FAULT=Random ./bot", "cmd:on_fault=random,time=2.0 ./bot"),
        ("cmd:time=1,on_fault=lose ./bot", "cmd:./bot"),
        ("cmd:./bot a:b time=9,x", "cmd:./bot a:b time=9,x"),
        ("cmd:'my bot' --x=\"1 2\"", "cmd:'my bot' '--x=1 2'"),
        ("cmd:./a=b", "cmd:./a=b"),
        ("mcts:time=1", "mcts:seconds=1.0"),
        ("cmd:seconds=2 ./bot", "cmd:time=2.0 ./bot"),
    ],
)
def test_a_spec_has_one_spelling(text, canonical):
    spec = parse_spec(text)
    assert str(spec) == canonical
    assert parse_spec(canonical) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert make_bot(text).spec == canonical


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("gredy", "unknown bot 'gredy'; did you mean 'greedy'? (known: random, greedy, "),
        ("", "unknown bot ''"),
        ("random:seed=1", "unknown option of random 'seed' (known: none)"),
        ("cmd:tme=1 x", "unknown option of cmd 'tme'; did you mean 'time'?"),
        ("random:x", "expected options like 'key=value' for random, got 'x'"),
        ("cmd:time=1,time=2 x", "expected the option time of cmd once, got it twice"),
        ("cmd:time=soon x", "expected a number from 0.01 to 86400 for the option time of cmd, got"),
        ("cmd:time=0 x", "expected a number from 0.01 to 86400"),
        ("cmd:time=nan x", "expected a number from 0.01 to 86400"),
        ("cmd:time=1e9 x", "expected a number from 0.01 to 86400"),
        ("cmd:on_fault=cry x", "expected 'lose' or 'random' for the option on_fault of cmd, got"),
        ("cmd", "expected a program as in 'cmd:python3 bot.py', got none"),
        ("cmd:time=2", "expected a program"),
        ("cmd:''", "expected a program"),
        ("cmd:'x", 'expected a program, got "\'x": no closing quotation'),
        ("cmd:'a\nb'", "expected a program on one line"),
    ],
)
def test_a_wrong_spec_is_told_with_what_was_expected(text, sentence):
    with pytest.raises(BotError) as caught:
        parse_spec(text)
    assert sentence in str(caught.value)
    assert str(caught.value).endswith(".")


def test_options_have_the_type_of_their_default():
    visits = BotOption("visits", 1000, "", low=1, high=10**9)
    assert visits.parse("4_000") == "4000"
    for wrong in ("1.5", "0", "x", "1e3"):
        with pytest.raises(ValueError, match="^a whole number from 1 to 1e\\+09$"):
            visits.parse(wrong)
    reuse = BotOption("reuse", True, "")
    assert (reuse.default_text, reuse.parse("FALSE")) == ("true", "false")
    with pytest.raises(ValueError, match="'false' or 'true'"):
        reuse.parse("1")


def test_a_bot_is_registered_with_one_call(monkeypatch):
    class First(Bot):
        def __init__(self, depth):
            self.depth = depth

        def choose(self, view):
            return view.position.legal()[self.depth]

    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    option = BotOption("depth", 1, "Which one.", low=0, high=9)
    registry.register(
        "first", lambda given: First(int(given["depth"])), options=(option,), summary="."
    )
    assert (make_bot("first").depth, make_bot("first:depth=2").depth) == (1, 2)
    assert make_bot("first:depth=01").spec == "first"
    assert bot_kinds()[-1].name == "first"
    with pytest.raises(ValueError, match="already"):
        registry.register("first", lambda given: First(0), summary=".")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Install a package that brings a bot, one that is not what it says, and one that breaks."""
    (tmp_path / "guest_bots.py").write_text(
        textwrap.dedent("""
            from kbai.bots.protocol import Bot
            from kbai.bots.kinds import BotKind

            class Last(Bot):
                def choose(self, view):
                    return view.position.legal()[-1]

            LAST = BotKind("last", lambda options: Last(), "Takes the last legal step.")
            """)
    )
    folder = tmp_path / "guest_bots-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: guest-bots\nVersion: 1\n")
    entries = "last = guest_bots:LAST"
    (folder / "entry_points.txt").write_text(f"[kbai.bots]\n{entries}\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder / "entry_points.txt"
    sys.modules.pop("guest_bots", None)


def test_an_installed_package_brings_bots(package):
    start = position("red=- blue=- turn=red card=flower")
    bot = make_bot("last")
    assert bot.spec == "last"
    assert bot.choose(View(start, 0, 0)) == start.legal()[-1]
    assert [kind.name for kind in bot_kinds()][-1] == "last"
    with pytest.raises(BotError, match="did you mean 'last'"):
        parse_spec("lasd")


@pytest.mark.parametrize("value", ["guest_bots:Last", "guest_bots:NONE", "no_such_module:X"])
def test_a_package_that_does_not_keep_its_word_is_named(package, value):
    package.write_text(f"[kbai.bots]\nlast = {value}\n")
    with pytest.raises(BotError, match=f"the bot 'last' at '{value}'"):
        parse_spec("last")
    assert str(parse_spec("random")) == "random"


@pytest.mark.parametrize("value", ["guest_bots:NONE", "no_such_module:X", "leaving:X"])
def test_a_broken_package_leaves_the_other_bots_in_the_list(package, value):
    (package.parents[1] / "leaving.py").write_text("raise SystemExit(3)")
    package.write_text(f"[kbai.bots]\nlast = guest_bots:LAST\nbroken = {value}\n")
    result = CliRunner().invoke(main, ["bots"])
    assert result.exit_code == 0
    assert "\nlast     Takes the last legal step." in result.stdout
    assert "broken" not in result.stdout
    assert result.stderr.startswith(f"note: expected to load the bot 'broken' at '{value}', got ")


def test_the_command_lists_names_options_and_defaults():
    result = CliRunner().invoke(main, ["bots"])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    names = ["random", "greedy", "flat", "uct", "mcts", "mcts1", "cmd", "py"]
    assert [line.split()[0] for line in lines if line[0] != " "] == names
    assert any(line.split()[0] == "time=1.0" for line in lines)
    data = json.loads(CliRunner().invoke(main, ["bots", "--format", "json"]).stdout)
    by_name = {bot["name"]: bot for bot in data["bots"]}
    assert by_name["greedy"]["options"] == []
    options = {option["name"]: option for option in by_name["cmd"]["options"]}
    assert options["time"]["default"] == 1.0
    assert options["on_fault"]["choices"] == ["lose", "random"]


def test_the_list_of_bots_fits_a_terminal():
    lines = CliRunner().invoke(main, ["bots"]).stdout.splitlines()
    assert max(map(len, lines)) <= 80


def test_random_takes_every_step_equally_often():
    start = position("red=b2/gifts=paddock blue=- turn=red card=flower phase=post")
    bot, legal = make_bot("random"), start.legal()
    counts = Counter(bot.choose(View(start, 0, seed)) for seed in range(400 * len(legal)))
    assert set(counts) == set(legal)
    assert all(abs(count - 400) < 100 for count in counts.values())  # five standard deviations


def test_greedy_likes_tiles_better_than_the_castle_and_decides_ties_by_the_seed():
    start = position("red=- blue=- turn=red card=forest")
    # All forest hexes beside a location: 2 gold for Knights and the tile. b17 at the castle and
    # the water would be 6 gold.
    beside = {"g6", "g7", "l6", "m7", "g12", "h12", "g13", "r11", "q12", "n17"}
    assert chosen(start, seeds=120) == beside


def test_greedy_chooses_the_same_from_the_same_view():
    bot, other = make_bot("greedy"), make_bot("greedy")
    for number, start in enumerate(random_positions(18, share=0.05)):
        if start.legal():
            view = View(start, start.actor, number)
            first = bot.choose(view)
            assert first == other.choose(View(start.copy(), start.actor, number))
            assert first == bot.choose(view)
            assert start.is_legal(first)


def test_greedy_moves_for_gold_and_then_ends():
    # From b2 the paddock leads to d2, where there is nothing, and to c4 at castle and water.
    start = position("red=b2/gifts=paddock blue=- turn=red card=flower phase=post", FISHERMEN)
    assert one_turn(start) == ["paddock:b2-", "-c4", "end"]


def test_greedy_does_not_move_without_a_gain():
    # Wherever the house goes from the castle a20, there is nothing to gain.
    rows = [PLAIN] * 19 + ["k" + "G" * 19]
    rest = "red=b20/gifts=paddock blue=- turn=red card=grass phase=post"
    start = position(rest, f"kb1 map={'/'.join(rows)} cards=fishermen")
    assert chosen(start, "random", seeds=30) > {"end"}
    assert one_turn(start) == ["end"]


def test_greedy_does_not_give_a_tile_away_for_less():
    # The harbor leads to t19 at a mountain, but the house on b20 holds the tile of a farm.
    rows = [PLAIN] * 18 + ["G" * 18 + "MW", "l" + "G" * 19]
    board = f"kb1 map={'/'.join(rows)} locations=farm@a20 cards=miners"
    rest = "blue=- turn=red card=grass phase=post"
    away = position(f"red=d18/gifts=harbor {rest}", board)
    assert one_turn(away)[:2] == ["harbor:d18-", "-t19"]
    at_home = position(f"red=b20/tiles=farm@a20/used=farm/gifts=harbor {rest}", board)
    assert one_turn(at_home) == ["end"]


def test_greedy_builds_where_it_must_and_keeps_a_tile_that_brings_nothing():
    grass = [PLAIN] * 20
    board = f"kb1 map={'/'.join(grass)} cards=fishermen"
    *houses, last = one_turn(position("red=k10/gifts=farm blue=- turn=red card=grass", board))
    assert (len(houses), last) == (3, "end")
    assert not any(":" in action for action in houses)


def test_greedy_chooses_the_card_with_the_better_hex():
    rest = "red=-/gifts=crossroads blue=- turn=red card=choose hand=grass:1,flower:1"
    rows = [PLAIN] * 18 + ["FFF" + "G" * 17, "FkF" + "G" * 17]
    board = f"kb1 map={'/'.join(rows)} cards=fishermen"
    start = position(rest, board)
    # Around the castle b20 there are flowers only.
    assert chosen(start) == {"choose:flower"}
    # What a tile can do with either card says nothing about the cards: b19 is at the castle, too.
    tiled = "red=c17/gifts=crossroads,paddock blue=- turn=red card=choose hand=grass:1,flower:1"
    assert chosen(position(tiled, board), seeds=40) == {"choose:flower", "paddock:c17-"}


@pytest.mark.parametrize(
    ("card", "answer"), [("fishermen", "pass:blue"), ("miners", "canoe:blue@j12")]
)
def test_greedy_reacts_only_for_gold(card, answer):
    # The canoe can build on i12 and j12. On water there is nothing to fish; j12 is at a mountain.
    rest = "red=a13 blue=j13/gifts=canoe turn=red card=flower phase=build1 reacting=red:blue"
    assert chosen(mixed_position(rest, cards=card), seeds=9) == {answer}


def test_greedy_declares_an_outpost_only_for_a_better_hex():
    rows = [PLAIN] * 19 + ["G" * 17 + "kGG"]
    board = f"kb1 map={'/'.join(rows)} cards=lords"
    far = position("red=a1/nomads=outpost blue=- turn=red card=grass", board)
    assert one_turn(far)[0] == "outpost"
    near = position("red=s18/nomads=outpost blue=- turn=red card=grass", board)
    assert chosen(near, seeds=40) == {"s19"}


@pytest.mark.parametrize("tile", ["fort", "bazaar,crossroads"])
def test_greedy_keeps_tiles_that_open_nothing(tile):
    rows = [PLAIN] * 19 + ["k" + "G" * 19]
    rest = f"red=b20/gifts={tile} blue=- turn=red card=grass phase=post"
    start = position(rest, f"kb1 map={'/'.join(rows)} cards=fishermen")
    assert len(start.legal()) > 1
    assert chosen(start, seeds=9) == {"end"}


def test_greedy_does_not_take_a_repeated_crossroads_for_what_comes_after_it():
    rows = [PLAIN] * 19 + ["k" + "G" * 19]
    rest = "red=a18/gifts=bazaar,crossroads blue=- turn=red card=grass"
    start = position(rest, f"kb1 map={'/'.join(rows)} cards=fishermen")
    assert "bazaar:crossroads" in chosen(start, "random", seeds=200)
    assert chosen(start, seeds=40) == {"a19", "b19"}


def test_greedy_sees_the_tiles_that_a_city_hall_reaches():
    # The location lies four hexes below the house: only a hall in the middle has both beside it.
    rows = [PLAIN] * 13 + ["G" * 10 + "l" + "G" * 9] + [PLAIN] * 6
    rest = "red=k10/gifts=city_hall blue=- turn=red card=grass phase=post"
    board = f"kb1 map={'/'.join(rows)} locations=farm@k14 cards=fishermen"
    assert chosen(position(rest, board), seeds=40) == {f"city_hall:{c}12" for c in "jkl"}


def gain_of(start, action):
    """Return the gold of an action for who makes it, a tile counted as five."""
    current = start.copy()
    apply_action(current, action)
    worth = []
    for moment in (start, current):
        fields = moment.fields()
        tiles = len(fields["seats"][start.actor]["held"]) + len(fields["gone"])
        worth.append(moment.scores()[start.actor] + 5 * tiles)
    return worth[1] - worth[0]


def test_greedy_takes_the_best_of_all_actions_and_nothing_without_a_gain():
    openings = ("choose:", "bazaar:", "outpost", "fort")
    idle = ("end", "stop", "pass:")
    met = Counter()
    for number, start in enumerate(random_positions(45, share=0.03)):
        actions = [] if start.fields()["lift"] else legal_actions(start)
        if not actions or any(action.startswith(openings) for action in actions):
            continue
        gains = {action: gain_of(start, action) for action in actions}
        busy = {action: gain for action, gain in gains.items() if not action.startswith(idle)}
        first = format_step(
            start, make_bot("greedy").choose(View(start.copy(), start.actor, number))
        )
        if not first.startswith(idle):
            best = max(gain for action, gain in busy.items() if action.startswith(first))
            met["gain" if best > 0 else "forced"] += 1
            met["move"] += first.endswith("-")
            if best > 0:
                assert best == max(busy.values())
            else:
                assert max(busy.values()) <= 0 and len(busy) == len(gains)
        else:
            met["idle"] += 1
            assert max(busy.values(), default=0) <= 0
    assert met["gain"] > 80 and min(met["forced"], met["move"], met["idle"]) > 10, met


@pytest.mark.slow
def test_greedy_ends_every_game_of_all_sets_and_beats_random():
    greedy, other = make_bot("greedy"), make_bot("random")
    wins = []
    for seed, start in random_starts(27):
        own = seed % start.board.seats
        players = {seat: greedy if seat == own else other for seat in range(start.board.seats)}
        played = play(
            start, Deal(start, seed), lambda view, p=players: p[view.seat].choose(view), seed=seed
        )
        assert played.is_over
        gold = played.final.scores()
        wins.append(gold[own] == max(gold))
    assert sum(wins) >= 22


def test_the_python_bot_of_the_manual_works(monkeypatch):
    page = DOCS / "bots.md"
    code = page.read_text("utf-8").partition("```python\nfrom kbai.bots")[2].partition("```\n")[0]
    names = {}
    exec(f"from kbai.bots{code}", names)
    monkeypatch.setitem(registry._KINDS, "last", names["LAST"])
    start = position("red=- blue=- turn=red card=flower")
    assert make_bot("last").choose(View(start, 0, 0)) == start.legal()[-1]
    assert make_bot("last:back=2").choose(View(start, 0, 0)) == start.legal()[-2]
