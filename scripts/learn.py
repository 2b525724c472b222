"""Learn from games: play them, then fit the weights of kbai/data/model.json to them.

    python scripts/learn.py play FILE --games 2000 --first-seed 34000000 [--cluster ADDRESS]
    python scripts/learn.py train FILE... --out kbai/data/model.json [--seed 1]

`play` has mcts play against itself, `--visits` a turn. On a quarter of the turns it looks closely
before every step, with `--deep` visits (0: on none), and notes what each step is worth. A line of
FILE is a game: its seed, the gold at its end, its steps, and these looks. Run it again with the
same FILE to go on where it stopped. The features are computed when a model is trained, so games
outlive them.

`train` fits two things. The prior: how much more a step is worth than the others of its position
(utility of the looks, least squares weighted by visits). And the gold of every seat at the end of
the game, from what it has between turns: a linear part first, then a layer of hidden units for
what is left. A tenth of the games is kept apart and tells how good they are. Needs NumPy
(pip install -e ".[learn]").
"""

import argparse
import json
import random
import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from self_play import positive, run
from tqdm import tqdm

from kbai._fast import N_HIDDEN_UNITS, N_SEAT_FEATURES, N_STEP_FEATURES, Position, Score
from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bots.protocol import View
from kbai.bots.search_bot import SearchBot
from kbai.compute.pools import PoolFactory
from kbai.compute.run import Done, Outcome
from kbai.compute.run import run as run_tasks
from kbai.core.errors import KbaiError
from kbai.core.seeds import derive_seed
from kbai.game.setup import Setup
from kbai.game.steps import END
from kbai.game.turns import TurnMark
from kbai.model.features import seat_features, step_features
from kbai.model.weights import FORMAT, PRIOR_POWERS, VALUE_POWERS, hash_of
from kbai.search.params import Limit, SearchParams
from kbai.search.searcher import Searcher

# One turn of so many is looked at closely.
DEEP_TURNS = 4
# More visits of a step do not make it truer: searches misjudge.
MOST_VISITS = 60
# Gold in a prior for a utility of 1: so a castle counts about as much as by hand.
PRIOR_SCALE = 200.0
POLICY = {"candidates": 4, "tile": 0.6, "least_build": 0.5, "least_move": 0.5}
CHUNK = 20_000
BATCH = 500
DIGITS = 5


# --- playing --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game to play."""

    seed: int
    seats: int
    sets: tuple[str, ...]
    visits: int
    deep: int

    @property
    def id(self) -> str:
        return str(self.seed)


def play_game(task: GameTask) -> str:
    """Return the line of a game."""
    start = Setup.random(task.seed, seats=task.seats, sets=task.sets).start_position()
    bots = [SearchBot(SearchParams(), Limit(task.visits)) for _ in range(task.seats)]
    searcher = Searcher(SearchParams())
    looks: list[list[object]] = []
    made = 0
    last: tuple[TurnMark, bool] | None = None

    def choose(view: View) -> int:
        nonlocal made, last
        mark = TurnMark.of(view.position)
        if last is None or not last[0].is_same_turn(mark):
            lot = random.Random(derive_seed(view.seed, "deep")).randrange(DEEP_TURNS)
            last = (mark, bool(task.deep) and lot == 0)
        legal = view.position.legal()
        step: int | None = legal[0] if len(legal) == 1 else None
        if step is None and last[1]:
            searcher.look_at(view.position, view.seed)
            searcher.run(Limit(task.deep))
            looks.append([made, seen(searcher, view.position.actor)])
            step = searcher.best_step()
        if step is None:
            step = bots[view.seat].choose(view)
        made += 1
        if step == END:
            last = None
        return step

    deal = Deal(start, derive_seed(task.seed, "cards"))
    played = play(start, deal, choose, seed=derive_seed(task.seed, "game"))
    gold = [sum(row) for row in played.final.score_detail()]
    about = {"seed": task.seed, "seats": task.seats, "sets": task.sets}
    about |= {"visits": task.visits, "deep": task.deep, "gold": gold}
    return json.dumps(about | {"steps": played.steps, "looks": looks}, separators=(",", ":"))


