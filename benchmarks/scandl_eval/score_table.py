"""The per-instance table: every score of every prediction, from which all aggregates are derived."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scandl.errors import DataError
from scandl.files.tables import TextTable, read_table, write_table
from scandl.measures.catalogue import Metric
from scandl.pairing import UNNAMED, Instance, is_named, reader_ids

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

KEY_COLUMNS = ("model", "setting", "fold", "reader_id", "sentence_id", "sample")
Item = tuple[str, str, str]
"""(fold, reader, sentence)"""
Group = tuple[str, str]
"""(model, setting)"""


class Key(NamedTuple):
    """What a row of scores is about: one prediction against one human scanpath.

    A reader whom the file does not name has an identity of its own that begins with ``UNNAMED``.
    """

    model: str
    setting: str
    fold: str
    reader_id: str
    sentence_id: str
    sample: int


@dataclass(frozen=True)
class Scores:
    """One row per instance; ``values`` holds a column per metric, NaN where it is not defined."""

    keys: tuple[Key, ...]
    values: dict[str, Array]

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def by_group(self) -> dict[Group, Rows]:
        """The rows of each (model, setting)."""
        rows: dict[Group, list[int]] = {}
        for i, key in enumerate(self.keys):
            rows.setdefault((key[0], key[1]), []).append(i)
        return {group: np.array(found, dtype=np.intp) for group, found in rows.items()}

    @cached_property
    def items(self) -> dict[Group, tuple[list[Item], Rows]]:
        """The items of each (model, setting) in order of appearance, and which of them each row is about."""
        found = {}
        for group, rows in self.by_group.items():
            number: dict[Item, int] = {}
            code = [number.setdefault(self.keys[i][2:5], len(number)) for i in rows.tolist()]
            found[group] = list(number), np.array(code, dtype=np.intp)
        return found


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """One metric of one model in one setting, a value per (reader, sentence) instance.

    Several samples of an instance, or several of a model's paths against one reader, are averaged
    first, so that an instance counts once. Instances without a defined value are left out and
    counted.
    """

    folds: tuple[str, ...]
    readers: tuple[str, ...]
    sentences: tuple[str, ...]
    values: Array
    n_undefined: int = 0

    def __len__(self) -> int:
        return len(self.values)

    @property
    def clusters(self) -> tuple[str, ...] | None:
        """The readers, or None when some are not known by name and cannot be resampled."""
        return self.readers if all(map(is_named, self.readers)) else None

    @property
    def mean(self) -> float:
        """The mean over instances; NaN when there is none."""
        return math.fsum(self.values.tolist()) / len(self.values) if len(self.values) else math.nan

    @property
    def mean_over_sentences(self) -> float:
        """The mean over sentences of the mean within each sentence."""
        groups: dict[str, list[float]] = {}
        for sentence, value in zip(self.sentences, self.values.tolist(), strict=True):
            groups.setdefault(sentence, []).append(value)
        means = [math.fsum(group) / len(group) for group in groups.values()]
        return math.fsum(means) / len(means) if means else math.nan

    @property
    def items(self) -> list[Item]:
        """The (fold, reader, sentence) of each value."""
        return list(zip(self.folds, self.readers, self.sentences, strict=True))

    def at(self, items: Sequence[Item]) -> Array:
        """Return the values of these items, in their order."""
        if len(items) == len(self) and items == self.items:
            return self.values
        place = {item: i for i, item in enumerate(self.items)}
        return self.values[[place[item] for item in items]]


def score(instances: Sequence[Instance], metrics: Iterable[Metric]) -> Scores:
    """Return every metric of every instance; only metrics of pairs of paths have a score."""
    found = {metric.name: metric.score(instances) for metric in metrics if metric.score is not None}
    return Scores(instance_keys(instances), found)


def instance_keys(instances: Sequence[Instance]) -> tuple[Key, ...]:
    """Return the key of each instance; ``scandl.pairing.reader_ids`` says who an unnamed reader is."""
    return tuple(
        Key(p.model, p.setting, p.fold, reader, p.sentence_id, p.sample)
        for p, reader in zip((i.prediction for i in instances), reader_ids(instances), strict=True)
    )


def columns(scores: Scores, metric: str) -> dict[Group, ScoreColumn]:
    """Return the column of one metric by (model, setting), averaged within instances."""
    found = {}
    for group, rows in scores.by_group.items():
        items, item = scores.items[group]
        values = scores.values[metric][rows]
        defined = np.isfinite(values)
        counts = np.bincount(item[defined], minlength=len(items))
        sums = np.bincount(item[defined], values[defined], minlength=len(items))
        kept = counts > 0
        means = sums[kept] / counts[kept]
        whole = items if kept.all() else [each for each, there in zip(items, kept, strict=True) if there]
        found[group] = column_of(whole, means, len(items) - len(whole))
    return found


def column_of(items: Sequence[Item], values: Array, n_undefined: int = 0) -> ScoreColumn:
    """Return the column with a value for each (fold, reader, sentence)."""
    folds, readers, sentences = zip(*items, strict=True) if items else ((), (), ())
    return ScoreColumn(folds, readers, sentences, np.asarray(values, dtype=np.float64), n_undefined)


def sample_spread(scores: Scores, metric: str) -> dict[tuple[str, str], float]:
    """Return the SD (ddof 1) of the means of the samples, by (model, setting), where there are several.

    It is what another sampling seed would change, beside what other readers and sentences would.
    """
    samples: dict[tuple[str, str], dict[int, list[float]]] = {}
    for key, value in zip(scores.keys, scores.values[metric].tolist(), strict=True):
        if math.isfinite(value):
            samples.setdefault((key.model, key.setting), {}).setdefault(key.sample, []).append(value)
    means = {
        g: [math.fsum(v) / len(v) for v in found.values()] for g, found in samples.items() if len(found) > 1
    }
    return {group: float(np.std(found, ddof=1)) for group, found in means.items()}


def shared_items(found: Iterable[ScoreColumn]) -> list[Item]:
    """Return the (fold, reader, sentence) that all columns have, in the order of the first."""
    first, *others = found
    items = first.items
    sets = [set(theirs) for column in others if (theirs := column.items) != items]
    return [item for item in items if all(item in own for own in sets)] if sets else items


def write_scores(path: Path | str, scores: Scores) -> None:
    """Write the table as CSV or Parquet, by the suffix; an undefined value is an empty cell."""
    table: dict[str, list[object]] = {name: [] for name in KEY_COLUMNS}
    for key in scores.keys:
        row = key if is_named(key.reader_id) else key._replace(reader_id="")
        for name, value in zip(KEY_COLUMNS, row, strict=True):
            table[name].append(value)
    empty = None if Path(path).suffix == ".parquet" else ""
    for metric, values in scores.values.items():
        table[metric] = [empty if math.isnan(value) else value for value in values.tolist()]
    write_table(path, table)


def read_scores(path: Path | str) -> Scores:
    """Read a table that ``write_scores`` wrote."""
    table = read_table(path)
    keys = []
    seen: Counter[tuple[object, ...]] = Counter()
    for i, row in enumerate(zip(*table.need(*KEY_COLUMNS), strict=True)):
        model, setting, fold, reader, sentence, sample = row
        if not sample.isdigit():
            raise DataError(table.path, table.line(i), "sample", sample, "a whole number")
        if not reader:
            seen[model, setting, sentence, sample] += 1
            reader = f"{UNNAMED}#{seen[model, setting, sentence, sample]}"
        keys.append(Key(model, setting, fold, reader, sentence, int(sample)))
    metrics = [name for name in table.columns if name not in KEY_COLUMNS]
    return Scores(tuple(keys), {name: _numbers(table, name) for name in metrics})


def _numbers(table: TextTable, name: str) -> Array:
    values = np.full(len(table), np.nan)
    for i, cell in enumerate(table.columns[name]):
        try:
            values[i] = float(cell) if cell else np.nan
        except ValueError:
            raise DataError(table.path, table.line(i), name, cell, "a number or nothing") from None
    return values
