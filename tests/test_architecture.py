"""Layers in one direction: a module imports only from floors below its own."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "kbai"

# Lowest floor first; modules of one floor stand in the order in which they may use each other.
FLOORS = (
    "errors",
    "seeds",
    "stats",
    "measured",
    "store",
    "cache",
    "workers",
    "processes",
    "cluster",
    "parallel",
    "_cpu",
    "_fast",
    "_mcts",
    "content.items",
    "content.files",
    "content",
    "table",
    "pieces",
    "notation",
    "reasons",
    "turns",
    "spans",
    "reading",
    "schema.setup",
    "schema.pieces",
    "schema.tiles",
    "schema.ground",
    "schema.turn",
    "schema.under_way",
    "schema.piles",
    "schema",
    "spelling",
    "record",
    "forecast",
    "trees",
    "search",
    "valuation",
    "view",
    "external",
    "greedy",
    "thinkers",
    "bots",
    "deals",
    "arena",
    "profiles",
    "bench",
    "lookups",
    "review",
    "reviewing",
    "facts",
    "canvas",
    "render",
    "scene",
    "icons",
    "symbols",
    "panel",
    "picture",
    "curves",
    "webpage",
    "report",
    "tables",
    "answers",
    "advice",
    "critique",
    "queries",
    "analysis",
    "page_parts",
    "pages",
    "cli.drawing",
    "cli.inputs",
    "cli.outputs",
    "cli.choices",
    "cli.progress",
    "cli.running",
    "cli.bench",
    "cli.bots",
    "cli.content",
    "cli.convert",
    "cli.new",
    "cli.perft",
    "cli.playout",
    "cli.score",
    "cli.show",
    "cli.suggest",
    "cli.analyze",
    "cli.games",
    "cli.review",
    "cli.export",
    "cli.match",
    "cli.standings",
    "cli.tournament",
    "cli",
)
TERMINAL_ONLY = {"click", "tqdm"}


def module_files() -> dict[str, Path]:
    files = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        if name:
            files[name] = path
    return files


def imports(path: Path) -> set[str]:
    """Return every module a file imports, also inside functions; kbai's without its prefix."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: kbai imports by full names"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {n for n in names if n.removeprefix("kbai.") in FLOORS}
            found |= modules or {node.module}
    return {name.removeprefix("kbai.") for name in found}


def test_every_module_has_a_floor():
    assert set(module_files()) == set(FLOORS) - {"_cpu", "_fast", "_mcts"}


@pytest.mark.parametrize("name", sorted(module_files()))
def test_a_module_imports_only_from_below(name):
    below = FLOORS[: FLOORS.index(name)]
    used = imports(module_files()[name])
    assert {module for module in used if module in FLOORS} <= set(below)
    if not name.startswith("cli"):
        assert not {module.split(".")[0] for module in used} & TERMINAL_ONLY


def test_the_kernel_imports_nothing_of_kbai():
    for path in [PACKAGE / "_fast.pyx", *sorted((PACKAGE / "kernel").glob("*.pxi"))]:
        assert "kbai" not in "".join(
            line for line in path.read_text().splitlines(keepends=True) if "import" in line
        )


def test_the_tree_uses_the_kernel_alone():
    lines = (PACKAGE / "_mcts.pyx").read_text().splitlines()
    assert {line.split()[1] for line in lines if "import" in line and "kbai" in line} == {
        "kbai._fast"
    }


def test_library_code_prints_nothing():
    for name, path in module_files().items():
        calls = [
            node
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
        assert "print" not in {call.func.id for call in calls}, name