def seen(searcher: Searcher, seat: int) -> list[tuple[int, int, float]]:
    """Return the visits and the utility of every step that was tried."""
    return [
        (edge.step, edge.visits, round(edge.seats[seat].utility, 5))
        for edge in searcher.trees[0].edges()
        if edge.visits
    ]


def play_games(args: argparse.Namespace) -> None:
    """Play the games that a file lacks."""
    known = {game["seed"] for game in read_games([args.file])} if args.file.exists() else set()
    seeds = range(args.first_seed, args.first_seed + args.games)
    sets = tuple(args.sets.split(","))
    tasks = [
        GameTask(seed, args.seats, sets, args.visits, args.deep)
        for seed in seeds
        if seed not in known
    ]
    with args.file.open("a") as file, tqdm(total=len(tasks), unit="game", disable=None) as bar:

        def note(outcome: Outcome[GameTask, str]) -> None:
            if not isinstance(outcome, Done):
                raise KbaiError(f"the game of seed {outcome.task.seed}: {outcome.message}")
            file.write(outcome.value + "\n")
            file.flush()
            bar.update()

        run_tasks(play_game, tasks, workers_of(args), note, in_order=True)


def workers_of(args: argparse.Namespace) -> PoolFactory:
    if args.cluster:
        from kbai.compute.cluster import cluster

        return cluster(args.cluster)
    from kbai.compute.processes import processes

    return processes(args.workers)


def read_games(files: list[Path]) -> Iterator[dict[str, Any]]:
    """Yield the games of some files; a last line that is not whole is left out."""
    for path in files:
        for line in path.read_text().splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                continue


# --- data -----------------------------------------------------------------------------------------


def replay(game: dict[str, Any]) -> Iterator[tuple[Position, int, bool]]:
    """Yield a game's position before each step, which step comes, and whether a turn begins."""
    setup = Setup.random(game["seed"], seats=game["seats"], sets=tuple(game["sets"]))
    position, made, is_new = setup.start_position(), 0, True
    for step in game["steps"]:
        yield position, made, is_new
        if step < 0:
            position.draw(-1 - step)
            is_new = False
        else:
            position.apply(step)
            made += 1
            is_new = step == END


class PriorData:
    """The steps of all looks, with what they are worth."""

    def __init__(self) -> None:
        size = PRIOR_POWERS * N_STEP_FEATURES
        self.gram, self.moment = np.zeros((size, size)), np.zeros(size)
        self.waiting: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self.kept: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def add(self, position: Position, look: list[list[float]], is_kept: bool) -> None:
        known = {int(step): (visits, utility) for step, visits, utility in look}
        steps, begins, numbers, values = position.step_features(POLICY)
        x = np.zeros((len(steps), N_STEP_FEATURES))
        for row in range(len(steps)):
            part = slice(begins[row], begins[row + 1])
            x[row, numbers[part]] = values[part]
        x = np.hstack([x, x * (turns_left(position) / 13)])
        weight = np.array([min(known.get(step, (0, 0))[0], MOST_VISITS) for step in steps])
        worth = np.array([known.get(step, (0, 0.0))[1] for step in steps])
        if weight.sum() == 0:
            return
        # Only differences within a position count.
        x -= np.average(x, axis=0, weights=weight)
        worth = worth - np.average(worth, weights=weight)
        tried = weight > 0
        row = (x[tried].astype(np.float32), worth[tried], weight[tried])
        (self.kept if is_kept else self.waiting).append(row)
        if len(self.waiting) >= BATCH:
            self.sum_up()

    def sum_up(self) -> None:
        """Add what waits to the normal equations; few features ever occur in one kind of games."""
        x = np.concatenate([x for x, _, _ in self.waiting])
        worth = np.concatenate([worth for _, worth, _ in self.waiting])
        weight = np.concatenate([weight for _, _, weight in self.waiting])
        used = np.flatnonzero(x.any(axis=0))
        x = x[:, used]
        self.gram[np.ix_(used, used)] += x.T @ (x * weight[:, None])
        self.moment[used] += x.T @ (worth * weight)
        self.waiting = []

    def fit(self, shrink: float = 200.0) -> np.ndarray:
        """Return the weights, and print how well they tell the steps that were kept apart."""
        if not self.waiting or not self.kept:
            raise KbaiError("expected games with looks, some of them kept apart, got too few.")
        self.sum_up()
        weights = np.linalg.solve(self.gram + shrink * np.eye(len(self.moment)), self.moment)
        said = np.concatenate([x @ weights for x, _, _ in self.kept])
        worth = np.concatenate([worth for _, worth, _ in self.kept])
        by = np.concatenate([weight for _, _, weight in self.kept])
        r = (by * said * worth).sum() / np.sqrt((by * said**2).sum() * (by * worth**2).sum())
        print(f"prior: r = {r:.3f} with the utility of {len(worth):,} steps kept apart")
        return weights * PRIOR_SCALE


