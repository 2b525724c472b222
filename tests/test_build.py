"""Kernel and tree build without a compiler warning from our lines or a performance hint."""

import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from places import ROOT


@pytest.mark.slow
def test_kernel_and_tree_build_without_warnings_or_hints(tmp_path):
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "kbai"):
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, tmp_path / name)
    result = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--build-lib", "out", "--force"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "KBAI_CFLAGS": "-O1 -g0 -Wall -Wextra -Wno-unused-parameter"},
    )
    output = result.stdout + result.stderr
    assert result.returncode == 0, output
    for module in ("_fast", "_mcts"):
        assert list(tmp_path.glob(f"out/kbai/{module}*")), output
    assert "performance hint" not in output.lower()
    # Cython's own run-time support may warn under -Wextra; what it made of our functions may not.
    ours = [
        line
        for line in output.splitlines()
        if "warning:" in line and not any(word in line for word in CYTHON_OWN)
    ]
    assert not ours, "\n".join(ours)


# -Wextra on code that Cython writes for every module, whatever is in it.
CYTHON_OWN = ("-Wmissing-field-initializers", "-Wcast-function-type", "-Wunused-function")


def test_wheels_are_configured_for_every_python_that_is_supported():
    with open(ROOT / "pyproject.toml", "rb") as file:
        data = tomllib.load(file)
    wheels = data["tool"]["cibuildwheel"]
    assert data["project"]["requires-python"] == ">=3.11"
    assert wheels["build"] == [f"cp3{minor}-*" for minor in (11, 12, 13, 14)]
    for commands in (wheels, wheels["windows"]):
        for part in re.findall(r"{project}/(\S+)", commands["test-command"]):
            assert (ROOT / part).is_dir(), part
