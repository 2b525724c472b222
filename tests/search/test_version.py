"""The version of the search."""

from kbai.bench.signature import run_bench
from kbai.review.searches import PARAMS, search_version
from kbai.search.params import SearchParams
from kbai.search.version import SIGNATURE, SIGNATURE_VISITS


def test_the_signature_is_what_the_benchmark_gives():
    # It changes with the search: then write what run_bench gives into kbai/search/version.py.
    for params in (SearchParams(), PARAMS):
        assert run_bench(SIGNATURE_VISITS, params).signature == SIGNATURE


def test_a_few_visits_tell_another_search_apart():
    other = SearchParams(exploration=0.46)
    assert run_bench(SIGNATURE_VISITS, other).signature != SIGNATURE


def test_no_benchmark_runs_to_name_the_version(monkeypatch):
    monkeypatch.setattr("kbai.search.searcher.Searcher.run", None)
    search_version.cache_clear()
    assert search_version()
