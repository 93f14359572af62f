"""Energy distance and diversity beside the rows of a table: the honest companion of a mean distance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from scandl.records import Prediction, Scanpath
from scandl_eval.ceilings import split_half_energy
from scandl_eval.companions import LEFT_TO_RIGHT, Beside
from scandl_eval.distributions.energy import energy
from scandl_eval.significance import bootstrap_interval
from scandl_eval.summary import Row

Paths = Mapping[tuple[str, str], Sequence[Scanpath]]
"""The generated scanpaths of each (model, setting)."""


def with_energy(rows: Iterable[Row], paths: Paths, settings: Iterable[Beside], *, seed: int) -> list[Row]:
    """Add energy distance and diversity where sentences have two human and two generated scanpaths.

    The kernel is NLD of word positions; the interval resamples sentences. The energy of the human
    row is that of random halves of the readers.
    """
    near = {beside.setting: beside for beside in settings if not beside.doubtful_readers}
    return [_with_energy(row, near[row.setting], paths, seed) if row.setting in near else row for row in rows]


def energy_rows(rows: Iterable[Row]) -> list[Row]:
    """Return energy distance and diversity as rows of their own, for tables of many metrics."""
    found = []
    for row in rows:
        if row.energy_distance is not None:
            own = Row(
                model=row.model, setting=row.setting, kind=row.kind, metric="energy-distance",
                n=row.energy_sentences, n_sentences=row.energy_sentences, mean=row.energy_distance,
                se_folds=None, ci95=row.energy_ci95, resampled="sentences",
            )  # fmt: skip
            found += [
                own,
                replace(own, metric="diversity-ratio", mean=row.diversity_ratio, ci95=None, resampled=None),
            ]
    return found


def without_energy(row: Row) -> Row:
    """Return the row without what ``energy_rows`` shows."""
    return replace(row, energy_distance=None, energy_ci95=None, diversity_ratio=None, energy_sentences=0)


def _with_energy(row: Row, beside: Beside, paths: Paths, seed: int) -> Row:
    if row.kind == "human":
        return _add(row, split_half_energy(beside.humans, seed=seed), 1.0, seed)
    generated: dict[str, list[Scanpath]] = {}
    for path in paths[row.model, row.setting]:
        generated.setdefault(path.sentence_id, []).append(path)
    both = [s for s, humans in beside.humans.items() if len(humans) > 1 and len(generated.get(s, ())) > 1]
    if not both:
        return row
    constant = (
        row.kind == "baseline" and row.model == LEFT_TO_RIGHT
    )  # its paths are copies; comparing one is enough
    found = energy(
        [path for s in both for path in beside.humans[s]],
        [path for s in both for path in generated[s][: 1 if constant else None]],
        constant=constant, permutations=0, resamples=0,
    )  # fmt: skip
    by_sentence = dict(zip(found.sentence_ids, found.distances.tolist(), strict=True))
    return _add(row, by_sentence, found.diversity_ratio, seed)


def _add(row: Row, energies: Mapping[str, float], diversity: float, seed: int) -> Row:
    if not energies:
        return row
    values = np.array(list(energies.values()))
    return replace(
        row,
        energy_distance=math.fsum(energies.values()) / len(energies),
        energy_ci95=bootstrap_interval(values, None, list(energies), seed=seed),
        diversity_ratio=None if math.isnan(diversity) else diversity,
        energy_sentences=len(energies),
    )


def generated_paths(predictions: Iterable[Prediction], settings: Iterable[Beside]) -> Paths:
    """Gather the paths of the models and of the trivial readers."""
    found: dict[tuple[str, str], list[Scanpath]] = {}
    for p in predictions:
        path = Scanpath(p.reader_id or "", p.sentence_id, p.predicted)
        found.setdefault((p.model, p.setting), []).append(path)
    trivial: dict[tuple[str, str], list[Scanpath]] = {}
    for unit in (unit for beside in settings for unit in beside.baselines):
        path = Scanpath(unit.reader_id or "", unit.prediction.sentence_id, unit.prediction.predicted)
        trivial.setdefault((unit.prediction.model, unit.prediction.setting), []).append(path)
    return trivial | found  # a model of the file that has a baseline's name stands for itself
