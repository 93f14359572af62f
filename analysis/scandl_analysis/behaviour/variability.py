"""How scanpaths vary: mean and spread of the six scanpath measures, humans beside models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scandl.errors import ScandlError
from scandl.files.results import Provenance, provenance, write_sidecar
from scandl.files.tables import write_frame
from scandl.measures.scanpath_measures import CONVENTIONS, NAMES
from scandl.seeds import stream
from scandl.statistics.bootstrap import (
    RESAMPLES,
    Clusters,
    Floats,
    drawn,
    interval,
    mean_and_sd,
    weights,
)
from scandl_analysis.published_numbers import published_measures
from scandl_analysis.words.analysed_run import Reading, Run, as_run, human_readings, model_readings
from scandl_analysis.words.word_files import measure_scanpaths

if TYPE_CHECKING:
    from scandl.corpora import Corpus
    from scandl.files.prediction_inputs import Predictions

FILE = "variability.csv"
PUBLISHED_CONVENTION = "scandl"
QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """One measure of one source: its mean ± SD over scanpaths, and how sure both are."""

    setting: str
    corpus: str
    convention: str
    source: str
    measure: str
    origin: str = "run"  # or published
    n: int | None = None  # scanpaths
    n_readers: int | None = None
    n_sentences: int | None = None
    mean: float
    ci_low: float | None = None  # 95 %, readers and sentences resampled
    ci_high: float | None = None
    sd: float | None
    sd_low: float | None = None
    sd_high: float | None = None
    q05: float | None = None
    q25: float | None = None
    median: float | None = None
    q75: float | None = None
    q95: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Behaviour:
    """A table about scanpaths, the rows it was made of, and what to say about both."""

    files: tuple[str, str]  # what the table and the rows are called
    setting: str
    notes: tuple[str, ...]  # the first line says what was analysed
    table: pd.DataFrame
    rows: pd.DataFrame  # one per convention and scanpath, or pair of them
    provenance: Provenance

    def write(self, out: Path | str) -> None:
        """Write the table, the rows and how they were made."""
        table, rows = (Path(out) / file for file in self.files)
        write_frame(rows, self.rows)
        write_frame(table, self.table)
        settings = {"bootstrap": {"seed": str(self.provenance.seed), "resamples": str(RESAMPLES)}}
        write_sidecar(table, settings, self.notes, self.provenance)


def variability(
    source: Run | Predictions | None = None,
    *,
    corpus: Corpus | Path | str | None = None,
    setting: str | None = None,
    index_base: int | None = None,
    seed: int = 1,
    resamples: int = RESAMPLES,
) -> Behaviour:
    """Measure every scanpath under both conventions and say how the measures vary.

    Parameters
    ----------
    source
        A run folder, or predictions in any form with their ``corpus``. None is the newest run below
        ``runs``, or the demo.
    corpus
        The corpus of the predictions, or its name.
    setting
        The setting of the run, such as ``nrns``.
    index_base
        What positions of predictions count from, 0 or 1.
    seed
        The seed of the bootstrap.
    resamples
        Bootstrap samples.

    Returns
    -------
    Behaviour
        One row per source, convention and measure, with intervals.

    Examples
    --------
    >>> from scandl.records import Prediction
    >>> one = Prediction("s01", (0, 1, 2), reader_id="r01", model="mine")
    >>> table = variability(one, corpus="demo", resamples=20).table
    >>> table.query("convention == 'words' and measure == 'skipping_rate'")[["source", "n"]].values.tolist()
    [['human', 1], ['mine', 1]]
    """
    run = as_run(source, corpus, setting, index_base)
    readings = readings_stood_for(run)
    for predictions in run.predictions.values():
        readings += model_readings(predictions, run.corpus)
    frames = [measure_scanpaths(readings, name).assign(convention=name) for name in CONVENTIONS]
    scanpaths = pd.concat(frames, ignore_index=True)
    rows = []
    row = partial(Spread, setting=run.setting, corpus=run.corpus.name)
    for (convention, reader), part in scanpaths.groupby(["convention", "source"], sort=False):
        found = spreads(part, stream(seed, "variability", str(reader)), resamples)
        rows += [row(convention=str(convention), source=str(reader), **each) for each in found]
    rows += published_rows(run.setting)
    return behaviour((FILE, "scanpaths.csv"), run, run.first_lines, rows, scanpaths, seed)


def behaviour(
    files: tuple[str, str],
    run: Run,
    notes: tuple[str, ...],
    records: Sequence[Any],
    rows: pd.DataFrame,
    seed: int,
) -> Behaviour:
    """Return records as a table, with what they were made of."""
    columns = [field.name for field in fields(records[0])]
    table = pd.DataFrame([asdict(record) for record in records], columns=columns)
    return Behaviour(files, run.setting, notes, table, rows, provenance(seed=seed, inputs=run.inputs))


def readings_stood_for(run: Run) -> list[Reading]:
    """Return the human readings of the items that models read: measures of other items say nothing.

    A prediction without a reader stands for every reader of its sentence.
    """
    predictions = [p for each in run.predictions.values() for p in each]
    pairs = {(p.reader_id, p.sentence_id) for p in predictions}
    found = [
        reading
        for reading in human_readings(run.corpus)
        if not pairs.isdisjoint({(reading.reader_id, reading.sentence_id), (None, reading.sentence_id)})
    ]
    if not found:
        raise ScandlError(
            f"corpus {run.corpus.name!r} has no scanpath of the {len(pairs)} readers and sentences that were"
            " predicted: is it the corpus of these predictions?"
        )
    return found


def spreads(
    scanpaths: pd.DataFrame, rng: np.random.Generator, resamples: int = RESAMPLES
) -> list[dict[str, Any]]:
    """Return the numbers of each measure of one source, as fields of a Spread.

    >>> paths = pd.DataFrame({"reader_id": ["r1", "r2"], "sentence_id": ["s1", "s1"]})
    >>> paths = paths.assign(**{name: [1.0, 2.0] for name in NAMES})
    >>> found = spreads(paths, np.random.default_rng(1))[0]
    >>> found["measure"], found["n"], found["mean"], round(found["sd"], 4), found["note"]
    ('first_pass_count', 2, 1.5, 0.7071, 'one sentence: the intervals hold for it alone')
    """
    values = scanpaths[list(NAMES)].to_numpy(float)  # (n, 6)
    readers, sentences = scanpaths["reader_id"].tolist(), scanpaths["sentence_id"].tolist()
    sizes = {"n": len(values), "n_readers": len(set(readers) - {""}), "n_sentences": len(set(sentences))}
    # Paths for no reader in particular have sentences only in common.
    clusters = (readers, sentences) if "" not in readers else (sentences,)
    draws = drawn(weights(*clusters, rng=rng, resamples=resamples), lambda w: mean_and_sd(w, values))
    draws[1] *= np.sqrt(len(values) / max(len(values) - 1, 1))  # as the SD of the sample itself, n − 1
    fixed = all(len(set(levels)) == 1 for levels in clusters)
    return [
        sizes
        | {"measure": measure}
        | _described(column)
        | _intervals(draws[..., k], fixed)
        | {"note": _note(measure, column, clusters, draws[0, :, k])}
        for k, (measure, column) in enumerate(zip(NAMES, values.T, strict=True))
    ]


def published_rows(setting: str) -> list[Spread]:
    """Return the printed numbers of the setting as rows of the same table."""
    return [
        Spread(
            setting=setting,
            corpus=row.corpus,
            convention=PUBLISHED_CONVENTION,
            source=row.source,
            measure=row.measure,
            origin="published",
            mean=row.mean,
            sd=row.sd,
        )
        for row in published_measures(setting)
    ]


def _described(column: Floats) -> dict[str, float | None]:
    sd = float(column.std(ddof=1)) if len(column) > 1 else None
    quantiles = {name: float(np.quantile(column, q)) for name, q in QUANTILES.items()}
    return {"mean": float(column.mean()), "sd": sd, **quantiles}


def _intervals(draws: Floats, fixed: bool) -> dict[str, float | None]:
    """Return the intervals of mean and SD; where nothing can be resampled there are none."""
    (low, high), (sd_low, sd_high) = (
        (None, None) if fixed else interval(each) or (None, None) for each in draws
    )
    return {"ci_low": low, "ci_high": high, "sd_low": sd_low, "sd_high": sd_high}


def _note(measure: str, column: Floats, clusters: Sequence[Clusters], means: Floats) -> str:
    """Say what the numbers cannot say."""
    if len(column) == 1:
        return "one scanpath: no spread, no interval"
    said = [f"{measure} is {column[0]:g} on all {len(column):,} scanpaths"] if np.ptp(column) == 0 else []
    single = [
        f"one {name}"
        for name, levels in zip(("sentence", "reader"), reversed(clusters), strict=False)
        if len(set(levels)) == 1
    ]
    if len(single) == len(clusters):
        said.append(f"{' and '.join(single)}: no interval")
    elif single:
        said.append(f"{single[0]}: the intervals hold for it alone")
    if not single and interval(means) is None:
        undefined = int(np.isnan(means).sum())
        said.append(f"no interval: {undefined:,} of {len(means):,} resamples hold no scanpath")
    return "; ".join(said)
