"""Check that reviews say what they should; docs/strength.md has what came out.

    python scripts/review_checks.py bad [--games 20]       are bad turns marked?
    python scripts/review_checks.py strong [--games 10]    are good turns left alone?
    python scripts/review_checks.py truth [--games 20]     are losses what games say they are?
    python scripts/review_checks.py luck [--games 100]     is luck 0 in the mean, and worth knowing?
    python scripts/review_checks.py cards [--games 60]     is it what games say of the cards?
    python scripts/review_checks.py rest [--games 20]      does the rest fit into its interval?
    python scripts/review_checks.py agree [--games 50]     do suggestions say the same?
    python scripts/review_checks.py bounds [--games 100]   is all of it between 0 and 100 %?

Games are played by --bot against itself from --first-seed on, on two seats of the base game unless
--seats and --sets say otherwise. `bad` replaces one turn of each game: of the turns that a deep
search lists, one that costs more than 5 points of win probability by searches of eight times the
visits; with --by-games also by games that mcts:visits=4000 plays on from there and from the best
turn, with the same cards for both. `truth` takes the turns that a review says cost 3 points or
more, and has games played from where they led and from where the best turn found leads, with the
same cards for both. `cards` has games played from one draw of each game with every card that could
have come. `agree` compares a turn of each game with what `kbai suggest` says of it, with the visits
of the review and with ten times as many, and the other way round. `bounds` reviews games of 2 to 5
seats in turn, every other five with all sets. --rollouts is how many games are played on from a
turn at most, by default as in `kbai review`; 0 is none.
"""

import argparse
import math
import random
import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from self_play import add_options, each, play_game, play_on, positive, run

from kbai._fast import Position
from kbai.compute.pools import threads
from kbai.core.intervals import Estimate, mean_estimate, wilson_interval
from kbai.core.means import QUANTILE
from kbai.core.points import points_of
from kbai.core.seeds import derive_seed
from kbai.core.uncertainty import Measured, mean_of
from kbai.game.steps import end_of, is_same_decision
from kbai.notation.games import Game, record_game
from kbai.review.cards import Cards
from kbai.review.games import judge_with_games
from kbai.review.judge import mark_of
from kbai.review.looks import measured
from kbai.review.odds import scaled
from kbai.review.plan import Part, ReviewOptions, TurnTasks, parts_of, plan_review
from kbai.review.results import MARKS, Review, SeatSummary, TurnReview
from kbai.review.run import run_reviews
from kbai.review.searches import PARAMS
from kbai.search.branches import branches
from kbai.search.evaluate import Value, chances, cost, evaluate, evenness
from kbai.search.params import Limit
from kbai.search.suggest import suggest

# Points of win probability that a bad turn costs at least, how deep that is looked at, how many
# games from either position have to say so, too, and who plays them.
BAD = 0.05
DEEP = 8
BAD_GAMES = 32
BAD_BOT = "mcts:visits=4000"
# How many of the turns of a list are tried for a bad one.
TRIED = 6
# The losses that games are played about, how many from either position, and by whom.
LEAST_LOSS = 0.03
TRUE_GAMES = 64
TRUE_BOT = "mcts:visits=500"
# Losses are compared with games in bins, of which these are the ends.
BINS = (LEAST_LOSS, 0.06, 0.12, 0.2, 1.0)
# How often games are drawn anew for an interval.
RESAMPLES = 1000
BOTS = {
    "bad": "mcts:visits=1000",
    "strong": "mcts:visits=16000",
    "truth": "mcts:visits=1000",
    "luck": "mcts:visits=1000",
    "cards": "mcts:visits=500",
    "rest": "mcts:visits=1000",
    "agree": "mcts:visits=400",
    "bounds": "mcts:visits=50",
}
GAMES = {"bad": 20, "strong": 10, "truth": 20, "luck": 100, "cards": 60, "rest": 20, "agree": 50,
         "bounds": 100}  # fmt: skip
VISITS = {"rest": 1000, "bounds": 100}