def turns_left(position: Position) -> int:
    return int(round(position.houses_left * 40)) // 3


class ValueData:
    """What seats have between turns, and their gold at the end."""

    def __init__(self) -> None:
        self.x: list[np.ndarray] = []
        self.left: list[float] = []
        self.gold: list[int] = []
        self.is_kept: list[bool] = []

    def add(self, position: Position, gold: list[int], is_kept: bool) -> None:
        for row, result in zip(position.seat_features(), gold, strict=True):
            self.x.append(np.array(row, dtype=np.float32))
            self.left.append(position.houses_left)
            self.gold.append(result)
            self.is_kept.append(is_kept)


def collect(files: list[Path]) -> tuple[PriorData, ValueData, dict[str, Any]]:
    """Replay games and compute all features; also return what the games have in common."""
    prior, value = PriorData(), ValueData()
    cards: set[str] = set()
    n_games, common = 0, None
    for game in tqdm(read_games(files), unit="game", disable=None):
        about = {key: game[key] for key in ("seats", "sets", "visits")}
        if common is not None and about != common:
            raise KbaiError(f"expected games like the first, {common}, got {about}.")
        common = about
        n_games += 1
        is_kept = game["seed"] % 10 == 0
        looks = dict(game["looks"])
        asked: set[int] = set()
        for position, made, is_new in replay(game):
            cards |= {Score(rule).name.lower() for rule in position.board.cards}
            if is_new:
                value.add(position, game["gold"], is_kept)
            if made in looks and made not in asked and not position.pending_draw:
                asked.add(made)
                prior.add(position, looks[made], is_kept)
    if common is None:
        raise KbaiError("expected games, got none.")
    return prior, value, common | {"games": n_games, "cards": sorted(cards)}


# --- training -------------------------------------------------------------------------------------


def fit_value(
    data: ValueData, seats: int, seed: int, steps: int
) -> tuple[np.ndarray, np.ndarray, tuple[float, float]]:
    """Return linear weights, hidden ones, and the spread of the margin that is left."""
    x, left = np.array(data.x), np.array(data.left, dtype=np.float32)
    gold, kept = np.array(data.gold, dtype=np.float32), np.array(data.is_kept)
    linear = fit_linear(x, left, gold, ~kept)
    guess = in_chunks(len(x), lambda part: powers(x[part], left[part]) @ linear)
    report("linear", guess, gold, kept, seats)
    more = np.stack([np.ones_like(left), left, left**2], axis=1)
    inputs = np.hstack([x, more])
    first, out = fit_hidden(inputs, gold - guess, ~kept, seed, steps)
    guess += in_chunks(len(x), lambda part: np.maximum(inputs[part] @ first, 0) @ out)
    report("with hidden units", guess, gold, kept, seats)
    return linear, np.vstack([first, out]), spread_of(guess, gold, left, kept, seats)


def powers(x: np.ndarray, left: np.ndarray) -> np.ndarray:
    return np.hstack([x * left[:, None] ** power for power in range(VALUE_POWERS)])


