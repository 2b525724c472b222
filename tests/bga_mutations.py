"""Damaged logs and pages: cut, garbled, and with values that nobody expects in them."""

import json
import random
import re

JUNK = (
    None, True, False, 0, -1, 3, 21, 10**30, 0.5, 1e308, float("nan"), "", "x", "-3", "19", "back",
    "\ud800", "<script>", [], {}, [[]], [None], {"x": 1}, {"x": 3, "y": "4"}, "/player/p1", 99,
)  # fmt: skip
_NUMBER = re.compile(r"\b[0-9]+\b")
_WORD = re.compile(r'"[A-Za-z_]+"')


def mutate(text: str, rng: random.Random) -> str:
    """Return a text with one to four things wrong with it."""
    for _ in range(rng.randint(1, 4)):
        text = rng.choice(CHANGES)(text, rng)
    return text


def cut(text, rng):
    place = rng.randrange(len(text) + 1)
    return rng.choice((text[:place], text[place:]))


def remove(text, rng):
    place = rng.randrange(len(text) + 1)
    return text[:place] + text[place + rng.choice((1, 10, 1000)) :]


def repeat(text, rng):
    place = rng.randrange(len(text) + 1)
    return text[:place] + text[place : place + rng.choice((1, 10, 1000))] + text[place:]


def garble(text, rng):
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice('{}[]",:\\<>\0\u2028é0') + text[place + 1 :]


def change_number(text, rng):
    return _change_token(_NUMBER, text, rng, str(rng.choice((0, 1, 4, 5, 9, 16, 99, 10**25))))


def change_word(text, rng):
    words = ('"build"', '"move"', '"cancel"', '"showTerrain"', '"useTile"', '"x"', '"id"', '"args"')
    return _change_token(_WORD, text, rng, rng.choice(words))


def change_value(text, rng):
    """Change a value anywhere in the data, if it can still be read as such."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return change_number(text, rng)
    node = data
    for _ in range(rng.randint(1, 9)):
        inner = _children(node)
        deeper = [key for key in inner if isinstance(node[key], dict | list) and node[key]]
        if not deeper or not rng.randrange(8):
            break
        node = node[rng.choice(deeper)]
    inner = _children(node)
    if inner:
        key, other = rng.choice(inner), rng.choice(inner)
        match rng.randrange(4):
            case 0:
                node[key] = rng.choice(JUNK)
            case 1:
                node[key], node[other] = node[other], node[key]
            case 2:
                del node[key]
            case 3 if isinstance(node, list):
                node.insert(rng.randrange(len(node) + 1), node[key])
    return json.dumps(data)


CHANGES = (cut, remove, repeat, garble, *3 * (change_number, change_word), *6 * (change_value,))


def _children(node):
    if isinstance(node, dict):
        return list(node)
    return range(len(node)) if isinstance(node, list) else []


def _change_token(pattern, text, rng, new):
    place = rng.randrange(len(text) + 1)
    found = pattern.search(text, place) or pattern.search(text)
    return text[: found.start()] + new + text[found.end() :] if found else text
