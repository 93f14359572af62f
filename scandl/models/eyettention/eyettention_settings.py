"""The settings of Eyettention: one set of defaults, which is the paper's where a corpus allows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from scandl.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkConfig:
    """The network and its input."""

    encoder: str = "lexical"  # the paper: bert-base-cased
    max_words: int = 24  # CLS and SEP included; longer saccades count as the longest one
    word_layers: int = 8
    word_units: int = 64  # per direction
    fixation_layers: int = 8
    fixation_units: int = 128
    decoder: tuple[int, ...] = (512, 256, 256, 256)
    positions: int = 512  # word indices with an embedding of their own
    input_dropout: float = 0.4
    dropout: float = 0.2
    window: int = 1  # words attended to on each side of the fixated one
    sigma: float = 0.5  # of the Gaussian over the window, in words
    renormalise_window: bool = False  # True: attention weights sum to 1 after the Gaussian
    gaze_inputs: bool = False  # True as published: durations in training, none when generating
    reader_embedding: bool = False  # True: a vector for each training reader, and one for all others
    reader_dropout: float = 0.1  # share of training paths shown as an unknown reader's

    def __post_init__(self) -> None:
        for name in ("word_layers", "word_units", "fixation_layers", "fixation_units", "positions"):
            if getattr(self, name) < 1:
                raise ConfigError(f"network.{name}: found {getattr(self, name)}, expected a number from 1")
        for name in ("input_dropout", "dropout", "reader_dropout"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(
                    f"network.{name}: found {getattr(self, name)}, expected a share from 0 to 1"
                )
        if self.max_words < 3:
            raise ConfigError(f"network.max_words: found {self.max_words}, expected CLS, SEP and a word")
        if self.window < 0 or self.sigma <= 0:
            raise ConfigError(
                f"network.window: found {self.window} with sigma {self.sigma},"
                " expected 0 or more words and a sigma above 0"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningConfig:
    """The optimiser and when it stops."""

    epochs: int = 1000
    patience: int = 20  # epochs without a better validation likelihood
    batch: int = 64  # the paper: 256, which on a small corpus is a handful of updates an epoch
    lr: float = 1e-3
    clip_norm: float = 10.0
    validation_share: float = 0.1
    validation: Literal["sentences", "readers", "scanpaths"] = "sentences"  # what is new in it
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("epochs", "patience", "batch"):
            if getattr(self, name) < 1:
                raise ConfigError(f"learning.{name}: found {getattr(self, name)}, expected a number from 1")
        for name in ("lr", "clip_norm"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"learning.{name}: found {getattr(self, name)}, expected more than 0")
        if not 0 < self.validation_share < 1:
            raise ConfigError(
                f"learning.validation_share: found {self.validation_share}, expected a share between 0 and 1"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class EyettentionConfig:
    """Everything that decides what a trained model is."""

    network: NetworkConfig = field(default_factory=NetworkConfig)
    learning: LearningConfig = field(default_factory=LearningConfig)


SMALL = EyettentionConfig(network=NetworkConfig(word_layers=2, fixation_layers=2))
"""For corpora of a thousand scanpaths: an epoch takes a third of the time."""
