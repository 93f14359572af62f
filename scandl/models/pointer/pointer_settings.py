"""The settings of the word-pointing network: one set of defaults."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal, Self, get_args

from scandl.config import TrainingConfig
from scandl.errors import ConfigError

Process = Literal["masked", "gaussian"]
"""What is taken away when a path is drawn by diffusion: masks, or noise."""
Order = Literal["time", "random"]
"""In which order the fixations of a path are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkConfig:
    """The network and what it is told."""

    process: Process = "masked"
    width: int = 64
    heads: int = 4
    word_layers: int = 2
    path_layers: int = 2
    dropout: float = 0.1
    word_noise: float = 0.3  # spread of what is added to the features of words in training
    condition_dropout: float = 0.1  # share of training paths without style, without group, without task
    context_dropout: float = 0.4  # share of training texts without context
    line_dropout: float = 0.5  # share of training texts without lines
    duration_width: int = 64
    duration_noise: float = 0.0  # like word_noise, for what the network of durations is told of words

    def __post_init__(self) -> None:
        for name in ("width", "heads", "word_layers", "path_layers", "duration_width"):
            if getattr(self, name) < 1:
                raise ConfigError(f"network.{name}: found {getattr(self, name)}, expected a number from 1")
        if self.width % self.heads:
            raise ConfigError(f"network.heads: {self.heads} heads do not divide width {self.width}")
        for name in (
            "dropout",
            "condition_dropout",
            "context_dropout",
            "line_dropout",
            "word_noise",
            "duration_noise",
        ):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(
                    f"network.{name}: found {getattr(self, name)}, expected at least 0 and below 1"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingConfig:
    """How paths are drawn and scored."""

    order: Order = "random"
    steps: int = 20  # in random order; a path of fewer fixations takes one step for each
    bound_draws: int = 8  # hidden sets that the likelihood bound of a path is averaged over
    context: str = "none"  # who tells how expected words are: see ``scandl.text.context``
    gain: float = 1.0  # what deviations of surprisal are multiplied by

    def __post_init__(self) -> None:
        for name in ("steps", "bound_draws"):
            if getattr(self, name) < 1:
                raise ConfigError(f"sampling.{name}: found {getattr(self, name)}, expected a number from 1")
        if self.order not in get_args(Order):
            raise ConfigError(f"sampling.order: found {self.order!r}, expected time or random")


def _training() -> TrainingConfig:
    return TrainingConfig(
        steps=3000,
        batch=64,
        lr=2e-3,
        weight_decay=0.01,
        warmup=100,
        ema_decay=0.998,
        ema_warmup=True,
        clip_norm=1.0,
        seed=1,
        save_every=1000,
        validation="none",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PointerConfig:
    """Everything that decides what a trained model is."""

    network: NetworkConfig = field(default_factory=NetworkConfig)
    sampling: SamplingConfig = field(default_factory=SamplingConfig)
    training: TrainingConfig = field(default_factory=_training)
    in_order: float = 0.5  # share of the updates that learn paths in order of time
    given: float = 0.35  # share of these paths of which parts are given, after the place too
    most_epochs: int = 60  # of a fold: a small one takes fewer steps than ``training.steps``

    def __post_init__(self) -> None:
        for name in ("in_order", "given"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name}: found {getattr(self, name)}, expected a share from 0 to 1")
        if self.most_epochs < 1:
            raise ConfigError(f"most_epochs: found {self.most_epochs}, expected a number from 1")

    def for_fold(self, n_paths: int, seed: int) -> Self:
        """Return the settings of a training on so many scanpaths.

        >>> [PointerConfig().for_fold(n, seed=1).training.steps for n in (1136, 7668)]
        [1065, 3000]
        """
        epochs = math.ceil(self.most_epochs * n_paths / self.training.batch)
        steps = max(1, min(self.training.steps, epochs))
        return replace(self, training=replace(self.training, steps=steps, seed=seed))
