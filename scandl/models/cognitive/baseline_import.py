"""Outputs of the original programs of E-Z Reader and SWIFT, and of the released ScanDL baselines.

The pickles of baselines that the released ScanDL analysis reads are parallel lists of ids. A pickle can run
any code when it is loaded. This reader refuses all but plain lists, dicts, text, numbers and numpy arrays.
The baselines of ScanDL 2.0 (``fixations_df-baselines-*.csv``) are tab-separated tables, with words counted
from 1.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.errors import DataError, Fact, ScandlError, did_you_mean
from scandl.files.symbol_repair import clean
from scandl.files.tables import read_table
from scandl.models.cognitive.program_traces import read_ezreader_trace, read_swift_sequence
from scandl.models.cognitive.trials import (
    Imported,
    SimulatedTrial,
    finished,
    milliseconds,
    position,
    whole_number,
)

if TYPE_CHECKING:
    from scandl.corpora import Corpus

TERMINAL = 50
"""The id the baselines end with, whatever the length of the sentence."""

_LISTS = ("predicted_sp_ids", "reader_ids", "sn_ids")
_ARRAYS = {
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("_codecs", "encode"),  # the last makes bytes from text
    *((f"numpy.{core}.multiarray", "_reconstruct") for core in ("core", "_core")),
    *((f"numpy.{core}.multiarray", "scalar") for core in ("core", "_core")),
    *((f"numpy.{core}.numeric", "_frombuffer") for core in ("core", "_core")),
}
_TABLE_COLUMNS = ("sn_id", "reader_id", "instance_idx", "fixation_index", "fixation_duration", "word_id")
TRACE = "ezreader-trace"


class _PlainUnpickler(pickle.Unpickler):
    """Builds plain data and numpy arrays, and nothing that could act."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the constructors of arrays; refuse everything else."""
        if (module, name) in _ARRAYS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"the object {module}.{name}")


def read_pickle(path: Path, corpus: Corpus) -> list[SimulatedTrial]:
    """Read one pickle; ids (CLS 0, words from 1, a terminal) become word positions from 0."""
    table = _load(path)
    trials = []
    for i, (ids, reader_id, sentence_id) in enumerate(
        zip(*(table[name] for name in _LISTS), strict=True), start=1
    ):
        sentence = corpus.sentences.get(str(sentence_id))
        if sentence is None:
            raise DataError(path, i, "sn_ids", str(sentence_id), f"a sentence of corpus {corpus.name!r}")
        try:
            symbols = [int(symbol) for symbol in ids]
        except (TypeError, ValueError):
            raise DataError(path, i, "predicted_sp_ids", str(ids), "a list of ids") from None
        if symbols[-1:] == [TERMINAL]:
            symbols[-1] = sentence.n_words + 1
        words, repairs = clean(symbols, sentence.n_words)
        trials.append(SimulatedTrial(sentence, list(words), reader_id=str(reader_id), repairs=repairs))
    return trials


def _load(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        try:
            table = _PlainUnpickler(stream).load()
        except Exception as error:  # broken bytes can make any call fail, in any way
            expected = "a pickle of plain lists, dicts, text, numbers and numpy arrays"
            raise DataError(path, None, None, Fact(str(error) or "a broken pickle"), expected) from None
    if not isinstance(table, dict):
        found = Fact(f"a {type(table).__name__}")
        raise DataError(path, None, None, found, f"lists named {', '.join(_LISTS)}")
    for name in _LISTS:
        if not hasattr(table.get(name), "__len__"):
            found = Fact("no list of this name")
            raise DataError(path, None, name, found, "the lists of the released code")
        if len(table[name]) != len(table[_LISTS[0]]):
            found = Fact(f"{len(table[name])} entries")
            raise DataError(path, None, name, found, f"{len(table[_LISTS[0]])} as in {_LISTS[0]}")
    return table


def read_baseline_table(path: Path, corpus: Corpus) -> list[SimulatedTrial]:
    """Read one table; the fixations of an instance may stand in any order."""
    table = read_table(path, delimiter="\t")
    columns = table.need(*_TABLE_COLUMNS)
    instances: dict[tuple[str, str, str], list[tuple[int, int, float]]] = {}
    for i, (sentence_id, reader_id, instance, index, duration, word) in enumerate(zip(*columns, strict=True)):
        row = table.line(i)
        if sentence_id not in corpus.sentences:
            raise DataError(path, row, "sn_id", sentence_id, f"a sentence of corpus {corpus.name!r}")
        n_words = corpus.sentences[sentence_id].n_words
        at = position(whole_number(word, path, row, "word_id"), 1, n_words, path, row, "word_id")
        instances.setdefault((sentence_id, reader_id, instance), []).append(
            (
                whole_number(index, path, row, "fixation_index"),
                at,
                milliseconds(duration, path, row, "fixation_duration"),
            )
        )
    trials = []
    for (sentence_id, reader_id, instance), fixations in instances.items():
        fixations.sort(key=lambda fixation: fixation[0])
        if len({index for index, _, _ in fixations}) != len(fixations):
            found = Fact(f"a number twice in instance {instance}")
            raise DataError(path, None, "fixation_index", found, "each fixation once")
        words, durations = [word for _, word, _ in fixations], [ms for _, _, ms in fixations]
        trials.append(SimulatedTrial(corpus.sentences[sentence_id], words, durations, reader_id))
    return trials


IMPORTERS: dict[str, Callable[[Path, Corpus], list[SimulatedTrial]]] = {
    TRACE: read_ezreader_trace,
    "swift-sequence": read_swift_sequence,
    "baseline-pickle": read_pickle,
    "baseline-table": read_baseline_table,
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
        trials = read_ezreader_trace(source, corpus, index_base)
    if not trials:
        raise DataError(source, None, None, Fact("no trial"), "at least one")
    return finished(trials, model=model or source.stem, setting=setting, fold=fold, infinite_ms=infinite_ms)