def game_of(args: argparse.Namespace, seed: int) -> Game:
    """Return a game of the bot against itself."""
    start, played = play_game(args, seed)
    return record_game(start, played.steps)


def turn_tasks(
    args: argparse.Namespace, game: Game, turns: range | None = None
) -> Sequence[TurnTasks]:
    """Return the searches of a review."""
    return plan_review("", game, options_of(args, turns)).turns


def options_of(args: argparse.Namespace, turns: range | None = None) -> ReviewOptions:
    return ReviewOptions(Limit(args.visits), args.seed, turns, games=args.rollouts)


def reviewed(args: argparse.Namespace, turn: TurnTasks) -> TurnReview:
    """Return what a review says of a turn."""
    answers = {task.id: task.run() for task in turn.tasks()}
    options = options_of(args)
    found, task = judge_with_games(turn, answers, options)
    while task is not None:
        answers[task.id] = task.run()
        found, task = judge_with_games(turn, answers, options)
    return found.review


def percent(estimate: Estimate) -> str:
    half = (estimate.high - estimate.low) / 2
    return f"{100 * estimate.value:+.1f} +/- {100 * half:.1f}"


# --- bad turns ----------------------------------------------------------------------------------


class Spoiled(NamedTuple):
    """A game up to a bad turn in the place of one of its turns."""

    game: Game
    number: int
    loss: float
    """At least, by searches ..."""
    played: float | None
    """... and by games, in the mean, if they were asked."""


