"""Energy distance and diversity beside the rows of a table: the honest companion of a mean distance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from scandl.records import Prediction, Scanpath
from scandl.statistics.bootstrap import READER_DRAWS, bootstrap_interval
from scandl_eval.distributions.energy import energy
from scandl_eval.metrics.score_table import is_named
from scandl_eval.references.human_ceilings import split_half_energy
from scandl_eval.references.reference_rows import LEFT_TO_RIGHT, Beside
from scandl_eval.scoring.summary_rows import BY_SENTENCE, CROSSED, ONE_WAY, Row

Paths = Mapping[tuple[str, str], Sequence[Scanpath]]
"""The generated scanpaths of each (model, setting)."""


def with_energy(rows: Iterable[Row], paths: Paths, settings: Iterable[Beside], *, seed: int) -> list[Row]:
    """Add energy distance and diversity where sentences have two human and two generated scanpaths.

    The kernel is NLD of word positions; intervals resample readers and sentences. The energy of the
    human row is that of random halves of the readers, over sentences.
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
                se_folds=None, ci95=row.energy_ci95,
                resampled=row.energy_resampled,
            )  # fmt: skip
            diversity = replace(
                own, metric="diversity-ratio", mean=row.diversity_ratio, ci95=row.diversity_ci95,
                resampled=None if row.diversity_ci95 is None else row.energy_resampled,
            )  # fmt: skip
            found += [own, diversity]
    return found


def without_energy(row: Row) -> Row:
    """Return the row without what ``energy_rows`` shows."""
    return replace(
        row, energy_distance=None, energy_ci95=None, diversity_ratio=None, diversity_ci95=None,
        energy_resampled=None, energy_sentences=0,
    )  # fmt: skip


def _with_energy(row: Row, beside: Beside, paths: Paths, seed: int) -> Row:
    if row.kind == "human":
        return _of_halves(row, beside, seed)
    generated: dict[str, list[Scanpath]] = {}
    for path in paths[row.model, row.setting]:
        generated.setdefault(path.sentence_id, []).append(path)
    both = [s for s, humans in beside.humans.items() if len(humans) > 1 and len(generated.get(s, ())) > 1]
    if not both:
        return row
    human = [path for s in both for path in beside.humans[s]]
    constant = row.kind == "baseline" and row.model == LEFT_TO_RIGHT  # copies: comparing one is enough
    model = [path for s in both for path in generated[s][: 1 if constant else None]]
    named = all(is_named(path.reader_id) for path in human)
    if not named:  # as if all were of one reader, who is then drawn every time
        human, model = ([replace(path, reader_id="") for path in side] for side in (human, model))
    found = energy(human, model, constant=constant, permutations=0, reader_draws=READER_DRAWS, seed=seed)
    return replace(
        row,
        energy_distance=found.distance,
        energy_ci95=found.ci95,
        diversity_ratio=None if math.isnan(found.diversity_ratio) else found.diversity_ratio,
        diversity_ci95=found.diversity_ci95,
        energy_resampled=None if found.ci95 is None else CROSSED if named else ONE_WAY,
        energy_sentences=len(found.sentence_ids),
    )


def _of_halves(row: Row, beside: Beside, seed: int) -> Row:
    """Add the energy between halves of the readers; their diversity is 1 by definition."""
    energies = split_half_energy(beside.humans, seed=seed)
    if not energies:
        return row
    values = np.array(list(energies.values()))
    return replace(
        row,
        energy_distance=math.fsum(energies.values()) / len(energies),
        energy_ci95=bootstrap_interval(values, None, list(energies), seed=seed),
        diversity_ratio=1.0,
        energy_resampled=BY_SENTENCE,
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
