"""Training ScanDL on one fold: what ``scandl train`` and the benchmark call."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scandl.corpora.corpus import Corpus, Pair
from scandl.errors import ScandlError
from scandl.files.results import locked
from scandl.models.diffusion.diffusion_model import Denoising, ScanpathModel
from scandl.models.diffusion.diffusion_task import ExampleTable, ScandlTask
from scandl.models.diffusion.settings import ScandlConfig
from scandl.models.diffusion.tokens import bucket_for, generation_tokens, used_buckets
from scandl.models.diffusion.torch_model import TrainedScandl
from scandl.models.leak_guard import fold_record, whole_record
from scandl.models.model import Request
from scandl.models.readings import readings
from scandl.models.trained_model import ModelOptions, TrainedModel
from scandl.records import Positions, Sentence
from scandl.seeds import stream
from scandl.splits import Fold
from scandl.statistics.distances import paired
from scandl.statistics.energy import energy_distance
from scandl.text.encoder import TextEncoder, find_encoder
from scandl.training.processes import chosen_device, is_first_process
from scandl.training.trainer import Trainer, Validate

if TYPE_CHECKING:
    from scandl.config import TrainingConfig


def hold_out(corpus: Corpus, config: TrainingConfig) -> tuple[Corpus, Corpus]:
    """Return the corpus to train on and a random share of its scanpaths to validate with."""
    pairs: list[Pair] = [(path.reader_id, path.sentence_id) for path in corpus.scanpaths]
    n_held = round(config.validation_share * len(pairs))
    if not 0 < n_held < len(pairs):
        raise ScandlError(
            f"training.validation_share: {config.validation_share} of {len(pairs)} scanpaths leaves nothing"
            " to validate with, or to train on"
        )
    order = stream(config.validation_seed, "validation").permutation(len(pairs))
    held = {pairs[i] for i in order[:n_held]}
    return corpus.restricted_to(set(pairs) - held), corpus.restricted_to(held)


def validation(network: ScanpathModel, held: Corpus, config: TrainingConfig) -> Validate:
    """Return what generates one path per held-out scanpath and measures both distances.

    What would stop a validation is refused here, before the training begins.
    """
    tested = replace(held, scanpaths=held.scanpaths[: config.validation_paths])
    n_readers = Counter(path.sentence_id for path in tested.scanpaths)
    for sentence in n_readers:
        network.tokens(Request(held.sentences[sentence]), config.seed)
    if config.validation == "energy" and max(n_readers.values()) < 2:
        raise ScandlError(
            "validation by energy distance needs sentences with two held-out readers; there is none:"
            " raise training.validation_share, or training.validation=nld"
        )
    sampling = Denoising(steps=min(config.validation_steps, network.process.steps))
    model = TrainedModel(network, "scandl", ModelOptions(sampling=sampling))

    def validate(step: int) -> dict[str, float]:
        made = [
            (p.sentence_id, p.human or (), p.predicted) for p in readings(model, tested, seed=config.seed)
        ]
        _, humans, generated = zip(*made, strict=True)
        found = {"validation_nld": float(paired(humans, generated).mean())}
        by_sentence: dict[str, tuple[list[Positions], list[Positions]]] = {}
        for sentence, human, own in made:
            sides = by_sentence.setdefault(sentence, ([], []))
            sides[0].append(human)
            sides[1].append(own)
        distances = [energy_distance(*sides) for sides in by_sentence.values() if len(sides[0]) > 1]
        if distances:
            found["validation_energy"] = float(np.mean(distances))
        decisive = f"validation_{config.validation}"
        return {decisive: found.pop(decisive), **found}

    return validate


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
    config = replace(config, model=replace(config.model, buckets=buckets_of(config, encoder, training)))
    task = ScandlTask(config, encoder, training, fold or whole_record(learned))
    n_cut = task.examples.n_cut
    if n_cut:
        share = n_cut / len(task.examples)
        print(
            f"{n_cut} of {len(task.examples)} scanpaths ({share:.1%}) are longer than the longest input"
            " and lose their end; larger model.buckets keep them whole",
            file=sys.stderr,
        )
    validate = None
    if config.training.validation == "loss" and held is not None:
        validate = loss_validation(task, ExampleTable(held, encoder, config.model))
    elif validated and held is not None:
        model = TrainedScandl(config, encoder, task.module.denoiser, {}, task.lengths)
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


def buckets_of(config: ScandlConfig, encoder: TextEncoder, training: Corpus) -> tuple[int, ...]:
    """Return the buckets that a batch or more of the training paths take."""
    encoded = {
        key: encoder.encode(sentence.words, sentence.language_or_english)
        for key, sentence in training.sentences.items()
    }
    taken = [
        bucket_for(encoded[path.sentence_id], config.model, path.n_fixations) for path in training.scanpaths
    ]
    return used_buckets(config.model.buckets, taken, config.training.batch) if taken else config.model.buckets


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
