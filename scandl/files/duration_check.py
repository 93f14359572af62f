"""What durations of fixations may be, and how it is noticed that they are in another unit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scandl.errors import Fact
from scandl.records import Prediction

LONGEST_MS = 60_000.0
"""Nobody fixates a word for a minute: what is longer is in another unit, or a sum."""
EXPECTED = f"milliseconds above 0 and at most {LONGEST_MS:,.0f}"
SHORTEST_MEDIAN = 5.0
"""Half of all fixations are longer than this in any corpus; in seconds, none is."""
FEWEST = 10
"""Fixations below which a median says nothing."""


def is_duration(ms: float) -> bool:
    """Say whether a number of milliseconds can be the duration of a fixation.

    >>> is_duration(210.5), is_duration(0.0), is_duration(float("nan")), is_duration(1e6)
    (True, False, False, False)
    """
    return 0.0 < ms <= LONGEST_MS


def duration_fault(p: Prediction) -> tuple[str, object, str] | None:
    """Return what is wrong with the durations of a prediction: column, found, expected.

    >>> duration_fault(Prediction("s1", (0, 1), durations=(200.0, -5.0)))
    ('durations', '200 -5', "milliseconds above 0 and at most 60,000, such as '210 180'")
    """
    if p.durations is None:
        return None
    if len(p.durations) != len(p.predicted):
        return "durations", Fact(f"{len(p.durations)} durations"), f"{len(p.predicted)}, one per fixation"
    if all(map(is_duration, p.durations)):
        return None
    return "durations", " ".join(f"{ms:.10g}" for ms in p.durations), f"{EXPECTED}, such as '210 180'"


def seconds_fault(paths: Iterable[Sequence[float] | None]) -> tuple[Fact, str] | None:
    """Return what is wrong with the durations of all paths together: found, expected.

    >>> seconds_fault([(0.21, 0.18), None, (0.25,) * 8])
    ('a median of 0.25', 'milliseconds; these look like seconds, multiply them by 1000')
    >>> seconds_fault([(210.0, 180.0)]) is None
    True
    """
    every = [ms for path in paths if path is not None for ms in path]
    if len(every) < FEWEST or 2 * sum(ms < SHORTEST_MEDIAN for ms in every) <= len(every):
        return None
    found = Fact(f"a median of {sorted(every)[len(every) // 2]:g}")
    return found, "milliseconds; these look like seconds, multiply them by 1000"
