"""Who reads: simulated readers drawn from those a model was trained on, or readers like those of a file."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact, LeftOutWarning, ScandlError, did_you_mean
from scandl.models.model import Request
from scandl.models.pointer.condition import task_of
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream

if TYPE_CHECKING:
    from scandl.models.pointer.condition import Conditions
    from scandl.models.pointer.style import Style


@dataclass(frozen=True)
class WhoReads:
    """The readers that scanpaths are generated for.

    Without ``n_readers`` and ``styles`` every scanpath is that of another reader, drawn anew. A simulated
    reader is like the same person in all texts of a task; in another task, where other people were
    trained on, it is like one of those.
    """

    n_readers: int = 0
    group: str = ""
    task: str = ""  # empty: as the text is
    styles: Mapping[str, Style] = field(default_factory=dict)  # by reader: what they are like

    def requests(
        self, sentence: Sentence, samples: int, seed: int, conditions: Conditions | None
    ) -> list[Request]:
        """Return what is wanted of a text: reader by reader, sample by sample."""
        if conditions is None:
            return [Request(sentence, "", k) for k in range(samples)]
        task = self.task or task_of(sentence.words)
        if self.styles:
            return [
                Request(sentence, name, k, style=style, group=self.group, task=task)
                for name, style in self.styles.items()
                for k in range(samples)
            ]
        if self.n_readers:
            names = [f"sim{n + 1}" for n in range(self.n_readers)]
            likes = [conditions.simulated(name, seed, self.group, task) for name in names]
            chosen = [(*who, k) for who in zip(names, likes, strict=True) for k in range(samples)]
        else:
            known = conditions.like(self.group, task)
            drawn = stream(seed, "reader of", sentence.sentence_id).integers(len(known), size=samples)
            chosen = [("", known[i], k) for k, i in enumerate(drawn.tolist())]
        return [
            Request(
                sentence,
                name,
                k,
                style=conditions.style(like),
                group=conditions.readers[like]["group"],
                task=task,
            )
            for name, like, k in chosen
        ]


def check_group(group: str, conditions: Conditions | None) -> None:
    """Refuse a group that the model does not know."""
    known = () if conditions is None else conditions.labels["group"]
    if group and not known:
        raise ScandlError(f"--group {group}: this model knows no groups of readers")
    if group and group not in known:
        raise ScandlError(f"--group {group}: no such group of readers{did_you_mean(group, known)}")


def styles_in(path: Path | str, index_base: int | None = None) -> dict[str, Style]:
    """Return the style of each reader of whom a file has scanpaths, with the texts they read.

    The file is a prediction table, wide or long, with a column ``text``, or the fixations of a corpus
    with its ``sentences.csv`` beside it. Where it has a column ``human``, that is who is meant; rows
    without a human path are then left out with a warning. ``index_base`` is what positions count from.
    """
    from scandl.files.prediction_files import read_predictions
    from scandl.models.pointer.style import by_reader, style_of

    found = read_predictions(path, index_base=index_base)
    humans = [p for p in found if p.human is not None]
    if 0 < len(humans) < len(found):
        lost = f"{path}: no human scanpath in {len(found) - len(humans)} of {len(found)} rows, left out"
        warnings.warn(lost, LeftOutWarning, stacklevel=2)
    texts = {key: sentence.text for key, sentence in _sentences_beside(Path(path)).items()}
    sentences: dict[str, Sentence] = {}
    paths = []
    for n, prediction in enumerate(humans or found):
        text = prediction.text or texts.get(prediction.sentence_id)
        if not text:
            expected = "the text of each sentence: a column of this name, or sentences.csv beside the file"
            raise DataError(
                path, None, "text", Fact(f"none for sentence {prediction.sentence_id!r}"), expected
            )
        sentences[str(n)] = Sentence(str(n), text)
        words = prediction.predicted if prediction.human is None else prediction.human
        times = prediction.durations if prediction.human is None else None
        paths.append(Scanpath(prediction.reader_id or "reader", str(n), words, times))
    if not paths:
        raise DataError(path, None, None, Fact("no scanpaths"), "some scanpaths of a reader")
    return {reader: style_of(own, sentences) for reader, own in by_reader(paths).items()}


def _sentences_beside(path: Path) -> dict[str, Sentence]:
    from scandl.models.text_stream import texts_of

    beside = path.with_name("sentences.csv")
    if not beside.exists() or beside == path:
        return {}
    return {sentence.sentence_id: sentence for sentence in texts_of(beside)}
