"""One metric in one setting: the estimate of each model, alone and on the items it shares with others.

Whatever a metric is, a mean over instances, a ratio of sums or an energy distance, commands ask
it the same question: what are the values of these models on the items all of them have, and how
sure are they together? Intervals, paired differences, tests and ranks all follow from the answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scandl.pairing import Humans, is_named
from scandl.records import Scanpath
from scandl.statistics.clustered import Codes, Uncertainty, codes, means_uncertainty, ratio_uncertainty
from scandl.statistics.energy import EnergyTerms, energy_terms
from scandl.statistics.folds import FoldSpread, fold_spread
from scandl_eval.metrics.score_table import Column, Item, shared_items

Array = NDArray[np.float64]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The value of A − B over the items both have."""

    n: int
    mean_a: float
    mean_b: float
    difference: float
    ci95: Interval | None
    p: float | None  # two-sided, not adjusted

    @property
    def separable(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.ci95 is not None and (self.ci95[0] > 0 or self.ci95[1] < 0)


@dataclass(frozen=True, slots=True)
class Joint:
    """The values of some models on the items all of them have."""

    models: tuple[str, ...]
    values: Array  # (k,)
    uncertainty: Uncertainty
    folds: tuple[FoldSpread, ...]
    n: int  # instances, or sentences

    def ci95(self, model: str) -> Interval | None:
        """Return the interval of one model."""
        k = self.models.index(model)
        if not math.isfinite(self.values[k]):
            return None
        return self.uncertainty.interval(float(self.values[k]), self._contrast((k, 1.0)))

    def difference(self, a: str, b: str) -> Difference:
        """Compare two models."""
        i, j = self.models.index(a), self.models.index(b)
        gap = float(self.values[i] - self.values[j])
        contrast = self._contrast((i, 1.0), (j, -1.0))
        return Difference(
            n=self.n, mean_a=float(self.values[i]), mean_b=float(self.values[j]), difference=gap,
            ci95=self.uncertainty.interval(gap, contrast) if math.isfinite(gap) else None,
            p=self.uncertainty.p_value(gap, contrast) if math.isfinite(gap) else None,
        )  # fmt: skip

    def _contrast(self, *weights: tuple[int, float]) -> list[float]:
        contrast = [0.0] * len(self.models)
        for k, weight in weights:
            contrast[k] += weight
        return contrast


class Estimates(Protocol):
    """One metric in one setting."""

    @property
    def models(self) -> tuple[str, ...]:
        """The models that have it."""
        ...

    def joint(self, models: Sequence[str]) -> Joint | None:
        """Return the values of these models on the items all of them have; None where there is none."""
        ...


@dataclass(frozen=True)
class MeanEstimates:
    """A metric that is a mean over instances."""

    columns: Mapping[str, Column]  # by model

    @property
    def models(self) -> tuple[str, ...]:
        """The models that have it."""
        return tuple(model for model, column in self.columns.items() if len(column))

    def joint(self, models: Sequence[str]) -> Joint | None:
        """Return the values of these models on the items all of them have."""
        chosen = [self.columns[model] for model in models]
        items = shared_items(chosen)
        if not items:
            return None
        values = np.column_stack([column.at(items) for column in chosen])
        reader, sentence = _clusters(items)
        folds = [fold for fold, _, _ in items]
        return Joint(
            tuple(models),
            values.mean(axis=0),
            means_uncertainty(values, reader, sentence),
            tuple(fold_spread(column, folds) for column in values.T),
            len(items),
        )


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """The log2-probability a model gives each human path, and the number of its events."""

    items: tuple[Item, ...]
    bits: Array
    events: Array  # fixations and the end


@dataclass(frozen=True)
class LikelihoodEstimates:
    """Bits per fixation: the sum of log2-probabilities over the number of fixations and ends."""

    known: Mapping[str, Likelihoods]  # by model

    @property
    def models(self) -> tuple[str, ...]:
        """The models that have it."""
        return tuple(self.known)

    def joint(self, models: Sequence[str]) -> Joint | None:
        """Return the values of these models on the items all of them have."""
        places = [{item: i for i, item in enumerate(self.known[model].items)} for model in models]
        items = [item for item in places[0] if all(item in place for place in places[1:])]
        if not items:
            return None
        top, bottom = (
            np.column_stack([
                getattr(self.known[model], part)[[place[item] for item in items]]
                for model, place in zip(models, places, strict=True)
            ])
            for part in ("bits", "events")
        )  # fmt: skip
        reader, sentence = _clusters(items)
        finite = np.isfinite(top).all(axis=0)
        folds = codes([fold for fold, _, _ in items])
        names = list(dict.fromkeys(fold for fold, _, _ in items))
        return Joint(
            tuple(models),
            top.sum(axis=0) / bottom.sum(axis=0),
            ratio_uncertainty(np.where(finite, top, 0.0), bottom, reader, sentence),
            tuple(_ratio_folds(top[:, k], bottom[:, k], folds, names) for k in range(len(models))),
            len(items),
        )


def _ratio_folds(top: Array, bottom: Array, fold: Codes, names: Sequence[str]) -> FoldSpread:
    with np.errstate(invalid="ignore"):
        values = np.bincount(fold, top) / np.bincount(fold, bottom)
    return FoldSpread(dict(zip(names, values.tolist(), strict=True)))


class EnergyComparison:
    """The readers of one setting and the paths of every model, compared once for each kernel."""

    def __init__(self, humans: Humans, paths: Mapping[str, Mapping[Item, Sequence[Scanpath]]]) -> None:
        """Take the readers by sentence, and by model the paths for each (fold, reader, sentence)."""
        self.humans = humans
        self.paths = paths
        self.named = all(is_named(path.reader_id) for found in humans.values() for path in found)
        self._terms: dict[tuple[str, tuple[str, ...], str | None], EnergyTerms | None] = {}
        self._measured: dict[tuple[int, bool], tuple[Array, Uncertainty]] = {}

    @cached_property
    def alike(self) -> bool:
        """Whether all models have the same items."""
        first, *others = (found.keys() for found in self.paths.values())
        return all(other == first for other in others)

    @cached_property
    def folds(self) -> tuple[str, ...]:
        """The folds, in order."""
        return tuple(dict.fromkeys(fold for found in self.paths.values() for fold, _, _ in found))

    def terms(self, kernel: str, models: Sequence[str], fold: str | None = None) -> EnergyTerms | None:
        """Return the comparison of these models on the items all of them have, or on those of a fold."""
        together = tuple(self.paths) if self.alike else tuple(models)
        key = (kernel, together, fold)
        if key not in self._terms:
            whole = None if fold is None or self.fold_of is None else self.terms(kernel, models)
            self._terms[key] = (
                self._compared(kernel, together, fold) if whole is None else self._part(whole, str(fold))
            )
        return self._terms[key]

    @cached_property
    def fold_of(self) -> dict[str, str] | None:
        """The fold of each sentence; None where a sentence is tested in several."""
        found: dict[str, str] = {}
        for items in self.paths.values():
            for fold, _, sentence in items:
                if found.setdefault(sentence, fold) != fold:
                    return None
        return found

    def _part(self, terms: EnergyTerms, fold: str) -> EnergyTerms | None:
        """Return the terms of the sentences of one fold."""
        folds = self.fold_of or {}
        rows = [i for i, sentence in enumerate(terms.sentence_ids) if folds[sentence] == fold]
        return terms.of_sentences(rows) if rows else None

    def measured(self, terms: EnergyTerms, *, diversity: bool) -> tuple[Array, Uncertainty]:
        """Return the energy distances, or the diversity ratios, of all models and how sure they are."""
        key = (id(terms), diversity)  # terms are kept, so their ids are theirs
        if key not in self._measured:
            uncertainty = terms.diversity_uncertainty if diversity else terms.distance_uncertainty
            self._measured[key] = (terms.diversity if diversity else terms.distances), uncertainty
        return self._measured[key]

    def _compared(self, kernel: str, models: Sequence[str], fold: str | None) -> EnergyTerms | None:
        items = [item for item in self.paths[models[0]] if fold in (None, item[0])]
        if not self.alike:
            others = [self.paths[model] for model in models[1:]]
            items = [item for item in items if all(item in other for other in others)]
        generated = {model: _by_sentence(self.paths[model], items) for model in models}
        humans = {sentence: self.humans.get(sentence, ()) for sentence in generated[models[0]]}
        if fold is not None:
            tested = {(reader, sentence) for _, reader, sentence in items}
            humans = {s: [p for p in found if (p.reader_id, s) in tested] for s, found in humans.items()}
        return energy_terms(humans, generated, kernel, named=self.named)


def _by_sentence(
    paths: Mapping[Item, Sequence[Scanpath]], items: Iterable[Item]
) -> dict[str, list[Scanpath]]:
    found: dict[str, list[Scanpath]] = {}
    for item in items:
        found.setdefault(item[2], []).extend(paths[item])
    return found


@dataclass(frozen=True)
class EnergyEstimates:
    """Energy distance or diversity ratio of every model that has two paths for some sentence."""

    compared: EnergyComparison
    kernel: str = "nld"
    diversity: bool = False

    @cached_property
    def models(self) -> tuple[str, ...]:
        """The models that have it."""
        names = self.compared.paths
        return tuple(model for model in names if self.compared.terms(self.kernel, [model]) is not None)

    def joint(self, models: Sequence[str]) -> Joint | None:
        """Return the values of these models on the items all of them have."""
        terms = self.compared.terms(self.kernel, models)
        if terms is None:
            return None
        at = [terms.models.index(model) for model in models]
        values, uncertainty = self.compared.measured(terms, diversity=self.diversity)
        folds = tuple(self._folds(model, models) for model in models)
        return Joint(tuple(models), values[at], uncertainty.at(at), folds, len(terms.sentence_ids))

    def _folds(self, model: str, models: Sequence[str]) -> FoldSpread:
        """Return the value within each fold that has one; readers who all agree have no diversity."""
        found = {}
        for fold in self.compared.folds if len(self.compared.folds) > 1 else ():
            terms = self.compared.terms(self.kernel, models, fold)
            if terms is not None:
                value = (terms.diversity if self.diversity else terms.distances)[terms.models.index(model)]
                if math.isfinite(value):
                    found[fold] = float(value)
        return FoldSpread(found)


def _clusters(items: Sequence[Item]) -> tuple[Codes | None, Codes]:
    """Return the readers and the sentences of items as numbers; None where readers are not named."""
    readers = [reader for _, reader, _ in items]
    named = all(map(is_named, readers))
    return codes(readers) if named else None, codes([sentence for _, _, sentence in items])
