"""Kernel and tree build without a compiler warning from our lines or a performance hint."""

import os
import shutil
import subprocess
import sys

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
        env={**os.environ, "CFLAGS": "-O1 -Wall -Wextra -Wno-unused-parameter"},
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
