"""What a finished run wrote: the checksum of every table, and what it was made with."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from scandl.errors import DataError, Fact
from scandl.files.results import sha256, write_text

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
