"""One writer a folder: a second one is told so, and the lock goes with its process, however that ends."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scandl.errors import ScandlError


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
