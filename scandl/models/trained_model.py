"""Trained networks as models: those that ship, and files of ``scandl train`` and ``scandl export``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scandl.config import from_table
from scandl.errors import ScandlError, did_you_mean
from scandl.extras import need
from scandl.models.diffusion.diffusion_model import Denoising, ScanpathModel
from scandl.models.diffusion.numpy_model import FORMAT, NumpyScandl
from scandl.models.model import Model, Request
from scandl.models.pointer.condition import SENTENCE, TASKS, task_of
from scandl.models.pointer.pointer_model import LINE, PointerModel, load_file
from scandl.records import Scanpath, Sentence
from scandl.training.weight_files import SUFFIX, read_weights

if TYPE_CHECKING:
    from scandl.corpora.corpus import Corpus
    from scandl.models.pointer.condition import Conditions
    from scandl.splits import Fold


SHIPPED = "scandl.models.shipped"
DEFAULT = "people"
"""The model that reads where none is named."""
MASKED = {"people-masked": "people"}
"""Models that draw by masked diffusion from the weights of another, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingCorpus:
    """A corpus that a model has learned from."""

    name: str
    readers: int
    texts: int
    scanpaths: int
    licence: str
    citation: str
    digests: Mapping[str, str] = field(default_factory=dict)  # by corpus, the key of what was learned from


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """What one should know before using a model."""

    name: str
    about: str  # one line, told before its scanpaths are shown
    engine: str
    kind: str  # of its readers: human or simulated
    corpora: tuple[TrainingCorpus, ...]
    language: str = "en"
    groups: tuple[str, ...] = ()
    default_group: str = ""
    tasks: tuple[str, ...] = ()
    durations: bool = False
    longest_text: int  # words of the longest text it was trained on
    reader_spread: Mapping[str, float] = field(default_factory=dict)  # see ``Components.spread_out``
    licence: str = "MIT"
    good_for: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()  # what it reaches, a line each, with the command that says so
    made_by: str = ""
    bytes: int = 0

    @property
    def readers(self) -> int:
        """The number of readers it has learned from."""
        return sum(corpus.readers for corpus in self.corpora)


def shipped_models() -> list[str]:
    """Return the names of the models of this package, that which reads by default first."""
    names = sorted(
        path.name.removesuffix(".json") for path in files(SHIPPED).iterdir() if path.name.endswith(".json")
    )
    return sorted([*names, *MASKED], key=lambda name: name != DEFAULT)


def shipped_file(name: str) -> Traversable:
    """Return the file of a shipped model."""
    return files(SHIPPED).joinpath(f"{MASKED.get(name, name)}.npz")


def model_card(name: str) -> ModelCard:
    """Return the card of a shipped model.

    >>> model_card("demo").kind
    'simulated'
    """
    if name not in shipped_models():
        raise ScandlError(f"no shipped model {name!r}{did_you_mean(name, shipped_models())}")
    if name in MASKED:
        card = model_card(MASKED[name])
        engine = f"{card.engine}; here drawn by masked diffusion, in random order in 20 steps"
        return replace(card, name=name, engine=engine)
    told: dict[str, Any] = json.loads(files(SHIPPED).joinpath(f"{name}.json").read_text(encoding="utf-8"))
    told["corpora"] = [from_table(TrainingCorpus, corpus) for corpus in told["corpora"]]
    table: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in told.items()
    }
    return ModelCard(**table, bytes=len(shipped_file(name).read_bytes()))


def card_rows(card: ModelCard) -> list[tuple[str, str]]:
    """Return what ``scandl models show`` prints: one (what, value) a line."""
    rows = [
        ("name", card.name),
        ("what it is", card.about),
        ("engine", card.engine),
        ("size", f"{card.bytes / 1e6:.1f} MB; runs on the CPU without torch"),
        ("readers", f"{card.readers:,} {card.kind} readers"),
        ("language", card.language),
        ("groups", ", ".join(card.groups) or "none"),
        ("tasks", ", ".join(card.tasks) or "none"),
        ("durations", "yes" if card.durations else "no"),
        ("longest text", f"{card.longest_text} words in training"),
        ("licence", card.licence),
    ]
    for corpus in card.corpora:
        size = f"{corpus.readers} readers, {corpus.texts} texts, {corpus.scanpaths:,} scanpaths"
        rows.append(("trained on", f"{corpus.name}: {size}; {corpus.licence}"))
        rows += [("content", f"{name}: {digest}") for name, digest in corpus.digests.items()]
    rows += [("cite", citation) for citation in dict.fromkeys(c.citation for c in card.corpora)]
    rows += [("good for", line) for line in card.good_for]
    rows += [("limits", line) for line in card.limits]
    rows += [("numbers", line) for line in card.numbers]
    return [*rows, ("made by", card.made_by)]


