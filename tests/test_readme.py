"""What README.md, CONTRIBUTING.md and docs/ say is true: commands, outputs, files, links.

A ``console`` block has lines ``$ COMMAND`` and what they print, ``...`` standing for any lines; an
``sh`` block has commands only. ``<!-- file: NAME -->`` names the block below it, so that commands
can read it. Only RUN is run; commands that install, build or take long are only looked at.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from places import ROOT
from test_architecture import PACKAGES

import kbai
from kbai.cli import COMMANDS

README = ROOT / "README.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
COMMANDS_PAGE = ROOT / "docs" / "commands.md"
BOTS_PAGE = ROOT / "docs" / "bots.md"
PICTURE = ROOT / "docs" / "board.svg"
PAGES = [README, CONTRIBUTING, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
FRESH = {
    "run": "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/kbai suggest",
    "test": 'python3 -m venv .venv && .venv/bin/pip install -q -e ".[dev]" '
    "&& .venv/bin/python -m pytest",
}
RUN = ("kbai ", "sed ", "python ten_lines.py", 'eval "$(_KBAI_COMPLETE=')
# Variables may stand before each of these.
NOT_RUN = (
    *FRESH.values(),
    ". .venv/bin/activate",
    "pip install .",
    "python setup.py build_ext --inplace --force",
    "python -m pytest",
    "python scripts/",
    "git config ",
    "ruff format . && ruff check --fix .",
)
SHIMS = {
    "kbai": """exec {python} -c "from kbai.cli import main; main(prog_name='kbai')" "$@"\n""",
    "python": """exec {python} "$@"\n""",
}


class Block(NamedTuple):
    """A fenced block: its language, the mark in the comment above it, its text."""

    language: str
    mark: str
    text: str


class Example(NamedTuple):
    """A command and what it prints; None: not said."""

    page: Path
    command: str
    output: str | None


def blocks(page: Path) -> list[Block]:
    fenced = r"(?:^<!-- (.+?) -->\n)?^```(\w*)\n(.*?)^```$"
    return [
        Block(language, mark, text)
        for mark, language, text in re.findall(fenced, page.read_text("utf-8"), re.M | re.S)
    ]


def examples(page: Path) -> list[Example]:
    found = []
    for block in blocks(page):
        if block.language == "sh":
            found += [Example(page, line, None) for line in block.text.splitlines()]
        elif block.language == "console":
            first, *parts = re.split(r"^\$ ", block.text, flags=re.M)
            assert first == "", f"{page.name}: a console block starts with '$ ', not with {first!r}"
            for part in parts:
                command, _, output = part.partition("\n")
                found.append(Example(page, command, output))
    return found


EXAMPLES = [example for page in PAGES for example in examples(page)]


def is_run(example: Example) -> bool:
    return example.command.startswith(RUN)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run a command line where the files of the pages are and `kbai` is the one under test."""
    folder = tmp_path_factory.mktemp("readme")
    programs = folder / "bin"
    programs.mkdir()
    for name, script in SHIMS.items():
        shim = programs / name
        shim.write_text("#!/bin/sh\n" + script.format(python=shlex.quote(sys.executable)))
        shim.chmod(0o755)
    for block in (block for page in PAGES for block in blocks(page)):
        if block.mark.startswith("file: "):
            path = folder / block.mark.removeprefix("file: ")
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text, "utf-8")
    variables = os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(kbai.__file__).parents[1]),
        "PYTHONUTF8": "1",
    }

    def run(command):
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=folder, env=variables, capture_output=True, encoding="utf-8", timeout=300,
        )  # fmt: skip

    return run


@pytest.fixture(scope="module")
def ran() -> set[str]:
    """Return the command lines that were run, with what they have written still in place."""
    return set()


@pytest.mark.slow
@pytest.mark.parametrize(
    "example", [e for e in EXAMPLES if is_run(e)], ids=lambda e: f"{e.page.name}: {e.command}"
)
def test_a_command_prints_what_the_page_says(example, run, ran, request):
    for earlier in EXAMPLES[: EXAMPLES.index(example)]:
        writes = {*re.findall(r" --out (\S+)", earlier.command)}
        if writes & {*example.command.split()} and earlier.command not in ran:
            run(earlier.command)  # it writes what this one reads
            ran.add(earlier.command)
    done = run(example.command)
    ran.add(example.command)
    wanted = example.output
    assert done.returncode == int("Error: " in (wanted or "")), done.stderr
    # A note, such as that a layout is not the printed one, is no complaint.
    assert [line for line in done.stderr.splitlines() if not line.startswith("note: ")] == []
    if wanted is not None:
        parts = re.split(r"^\.\.\.\n", wanted, flags=re.M)
        if request.config.getoption("rewrite_golden") and len(parts) == 1:
            text = example.page.read_text("utf-8")
            old, new = (f"$ {example.command}\n{output}" for output in (wanted, done.stdout))
            example.page.write_text(text.replace(old, new), "utf-8")
            return
        assert re.fullmatch("(?s:.*)".join(map(re.escape, parts)), done.stdout), done.stdout


