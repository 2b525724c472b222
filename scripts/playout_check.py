"""Compare what playouts say of turns with what becomes of them when the rest is played well.

    python scripts/playout_check.py play FILE      play the games, which takes a while
    python scripts/playout_check.py compare FILE   compare the playouts of this build with them

Positions come from games of a small `mcts` with itself. Of each the likeliest turns of a search
are made, and from there whole games are played by `mcts`, on the same cards for all turns of a
position. The mean gold by which the mover is ahead at the end tells how good a turn is; the
playouts of a build should order the turns of a position the same way. See docs/strength.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from gates import agreement, correlation, likely_turns, margins_after
from tqdm import tqdm  # type: ignore[import-untyped]

from kbai._fast import Phase, Position
from kbai.arena.deals import Deal
from kbai.arena.play import play
from kbai.bots.protocol import View
from kbai.bots.search_bot import SearchBot
from kbai.core.seeds import derive_seed
from kbai.game.setup import Setup
from kbai.game.steps import end_of
from kbai.notation.positions import format_line, parse_position
from kbai.search.params import Limit, SearchParams

# Which turns of a search are compared, by rank: the good ones are what a search decides between.
RANKS = (0, 1, 2, 4, 7, 12, 20)


def turns_of_game(seed: int) -> list[Position]:
    """Return the positions before each turn of a game of a small search with itself."""
    setup = Setup.random(seed, seats=2, sets=("base",))
    start = setup.start_position()
    bots = [SearchBot(SearchParams(), Limit(300)) for _ in range(2)]
    found: list[Position] = []

    def choose(view: View) -> int:
        if view.position.phase == Phase.PRE and (
            not found or found[-1].mover != view.position.mover
        ):
            found.append(view.position.copy())
        return bots[view.seat].choose(view)

    play(start, Deal(start, seed), choose, seed=seed)
    return found


def play_sample(seed: int, visits: int, games: int) -> list[str]:
    """Return two positions of a game, with the games after their turns, a line of JSON each."""
    before = turns_of_game(seed)
    chosen = random.Random(seed).sample(range(max(len(before) - 3, 2)), 2)
    lines = []
    for number in chosen:
        position = before[number]
        ends = [end_of(position, steps) for steps in likely_turns(position, seed, RANKS)]
        if not ends:
            continue
        turns = []
        for end in ends:
            seeds = [derive_seed(seed, number, game) for game in range(games)]
            margins = margins_after(end, position.mover, f"mcts:visits={visits}", seeds)
            turns.append({"position": format_line(end), "margins": margins})
        lines.append(json.dumps({"mover": position.mover, "turns": turns}))
    return lines


def play_all(path: Path, options: argparse.Namespace) -> None:
    """Write the games of all seeds to a file."""
    sample = partial(play_sample, visits=options.visits, games=options.games)
    seeds = range(options.first_seed, options.first_seed + options.positions // 2)
    with ProcessPoolExecutor(options.workers) as executor, path.open("w") as file:
        for lines in tqdm(executor.map(sample, seeds), total=len(seeds), unit="game"):
            file.writelines(f"{line}\n" for line in lines)


def compare(path: Path, playouts: int) -> None:
    """Print how well playouts agree with the games of a file."""
    params = SearchParams()
    policy = {
        name: getattr(params, name) for name in ("candidates", "tile", "least_build", "least_move")
    }
    rows = []
    for line in tqdm(path.read_text().splitlines(), unit="position"):
        sample = json.loads(line)
        mover, turns = sample["mover"], sample["turns"]
        guesses = []
        for turn in turns:
            gold = parse_position(turn["position"]).playouts(playouts, 1, policy)[0]
            guesses.append((gold[mover] - gold[1 - mover]) / playouts)
        rows.append(agreement(guesses, [turn["margins"] for turn in turns]))
    print(f"{len(rows)} positions")
    raw = correlation([row._replace(noise=0.0) for row in rows])
    print(f"correlation inside of positions: {raw:.3f}")
    print(f"without the noise of the games:  {correlation(rows):.3f}")
    gold = sum(row.both for row in rows) / sum(row.said for row in rows)
    print(f"gold that came for each that playouts said: {gold:.2f}")


def main() -> None:
    """Play or compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("what", choices=("play", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--games", type=int, default=48, help="after each turn")
    parser.add_argument("--visits", type=int, default=200, help="of a turn of these games")
    parser.add_argument("--playouts", type=int, default=1500, help="of a turn, to be compared")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.what == "play":
        play_all(options.file, options)
    else:
        compare(options.file, options.playouts)


if __name__ == "__main__":
    main()
