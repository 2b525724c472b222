"""The gates that a change of the search has to pass, each in minutes and with 95 % intervals.

    python scripts/gates.py turns FILE --bot mcts:visits=4000
    python scripts/gates.py positions FILE --bot mcts:visits=4000
    python scripts/gates.py regret FILE --bot mcts:visits=4000
    python scripts/gates.py match mcts:exploration=0.35,visits=1000 mcts1:visits=1000
    python scripts/gates.py make TRUTH FILE --turned 60

FILE is one of scripts/gates/: positions that nothing may be trained on or chosen by, with what
games of strong bots say of them. scripts/truth_check.py reads these files, too.

turns      Does a bot know which turns are better? Up to six likely turns of each position were
           played on with the same cards. The bot searches where each of them leads; r compares its
           margins with those of the games, within positions, the noise of the games taken off.
positions  Does it know who is ahead? Its forecasts, corrected as people see them, against games of
           mcts1:visits=4000 on all seats: root mean squares, their noise taken off.
regret     What does it lose? A deep search compares where its turns lead with what a deep search
           chose. And how often do two seeds of it lead to the same position?
match      A match with a sequential test. First some other games tell how much CPU time each bot
           takes, and the visits of the first are changed so that both take the same.
make       Adds to FILE the positions of TRUTH, which scripts/truth.py made, and what the other
           commands need of them. Run it again to go on where it stopped.
"""

import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean, variance
from typing import Any, NamedTuple

from self_play import play_on, positive, run, start_of
from tqdm import tqdm

from kbai._fast import Position
from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bots.builtin import MCTS1
from kbai.bots.protocol import View
from kbai.bots.search_bot import SearchBot
from kbai.bots.specs import make_bot
from kbai.core.errors import KbaiError
from kbai.core.intervals import Estimate, mean_estimate
from kbai.core.points import margins_of, points_of
from kbai.core.seeds import derive_seed
from kbai.game.steps import END, advance, end_of, is_same_decision
from kbai.notation.positions import format_line, parse_position
from kbai.search.evaluate import evaluate, find_turns
from kbai.search.params import Limit
from kbai.search.searcher import Searcher
from kbai.search.suggest import suggest

Line = dict[str, Any]
# Which turns of a search are compared, by rank: the good ones are what a search decides between.
RANKS = (0, 1, 2, 4, 8, 16)
SEARCH_VISITS = 4000
# A position with fewer tells too little.
LEAST_TURNS = 4
RESAMPLES = 2000
BINS = (0, 0.2, 0.4, 0.6, 0.8, 1)


# --- arithmetic -----------------------------------------------------------------------------------


class Agreement(NamedTuple):
    """What is said of the turns of a position, beside games: sums of squares and products."""

    said: float
    came: float
    both: float
    noise: float
    """What ``came`` has of it, because there are few games."""


def agreement(said: Sequence[float], margins: Sequence[Sequence[float]]) -> Agreement:
    """Compare what is said of turns with their games: a row for a turn, a column for its cards."""
    means = [fmean(row) for row in margins]
    columns = [fmean(column) for column in zip(*margins, strict=True)]
    noise = sum(
        variance([margin - column for margin, column in zip(row, columns, strict=True)]) / len(row)
        for row in margins
    )
    middle, centre = fmean(said), fmean(means)
    pairs = [(x - middle, y - centre) for x, y in zip(said, means, strict=True)]
    return Agreement(
        sum(x * x for x, _ in pairs), sum(y * y for _, y in pairs), sum(x * y for x, y in pairs),
        noise,
    )  # fmt: skip


def correlation(rows: Sequence[Agreement]) -> float:
    """Return r within positions, as it would be without the noise of the games."""
    said, came, both, noise = (math.fsum(column) for column in zip(*rows, strict=True))
    scale = said * max(came - noise, 0.0)
    return both / math.sqrt(scale) if scale else 0.0


class Gap(NamedTuple):
    """A forecast beside the mean of games and the square of its standard error."""

    forecast: float
    games: float
    noise: float


def gap_of(forecast: float, values: Sequence[float], least_noise: float = 0.0) -> Gap:
    return Gap(forecast, fmean(values), max(variance(values) / len(values), least_noise))


def error(rows: Sequence[Gap]) -> float:
    """Return the root mean square of the error, the noise of the games taken off."""
    return math.sqrt(max(fmean((x.forecast - x.games) ** 2 - x.noise for x in rows), 0.0))


