"""Prediction files as a set: read together, told apart, put beside the humans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact, ScandlError
from scandl.files.prediction_files import read_predictions
from scandl.pairing import Pairing, pair
from scandl.records import Prediction
from scandl_eval.scoring.fold_names import with_common_folds
from scandl_eval.scoring.remarks import disagreement_warnings, lacking_notes, named
from scandl_eval.scoring.scoring_spec import Spec

if TYPE_CHECKING:
    from scandl.corpora import Corpus


Source = Path | str | Sequence[Path | str] | Sequence[Prediction]
"""Prediction files, or predictions."""


def predictions_of(source: Source, corpus: Corpus | None = None) -> list[Prediction]:
    """Return the predictions of files or records; parts of one model are joined.

    Models that only share a file name are told apart by the path. A prediction that stands in two
    files is an error: it would count twice.
    """
    if isinstance(source, Path | str):
        return _read_files([source], corpus)
    given = list(source)
    records = [each for each in given if isinstance(each, Prediction)]
    if len(records) == len(given):
        return records
    return _read_files([each for each in given if isinstance(each, Path | str)], corpus)


def _read_files(files: Sequence[Path | str], corpus: Corpus | None) -> list[Prediction]:
    stems = [Path(file).stem for file in files]
    found: list[Prediction] = []
    first: dict[tuple[object, ...], int] = {}
    for i, (file, stem) in enumerate(zip(files, stems, strict=True)):
        predictions = read_predictions(file, corpus=corpus)
        if not predictions:
            raise DataError(file, None, None, Fact("no predictions"), "at least one row")
        if stems.count(stem) > 1:
            predictions = [replace(p, model=str(file)) if p.model == stem else p for p in predictions]
        for p in predictions if len(files) > 1 else ():
            key = (p.model, p.setting, p.fold, p.reader_id, p.sentence_id, p.sample)
            if p.reader_id is not None and first.setdefault(key, i) != i:
                twice = Fact(f"{named([p])}, sample {p.sample}, that {files[first[key]]} has too")
                raise DataError(file, None, "model", twice, "each once, or another model name")
        found += predictions
    return found


def load(
    source: Source, corpus: Corpus | str | None, spec: Spec, *, strict: bool = False, name: str | None = None
) -> tuple[Corpus | None, list[Prediction], Pairing]:
    """Read predictions and put them beside the humans as ``spec`` says, or say why that cannot be done.

    With ``strict`` every prediction needs a human scanpath, that of the corpus where it has one, and
    every model a prediction for each item.
    """
    opened = open_if_named(corpus)
    as_read = with_common_folds(predictions_of(source, opened))
    name = name or named_source(source)
    if opened is None and all(p.human is None for p in as_read):
        found = Fact(f"no human scanpath in {len(as_read)} predictions")
        raise DataError(name, None, "human", found, "a column 'human', or a corpus (--corpus)")
    if opened is None and spec.against == "all-readers":
        raise ScandlError("to compare with all readers of a sentence, give a corpus (--corpus)")
    pairing = pair([spec.addressed(spec.repaired(p)) for p in as_read], opened)
    missing = pairing.without_human
    if not pairing.instances or (strict and missing):
        share = f"{len(missing)} of {len(as_read)} predictions"
        raise ScandlError(f"{name}: {share} have no human scanpath: {named(missing)}")
    if strict:
        for said in (*disagreement_warnings(pairing, as_read, opened), *lacking_notes(pairing, opened)):
            raise ScandlError(f"{name}: {said}")
    return opened, as_read, pairing


def named_source(source: Source) -> str:
    """Return the name of predictions for a message: the first file, or what they are."""
    if isinstance(source, Path | str):
        return str(source)
    first = next(iter(source), None)
    return "the predictions" if first is None or isinstance(first, Prediction) else str(first)


def open_if_named(corpus: Corpus | str | None) -> Corpus | None:
    """Return the corpus, opened where it was given by name or folder."""
    if not isinstance(corpus, str):
        return corpus
    from scandl.corpora.catalogue import open_corpus

    return open_corpus(corpus)
