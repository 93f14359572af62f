"""Metrics of durations that are no mean over instances: distributions of durations, times of words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from scandl.measures.distribution.duration_statistics import BY_KIND, DURATION_STATISTICS, Statistic, pooled
from scandl.measures.distribution.word_times import (
    OTHER_TIMES,
    WORD_TIMES,
    correlation,
    word_places,
    word_times,
)
from scandl.records import Scanpath
from scandl.splits import FoldSpread
from scandl.statistics.clustered import Contributions, Uncertainty, clustered, codes, sums_by
from scandl_eval.scoring.energy_estimates import EnergyComparison
from scandl_eval.scoring.estimates import Joint

Array = NDArray[np.float64]
Side = Mapping[str, Sequence[Scanpath]]
"""The paths of each sentence, all with durations."""


@dataclass(frozen=True, slots=True)
class Influences:
    """The values of k models, and what paths contribute to them."""

    values: Array  # (k,)
    paths: list[Scanpath]
    of_paths: Array  # (paths, k)
    by_sentence: Mapping[str, Array] | None = None  # (k,) where a sentence is more than the sum of its paths


Measure = Callable[[Side, Sequence[Side]], Influences]
"""(readers, models) -> the values of the models."""


def duration_measure(statistic: Statistic, kind: str = "") -> Measure:
    """Return the measure that applies a statistic to the log durations of readers and of each model.

    ``kind`` chooses fixations of one kind.
    """

    def measure(human: Side, models: Sequence[Side]) -> Influences:
        own = _paths(human)
        human_ms, at_human = pooled(own, kind)
        paths, values = list(own), []
        rows = [np.zeros((len(own), len(models)))]
        for k, side in enumerate(models):
            theirs = _paths(side)
            ms, at = pooled(theirs, kind)
            found = statistic(human_ms, ms) if len(human_ms) and len(ms) else None
            values.append(math.nan if found is None else found.value)
            rows.append(np.zeros((len(theirs), len(models))))
            paths += theirs
            if found is not None:
                rows[0][:, k] = np.bincount(at_human, found.human, minlength=len(own))
                rows[-1][:, k] = np.bincount(at, found.model, minlength=len(theirs))
        return Influences(np.array(values), paths, np.concatenate(rows))

    return measure


def word_time_measure(human: Side, models: Sequence[Side], metric: str = WORD_TIMES) -> Influences:
    """Correlate mean times of words, model against readers, over the words that all of them look at."""
    places = word_places([human, *models])
    sides = [_paths(side) for side in (human, *models)]
    times = [word_times(paths, places, metric) for paths in sides]
    means = np.array([each.means for each in times])  # (1 + k, words)
    means[:, ~np.isfinite(means).all(axis=0)] = np.nan
    values, by_word = [], np.zeros((len(places), len(models)))
    rows = [np.zeros((len(paths), len(models))) for paths in sides]
    for k in range(len(models)):
        found = correlation(means[k + 1], means[0])
        values.append(found.value)
        by_word[:, k] = found.by_word
        for side, slope in ((0, found.slope_y), (k + 1, found.slope_x)):
            moved = times[side].moved(slope)
            rows[side][:, k] = np.bincount(times[side].reading, moved, minlength=len(sides[side]))
    names = list(dict.fromkeys(sentence for sentence, _ in places))
    sums = sums_by(by_word, codes([sentence for sentence, _ in places]), len(names))
    by_sentence = dict(zip(names, sums, strict=True))
    return Influences(
        np.array(values), [path for paths in sides for path in paths], np.concatenate(rows), by_sentence
    )


def _paths(side: Side) -> list[Scanpath]:
    return [path for paths in side.values() for path in paths]


MEASURES: Mapping[str, Measure] = {
    **{name: duration_measure(statistic) for name, statistic in DURATION_STATISTICS.items()},
    WORD_TIMES: word_time_measure,
    **{name: duration_measure(DURATION_STATISTICS[each], kind) for name, (each, kind) in BY_KIND.items()},
    **{name: partial(word_time_measure, metric=name) for name in OTHER_TIMES},
}


@dataclass(frozen=True)
class TimeEstimates:
    """One metric of durations in one setting."""

    compared: EnergyComparison  # of paths with durations
    metric: str

    @cached_property
    def models(self) -> tuple[str, ...]:
        """The models that have it."""
        return tuple(model for model in self.compared.paths if self.joint([model]) is not None)

    def joint(self, models: Sequence[str]) -> Joint | None:
        """Return the values of these models on the items all of them have."""
        key = tuple(models)
        if key not in self._joints:
            self._joints[key] = self._joint(models)
        return self._joints[key]

    @cached_property
    def _joints(self) -> dict[tuple[str, ...], Joint | None]:
        return {}

    def _joint(self, models: Sequence[str]) -> Joint | None:
        found = self._influences(models)
        if not np.isfinite(found.values).all():
            return None
        folds = [FoldSpread({}) for _ in models]
        for fold in self.compared.folds if len(self.compared.folds) > 1 else ():
            for spread, value in zip(folds, self._influences(models, fold).values.tolist(), strict=True):
                if math.isfinite(value):
                    spread.means[fold] = value
        uncertainty = _uncertainty(found, named=self.compared.named)
        return Joint(tuple(models), found.values, uncertainty, tuple(folds), uncertainty.n_sentences)

    def _influences(self, models: Sequence[str], fold: str | None = None) -> Influences:
        human, generated = self.compared.shared(models, fold)
        return MEASURES[self.metric](human, [generated[model] for model in models])


def _uncertainty(found: Influences, *, named: bool) -> Uncertainty:
    """Put together what one reader contributes to one sentence, on both sides."""
    names = [path.reader_id or f"\0{i}" for i, path in enumerate(found.paths)]
    sentence = codes([path.sentence_id for path in found.paths])
    reader = codes(names)
    cell = codes([f"{s} {r}" for s, r in zip(sentence.tolist(), reader.tolist(), strict=True)])
    first = np.unique(cell, return_index=True)[1]
    by_sentence = None
    if found.by_sentence is not None:
        order = dict.fromkeys(path.sentence_id for path in found.paths)
        by_sentence = np.stack([found.by_sentence[name] for name in order if name in found.by_sentence])
    return clustered(
        Contributions(
            sums_by(found.of_paths, cell), reader[first] if named else None, sentence[first], by_sentence
        )
    )
