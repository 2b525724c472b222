"""Style, types and stubs are checked with the tests, so that they cannot rot.

What each tool looks for is in pyproject.toml. A name in stubtest_allowlist.txt differs from its
stub on purpose.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT, TESTS

CYTHON = sorted(
    str(path.relative_to(ROOT))
    for pattern in ("*.pyx", "*.pxd", "kernel/*.pxi", "tree/*.pxi")
    for path in (ROOT / "kbai").glob(pattern)
)
ALLOWED = TESTS / "stubtest_allowlist.txt"
COMPILED = ("kbai._cpu", "kbai._fast", "kbai._mcts")
CHECKS = {
    "ruff check": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "cython-lint": ["cython-lint", *CYTHON],
    "mypy": ["mypy"],
    "stubtest": ["stubtest", "--allowlist", str(ALLOWED), *COMPILED],
}

QUICK = ("ruff check", "ruff format")


def run_tool(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of the environment that runs the tests, whether it is active or not."""
    folder = Path(sys.executable).parent
    # cython-lint starts a tool of its own, by name.
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    return subprocess.run(
        [folder / command[0], *command[1:]],
        cwd=ROOT,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, id=name, marks=[] if name in QUICK else pytest.mark.slow)
        for name, command in CHECKS.items()
    ],
)
def test_a_check_finds_nothing(command):
    done = run_tool(*command)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_check_can_fail(tmp_path):
    """A tool that is missing, or looks at no file, would pass the test above for ever."""
    bad = tmp_path / "bad.py"
    bad.write_text("import os\ndef f(x): return x+ 1\n")
    config = str(ROOT / "pyproject.toml")
    assert "F401" in run_tool("ruff", "check", "--config", config, str(bad)).stdout
    assert run_tool("ruff", "format", "--check", "--config", config, str(bad)).returncode == 1
    assert "no-untyped-def" in run_tool("mypy", "--config-file", config, str(bad)).stdout
    cython = tmp_path / "bad.pyx"
    cython.write_text("import os\n")
    assert "but unused" in run_tool("cython-lint", str(cython)).stdout
    assert run_tool("stubtest", "--ignore-unused-allowlist", "kbai._fast").returncode == 1


def test_nothing_is_ignored_wholesale():
    """A check that is switched off for a line names what it switches off."""
    for path in [*(ROOT / "kbai").rglob("*.py*"), *(ROOT / "scripts").rglob("*.py")]:
        if path.suffix not in (".py", ".pyi", ".pyx", ".pxd"):
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            place = f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
            assert "type: ignore" not in line or "type: ignore[" in line, place
            assert "# noqa" not in line or "# noqa: " in line, place
            assert "mypy: ignore-errors" not in line and "ruff: noqa" not in line, place
