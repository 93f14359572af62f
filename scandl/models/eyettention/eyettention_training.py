"""Training Eyettention on one fold: the loss of each fixation, what is held out, and when to stop."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from scandl.config import TrainingConfig, to_table
from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.eyettention.eyettention_inputs import InputMaker, PathInput, Scales, collate
from scandl.models.eyettention.eyettention_model import class_losses, path_log_probs, per_path
from scandl.models.eyettention.eyettention_network import EyettentionNetwork, SaccadeClasses
from scandl.models.eyettention.eyettention_settings import EyettentionConfig, LearningConfig
from scandl.seeds import stream, torch_seed
from scandl.text.encoder import find_encoder
from scandl.text.pretrained import find_contextual
from scandl.training.checkpoint import read_checkpoint, write_checkpoint
from scandl.training.trainer import StepLoss, Trainer

SAVE_EVERY = 10  # epochs


class EyettentionTask:
    """The cross-entropy over scanpaths of a corpus; implements ``scandl.training.trainer.TrainingTask``."""

    def __init__(
        self, config: EyettentionConfig, maker: InputMaker, training: Corpus, validation: Corpus
    ) -> None:
        self.config = config
        self.maker = maker
        self.classes = SaccadeClasses(config.network.max_words)
        self.names = [(path.reader_id, path.sentence_id) for path in training.scanpaths]
        self.examples = self._inputs(training)
        self.held_out = self._inputs(validation)
        # A constant in place of the batch's own mean: then a batch may be shared by processes.
        self.mean_events = sum(len(path.at) for path in self.examples) / len(self.examples)
        torch.manual_seed(torch_seed(config.learning.seed, "weights"))
        self.module = EyettentionNetwork(
            config.network, maker.words.dim, maker.fixated.dim, len(maker.readers)
        )

    @property
    def buckets(self) -> list[int]:
        """One bucket: packed fixations cost what they are, whatever the lengths of their paths."""
        return [0] * len(self.examples)

    def loss(self, module: nn.Module, examples: Sequence[int], slots: range, step: int) -> StepLoss:
        """Return the loss of each path; its mean is the cross-entropy of a fixation."""
        batch = collate([self.examples[i] for i in examples])
        loss = per_path(class_losses(module(batch), batch, self.classes), batch) / self.mean_events
        return StepLoss(loss, loss)

    def validate(self, step: int) -> dict[str, float]:
        """Return the cross-entropy of an event of the validation paths, in nats."""
        log_probs = path_log_probs(self.module, self.held_out, self.classes, outcome=False)
        return {"validation": -sum(log_probs) / sum(len(path.at) for path in self.held_out)}

    def learned(self, examples: Sequence[int], losses: Tensor, step: int) -> None:
        """Take note of nothing."""

    def describe(self, examples: Sequence[int], step: int) -> str:
        """Name readers and sentences of a batch."""
        named = ["/".join(self.names[i]) for i in examples[:8]]
        return f"batch {', '.join(named)}{' …' if len(examples) > 8 else ''}"

    def state_dict(self) -> dict[str, Any]:
        """Return nothing: a step depends on the seed and its number alone."""
        return {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take up nothing."""

    def contents(self) -> dict[str, Any]:
        """Return configuration, encoders, scales and readers."""
        return {
            "config": to_table(self.config),
            "encoders": [self.maker.words.identity, self.maker.fixated.identity],
            "scales": asdict(self.maker.scales),
            "readers": list(self.maker.readers),
        }

    def derived(self, *, ema: Mapping[str, Tensor], weights: Mapping[str, Tensor]) -> dict[str, Any]:
        """Return nothing: the weights are all there is."""
        return {}

    def _inputs(self, corpus: Corpus) -> list[PathInput]:
        gaze = self.config.network.gaze_inputs
        return [
            self.maker.path(corpus.sentences[path.sentence_id], path, gaze=gaze) for path in corpus.scanpaths
        ]


def train(config: EyettentionConfig, corpus: Corpus, folder: Path | str, *, quiet: bool = True) -> Path:
    """Train on the scanpaths of a fold and return the checkpoint that validated best.

    A folder that holds the beginning of the same training is gone on with.
    """
    training, validation = held_out(corpus, config.learning)
    task = make_task(config, training, validation)
    trainer = Trainer(
        task,
        training_config(config.learning, len(training.scanpaths)),
        folder,
        validate=task.validate,
        quiet=quiet,
        device="cpu",
    )
    trainer.run()
    return trainer.root / "best.pt"


def make_task(config: EyettentionConfig, training: Corpus, validation: Corpus) -> EyettentionTask:
    """Return what is to be learned, with encoders, scales and readers of the training part."""
    readers = training.reader_ids if config.network.reader_embedding else []
    encoder = config.network.encoder
    maker = InputMaker(find_contextual(encoder), find_encoder(encoder), Scales.of(training), readers)
    return EyettentionTask(config, maker, training, validation)


def keep(best: Path, finished: Path) -> None:
    """Keep of a finished training what is needed to use it; nobody will go on with the rest.

    Another process may have trained the same, to the same end, and taken the rest away before.
    """
    try:
        saved = read_checkpoint(best)
    except ScandlError:
        if not finished.exists():
            raise
    else:
        for name in ("format", "ema", "optimizer", "task", "since_best"):
            del saved[name]
        write_checkpoint(finished, saved)
    for path in (best, best.with_name("last.pt")):
        path.unlink(missing_ok=True)


def training_config(learning: LearningConfig, n_paths: int) -> TrainingConfig:
    """Return what the trainer is told: epochs in steps, plain Adam, a validation each epoch.

    >>> told = training_config(LearningConfig(), 1000)
    >>> told.batch, told.validate_every, told.steps
    (64, 16, 16000)
    """
    batch = min(learning.batch, n_paths)
    epoch = math.ceil(n_paths / batch)
    return TrainingConfig(
        steps=learning.epochs * epoch,
        batch=batch,
        lr=learning.lr,
        lr_schedule="constant",
        ema_decay=0.0,
        clip_norm=learning.clip_norm,
        seed=learning.seed,
        save_every=SAVE_EVERY * epoch,
        log_every=epoch,
        validate_every=epoch,
        patience=learning.patience,
    )


def held_out(corpus: Corpus, learning: LearningConfig) -> tuple[Corpus, Corpus]:
    """Split a fold into what is learned from and what is validated on.

    Whole items (sentences with their versions), readers or single scanpaths are held out. Where
    there is only one of them, scanpaths are.
    """
    pairs = [(path.reader_id, path.sentence_id) for path in corpus.scanpaths]
    if len(pairs) < 2:
        raise ScandlError(
            f"eyettention needs two scanpaths to learn; corpus {corpus.name!r} has {len(pairs)}"
        )
    group = {
        "sentences": [corpus.sentences[sentence].item for _, sentence in pairs],
        "readers": [reader for reader, _ in pairs],
        "scanpaths": [f"{reader}\x1f{sentence}" for reader, sentence in pairs],
    }
    groups = group[learning.validation]
    if len(set(groups)) < 2:
        groups = group["scanpaths"]
    names = sorted(set(groups))
    n_held_out = min(max(1, round(learning.validation_share * len(names))), len(names) - 1)
    order = stream(learning.seed, "validation").permutation(len(names))
    held = {names[i] for i in order[:n_held_out]}
    parts = [
        [pair for pair, name in zip(pairs, groups, strict=True) if (name in held) is wanted]
        for wanted in (False, True)
    ]
    return corpus.restricted_to(parts[0]), corpus.restricted_to(parts[1])
