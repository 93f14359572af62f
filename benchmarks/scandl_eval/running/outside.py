"""Models that were fitted elsewhere join a run by their prediction files, on the run's own folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scandl.errors import ScandlError
from scandl.io import read_predictions, write_predictions
from scandl.records import Prediction
from scandl.splits import Fold
from scandl_eval.running.config import RunConfig
from scandl_eval.running.tasks import Corpora, Group


def copy_outside(
    config: RunConfig, folds: Sequence[Fold], corpora: Corpora, folder: Path
) -> dict[Group, Path]:
    """Check the predictions of ``config.predictions`` and write them beside those of the run.

    A prediction must belong to the test part of the fold it names: otherwise its model may have
    learned from what it is tested on, or folds were made in another way.
    """
    groups: dict[Group, list[Prediction]] = {}
    by_id = {fold.fold_id: fold for fold in folds}
    tested = {fold.fold_id: set(fold.test) for fold in folds}
    for file in config.predictions:
        for prediction in read_predictions(file):
            fold_id = f"{prediction.setting}-{prediction.fold}"
            if prediction.model in config.models:
                raise ScandlError(f"{file}: model {prediction.model!r} is one of the run's own; rename it")
            if Path(prediction.model).name != prediction.model:  # it becomes the name of a folder
                raise ScandlError(f"{file}: model {prediction.model!r}: found a path, expected a plain name")
            if fold_id not in by_id:
                raise ScandlError(
                    f"{file}: fold {prediction.fold!r} of setting {prediction.setting!r} is not in this run; "
                    f"known: {', '.join(by_id)}"
                )
            pair = (prediction.reader_id or "", prediction.sentence_id)
            if pair not in tested[fold_id]:
                raise ScandlError(
                    f"{file}: reader {pair[0]!r}, sentence {pair[1]!r} is not in the test part of {fold_id}"
                )
            corpus = corpora.tested(prediction.setting)
            groups.setdefault((prediction.model, prediction.setting), []).append(
                replace(prediction, human=corpus.by_pair[pair].words, text=corpus.sentences[pair[1]].text)
            )
    paths = {(model, setting): folder / model / f"{setting}.csv" for model, setting in groups}
    for group, path in paths.items():
        write_predictions(path, groups[group])
    return paths
