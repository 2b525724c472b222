"""Files written by an earlier kbai are still read: see kept/README.md for how they were made."""

import json
import re
import shutil
import sys

import pytest
from commands import run
from places import TESTS

from kbai.arena.results import read_results
from kbai.bots.protocol import View
from kbai.bots.registry import bot_kinds
from kbai.bots.specs import make_bot
from kbai.compute.cache import Cache
from kbai.compute.pools import threads
from kbai.importing.reading import read_any
from kbai.notation.games import format_game, parse_game
from kbai.report.review_json import review_dict
from kbai.review import assemble, judge, looks, searches
from kbai.review.plan import ReviewOptions, plan_review
from kbai.review.run import run_reviews
from kbai.search.calibration import Misjudged
from kbai.search.params import Limit

KEPT = TESTS / "kept"
JOURNALS = ("match", "search-match", "faulty-match", "tournament")
START = (
    "kb1 board=oracle,farm,tavern,tower cards=miners,knights,lords red=- blue=- turn=red card=grass"
)
DOUBT = Misjudged(win=0.7, gold=4.8, margin=4.0, mover=0.5)
REVIEWED = ReviewOptions(Limit(20), seed=1, turns=range(3, 6))


def kept(name):
    return (KEPT / name).read_text("utf-8")


def shape(value):
    """Return the keys of a JSON value with the shapes below them; a list has those of its items."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    found = {}
    if isinstance(value, list):
        for inner in map(shape, value):
            found = merged(found, inner)
    return found


def merged(first, second):
    common = {key: merged(first[key], second[key]) for key in first.keys() & second.keys()}
    return first | second | common


def assert_has(now, before, path=""):
    """Check that a shape has all keys of another one."""
    for key, inner in before.items():
        assert key in now, f"the key {path}{key} is gone"
        assert_has(now[key], inner, f"{path}{key}.")


def assert_same(now, before, path="it"):
    """Check that a JSON value is as before, but for keys that have come since."""
    if isinstance(before, dict):
        for key, inner in before.items():
            assert key in now, f"the key {key} of {path} is gone"
            assert_same(now[key], inner, f"{path}.{key}")
    elif isinstance(before, list):
        assert len(now) == len(before), path
        for number, (new, old) in enumerate(zip(now, before, strict=True)):
            assert_same(new, old, f"{path}[{number}]")
    elif isinstance(before, float):
        assert now == pytest.approx(before), path
    else:
        assert now == before, path


@pytest.mark.parametrize("name", JOURNALS)
def test_a_kept_journal_has_the_standings_it_had(name):
    result = run("standings", KEPT / f"{name}.jsonl", "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert_same(json.loads(result.stdout), json.loads(kept(f"{name}.json")))


def test_a_kept_match_goes_on_where_it_was(tmp_path):
    path = tmp_path / "match.jsonl"
    shutil.copy(KEPT / "match.jsonl", path)
    result = run("match", "greedy", "random", "--groups", 3, "--out", path, "--threads")
    assert result.exit_code == 0, result.stderr
    assert "4 of 6 games" in result.stderr
    assert path.read_text().startswith(kept("match.jsonl"))
    assert len(list(read_results(path)[1])) == 6


def test_the_plan_of_a_kept_match_gives_the_same_journal_again(tmp_path):
    path = tmp_path / "match.jsonl"
    run("match", "greedy", "random", "--groups", 2, "--seed", 1, "--out", path, "--threads")
    header, *games = path.read_text().splitlines()
    old_header, *old_games = kept("match.jsonl").splitlines()
    assert header == old_header
    # Since then each line has a checksum at its end.
    without_sum = [re.sub(r',"sum":"[0-9a-f]{16}"\}$', "}", line) for line in games]
    assert all(map(str.__ne__, without_sum, games))
    assert sorted(without_sum) == sorted(old_games)


def test_a_kept_game_of_all_sets_is_read_and_written_the_same():
    text = kept("all-sets.kbg")
    game = parse_game(text)
    assert len(game.turns) == 33
    assert format_game(game) == text


def test_a_kept_position_is_the_same_in_all_three_spellings():
    line, toml, data = (read_any(kept(f"position.{form}")) for form in ("line", "toml", "json"))
    assert line == toml == data
    assert line == parse_game(kept("all-sets.kbg")).position_before(12)
    for form in ("line", "toml", "json"):
        assert run("convert", KEPT / "position.line", "--to", form).stdout == kept(
            f"position.{form}"
        )


def test_a_kept_cache_answers_a_review_without_a_search(tmp_path, monkeypatch):
    # A better search has another version, on purpose: its answers differ. This is about the ids
    # and the answers of one version.
    version = kept("search-version.txt").strip()
    monkeypatch.setattr(searches, "search_version", lambda: version)
    for module in (assemble, looks):  # how far searches are off is measured anew now and then
        monkeypatch.setattr(module, "misjudged_in", lambda position: DOUBT)
    monkeypatch.setattr(judge, "CERTAIN", 1.0)  # when the file was written, two errors were enough
    shutil.copy(KEPT / "review-cache.jsonl", tmp_path)
    plan = plan_review("short.kbg", parse_game(kept("short.kbg")), REVIEWED)
    tasks = plan.tasks()
    with Cache(tmp_path / "review-cache.jsonl") as cache:
        known = cache.find(tasks.keys())
    assert known.keys() == tasks.keys()
    reviews = []
    run_reviews(
        [plan],
        workers=threads(1),
        known=known,
        keep=lambda id, answer: pytest.fail("a search was made"),
        on_review=reviews.append,
    )
    assert_same(review_dict(reviews[0]), json.loads(kept("review.json")))


def test_a_suggestion_has_the_keys_it_had():
    result = run("suggest", KEPT / "position.line", "--visits", 50, "--seed", 1, "--format", "json")
    assert_has(shape(json.loads(result.stdout)), shape(json.loads(kept("suggest.json"))))


def test_kept_queries_get_answers_with_the_keys_they_had():
    result = run("analyze", KEPT / "queries.jsonl", "--seed", 1, "--workers", 1)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    before = [json.loads(line) for line in kept("answers.jsonl").splitlines()]
    assert len(answers) == len(before) == 4
    for now, old in zip(answers, before, strict=True):
        assert now["id"] == old["id"]
        for answer in (now, old):
            if "ownership" in answer:  # its cells are those that a search has seen owned
                answer["ownership"] = dict.fromkeys(answer["ownership"])
        assert_has(shape(now), shape(old))


def test_a_kept_package_brings_its_bot(monkeypatch):
    monkeypatch.syspath_prepend(KEPT / "package")
    try:
        start = read_any(START)
        assert make_bot("last:back=2").choose(View(start, 0, 0)) == start.legal()[-2]
        assert "last" in [kind.name for kind in bot_kinds()]
        result = run("match", "last", "random", "--groups", 1, "--seed", 1, "--threads")
        assert result.exit_code == 0, result.stderr
    finally:
        sys.modules.pop("last_bot", None)
