"""What a run wrote: the checksum of every table, and of finished pieces that are used again."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scandl.errors import DataError, Fact
from scandl.files.results import package_version, sha256, write_text

CHECKSUMS = "SHA256SUMS"
OURS = ("scandl", "scandl_eval", "scandl_analysis")
"""The packages whose code decides what a piece holds."""
_KEY = 20  # letters of a key in the name of its piece


def digest(*parts: Any) -> str:
    """Return a key for values that JSON can hold.

    >>> digest("markov", 1) == digest("markov", 1) != digest("markov", 2)
    True
    """
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


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


MANIFEST = "manifest.json"
FOLDERS = ("predictions", "scores", "splits")
"""The folders of a run in which every table is its own."""
_OWN = "sha256"
_FINISHED = "a finished run: the same 'scandl-eval run' goes on with one that was stopped"
_AGAIN = "what the run wrote: the same 'scandl-eval run' writes it again"
_PACKAGES = ("numpy", "scipy", "pandas", "pyarrow", "onnxruntime", "torch")


@dataclass(frozen=True, slots=True)
class Manifest:
    """The files of a run folder by name, with their SHA-256, and how they were made."""

    folder: Path
    files: Mapping[str, str]
    made_by: Mapping[str, Any]  # versions, command, seed

    def check(self, *paths: Path) -> None:
        """Refuse a file that is not what the run wrote; what is not there is not checked."""
        for path in paths:
            if path.exists() and (fault := self._fault(path.relative_to(self.folder).as_posix())):
                raise fault

    def faults(self) -> list[DataError]:
        """Return a line for every file that is missing, changed, or not of the run."""
        tables = {path.relative_to(self.folder).as_posix() for path in _tables(self.folder)}
        return [fault for name in sorted(tables | self.files.keys()) if (fault := self._fault(name))]

    def _fault(self, name: str) -> DataError | None:
        path = self.folder / name
        if not path.is_file():
            return DataError(path, None, None, Fact("no file"), _AGAIN)
        if name not in self.files:
            return DataError(path, None, None, Fact("a table that is not the run's"), "none beside its own")
        if sha256(path) != self.files[name]:
            return DataError(path, None, None, Fact("other content than its checksum"), _AGAIN)
        return None


def write_manifest(folder: Path, files: Iterable[Path], made_by: Mapping[str, Any]) -> None:
    """Write the manifest of a run, the last of its files."""
    names = sorted({path.relative_to(folder).as_posix() for path in [*files, *_tables(folder)]})
    sums = {name: sha256(folder / name) for name in names}
    _write(folder, {"files": sums, "versions": package_versions(), "made_by": dict(made_by)})


def _write(folder: Path, content: Mapping[str, Any]) -> None:
    write_text(folder / MANIFEST, _with_own_sum({"schema": 1} | dict(content)))


def _with_own_sum(content: Mapping[str, Any]) -> str:
    """Return the text of a manifest, whose last entry is the checksum of the others."""
    others = json.dumps(content, indent=2, ensure_ascii=False)
    own = {_OWN: hashlib.sha256(others.encode()).hexdigest()}
    return json.dumps(dict(content) | own, indent=2, ensure_ascii=False) + "\n"


def read_manifest(folder: Path | str) -> Manifest:
    """Read the manifest of a run; one without it is not finished."""
    path = Path(folder) / MANIFEST
    if not path.is_file():
        raise DataError(folder, None, None, Fact(f"no {MANIFEST}"), _FINISHED)
    try:
        text = path.read_bytes().decode()
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(path, None, None, Fact(f"{type(error).__name__}: {error}"), _AGAIN) from None
    files = found.get("files") if isinstance(found, dict) else None
    if not isinstance(files, dict) or not all(isinstance(value, str) for value in files.values()):
        raise DataError(path, None, "files", Fact("no checksums by name"), _AGAIN)
    found.pop(_OWN, None)
    if text != _with_own_sum(found):
        raise DataError(path, None, None, Fact("other content than its checksum"), _AGAIN)
    return Manifest(Path(folder), files, {key: value for key, value in found.items() if key != "files"})


def check_run(folder: Path | str) -> None:
    """Refuse a run of which any file is not what it wrote; what it lacks is for the reader to say."""
    known = read_manifest(folder)
    known.check(*(known.folder / name for name in known.files), *_tables(known.folder))


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that numbers may depend on."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _tables(folder: Path) -> Iterator[Path]:
    for name in FOLDERS:
        yield from (path for path in (folder / name).rglob("*") if path.is_file())