def spoil(args: argparse.Namespace, game: Game, seed: int) -> Spoiled | None:
    parts = [part for part in parts_of(game) if not part.part]
    generator = random.Random(seed)
    generator.shuffle(parts)
    for part in parts:
        limit = Limit(DEEP * args.visits // 2)
        best, *others = suggest(part.position, limit, seed=seed, params=PARAMS, top=40).turns
        generator.shuffle(others)
        worth = deep_worth(part, best.steps, args, seed)
        for choice in others[:TRIED] if worth else []:
            bad = deep_worth(part, choice.steps, args, seed)
            loss = cost(worth, bad, part.seat).win.estimate().low if bad else 0.0
            played = None
            if loss > BAD and args.by_games:
                ends = (end_of(part.position, steps) for steps in (best.steps, choice.steps))
                played = true_cost(*ends, part.seat, games=BAD_GAMES, bot=BAD_BOT)[0].estimate()
            if loss > BAD and (played is None or played.low > BAD):
                before = [step for each in parts_of(game) if each.number < part.number
                          for step in (*each.draws, *each.played)]  # fmt: skip
                steps = [*before, *part.draws, *choice.steps]
                game = record_game(game.start, steps)
                return Spoiled(game, part.number, loss, played.value if played else None)
    return None


def deep_worth(
    part: Part, steps: tuple[int, ...], args: argparse.Namespace, seed: int
) -> Value | None:
    """Return what a turn leads to by deep searches, or None if it is not a whole turn."""
    end = end_of(part.position, steps)
    if is_same_decision(part.position, steps, end):
        return None
    limit = Limit(DEEP * args.visits)
    return evaluate(end, part.seat, limit, derive_seed(seed, "deep"), params=PARAMS)


def bad_turn(args: argparse.Namespace, seed: int) -> tuple[int, Spoiled | None, Estimate]:
    """Return what a review says of a bad turn."""
    found = spoil(args, game_of(args, seed), seed)
    if found is None:
        return seed, None, Estimate(0, 0, 0)
    (turn,) = turn_tasks(args, found.game, range(found.number, found.number + 1))
    return seed, found, reviewed(args, turn).loss.win


def check_bad(args: argparse.Namespace) -> bool:
    marked = tried = 0
    for seed, spoiled, seen in each(args, bad_turn):
        if spoiled is None:
            print(f"game {seed}: no turn to spoil")
            continue
        tried += 1
        marked += bool(mark_of(seen))
        also = "" if spoiled.played is None else f", in games {100 * spoiled.played:.1f}"
        print(f"game {seed}, turn {spoiled.number}: costs {100 * spoiled.loss:.1f} at least{also}; "
              f"found {percent(seen)} {mark_of(seen) or '-'}", flush=True)  # fmt: skip
    print(f"{marked} of {tried} bad turns are marked")
    return 10 * marked >= 9 * tried


# --- good turns ---------------------------------------------------------------------------------


def losses_in(args: argparse.Namespace, seed: int) -> tuple[int, list[tuple[int, Estimate]]]:
    """Return what each turn of a game cost."""
    game = game_of(args, seed)
    turns = turn_tasks(args, game)
    return seed, [(turn.part.number, reviewed(args, turn).loss.win) for turn in turns]


def check_strong(args: argparse.Namespace) -> bool:
    losses: list[Estimate] = []
    for seed, turns in each(args, losses_in):
        for number, loss in turns:
            losses.append(loss)
            if mark_of(loss):
                print(f"game {seed}, turn {number}: {percent(loss)} {mark_of(loss)}", flush=True)
    counts = [sum(mark_of(loss) == mark for loss in losses) for mark, _ in MARKS]
    share = sum(counts) / len(losses)
    low, high = wilson_interval(share, len(losses), 1.96)
    print(f"{len(losses)} turns, {sum(not loss.value for loss in losses)} of them the best found; "
          f"marked {', '.join(f'{n} {mark}' for n, (mark, _) in zip(counts, MARKS, strict=True))}: "
          f"{100 * share:.1f} % ({100 * low:.1f}-{100 * high:.1f})")  # fmt: skip
    return share < 0.03


# --- losses and games ---------------------------------------------------------------------------


class Doubt(NamedTuple):
    """A loss as a review has it, and as games have it."""

    turn: int
    found: Measured
    true: Measured
    room: float
    """What the square of a misjudgement is to be divided by."""


def doubts_in(args: argparse.Namespace, seed: int) -> tuple[int, list[tuple[Doubt, Doubt]]]:
    """Return what turns of a game cost that cost enough, in win probability and in gold."""
    doubts = []
    for turn in turn_tasks(args, game_of(args, seed)):
        found, part = reviewed(args, turn), turn.part
        if found.is_exact or found.loss.win.value < LEAST_LOSS:
            continue
        points, gold = true_cost(
            end_of(part.position, found.best.steps), turn.best.played, part.seat
        )
        chance = found.best.seats[part.seat].win.value - found.loss.win.value / 2
        doubts.append((
            Doubt(part.number, measured(found.loss.win), points, evenness(chance)),
            Doubt(part.number, measured(found.loss.gold), gold, 1.0),
        ))  # fmt: skip
    return seed, doubts


def true_cost(
    best: Position, played: Position, seat: int, games: int = TRUE_GAMES, bot: str = TRUE_BOT
) -> tuple[Measured, Measured]:
    """Return what games say that the one is worth more than the other: points and gold."""
    points, gold = [], []
    for number in range(games):
        one, other = (finish(position, number, bot) for position in (best, played))
        points.append(points_of(one)[seat] - points_of(other)[seat])
        gold.append(float(one[seat] - other[seat]))
    return mean_of(points), mean_of(gold)


def finish(position: Position, number: int, bot: str = TRUE_BOT) -> tuple[int, ...]:
    """Return the gold by seat of a game from here on; the cards depend on its number alone."""
    end = position.copy()
    if not end.is_over:
        end = play_on(end, bot, derive_seed(number, "cards"), number).final
    return tuple(end.scores())


def check_truth(args: argparse.Namespace) -> bool:
    wins: list[Doubt] = []
    golds: list[Doubt] = []
    for seed, doubts in each(args, doubts_in):
        for win, gold in doubts:
            wins.append(win)
            golds.append(gold)
            print(f"game {seed}, turn {win.turn}: {percent(win.found.estimate())}, by games "
                  f"{percent(win.true.estimate())}; gold {gold.found.value:+.1f}, by games "
                  f"{gold.true.value:+.1f}", flush=True)  # fmt: skip
    for low, high in zip(BINS, BINS[1:], strict=False):
        tell_doubts(f"{low:g} to {high:g}", [row for row in wins if low <= row.found.value < high])
    tell_doubts("gold", golds)
    return tell_doubts("all", wins)


def tell_doubts(name: str, rows: Sequence[Doubt]) -> bool:
    """Print how losses compare with games; return whether they are the same in the mean."""
    if len(rows) < 2:
        return False
    gap = mean_estimate([row.true.value - row.found.value for row in rows])
    spread = sum((row.true.value - row.found.value) ** 2 - row.true.variance for row in rows)
    misjudged = math.sqrt(max(spread, 0.0) / sum(row.room for row in rows))
    inside = sum(
        abs(row.true.value - row.found.value)
        <= QUANTILE * math.sqrt(row.true.variance + row.found.variance)
        for row in rows
    )
    print(f"{name}: {len(rows)} losses of {statistics.fmean(row.found.value for row in rows):.3f} "
          f"in the mean, by games {statistics.fmean(row.true.value for row in rows):.3f}, a "
          f"difference of {gap.value:+.3f} ({gap.low:+.3f} to {gap.high:+.3f}); "
          f"one is misjudged by {misjudged:.3f}; "
          f"{inside} agree within their intervals")  # fmt: skip
    return gap.low <= 0 <= gap.high


# --- luck ---------------------------------------------------------------------------------------


class Luck(NamedTuple):
    """What the cards of a game changed, by seat, beside how it ended."""

    seats: tuple[tuple[float, float], ...]
    """In win probability and gold."""
    adjusted: tuple[float, ...]
    """The results without luck."""
    golds: tuple[int, ...]


def luck_in(args: argparse.Namespace, seed: int) -> Luck:
    """Return the luck of a game alone, which takes less time than a whole review."""
    game = game_of(args, seed)
    sums = [[0.0, 0.0, 0.0] for _ in range(args.seats)]
    turns = turn_tasks(args, game)
    for turn in turns:
        if turn.cards is None:
            continue
        cards = Cards.of(turn.part, turn.cards.run())
        for seat, luck in enumerate(sums):
            luck[0] += cards.luck_in(seat, lambda sample: sample.wins).value
            luck[1] += cards.luck_in(seat, lambda sample: sample.gold).value
            luck[2] += cards.luck_odds(seat).value
    result = Value.from_payload(turns[-1].after.run()).samples[0].wins
    adjusted = scaled([
        chance * math.exp(-odds) for chance, (*_, odds) in zip(result, sums, strict=True)
    ])  # fmt: skip
    golds = tuple(game.final_position().scores())
    return Luck(tuple((win, gold) for win, gold, _ in sums), adjusted, golds)


def check_luck(args: argparse.Namespace) -> bool:
    found = list(each(args, luck_in))
    is_good = True
    for seat in range(args.seats):
        win = mean_estimate([game.seats[seat][0] for game in found])
        gold = mean_estimate([game.seats[seat][1] for game in found])
        is_good &= win.low <= 0 <= win.high and gold.low <= 0 <= gold.high
        print(f"seat {seat + 1}: mean luck {percent(win)} %, {gold.value:+.2f} +/- "
              f"{(gold.high - gold.low) / 2:.2f} gold")  # fmt: skip
    wins = [points_of(game.golds)[0] for game in found]
    lucks = [game.seats[0][0] for game in found]
    rest = [game.adjusted[0] for game in found]
    factor = statistics.variance(wins) / statistics.variance(rest)
    slope = statistics.linear_regression(lucks, wins).slope
    print(f"a point of luck is worth {slope:.2f} points of the result")
    print(f"results {statistics.fmean(wins):.3f} in the mean, without luck "
          f"{statistics.fmean(rest):.3f}")  # fmt: skip
    print(f"variance of results {statistics.variance(wins):.4f}, without luck "
          f"{statistics.variance(rest):.4f}: {factor:.2f} times{span(wins, rest)}")  # fmt: skip
    margins = [ahead(game.golds) for game in found]
    clean = [margin - ahead(gold for _, gold in game.seats)
             for margin, game in zip(margins, found, strict=True)]  # fmt: skip
    print(f"variance of the margin in gold {statistics.variance(margins):.1f}, without luck "
          f"{statistics.variance(clean):.1f}: "
          f"{statistics.variance(margins) / statistics.variance(clean):.2f} times"
          f"{span(margins, clean)}")  # fmt: skip
    return is_good and factor >= 2


def ahead(gold: Iterable[float]) -> float:
    """Return what the first seat has more than the others have in the mean."""
    first, *others = gold
    return first - statistics.fmean(others)


def span(raw: Sequence[float], clean: Sequence[float]) -> str:
    """Return the interval of a factor between variances at 95 %, by drawing games anew."""
    generator = random.Random(1)
    pairs = list(zip(raw, clean, strict=True))
    factors = []
    for _ in range(RESAMPLES):
        one, other = zip(*generator.choices(pairs, k=len(pairs)), strict=True)
        spread = statistics.variance(other)
        factors.append(statistics.variance(one) / spread if spread else math.inf)
    factors.sort()
    edge = RESAMPLES // 40
    return f" ({factors[edge]:.2f} to {factors[-1 - edge]:.2f})"


# --- the luck of single cards -------------------------------------------------------------------


class Draw(NamedTuple):
    """One draw of a game: variances over the cards that may come, of the first seat's chance."""

    draws: int
    """Of its game, of which it is one."""
    true: float
    """By games; their noise is taken off."""
    found: float
    both: float
    """The covariance of the two."""


def draw_in(args: argparse.Namespace, seed: int) -> Draw:
    """Return what a review and what games say of the cards of one draw."""
    drawn = [turn for turn in turn_tasks(args, game_of(args, seed)) if turn.cards]
    turn = random.Random(seed).choice(drawn)
    assert turn.cards is not None
    values = [Value.from_payload(value) for value in turn.cards.run()["values"]]
    found = [statistics.fmean(row) for row in chances(values, 0)]
    cards = branches(turn.part.before)
    odds = [card.odds for card in cards]
    games = [[points_of(finish(card.position, number, args.bot))[0]
              for number in range(TRUE_GAMES)] for card in cards]  # fmt: skip
    means = [statistics.fmean(row) for row in games]
    return Draw(
        len(drawn),
        spread(odds, means, means) - noise_of_means(games) * (1 - math.fsum(p * p for p in odds)),
        spread(odds, found, found),
        spread(odds, found, means),
    )


def spread(odds: Sequence[float], one: Sequence[float], other: Sequence[float]) -> float:
    """Return the covariance of two values of each card."""
    centre = [math.fsum(p * x for p, x in zip(odds, row, strict=True)) for row in (one, other)]
    return math.fsum(
        p * (x - centre[0]) * (y - centre[1]) for p, x, y in zip(odds, one, other, strict=True)
    )


def noise_of_means(games: Sequence[Sequence[float]]) -> float:
    """Return the variance of a mean of games that have their cards in common with other means."""
    columns = [statistics.fmean(column) for column in zip(*games, strict=True)]
    total = statistics.fmean(columns)
    squares = math.fsum(
        (x - statistics.fmean(row) - column + total) ** 2
        for row in games
        for x, column in zip(row, columns, strict=True)
    )
    return squares / ((len(games) - 1) * (len(columns) - 1)) / len(columns)


def check_cards(args: argparse.Namespace) -> bool:
    draws = list(each(args, draw_in))
    in_a_game = statistics.fmean(draw.draws for draw in draws)
    for name, values in (
        ("by games", [draw.true for draw in draws]),
        ("by reviews", [draw.found for draw in draws]),
        ("common to both", [draw.both for draw in draws]),
        ("what reviews misjudge", [draw.true - 2 * draw.both + draw.found for draw in draws]),
    ):
        mean = mean_estimate(values)
        print(f"variance that all cards of a game bring, {name}: {in_a_game * mean.value:.3f} +/- "
              f"{in_a_game * (mean.high - mean.low) / 2:.3f}")  # fmt: skip
    # What is found and not common to both is no luck.
    false = mean_estimate([draw.found - draw.both for draw in draws])
    return false.low <= 0 <= false.high


# --- the rest -----------------------------------------------------------------------------------


def review_of(args: argparse.Namespace, seed: int) -> Review:
    """Return the review of a game."""
    found: list[Review] = []
    plan = plan_review("", game_of(args, seed), options_of(args))
    run_reviews([plan], workers=threads(1), known={}, keep=lambda id, answer: None,
                on_review=found.append)  # fmt: skip
    return found[0]


class Rest(NamedTuple):
    """What is left open of a seat's result, and what that is made of."""

    seat: int
    rest: Estimate
    noise: float
    """Variance that the noise of searches gives it."""
    room: float
    """What the square of the misfit of a turn is multiplied by in it."""


def rests_in(args: argparse.Namespace, seed: int) -> tuple[int, dict[str, list[Rest]]]:
    """Return the rests of a game, in win probability and in gold."""
    found = review_of(args, seed)
    rests: dict[str, list[Rest]] = {"win": [], "gold": []}
    for summary in found.seats:
        assert summary.rest is not None
        for side, rows in rests.items():
            rest = getattr(summary.rest, side)
            rows.append(
                Rest(summary.seat, rest, noise_of(summary, side), room(found, summary, side))
            )
    return seed, rests


def check_rest(args: argparse.Namespace) -> bool:
    all_rests: dict[str, list[Rest]] = {"win": [], "gold": []}
    for seed, rests in each(args, rests_in):
        for side, rows in rests.items():
            all_rests[side] += rows
        for win, gold in zip(*rests.values(), strict=True):
            half = gold.rest.high - gold.rest.value
            print(f"game {seed}, seat {win.seat + 1}: {percent(win.rest)} %, "
                  f"{gold.rest.value:+.1f} +/- {half:.1f} gold", flush=True)  # fmt: skip
    every = [row.rest for rows in all_rests.values() for row in rows]
    inside = sum(rest.low <= 0 <= rest.high for rest in every)
    print(f"{inside} of {len(every)} rests are within their interval of 0")
    for side, rows in all_rests.items():
        squares = statistics.fmean(row.rest.value**2 for row in rows)
        noise = statistics.fmean(row.noise for row in rows)
        misfit = max(squares - noise, 0.0) / statistics.fmean(row.room for row in rows)
        print(f"{side}: mean rest {statistics.fmean(row.rest.value for row in rows):+.3f}, root of "
              f"its mean square {squares**0.5:.3f}, of that noise {noise**0.5:.3f}; misfit of a "
              f"turn {misfit**0.5:.3f}")  # fmt: skip
    return inside >= 0.95 * len(every)


def noise_of(summary: SeatSummary, side: str) -> float:
    parts = (getattr(getattr(summary, name), side) for name in ("start", "luck", "loss", "gain"))
    return sum(((part.high - part.low) / 2 / QUANTILE) ** 2 for part in parts)


def room(review: Review, summary: SeatSummary, side: str) -> float:
    if side == "gold":
        return len(review.turns)
    return sum(evenness(turn.outlooks[summary.seat].win.value) for turn in review.turns)


# --- agreement with suggestions -----------------------------------------------------------------


def looks_at(args: argparse.Namespace, seed: int) -> dict[str, tuple[Estimate, Estimate]]:
    """Return what reviews and suggestions say of a turn chosen at random, by their visits."""
    game = game_of(args, seed)
    number = random.Random(derive_seed(seed, "turn")).choice(
        [part.number for part in parts_of(game)]
    )
    few, many = args.visits, 10 * args.visits
    reviews, suggestions = {}, {}
    for visits in (few, many):
        wanted = argparse.Namespace(**{**vars(args), "visits": visits})
        turn = turn_tasks(wanted, game, range(number, number + 1))[0]
        review = reviewed(wanted, turn)
        reviews[visits] = review.best.seats[review.seat].win
        found = suggest(turn.part.position, Limit(visits), seed=derive_seed(seed, "suggest"))
        suggestions[visits] = found.turns[0].seats[review.seat].win
    return {
        f"suggestion {one}, review {other}": (suggestions[one], reviews[other])
        for one, other in ((few, few), (few, many), (many, few), (many, many))
    }


def check_agree(args: argparse.Namespace) -> bool:
    found = list(each(args, looks_at))
    is_good = True
    for name in found[0]:
        pairs = [row[name] for row in found]
        overlap = sum(one.low <= other.high and other.low <= one.high for one, other in pairs)
        gap = statistics.fmean(abs(one.value - other.value) for one, other in pairs)
        print(f"{name}: {overlap} of {len(pairs)} intervals overlap; they differ by "
              f"{100 * gap:.1f} points in the mean")  # fmt: skip
        is_good &= overlap >= 0.94 * len(pairs)
    return is_good


# --- bounds -------------------------------------------------------------------------------------


class Bounds(NamedTuple):
    """What of a game lies outside of what is possible."""

    turns: int
    games: int
    losses: int
    """More than there was to lose."""
    chances: int
    results: int


def bounds_in(args: argparse.Namespace, seed: int) -> Bounds:
    sets = "all" if seed // 4 % 2 else "base"
    review = review_of(
        argparse.Namespace(**{**vars(args), "seats": 2 + seed % 4, "sets": sets}), seed
    )
    losses = chances = 0
    for turn in review.turns:
        there = [outlook.win.value + luck.win.value
                 for outlook, luck in zip(turn.outlooks, turn.luck, strict=True)]  # fmt: skip
        after = [chance - cost.win.value for chance, cost in zip(there, turn.costs, strict=True)]
        losses += turn.loss.win.high > there[turn.seat] + 1e-9
        chances += not all(map(is_chance, (*there, *after)))
        chances += not all(is_chance(end) for outlook in turn.outlooks
                           for end in (outlook.win.low, outlook.win.high))  # fmt: skip
    results = [summary.adjusted.win for summary in review.seats]
    outside = sum(not (is_chance(each.low) and is_chance(each.high)) for each in results)
    outside += abs(sum(each.value for each in results) - 1) > 1e-9
    return Bounds(len(review.turns), review.games, losses, chances, outside)


def is_chance(number: float) -> bool:
    return -1e-9 <= number <= 1 + 1e-9


def check_bounds(args: argparse.Namespace) -> bool:
    found = list(each(args, bounds_in))
    turns, games, losses, chances, results = map(sum, zip(*found, strict=True))
    print(f"{len(found)} games, {turns} turns, {games} games played on: {losses} losses above what "
          f"there was, {chances} turns and {results} results outside 0 to 100 %")  # fmt: skip
    return losses == chances == results == 0


CHECKS = {
    "agree": check_agree,
    "bounds": check_bounds,
    "bad": check_bad,
    "strong": check_strong,
    "truth": check_truth,
    "luck": check_luck,
    "cards": check_cards,
    "rest": check_rest,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("check", choices=CHECKS)
    add_options(parser)
    parser.add_argument("--visits", type=positive, help="of a review")
    parser.add_argument("--seed", type=int, default=1, help="of the reviews")
    parser.add_argument("--rollouts", type=int, help="games from a turn at most")
    parser.add_argument("--by-games", action="store_true", help="ask games what a bad turn is")
    args = parser.parse_args()
    args.games = args.games or GAMES[args.check]
    args.bot = args.bot or BOTS[args.check]
    args.visits = args.visits or VISITS.get(args.check, 4000)
    print(f"{args.games} games of {args.bot}, {args.seats} seats, {args.sets}; "
          f"{args.visits} visits a turn", flush=True)  # fmt: skip
    return 0 if CHECKS[args.check](args) else 1


if __name__ == "__main__":
    run(main)
