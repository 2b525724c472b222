"""Write `kbai/content/packed.py`: the content that comes with kbai, in a form that loads fast.

Run it after a change of a file in `kbai/data`; a test says so if you forget.
"""

from __future__ import annotations

from pathlib import Path
from pprint import pformat

from kbai import content
from kbai.content import compiled
from kbai.content.files import read_content

HEAD = '''"""Written by scripts/pack_content.py from kbai/data; do not change it by hand."""

from typing import Any

HASH = "{hash}"
ROWS: tuple[Any, ...] = {rows}
'''


def main() -> None:
    """Write the module into the package in use."""
    files = content.shipped_files()
    rows = pformat(compiled.pack(read_content(files)), width=100, compact=True)
    text = HEAD.format(hash=compiled.hash_files(files), rows=rows)
    Path(compiled.__file__).with_name("packed.py").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
