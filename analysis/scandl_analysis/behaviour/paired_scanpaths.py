"""Predictions beside the human scanpaths they stand against: the NLD, and what the human path was like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from scandl.errors import ScandlError
from scandl.records import Positions, Prediction
from scandl.statistics.distances import paired
from scandl_analysis.measures.scanpath_measures import NAMES, scanpath_measures
from scandl_analysis.words.analysed_run import Run

NLD = "nld"
KERNELS = {"words": "nld", "scandl": "nld-scandl"}
"""The NLD that belongs to a convention of the measures: both count CLS and SEP, or neither."""

KEYS = ("convention", "model", "reader_id", "sentence_id")
Stood = tuple[Prediction, str, Positions]
"""A prediction, the reader it stands for (empty: not named), and that reader's path."""


def paired_scanpaths(run: Run) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return one row per convention, model and human scanpath, and what was left out.

    Columns are the NLD, its mean over the samples of a prediction, and the measures of the human path.
    """
    stood = [each for predictions in run.predictions.values() for each in _stood(predictions, run)]
    notes = _left_out(run, stood)
    if not stood:
        raise ScandlError(
            f"corpus {run.corpus.name!r} has no scanpath of the readers and sentences that were predicted:"
            " is it the corpus of these predictions?"
        )
    frames = [_frame(stood, run, convention) for convention in KERNELS]
    return pd.concat(frames, ignore_index=True), notes


def _frame(stood: Sequence[Stood], run: Run, convention: str) -> pd.DataFrame:
    """Return the rows of one convention; a human path is measured once however often it is predicted."""
    distances = paired(
        [human for _, _, human in stood], [p.predicted for p, _, _ in stood], KERNELS[convention]
    )
    measured: dict[tuple[str, Positions], dict[str, float]] = {}
    rows = []
    for (p, reader, human), distance in zip(stood, distances.tolist(), strict=True):
        key = (p.sentence_id, human)
        if key not in measured:
            n_words = run.corpus.sentences[p.sentence_id].n_words
            measured[key] = scanpath_measures(human, n_words, convention)
        # Unnamed readers are told apart by their paths, so that samples of one prediction stay together.
        rows.append((convention, p.model, reader, p.sentence_id, human, distance, *measured[key].values()))
    columns = [*KEYS, "human", NLD, *measured[key]]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.groupby([*KEYS, "human"], sort=False, as_index=False).mean()[[*KEYS, NLD, *NAMES]]


def _stood(predictions: Sequence[Prediction], run: Run) -> Iterator[Stood]:
    """Yield each prediction with the human path, or paths, it is compared with."""
    for p in predictions:
        if p.reader_id is not None:
            path = run.corpus.by_pair.get((p.reader_id, p.sentence_id))
            if path is not None:
                yield p, p.reader_id, path.words
        elif p.human is not None:
            yield p, "", p.human
        else:
            for path in run.corpus.scanpaths:
                if path.sentence_id == p.sentence_id:
                    yield p, path.reader_id, path.words


def _left_out(run: Run, stood: Sequence[Stood]) -> tuple[str, ...]:
    used = {id(p) for p, _, _ in stood}
    notes = []
    for model, predictions in run.predictions.items():
        lost = sum(id(p) not in used for p in predictions)
        if lost:
            notes.append(f"{model}: {lost:,} of {len(predictions):,} predictions have no human scanpath")
    return tuple(notes)
