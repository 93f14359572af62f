"""The GPUs of this machine, one for each worker process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path

VISIBLE = "CUDA_VISIBLE_DEVICES"
"""The variable that says which GPUs a process may see; it sees them as 0, 1 and so on."""
DRIVER = Path("/proc/driver/nvidia/gpus")


def visible_gpus(environment: Mapping[str, str] = os.environ, driver: Path = DRIVER) -> list[str]:
    """Return the names of the GPUs that this process may use, without loading what drives them.

    >>> visible_gpus({"CUDA_VISIBLE_DEVICES": "2,3"})
    ['2', '3']
    """
    told = environment.get(VISIBLE)
    if told is not None:
        names = [name.strip() for name in told.split(",")]
        # As the driver reads it: what follows an impossible name does not count.
        end = next((i for i, name in enumerate(names) if name in ("", "-1")), len(names))
        return names[:end]
    return [str(n) for n, _ in enumerate(driver.iterdir())] if driver.is_dir() else []


def one_each(n: int) -> Iterator[str | None]:
    """Yield a GPU for each of ``n`` workers, in turn; None where there is none."""
    found: list[str | None] = [*visible_gpus()] or [None]
    for _, name in zip(range(n), cycle(found), strict=False):
        yield name


def use_only(name: str | None) -> None:
    """Let this process see one GPU alone; it must not have used any before."""
    if name is not None:
        os.environ[VISIBLE] = name