def in_chunks(count: int, function: Any) -> np.ndarray:
    parts = np.array_split(np.arange(count), count // CHUNK + 1)
    return np.concatenate([function(part) for part in parts])


def fit_linear(
    x: np.ndarray, left: np.ndarray, gold: np.ndarray, use: np.ndarray, shrink: float = 30.0
) -> np.ndarray:
    size = VALUE_POWERS * N_SEAT_FEATURES
    gram, moment = np.zeros((size, size)), np.zeros(size)
    chosen = np.flatnonzero(use)
    for part in np.array_split(chosen, len(chosen) // CHUNK + 1):
        rows = powers(x[part], left[part])
        gram += rows.T @ rows
        moment += rows.T @ gold[part]
    return np.linalg.solve(gram + shrink * np.eye(size), moment).astype(np.float32)


def fit_hidden(
    inputs: np.ndarray, rest: np.ndarray, use: np.ndarray, seed: int, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """Fit one layer to what is left, by Adam with a rate that falls to 0."""
    rng = np.random.default_rng(seed)
    first = rng.normal(0, 1 / np.sqrt(30), (inputs.shape[1], N_HIDDEN_UNITS)).astype(np.float32)
    first[~inputs.any(axis=0)] = 0  # features that these games do not have
    weights = [first, np.zeros(N_HIDDEN_UNITS, np.float32)]
    means = [np.zeros_like(each) for each in weights]
    squares = [np.zeros_like(each) for each in weights]
    chosen = np.flatnonzero(use)
    for step in tqdm(range(1, steps + 1), unit="step", disable=None):
        part = rng.choice(chosen, 512)
        x = inputs[part]
        sums = x @ weights[0]
        active = np.maximum(sums, 0)
        error = 2 * (active @ weights[1] - rest[part]) / len(part)
        slopes = [x.T @ (np.outer(error, weights[1]) * (sums > 0)), active.T @ error]
        rate = 1e-3 * 0.5 * (1 + np.cos(np.pi * step / steps))
        for k, slope in enumerate(slopes):
            means[k] = 0.9 * means[k] + 0.1 * slope
            squares[k] = 0.999 * squares[k] + 0.001 * slope**2
            change = means[k] / (1 - 0.9**step)
            change /= np.sqrt(squares[k] / (1 - 0.999**step)) + 1e-8
            weights[k] -= rate * (change + 1e-4 * weights[k])
    return weights[0], weights[1]


def margins(gold: np.ndarray, seats: int) -> np.ndarray:
    """Return every seat's gold minus the best opponent's; the seats of a position are together."""
    table = gold.reshape(-1, seats)
    others = [np.delete(table, seat, axis=1).max(axis=1) for seat in range(seats)]
    return (table - np.stack(others, axis=1)).ravel()


def report(name: str, guess: np.ndarray, gold: np.ndarray, kept: np.ndarray, seats: int) -> None:
    error = (guess - gold)[kept]
    margin = margins(gold, seats)[kept]
    rest = margins(guess, seats)[kept] - margin
    print(
        f"gold, {name}: off by {np.sqrt(np.mean(error**2)):.2f} in {kept.sum():,} cases kept apart;"
        f" margin by {np.sqrt(np.mean(rest**2)):.2f}, R2 {1 - np.mean(rest**2) / margin.var():.3f}"
    )


def spread_of(
    guess: np.ndarray, gold: np.ndarray, left: np.ndarray, kept: np.ndarray, seats: int
) -> tuple[float, float]:
    """Fit the standard deviation of the margin that is left as a line over the houses left."""
    rest = (margins(guess, seats) - margins(gold, seats))[kept]
    edges = np.linspace(0, 1, 11)
    rows = [
        (left[kept][inside].mean(), rest[inside].std(), inside.sum())
        for low, high in zip(edges, edges[1:], strict=False)
        if (inside := (left[kept] >= low) & (left[kept] <= high)).sum() > 30
    ]
    if len(rows) < 2:
        raise KbaiError("expected some hundred games to learn from, got too few.")
    places, sizes, counts = (np.array(column) for column in zip(*rows, strict=True))
    slope, base = np.polyfit(places, sizes, 1, w=np.sqrt(counts))
    return max(float(base), 1.0), max(float(slope), 0.0)


# --- the file -------------------------------------------------------------------------------------


def rounded(values: np.ndarray) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values]


def table(names: tuple[str, ...], weights: np.ndarray) -> dict[str, list[float]]:
    """Return the weights by name, a row each, without those that are 0."""
    return {
        name: rounded(row) for name, row in zip(names, weights, strict=True) if np.abs(row).max()
    }


def train(args: argparse.Namespace) -> None:
    """Fit a model and write it into the file, in place of the one for such games."""
    begin = time.process_time()
    prior, value, about = collect(args.files)
    prior_weights = prior.fit().reshape(PRIOR_POWERS, -1).T
    linear, hidden, spread = fit_value(value, about["seats"], args.seed, args.steps)
    names = (*seat_features(), "bias", "left", "left_squared", "out")
    model = {
        "seats": about["seats"],
        "sets": about["sets"],
        "cards": about["cards"],
        "spread": rounded(np.array(spread)),
        "prior": table(step_features(), prior_weights),
        "linear": table(seat_features(), linear.reshape(VALUE_POWERS, -1).T),
        "hidden": table(names, hidden),
        "made": provenance(args, about, time.process_time() - begin),
    }
    old = json.loads(args.out.read_text())["models"] if args.out.exists() else []
    same = [(each["seats"], each["sets"]) == (model["seats"], model["sets"]) for each in old]
    models = [each for each, is_same in zip(old, same, strict=True) if not is_same] + [model]
    data = {"format": FORMAT, "hash": hash_of(models), "models": models}
    args.out.write_text(text_of(data) + "\n")


def text_of(data: object) -> str:
    """Return JSON with a line for each row of numbers."""
    text = json.dumps(data, indent=1)
    return re.sub(r"\[[^\[\]{}]*\]", lambda found: " ".join(found[0].split()), text)


def ranges_of(seeds: list[int]) -> list[list[int]]:
    """Return the first and the last of each run of seeds.

    >>> ranges_of([3, 4, 5, 9])
    [[3, 5], [9, 9]]
    """
    found: list[list[int]] = []
    for seed in seeds:
        if found and seed == found[-1][1] + 1:
            found[-1][1] = seed
        else:
            found.append([seed, seed])
    return found


def provenance(args: argparse.Namespace, about: dict[str, Any], seconds: float) -> dict[str, Any]:
    games = [*read_games(args.files)]
    seeds = sorted(game["seed"] for game in games)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True)
    return {
        "games": about["games"],
        "seeds": ranges_of(seeds),
        "visits": about["visits"],
        "deep": {str(k): v for k, v in Counter(game["deep"] for game in games).items()},
        "command": f"scripts/learn.py train --seed {args.seed} --steps {args.steps}",
        "commit": commit.stdout.strip(),
        "date": time.strftime("%Y-%m-%d"),
        "cpu_hours_of_training": round(seconds / 3600, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    player = commands.add_parser("play", help="play games")
    player.add_argument("file", type=Path)
    player.add_argument("--games", type=positive, default=2000)
    player.add_argument("--first-seed", type=int, default=34_000_000)
    player.add_argument("--visits", type=positive, default=300, help="a turn")
    player.add_argument("--deep", type=int, default=1500, help="a step that is looked at")
    player.add_argument("--seats", type=int, default=2, choices=range(2, 6))
    player.add_argument("--sets", default="base")
    player.add_argument("--workers", type=positive, default=2)
    player.add_argument("--cluster", help="a Dask scheduler's address, or local:N")
    player.set_defaults(function=play_games)
    trainer = commands.add_parser("train", help="fit a model")
    trainer.add_argument("files", type=Path, nargs="+")
    trainer.add_argument("--out", type=Path, required=True)
    trainer.add_argument("--seed", type=int, default=1)
    trainer.add_argument("--steps", type=positive, default=6000, help="of the hidden units")
    trainer.set_defaults(function=train)
    args = parser.parse_args()
    args.function(args)


if __name__ == "__main__":
    run(main)
