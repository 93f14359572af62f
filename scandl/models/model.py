"""What a model is: one base class for everything that reads sentences, with its needs declared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from types import EllipsisType
from typing import TYPE_CHECKING, Literal, Self

from scandl.errors import ScandlError
from scandl.records import Positions, Scanpath, Sentence
from scandl.seeds import stream

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from scandl.corpora import Corpus
    from scandl.models.conditions import Condition
    from scandl.models.pointer.condition import Style
    from scandl.models.trained_model import ModelCard
    from scandl.splits import Fold

Given = Sequence[int | EllipsisType | None]
"""Word positions of a path; None is a fixation that is not known, ``...`` any number of them, or none."""
Likelihood = Literal["", "exact", "bound"]
"""Whether a model says how probable a path is."""
AVERAGE = "it knows no readers: all are one average reader, so people will differ more than they do here"
"""What is said of the readers of a model that cannot tell readers apart."""


@dataclass(frozen=True, slots=True)
class Request:
    """One scanpath that is wanted: of which sentence, standing for which reader, which draw.

    ``n_fixations`` is the human path's length. Only models that declare the need may look at it.
    ``style`` and ``group`` say what the reader is like, ``task`` how the text is read (a sentence by
    itself, a paragraph). A reader id alone stands for some reader, who is the same in all sentences.
    Without an id every scanpath is of another reader.
    """

    sentence: Sentence
    reader_id: str = ""
    sample: int = 0
    n_fixations: int | None = None
    style: Style | None = None
    group: str | None = None  # None: the model's own choice; "": any group
    task: str = ""  # "": as the text is
    given: Given = ()  # what is known of the path, for models that complete paths; empty: nothing
    conditions: tuple[Condition, ...] = ()  # what the path has to be like

    @property
    def key(self) -> tuple[str, str, int]:
        """What the random numbers of the request depend on, beside the seed."""
        return self.sentence.sentence_id, self.reader_id, self.sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What a model cannot read without."""

    training: bool = False  # people's scanpaths to learn from
    durations: bool = False  # with fixation durations
    human_length: bool = False  # the number of fixations of the human path that it stands beside
    extra: str = ""  # the extra of this package that has to be installed, such as model

    def __str__(self) -> str:
        """Name the needs.

        >>> str(Needs(training=True, durations=True, extra="model"))
        'training, durations, extra model'
        """
        known = ("training", "durations", "human_length")
        named = [name.replace("_", " ") for name in known if getattr(self, name)]
        return ", ".join([*named, *([f"extra {self.extra}"] if self.extra else [])])


class Model:
    """Base of all models: learn from a training part, then read.

    A model draws one path at a time by ``draw``, or many at once by ``read``. What it returns for a
    request depends on the seed, the sentence, the reader and the sample, not on the other requests.
    A model that says how probable a path is declares its ``likelihood`` and has ``log_prob`` for one
    path or ``log_probs`` for many.
    """

    name: str = ""
    needs: Needs = Needs()
    likelihood: Likelihood = ""
    card: ModelCard | None = None

    @property
    def about(self) -> str:
        """What the model is, in one line: the first of its docstring, unless it says otherwise."""
        return (type(self).__doc__ or "").strip().partition("\n")[0]

    @property
    def readers_differ(self) -> str:
        """How its readers differ from each other, in words."""
        return AVERAGE

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Learn from the human scanpaths of ``training`` and return the model; by default nothing."""
        return self

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath per request; by default each is drawn from its own random numbers."""
        return [
            Scanpath(r.reader_id, r.sentence.sentence_id, self.draw(r, rng_of(seed, r))) for r in requests
        ]

    def draw(self, request: Request, rng: np.random.Generator) -> Positions:
        """Return the word positions of one scanpath."""
        raise ScandlError(f"model {self.name!r} has neither 'read' nor 'draw'")

    def log_prob(self, sentence: Sentence, scanpath: Scanpath) -> float:
        """Return the natural log-probability of a path, its end included."""
        if type(self).log_probs is not Model.log_probs:
            return self.log_probs([sentence], [scanpath])[0]
        raise ScandlError(f"model {self.name!r} does not say how probable a path is")

    def log_probs(self, sentences: Sequence[Sentence], scanpaths: Sequence[Scanpath]) -> list[float]:
        """Return the natural log-probability of each path of each sentence."""
        return [self.log_prob(*pair) for pair in zip(sentences, scanpaths, strict=True)]

    def with_readers(self) -> Self:
        """Return the model with readers who differ, each the same in all sentences, where it has such."""
        return self

    def with_stimuli(self, words: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Self:
        """Take the extra word columns of a corpus (column -> sentence -> values), where it uses them.

        They belong to the stimulus and not to its readers, so those of test sentences leak nothing.
        """
        return self

    def with_context(self, source: str) -> Self:
        """Take who says how expected words are (``scandl.text.context``), where the model uses that."""
        return self

    def context_about(self, language: str = "en") -> str:
        """Return who says how expected words of a language are, in a line; empty where nobody is asked."""
        return ""

    def with_settings(self, changes: Sequence[str], folder: Path | None) -> Self:
        """Take settings such as ``training.steps=100`` and a folder for checkpoints, where it is trained."""
        return self

    def for_fold(self, fold: Fold, corpus: Corpus) -> Self:
        """Take note of the fold that ``fit`` is going to be given the training part of."""
        return self


class AnyObject(Model):
    """An object of the user's own with ``fit`` and ``read``; paths may be plain lists of positions."""

    def __init__(self, own: object) -> None:
        self.own = own
        self.name = str(getattr(own, "name", "") or type(own).__name__)
        self.needs = getattr(own, "needs", Needs(training=True))
        known = hasattr(own, "log_probs") or hasattr(own, "log_prob")
        self.likelihood = getattr(own, "likelihood", "exact" if known else "")

    def __copy__(self) -> AnyObject:
        """Return the model with an object of its own, because each fold learns anew."""
        return AnyObject(deepcopy(self.own))

    @property
    def about(self) -> str:
        """The first line of the docstring of its class."""
        return (type(self.own).__doc__ or "").strip().partition("\n")[0]

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Let the object learn; what its ``fit`` returns, if anything, is what reads."""
        self.own = self.own.fit(training, seed=seed) or self.own  # type: ignore[attr-defined]
        return self

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Let the object read."""
        drawn = list(self.own.read(requests, seed=seed))  # type: ignore[attr-defined]
        if len(drawn) != len(requests):
            raise ScandlError(
                f"model {self.name!r} returned {len(drawn)} scanpaths for {len(requests)} requests"
            )
        return [_as_scanpath(path, request) for path, request in zip(drawn, requests, strict=True)]

    def log_probs(self, sentences: Sequence[Sentence], scanpaths: Sequence[Scanpath]) -> list[float]:
        """Ask the object for all at once, or one by one."""
        if hasattr(self.own, "log_probs"):
            return list(self.own.log_probs(sentences, scanpaths))
        pairs = zip(sentences, scanpaths, strict=True)
        return [self.own.log_prob(*pair) for pair in pairs]  # type: ignore[attr-defined]


def _as_scanpath(path: Scanpath | Sequence[int], request: Request) -> Scanpath:
    if isinstance(path, Scanpath):
        return path
    return Scanpath(request.reader_id, request.sentence.sentence_id, tuple(map(int, path)))


def rng_of(seed: int, request: Request) -> np.random.Generator:
    """Return the random numbers that belong to one request, whatever else is generated."""
    return stream(seed, "generate", *request.key)
