"""Training the word-pointing network on the scanpaths of a corpus, their durations and readers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import torch
from torch import Tensor, nn

from scandl.config import from_table, to_table
from scandl.corpora.corpus import Corpus
from scandl.errors import ScandlError
from scandl.models.pointer import continuous
from scandl.models.pointer.condition import Conditions, Style, path_features, style_of_features
from scandl.models.pointer.continuous import levels
from scandl.models.pointer.mixtures import duration_features, n_duration_features, of_text
from scandl.models.pointer.objective import Objective, PointerWeights, TrainingBatch
from scandl.models.pointer.path_batch import (
    BLUR,
    IDENTITY,
    Flags,
    Floats,
    Ints,
    TextBatch,
    n_word_features,
    padded,
    within,
    word_features,
)
from scandl.models.pointer.path_probability import hide
from scandl.models.pointer.pointer_model import LINE, PointerModel
from scandl.models.pointer.pointer_network import PointerNetwork, visible
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.states import States, states
from scandl.records import Scanpath
from scandl.seeds import stream, torch_seed
from scandl.training.checkpoint import read_checkpoint
from scandl.training.trainer import StepLoss, Trainer

if TYPE_CHECKING:
    from scandl.text.context import WordContext

_PREFIX = "network."  # of the network's weights within the objective's
_STYLE_PATHS = (8, 15, 30, None)  # how many other paths of a reader a style rests on; None = all
_FEWEST_BUCKETS = 8
_BUCKET = 512  # paths in a length class of a large corpus

Contexts: TypeAlias = "Mapping[str, WordContext]"
"""How expected the words of sentences are, by sentence."""


def train(
    config: PointerConfig,
    corpus: Corpus,
    folder: Path | str,
    *,
    contexts: Contexts | None = None,
    start: PointerNetwork | None = None,
    quiet: bool = True,
) -> Path:
    """Train on all scanpaths of a corpus and return the checkpoint; a begun folder is resumed.

    A training that does not begin with random weights begins with those of ``start``.
    """
    task = PointerTask(config, corpus, contexts)
    if start is not None:
        known = {name: torch.tensor(value, dtype=torch.float32) for name, value in start.weights.items()}
        task.module.network.load_state_dict(known)
    return Trainer(task, config.training, folder, quiet=quiet, device="cpu").run()


def load(path: Path | str, *, weights: str = "ema") -> PointerModel:
    """Open a checkpoint; ``weights`` is ``ema`` or ``weights`` (the raw ones)."""
    saved = read_checkpoint(path)
    if "pointer" not in saved:
        raise ScandlError(f"{path}: a checkpoint, but not of a word-pointing network")
    if saved["words"] != IDENTITY:
        raise ScandlError(f"{path}: trained with word features {saved['words']}, found {IDENTITY}")
    config = from_table(PointerConfig, saved["pointer"])
    conditions = Conditions.from_table(saved["conditions"])
    own = {name.removeprefix(_PREFIX): value.numpy() for name, value in saved[weights].items()}
    network = PointerNetwork.of(config.network.heads, own)
    return PointerModel(config, conditions, network, timed=saved["timed"])


class PointerTask:
    """The likelihood of the scanpaths of a corpus; implements ``scandl.training.trainer.TrainingTask``."""

    def __init__(self, config: PointerConfig, corpus: Corpus, contexts: Contexts | None = None) -> None:
        self.config = config
        self.paths = [path for path in corpus.scanpaths if path.positions]
        if not self.paths:
            raise ScandlError(f"corpus {corpus.name!r} has no scanpath to learn from")
        self.conditions = Conditions.of(corpus)
        lines, known = corpus.words.get(LINE, {}), contexts or {}
        # Each text as it is known: without and with lines, without and with context.
        self._known = {
            key: [
                word_features(s.words, s.language_or_english, context=context.get(key), lines=on.get(key))
                for context in ({}, known)
                for on in ({}, lines)
            ]
            for key, s in corpus.sentences.items()
        }
        self.texts = [self._known[path.sentence_id][0] for path in self.paths]
        self._rows = np.array(
            [path_features(path, len(text)) for path, text in zip(self.paths, self.texts, strict=True)]
        )
        self._of_reader: dict[str, list[int]] = {}
        for i, path in enumerate(self.paths):
            self._of_reader.setdefault(path.reader_id, []).append(i)
        # A constant in place of the batch's own mean, so that a fixation counts alike in every batch.
        self.mean_events = sum(path.n_fixations + 1 for path in self.paths) / len(self.paths)
        torch.manual_seed(torch_seed(config.training.seed, "weights"))
        self.module = Objective(config.network, initial_weights(config.network, self.conditions))

    @property
    def buckets(self) -> list[int]:
        """The length class of each path, so that the paths of a batch are about equally long."""
        rank = np.argsort(np.argsort([path.n_fixations for path in self.paths], kind="stable"))
        n_buckets = min(max(_FEWEST_BUCKETS, len(rank) // _BUCKET), len(rank))
        return (rank * n_buckets // len(rank)).tolist()

    def loss(self, module: nn.Module, examples: Sequence[int], slots: range, step: int) -> StepLoss:
        """Return the loss of each path, in units of the mean path's events."""
        loss = module(self.batch(examples, slots, step)) / self.mean_events
        return StepLoss(loss, loss)

    def batch(self, examples: Sequence[int], slots: range, step: int) -> TrainingBatch:
        """Return the tensors of some paths; what is random depends on the step and the slot alone."""
        seed = self.config.training.seed
        streams = [stream(seed, "example", step, slot) for slot in slots]
        told = [self._condition(i, rng) for i, rng in zip(examples, streams, strict=True)]
        read = [self._text(i, rng) for i, rng in zip(examples, streams, strict=True)]
        texts = TextBatch.of(read, np.stack(told))
        paths = [self.paths[i] for i in examples]
        words = [path.positions for path in paths]
        timed = duration_features(words, self._blurred(texts, streams))
        if self.config.network.process == "gaussian":
            exercise = _noised(texts, words, streams)
        else:
            share = self.config.in_order
            in_order = math.ceil((step + 1) * share) > math.ceil(step * share)
            exercise = _parted(texts, words, streams, self.config.given if in_order else None)
        return _tensors(texts, paths, timed, exercise)

    def _text(self, example: int, rng: np.random.Generator) -> Floats:
        """Return the features of the text of a path; its context and its lines may be dropped."""
        network, drawn = self.config.network, rng.random(2)
        which = 2 * (drawn[0] >= network.context_dropout) + (drawn[1] >= network.line_dropout)
        return self._known[self.paths[example].sentence_id][which]

    def _blurred(self, texts: TextBatch, streams: Sequence[np.random.Generator]) -> TextBatch:
        """Return the texts that durations are learned from: one for each path, with noise on its words."""
        spread = self.config.network.duration_noise
        if not spread:
            return texts
        features = texts.features[texts.row]
        for text, n_words, rng in zip(features, texts.n_words, streams, strict=True):
            noise = rng.standard_normal((n_words, text.shape[1]), dtype=np.float32)
            text[:n_words] += spread * BLUR * noise
        return replace(texts, features=features, inside=texts.inside[texts.row], row=np.arange(len(features)))

    def learned(self, examples: Sequence[int], losses: Tensor, step: int) -> None:
        """Take note of nothing."""

    def describe(self, examples: Sequence[int], step: int) -> str:
        """Name readers and sentences of a batch."""
        named = [f"{self.paths[i].reader_id}/{self.paths[i].sentence_id}" for i in examples[:8]]
        return f"batch {', '.join(named)}{' …' if len(examples) > 8 else ''}"

    def state_dict(self) -> dict[str, Any]:
        """Return nothing: a step depends on the seed and its number alone."""
        return {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take up nothing."""

    def contents(self) -> dict[str, Any]:
        """Return configuration, readers and what the words are described by."""
        timed = any(path.durations for path in self.paths)
        return {
            "pointer": to_table(self.config),
            "conditions": self.conditions.to_table(),
            "words": IDENTITY,
            "timed": timed,
        }

    def derived(self, *, ema: Mapping[str, Tensor], weights: Mapping[str, Tensor]) -> dict[str, Any]:
        """Return nothing: the weights are all there is."""
        return {}

    def _condition(self, example: int, rng: np.random.Generator) -> Floats:
        """Return the condition vector of a path, from other paths of its reader; parts may be dropped."""
        u = rng.random(3)
        dropout = self.config.network.condition_dropout
        style = self._style(example, rng) if u[0] >= dropout else None
        own = self.conditions.readers[self.paths[example].reader_id]
        told = {
            label: value for label, value, v in zip(own, own.values(), u[1:], strict=True) if v >= dropout
        }
        return self.conditions.vector(style, told)

    def _style(self, example: int, rng: np.random.Generator) -> Style | None:
        others = [i for i in self._of_reader[self.paths[example].reader_id] if i != example]
        if not others:
            return None
        n = _STYLE_PATHS[rng.integers(len(_STYLE_PATHS))]
        if n is not None and n < len(others):
            others = [others[k] for k in rng.choice(len(others), n, replace=False)]
        return Style(tuple(style_of_features(self._rows[others]).tolist()), len(others))


def initial_weights(config: NetworkConfig, conditions: Conditions) -> PointerWeights:
    """Return the weights of a network whose inputs are those of its readers."""
    n_words, n_condition = n_word_features(), conditions.width
    n_durations = n_duration_features(n_words, n_condition)
    return PointerWeights(config, n_words=n_words, n_condition=n_condition, n_durations=n_durations)


def given_parts(
    n_fixations: Ints, n_places: int, streams: Sequence[np.random.Generator], share_given: float
) -> Flags:
    """Return which places are given beforehand, (B, T): of most paths none, of some all but a block."""
    known = np.zeros((len(n_fixations), n_places), dtype=bool)
    for row, n, rng in zip(known, n_fixations.tolist(), streams, strict=True):
        kind, share, places = rng.random(), rng.random(), rng.random(n)
        if kind < share_given / 2:
            row[:n] = places < share
        elif kind < share_given:
            size = 1 + int(share * n)
            first = int(places[0] * (n - size + 1))
            row[:n] = True
            row[first : first + size] = False
    return known


@dataclass(frozen=True, slots=True)
class _Exercise:
    """What is told of paths, and what is to be said."""

    states: States
    targets: Ints  # (B, T) a word, -1 where nothing is to be said
    weights: Floats  # (B,)
    evidence: Floats  # (B, T, M), or one 0
    in_order: bool  # whether places know those before them alone


def _parted(
    texts: TextBatch,
    paths: Sequence[Sequence[int]],
    streams: Sequence[np.random.Generator],
    given: float | None,
) -> _Exercise:
    """Return paths of which parts are known: in order those before each place, of a share others too.

    Without a share they are masked: some places on either side are known, the same ones for all.
    """
    in_order = given is not None
    words, n_fixations = padded(paths)
    inside, n_places = within(n_fixations, words.shape[1]), words.shape[1]
    if given is not None:
        known, weights = given_parts(n_fixations, n_places, streams, given), np.ones(len(paths), np.float32)
    else:
        uniforms = np.stack([rng.random(1 + n_places) for rng in streams])
        hidden, weights = hide(n_fixations, n_places, uniforms)
        known = inside & ~hidden
    found = states(words, known, n_fixations, texts.n_words, texts.n_columns, in_order=in_order)
    targets, nothing = np.where(inside & ~known, words, -1), np.zeros((1, 1, 1), np.float32)
    return _Exercise(found, targets, weights, nothing, in_order)


def _noised(
    texts: TextBatch, paths: Sequence[Sequence[int]], streams: Sequence[np.random.Generator]
) -> _Exercise:
    """Return paths that are all noise, each at a level of its own."""
    words, n_fixations = padded(paths)
    normals = np.zeros(words.shape)
    share = np.array([rng.random() for rng in streams])
    for row, n, rng in zip(normals, n_fixations.tolist(), streams, strict=True):
        row[:n] = rng.standard_normal(n)
    noisy = continuous.noised(words, n_fixations, texts.n_words, levels(texts.n_words, share), normals)
    targets = np.where(within(n_fixations, words.shape[1]), words, -1)
    n_columns, ones = texts.n_columns, np.ones(len(paths), np.float32)
    return _Exercise(noisy.states(n_columns), targets, ones, noisy.evidence(n_columns), in_order=False)


def _tensors(
    texts: TextBatch,
    paths: Sequence[Scanpath],
    timed: Floats,
    exercise: _Exercise,
) -> TrainingBatch:
    n_fixations = np.array([path.n_fixations for path in paths])
    found, n_places = exercise.states, exercise.targets.shape[1]
    row = np.repeat(np.arange(len(paths)), n_fixations)
    ms = np.array([d for path in paths for d in path.durations or (math.nan,) * path.n_fixations])
    timed_ones = ms > 0
    tensor = torch.from_numpy
    return TrainingBatch(
        tensor(texts.features),
        tensor(texts.inside),
        tensor(texts.lines),
        tensor(texts.lined),
        tensor(texts.row),
        tensor(texts.conditions),
        tensor(found.tokens()),
        tensor(found.around),
        tensor(found.references),
        tensor(found.gap),
        tensor(found.visits.astype(np.int64)),
        tensor(visible(n_fixations, n_places, in_order=exercise.in_order)),
        tensor(exercise.evidence),
        tensor(exercise.targets),
        tensor(exercise.weights),
        tensor(of_text(texts)),
        tensor(n_fixations),
        tensor(timed[timed_ones]),
        tensor(np.log(ms[timed_ones]).astype(np.float32)),
        tensor(row[timed_ones]),
    )
