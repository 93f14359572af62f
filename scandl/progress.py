"""Progress of long work: a bar on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")


def track(items: Iterable[T], what: str, *, total: int | None = None, quiet: bool = False) -> Iterator[T]:
    """Yield the items and show on stderr how far the work is."""
    if quiet:
        yield from items
        return
    if sys.stderr.isatty():
        from tqdm import tqdm

        yield from tqdm(items, desc=what, total=total, leave=False)
        return
    started = told = time.monotonic()
    for done, item in enumerate(items, start=1):
        yield item
        now = time.monotonic()
        if now - told >= 10 or (done == total and now - started >= 10):
            told = now
            of = f"/{total}" if total else ""
            left = (now - started) / done * (total - done) if total and done < total else 0.0
            more = f", about {left:.0f} s left" if left else ""
            print(f"{what}: {done}{of} after {now - started:.0f} s{more}", file=sys.stderr, flush=True)


@contextmanager
def without_bars(logging: Any) -> Iterator[None]:
    """Keep the progress bars of ``transformers`` out of our output, and leave its setting as it was."""
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


class Meter:
    """The progress of a loop that counts its own steps, with its loss and speed."""

    def __init__(self, what: str, *, total: int, done: int = 0, quiet: bool = False) -> None:
        self._what = what
        self._total = total
        self._first = done
        self._started = self._told = time.monotonic()
        self._bar = None
        self._quiet = quiet
        if not quiet and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(desc=what, total=total, initial=done)

    @property
    def seconds(self) -> float:
        """Time since the meter started."""
        return time.monotonic() - self._started

    def update(self, done: int, *, loss: float, rate: int) -> None:
        """Say that ``done`` steps of ``rate`` examples are finished."""
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
            self._bar.set_postfix(loss=f"{loss:.4f}", refresh=False)
            return
        now = time.monotonic()
        if not self._quiet and (now - self._told >= 10 or done == self._total):
            self._told = now
            speed = rate * (done - self._first) / max(now - self._started, 1e-9)
            print(
                f"{self._what}: {done}/{self._total} loss {loss:.4f}, {speed:.0f} examples/s",
                file=sys.stderr,
                flush=True,
            )

    def close(self) -> None:
        """Finish the bar."""
        if self._bar is not None:
            self._bar.close()