LAST = "last.pt"
"""The checkpoint in a folder that ``scandl train`` has made."""
ENDINGS = (SUFFIX, ".pt")
"""What the files of trained models end in."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a trained model is opened and drawn from; what it has no use for is refused."""

    device: str | None = None
    raw: bool = False  # the weights as trained, not their moving average
    batch: int | None = None  # scanpaths drawn at once; None is the model's own number
    sampling: Denoising | None = None  # of a diffusion model
    context: str | None = None  # who tells how expected words are; None is what the model was saved with


class TrainedModel(Model):
    """A trained network that reads texts: it learns nothing more."""

    def __init__(
        self,
        network: ScanpathModel | PointerModel,
        name: str,
        options: ModelOptions | None = None,
        card: ModelCard | None = None,
    ) -> None:
        self.network = network
        self.name = name
        self.options = options or ModelOptions()
        self.card = card
        if isinstance(network, ScanpathModel):
            return
        if self.options.context is not None:
            self.network = network.drawn_by(context=self.options.context)
        if network.config.network.process == "masked":
            self.likelihood = "exact" if network.config.sampling.order == "time" else "bound"
        if self.options.sampling is not None:
            raise ScandlError(
                "denoising steps and symbols are of diffusion models: this one draws fixation by"
                " fixation, leave out --steps, --keep-symbols"
            )

    @property
    def about(self) -> str:
        """What the model was trained on."""
        if self.card is not None:
            return self.card.about
        return self.network.about if isinstance(self.network, ScanpathModel) else ""

    @property
    def conditions(self) -> Conditions | None:
        """The readers it was trained on, where it knows readers."""
        return self.network.conditions if isinstance(self.network, PointerModel) else None

    @property
    def readers_differ(self) -> str:
        """How many of its readers differ."""
        if self.conditions is None:
            return super().readers_differ
        group = self.default_group
        kind = f" of group {group}" if group else ""
        return (
            f"each reader keeps the style of one of {len(self.conditions.like(group, SENTENCE))} training"
            f" readers{kind}; with more readers styles come again"
        )

    @property
    def default_group(self) -> str:
        """The group of readers that is meant where none is named; empty is any."""
        return "" if self.card is None else self.card.default_group

    @property
    def longest(self) -> int:
        """The words of the longest text it was trained on; 0 where that is not known."""
        if self.card is not None:
            return self.card.longest_text
        return self.network.lengths.longest if isinstance(self.network, ScanpathModel) else 0

    @property
    def sampling(self) -> Denoising:
        """How a diffusion model is drawn from."""
        chosen = self.options.sampling or Denoising()
        return chosen if self.options.batch is None else replace(chosen, batch=self.options.batch)

    def diffusion(self) -> ScanpathModel:
        """Return the network of a diffusion model; another is refused."""
        if isinstance(self.network, PointerModel):
            raise ScandlError(f"{self.name}: found a model that points at words, expected a diffusion model")
        return self.network

    def pointer(self) -> PointerModel:
        """Return the network of a model that points at words; another is refused."""
        if isinstance(self.network, ScanpathModel):
            raise ScandlError(f"{self.name}: found a diffusion model, expected one that points at words")
        return self.network

    def with_sampling(self, sampling: Denoising) -> Self:
        """Return the model drawn from in another way."""
        return type(self)(self.network, self.name, replace(self.options, sampling=sampling), self.card)

    def with_context(self, source: str) -> Self:
        """Return the model told how expected words are by another source, where it has a use for that."""
        if isinstance(self.network, ScanpathModel):
            return self
        return type(self)(self.network, self.name, replace(self.options, context=source), self.card)

    def context_about(self, language: str = "en") -> str:
        """Return who says how expected words of a language are, in a line; empty where nobody is asked."""
        return "" if isinstance(self.network, ScanpathModel) else self.network.context_about(language)

    def expecting(self) -> Self:
        """Return the model with expected durations in place of drawn ones, where it knows what to expect."""
        if isinstance(self.network, ScanpathModel):
            return self
        return type(self)(self.network.expecting(), self.name, self.options, self.card)

    def with_stimuli(self, words: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Self:
        """Take the lines of texts, where the model has a use for them."""
        if isinstance(self.network, ScanpathModel) or LINE not in words:
            return self
        return type(self)(self.network.with_lines(words[LINE]), self.name, self.options, self.card)

    def for_fold(self, fold: Fold, corpus: Corpus) -> Self:
        """Refuse a fold in which what the setting calls new was trained on, as far as the model knows."""
        if isinstance(self.network, ScanpathModel):
            self.network.refuse_leak(fold.test, fold.test_corpus or fold.corpus, fold.setting)
        return self

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath per request, the same in any company."""
        if isinstance(self.network, PointerModel):
            known = [self.known(request) for request in requests]
            return self.network.read(known, seed=seed, batch=self.options.batch)
        return self.network.read(requests, seed=seed, sampling=self.sampling)

    def log_probs(self, sentences: Sequence[Sentence], scanpaths: Sequence[Scanpath]) -> list[float]:
        """Return the natural log-probability of each path; styles are used where readers are known."""
        if isinstance(self.network, ScanpathModel):
            return super().log_probs(sentences, scanpaths)
        return self.network.log_probs(sentences, scanpaths)

    def known(self, request: Request) -> Request:
        """Return a request with a group and a task that the network knows, in place of any other."""
        assert self.conditions is not None
        group = request.group
        if group is None or (group and group not in self.conditions.labels["group"]):
            group = self.default_group
        task = request.task if request.task in TASKS else task_of(request.sentence.words)
        return replace(request, group=group, task=task)


def open_trained(source: Path | str, options: ModelOptions | None = None) -> TrainedModel:
    """Open a trained model: the name of one that ships, a checkpoint or its folder, or an exported file.

    >>> open_trained("demo").card.kind
    'simulated'
    """
    chosen = options or ModelOptions()
    if str(source) in shipped_models():
        name = str(source)
        check_exported(chosen)
        return TrainedModel(_shipped_network(name), name, chosen, model_card(name))
    path = model_file(Path(source))
    return TrainedModel(_network(path, chosen), file_name(path), chosen)


@lru_cache(maxsize=2)
def _shipped_network(name: str) -> ScanpathModel | PointerModel:
    """Return the network of a shipped model, which is opened once."""
    with as_file(shipped_file(name)) as path:
        network = _network(path, ModelOptions())
    if name in MASKED and isinstance(network, PointerModel):
        return network.drawn_by(order="random")
    return network


def model_file(path: Path) -> Path:
    """Return the file of a model, which may stand in the folder of its training."""
    if path.is_dir() and (path / LAST).is_file():
        return path / LAST
    if path.is_dir():
        raise ScandlError(
            f"{path}: found a folder without {LAST}, expected a checkpoint of scandl train, an .npz file of"
            f" scandl export, or one of {', '.join(shipped_models())}"
        )
    return path


def file_name(path: Path) -> str:
    """Return what a model in a file is called: after its file, or after its folder if it is the last one.

    >>> file_name(Path("models/mine.npz")), file_name(Path("runs/small/last.pt"))
    ('mine', 'small')
    """
    return path.absolute().parent.name if path.name == LAST else path.stem


def _network(path: Path, options: ModelOptions) -> ScanpathModel | PointerModel:
    if path.suffix == SUFFIX:
        check_exported(options)
        return NumpyScandl.load(path) if read_weights(path)[0].get("format") == FORMAT else load_file(path)
    need("torch", "model")
    from scandl.models.diffusion.torch_model import TrainedScandl
    from scandl.training.checkpoint import read_checkpoint

    weights = "weights" if options.raw else "ema"
    if "pointer" in read_checkpoint(path):
        from scandl.models.pointer.pointer_training import load

        check_cpu(options.device)
        return load(path, weights=weights)
    return TrainedScandl.load(path, weights=weights, device=options.device)


def check_exported(options: ModelOptions) -> None:
    """Refuse what an exported model has no use for."""
    check_cpu(options.device)
    if options.raw:
        raise ScandlError("--raw: an exported model has one set of weights; it goes with a checkpoint")


def check_cpu(device: str | None) -> None:
    """Refuse another device for a model that does not run on torch."""
    if device not in (None, "cpu"):
        raise ScandlError(
            f"--device {device}: exported models and that of the package run on the CPU, a checkpoint of"
            " scandl train runs on the GPU too"
        )
