"""Check that reviews say what they should; docs/review.md has what came out.

    python scripts/review_checks.py bad [--games 20]       are bad turns marked?
    python scripts/review_checks.py strong [--games 10]    are good turns left alone?
    python scripts/review_checks.py luck [--games 100]     is luck 0 in the mean, and worth knowing?
    python scripts/review_checks.py rest [--games 20]      does the rest fit into its interval?

Games are played by --bot against itself from --first-seed on, on two seats of the base game unless
--seats and --sets say otherwise. `bad` replaces one turn of each game: of the turns that a deep
search lists, one that costs more than 5 points of win probability by searches of eight times
the visits.
"""

import argparse
import math
import random
import statistics
import sys
from collections.abc import Sequence

from tqdm import tqdm

from kbai import parallel
from kbai._fast import Position
from kbai.bots import make_bot
from kbai.deals import Deal, play
from kbai.lookups import PARAMS
from kbai.notation import advance
from kbai.record import Game, record_game
from kbai.review import MARKS, Review, SeatSummary
from kbai.reviewing import (
    Errand,
    Part,
    Wish,
    luck_of,
    mark_of,
    parts_of,
    plan_review,
    run_reviews,
)
from kbai.search import QUANTILE, Limit, suggest
from kbai.seeds import derive_seed
from kbai.stats import Estimate, mean_estimate, wilson_interval
from kbai.stats import Game as Result
from kbai.table import Setup
from kbai.valuation import Value, cost, evaluate, is_part_over

# Points of win probability that a bad turn costs at least, and how deep that is looked at.
BAD = 0.05
DEEP = 8
# How often games are drawn anew for an interval.
RESAMPLES = 1000
BOTS = {
    "bad": "mcts:visits=1000",
    "strong": "mcts:visits=16000",
    "luck": "mcts:visits=1000",
    "rest": "mcts:visits=1000",
}
GAMES = {"bad": 20, "strong": 10, "luck": 100, "rest": 20}
VISITS = {"bad": 4000, "strong": 4000, "luck": 2000, "rest": 1000}


def play_game(args: argparse.Namespace, seed: int) -> Game:
    """Return a game of the bot against itself."""
    setup = Setup.random(seed, seats=args.seats, sets=tuple(args.sets.split(",")))
    start = Position(setup.kernel_board, setup.start)
    bots = [make_bot(args.bot) for _ in range(args.seats)]
    deal = Deal(start, derive_seed(seed, "cards"))
    played = play(start, deal, lambda view: bots[view.seat].choose(view), seed=seed)
    return record_game(start, played.steps)


def games(args: argparse.Namespace):
    """Yield the games, with their seeds."""
    seeds = range(args.first_seed, args.first_seed + args.games)
    for seed in tqdm(seeds, unit="game", disable=None):
        yield seed, play_game(args, seed)


def review(args: argparse.Namespace, game: Game) -> Review:
    """Review a game."""
    found: list[Review] = []
    plan = plan_review("", game, Wish(Limit(args.visits), args.seed))
    run_reviews([plan], workers=parallel.threads(1), known={}, keep=lambda id, answer: None,
                on_review=found.append)  # fmt: skip
    return found[0]


def percent(estimate: Estimate) -> str:
    half = (estimate.high - estimate.low) / 2
    return f"{100 * estimate.value:+.1f} +/- {100 * half:.1f}"


