"""A command on an input, in this process or in one of its own, and what must hold afterwards."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import traceback
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from fuzzing.cases import FILE, FOLDER, GAME_FILE, NEW, OUT, TEXT, Case
from fuzzing.corpus import GAME

MAX_S = 2.0
MAX_MB = 300
# On a busy machine a process may wait long for a core; what waits forever is caught by this.
MAX_WAIT_S = 600.0
# Of messages: people are to read them.
MAX_LINES = 30
MAX_CHARS = 2_000
NAMES = {"line": "line.txt", "toml": "position.toml", "json": "position.json", "game": "game.kbg",
         "log": "log.json", "query": "queries.jsonl", "quadrants": "own.toml",
         "journal": "match.jsonl", "cache": "cache.jsonl", "words": "words.txt"}  # fmt: skip
OLD = b"<svg>what was there before</svg></html>"
PROGRAM = (sys.executable, "-c", "from kbai.cli import main; main(prog_name='kbai')")


@dataclass(frozen=True, slots=True)
class Run:
    """How a command ended."""

    code: int
    stdout: bytes
    stderr: bytes
    seconds: float
    """Of the processor."""
    error: BaseException | None = None
    peak_mb: float = 0


class Table:
    """A folder of its own in which commands are run one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.inputs = folder / "in"
        self.outputs = folder / "out"
        self.game = folder / "game.kbg"
        self.game.write_bytes(GAME)

    def lay(self, case: Case) -> tuple[list[str], bytes]:
        """Put the files of a case there; return the arguments and stdin."""
        for folder in (self.inputs, self.outputs):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        file = self.inputs / NAMES[case.kind]
        if {FILE, FOLDER} & set(case.arguments):
            file.write_bytes(case.data)
        out = self.outputs / "out"
        if OUT in case.arguments:
            out.write_bytes(OLD)
        places = {
            FILE: str(file),
            FOLDER: str(self.inputs),
            OUT: str(out),
            NEW: str(self.outputs / "new"),
            GAME_FILE: str(self.game),
            TEXT: os.fsdecode(case.data),
        }
        arguments = [places.get(argument, argument) for argument in case.arguments]
        return arguments, case.data if "-" in case.arguments else b""

    def problems(self, case: Case, run: Run) -> list[str]:
        """Return what must not be, each in words that are the same for the same cause."""
        found = [*_ending(run), *_texts(case, run)]
        if not found:
            found += self._files(case, run)
        name = next((word for word in case.arguments if not word.startswith("-")), "")
        return [f"{name}, {case.kind}: {problem}" for problem in found]

    def _files(self, case: Case, run: Run) -> list[str]:
        found = []
        if OUT in case.arguments:
            found += _written(case, run, (self.outputs / "out").read_bytes())
        extra = {path.name for path in self.outputs.iterdir()} - {"out", "new"}
        extra |= {path.name for path in self.inputs.iterdir()} - {NAMES[case.kind]}
        if extra:
            found.append("files are left behind")
        if FILE in case.arguments and "--out" not in case.arguments and case.kind != "cache":
            if (self.inputs / NAMES[case.kind]).read_bytes() != case.data:
                found.append("the input was changed")
        if "--out" in case.arguments:
            now = (self.inputs / NAMES[case.kind]).read_bytes()
            whole = _whole_lines(case.data, run)
            if run.code and now != case.data:
                found.append("the journal was changed although it was refused")
            if not run.code and not (now.startswith(whole) and now.endswith(b"\n")):
                found.append("the journal lost lines")
        return found


def _whole_lines(journal: bytes, run: Run) -> bytes:
    """Return the lines that must stay: not a damaged one at the end if it is said to be cut off."""
    whole = journal[: journal.rfind(b"\n") + 1]
    is_cut = b"cut off" in run.stderr
    return whole[: whole.rstrip(b"\n").rfind(b"\n") + 1] if is_cut else whole


def _ending(run: Run) -> list[str]:
    found = []
    if run.error is not None:
        found.append(f"{type(run.error).__name__} at {place(run.error)}")
    elif run.code not in (0, 1, 2):
        found.append(f"exit code {run.code}")
    if run.seconds > MAX_S:
        found.append(f"more than {MAX_S:g} s")
    if run.peak_mb > MAX_MB:
        found.append(f"more than {MAX_MB} MB")
    return found


