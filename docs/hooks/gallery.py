"""The pictures of the gallery, made by the commands that stand beside them.

MkDocs calls ``on_files``, which runs every command of the page in a folder that is thrown away and adds what
it wrote. So no picture can be older than the code.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

PAGE = Path(__file__).parents[1] / "gallery.md"
_BLOCK = re.compile(r"^```bash\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pictures."""
    from mkdocs.structure.files import File

    for name, content in pictures():
        files.append(File.generated(config, f"gallery/{name}", content=content))
    return files


def commands() -> list[list[str]]:
    """Return the commands of the page, cut as a shell would.

    >>> commands()[0][:3]
    ['scandl', 'generate', '--text']
    """
    blocks = _BLOCK.findall(PAGE.read_text(encoding="utf-8").replace("\\\n", ""))
    return [
        shlex.split(command)
        for block in blocks
        for command in re.split(r"^(?=scandl )", block, flags=re.M)
        if command
    ]


def pictures() -> Iterator[tuple[str, bytes]]:
    """Run the commands and yield what they wrote."""
    from scandl.cli import main

    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for command in commands():
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    code = main(command[1:])
                if code:
                    raise SystemExit(f"{PAGE}: {shlex.join(command)}: ended with {code}")
        finally:
            os.chdir(here)
        for path in sorted(Path(folder).iterdir()):
            yield path.name, path.read_bytes()
