"""The log likelihood of words while their item was not fitted, under a base model and more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scandl.seeds import stream
from scandl.statistics.bootstrap import Floats
from scandl.statistics.clustered import Codes, Uncertainty, codes, means_uncertainty
from scandl_analysis.glm.design import Indices
from scandl_analysis.glm.penalised import (
    Penalised,
    SplineColumns,
    Start,
    columns_of,
    fit_counts,
    fit_times,
    sums,
)
from scandl_analysis.glm.spec import Family


@dataclass(frozen=True)
class MeasuredWords:
    """The words of one source that have a measure: outcome, columns, and who read which item."""

    outcome: Floats
    family: Family
    base: tuple[Floats, ...]
    candidates: dict[str, tuple[Floats, ...]]
    reader: Codes
    item: Codes
    token: Codes
    named: bool  # readers are known by name

    @property
    def n_readers(self) -> int:
        """The number of readers that are told apart."""
        return int(self.reader.max()) + 1


def held_out_gain(
    outcome: Floats,
    base: Sequence[Floats],
    added: Sequence[Floats],
    reader: Sequence[str],
    item: Sequence[str],
    token: Sequence[str],
    *,
    family: Family = "gaussian",
    spline: bool = False,
    folds: int = 10,
    seed: int = 1,
) -> tuple[float, tuple[float, float] | None]:
    """Return the gain of ``added`` predictors over ``base`` ones, and its 95 % interval.

    The same as ``predictive_power``, of columns one has already.
    """
    chosen = MeasuredWords(
        np.asarray(outcome, float),
        family,
        tuple(base),
        {"": tuple(added)},
        codes(reader),
        codes(item),
        codes(token),
        len(set(reader)) > 1,
    )
    found = held_out(chosen, folds=folds, spline=spline, seed=seed)
    gain = found[""] - found[None]
    return float(gain.mean()), gain_uncertainty(chosen, gain[:, None]).interval(float(gain.mean()), [1.0])


def held_out(words: MeasuredWords, *, folds: int, spline: bool, seed: int) -> dict[str | None, Floats]:
    """Return the log likelihood of each word while its item was not fitted, by predictor; None = base."""
    n_items = int(words.item.max()) + 1
    place = stream(seed, "predictive power").permutation(n_items) % min(folds, n_items)
    fold = place[words.item]
    found: dict[str | None, Floats] = {}
    together = 1.0
    base: tuple[str | None, tuple[Floats, ...]] = (None, ())
    for name, added in (base, *words.candidates.items()):
        columns = columns_of(words.base, added, words.reader, words.n_readers, spline=spline)
        score = np.empty(len(words.outcome))
        whole = _fit(words, columns, together)
        if name is None:
            together = whole.design_effect(columns, words.outcome, words.token)
        for tested, fitted in _fits(words, columns, fold, whole, together):
            score[tested] = fitted.log_likelihood(columns.rows(tested), words.outcome[tested])
        found[name] = score
    return found


def _fit(words: MeasuredWords, columns: SplineColumns, together: float) -> Penalised:
    """Fit all words; ``together`` is the design effect."""
    if words.family in ("bernoulli", "poisson"):
        return fit_counts(words.family, columns, words.outcome, together)
    return fit_times(sums(columns, words.outcome), columns, together)


def _fits(
    words: MeasuredWords,
    columns: SplineColumns,
    fold: Indices,
    whole: Penalised,
    together: float,
) -> Iterator[tuple[Indices, Penalised]]:
    """Yield the words of each fold, and the fit to all others."""
    tests = [np.flatnonzero(fold == k) for k in range(int(fold.max()) + 1)]
    if words.family in ("bernoulli", "poisson"):
        start = Start(whole.coefficients, whole.ridges)
        for tested in tests:
            train = np.flatnonzero(fold != fold[tested[0]])
            yield tested, fit_counts(words.family, columns.rows(train), words.outcome[train], together, start)
        return
    total = sums(columns, words.outcome)
    for tested in tests:
        yield tested, fit_times(total - sums(columns.rows(tested), words.outcome[tested]), columns, together)


def gain_uncertainty(words: MeasuredWords, values: Floats) -> Uncertainty:
    """Return how sure the means of columns of values are, over readers and items."""
    return means_uncertainty(values, words.reader if words.named else None, words.item)
