"""The shipped model in the registry of generators: it has learned already, from other people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Self

from scandl.corpora.corpus import Corpus
from scandl.generators import GENERATORS, Request
from scandl.pointer.condition import task_of
from scandl.pointer.people import GROUP, NAME
from scandl.records import Scanpath, Sentence

if TYPE_CHECKING:
    from scandl.pointer.model import PointerModel


@lru_cache(maxsize=1)
def people_model() -> PointerModel:
    """Open the shipped model of human readers; it needs no torch."""
    from scandl.pointer.runners.onnx_runner import load_onnx

    with as_file(files("scandl.inference.shipped").joinpath(f"{NAME}.onnx")) as path:
        return load_onnx(path)


@GENERATORS.register("scandl-people")
class ScandlPeople:
    """Draw from the shipped model, which was trained on other people; it learns nothing from the fold.

    Each reader stands for a simulated reader of the model, native unless a request says otherwise, who
    reads a long text of several sentences as a paragraph and any other as a sentence by itself.
    """

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Learn nothing."""
        return self

    def generate(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath with durations per request."""
        return people_model().generate([_told(request) for request in requests], seed=seed)

    def log_prob(self, sentence: Sentence, scanpath: Scanpath) -> float:
        """Return the natural log-probability of the path, its end included, of a reader not known."""
        return self.log_probs([sentence], [scanpath])[0]

    def log_probs(self, sentences: Sequence[Sentence], scanpaths: Sequence[Scanpath]) -> list[float]:
        """Return the natural log-probability of each path."""
        return people_model().log_probs(sentences, scanpaths)


def _told(request: Request) -> Request:
    task = request.task or task_of(request.sentence.words)
    return replace(request, group=request.group or GROUP, task=task)
