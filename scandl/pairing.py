"""Instances: each generated scanpath beside the human scanpath it is compared with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scandl.records import Positions, Prediction, Scanpath

if TYPE_CHECKING:
    from scandl.corpora import Corpus


@dataclass(frozen=True, slots=True)
class Instance:
    """A prediction, and one human reading of the same sentence."""

    prediction: Prediction
    human: Positions
    reader_id: str | None  # whose reading; None when the file does not name readers
    human_durations: tuple[float, ...] | None = None
    text: str | None = None

    @property
    def n_words(self) -> int | None:
        """The number of words of the sentence, where its text is known."""
        return None if self.text is None else len(self.text.split())


@dataclass(frozen=True, slots=True)
class Pairing:
    """The instances that could be formed, and the predictions no human scanpath exists for."""

    instances: list[Instance]
    without_human: list[Prediction]
    rule: str  # how predictions met humans, for the metric spec


def pair(predictions: Iterable[Prediction], corpus: Corpus | None = None) -> Pairing:
    """Put each prediction beside its human scanpath.

    The human path in the file wins. Otherwise the corpus gives the path of the same reader, or,
    for a prediction that names no reader, the paths of all readers of the sentence.
    """
    instances: list[Instance] = []
    without: list[Prediction] = []
    rules: set[str] = set()
    for prediction in predictions:
        rule, found = _partners(prediction, corpus)
        instances += found
        if found:
            rules.add(rule)
        else:
            without.append(prediction)
    return Pairing(instances, without, " and ".join(sorted(rules)) or "none")


def _partners(prediction: Prediction, corpus: Corpus | None) -> tuple[str, list[Instance]]:
    sentence = corpus.sentences.get(prediction.sentence_id) if corpus is not None else None
    text = sentence.text if sentence is not None else prediction.text
    if prediction.human is not None:
        durations = None
        if corpus is not None and prediction.reader_id is not None:
            known = corpus.by_pair.get((prediction.reader_id, prediction.sentence_id))
            durations = known.durations if known is not None and known.words == prediction.human else None
        return "given", [Instance(prediction, prediction.human, prediction.reader_id, durations, text)]
    if corpus is None:
        return "none", []
    humans: Iterable[Scanpath | None]
    if prediction.reader_id is not None:
        rule, humans = "same reader", [corpus.by_pair.get((prediction.reader_id, prediction.sentence_id))]
    else:
        rule, humans = "all readers", corpus.by_sentence.get(prediction.sentence_id, ())
    return rule, [
        Instance(prediction, human.words, human.reader_id, human.durations, text)
        for human in humans
        if human is not None
    ]
