"""What Eyettention learns from: the saccade class that follows each fixation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import torch
from torch import Tensor, nn

from scandl.config import to_table
from scandl.corpora import Corpus
from scandl.models.eyettention.eyettention_inputs import InputMaker, PathInput, collate
from scandl.models.eyettention.eyettention_likelihood import class_losses, path_log_probs, per_path
from scandl.models.eyettention.eyettention_network import EyettentionNetwork
from scandl.models.eyettention.eyettention_settings import EyettentionConfig
from scandl.models.eyettention.saccade_classes import SaccadeClasses
from scandl.seeds import torch_seed
from scandl.training.trainer import StepLoss


class EyettentionTask:
    """The cross-entropy over the scanpaths of a corpus; implements ``scandl.training.trainer.Task``."""

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
