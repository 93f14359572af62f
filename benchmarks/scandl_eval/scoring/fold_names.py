"""Fold names of different files: one item has one fold, whatever each file calls it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scandl.records import Prediction

Place = tuple[str, str | None, str]
"""(setting, reader, sentence)"""


def with_common_folds(predictions: Sequence[Prediction]) -> list[Prediction]:
    """Give an item the same fold in every model, so that models are matched on it.

    Files of different origin name their folds differently, or not at all. The names of the model
    with the most folds in a setting are taken. A setting in which some model tests an item in
    several folds (resampled splits) is left as it is: there the fold is part of the item.
    """
    folds: dict[tuple[str, str], dict[Place, str]] = {}
    repeated: set[str] = set()
    for p in predictions:
        place = (p.setting, p.reader_id, p.sentence_id)
        if (
            p.reader_id is not None
            and folds.setdefault((p.setting, p.model), {}).setdefault(place, p.fold) != p.fold
        ):
            repeated.add(p.setting)
    names: dict[Place, str] = {}
    for (setting, _), own in sorted(folds.items(), key=lambda group: -len(set(group[1].values()))):
        if setting not in repeated:
            names = own | names
    return [
        replace(p, fold=name)
        if (name := names.get((p.setting, p.reader_id, p.sentence_id), p.fold)) != p.fold
        else p
        for p in predictions
    ]
