"""What holds for all tests."""

import signal
from collections.abc import Iterator

import pytest

# A shell starts what runs in the background deaf to Ctrl-C, and so would be all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the one option of these tests."""
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write tests/golden and the outputs in the pages anew, to be read before use",
    )


@pytest.fixture(autouse=True, scope="session")
def no_files_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep quadrants out that whoever runs the tests has in a configuration folder."""
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("XDG_CONFIG_HOME", "HOME", "APPDATA"):
            patch.setenv(variable, str(tmp_path_factory.mktemp("home")))
        yield
