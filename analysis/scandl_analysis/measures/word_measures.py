"""The four reading measures of the ScanDL analysis, one pure function each.

A measure answers one question about one word on one reading of its sentence. Two conventions are
in print and they decide findings, so every table names the one it used:

``paper``
    what the published ScanDL analysis computed: the first *visit* to a word counts, whenever it
    happens, and a word that was never fixated counts as 0;
``firstpass``
    the standard of the reading literature (Rayner, 1998): only words that were fixated before any
    word to their right have a first pass; elsewhere a regression is missing, not 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scandl.errors import ScandlError, did_you_mean
from scandl.reading.word_visits import Visits, visits
from scandl.registry import Registry

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
    measures = _of_variant(variant)
    facts = visits(path, n_words)
    return {name: [measures[name](word, visit) for word, visit in enumerate(facts)] for name in NAMES}


def _of_variant(variant: str) -> Registry[Measure]:
    if variant not in MEASURES:
        raise ScandlError(f"no variant of the reading measures {variant!r}{did_you_mean(variant, VARIANTS)}")
    return MEASURES[variant]
