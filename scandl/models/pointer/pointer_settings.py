"""The settings of the word-pointing network: one set of defaults."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal, Self

from scandl.errors import ConfigError
from scandl.training.training_settings import TrainingConfig

ProcessName = Literal["autoregressive", "absorbing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkConfig:
    """The network and what it is told."""

    process: ProcessName = "autoregressive"
    width: int = 32
    heads: int = 4
    word_layers: int = 2
    path_layers: int = 2
    dropout: float = 0.1
    word_noise: float = 0.3  # spread of what is added to the features of words in training
    spelling: bool = False  # True: the hashed spelling too, by which a small corpus is learned by heart
    context: bool = False  # True: how much a word surprises after the one before, by a table of English pairs
    condition_dropout: float = 0.1  # share of training paths without style, without group, without task
    duration_width: int = 64
    duration_noise: float = 0.0  # like word_noise, for what the network of durations is told of words

    @property
    def of_words(self) -> dict[str, bool]:
        """What the network is told of words beside the plain facts, by name."""
        return {"spelling": self.spelling, "context": self.context}

    def __post_init__(self) -> None:
        for name in ("width", "heads", "word_layers", "path_layers", "duration_width"):
            if getattr(self, name) < 1:
                raise ConfigError(f"network.{name}: found {getattr(self, name)}, expected a number from 1")
        if self.width % self.heads:
            raise ConfigError(f"network.heads: {self.heads} heads do not divide width {self.width}")
        for name in ("dropout", "condition_dropout", "word_noise", "duration_noise"):
            if not 0 <= getattr(self, name) < 1:
                raise ConfigError(
                    f"network.{name}: found {getattr(self, name)}, expected at least 0 and below 1"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingConfig:
    """How paths are drawn and scored."""

    steps: int = 20  # of the absorbing process; a path of fewer fixations takes one step for each
    bound_draws: int = 8  # hidden sets that the likelihood bound of a path is averaged over

    def __post_init__(self) -> None:
        for name in ("steps", "bound_draws"):
            if getattr(self, name) < 1:
                raise ConfigError(f"sampling.{name}: found {getattr(self, name)}, expected a number from 1")


def _training() -> TrainingConfig:
    return TrainingConfig(
        steps=1600,
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
    most_epochs: int = 25  # of a fold: a small one takes fewer steps than ``training.steps``

    def __post_init__(self) -> None:
        if self.most_epochs < 1:
            raise ConfigError(f"most_epochs: found {self.most_epochs}, expected a number from 1")

    def for_fold(self, n_paths: int, seed: int) -> Self:
        """Return the settings of a training on so many scanpaths.

        >>> [PointerConfig().for_fold(n, seed=1).training.steps for n in (1136, 7668)]
        [444, 1600]
        """
        epochs = math.ceil(self.most_epochs * n_paths / self.training.batch)
        steps = max(1, min(self.training.steps, epochs))
        return replace(self, training=replace(self.training, steps=steps, seed=seed))
