"""Writing that is whole or not at all: a full disk or Ctrl-C leaves the previous result intact."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scandl.errors import DataError, Fact


def writable(folder: Path | str) -> bool:
    """Return whether a folder can be written to, or made; nothing is tried."""
    path = Path(folder).absolute()
    while not path.exists():
        path = path.parent
    return path.is_dir() and os.access(path, os.W_OK | os.X_OK)


@contextmanager
def atomic_file(path: Path | str) -> Iterator[Path]:
    """Yield a temporary name beside ``path`` that takes its place when the block succeeds.

    The temporary name keeps the suffix, because writers choose their format by it.
    """
    target = Path(path)
    if target.is_dir():
        raise DataError(target, None, None, Fact("a folder"), "the name of a file to write")
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}-", suffix=target.suffix)
    except OSError as error:
        raise _of_target(error, Path(error.filename or target), target) from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        # mkstemp makes private files; a result has the permissions any new file would have.
        temporary.chmod(0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        raise _of_target(error, temporary, target) from None
    finally:
        temporary.unlink(missing_ok=True)


def _of_target(error: OSError, temporary: Path, target: Path) -> OSError:
    """Return an error that names what was to be written, and not nothing or a temporary file."""
    if error.filename not in (None, str(temporary)) or not error.errno:
        return error
    return OSError(error.errno, error.strerror, str(target))


@contextmanager
def atomic_folder(path: Path | str) -> Iterator[Path]:
    """Yield a new empty folder that takes the place of ``path`` when the block succeeds."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}-"))
    try:
        yield temporary
        temporary.chmod(0o777 & ~_umask())
        _swap(temporary, target)
    except OSError as error:
        raise _of_target(error, temporary, target) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


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