def bias(rows: Sequence[Gap]) -> float:
    return fmean(x.forecast - x.games for x in rows)


def doubt_of_wins(wins: Sequence[float]) -> float:
    """Return the least variance of a mean: if all games were won, the next may still be lost."""
    chance = (sum(wins) + 1) / (len(wins) + 2)
    return chance * (1 - chance) / len(wins)


def interval(rows: Sequence[Any], measure: Callable[[Sequence[Any]], float]) -> Estimate:
    """Return a measure of some positions, and how far it varies if others are drawn from them."""
    rng = random.Random(1)
    values = sorted(measure(rng.choices(rows, k=len(rows))) for _ in range(RESAMPLES))
    edge = round(0.025 * RESAMPLES)
    return Estimate(measure(rows), values[edge], values[-1 - edge])


def text_of(estimate: Estimate, digits: int = 2, factor: float = 1.0) -> str:
    value, low, high = (f"{factor * number:.{digits}f}" for number in estimate)
    return f"{value} ({low} to {high})"


# --- the gates ------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A question about a position."""

    line: Line
    bot: SearchBot
    visits: int  # of a search that judges


def said_of_turns(asked: Asked) -> Agreement:
    """Compare a search of the end of every turn with its games."""
    line, mover = asked.line, asked.line["mover"]
    position = parse_position(line["position"])
    said = []
    for turn in line["turns"]:
        searcher = Searcher(asked.bot.params)
        searcher.look_at(end_of(position, turn["steps"]), line["seed"])
        searcher.run(asked.bot.limit)
        said.append(searcher.trees[0].root().seats[mover].margin)
    return agreement(said, [turn["margins"] for turn in line["turns"]])


def forecast_of(asked: Asked) -> tuple[Gap, Gap] | None:
    """Compare the forecasts of margin and win with games; None if there is nothing in doubt."""
    line = asked.line
    position = parse_position(line["position"])
    bot = asked.bot
    first = suggest(position, bot.limit, seed=line["seed"], params=bot.params, top=1).turns[0]
    if first.is_proven:
        return None
    mover = line["mover"]
    outlook = first.seats[mover]
    wins = [points_of(gold)[mover] for gold in line["gold"]]
    margin = gap_of(outlook.margin.value, [margins_of(gold)[mover] for gold in line["gold"]])
    return margin, gap_of(outlook.win.value, wins, doubt_of_wins(wins))


class Loss(NamedTuple):
    gold: float
    win: float
    is_same: bool
    """Whether both seeds lead to the same position."""


def loss_of(asked: Asked) -> Loss:
    """Return what the turns of two seeds lose by a deep search."""
    line = asked.line
    position = parse_position(line["position"])
    mover, limit = line["mover"], Limit(asked.visits)
    best = end_of(position, line["best"])
    judged: dict[str, tuple[float, float]] = {}

    def judge(end: Position) -> tuple[float, float]:
        name = format_line(end)
        if name not in judged:
            value = evaluate(end, mover, limit, line["seed"], params=MCTS1)
            judged[name] = (fmean(sample.margin[mover] for sample in value.samples),
                            value.chance(mover).value)  # fmt: skip
        return judged[name]

    ends = [after_turn(position, asked.bot, derive_seed(line["seed"], k)) for k in range(2)]
    losses = [
        [one - other for one, other in zip(judge(best), judge(end), strict=True)] for end in ends
    ]
    gold, win = (fmean(column) for column in zip(*losses, strict=True))
    return Loss(gold, win, format_line(ends[0]) == format_line(ends[1]))


def after_turn(position: Position, bot: SearchBot, seed: int) -> Position:
    """Return where the turn of a bot leads."""
    here, steps = position.copy(), list[int]()
    bot.begin()
    while is_same_decision(position, steps, here):
        legal = here.legal()
        steps.append(legal[0] if len(legal) == 1 else bot.choose(View(here, here.actor, seed)))
        advance(here, steps[-1])
    bot.close()
    return here


def show_turns(asked: list[Asked], workers: int) -> None:
    rows = answers(said_of_turns, asked, "turns", workers)
    print(f"{len(rows)} positions, r between turns {text_of(interval(rows, correlation))}")


