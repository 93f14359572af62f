"""Models that were fitted elsewhere join a run by their prediction files, on the run's own folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from scandl.corpora import Corpus
from scandl.errors import DataError, Fact
from scandl.files.cell_values import join_path
from scandl.files.index_base import UNSAID, Bases, warn_of_base
from scandl.files.json_tables import JSON_ENDINGS
from scandl.files.prediction_columns import FileWithColumns, parse_meanings, with_our_names
from scandl.files.prediction_files import Fault, misfit, read_numbered
from scandl.files.prediction_inputs import as_predictions
from scandl.files.tables import read_table
from scandl.models.catalogue import model_sources
from scandl.records import Prediction
from scandl.splits import Fold
from scandl_eval.running.run_config import RunConfig
from scandl_eval.running.tasks import Corpora, Group

LONGEST = 255
"""Bytes a folder's name may have nearly everywhere."""


def read_outside(config: RunConfig, folds: Sequence[Fold], corpora: Corpora) -> dict[Group, list[Prediction]]:
    """Read the predictions of ``config.predictions`` and check them; nothing is written yet.

    A prediction must belong to the test part of the fold it names: otherwise its model may have
    learned from what it is tested on, or folds were made in another way.
    """
    groups: dict[Group, list[Prediction]] = {}
    n_words: dict[str, int] = {}
    tested = {(fold.setting, str(fold.number)): set(fold.test) for fold in folds}
    own = tuple(model_sources(config.models))
    names = {name.casefold(): name for name in own}
    files = [FileWithColumns(file, parse_meanings(config.columns)) for file in config.predictions]
    base = config.index_base
    bases = UNSAID if base is None else Bases(base, base)
    read = as_predictions(files, index_base=base) if files else []
    for k, p in enumerate(read):
        corpus = corpora.tested(p.setting)
        fault = (
            _misnamed(p, own, names)
            or _misplaced(p, tested)
            or misfit(p, corpus, n_words, bases)
            or _of_other_readers(p, corpus)
        )
        if fault is not None:
            raise _error(files, base, k, *fault)
        human = corpus.by_pair[p.reader_id or "", p.sentence_id].positions
        groups.setdefault((p.model, p.setting), []).append(
            replace(p, human=human, text=corpus.sentences[p.sentence_id].text)
        )
    if base is None and all(p.human is None for p in read):  # otherwise they were held against the files'
        warn_of_base(", ".join(files), [p for found in groups.values() for p in found], None)
    return groups


def _misnamed(p: Prediction, own: Sequence[str], names: dict[str, str]) -> Fault | None:
    if p.model in own:
        return "model", p.model, "another name, this one is of a model of the run"
    if p.model in (".", "..") or set("/\\") & set(p.model) or len(p.model.encode()) > LONGEST:
        return "model", p.model, f"a name that a folder can have: no path, at most {LONGEST} bytes"
    # Many file systems hold names that differ only in case for one.
    known = names.setdefault(p.model.casefold(), p.model)
    if known != p.model:
        return "model", p.model, f"a name that differs from {known!r} in more than case"
    return None


def _misplaced(p: Prediction, tested: Mapping[tuple[str, str], set[tuple[str, str]]]) -> Fault | None:
    folds = [fold for setting, fold in tested if setting == p.setting]
    if not folds:
        settings = dict.fromkeys(setting for setting, _ in tested)
        return "setting", p.setting, f"a setting of this run: {', '.join(settings)}"
    if p.fold not in folds:
        return "fold", p.fold, f"a fold of setting {p.setting!r} in this run: {', '.join(folds)}"
    if p.reader_id is None:
        return "reader_id", "", "the reader whose scanpath it stands for"
    if (p.reader_id, p.sentence_id) not in tested[p.setting, p.fold]:
        found = Fact(f"reader {p.reader_id!r}, sentence {p.sentence_id!r}")
        return "sentence_id", found, f"an item of the test part of {p.setting}-{p.fold}"
    return None


def _of_other_readers(p: Prediction, corpus: Corpus) -> Fault | None:
    """Refuse what was predicted beside another human path: other data, or positions that count from 1."""
    human = corpus.by_pair[p.reader_id or "", p.sentence_id].positions
    if p.human is None or p.human == human:
        return None
    whose = f"the path of reader {p.reader_id!r} in corpus {corpus.name!r}"
    return "human", join_path(p.human), f"{join_path(human)!r}, {whose}, or no such column"


def _error(
    files: Sequence[FileWithColumns], base: int | None, k: int, column: str, found: str, expected: str
) -> DataError:
    """Return the fault of the k-th prediction with its place, which is looked up only now.

    Where the file lacks the column, that is the fault, and not the value that stood in for it.
    """
    places = ((file, row) for file in files for row, _ in read_numbered(file, index_base=base))
    file, row = next(islice(places, k, None))
    if column in ("setting", "fold", "reader_id") and Path(file).suffix not in JSON_ENDINGS:
        with_our_names(read_table(file), file.columns).need(column)
    return DataError(file, row, column, found, expected)