def place(error: BaseException) -> str:
    """Return where an exception came from: the last line of kbai, and the last of all."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/kbai/" in frame.filename]
    last = (ours or frames)[-1]
    text = f"{Path(last.filename).parent.name}/{Path(last.filename).name}:{last.lineno} {last.name}"
    if frames[-1] is not last:
        text += f" (in {Path(frames[-1].filename).name} {frames[-1].name})"
    return text


def _texts(case: Case, run: Run) -> list[str]:
    found = []
    if b"Traceback" in run.stderr or b"Traceback" in run.stdout:
        lines = run.stderr.decode("utf-8", "replace").split("Traceback", 1)[-1].strip().split("\n")
        found.append(f"a traceback: {lines[-1][:100]}")
    messages = run.stderr.decode("utf-8", "replace")
    if run.error is None and (run.code != 0) != bool(messages.strip()) and not messages:
        found.append("an error without a message")
    lines = messages.split("\n")
    if len(lines) > MAX_LINES:
        found.append("a message of many lines")
    if any(len(line) > MAX_CHARS for line in lines):
        found.append("a message that is too long")
    if raw := _raw(run.stderr):
        found.append(f"{raw} on stderr")
    if raw := _raw(run.stdout):
        found.append(f"{raw} on stdout")
    inside = re.search(rb"\b[A-Z]\w+Error: ", run.stdout + run.stderr)
    if inside and b"Traceback" not in run.stderr:
        found.append(f"{inside[0].decode()}in a message")
    if case.is_json:
        found += _wrong_json(run.stdout)
    return found


def _raw(text: bytes) -> str:
    """Return what kind of character must not reach a terminal, if there is one."""
    if text.isascii():
        return "a control character" if re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", text) else ""
    try:
        characters = text.decode()
    except UnicodeDecodeError:
        return "what is no UTF-8"
    kinds = {unicodedata.category(c) for c in set(characters) - {"\n"}}
    if "Cc" in kinds:
        return "a control character"
    if kinds & {"Zl", "Zp"}:
        return "a line separator"
    if re.search("[\u202a-\u202e\u2066-\u2069]", characters):
        return "a change of direction"
    return ""


def _wrong_json(text: bytes) -> list[str]:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} in JSON")

    try:
        values = [json.loads(text, parse_constant=refuse)] if text.strip() else []
    except ValueError:
        lines = [line for line in text.split(b"\n") if line.strip()]
        try:
            values = [json.loads(line, parse_constant=refuse) for line in lines]
        except ValueError as error:
            return [f"stdout is no JSON: {str(error)[:60]}"]
    for value in values:
        error = value.get("error") if isinstance(value, dict) else None
        if isinstance(error, dict) and len(json.dumps(error)) > MAX_CHARS:
            return ["an answer with an error that is too long"]
    return []


def _written(case: Case, run: Run, text: bytes) -> list[str]:
    """Tell whether a file is as it was, or a whole new one; a game may be good up to a turn."""
    if text == OLD:
        return [] if run.code else ["nothing was written"]
    if "--svg" in case.arguments:
        try:
            ElementTree.fromstring(text)
        except ElementTree.ParseError as error:
            return [f"the picture is no XML: {error.msg.split(':')[0]}"]
    elif not text.rstrip().endswith(b"</html>"):
        return ["the page is not whole"]
    return []


def run_here(arguments: list[str], stdin: bytes) -> Run:
    """Run a command in this process."""
    from click.testing import CliRunner

    from kbai.cli import main

    start = time.process_time()
    before = peak_mb(reset=True)
    result = CliRunner().invoke(main, arguments, input=stdin, prog_name="kbai")
    error = result.exception
    return Run(
        result.exit_code,
        result.stdout_bytes,
        result.stderr_bytes,
        time.process_time() - start,
        None if error is None or isinstance(error, SystemExit) else error,
        peak_mb() - before,
    )


def run_apart(arguments: list[str], stdin: bytes, folder: Path) -> Run:
    """Run a command as people do, in a process of its own."""
    paths = [folder / name for name in ("stdin", "stdout", "stderr")]
    paths[0].write_bytes(stdin)
    environment = os.environ | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with paths[0].open("rb") as source, paths[1].open("wb") as out, paths[2].open("wb") as err:
        process = subprocess.Popen(
            [*PROGRAM, *arguments], stdin=source, stdout=out, stderr=err, env=environment,
            cwd=folder, start_new_session=True,
        )  # fmt: skip
        deadline = time.monotonic() + MAX_WAIT_S
        pid, status, usage, most = 0, 0, None, 0.0
        while not pid:
            # That of wait4 begins with the memory of whoever started it.
            most = max(most, peak_mb(process.pid))
            if time.monotonic() > deadline:
                os.killpg(process.pid, 9)
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            time.sleep(0.005)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(
        process.returncode,
        paths[1].read_bytes(),
        paths[2].read_bytes(),
        usage.ru_utime + usage.ru_stime,
        peak_mb=most,
    )


def peak_mb(pid: int | str = "self", *, reset: bool = False) -> float:
    """Return the most memory that a process has had since this was reset, in MB; Linux only."""
    if reset:
        try:
            Path(f"/proc/{pid}/clear_refs").write_text("5")
        except OSError:
            pass
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s*(\d+) kB", text)
    return int(found[1]) / 1024 if found else 0
