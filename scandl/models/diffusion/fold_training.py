"""Training ScanDL on one fold: what ``scandl train`` and the benchmark call."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from scandl.corpora.corpus import Corpus
from scandl.errors import ScandlError
from scandl.files.results import locked
from scandl.models.diffusion.diffusion_task import ExampleTable, ScandlTask
from scandl.models.diffusion.held_out import hold_out, validation
from scandl.models.diffusion.settings import ScandlConfig
from scandl.models.diffusion.tokens import generation_tokens
from scandl.models.diffusion.torch_model import TrainedScandl
from scandl.models.leak_guard import fold_record, whole_record
from scandl.records import Sentence
from scandl.splits import Fold
from scandl.text.encoder import TextEncoder, find_encoder
from scandl.training.processes import chosen_device, is_first_process
from scandl.training.trainer import Trainer, Validate


def train(
    config: ScandlConfig,
    training: Corpus,
    folder: Path | str,
    *,
    held: Corpus | None = None,
    tested: Iterable[Sentence] = (),
    fold: dict[str, Any] | None = None,
    device: str | None = None,
    resume: bool = True,
    quiet: bool = False,
    tensorboard: bool = False,
) -> Path:
    """Train on the scanpaths of ``training`` and return the best checkpoint, the last where none is chosen.

    Validation takes ``held``; where there is none, a share of ``training``, which is then not learned.
    Sentences of ``tested``, for which the model is to generate, are refused before if it could not.
    """
    learned = training  # what is held out for validation is known to the model that it chooses
    chosen_device(device)  # refuses what is not there before anything is loaded
    encoder = find_encoder(config.model.encoder)
    check_readable(config, encoder, tested)
    validated = config.training.validation != "none"
    if validated and held is None:
        training, held = hold_out(training, config.training)
    task = ScandlTask(config, encoder, training, fold or whole_record(learned))
    n_cut = task.examples.n_cut
    if n_cut:
        share = n_cut / len(task.examples)
        print(
            f"{n_cut} of {len(task.examples)} scanpaths ({share:.1%}) are longer than their room"
            " and lose their end; a larger model.reserve or model.buckets keeps them whole",
            file=sys.stderr,
        )
    validate = None
    if config.training.validation == "loss" and held is not None:
        validate = loss_validation(task, ExampleTable(held, encoder, config.model))
    elif validated and held is not None:
        model = TrainedScandl(config, encoder, task.module.denoiser, {})
        validate = validation(model, held, config.training)
    with locked(folder) if is_first_process() else nullcontext():  # before a log or checkpoint is touched
        trainer = Trainer(
            task,
            config.training,
            folder,
            validate=validate,
            choose=config.training.chooses,
            device=device,
            resume=resume,
            quiet=quiet,
            tensorboard=tensorboard,
        )
        last = trainer.run()
    return trainer.best_path if config.training.chooses else last


def loss_validation(task: ScandlTask, held: ExampleTable) -> Validate:
    """Return what computes the loss of held-out scanpaths, for the log alone."""
    return lambda step: {"validation_loss": task.held_loss(held)}


def train_fold(
    config: ScandlConfig,
    corpus: Corpus,
    fold: Fold,
    folder: Path | str,
    *,
    tested: Corpus | None = None,
    device: str | None = None,
    resume: bool = True,
    quiet: bool = False,
    tensorboard: bool = False,
) -> Path:
    """Train on the training pairs of ``fold`` and return the checkpoint to generate with.

    ``tested`` is the corpus of the test pairs where it is another. What the model could not read of
    them is refused before it is trained.
    """
    sentences = (tested or corpus).sentences
    return train(
        config,
        corpus.restricted_to(fold.train),
        folder,
        fold=fold_record(fold, corpus),
        device=device,
        held=corpus.restricted_to(fold.validation) if fold.validation else None,
        tested=[sentences[name] for name in dict.fromkeys(name for _, name in fold.test)],
        resume=resume,
        quiet=quiet,
        tensorboard=tensorboard,
    )


def check_readable(config: ScandlConfig, encoder: TextEncoder, tested: Iterable[Sentence]) -> None:
    """Raise if a sentence is too long to be generated for: it would be refused after the training."""
    for sentence in tested:
        try:
            generation_tokens(
                encoder.encode(sentence.words, sentence.language_or_english),
                encoder.padding,
                config.model,
                sentence.sentence_id,
            )
        except ScandlError as error:
            raise ScandlError(
                f"the fold could not be tested: {error}; leave the sentence out of the corpus, or raise"
                " model.seq_len and model.buckets"
            ) from None
