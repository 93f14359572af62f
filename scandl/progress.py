"""Progress of long work: a bar on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from statistics import fmean, median
from typing import Any, TypeVar

T = TypeVar("T")
_WITHIN: ContextVar[bool] = ContextVar("progress within a task is shown", default=False)


def track(
    items: Iterable[T],
    what: str,
    *,
    total: int | None = None,
    quiet: bool = False,
    left: Callable[[float], float] | None = None,
) -> Iterator[T]:
    """Yield the items and show on stderr how far the work is.

    ``left`` says how many seconds the rest will take, given those that have passed; without it each item is
    taken to cost as much as any other.
    """
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
            seconds = now - started
            rest = left(seconds) if left else None
            print(f"{what}: {_so_far(done, total, seconds, rest)}", file=sys.stderr, flush=True)


class TimeLeft:
    """How long tasks of several kinds will take: a kind that was seen as it took, others as the median kind.

    >>> left = TimeLeft(["swift", "uniform", "swift", "uniform"])
    >>> left.took("swift", 10.0), left.took("uniform", 2.0)
    (None, None)
    >>> left(6.0)  # twice as much work as time has passed: two workers
    6.0
    """

    def __init__(self, kinds: Sequence[str]) -> None:
        self._left = list(kinds)
        self._seen: defaultdict[str, list[float]] = defaultdict(list)

    def took(self, kind: str, seconds: float) -> None:
        """Note that a task is done."""
        self._left.remove(kind)
        self._seen[kind].append(seconds)

    def __call__(self, passed: float) -> float:
        """Return the seconds that the rest will take."""
        means = {kind: fmean(each) for kind, each in self._seen.items()}
        usual = median(means.values()) if means else 0.0
        done = sum(sum(each) for each in self._seen.values())
        at_once = max(done / passed, 1.0) if passed > 0 else 1.0
        return sum(means.get(kind, usual) for kind in self._left) / at_once


def _so_far(done: int, total: int | None, seconds: float, rest: float | None = None) -> str:
    """Say how much is done, and how long the rest will take: as said, or if it goes on like this.

    >>> _so_far(3, 12, 30.0), _so_far(12, 12, 120.0), _so_far(3, None, 30.0)
    ('3/12 after 30 s, about 90 s left', '12/12 after 120 s', '3 after 30 s')
    """
    of = f"/{total}" if total else ""
    rest = seconds / done * ((total or done) - done) if rest is None else rest
    left = f", about {rest:.0f} s left" if total and done < total else ""
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
