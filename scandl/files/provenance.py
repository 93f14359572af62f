"""What a reader of a number needs in order to get it again."""

from __future__ import annotations

import hashlib
import json
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from scandl.files.atomic_writes import write_text
from scandl.version import __version__


@dataclass(frozen=True, slots=True)
class Provenance:
    """Command, version, seed and input hashes; the date is the only field that varies."""

    command: str
    version: str
    git_revision: str | None
    seed: int | None
    inputs: dict[str, str]  # path as given -> sha256
    date: str

    def as_dict(self) -> dict[str, Any]:
        """Return the fields for a JSON file."""
        return asdict(self)


def provenance(
    command: Iterable[str] | None = None, *, seed: int | None = None, inputs: Iterable[Path | str] = ()
) -> Provenance:
    """Describe the present call; ``command`` defaults to the process's own."""
    words = list(command) if command is not None else [Path(sys.argv[0]).name, *sys.argv[1:]]
    return Provenance(
        command=shlex.join(words),
        version=package_version(),
        git_revision=_git_revision(),
        seed=seed,
        inputs={str(path): sha256(path) for path in inputs},
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def write_sidecar(
    out: Path | str, settings: Mapping[str, Any], notes: Sequence[str], made_by: Provenance
) -> Path:
    """Write beside ``words.csv`` a ``words.csv.json`` that says how the table was made."""
    path = Path(f"{out}.json")
    content = {
        "schema": 1,
        "table": Path(out).name,
        "settings": {name: dict(values) for name, values in settings.items()},
        "notes": list(notes),
        "provenance": made_by.as_dict(),
    }
    write_text(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    return path


def package_version() -> str:
    """Return the version of this project."""
    return __version__


def sha256(path: Path | str) -> str:
    """Return the hash of a file, or of a folder's files by name and content."""
    target = Path(path)
    if target.is_dir():
        digest = hashlib.sha256()
        for file in sorted(target.rglob("*")):
            if file.is_file():
                digest.update(f"{file.relative_to(target).as_posix()}\n{sha256(file)}\n".encode())
        return digest.hexdigest()
    with target.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@cache
def _git_revision() -> str | None:
    """Return the revision this code was checked out at, if it runs from a checkout."""
    here = Path(__file__).resolve().parent
    if not (here.parent / ".git").exists():
        return None
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=here, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