def spoiled(args: argparse.Namespace, game: Game, seed: int) -> tuple[Game, int, float] | None:
    """Return the game up to a bad turn in the place of one of its turns, its number and cost."""
    parts = [part for part in parts_of(game) if not part.part]
    generator = random.Random(seed)
    generator.shuffle(parts)
    for part in parts:
        limit = Limit(DEEP * args.visits // 2)
        best, *others = suggest(part.position, limit, seed=seed, params=PARAMS, top=40).turns
        generator.shuffle(others)
        worth = deep_worth(part, best.steps, args, seed)
        for choice in others[:6] if worth else []:
            bad = deep_worth(part, choice.steps, args, seed)
            loss = cost(worth, bad, part.seat).win.estimate().low if bad else 0.0
            if loss > BAD:
                before = [step for each in parts_of(game) if each.number < part.number
                          for step in (*each.draws, *each.played)]  # fmt: skip
                steps = [*before, *part.draws, *choice.steps]
                return record_game(game.start, steps), part.number, loss
    return None


def deep_worth(
    part: Part, steps: tuple[int, ...], args: argparse.Namespace, seed: int
) -> Value | None:
    """Return what a turn leads to by deep searches, or None if it is not a whole turn."""
    end = part.position.copy()
    for step in steps:
        advance(end, step)
    if not is_part_over(end, part.seat, steps[-1]):
        return None
    limit = Limit(DEEP * args.visits)
    return evaluate(end, part.seat, limit, derive_seed(seed, "deep"), params=PARAMS)


def check_bad(args: argparse.Namespace) -> bool:
    marked = tried = 0
    for seed, game in games(args):
        found = spoiled(args, game, seed)
        if found is None:
            print(f"game {seed}: no turn to spoil")
            continue
        bad, number, loss = found
        plan = plan_review("", bad, Wish(Limit(args.visits), args.seed, range(number, number + 1)))
        seen = loss_of(plan.errands[0])
        tried += 1
        marked += bool(mark_of(seen))
        print(f"game {seed}, turn {number}: costs {100 * loss:.1f} at least; found "
              f"{percent(seen)} {mark_of(seen) or '-'}", flush=True)  # fmt: skip
    print(f"{marked} of {tried} bad turns are marked")
    return 10 * marked >= 9 * tried


def loss_of(errand: Errand) -> Estimate:
    """Return what a turn cost as a review finds it, without the rest of the review."""
    values = [Value.from_payload(value) for value in errand.best.run()["values"]]
    if not values:
        return Estimate(0, 0, 0)
    loss = cost(values[0], values[1], errand.part.seat).win.estimate()
    return loss if loss.value > 0 else Estimate(0, 0, 0)


def check_strong(args: argparse.Namespace) -> bool:
    losses: list[Estimate] = []
    for seed, game in games(args):
        for errand in plan_review("", game, Wish(Limit(args.visits), args.seed)).errands:
            losses.append(loss_of(errand))
            mark = mark_of(losses[-1])
            if mark:
                print(f"game {seed}, turn {errand.part.number}: {percent(losses[-1])} {mark}",
                      flush=True)  # fmt: skip
    counts = [sum(mark_of(loss) == mark for loss in losses) for mark, _ in MARKS]
    share = sum(counts) / len(losses)
    low, high = wilson_interval(share, len(losses), 1.96)
    print(f"{len(losses)} turns, {sum(not loss.value for loss in losses)} of them the best found; "
          f"marked {', '.join(f'{n} {mark}' for n, (mark, _) in zip(counts, MARKS, strict=True))}: "
          f"{100 * share:.1f} % ({100 * low:.1f}-{100 * high:.1f})")  # fmt: skip
    return share < 0.03


def check_luck(args: argparse.Namespace) -> bool:
    """The luck alone, which takes less time than whole reviews."""
    luck: list[list[tuple[float, float]]] = []
    noise: list[float] = []
    results: list[Result] = []
    for _, game in games(args):
        plan = plan_review("", game, Wish(Limit(args.visits), args.seed))
        sums = [[0.0, 0.0] for _ in range(args.seats)]
        noise.append(0.0)
        for errand in plan.errands:
            answer = errand.cards.run() if errand.cards else None
            for seat, amount in enumerate(luck_of(errand.part, answer)):
                sums[seat][0] += amount.win.value
                sums[seat][1] += amount.gold.value
                noise[-1] += amount.win.variance if seat == 0 else 0.0
        luck.append([(win, gold) for win, gold in sums])
        results.append(Result(tuple(("", gold) for gold in game.final_position().scores())))
    is_good = True
    for seat in range(args.seats):
        win = mean_estimate([game[seat][0] for game in luck])
        gold = mean_estimate([game[seat][1] for game in luck])
        is_good &= win.low <= 0 <= win.high and gold.low <= 0 <= gold.high
        print(f"seat {seat + 1}: mean luck {percent(win)} %, {gold.value:+.2f} +/- "
              f"{(gold.high - gold.low) / 2:.2f} gold")  # fmt: skip
    wins = [result.points[0] for result in results]
    rest = [won - game[0][0] for won, game in zip(wins, luck, strict=True)]
    factor = statistics.variance(wins) / statistics.variance(rest)
    lucks = [game[0][0] for game in luck]
    slope = statistics.linear_regression(lucks, wins).slope
    real = 1 - statistics.fmean(noise) / statistics.variance(lucks)
    print(f"a point of luck is worth {slope:.2f} points of the result; {100 * (1 - real):.0f} % of "
          f"the variance of luck is noise, without it {slope / real:.2f} points")  # fmt: skip
    print(f"variance of results {statistics.variance(wins):.4f}, without luck "
          f"{statistics.variance(rest):.4f}: {factor:.2f} times{span(wins, rest)}")  # fmt: skip
    margins = [result.seats[0][1] - statistics.fmean(gold for _, gold in result.seats[1:])
               for result in results]  # fmt: skip
    clean = [margin - game[0][1] + statistics.fmean(other[1] for other in game[1:])
             for margin, game in zip(margins, luck, strict=True)]  # fmt: skip
    print(f"variance of the margin in gold {statistics.variance(margins):.1f}, without luck "
          f"{statistics.variance(clean):.1f}: "
          f"{statistics.variance(margins) / statistics.variance(clean):.2f} times"
          f"{span(margins, clean)}")  # fmt: skip
    return is_good and factor >= 2


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


def check_rest(args: argparse.Namespace) -> bool:
    inside = total = 0
    rests: dict[str, list[tuple[float, float, float]]] = {"win": [], "gold": []}
    for seed, game in games(args):
        found = review(args, game)
        for summary in found.seats:
            assert summary.rest is not None
            parts = []
            for side, scale in (("win", 100), ("gold", 1)):
                rest = getattr(summary.rest, side)
                total += 1
                inside += rest.low <= 0 <= rest.high
                half = scale * (rest.high - rest.value)
                parts.append(f"{scale * rest.value:+.1f} +/- {half:.1f}")
                rests[side].append((rest.value, noise_of(summary, side), room(found, summary, side)))
            print(f"game {seed}, seat {summary.seat + 1}: {parts[0]} %, {parts[1]} gold",
                  flush=True)  # fmt: skip
    print(f"{inside} of {total} rests are within their interval of 0")
    for side, rows in rests.items():
        values, noises, rooms = zip(*rows, strict=True)
        squares = statistics.fmean(value**2 for value in values)
        misfit = max(squares - statistics.fmean(noises), 0.0) / statistics.fmean(rooms)
        print(f"{side}: mean rest {statistics.fmean(values):+.3f}, root of its mean square "
              f"{squares**0.5:.3f}, of that noise {statistics.fmean(noises)**0.5:.3f}; "
              f"misfit of a turn {misfit**0.5:.3f}")  # fmt: skip
    return inside >= 0.95 * total


def noise_of(summary: SeatSummary, side: str) -> float:
    """Return the variance that the noise of searches gives the rest."""
    parts = (getattr(getattr(summary, name), side) for name in ("start", "luck", "loss", "gain"))
    return sum(((part.high - part.low) / 2 / QUANTILE) ** 2 for part in parts)


def room(review: Review, summary: SeatSummary, side: str) -> float:
    """Return what the square of the misfit of a turn is multiplied by in the rest of a game."""
    if side == "gold":
        return len(review.turns)
    chances = [turn.outlooks[summary.seat].win.value for turn in review.turns]
    return sum(4 * chance * (1 - chance) for chance in chances)


CHECKS = {"bad": check_bad, "strong": check_strong, "luck": check_luck, "rest": check_rest}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("check", choices=CHECKS)
    parser.add_argument("--games", type=int)
    parser.add_argument("--bot")
    parser.add_argument("--visits", type=int, help="of a review")
    parser.add_argument("--seats", type=int, default=2, choices=range(2, 6))
    parser.add_argument("--sets", default="base")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1, help="of the reviews")
    args = parser.parse_args()
    args.games = args.games or GAMES[args.check]
    args.bot = args.bot or BOTS[args.check]
    args.visits = args.visits or VISITS[args.check]
    print(f"{args.games} games of {args.bot}, {args.seats} seats, {args.sets}; "
          f"{args.visits} visits a turn")  # fmt: skip
    return 0 if CHECKS[args.check](args) else 1


if __name__ == "__main__":
    sys.exit(main())
