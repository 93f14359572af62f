"""Finished pieces of a run, found again by everything they were made from.

A piece is one file whose name ends in its key. It appears whole, by renaming, so that a run killed
at any moment leaves finished pieces and nothing else; another input, setting or version of the code
gives another key, and the piece is made anew.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import scandl
import scandl_eval
from scandl.corpora.corpus_digest import digest
from scandl.files.provenance import package_version, sha256


def code_digest(factory: Callable[..., Any] | None = None) -> str:
    """Return a key for our code, and for the file of a generator that another package brings."""
    own = _our_code()
    if factory is None or factory.__module__.partition(".")[0] in ("scandl", "scandl_eval"):
        return own
    try:
        source = inspect.getsourcefile(factory)
    except TypeError:
        source = None
    return digest(own, sha256(source) if source else factory.__module__)


class Pieces:
    """The pieces below one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._kept: set[Path] = set()

    def path(self, name: str, key: str, suffix: str) -> Path:
        """Return where the piece ``name`` with this key is or will be."""
        return self.folder / f"{name}.{key[:20]}{suffix}"

    def keep(self, paths: Iterable[Path]) -> None:
        """Take note of pieces that stay, though nothing is made of them now."""
        self._kept.update(paths)

    def drop_outdated(self, current: set[Path]) -> None:
        """Remove pieces that no present input, setting or code would make."""
        stays = current | self._kept
        for path in self.folder.rglob("*"):
            if path.is_file() and path not in stays:
                path.unlink()


@cache
def _our_code() -> str:
    """Hash the sources of the two packages a piece depends on."""
    roots = [Path(package.__file__).parent for package in (scandl, scandl_eval) if package.__file__]
    files = [file for root in roots for file in sorted(root.rglob("*.py"))]
    return digest(package_version(), [sha256(file) for file in files])