def show_positions(asked: list[Asked], workers: int) -> None:
    found = answers(forecast_of, asked, "gold", workers)
    rows = [row for row in found if row is not None]
    margin, win = ([row[k] for row in rows] for k in range(2))
    print(f"{len(rows)} positions; {len(found) - len(rows)} more are known exactly")
    for name, gaps, factor in (("margin", margin, 1), ("win %", win, 100)):
        print(f"{name:7} error {text_of(interval(gaps, error), factor=factor)}, "
              f"bias {text_of(interval(gaps, bias), factor=factor)}")  # fmt: skip
    for low, high in zip(BINS, BINS[1:], strict=False):
        inside = [gap for gap in win if low <= gap.forecast < high or gap.forecast == high == 1]
        if len(inside) > 1:
            came = text_of(mean_estimate([gap.games for gap in inside]), 0, 100)
            print(f"forecast {100 * low:3.0f} to {100 * high:3.0f} %, {len(inside):3} positions: "
                  f"{100 * fmean(gap.forecast for gap in inside):.0f}, won {came}")  # fmt: skip


def show_regret(asked: list[Asked], workers: int) -> None:
    rows = answers(loss_of, asked, "best", workers)
    gold, win = (mean_estimate([getattr(row, name) for row in rows]) for name in ("gold", "win"))
    print(f"{len(rows)} positions, a turn loses {text_of(gold)} gold, "
          f"{text_of(win, 1, 100)} points; two seeds lead to the same position in "
          f"{sum(row.is_same for row in rows)}")  # fmt: skip


def each(work: Callable[[Any], Any], tasks: Sequence[Any], workers: int) -> Iterator[Any]:
    """Yield what is found for each task, in order."""
    if workers == 1:
        yield from tqdm(map(work, tasks), total=len(tasks), unit="position", disable=None)
        return
    with Pool(workers) as pool:
        found = pool.imap(work, tasks)
        yield from tqdm(found, total=len(tasks), unit="position", disable=None)


def answers(work: Callable[[Asked], Any], asked: list[Asked], need: str, workers: int) -> list[Any]:
    """Return the answers about all positions that have what a gate needs."""
    tasks = [ask for ask in asked if ask.line.get(need)]
    if not tasks:
        raise KbaiError(f"expected positions with {need}, got none.")
    return list(each(work, tasks, workers))


def ask(args: argparse.Namespace) -> None:
    """Ask a bot about all positions of a file."""
    bot = make_bot(args.bot)
    if not isinstance(bot, SearchBot):
        raise KbaiError(f"expected a bot that searches, got {args.bot!r:.40}.")
    lines = [json.loads(line) for line in args.file.read_text().splitlines()]
    began = os.times()
    args.show([Asked(line, bot, args.judge) for line in lines], args.workers)
    now = os.times()
    seconds = sum(now[k] - began[k] for k in range(4))
    print(f"{args.file.name}, {args.bot}: {seconds:.0f} CPU seconds")


# --- making a file --------------------------------------------------------------------------------


def likely_turns(
    position: Position, seed: int, ranks: Sequence[int] = RANKS, least: int = LEAST_TURNS
) -> list[tuple[int, ...]]:
    """Return some good turns of a position; none if there are few or the game ends with one."""
    tree = MCTS1.make_tree(position, seed=seed, threads=1)
    tree.run(SEARCH_VISITS)
    turns = [turn for turn in tree.turns(max(ranks) * 5) if turn.steps and turn.steps[-1] == END]
    turns.sort(key=lambda turn: -turn.visits)
    found = [tuple(turns[rank].steps) for rank in ranks if rank < len(turns)]
    is_end = any(end_of(position, steps).is_over for steps in found)
    return [] if is_end or len(found) < least else found


def margins_after(end: Position, mover: int, bot: str, seeds: Sequence[int]) -> list[int]:
    """Return by how much the mover is ahead after the game of each seed from here on."""
    return [margins_of(play_on(end, bot, seed, seed).final.scores())[mover] for seed in seeds]


def turned(args: argparse.Namespace, line: Line) -> Line:
    """Return a line with the values of its likely turns and the choice of a deep search."""
    position, mover, seed = parse_position(line["position"]), line["mover"], line["seed"]
    seeds = [derive_seed(seed, "turned", game) for game in range(args.games)]
    turns = [
        {"steps": steps,
         "margins": margins_after(end_of(position, steps), mover, args.bot, seeds)}
        for steps in likely_turns(position, seed)
    ]  # fmt: skip
    deep = find_turns(position, Limit(args.deep), seed, params=MCTS1, top=1)
    return line | {"turns": turns, "best": deep.steps}


