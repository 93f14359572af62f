"""Training the word-pointing network, and opening what was trained."""

from __future__ import annotations

from pathlib import Path

from scandl.config import from_table
from scandl.corpora.corpus import Corpus
from scandl.errors import ScandlError
from scandl.models.pointer.condition import Conditions
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_settings import PointerConfig
from scandl.models.pointer.pointer_task import PointerTask, make_network
from scandl.models.pointer.runners.torch_runner import TorchRunner
from scandl.models.pointer.words import IDENTITY
from scandl.training.checkpoint import read_checkpoint
from scandl.training.trainer import Trainer

PREFIX = "network."  # of the network's weights within the objective's


def train(config: PointerConfig, corpus: Corpus, folder: Path | str, *, quiet: bool = True) -> Path:
    """Train on all scanpaths of a corpus and return the checkpoint; a begun folder is resumed."""
    return Trainer(PointerTask(config, corpus), config.training, folder, quiet=quiet, device="cpu").run()


def load(path: Path | str, *, weights: str = "ema") -> PointerModel:
    """Open a checkpoint; ``weights`` is ``ema`` or ``weights`` (the raw ones)."""
    saved = read_checkpoint(path)
    if "pointer" not in saved:
        raise ScandlError(f"{path}: a checkpoint, but not of a word-pointing network")
    if saved["words"] != IDENTITY:
        raise ScandlError(f"{path}: trained with word features {saved['words']}, found {IDENTITY}")
    config = from_table(PointerConfig, saved["pointer"])
    conditions = Conditions.from_table(saved["conditions"])
    network = make_network(config.network, conditions)
    network.load_state_dict({name.removeprefix(PREFIX): value for name, value in saved[weights].items()})
    return PointerModel(config, conditions, TorchRunner(network), timed=saved["timed"])
