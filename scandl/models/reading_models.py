"""Trained models of any kind behind one door: by the name of a shipped one, or by file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.models.cards import SHIPPED, ModelCard, model_card, shipped_models
from scandl.models.diffusion.diffusion_model import Sampling, ScanpathModel
from scandl.models.diffusion.trained_models import check_cpu, open_model
from scandl.models.model import Request
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.simulated_readers import WhoReads, check_group
from scandl.records import Scanpath, Sentence

if TYPE_CHECKING:
    from scandl.models.pointer.condition import Conditions

_POINTER = b"scandl-pointer"  # a key of the metadata of an exported word-pointing model
_PROCESSES = {"autoregressive": "scanpath-transformer", "absorbing": "scandl-discrete"}  # as generators
LAST = "last.pt"
"""The checkpoint in a folder that ``scandl train`` has made."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is opened and drawn from; what it has no use for is refused."""

    device: str | None = None
    raw: bool = False  # the weights as trained, not their moving average
    batch: int | None = None  # scanpaths drawn at once; None is the model's own number
    sampling: Sampling | None = None  # of a diffusion model


class ReadingModel:
    """A trained model that reads texts.

    ``name`` is what its predictions are called, ``about`` what it is, ``card`` what is known of a
    shipped one.
    """

    def __init__(
        self, network: ScanpathModel | PointerModel, options: ModelOptions, card: ModelCard | None = None
    ) -> None:
        self.network = network
        self.options = options
        self.card = card
        self.name = "scandl"
        self.about = "" if card is None else card.about
        if isinstance(network, ScanpathModel):
            self.about = self.about or network.about
            return
        self.name = _PROCESSES[network.config.network.process] if card is None else f"scandl-{card.name}"
        if options.sampling is not None:
            raise ScandlError(
                "denoising steps, samplers and symbols are of diffusion models: this one draws fixation by"
                " fixation, leave out --steps, --sampler, --late, --round-below, --rounding, --keep-symbols"
            )

    @property
    def conditions(self) -> Conditions | None:
        """The readers it was trained on, where it knows readers."""
        return self.network.conditions if isinstance(self.network, PointerModel) else None

    @property
    def longest(self) -> int:
        """The words of the longest text it was trained on; 0 where that is not known."""
        return 0 if self.card is None else self.card.longest_text

    @property
    def sampling(self) -> Sampling:
        """How a diffusion model is drawn from."""
        chosen = self.options.sampling or Sampling()
        return chosen if self.options.batch is None else replace(chosen, batch=self.options.batch)

    def diffusion(self) -> ScanpathModel:
        """Return the network of a diffusion model; another is refused."""
        if isinstance(self.network, PointerModel):
            raise ScandlError(
                "test items of a fold are generated with checkpoints of scandl train; a model that points at"
                " words does it by name: scandl-eval run --models scanpath-transformer"
            )
        return self.network

    def group(self, wanted: str | None) -> str:
        """Return the group of readers that is meant: None is the model's own choice."""
        if wanted is not None:
            return wanted
        return "" if self.card is None else self.card.default_group

    def draw(self, requests: Sequence[Request], *, seed: int, quiet: bool = True) -> list[Scanpath]:
        """Return one scanpath per request, the same in any company; each carries its text."""
        if isinstance(self.network, PointerModel):
            paths = self.network.generate(requests, seed=seed, batch=self.options.batch)
        else:
            paths = self.network.generate(requests, seed=seed, sampling=self.sampling, quiet=quiet)
        return [replace(p, text=r.sentence.text) for r, p in zip(requests, paths, strict=True)]

    def requests(self, sentence: Sentence, who: WhoReads, samples: int, seed: int) -> list[Request]:
        """Return what is wanted of a text."""
        return who.requests(sentence, samples, seed, self.conditions)

    def check(self, who: WhoReads) -> None:
        """Refuse readers that this model cannot be."""
        if self.conditions is None and (who.n_readers or who.styles or who.task):
            raise ScandlError("--readers, --like and --task: this model knows no readers")
        check_group(who.group, self.conditions)


def load_model(source: Path | str | None = None, options: ModelOptions | None = None) -> ReadingModel:
    """Open a trained model.

    Parameters
    ----------
    source
        The name of a shipped model (``scandl models list``), a checkpoint, the folder it was trained
        into, or a file of ``scandl export``. Without one the model of the package that learned from
        people is opened.
    options
        Device, weights, batch and sampling.

    Examples
    --------
    >>> load_model("demo").card.kind
    'simulated'
    """
    chosen = options or ModelOptions()
    name = shipped_models()[0] if source is None else str(source)
    if name in shipped_models():
        with as_file(files(SHIPPED).joinpath(f"{name}.onnx")) as path:
            return ReadingModel(_network(path, chosen), chosen, model_card(name))
    return ReadingModel(_network(model_file(Path(name)), chosen), chosen)


def model_file(path: Path) -> Path:
    """Return the file of a model, which may stand in the folder of its training."""
    if path.is_dir() and (path / LAST).is_file():
        return path / LAST
    if path.is_dir():
        raise ScandlError(
            f"{path}: found a folder without {LAST}, expected a checkpoint of scandl train, an .onnx file of"
            f" scandl export, or one of {', '.join(shipped_models())}"
        )
    return path


def _network(path: Path, options: ModelOptions) -> ScanpathModel | PointerModel:
    if path.suffix == ".onnx":
        check_cpu(options.device)
        if options.raw:
            raise ScandlError("--raw: an exported model has one set of weights; it goes with a checkpoint")
        if path.is_file() and _POINTER in path.read_bytes():
            from scandl.models.pointer.runners.onnx_runner import load_onnx

            return load_onnx(path)
        return open_model(path)
    need("torch", "model")
    from scandl.models.diffusion.torch_model import TrainedScandl
    from scandl.training.checkpoint import read_checkpoint

    weights = "weights" if options.raw else "ema"
    if "pointer" in read_checkpoint(path):
        from scandl.models.pointer.pointer_training import load

        check_cpu(options.device)
        return load(path, weights=weights)
    return TrainedScandl.load(path, weights=weights, device=options.device)
