"""A script of the folder scripts/ as a module, so that tests can call its functions."""

import importlib.util
import sys
from types import ModuleType

from places import ROOT


def load_script(name: str) -> ModuleType:
    """Return the module of a script; while it is loaded, it finds the scripts beside it."""
    folder = ROOT / "scripts"
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module
