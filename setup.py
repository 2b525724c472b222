"""Builds the Cython kernel and the search tree; everything else is declared in pyproject.toml."""

import os
import platform
import shutil
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup  # before Cython, as its docs ask

WIDE = Path("build/kbai/avx2")
# Kernel and tree are compiled once more for processors with AVX2 and BMI2, nearly all since 2015;
# kbai/__init__.py chooses. Saves a sixth of the instructions of a playout.
wide_flags = []
if sys.platform == "win32":
    flags = ["/O2", "/fp:precise"]
else:
    # No contraction into FMA: searches stay reproducible whatever -march is given.
    flags = ["-O3", "-ffp-contract=off"]
    if platform.machine() == "x86_64" and sys.platform == "linux":
        flags.append("-mpopcnt")  # every x86-64 since 2008; without it gcc calls a library function
        wide_flags = ["-mavx2", "-mbmi", "-mbmi2"]
    # Replaces all of the above, for sanitizer and debug builds: extra arguments come last and win.
    flags = os.environ.get("KBAI_CFLAGS", " ".join(flags)).split()

extensions = cythonize(
    [
        Extension(f"kbai.{name}", [f"kbai/{name}.pyx"], extra_compile_args=flags)
        for name in ("_cpu", "_fast", "_mcts")
    ],
    build_dir="build",  # keeps the generated C out of the package
    force=True,  # the timestamp check misses changed flags and directives
)
if wide_flags:
    WIDE.mkdir(parents=True, exist_ok=True)
    Path("kbai/avx2").mkdir(exist_ok=True)  # where a build in place copies to
    for name in ("_fast", "_mcts"):
        source = shutil.copy(f"build/kbai/{name}.c", WIDE)  # a place for an object file of its own
        extensions.append(
            Extension(f"kbai.avx2.{name}", [source], extra_compile_args=flags + wide_flags)
        )

setup(ext_modules=extensions)