def test_a_command_that_is_not_run_is_a_known_one():
    for example in EXAMPLES:
        command = re.sub(r'^(?:[A-Z_]+=(?:"[^"]*"|\S+) )+', "", example.command)
        assert is_run(example) or command.startswith(NOT_RUN), command


def test_every_command_is_run_and_its_output_compared():
    shown = {word for e in EXAMPLES if is_run(e) and e.output
             for word in re.findall(r"kbai (\w+)", e.command)}  # fmt: skip
    assert shown >= set(COMMANDS)


def test_a_file_for_the_examples_is_named_in_the_text_and_given_once():
    names = []
    for page in PAGES:
        text = page.read_text("utf-8")
        for block in blocks(page):
            if block.mark.startswith("file: "):
                names.append(block.mark.removeprefix("file: "))
                assert f"`{names[-1]}`" in text, page.name
    assert {"position.toml", "game.kbg", "queries.jsonl", "first_bot.py"} <= set(names)
    assert len(names) == len(set(names))


def test_the_picture_is_what_the_command_beside_it_draws(run, request):
    command = re.search(r"`(kbai show \S+ --turn \d+ --svg) board.svg`", README.read_text("utf-8"))
    done = run(f"{command[1]} -")
    if request.config.getoption("rewrite_golden"):
        PICTURE.write_text(done.stdout, "utf-8")
    assert done.stdout == PICTURE.read_text("utf-8")


def test_readme_stays_short():
    assert README.stat().st_size <= 12 * 1024


def test_completion_completes(run):
    source = next(e.command for e in EXAMPLES if "_KBAI_COMPLETE" in e.command)
    done = run(f"{source}; COMP_WORDS=(kbai s) COMP_CWORD=1; _kbai_completion kbai; "
               'echo "${COMPREPLY[@]}"; complete -p kbai')  # fmt: skip
    names, registered = done.stdout.splitlines()
    assert names == "suggest serve show score standings"
    assert registered.endswith("kbai")


def test_the_fresh_commands_are_there_word_for_word():
    marked = {b.mark: b for b in blocks(README) if b.mark.startswith("fresh: ")}
    assert marked == {
        f"fresh: {name}": Block("sh", f"fresh: {name}", f"{command}\n")
        for name, command in FRESH.items()
    }


def test_ci_runs_the_test_command_and_nothing_else():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text() == (
        f'#!/usr/bin/env bash\nset -euo pipefail\ncd "$(dirname "$0")/.."\n{FRESH["test"]}\n'
    )


@pytest.mark.slow
def test_every_script_is_named_and_explains_itself():
    named = {name for page in PAGES for name in re.findall(r"scripts/\w+\.py", page.read_text())}
    assert named == {f"scripts/{path.name}" for path in (ROOT / "scripts").glob("*.py")}
    variables = os.environ | {"PYTHONPATH": str(Path(kbai.__file__).parents[1])}
    for name in sorted(named):
        help_text = subprocess.run(
            [sys.executable, ROOT / name, "--help"],
            env=variables, capture_output=True, text=True, check=True, timeout=120,
        ).stdout  # fmt: skip
        for example in EXAMPLES:
            if name in example.command:
                for option in re.findall(r" (--[a-z-]+)", example.command.partition(name)[2]):
                    assert option in help_text


def test_the_commands_of_the_pages_are_those_of_help(run):
    listed = run("kbai --help").stdout.partition("Commands:\n")[2]
    names = re.findall(r"^  (\w+)", listed, re.M)
    assert names == list(COMMANDS)
    assert re.findall(r"^\| `kbai (\w+)` \|", README.read_text("utf-8"), re.M) == names
    assert re.findall(r"^## kbai (\w+)$", COMMANDS_PAGE.read_text("utf-8"), re.M) == names
    for page in PAGES:
        assert set(re.findall(r"`kbai ([a-z]\w*)", page.read_text("utf-8"))) <= set(names)


def section(page: Path, heading: str) -> str:
    return page.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_the_packages_of_contributing_are_those_of_the_architecture_test():
    rows = re.findall(r"^\| `(\w+)(?:\.pyx|/)` \|", section(CONTRIBUTING, "The packages"), re.M)
    assert tuple(rows) == PACKAGES


def test_where_to_find_things_names_files_and_folders_that_exist():
    table = section(CONTRIBUTING, "Where to find things")
    rows = re.findall(r"^\| (.*\?) \| (.*) \|$", table, re.M)
    assert len(rows) >= 20
    assert len(dict(rows)) == len(rows)
    for question, answer in rows:
        paths = re.findall(r"`([^`]+)`", answer)
        assert paths and all((ROOT / path).exists() for path in paths), question


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.is_relative_to(ROOT) and path.is_file(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.M)
            assert anchor in map(slug, headings), target


def test_every_path_in_code_marks_exists():
    """From the root or from kbai/, as in the table of packages; NAME stands for any name."""
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
        for name in re.findall(r"`((?:kbai|kernel|tests|scripts|docs|data|cli)/[\w./*]*)`", text):
            pattern = name.replace("NAME", "*")
            assert [*ROOT.glob(pattern), *(ROOT / "kbai").glob(pattern)], name
