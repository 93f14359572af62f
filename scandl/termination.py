"""Being told to stop: long work ends in good order at the first signal, at once at the second."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def termination() -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether SIGTERM or SIGINT has come; a second one acts at once.

    A scheduler sends the first before it kills, Ctrl-C sends the other. Who ignores one goes on doing so.
    """
    came = False
    numbers = [n for n in (signal.SIGTERM, signal.SIGINT) if signal.getsignal(n) is not signal.SIG_IGN]
    before = {number: signal.getsignal(number) for number in numbers}

    def note(number: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True
        signal.signal(number, before[signal.Signals(number)])

    try:
        for number in numbers:
            signal.signal(number, note)
    except ValueError:  # not the main thread: whoever runs us decides about signals
        yield lambda: False
        return
    try:
        yield lambda: came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
