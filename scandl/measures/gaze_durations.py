"""How long a word is looked at: first fixation, first pass, all passes."""

from __future__ import annotations

from collections.abc import Sequence

from scandl.records import first_visits


def first_passes(words: Sequence[int], durations: Sequence[float]) -> dict[int, list[float]]:
    """Return the durations of the fixations of each word's first pass.

    >>> first_passes([0, 2, 2, 1, 2, 3], [200, 100, 50, 80, 70, 90])
    {0: [200], 2: [100, 50], 3: [90]}
    """
    ms = [duration for _, duration in zip(words, durations, strict=True)]
    return {word: ms[start:end] for word, start, end, first_pass in first_visits(words) if first_pass}


def gaze_durations(words: Sequence[int], durations: Sequence[float]) -> dict[int, float]:
    """Return the first-pass reading time (FPRT) of each word that has one, in ms.

    It is the sum of the fixations on a word before it is left for the first time. A word that is first
    fixated after one to its right was skipped in first pass and has none.

    >>> gaze_durations([0, 2, 2, 1, 2, 3], [200, 100, 50, 80, 70, 90])
    {0: 200, 2: 150, 3: 90}
    """
    return {word: sum(ms) for word, ms in first_passes(words, durations).items()}


def first_fixations(words: Sequence[int], durations: Sequence[float]) -> dict[int, float]:
    """Return the first fixation duration (FFD) of each word that has a first pass, in ms.

    >>> first_fixations([0, 2, 2, 1, 2, 3], [200, 100, 50, 80, 70, 90])
    {0: 200, 2: 100, 3: 90}
    """
    return {word: ms[0] for word, ms in first_passes(words, durations).items()}


def total_times(words: Sequence[int], durations: Sequence[float]) -> dict[int, float]:
    """Return the total fixation time (TFT) of each word that is fixated, in ms.

    >>> total_times([0, 2, 2, 1, 2, 3], [200, 100, 50, 80, 70, 90])
    {0: 200, 2: 220, 1: 80, 3: 90}
    """
    found: dict[int, float] = {}
    for word, ms in zip(words, durations, strict=True):
        found[word] = found.get(word, 0) + ms
    return found
