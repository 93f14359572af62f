"""Outputs of the original programs of E-Z Reader and SWIFT, and of the released ScanDL baselines."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact, ScandlError, did_you_mean
from scandl.models.cognitive.importers import (
    baseline_pickle,
    baseline_table,
    ezreader_trace,
    swift_sequence,
)
from scandl.models.cognitive.importers.trials import Imported, Trial, finished

if TYPE_CHECKING:
    from scandl.corpora import Corpus

__all__ = ["IMPORTERS", "Imported", "import_baseline"]

TRACE = "ezreader-trace"
IMPORTERS: dict[str, Callable[[Path, Corpus], list[Trial]]] = {
    TRACE: ezreader_trace.read,
    "swift-sequence": swift_sequence.read,
    "baseline-pickle": baseline_pickle.read,
    "baseline-table": baseline_table.read,
}


def import_baseline(
    kind: str,
    path: Path | str,
    corpus: Corpus,
    *,
    model: str | None = None,
    setting: str = "all",
    fold: str = "0",
    index_base: int | None = None,
    infinite_ms: float | None = None,
) -> Imported:
    """Read the output of another program as predictions for the sentences of ``corpus``.

    Parameters
    ----------
    kind
        A name of ``IMPORTERS``.
    model
        What the predictions are called; by default the name of the file.
    index_base
        Whether sentence numbers of a trace of E-Z Reader count from 0 or 1, where the file does not
        show it; all other kinds say what they count from.
    infinite_ms
        What stands in for infinite durations (the released ScanDL 2.0 analysis took 2000); without
        it, scanpaths that have one are imported without durations.
    """
    if kind not in IMPORTERS:
        raise ScandlError(f"no importer {kind!r}{did_you_mean(kind, IMPORTERS)}")
    if index_base is not None and kind != TRACE:
        raise ScandlError(f"--index-base goes with {TRACE} alone: {kind} says what it counts from")
    if infinite_ms is not None and not 0 < infinite_ms < math.inf:
        raise ScandlError(f"--infinite-ms {infinite_ms:g}: expected milliseconds above 0")
    source = Path(path)
    if index_base is None:
        trials = IMPORTERS[kind](source, corpus)
    else:
        trials = ezreader_trace.read(source, corpus, index_base)
    if not trials:
        raise DataError(source, None, None, Fact("no trial"), "at least one")
    return finished(trials, model=model or source.stem, setting=setting, fold=fold, infinite_ms=infinite_ms)