def make(args: argparse.Namespace) -> None:
    """Copy the positions of a file of truth.py, and add to the first of them."""
    kept = args.file.read_text().splitlines() if args.file.exists() else []
    lines: dict[int, Line] = {line["seed"]: line for line in map(json.loads, kept)}
    for text in args.truth.read_text().splitlines():
        data = json.loads(text)
        about = {name: data[name] for name in ("seed", "position", "mover", "gold")}
        lines[data["seed"]] = lines.get(data["seed"], {}) | about
    seeds = sorted(lines)
    todo = [lines[seed] for seed in seeds[: args.turned] if "turns" not in lines[seed]]
    save(args.file, [lines[seed] for seed in seeds])
    for line in each(partial(turned, args), todo, args.workers):
        lines[line["seed"]] = line
        save(args.file, [lines[seed] for seed in seeds])


def save(path: Path, lines: Iterable[Line]) -> None:
    other = path.with_suffix(".new")
    other.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    other.replace(path)


# --- matches --------------------------------------------------------------------------------------


def cpu_times(args: argparse.Namespace, seed: int) -> tuple[float, float]:
    """Return the CPU seconds that each of two bots takes for its turns of a game."""
    bots = [make_bot(args.bots[(seat + seed) % 2]) for seat in range(args.seats)]
    seconds = [0.0, 0.0]

    def choose(view: View) -> int:
        began = time.process_time()
        step = bots[view.seat].choose(view)
        seconds[(view.seat + seed) % 2] += time.process_time() - began
        return step

    start = start_of(args, seed)
    play(start, Deal(start, derive_seed(seed, "cards")), choose, seed=seed)
    return seconds[0], seconds[1]


def at_equal_time(args: argparse.Namespace) -> str:
    """Return the first bot with as many visits as the second bot has time for."""
    seeds = range(args.first_seed, args.first_seed + args.timed)
    rows = list(each(partial(cpu_times, args), seeds, args.workers))
    ratio = math.fsum(row[0] for row in rows) / math.fsum(row[1] for row in rows)
    print(f"{args.bots[0]} takes {ratio:.3f} times the CPU time of {args.bots[1]}")
    return re.sub(r"visits=(\d+)", lambda m: f"visits={round(int(m[1]) / ratio)}", args.bots[0])


def play_match(args: argparse.Namespace) -> None:
    first = at_equal_time(args) if args.timed else args.bots[0]
    others = [args.bots[1]] * (args.seats - 1)
    options = {"groups": args.groups, "sets": args.sets, "seed": args.seed,
               "workers": args.workers, "sprt": args.sprt}  # fmt: skip
    words = [word for name, value in options.items() if value for word in (f"--{name}", f"{value}")]
    command = ["match", first, *others, *words]
    print("kbai", *command, flush=True)
    subprocess.run([sys.executable, "-m", "kbai", *command], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    for name, show in (
        ("turns", show_turns), ("positions", show_positions), ("regret", show_regret),
    ):  # fmt: skip
        gate = commands.add_parser(name)
        gate.add_argument("file", type=Path)
        gate.add_argument("--bot", default="mcts:visits=4000")
        gate.add_argument("--judge", type=positive, default=32_000, help="visits, for the regret")
        gate.set_defaults(function=ask, show=show)
    maker = commands.add_parser("make")
    maker.add_argument("truth", type=Path)
    maker.add_argument("file", type=Path)
    maker.add_argument("--turned", type=int, default=60, help="positions with values of turns")
    maker.add_argument("--bot", default="mcts1:visits=400", help="who plays their games")
    maker.add_argument("--games", type=positive, default=12, help="after each turn")
    maker.add_argument("--deep", type=positive, default=50_000, help="visits of the best turn")
    maker.set_defaults(function=make)
    match = commands.add_parser("match")
    match.add_argument("bots", nargs=2, metavar="BOT")
    match.add_argument("--timed", type=int, default=12, help="games for the CPU time; 0: none")
    match.add_argument("--first-seed", type=int, default=55_000_000, help="of these games")
    match.add_argument("--seats", type=int, default=2, choices=range(2, 6))
    match.add_argument("--sets", default="base", help="base,nomads,... or all")
    match.add_argument("--groups", type=positive, default=200)
    match.add_argument("--seed", type=int, default=1)
    match.add_argument("--sprt", default="0,30", help="Elo that is too little, and enough")
    match.set_defaults(function=play_match)
    for command in (*commands.choices.values(),):
        command.add_argument("--workers", type=positive, default=os.cpu_count())
    args = parser.parse_args()
    args.function(args)


if __name__ == "__main__":
    run(main)
