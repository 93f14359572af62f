"""Training ScanDL on one fold: what ``scandl train`` and the benchmark call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scandl.corpora.base import Corpus
from scandl.model import TrainedScandl
from scandl.settings import ScandlConfig
from scandl.splits import Fold
from scandl.task import ScandlTask
from scandl.text.encoder import find_encoder
from scandl.trainer import Trainer
from scandl.validation import hold_out, validation


def train(
    config: ScandlConfig, training: Corpus, folder: Path | str, *, fold: dict[str, Any] | None = None,
    device: str | None = None, resume: bool = True, quiet: bool = False, tensorboard: bool = False,
) -> Path:  # fmt: skip
    """Train on the scanpaths of ``training`` and return the best checkpoint, without validation the last."""
    encoder = find_encoder(config.model.encoder)
    held = None
    if config.training.validation != "none":
        training, held = hold_out(training, config.training)
    task = ScandlTask(config, encoder, training, fold)
    validate = None
    if held is not None:
        model = TrainedScandl(config, encoder, task.module.denoiser, {})
        validate = validation(model, held, config.training)
    trainer = Trainer(
        task, config.training, folder, validate=validate, device=device, resume=resume, quiet=quiet,
        tensorboard=tensorboard,
    )  # fmt: skip
    last = trainer.run()
    return trainer.best_path if held is not None else last


def train_fold(
    config: ScandlConfig, corpus: Corpus, fold: Fold, folder: Path | str, *, device: str | None = None,
    resume: bool = True, quiet: bool = False, tensorboard: bool = False,
) -> Path:  # fmt: skip
    """Train on the training pairs of ``fold`` and return the checkpoint to generate with."""
    return train(
        config, corpus.restricted_to(fold.train), folder, fold=fold_record(fold), device=device,
        resume=resume, quiet=quiet, tensorboard=tensorboard,
    )  # fmt: skip


def fold_record(fold: Fold) -> dict[str, Any]:
    """Return what a checkpoint keeps of its fold: enough to refuse to be tested on its training items."""
    return {
        "fold_id": fold.fold_id,
        "setting": fold.setting,
        "corpus": fold.corpus,
        "train": [list(pair) for pair in (*fold.train, *fold.validation)],
    }
