"""Finished pieces of a run, found again by everything they were made from.

A piece is one file whose name ends in its key. It appears whole, by renaming, so that a run killed
at any moment leaves finished pieces and nothing else; another input, setting or version of the code
gives another key, and the piece is made anew. So is a piece that is no longer what was written: its
checksum stands in a list beside the pieces (``sha256sum -c`` reads it).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from scandl.corpora.corpus import digest
from scandl.files.results import package_version, sha256, write_text

CHECKSUMS = "SHA256SUMS"
OURS = ("scandl", "scandl_eval", "scandl_analysis")
"""The packages whose code decides what a piece holds."""
_KEY = 20  # letters of a key in the name of its piece


def code_digest(file: Path | None = None) -> str:
    """Return a key for our code, and for a file of another's that decides what a piece holds."""
    return _our_code() if file is None else digest(_our_code(), sha256(file))


class Pieces:
    """The pieces below one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._kept: set[Path] = set()
        self._sums = _read_sums(folder / CHECKSUMS)

    def path(self, name: str, key: str, suffix: str) -> Path:
        """Return where the piece ``name`` with this key is or will be; one that was damaged is removed."""
        path = self.folder / f"{name}.{key[:_KEY]}{suffix}"
        if path.exists() and self._sums.get(self._name(path)) != sha256(path):
            path.unlink()
        return path

    def seal(self, path: Path) -> None:
        """Note the checksum of a piece that was just written."""
        found = self._sums[self._name(path)] = sha256(path)
        with (self.folder / CHECKSUMS).open("a", encoding="utf-8") as stream:
            stream.write(_line(self._name(path), found))

    def keep(self, paths: Iterable[Path]) -> None:
        """Take note of pieces that stay, though nothing is made of them now."""
        self._kept.update(paths)

    def drop_outdated(self, current: set[Path]) -> None:
        """Remove other versions of the pieces of this run; those of other models, settings, folds stay.

        What is left here was checked or made by this run, so its checksums are noted.
        """
        stays = current | self._kept
        tasks = {_task(path) for path in stays}
        for path in self.folder.rglob("*"):
            half_written = path.name.startswith(".")
            if path.is_file() and path not in stays and (half_written or _task(path) in tasks):
                path.unlink()
        self._sums |= {self._name(path): sha256(path) for path in stays if path.exists()}
        there = {name: found for name, found in self._sums.items() if (self.folder / name).exists()}
        write_text(self.folder / CHECKSUMS, "".join(_line(name, there[name]) for name in sorted(there)))

    def _name(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()


def _task(path: Path) -> Path:
    """Return the place of a piece without its key: ``markov/nrns-3``."""
    return path.parent / path.name.rsplit(".", 2)[0]


def _line(name: str, found: str) -> str:
    return f"{found}  {name}\n"


def _read_sums(path: Path) -> dict[str, str]:
    """Return the checksums by name; a line that is not one, as a kill may leave it, is no checksum."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return {}
    parts = [line.partition("  ") for line in lines]
    return {name: found for found, _, name in parts if name}


@cache
def _our_code() -> str:
    """Hash the sources of the packages a piece depends on, without importing them."""
    specs = [spec for spec in map(find_spec, OURS) if spec is not None and spec.origin is not None]
    roots = [Path(str(spec.origin)).parent for spec in specs]
    files = [file for root in roots for file in sorted(root.rglob("*.py"))]
    return digest(package_version(), [sha256(file) for file in files])
