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
from scandl_eval.scoring.remarks import lacking_notes, named
from scandl_eval.scoring.scoring_spec import Spec

if TYPE_CHECKING:
    from scandl.corpora import Corpus


def read_files(files: Sequence[Path | str], corpus: Corpus | None = None) -> list[Prediction]:
    """Read all files; parts of one model are joined, models that only share a file name are not.

    A prediction that stands in two files is an error: it would count twice.
    """
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
    files: Sequence[Path | str], corpus: Corpus | None, spec: Spec, *, strict: bool = False
) -> tuple[list[Prediction], Pairing]:
    """Read predictions and put them beside the humans as ``spec`` says, or say why that cannot be done.

    With ``strict`` every prediction needs a human scanpath, and every model a prediction for each item.
    """
    as_read = with_common_folds(read_files(files, corpus))
    if corpus is None and all(p.human is None for p in as_read):
        found = Fact(f"no human scanpath in {len(as_read)} predictions")
        raise DataError(files[0], None, "human", found, "a column 'human', or a corpus (--corpus)")
    if corpus is None and spec.against == "all-readers":
        raise ScandlError("to compare with all readers of a sentence, give a corpus (--corpus)")
    pairing = pair([spec.addressed(spec.repaired(p)) for p in as_read], corpus)
    missing = pairing.without_human
    if not pairing.instances or (strict and missing):
        share = f"{len(missing)} of {len(as_read)} predictions"
        raise ScandlError(f"{files[0]}: {share} have no human scanpath: {named(missing)}")
    if strict and (lacking := lacking_notes(pairing, corpus)):
        raise ScandlError(f"{files[0]}: {lacking[0]}")
    return as_read, pairing
