"""Signals: the first is noted, the second acts, and handlers come back."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from scandl.termination import termination


@pytest.fixture(autouse=True)
def _as_on_a_terminal(interruptible: None) -> None:
    """Let Ctrl-C interrupt, whatever runs the tests."""


def test_the_first_signal_is_noted_and_the_second_acts() -> None:
    with termination() as told, pytest.raises(KeyboardInterrupt):
        assert not told()
        os.kill(os.getpid(), signal.SIGINT)
        assert told()
        os.kill(os.getpid(), signal.SIGINT)
        signal.pause()


def test_handlers_come_back() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    with termination():
        assert signal.getsignal(signal.SIGTERM) != before[0]
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)] == before


def test_what_was_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with termination() as told:
            os.kill(os.getpid(), signal.SIGTERM)
            assert not told()
    finally:
        signal.signal(signal.SIGTERM, before)


def test_another_thread_leaves_signals_alone() -> None:
    answers: list[bool] = []

    def work() -> None:
        with termination() as told:
            answers.append(told())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert answers == [False]
