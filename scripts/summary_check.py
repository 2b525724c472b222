"""Check that summaries name the weakness that was built into a bot, and no other.

    python scripts/summary_check.py [--games 40] [--visits 100] [--seed 1] [BOT ...]

Every bot of scripts/weak_bots.py plays a match against a strong one, on random boards with random
cards; then `kbai review --summary` looks at the journal. The weak bot must lose more a turn, its
weakness must come first, and neither it nor the strong bot may be told of another one. `none` is
no weakness: a strong bot against one that differs in name only. Journals and the cache of reviews
are kept in --folder, so that a second run only adds what is missing. docs/strength.md has
what came out.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from self_play import positive, run

WEAK_BOTS = Path(__file__).with_name("weak_bots.py")
STRONG = "mcts:visits=400"
# Plays alike, under another name.
SAME = "mcts:visits=400,memory=900"
# The kind and the name of what a summary must find first.
WEAKNESSES = {
    "NoTiles": ("tiles", "all tiles"),
    "IgnoresFarmers": ("card", "farmers"),
    "IgnoresMiners": ("card", "miners"),
    "IgnoresMerchants": ("card", "merchants"),
    "none": None,
}
# All kinds of tile may be named together with the tiles.
FOLLOWS = {"tiles": {"tile"}}


class Checked(NamedTuple):
    """What the summary of one match says."""

    is_named: bool
    """Whether the weakness comes first; True if there is none."""
    others: list[str]
    """What else was named, for either bot."""


def summaries(args: argparse.Namespace, bot: str) -> dict[str, dict[str, Any]]:
    """Play a match, review it, and return the summaries by player."""
    spec = SAME if bot == "none" else f"py:{WEAK_BOTS}:{bot}"
    journal = args.folder / f"{bot}-{args.seed}.jsonl"
    kbai = [sys.executable, "-m", "kbai"]
    match = ["match", spec, args.strong, "--groups", args.games // 2, "--seed", args.seed]
    subprocess.run([*kbai, *map(str, match), "--out", journal], check=True, capture_output=True)
    review = ["review", journal, "--summary", "--format", "json", "--no-rollouts"]
    options = ["--visits", args.visits, "--cache", args.folder / "review.jsonl"]
    done = subprocess.run(
        [*kbai, *map(str, [*review, *options])], check=True, stdout=subprocess.PIPE, text=True
    )
    found = map(json.loads, done.stdout.splitlines())
    return {each["player"]: each for each in found}


def check(args: argparse.Namespace, bot: str) -> Checked:
    """Check the summary of one match, and print what it says."""
    found = summaries(args, bot)
    (name,) = found.keys() - {args.strong}
    weak, strong = found[name], found[args.strong]
    more = weak["loss"]["win"]["more"]
    half = (more["high"] - more["low"]) / 2
    print(
        f"{bot}: {weak['games']} games, loses {_points(weak)} a turn, the strong bot "
        f"{_points(strong)}: {100 * more['value']:+.1f} +/- {100 * half:.1f}"
    )
    names = [(each["kind"], each["name"]) for each in weak["findings"]]
    wanted = WEAKNESSES[bot]
    others = [
        each for each in names if wanted is None
        or (each != wanted and each[0] not in FOLLOWS.get(wanted[0], set()))
    ]  # fmt: skip
    false = [f"{name} (weak bot)" for _, name in others]
    false += [f"{each['name']} (strong bot)" for each in strong["findings"]]
    is_named = wanted is None or names[:1] == [wanted]
    print(f"  named: {weak['advice'][0] if names else 'nothing'}")
    print(f"  {'as built in' if is_named else 'NOT what was built in'}; besides: "
          f"{', '.join(false) or 'nothing'}", flush=True)  # fmt: skip
    return Checked(is_named, false)


def _points(summary: dict[str, Any]) -> str:
    return f"{100 * summary['loss']['win']['player']['value']:.1f}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bots", nargs="*", metavar="BOT", choices=[[], *WEAKNESSES])
    parser.add_argument("--games", type=positive, default=40)
    parser.add_argument("--visits", type=positive, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strong", default=STRONG)
    parser.add_argument("--folder", type=Path, default=Path("summary-check"))
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    found = [check(args, bot) for bot in args.bots or WEAKNESSES]
    named, false = sum(each.is_named for each in found), sum(len(each.others) for each in found)
    print(f"{named} of {len(found)} as built in, {false} false")
    return int(named < len(found) or false > 0)


if __name__ == "__main__":
    run(main)
