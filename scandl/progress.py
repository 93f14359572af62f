"""Progress of long work: a bar on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")
_WITHIN: ContextVar[bool] = ContextVar("progress within a task is shown", default=False)


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
            print(f"{what}: {_so_far(done, total, now - started)}", file=sys.stderr, flush=True)


def _so_far(done: int, total: int | None, seconds: float) -> str:
    """Say how much is done, and how long the rest will take if it goes on like this.

    >>> _so_far(3, 12, 30.0), _so_far(12, 12, 120.0), _so_far(3, None, 30.0)
    ('3/12 after 30 s, about 90 s left', '12/12 after 120 s', '3 after 30 s')
    """
    of = f"/{total}" if total else ""
    left = f", about {seconds / done * (total - done):.0f} s left" if total and done < total else ""
    return f"{done}{of} after {seconds:.0f} s{left}"


@contextmanager
def showing_trainings(shown: bool = True) -> Iterator[None]:
    """Let models that are trained within this work show how far they are; worker processes stay silent."""
    token = _WITHIN.set(shown)
    try:
        yield
    finally:
        _WITHIN.reset(token)


def trainings_are_shown() -> bool:
    """Return whether a training may show how far it is: nobody is waiting elsewhere.

    >>> with showing_trainings():
    ...     trainings_are_shown()
    True
    >>> trainings_are_shown()
    False
    """
    return _WITHIN.get()


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
            steps, seconds = done - self._first, max(now - self._started, 1e-9)
            left = (
                f", about {seconds / steps * (self._total - done):.0f} s left" if done < self._total else ""
            )
            said = f"{done}/{self._total} loss {loss:.4f}, {rate * steps / seconds:.0f} examples/s{left}"
            print(f"{self._what}: {said}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Finish the bar."""
        if self._bar is not None:
            self._bar.close()
