"""Prediction files as a set: read together, told apart, put beside the humans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact, ScandlError
from scandl.files.prediction_inputs import Predictions, as_predictions, prediction_paths
from scandl.pairing import Pairing, pair
from scandl.records import Prediction
from scandl_eval.scoring.fold_names import with_common_folds
from scandl_eval.scoring.remarks import disagreement_warnings, lacking_notes, named
from scandl_eval.scoring.scoring_spec import Spec

if TYPE_CHECKING:
    from scandl.corpora import Corpus


def load(
    source: Predictions,
    corpus: Corpus | str | None,
    spec: Spec,
    *,
    strict: bool = False,
    name: str | None = None,
) -> tuple[Corpus | None, list[Prediction], Pairing]:
    """Read predictions and put them beside the humans as ``spec`` says, or say why that cannot be done.

    With ``strict`` every prediction needs a human scanpath, that of the corpus where it has one, and
    every model a prediction for each item.
    """
    opened = open_if_named(corpus)
    as_read = with_common_folds(as_predictions(source, opened))
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


def named_source(source: Predictions) -> str:
    """Return the name of predictions for a message: the first file, or what they are."""
    files = prediction_paths(source)
    return str(files[0]) if files else "the predictions"


def open_if_named(corpus: Corpus | str | None) -> Corpus | None:
    """Return the corpus, opened where it was given by name or folder."""
    if not isinstance(corpus, str):
        return corpus
    from scandl.corpora.catalogue import open_corpus

    return open_corpus(corpus)
