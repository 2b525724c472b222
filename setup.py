"""Builds the kernel and the search tree; everything else is declared in pyproject.toml."""

import os
import platform
import shutil
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

HEADERS = "kbai/kernel"

variants = {}  # more builds, by folder: their flags and modules
if sys.platform == "win32":
    flags = ["/O2", "/fp:precise"]
else:
    # No contraction to FMA: a search gives the same results whatever -march is.
    # No debug information, which Python's own flags ask for: it is six sevenths of each file.
    # Functions on cache lines of their own: otherwise playouts are up to a twentieth slower only
    # because other code has become longer or shorter.
    flags = ["-O3", "-ffp-contract=off", "-g0", "-falign-functions=64"]
    if platform.machine() == "x86_64" and sys.platform == "linux":
        # Every x86-64 processor since 2008 has popcnt. Without the flag gcc calls a function.
        flags.append("-mpopcnt")
        # Nearly all processors since 2015 have AVX2 and BMI2, which save a sixth of the
        # instructions of a playout. So the kernel and the tree are compiled a second time for
        # them, and kbai/__init__.py chooses one of the builds.
        avx2_flags = ["-mavx2", "-mbmi", "-mbmi2"]
        variants["avx2"] = (avx2_flags, ("_fast", "_mcts"))
        # A board in one register. The kernel alone, and only where it asks for that (KB_512): what
        # a compiler makes of other code with wide vectors is slower.
        wide = [f"-mavx512{part}" for part in ("f", "vl", "bw", "dq", "vbmi", "vpopcntdq")]
        variants["avx512"] = ([*avx2_flags, *wide, "-mprefer-vector-width=256"], ("_fast",))
    # For sanitizers and debugging. It replaces all flags above, because the compiler gets them
    # after CFLAGS and the last one wins.
    flags = os.environ.get("KBAI_CFLAGS", " ".join(flags)).split()


def extension(name: str, source: str, flags: list[str]) -> Extension:
    return Extension(
        name,
        [source],
        include_dirs=[HEADERS],
        depends=[f"{HEADERS}/bits.h"],
        extra_compile_args=flags,
    )


extensions = cythonize(
    [extension(f"kbai.{name}", f"kbai/{name}.pyx", flags) for name in ("_cpu", "_fast", "_mcts")],
    build_dir="build",  # keeps the generated C out of the package
    force=True,  # Cython compares times of files only, and misses changed directives
)
for folder, (more_flags, names) in variants.items():
    sources = Path("build/kbai", folder)
    sources.mkdir(parents=True, exist_ok=True)
    Path("kbai", folder).mkdir(exist_ok=True)  # build_ext --inplace copies to it
    for name in names:
        # Of a copy of the source, because an object file is named after its source.
        source = shutil.copy(f"build/kbai/{name}.c", sources)
        extensions.append(extension(f"kbai.{folder}.{name}", str(source), flags + more_flags))

# The five large files are compiled side by side, as many as there are cores.
setup(ext_modules=extensions, options={"build_ext": {"parallel": os.cpu_count() or 1}})
