"""``import kbai``: what it offers, what it costs, and what it says without a build."""

import ast
import doctest
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import cpu_time
import pytest
from places import ROOT

import kbai

PACKAGE = Path(kbai.__file__).parent


def run(
    *arguments: str, check: bool = True, cwd: Path | None = None
) -> subprocess.CompletedProcess:
    """Run Python with the kbai under test."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=check,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": "" if cwd else str(PACKAGE.parent)},
    )


def test_every_name_of_the_library_can_be_used_and_is_listed():
    for name in kbai.__all__:
        assert getattr(kbai, name) is not None
    assert set(kbai.__all__) <= set(dir(kbai))
    assert kbai.__all__ == sorted(kbai.__all__)


def test_a_star_import_brings_every_name():
    run("-c", "from kbai import *\nsuggest, Position, KbaiError")


def test_an_unknown_name_is_an_error():
    with pytest.raises(AttributeError, match="no attribute 'sugest'"):
        _ = kbai.sugest


def test_no_name_of_the_library_is_that_of_a_package():
    modules = {path.stem for path in PACKAGE.iterdir()}
    assert not modules & {*kbai.__all__}


def test_type_checkers_are_told_the_homes_that_are_used():
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    told = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert told == kbai._HOME_OF
    assert sorted(told) == kbai.__all__


def test_everything_is_documented():
    for name in set(kbai.__all__) - {"__version__"}:
        thing = getattr(kbai, name)
        assert thing.__doc__, name
        for key, value in vars(thing).items() if isinstance(thing, type) else ():
            if not key.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{key}"


def test_the_examples_in_docstrings_are_true():
    modules = [kbai, *(import_module(f"kbai.api.{path.stem}") for path in PACKAGE.glob("api/*.py"))]
    outcomes = [doctest.testmod(module) for module in modules]
    assert sum(outcome.failed for outcome in outcomes) == 0
    assert sum(outcome.attempted for outcome in outcomes) > 8


@pytest.mark.parametrize("module", ["kbai", "kbai.__main__"])
def test_importing_loads_nothing_but_the_switch_between_builds(module):
    code = f"import sys, os; old = {{*sys.modules}}; import {module}"
    # Without site, which loads more in one installation than in another.
    loaded = run("-S", "-c", f"{code}; print(*{{*sys.modules}} - old)").stdout.split()
    ours = {name for name in loaded if "cython" not in name}  # its run-time support
    assert ours == {"kbai", "kbai._cpu", module}


@pytest.mark.slow
def test_importing_kbai_takes_at_most_a_third_longer_than_importing_click():
    def holds(seconds):
        return seconds["kbai"] < 1.3 * seconds["click"]

    actions = {name: lambda name=name: run("-c", f"import {name}") for name in ("kbai", "click")}
    assert holds(cpu_time.least(actions, holds, rounds=9))


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Path:
    """A folder with the sources of kbai and nothing built."""
    folder = tmp_path_factory.mktemp("clone")
    shutil.copytree(
        PACKAGE, folder / "kbai", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    )
    return folder


@pytest.mark.parametrize(
    "arguments",
    [("-c", "import kbai"), ("-c", "from kbai.cli import main"), ("-m", "kbai", "--help")],
    ids=" ".join,
)
def test_without_a_build_one_sentence_says_what_to_do(clone, arguments):
    # -S: no installed kbai can help out.
    done = run("-S", *arguments, cwd=clone, check=False)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert f"kbai is not compiled in {clone}: run 'pip install -e .' there, or" in last
    assert last.endswith(".")


def test_python_m_kbai_is_the_command():
    done = run("-m", "kbai", "score")
    assert done.stdout == run("-c", "from kbai.cli import main; main(['score'])").stdout
    assert "total" in done.stdout
    assert run("-m", "kbai", "sugest", check=False).returncode == 2


def test_the_version_is_that_of_the_project_file():
    assert f'version = "{kbai.__version__}"' in (ROOT / "pyproject.toml").read_text()


def test_a_folder_of_sources_alone_has_no_version(monkeypatch):
    from importlib import metadata

    from kbai.core import version

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert version.installed_version() is None
