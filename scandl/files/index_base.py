"""Whether the positions of a file count from 0, as ours do, or from 1."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import DataError, ScandlError
from scandl.files.cell_values import join_path
from scandl.records import Positions, Prediction

if TYPE_CHECKING:
    from scandl.corpora import Corpus

FLAG = "--index-base"
HINT = f"; does this file count from 1? {FLAG} 1"


@dataclass(frozen=True, slots=True)
class Bases:
    """What the positions of a source count from, as it stands in its two columns of paths."""

    predicted: int = 0
    human: int = 0
    declared: bool = True  # the user said so

    def as_written(self, column: str, positions: Positions) -> str:
        """Return positions from 0 as they stand in a column of the source.

        >>> Bases(predicted=1).as_written("predicted", (0, 2))
        '1 3'
        """
        base = self.human if column == "human" else self.predicted
        return join_path(position + base for position in positions)

    def expected(self, column: str, n_words: int, largest: int) -> str:
        """Return which positions a sentence has; one that is too large by 1 makes us ask for the base.

        >>> Bases(declared=False).expected("predicted", n_words=7, largest=7)
        'positions 0..6, the sentence has 7 words; does this file count from 1? --index-base 1'
        """
        base = self.human if column == "human" else self.predicted
        hint = HINT if largest == n_words and not self.declared else ""
        return f"positions {base}..{n_words - 1 + base}, the sentence has {n_words} words{hint}"


FROM_ZERO = Bases()
UNSAID = Bases(declared=False)


def bases_of(source: Path, index_base: int | None, predictions: Iterable[Prediction]) -> Bases:
    """Return what a source counts from.

    The base is that of both columns. Only human paths that contain a 0 cannot count from 1: they are
    taken as they stand, and a warning says so.
    """
    if index_base not in (None, 0, 1):
        raise ScandlError(f"index base {index_base!r}: expected 0 or 1 ({FLAG})")
    if not index_base:
        return UNSAID if index_base is None else FROM_ZERO
    if not any(0 in (p.human or ()) for p in predictions):
        return Bases(1, 1)
    warnings.warn(f"{source}: human paths contain 0, so that only predictions count from 1", stacklevel=2)
    return Bases(1, 0)


def from_zero(source: Path, row: int, prediction: Prediction, bases: Bases) -> Prediction:
    """Return a prediction of a source that counts from 1 as one that counts from 0."""
    if 0 in prediction.predicted:
        found = join_path(prediction.predicted)
        raise DataError(source, row, "predicted", found, f"positions from 1, because of {FLAG} 1")
    human = prediction.human
    return replace(
        prediction,
        predicted=_shifted(prediction.predicted, bases.predicted),
        human=None if human is None else _shifted(human, bases.human),
    )


def warn_of_base(source: Path | str, predictions: Sequence[Prediction], corpus: Corpus | None) -> None:
    """Warn of a model none of whose predictions contains 0 while human paths do."""
    by_model: dict[str, list[Prediction]] = {}
    for p in predictions:
        by_model.setdefault(p.model, []).append(p)
    for model, own in by_model.items():
        made = [p.predicted for p in own if p.predicted]
        if not made or any(0 in path for path in made):
            continue
        humans = _humans(own, corpus)
        n = sum(0 in path for path in humans)
        if n:
            warnings.warn(
                f"{source}: position 0 is in none of {len(made)} predictions of {model} but in {n} of "
                f"{len(humans)} human scanpaths: if predictions count from 1, give {FLAG} 1, if from 0 "
                f"{FLAG} 0",
                stacklevel=2,
            )


def _humans(predictions: Iterable[Prediction], corpus: Corpus | None) -> list[Positions]:
    """Return the human paths beside predictions, in their source or in the corpus."""
    beside = [p.human for p in predictions if p.human is not None]
    if beside or corpus is None:
        return beside
    sentences = dict.fromkeys(p.sentence_id for p in predictions)
    return [path.positions for key in sentences for path in corpus.by_sentence.get(key, ())]


def _shifted(positions: Positions, base: int) -> Positions:
    return tuple(position - base for position in positions)
