"""Results on disk: whole or not at all, never in place of an input, and with what it takes to get them again.

A full disk or Ctrl-C leaves the previous result intact; a lock goes with its process, however that ends.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from scandl.errors import DataError, Fact, ScandlError
from scandl.version import __version__


def cache_folder() -> Path:
    """Return the user's cache folder for this project; ``SCANDL_CACHE`` names another."""
    chosen = os.environ.get("SCANDL_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "scandl" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "scandl"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scandl"


def writable(folder: Path | str) -> bool:
    """Return whether a folder can be written to, or made; nothing is tried."""
    path = Path(folder).absolute()
    while not path.exists():
        path = path.parent
    return path.is_dir() and os.access(path, os.W_OK | os.X_OK)


def check_folder(out: Path | str | None) -> None:
    """Refuse a file where a folder is to be written, or a place that cannot be, before any work."""
    for path in (Path(out), *Path(out).parents) if out else ():
        if path.exists() and not path.is_dir():
            raise DataError(path, None, None, Fact("a file"), "a folder, or a name that is free (--out)")
    if out and not writable(out):
        raise DataError(out, None, None, Fact("no right to write"), "a folder of your own (--out)")


@contextmanager
def atomic_file(path: Path | str) -> Iterator[Path]:
    """Yield a temporary name beside ``path`` that takes its place when the block succeeds.

    The temporary name keeps the suffix, because writers choose their format by it. A link stays and what it
    leads to is written. A device or a pipe is no file to take the place of: it is written into.
    """
    target = _target(path)
    special = target.exists() and not target.is_file()
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        place = None if special else target.parent
        handle, name = tempfile.mkstemp(dir=place, prefix=f".{target.stem}-", suffix=target.suffix)
    except OSError as error:
        raise _of_target(error, Path(error.filename or target), Path(path)) from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        if special:
            with temporary.open("rb") as source, target.open("wb") as sink:
                shutil.copyfileobj(source, sink)
            return
        # mkstemp makes private files; a result has the permissions any new file would have.
        temporary.chmod(0o666 & ~_umask())
        _to_disk(temporary)
        os.replace(temporary, target)
        _to_disk(target.parent)
    except OSError as error:
        raise _of_target(error, temporary, Path(path)) from None
    finally:
        temporary.unlink(missing_ok=True)


def _target(path: Path | str) -> Path:
    """Return what is to be written, without links; refuse what must not be."""
    given = Path(path)
    if given.is_dir():
        raise DataError(given, None, None, Fact("a folder"), "the name of a file to write")
    if given.exists() and not given.is_file():
        return given  # what stands behind the name of an open pipe is no path
    target = Path(os.path.realpath(given))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(given))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(given))
    refuse_input(given)
    return target


def _to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, would survive a loss of power."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:  # a folder, where the system does not open such
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # the file system has no such thing
            raise
    finally:
        os.close(handle)


Identity = tuple[int, int]
"""Device and number: what a file is known by under all its names."""

_inputs: dict[Identity, Path] | None = None
"""The files that the present command reads; None outside of a command."""


@contextmanager
def inputs_kept(outputs: Iterable[Path | str], inputs: Iterable[Path | str]) -> Iterator[None]:
    """Refuse to write any file that is read while the block runs; what is known before is refused at once."""
    global _inputs
    _inputs = {}
    try:
        for path in inputs:
            note_input(path)
        for path in outputs:
            refuse_input(path)
        yield
    finally:
        _inputs = None


def note_input(path: Path | str) -> None:
    """Take note of a file that a command reads."""
    if _inputs is not None and (found := _identity(path)):
        _inputs[found] = Path(path).absolute()


def refuse_input(output: Path | str, *inputs: Path | str) -> None:
    """Refuse an output that is one of these inputs, or that the present command has read."""
    found = _identity(output)
    if found is None:
        return
    known = (_inputs or {}).get(found)
    # A file that was read and is gone may have left its number to another.
    if any(_identity(path) == found for path in (*inputs, *([known] if known else []))):
        raise DataError(output, None, None, Fact("a file that is read"), "another name for what is written")


def _identity(path: Path | str) -> Identity | None:
    """Return what a regular file is known by; None where there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _of_target(error: OSError, temporary: Path, target: Path) -> OSError:
    """Return an error that names what was to be written, and not nothing or a temporary file."""
    if error.filename not in (None, str(temporary)) or not error.errno:
        return error
    return OSError(error.errno, error.strerror, str(target))


@contextmanager
def atomic_folder(path: Path | str, *, owned: Collection[str] | None = None) -> Iterator[Path]:
    """Yield a new empty folder that takes the place of ``path`` when the block succeeds.

    With ``owned`` only files of these names are replaced; whatever else the folder has stays in it.
    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}-"))
    except OSError as error:
        raise _of_target(error, Path(error.filename or target), Path(path)) from None
    try:
        yield temporary
        for entry in target.iterdir() if target.is_dir() else ():
            if owned is None or entry.name in owned:
                refuse_input(entry)
            else:
                _link(entry, temporary / entry.name)
        temporary.chmod(0o777 & ~_umask())
        _to_disk(temporary)
        _swap(temporary, target)
        _to_disk(target.parent)
    except OSError as error:
        raise _of_target(error, temporary, Path(path)) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _link(source: Path | str, target: Path | str) -> None:
    """Give a file, or each file of a folder, a second name; where that cannot be, a copy."""
    if os.path.isdir(source) and not os.path.islink(source):
        shutil.copytree(source, target, symlinks=True, copy_function=_link)
        return
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def write_text(path: Path | str, text: str) -> None:
    """Write ``text`` as UTF-8 with Unix line ends, whole or not at all.

    Half a character, as the name of a file may hold, is spelt out, which is how JSON says it too.
    """
    with atomic_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


def _swap(new: Path, target: Path) -> None:
    """Put folder ``new`` where ``target`` is; the old one goes only when the new one stands."""
    if not target.exists():
        os.replace(new, target)
        return
    old = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}-old-"))
    os.replace(target, old / "old")
    os.replace(new, target)
    shutil.rmtree(old, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


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


@contextmanager
def locked(folder: Path | str) -> Iterator[None]:
    """Hold the folder, which is made if need be, for this process alone.

    The lock is on the folder itself, so that nothing is left behind by a process that is killed.
    Where a system or file system cannot lock a folder, the work goes on without.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    handle = _lock(Path(folder))
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _lock(folder: Path) -> int | None:
    try:
        import fcntl

        handle = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            raise ScandlError(
                f"{folder}: another command is writing into this folder; wait for it, or choose another --out"
            ) from None
        return None
    return handle
