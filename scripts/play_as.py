"""A program for `cmd:` bots that plays as one of kbai's own: so two builds can play each other.

    kbai match "cmd:time=60 env PYTHONPATH=OLD python scripts/play_as.py mcts:seconds=0.2" \\
               "cmd:time=60 env PYTHONPATH=NEW python scripts/play_as.py mcts:seconds=0.2"

It keeps to what was in kbai from the first release with search on.
"""

from __future__ import annotations

import argparse
import json
import sys

from kbai.bots.protocol import View
from kbai.bots.specs import make_bot
from kbai.notation.actions import format_step
from kbai.notation.positions import parse_position


def main() -> None:
    """Answer requests until there are no more."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("bot", help="its spec, such as mcts:seconds=0.2")
    bot = make_bot(parser.parse_args().bot)
    for line in sys.stdin:
        request = json.loads(line)
        position = parse_position(request["position"])
        step = bot.choose(View(position, position.actor, request["seed"]))
        print(json.dumps({"action": format_step(position, step)}), flush=True)


if __name__ == "__main__":
    main()
