"""What holds for all tests."""

import os
import signal
from collections.abc import Iterator

import pytest

from kbai.compute.pools import count_cores

# A shell starts what runs in the background deaf to Ctrl-C, and so would be all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the one option of these tests."""
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write tests/golden and the outputs in the pages anew, to be read before use",
    )


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many processes share the tests; none if you name files, which is quicker then.

    More than four would only get in each other's way: many tests start processes of their own.
    """
    is_whole = config.args_source is not pytest.Config.ArgsSource.ARGS
    return min(count_cores(), 4) if is_whole else 0


@pytest.fixture(autouse=True, scope="session")
def no_files_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep out what whoever runs the tests has in a configuration folder or in variables."""
    with pytest.MonkeyPatch.context() as patch:
        for variable in [name for name in os.environ if name.startswith("KBAI_")]:
            patch.delenv(variable)
        for variable in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME", "APPDATA"):
            patch.setenv(variable, str(tmp_path_factory.mktemp("home")))
        yield
