"""Training Eyettention on one fold: what to hold out for validation, and when to stop."""

from __future__ import annotations

import math
from pathlib import Path

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.eyettention.eyettention_inputs import InputMaker
from scandl.models.eyettention.eyettention_settings import EyettentionConfig, LearningConfig
from scandl.models.eyettention.eyettention_task import EyettentionTask
from scandl.models.eyettention.scales import Scales
from scandl.seeds import stream
from scandl.text.contextual import find_contextual
from scandl.text.encoder import find_encoder
from scandl.training.checkpoint import read_checkpoint, write_checkpoint
from scandl.training.trainer import Trainer
from scandl.training.training_settings import TrainingConfig

SAVE_EVERY = 10  # epochs


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
