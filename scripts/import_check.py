"""Import a folder of logs with known results, then damaged copies of them.

    python scripts/import_check.py FOLDER [--mutated 20000] [--first-seed 0] [--workers 2]

FOLDER has logs ``NAME.log.json``, pages ``NAME.replay-page.html`` and ``NAME.expected.json`` with
the board, the cards, the seats, the number of turns, and what everybody has at the end. Damaged
copies go through the command: a game that can be read again or one sentence, and the exit code that
goes with it. Exits with 1 if something else comes out.
"""

import argparse
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from kbai.game.cells import format_cell
from kbai.importing.bga import Imported, import_game
from kbai.notation.games import parse_game

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from bga_logs import Habits, cut, random_game, write_log, write_page  # noqa: E402
from bga_mutations import mutate  # noqa: E402
from commands import run  # noqa: E402

SUFFIXES = (".log.json", ".replay-page.html")
# What a damaged log may take; a whole one takes some hundredths of that.
MAX_SECONDS = 5.0


def logs_in(folder: Path) -> list[Path]:
    """Return the logs and pages of a folder."""
    return sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIXES))


def found_in(imported: Imported) -> dict[str, object]:
    """Return what was imported as the expected results name it."""
    game = imported.game
    setup, position = game.setup, game.final_position()
    seats = position.fields()["seats"]
    spaces = {space.cell: space.tile for space in setup.spaces}
    gold = None
    if game.result is not None:
        names = ("castles", *setup.cards)
        rows = [(d[0], *d[len(d) - len(setup.cards) :]) for d in position.score_detail()]
        gold = {
            s: dict(zip(names, row, strict=True)) for s, row in zip(setup.seats, rows, strict=True)
        }
    held = [[position.board.spaces[place][0] for place in seat["held"]] for seat in seats]
    return {
        "difference": imported.difference,
        "board": list(setup.board),
        "cards": sorted(setup.cards),
        "seats": list(setup.seats),
        "turns": len(game.turns),
        "finished": game.result is not None,
        "gold": gold,
        "houses_at_end": {
            name: sorted(map(format_cell, seat["cells"]))
            for name, seat in zip(setup.seats, seats, strict=True)
        },
        "tiles_at_end": {
            name: sorted(f"{spaces[cell]}@{format_cell(cell)}" for cell in cells)
            for name, cells in zip(setup.seats, held, strict=True)
        },
    }


def expected_in(path: Path, imported: Imported) -> dict[str, object]:
    """Return what should have been imported."""
    name = path.name.split(".")[0]
    data = json.loads(path.with_name(f"{name}.expected.json").read_text("utf-8"))
    lists = {
        key: {seat: sorted(cells) for seat, cells in data[key].items()}
        for key in ("houses_at_end", "tiles_at_end")
    }
    # The log of a game that was broken off does not name its cards.
    knows_cards = bool(imported.game.setup.cards)
    return {
        "difference": "",
        "board": data["board"],
        "cards": sorted(data["cards"]) if knows_cards else [],
        "seats": [row["seat"] for row in data["seats"]],
        "turns": data["turns"],
        "finished": data["finished"],
        "gold": data["gold"],
        **lists,
    }


def check(path: Path) -> list[str]:
    """Return what is not as it should be."""
    imported = import_game(path.read_text("utf-8"))
    found, expected = found_in(imported), expected_in(path, imported)
    print(f"{path.name}: {imported.summary}")
    return [
        f"{path.name}: {key}: expected {expected[key]}, got {found[key]}"
        for key in expected
        if expected[key] != found[key]
    ]


def generated() -> list[str]:
    """Return logs and pages that are short, so that every part of them gets damaged."""
    habits = Habits(undo=0.3, restart=0.2, own_hex=0.2, running_scores=True)
    texts = []
    for seed in range(6):
        game = cut(random_game(seed, 2 + seed % 4), 3 + 2 * seed)
        texts += [write_log(game, habits), write_page(game, Habits(concede=True, seed=seed))]
    return texts


def damage(texts: list[str], seed: int) -> tuple[str, float, str]:
    """Import a damaged text; return how that ended, the seconds it took, and what was wrong."""
    rng = random.Random(seed)
    text = mutate(rng.choice(texts), rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.json")
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        start = time.process_time()
        result = run("import", path, "--out", Path(folder, "out"))
        seconds = time.process_time() - start
        games = [*Path(folder).glob("out/*")]
        errors = [line for line in result.stderr.splitlines() if not line.startswith("note: ")]
        problem = ""
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            problem = f"{type(result.exception).__name__}: {result.exception}"
        elif result.exit_code != bool(errors) or len(errors) > 1 or result.stdout:
            problem = f"exit code {result.exit_code}, {errors}"
        elif not (games or errors) or len(games) > 1 or any(g.suffix != ".kbg" for g in games):
            problem = f"{len(games)} files"
        elif seconds > MAX_SECONDS:
            problem = f"{seconds:.1f} seconds"
        for game in games:
            parse_game(game.read_text("utf-8"))
    how = "refused" if not games else "imported in part" if errors else "imported"
    return how, seconds, problem and f"seed {seed}: {problem}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mutated", type=int, default=0, help="how many damaged logs to import")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    args = parser.parse_args()
    logs = logs_in(args.folder)
    problems = [problem for path in logs for problem in check(path)]
    print(f"{len(logs)} logs, {len(problems)} differences")
    if args.mutated:
        small = [text for text in (p.read_text("utf-8") for p in logs) if len(text) < 100_000]
        seeds = range(args.first_seed, args.first_seed + args.mutated)
        with ProcessPoolExecutor(args.workers) as pool:
            work = partial(damage, generated() + small)
            results = list(pool.map(work, seeds, chunksize=50))
        problems += [problem for _, _, problem in results if problem]
        counts = Counter(how for how, _, _ in results)
        print(f"{len(results):,} damaged logs:", ", ".join(f"{n:,} {h}" for h, n in counts.items()))
        seconds = [seconds for _, seconds, _ in results]
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{sum(seconds):.0f} s of CPU, slowest {max(seconds):.2f} s, at most {memory:.0f} MB")
    print("\n".join(problems[:20]))
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
