"""Reading measures, one pure function each: the four of the ScanDL analysis, and times and events.

A measure answers one question about one word on one reading of its sentence. For the four, two conventions
are in print and they decide findings, so every table names the one it used:

``paper``
    what the published ScanDL analysis computed: the first *visit* to a word counts, whenever it
    happens, and a word that was never fixated counts as 0;
``firstpass``
    the standard of the reading literature (Rayner, 1998): only words that were fixated before any
    word to their right have a first pass; elsewhere a regression is missing, not 0.

Times and events (FFD, FPRT, RPD_inc …) have the names of pymovements, EMTeC, PoTeC and ScanDL 2.0;
``scandl.measures.measure_names`` says what other tools call them. A time is missing, not 0, for
a word that has no fixation of the kind: a mean over words then is a mean over readings of words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from scandl.errors import ScandlError, did_you_mean
from scandl.extras import Registry
from scandl.records import Visits, visits

Measure = Callable[[int, Visits], int | None]
"""The position of a word and what happened to it -> the measure; None = not defined for it."""

VARIANTS = ("paper", "firstpass")
MEASURES: dict[str, Registry[Measure]] = {
    variant: Registry(f"reading measure ({variant})") for variant in VARIANTS
}
NAMES = ("sr", "fpr", "ffc", "tfc")


@MEASURES["paper"].register("sr")
@MEASURES["firstpass"].register("sr")
def skipped(word: int, visit: Visits) -> int:
    """Return 1 if the word was never fixated, or not before a word to its right.

    >>> [skipped(w, v) for w, v in enumerate(visits([0, 2, 1, 3], n_words=5))]
    [0, 1, 0, 0, 1]
    """
    return int(visit.skipped)


@MEASURES["paper"].register("fpr")
def first_visit_regression(word: int, visit: Visits) -> int:
    """Return 1 if the eyes went left after the first visit, whenever that was; 0 if never fixated.

    >>> [first_visit_regression(w, v) for w, v in enumerate(visits([1, 3, 2, 0, 3], n_words=5))]
    [0, 0, 1, 1, 0]
    """
    return int(visit.next_word is not None and visit.next_word < word)


@MEASURES["firstpass"].register("fpr")
def first_pass_regression(word: int, visit: Visits) -> int | None:
    """Return 1 if the eyes went left after the first pass; missing for a word that was skipped.

    >>> [first_pass_regression(w, v) for w, v in enumerate(visits([1, 3, 2, 0, 3], n_words=5))]
    [None, 0, None, 1, None]
    """
    return first_visit_regression(word, visit) if visit.first_pass else None


@MEASURES["paper"].register("ffc")
def first_visit_fixation_count(word: int, visit: Visits) -> int:
    """Return the fixations of the first visit, whenever it was; 0 if never fixated.

    >>> [first_visit_fixation_count(w, v) for w, v in enumerate(visits([0, 2, 1, 1, 2, 2], n_words=4))]
    [1, 2, 1, 0]
    """
    return visit.first_run


@MEASURES["firstpass"].register("ffc")
def first_pass_fixation_count(word: int, visit: Visits) -> int:
    """Return the fixations of the first pass; 0 for a word that was skipped.

    >>> [first_pass_fixation_count(w, v) for w, v in enumerate(visits([0, 2, 1, 1, 2, 2], n_words=4))]
    [1, 0, 1, 0]
    """
    return visit.first_run if visit.first_pass else 0


@MEASURES["paper"].register("tfc")
@MEASURES["firstpass"].register("tfc")
def total_fixation_count(word: int, visit: Visits) -> int:
    """Return the number of fixations on the word.

    >>> [total_fixation_count(w, v) for w, v in enumerate(visits([0, 2, 1, 1, 2, 2], n_words=4))]
    [1, 2, 3, 0]
    """
    return visit.n_fixations


def word_measures(path: Sequence[int], n_words: int, variant: str = "paper") -> dict[str, list[int | None]]:
    """Return every measure of a variant: name -> one value per word.

    >>> word_measures([0, 2, 1], n_words=3, variant="firstpass")
    {'sr': [0, 1, 0], 'fpr': [0, None, 1], 'ffc': [1, 0, 1], 'tfc': [1, 1, 1]}
    """
    measures = [(name, _of_variant(variant)[name]) for name in NAMES]
    facts = visits(path, n_words)
    return {name: [measure(word, visit) for word, visit in enumerate(facts)] for name, measure in measures}


def _of_variant(variant: str) -> Registry[Measure]:
    if variant not in MEASURES:
        raise ScandlError(f"no variant of the reading measures {variant!r}{did_you_mean(variant, VARIANTS)}")
    return MEASURES[variant]


@dataclass(frozen=True, slots=True)
class Times:
    """The fixations on one word with their durations in ms; NaN where durations are not known."""

    visit: Visits
    next_is_left: bool  # after the first run
    first_fixation: float  # the first fixation, whenever it happens
    first_run: float  # all fixations of the first run
    total: float
    go_past: float  # from first-pass entry until a word to the right is fixated, wherever the eyes are
    go_past_here: float  # the part of it on the word itself
    regressions_in: int
    regressions_out: int


TimeMeasure = Callable[[Times], float | None]
"""What happened to a word -> the measure; None = not defined for it."""

TIME_MEASURES: Registry[TimeMeasure] = Registry("reading time measure")
DURATIONS = ("FFD", "SFD", "FD", "FPRT", "FRT", "RPD_inc", "RPD_exc", "RBRT", "TFT", "RRT")
"""The measures in ms; the others are counts and yes or no."""
OF_THE_FIRST_FIXATION = ("FFD", "SFD", "FPRT")
"""What a word has not whose first fixation was under way when the text appeared."""


def times(path: Sequence[int], durations: Sequence[float] | None, n_words: int) -> list[Times]:
    """Return the facts for every word of a sentence.

    >>> word = times([0, 2, 2, 1, 2, 3], [200, 100, 50, 80, 70, 90], n_words=4)[2]
    >>> word.first_run, word.go_past, word.go_past_here, word.regressions_out
    (150.0, 300.0, 220.0, 1)
    """
    ms = [float(d) for d in durations] if durations is not None else [math.nan] * len(path)
    total, go_past, here = [0.0] * n_words, [0.0] * n_words, [0.0] * n_words
    incoming, outgoing = [0] * n_words, [0] * n_words
    furthest = -1
    for i, word in enumerate(path):
        furthest = max(furthest, word)
        total[word] += ms[i]
        # Every fixation lies in the regression path of the furthest word so far, and of no other.
        go_past[furthest] += ms[i]
        here[furthest] += ms[i] * (word == furthest)
        if i and word < path[i - 1]:
            outgoing[path[i - 1]] += 1
            incoming[word] += 1
    return [
        Times(
            visit,
            visit.next_word is not None and visit.next_word < word,
            *_first(path, ms, word, visit),
            total[word],
            go_past[word],
            here[word],
            incoming[word],
            outgoing[word],
        )
        for word, visit in enumerate(visits(path, n_words))
    ]


def timed_measures(
    path: Sequence[int],
    durations: Sequence[float] | None,
    n_words: int,
    *,
    names: Iterable[str] = TIME_MEASURES,
    truncated: bool = False,
) -> dict[str, list[float | None]]:
    """Return measures by name, one value per word, None = missing.

    ``truncated``: the first fixation was under way when the text appeared, so its word has no FFD, SFD
    and FPRT.

    >>> timed_measures([0, 2, 1], [200, 100, 80], n_words=3)["FPRT"]
    [200.0, None, 100.0]
    >>> timed_measures([0, 2, 1], [200, 100, 80], n_words=3, truncated=True)["FPRT"]
    [None, None, 100.0]
    """
    facts = times(path, durations, n_words)
    measures = [(name, TIME_MEASURES[name]) for name in names]
    found = {name: [_known(measure(word)) for word in facts] for name, measure in measures}
    for name in OF_THE_FIRST_FIXATION if truncated and len(path) else ():
        if name in found:
            found[name][path[0]] = None
    return found


@TIME_MEASURES.register("FFD")
def first_fixation_duration(word: Times) -> float | None:
    """Return the duration of the first fixation of the first pass."""
    return word.first_fixation if word.visit.first_pass else None


@TIME_MEASURES.register("SFD")
def single_fixation_duration(word: Times) -> float | None:
    """Return the duration of the only fixation of a first pass that has one."""
    return word.first_fixation if word.visit.first_pass and word.visit.first_run == 1 else None


@TIME_MEASURES.register("FD")
def first_duration(word: Times) -> float | None:
    """Return the duration of the first fixation, whenever it happens."""
    return word.first_fixation if word.visit.n_fixations else None


@TIME_MEASURES.register("FPRT")
def gaze_duration(word: Times) -> float | None:
    """Return the first-pass reading time: all fixations before the word is left for the first time."""
    return word.first_run if word.visit.first_pass else None


@TIME_MEASURES.register("FRT")
def first_reading_time(word: Times) -> float | None:
    """Return the time of the first visit, whenever it happens."""
    return word.first_run if word.visit.n_fixations else None


@TIME_MEASURES.register("RPD_inc")
def go_past_time(word: Times) -> float | None:
    """Return the time from first-pass entry until a word to the right is fixated."""
    return word.go_past if word.visit.first_pass else None


@TIME_MEASURES.register("RPD_exc")
def time_on_earlier_words(word: Times) -> float | None:
    """Return the part of the go-past time that is spent on words to the left."""
    return word.go_past - word.go_past_here if word.visit.first_pass else None


@TIME_MEASURES.register("RBRT")
def right_bounded_time(word: Times) -> float | None:
    """Return the part of the go-past time that is spent on the word itself."""
    return word.go_past_here if word.visit.first_pass else None


@TIME_MEASURES.register("TFT")
def total_fixation_time(word: Times) -> float | None:
    """Return the time of all fixations on the word."""
    return word.total if word.visit.n_fixations else None


@TIME_MEASURES.register("RRT")
def rereading_time(word: Times) -> float | None:
    """Return the total time without the first pass; 0 for a word that is read once."""
    if not word.visit.n_fixations:
        return None
    return word.total - word.first_run if word.visit.first_pass else word.total


@TIME_MEASURES.register("Fix")
def fixated(word: Times) -> int:
    """Return 1 if the word is fixated at all."""
    return int(word.visit.n_fixations > 0)


@TIME_MEASURES.register("FPF")
def first_pass_fixated(word: Times) -> int:
    """Return 1 if the word is fixated before any word to its right."""
    return int(word.visit.first_pass)


@TIME_MEASURES.register("FPFC")
def first_pass_count(word: Times) -> int:
    """Return the number of fixations of the first pass; 0 for a word that is skipped."""
    return word.visit.first_run if word.visit.first_pass else 0


@TIME_MEASURES.register("FPReg")
def first_pass_regression_out(word: Times) -> int | None:
    """Return 1 if the eyes go left after the first pass; missing for a word that is skipped."""
    return int(word.next_is_left) if word.visit.first_pass else None


@TIME_MEASURES.register("RR")
def reread(word: Times) -> int:
    """Return 1 if the word has fixations outside its first pass."""
    return int(word.visit.n_fixations > (word.visit.first_run if word.visit.first_pass else 0))


@TIME_MEASURES.register("TRC_in")
def regressions_in(word: Times) -> int:
    """Return the number of regressions that land on the word."""
    return word.regressions_in


@TIME_MEASURES.register("TRC_out")
def regressions_out(word: Times) -> int:
    """Return the number of regressions that start from the word, in any pass."""
    return word.regressions_out


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _first(path: Sequence[int], ms: Sequence[float], word: int, visit: Visits) -> tuple[float, float]:
    """Return the time of the first fixation and of the first run."""
    if not visit.n_fixations:
        return math.nan, math.nan
    i = path.index(word)
    return ms[i], math.fsum(ms[i : i + visit.first_run])
