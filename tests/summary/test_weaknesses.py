"""A summary names the weakness that is there, and none that is not."""

import importlib.util
import sys
from dataclasses import replace

import pytest
from places import ROOT
from summaries import lose_more, made_up_games

from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bots.specs import make_bot
from kbai.compute.pools import threads
from kbai.game.setup import Setup
from kbai.notation.games import record_game
from kbai.review.plan import ReviewOptions, plan_review
from kbai.review.run import run_reviews
from kbai.search.params import Limit
from kbai.summary.facts import Phase, TileUse, facts_of
from kbai.summary.results import Kind
from kbai.summary.summarize import summarize


def summary_of(games, player="Ann"):
    return summarize(games, player, limit=Limit(16), seed=1)


def found(games, player="Ann"):
    return {(each.kind, each.name) for each in summary_of(games, player).findings}


def no_tiles(turn, cards):
    return replace(turn, tiles={"farm": TileUse(1, 0, 1)})


def no_farmers(turn, cards):
    if "farmers" not in cards:
        return turn
    return replace(turn, sources=turn.sources | {"farmers": turn.sources["farmers"] + 2})


def bad_opening(turn, cards):
    return lose_more(turn, 0.06) if turn.phase is Phase.OPENING else turn


def small_turns(turn, cards):
    return replace(turn, built=(3, 4))


@pytest.mark.parametrize(
    "weakness, finding",
    [
        (no_tiles, (Kind.TILES, "all tiles")),
        (no_farmers, (Kind.CARD, "farmers")),
        (bad_opening, (Kind.PHASE, "opening")),
        (small_turns, (Kind.SETTLEMENTS, "settlements")),
    ],
)
def test_the_weakness_is_named(weakness, finding):
    games = made_up_games(30, weakness=weakness)
    names = found(games)
    assert finding in names
    assert {kind for kind, _ in names} <= {finding[0], Kind.TILE}
    assert not found(games, "Ben")


def test_players_who_play_alike_have_no_weakness():
    alarms = [seed for seed in range(20) if found(made_up_games(16, seed))]
    assert len(alarms) <= 4  # three families at 2.5 % each


def test_one_who_loses_everywhere_is_told_no_list_of_cards():
    def everywhere(turn, cards):
        worse = {name: gold + 1.5 for name, gold in turn.sources.items()}
        return replace(lose_more(turn, 0.05), sources=worse)

    games = made_up_games(30, weakness=everywhere)
    assert not found(games)
    loss = summary_of(games).loss
    assert loss.more.low > 0.03


def test_what_unused_tiles_cost_is_no_weakness_with_a_card():
    def careless(turn, cards):
        return no_farmers(no_tiles(turn, cards), cards)

    kinds = {kind for kind, _ in found(made_up_games(30, weakness=careless))}
    assert kinds == {Kind.TILES, Kind.TILE}


def test_a_weakness_in_some_games_only_is_named():
    """Its gold spreads widely; that must not hide it."""

    def now_and_then(turn, cards):
        if "farmers" not in cards or cards[0] < cards[1]:
            return turn
        return replace(turn, sources=turn.sources | {"farmers": turn.sources["farmers"] + 3})

    assert found(made_up_games(30, weakness=now_and_then)) == {(Kind.CARD, "farmers")}


def test_without_others_cards_are_named_by_losses_alone():
    def careless(turn, cards):
        turn = no_farmers(turn, cards)
        return lose_more(turn, 0.04) if "farmers" in cards else turn

    games = made_up_games(30, weakness=careless)
    alone = [
        replace(game, turns=tuple(turn for turn in game.turns if turn.review.seat == 0))
        for game in games
    ]
    assert found(alone) == {(Kind.CARD, "farmers")}
    assert summary_of(alone).loss.others is None


def test_one_game_says_nothing_about_habits():
    summary = summary_of(made_up_games(1, weakness=no_tiles))
    assert not summary.findings and summary.games == 1
    assert summary.loss.own.high == float("inf")


def test_losses_of_phases_and_games_add_up():
    games = made_up_games(12, weakness=bad_opening)
    summary = summary_of(games)
    assert sum(row.share for row in summary.phases) == pytest.approx(1)
    assert sum(row.turns for row in summary.phases) == summary.turns == 12 * 9
    total = sum(row.loss * row.turns for row in summary.history)
    assert total == pytest.approx(summary.loss.own.value * summary.turns)
    assert summary.loss_per_game == pytest.approx(total / 12)
    assert len(summary.worst) == 10
    losses = [worst.turn.loss for worst in summary.worst]
    assert losses == sorted(losses, reverse=True)


def test_a_bot_against_itself_has_nobody_to_be_compared_with():
    games = [replace(game, players=("mcts", "mcts")) for game in made_up_games(5)]
    summary = summary_of(games, "mcts")
    assert summary.turns == 5 * 18 and summary.loss.others is None


# --- real games ---------------------------------------------------------------------------------


def weak_bot(name):
    """Return one of the bots of scripts/weak_bots.py, that thinks as little as a test can wait."""
    path = ROOT / "scripts" / "weak_bots.py"
    spec = importlib.util.spec_from_file_location("weak_bots_of_the_tests", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    bot = getattr(module, name)()
    bot.limit = Limit(30)
    bot.begin()
    return bot


def played(seed, bots):
    start = Setup.random(seed, seats=2).start_position()
    game = play(start, Deal(start, seed), lambda view: bots[view.seat].choose(view), seed=seed)
    return record_game(start, game.steps, header=[("Players", "weak, strong")])


@pytest.mark.slow
def test_a_bot_that_never_uses_tiles_is_told_to_use_them():
    bots = [weak_bot("NoTiles"), make_bot("mcts:visits=30")]
    options = ReviewOptions(Limit(16), turns=range(5, 11))
    plans = [plan_review(f"game {seed}", played(seed, bots), options) for seed in range(10)]
    facts = []
    run_reviews(
        plans,
        workers=threads(1),
        known={},
        keep=lambda id, answer: None,
        on_review=lambda review: facts.append(facts_of(review)),
    )
    summary = summary_of(facts, "weak")
    assert (Kind.TILES, "all tiles") == (summary.findings[0].kind, summary.findings[0].name)
    assert summary.tiles[0].played == 0
    assert summary.loss.more.value > 0
    assert Kind.TILES not in {each.kind for each in summary_of(facts, "strong").findings}
