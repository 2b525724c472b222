"""Packages in dependency order: a module imports only from its own package and those below it."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from places import ROOT

PACKAGE = ROOT / "kbai"

# Lowest first. A package may use itself and those before it.
PACKAGES = (
    "core",
    "compute",
    "_cpu",
    "_fast",
    "_mcts",
    "content",
    "game",
    "notation",
    "model",
    "search",
    "bots",
    "arena",
    "rollouts",
    "explain",
    "review",
    "summary",
    "importing",
    "bench",
    "draw",
    "report",
    "analyze",
    "play",
    "api",
    "web",
    "cli",
)
COMPILED = {"_cpu", "_fast", "_mcts"}
# Folders that are parts of something else: sources of the compiled modules, and data.
PARTS = {"avx2", "avx512", "data", "kernel", "tree", "__pycache__"}
TERMINAL_ONLY = {"click", "tqdm"}


def module_files() -> dict[str, Path]:
    """Return the file of each module by its name without ``kbai.``.

    Left out are kbai itself and what ``python -m kbai`` runs: they stand above all packages.
    """
    files = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        if name not in ("", "__main__"):
            files[name] = path
    return files


MODULES = module_files()


def imports(path: Path) -> set[str]:
    """Return every module a file imports, also inside functions; kbai's without its prefix."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: kbai imports by full names"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {n for n in names if n.removeprefix("kbai.") in {*MODULES, *COMPILED}}
            # What is not a module is a name that the module before it has.
            found |= modules
            if len(modules) < len(names):
                found.add(str(node.module))
    return {name.removeprefix("kbai.") for name in found}


def package_of(module: str) -> str:
    return module.split(".")[0]


def test_every_package_has_a_place_in_the_order():
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir()} - PARTS
    files = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert folders | files | COMPILED == set(PACKAGES)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_module_imports_only_from_its_package_and_below(name):
    allowed = PACKAGES[: PACKAGES.index(package_of(name)) + 1]
    used = imports(MODULES[name])
    ours = {module for module in used if module in MODULES or module in COMPILED}
    assert {package_of(module) for module in ours} <= set(allowed)
    if package_of(name) != "cli":
        assert not {module.split(".")[0] for module in used} & TERMINAL_ONLY


@pytest.mark.parametrize("package", [name for name in PACKAGES if name not in COMPILED])
def test_the_modules_of_a_package_import_each_other_without_cycles(package):
    inside = {name: path for name, path in MODULES.items() if package_of(name) == package}
    graph = {name: imports(path) & inside.keys() - {name} for name, path in inside.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a cycle of imports: {' <- '.join(error.args[1])}")


@pytest.mark.parametrize("name", [name for name in PACKAGES if name not in COMPILED])
def test_a_package_says_what_it_is_for_in_one_sentence(name):
    doc = ast.get_docstring(ast.parse(MODULES[name].read_text())) or ""
    assert doc.split("\n\n")[0].endswith("."), name


def test_the_kernel_imports_nothing_of_kbai():
    for path in [PACKAGE / "_fast.pyx", *sorted((PACKAGE / "kernel").glob("*.pxi"))]:
        assert "kbai" not in "".join(
            line for line in path.read_text().splitlines(keepends=True) if "import" in line
        )


def test_the_tree_uses_the_kernel_alone():
    lines = (PACKAGE / "_mcts.pyx").read_text().splitlines()
    used = {line.split()[1] for line in lines if "import" in line and "kbai" in line}
    assert used == {"kbai._fast"}


def test_library_code_prints_nothing():
    for name, path in MODULES.items():
        calls = [
            node
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
        assert "print" not in {call.func.id for call in calls}, name
