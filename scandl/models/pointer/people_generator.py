"""The shipped model in the registry of generators: it has learned already, from other people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Self

from scandl.corpora.corpus import Corpus
from scandl.errors import ScandlError
from scandl.models.model import GENERATORS, Request
from scandl.models.pointer.condition import TASKS, task_of
from scandl.models.pointer.people import GROUP, NAME
from scandl.models.pointer.style import styles_of
from scandl.records import Scanpath, Sentence

if TYPE_CHECKING:
    from scandl.models.pointer.pointer_model import PointerModel


@lru_cache(maxsize=1)
def people_model() -> PointerModel:
    """Open the shipped model of human readers; it needs no torch."""
    from scandl.models.pointer.runners.onnx_runner import load_onnx

    with as_file(files("scandl.models.shipped").joinpath(f"{NAME}.onnx")) as path:
        return load_onnx(path)


@GENERATORS.register("scandl-people")
class ScandlPeople:
    """Draw from the shipped model, which was trained on other people; it learns nothing from the fold.

    Each reader stands for a simulated reader of the model: native, unless a request names a group that
    the model knows. Unless it names a task, a long text of several sentences is read as a paragraph and
    any other as a sentence by itself.
    """

    @property
    def model(self) -> PointerModel:
        """The network and the readers it is told of."""
        return people_model()

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Learn nothing."""
        return self

    def generate(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath with durations per request."""
        return self.model.generate([self._told(request) for request in requests], seed=seed)

    def log_prob(self, sentence: Sentence, scanpath: Scanpath) -> float:
        """Return the natural log-probability of the path, its end included."""
        return self.log_probs([sentence], [scanpath])[0]

    def log_probs(self, sentences: Sequence[Sentence], scanpaths: Sequence[Scanpath]) -> list[float]:
        """Return the natural log-probability of each path; who reads is told where the model knows them."""
        return self.model.log_probs(sentences, scanpaths)

    def _told(self, request: Request) -> Request:
        task = _known_task(request.task, task_of(request.sentence.words))
        return replace(request, group=_known_group(request.group), task=task)


@GENERATORS.register("scandl-people-like")
class ScandlPeopleLike(ScandlPeople):
    """Draw readers like those of the fold from the shipped model: their styles are all that is learned.

    A style is ten numbers, so some paths of a reader are enough. A reader of the fold keeps their own,
    and any other is like one of them.
    """

    def __init__(self) -> None:
        self._model: PointerModel | None = None

    @property
    def model(self) -> PointerModel:
        """The network of the shipped model, told of the readers of the fold."""
        if self._model is None:
            raise ScandlError("scandl-people-like must be fitted before it is used")
        return self._model

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Tell the network what makes it read like each reader of ``training``."""
        from scandl.models.pointer.style_calibration import calibrated

        styles = {reader: style for reader, style in styles_of(training).items() if style.n_paths > 1}
        if not styles:
            raise ScandlError(
                f"corpus {training.name!r}: nobody read two texts, and one path says little of a style"
            )
        shipped = people_model()
        usual = Counter(task_of(text.words) for text in training.sentences.values()).most_common(1)[0][0]
        rows = {reader: training.readers.get(reader, {}) for reader in styles}
        readers = {
            reader: {
                "group": _known_group(row.get("group", "")),
                "task": _known_task(row.get("task", ""), usual),
            }
            for reader, row in rows.items()
        }
        own = shipped.told(replace(shipped.conditions, styles=styles, readers=readers))
        self._model = own.told(calibrated(own, training, seed=seed))
        return self

    def _told(self, request: Request) -> Request:
        told = super()._told(request)
        return told if request.group else replace(told, group="")  # of any group, or their own


def _known_group(group: str) -> str:
    """Return a group of readers that the shipped model knows; others read as its natives."""
    return group if group in people_model().conditions.labels["group"] else GROUP


def _known_task(task: str, usual: str) -> str:
    """Return a task that the shipped model knows; in place of others the usual one."""
    return task if task in TASKS else usual
