"""Energy distance and diversity of every model in one setting, each pair of paths compared once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scandl.pairing import Humans, is_named
from scandl.records import Positions, Scanpath
from scandl.splits import FoldSpread
from scandl.statistics.clustered import Uncertainty
from scandl.statistics.distances import bin_of, with_durations
from scandl.statistics.energy import EnergyTerms, energy_terms
from scandl_eval.score_table import Item
from scandl_eval.scoring.estimates import Joint

Array = NDArray[np.float64]


class ItemRows:
    """Which rows of a list of paths are of which (fold, reader, sentence); models may share it."""

    __slots__ = ("first", "more")

    def __init__(self, items: Iterable[Item]) -> None:
        self.first: dict[Item, int] = {}
        self.more: dict[Item, list[int]] = {}  # of further samples, or of readers without a name
        for row, item in enumerate(items):
            if self.first.setdefault(item, row) != row:
                self.more.setdefault(item, []).append(row)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ItemRows) and (self.first, self.more) == (other.first, other.more)

    __hash__ = None  # type: ignore[assignment]


class ModelPaths(Mapping[Item, Sequence[Scanpath]]):
    """The paths of one model for each item: columns of words and durations, scanpaths when asked for.

    >>> paths = ModelPaths(ItemRows([("0", "r1", "s1")]), [(0, 2)])
    >>> paths["0", "r1", "s1"][0].positions
    (0, 2)
    """

    def __init__(
        self,
        rows: ItemRows,
        words: Sequence[Positions],
        durations: Sequence[tuple[float, ...] | None] | None = None,
    ) -> None:
        """Take the words of each row, and the durations if any has them."""
        self.rows = rows
        self._words = words
        self._durations = durations

    def __getitem__(self, item: Item) -> list[Scanpath]:
        _, reader, sentence = item
        rows = (self.rows.first[item], *self.rows.more.get(item, ()))
        durations = self._durations
        return [
            Scanpath(reader, sentence, self._words[row], None if durations is None else durations[row])
            for row in rows
        ]

    def __iter__(self) -> Iterator[Item]:
        return iter(self.rows.first)

    def __len__(self) -> int:
        return len(self.rows.first)

    def keys(self) -> KeysView[Item]:
        """Return the items."""
        return self.rows.first.keys()


class EnergyComparison:
    """The readers of one setting and the paths of every model, compared once for each kernel."""

    def __init__(self, humans: Humans, paths: Mapping[str, Mapping[Item, Sequence[Scanpath]]]) -> None:
        """Take the readers by sentence, and by model the paths for each (fold, reader, sentence)."""
        self.humans = humans
        self.paths = paths
        self.named = all(is_named(path.reader_id) for found in humans.values() for path in found)
        self._terms: dict[tuple[str, tuple[str, ...], str | None], EnergyTerms | None] = {}
        self._measured: dict[tuple[int, bool], tuple[Array, Uncertainty]] = {}

    def seen_by(self, kernel: str) -> EnergyComparison:
        """Return the comparison of what a kernel can compare: a timed one needs durations."""
        return self if bin_of(kernel) is None else self.with_durations

    @cached_property
    def with_durations(self) -> EnergyComparison:
        """The comparison of the items that have durations, of the models that have any."""
        timed = {
            model: {item: own for item, drawn in found.items() if (own := with_durations(drawn))}
            for model, found in self.paths.items()
        }
        humans = {sentence: with_durations(found) for sentence, found in self.humans.items()}
        return EnergyComparison(humans, {model: found for model, found in timed.items() if found})

    @cached_property
    def alike(self) -> bool:
        """Whether all models have the same items."""
        first, *others = (found.keys() for found in self.paths.values())
        return all(other == first for other in others)

    @cached_property
    def folds(self) -> tuple[str, ...]:
        """The folds, in order."""
        return tuple(dict.fromkeys(fold for items in self._different_items for fold, _, _ in items))

    @property
    def _different_items(self) -> Iterable[Mapping[Item, Sequence[Scanpath]]]:
        """The items of all models; those of the first where all have the same."""
        every = self.paths.values()
        return list(every)[:1] if self.alike else every

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
        for items in self._different_items:
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
        return energy_terms(*self.shared(models, fold), kernel, named=self.named)

    def shared(
        self, models: Sequence[str], fold: str | None = None
    ) -> tuple[Humans, dict[str, SentencePaths]]:
        """Return the readers, and the paths of these models on the items all of them have, by sentence."""
        items = [item for item in self.paths[models[0]] if fold in (None, item[0])]
        if not self.alike:
            others = [self.paths[model] for model in models[1:]]
            items = [item for item in items if all(item in other for other in others)]
        of_sentence: dict[str, list[Item]] = {}
        for item in items:
            of_sentence.setdefault(item[2], []).append(item)
        generated = {model: SentencePaths(self.paths[model], of_sentence) for model in models}
        humans = {sentence: self.humans.get(sentence, ()) for sentence in of_sentence}
        if fold is not None:
            tested = {(reader, sentence) for _, reader, sentence in items}
            humans = {s: [p for p in found if (p.reader_id, s) in tested] for s, found in humans.items()}
        return humans, generated


class SentencePaths(Mapping[str, Sequence[Scanpath]]):
    """The paths of one model by sentence, put together when they are asked for."""

    def __init__(self, paths: Mapping[Item, Sequence[Scanpath]], items: Mapping[str, Sequence[Item]]) -> None:
        """Take the paths of each item, and the items of each sentence."""
        self._paths = paths
        self._items = items

    def __getitem__(self, sentence: str) -> list[Scanpath]:
        return [path for item in self._items[sentence] for path in self._paths[item]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


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
