"""The files of this room: measures and predictors as tables, each with a note of how it was made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scandl.corpora import read_corpus
from scandl.corpora.corpus_folder import find_corpus
from scandl.errors import ScandlError
from scandl.files.prediction_inputs import as_predictions
from scandl.files.results import provenance, refuse_input, write_sidecar
from scandl.files.tables import check_ending, write_frame
from scandl.measures.scanpath_measures import SCANPATH_MEASURES, scanpath_measures
from scandl.measures.word_measures import DURATIONS, NAMES, TIME_MEASURES
from scandl.models.imputation import Imputation
from scandl.records import Sentence
from scandl.statistics.clustered import codes, ratio_uncertainty
from scandl.statistics.pooling import pool
from scandl_analysis.predictors.word_predictors import Predictors, compute_predictors
from scandl_analysis.words.analysed_run import (
    Reading,
    human_readings,
    model_readings,
    open_words,
    paired_readings,
)
from scandl_analysis.words.regions import by_region, read_regions, region_rows
from scandl_analysis.words.word_table import KEYS, VERSION, truncated_note, versions_of, word_rows

if TYPE_CHECKING:
    from scandl.corpora import Corpus


@dataclass(frozen=True, slots=True)
class Written:
    """A table that was written, and what its user should know."""

    path: Path
    frame: pd.DataFrame
    notes: tuple[str, ...]
    beside: tuple[Path, ...] = ()  # other files that were written with it


def measure_words(
    readings: Sequence[Reading],
    variant: str = "paper",
    predictors: Predictors | None = None,
    *,
    compact: bool = False,
) -> pd.DataFrame:
    """Return sr, fpr, ffc, tfc and the measures of the ecosystem, one row per word of each reading.

    Columns of times are left out when no reading has durations. ``compact`` is that of ``word_rows``.
    """
    timed = any(reading.durations is not None for reading in readings)
    times = [name for name in TIME_MEASURES if timed or name not in DURATIONS]
    frame = word_rows(readings, predictors, variant, times=times, compact=compact)
    return frame.drop(columns=[name for name in times if frame[name].isna().all()])


def measure_scanpaths(readings: Sequence[Reading], convention: str = "words") -> pd.DataFrame:
    """Return the six measures of a whole scanpath, one row per reading."""
    keys = [name for name in KEYS if not name.startswith("word")]
    keys += [VERSION] * any(reading.version for reading in readings)
    return pd.DataFrame(
        [
            {name: getattr(reading, name) for name in keys}
            | {"n_words": len(reading.words), "n_fixations": len(reading.path)}
            | scanpath_measures(reading.path, len(reading.words), convention)
            for reading in readings
        ]
    )


def write_measures(
    out: Path | str,
    *,
    corpus: Path | str | None = None,
    pred: Path | str | Sequence[Path | str] = (),
    variant: str = "paper",
    per_scanpath: bool = False,
    convention: str = "words",
    index_base: int | None = None,
    regions: Path | str | None = None,
) -> Written:
    """Write the measures of a corpus (its name or folder), of one or more prediction files, or of both.

    With predictions and no corpus, the human paths of the file are measured beside them. ``regions`` is a
    table of regions, whose measures are then written instead of those of words.
    """
    check_ending(out)
    folder = find_corpus(corpus) if corpus is not None else None
    files = [pred] if isinstance(pred, str | Path) else list(pred)
    refuse_input(out, *files)
    readings, notes = _readings(open_words(folder) if folder is not None else None, files, index_base)
    if per_scanpath:
        frame, how = measure_scanpaths(readings, convention), {"convention": convention}
    else:
        how = {"variant": variant}
        frame = (
            measure_words(readings, variant, compact=True)
            if regions is None
            else _of_regions(readings, variant, regions)
        )
    del readings
    write_frame(out, frame)
    inputs = [*([folder] if folder is not None else []), *files, *([regions] if regions is not None else [])]
    write_sidecar(out, {"measures": how}, notes, provenance(inputs=inputs))
    return Written(Path(out), frame, notes)


def _of_regions(readings: Sequence[Reading], variant: str, path: Path | str) -> pd.DataFrame:
    sentences = {reading.sentence_id: Sentence(reading.sentence_id, reading.text) for reading in readings}
    regions = read_regions(path, sentences)
    areas, _ = by_region(readings, regions)
    return region_rows(
        measure_words(areas, variant), regions, {key: sentence.n_words for key, sentence in sentences.items()}
    )


def write_predictors(out: Path | str, corpus: Path | str, **options: Any) -> Written:
    """Write the predictors of every word of a corpus; options are those of compute_predictors."""
    check_ending(out)
    folder = find_corpus(corpus)
    read = read_corpus(folder)
    texts = [sentence.text for sentence in read.sentences.values()]
    found = compute_predictors(texts, language=read.card.language, **options)
    frame = predictor_table(list(read.sentences.values()), found)
    write_frame(out, frame)
    write_sidecar(out, found.settings, found.notes, provenance(inputs=[folder]))
    return Written(Path(out), frame, found.notes)


def predictor_table(sentences: Sequence[Sentence], found: Predictors) -> pd.DataFrame:
    """Return one row per word of some sentences, with the name of the provider in each."""
    columns: dict[str, list[object]] = {
        "sentence_id": [s.sentence_id for s in sentences for _ in s.words],
        "word_index": [n for s in sentences for n in range(s.n_words)],
        "word": [word for s in sentences for word in s.words],
    }
    for name, by_text in found.columns.items():
        columns[name] = [value for s in sentences for value in by_text[s.text]]
    record = found.settings["surprisal"]
    columns["surprisal_unit"] = [record["unit"]] * len(columns["word"])
    columns["surprisal_provider"] = [record["provider"]] * len(columns["word"])
    return pd.DataFrame(columns)


def mean_lines(frame: pd.DataFrame) -> list[str]:
    """Return the mean of each measure by source as text, with its standard error.

    Where readings were imputed, both are pooled over their versions, and the fraction of missing
    information stands beside them.
    """
    names = [name for name in (*SCANPATH_MEASURES, *NAMES) if name in frame]
    lines = []
    needed = ["source", "reader_id", "sentence_id", *names, *([VERSION] if VERSION in frame else [])]
    for source, part in frame[needed].groupby("source", sort=False, observed=True):
        versions = versions_of(part)
        cells = [
            f"{name} {_pooled_cell([mean_and_error(each, name) for each in versions])}" for name in names
        ]
        lines.append(f"{source}: {', '.join(cells)}")
    return lines


def _pooled_cell(found: Sequence[tuple[float, float]]) -> str:
    means, errors = zip(*found, strict=True)
    if len(found) == 1:
        return f"{means[0]:.4f} ± {errors[0]:.4f}".replace("nan", "–")
    pooled = pool(means, errors)
    lost = f" (missing information {pooled.missing_information:.0%})"
    return f"{pooled.mean:.4f} ± {pooled.sd:.4f}".replace("nan", "–") + lost * math.isfinite(pooled.sd)


def mean_and_error(frame: pd.DataFrame, name: str) -> tuple[float, float]:
    """Return the mean of a measure over the rows that have it, and its standard error.

    Rows are words, or scanpaths. The error is over other readers and other sentences, of which a
    row has one each; over sentences alone where readers are not named, NaN where neither varies.
    """
    keys = ["reader_id", "sentence_id"]
    sums = frame[[*keys, name]].dropna(subset=[name]).groupby(keys, observed=True)[name]
    total, count = (np.asarray(each, dtype=np.float64)[:, None] for each in (sums.sum(), sums.count()))
    if not len(total):
        return math.nan, math.nan
    readers, sentences = (sums.sum().index.get_level_values(k).tolist() for k in (0, 1))
    found = ratio_uncertainty(total, count, codes(readers) if all(readers) else None, codes(sentences))
    error = math.sqrt(found.variance([1.0])[0]) if found.defined else math.nan
    return float(total.sum() / count.sum()), error


def _readings(
    opened: Corpus | Imputation | None, pred: Sequence[Path | str], index_base: int | None
) -> tuple[list[Reading], tuple[str, ...]]:
    corpus = opened.corpora[0] if isinstance(opened, Imputation) else opened
    if corpus is None and not pred:
        raise ScandlError("nothing to measure: give a corpus, predictions, or both")
    predictions = as_predictions(pred, corpus, index_base) if pred else []
    models = model_readings(predictions, corpus)
    humans = human_readings(opened) if opened is not None else paired_readings(predictions)
    if not models and not humans:
        raise ScandlError("nothing to measure: no scanpath was given")
    notes = [opened.said] if isinstance(opened, Imputation) else []
    if corpus is not None and corpus.card.kind == "simulated":
        notes.append(f"corpus {corpus.name!r}: its readers are simulated, the source 'human' stands for them")
    if models and corpus is None and humans:
        notes.append("source 'human': the paths that stand beside the predictions in the file")
    notes += [said] if (said := truncated_note(humans)) else []
    return [*humans, *models], tuple(notes)
