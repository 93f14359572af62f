"""Predictions beside the human scanpaths they stand against: the NLD, and what the human path was like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from scandl.errors import ScandlError
from scandl.measures.scanpath_measures import NAMES, scanpath_measures
from scandl.pairing import Instance, Pairing
from scandl.records import Positions
from scandl.statistics.distances import paired
from scandl_analysis.words.analysed_run import Run

NLD = "nld"
KERNELS = {"words": "nld", "scandl": "nld-scandl"}
"""The NLD that belongs to a convention of the measures: both count CLS and SEP, or neither."""

KEYS = ("convention", "model", "reader_id", "sentence_id")


def paired_scanpaths(run: Run) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return one row per convention, model and human scanpath, and what to say of the pairs.

    Columns are the NLD, its mean over the samples of a prediction, and the measures of the human path.
    ``scandl.pairing`` says which human path a prediction meets.
    """
    pairing = run.pairing
    if not pairing.instances:
        raise ScandlError(
            f"corpus {run.corpus.name!r} has no scanpath of the readers and sentences that were predicted:"
            " is it the corpus of these predictions?"
        )
    frames = [_frame(pairing.instances, run, convention) for convention in KERNELS]
    return pd.concat(frames, ignore_index=True), _left_out(pairing, run)


def _frame(instances: Sequence[Instance], run: Run, convention: str) -> pd.DataFrame:
    """Return the rows of one convention; a human path is measured once however often it is predicted."""
    predicted = [instance.prediction.predicted for instance in instances]
    distances = paired([instance.human for instance in instances], predicted, KERNELS[convention])
    measured: dict[tuple[str, Positions], dict[str, float]] = {}
    rows = []
    for instance, distance in zip(instances, distances.tolist(), strict=True):
        p, human = instance.prediction, instance.human
        key = (p.sentence_id, human)
        if key not in measured:
            n_words = run.corpus.sentences[p.sentence_id].n_words
            measured[key] = scanpath_measures(human, n_words, convention)
        # Unnamed readers are told apart by their paths, so that samples of one prediction stay together.
        reader = instance.reader_id or ""
        rows.append((convention, p.model, reader, p.sentence_id, human, distance, *measured[key].values()))
    columns = [*KEYS, "human", NLD, *measured[key]]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.groupby([*KEYS, "human"], sort=False, as_index=False).mean()[[*KEYS, NLD, *NAMES]]


def _left_out(pairing: Pairing, run: Run) -> tuple[str, ...]:
    lost = Counter(p.model for p in pairing.without_human)
    return tuple(
        f"{model}: {n:,} of {len(run.predictions[model]):,} predictions have no human scanpath"
        for model, n in lost.items()
    )
