"""The settings of ScanDL: one set of defaults, which is the paper's, and presets that change some."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from scandl.config import DECAY, TrainingConfig, at_least, check_sizes, check_values, read_config
from scandl.errors import ConfigError, did_you_mean

LONGEST_BUCKET = 100_000
LEAST_BUCKET = 3  # a SEP of the sentence, a SEP of the scanpath, a PAD


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """The network and its input."""

    layers: int = 12
    heads: int = 8
    dim: int = 256
    feed_forward: int = 3072
    dropout: float = 0.1
    seq_len: int = 128  # ids 0..seq_len-1, the last is PAD
    buckets: tuple[int, ...] = (
        128,
    )  # lengths of inputs, also beyond seq_len; an input takes the smallest that it fits
    reserve: float = 3.0  # positions kept for the scanpath at least, per word, when choosing a bucket
    encoder: str = "bert-base-cased"
    sentence_condition: bool = True  # False: the scanpath alone, the paper's "without condition"
    text_and_position: bool = True  # False: ids and time alone, the paper's "without BERT and position"

    def __post_init__(self) -> None:
        check_values(
            "model",
            self,
            layers=at_least(1),
            heads=at_least(1),
            dim=at_least(1),
            feed_forward=at_least(1),
            dropout=DECAY,
            seq_len=at_least(4),
            reserve=at_least(0),
        )
        check_sizes(
            "model",
            self,
            layers=1_000,
            heads=1_000,
            dim=100_000,
            feed_forward=1_000_000,
            seq_len=100_000,
            reserve=1_000,
        )
        if self.dim % self.heads:
            raise ConfigError(f"model.heads: {self.heads} heads do not divide dim {self.dim}")
        if (
            not self.buckets
            or list(self.buckets) != sorted(set(self.buckets))
            or self.buckets[0] < LEAST_BUCKET
            or self.buckets[-1] > LONGEST_BUCKET
        ):
            raise ConfigError(
                f"model.buckets: found {list(self.buckets)}, expected rising lengths up to"
                f" {LONGEST_BUCKET:,}, none below {LEAST_BUCKET}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffusionConfig:
    """The noising process and the loss."""

    steps: int = 2000
    schedule: str = "sqrt"
    loss: Literal["released", "paper"] = "released"
    count_sentence: bool = True  # whether sentence positions count in the squared error
    count_padding: bool = True  # whether padding counts in the squared error
    timesteps: Literal["second-moment", "uniform"] = "second-moment"
    history: int = 10  # losses kept per step, or per bin of steps, by the importance sampler
    bins: int = 0  # 0 = one history per step; otherwise steps share a history in this many bins

    def __post_init__(self) -> None:
        check_values("diffusion", self, steps=at_least(2), history=at_least(1), bins=at_least(0))
        check_sizes("diffusion", self, steps=1_000_000, history=10_000, bins=1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScandlConfig:
    """Everything that decides what a trained model is."""

    model: ModelConfig = field(default_factory=ModelConfig)
    diffusion: DiffusionConfig = field(default_factory=DiffusionConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)


PRESETS: dict[str, tuple[str, ...]] = {
    "paper": (),
    # Minutes on a CPU: a small network, no padding to speak of, and no encoder to download.
    "small": (
        "model.layers=4",
        "model.heads=4",
        "model.dim=96",
        "model.feed_forward=384",
        "model.dropout=0.0",  # noise is augmentation enough; without dropout attention is one fast kernel
        # The longest are for texts of several lines, so that none of their paths loses its end.
        "model.buckets=[16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 80, 96, 128, 160, 192, 256]",
        "model.reserve=1.5",
        "model.encoder=lexical",
        "diffusion.count_sentence=false",  # the sentence is given: its error teaches nothing
        "diffusion.bins=50",
        "training.steps=9000",
        "training.batch=32",
        "training.lr=1e-3",
        "training.warmup=200",
        "training.ema_decay=0.999",
        "training.ema_warmup=true",
        "training.clip_norm=1.0",
        "training.save_every=1000",
        "training.validation=none",
    ),
}


def preset(name: str, overrides: Iterable[str] = ()) -> ScandlConfig:
    """Return a named configuration with ``a.b=c`` changes on top.

    >>> preset("small", ["model.layers=2"]).model.layers
    2
    >>> preset("paper") == ScandlConfig()
    True
    """
    if name not in PRESETS:
        raise ConfigError(f"no preset {name!r}{did_you_mean(name, PRESETS)}")
    return read_config(ScandlConfig, None, [*PRESETS[name], *overrides])


def chosen_config(name: str | None, path: Path | str | None, overrides: Iterable[str] = ()) -> ScandlConfig:
    """Return a preset by name, or what a TOML file says; without either, what was published."""
    return (
        preset(name, overrides)
        if name is not None
        else read_config(ScandlConfig, None if path is None else Path(path), overrides)
    )
