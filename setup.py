"""Builds the Cython kernel and the search tree; everything else is declared in pyproject.toml."""

import os
import platform
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup  # before Cython, as its docs ask

if sys.platform == "win32":
    flags = ["/O2", "/fp:precise"]
else:
    # No contraction into FMA: searches stay reproducible whatever -march is given.
    flags = ["-O3", "-ffp-contract=off"]
    if platform.machine() == "x86_64" and sys.platform == "linux":
        flags.append("-mpopcnt")  # every x86-64 since 2008; without it gcc calls a library function
    # Replaces all of the above, for sanitizer and debug builds: extra arguments come last and win.
    flags = os.environ.get("KBAI_CFLAGS", " ".join(flags)).split()

setup(
    ext_modules=cythonize(
        [Extension(f"kbai.{name}", [f"kbai/{name}.pyx"], extra_compile_args=flags)
         for name in ("_fast", "_mcts")],
        build_dir="build",  # keeps the generated C out of the package
        force=True,  # the timestamp check misses changed flags and directives
    )
)
