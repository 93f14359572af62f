"""Which tokens are looked at together: windows over long texts, batches of equal length."""

from __future__ import annotations

from collections.abc import Sequence


def windows(n_tokens: int, size: int) -> list[tuple[int, int, int]]:
    """Cut a text into windows of at most ``size`` tokens that overlap by at least half.

    Each window is (start, first token that is scored in it, end): every token is scored once,
    and from the second window on with at least half a window of context.

    >>> windows(5, 8)
    [(0, 0, 5)]
    >>> windows(11, 4)
    [(0, 0, 4), (2, 4, 6), (4, 6, 8), (6, 8, 10), (7, 10, 11)]
    """
    found = [(0, 0, min(size, n_tokens))]
    step = max(1, size // 2)
    while found[-1][2] < n_tokens:
        scored = found[-1][2]
        end = min(scored + step, n_tokens)
        found.append((end - size, scored, end))
    return found


def batches(lengths: Sequence[int], rows: int, tokens: int) -> list[list[int]]:
    """Group sequences of similar length: at most ``rows`` of them, and ``tokens`` with padding.

    Padding costs as much as text, so a group is closed before it is more than a tenth of it.

    >>> batches([3, 9, 3, 9], rows=4, tokens=20)
    [[0, 2], [1, 3]]
    """
    groups: list[list[int]] = []
    filled = 0
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        n_rows = len(groups[-1]) + 1 if groups else rows + 1
        padded = n_rows * lengths[i]
        if n_rows <= rows and padded <= min(tokens, 1.1 * (filled + lengths[i])):
            groups[-1].append(i)
            filled += lengths[i]
        else:
            groups.append([i])
            filled = lengths[i]
    return groups
