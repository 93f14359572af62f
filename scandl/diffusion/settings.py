"""The settings of ScanDL: one set of defaults, which is the paper's, and presets that change some."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from scandl.config import read_config
from scandl.errors import ConfigError, did_you_mean

Rule = tuple[Callable[[Any], bool], str]
"""Whether a value can be, and what is expected."""


LEAST_BUCKET = 3  # a SEP of the sentence, a SEP of the scanpath, a PAD


def _at_least(least: int) -> Rule:
    return (lambda value: least <= value < math.inf), f"at least {least}"


ABOVE_0: Rule = ((lambda value: 0 < value < math.inf), "a number above 0")
DECAY: Rule = ((lambda value: 0 <= value < 1), "at least 0 and below 1")
SHARE: Rule = ((lambda value: 0 < value < 1), "above 0 and below 1")


def _check(group: str, settings: object, **rules: Rule) -> None:
    """Refuse a value that cannot be; None stands for a setting that is off."""
    for name, (holds, expected) in rules.items():
        value = getattr(settings, name)
        if value is not None and not holds(value):
            raise ConfigError(f"setting '{group}.{name}': found {value}, expected {expected}")


def _check_sizes(group: str, settings: object, **most: int) -> None:
    """Refuse sizes far beyond any model: they would only fill the memory until the process is killed."""
    _check(group, settings, **{name: _at_most(limit) for name, limit in most.items()})


def _at_most(most: int) -> Rule:
    return (lambda value: value <= most), f"at most {most:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """The network and its input."""

    layers: int = 12
    heads: int = 8
    dim: int = 256
    feed_forward: int = 3072
    dropout: float = 0.1
    seq_len: int = 128  # ids 0..seq_len-1, the last is PAD; also the longest input
    buckets: tuple[int, ...] = (128,)  # physical lengths; an input takes the smallest its sentence fits
    reserve: float = 3.0  # positions kept for the scanpath, per word of the sentence, when choosing a bucket
    encoder: str = "bert-base-cased"
    sentence_condition: bool = True  # False: the scanpath alone, the paper's "without condition"
    text_and_position: bool = True  # False: ids and time alone, the paper's "without BERT and position"

    def __post_init__(self) -> None:
        _check(
            "model",
            self,
            layers=_at_least(1),
            heads=_at_least(1),
            dim=_at_least(1),
            feed_forward=_at_least(1),
            dropout=DECAY,
            seq_len=_at_least(4),
            reserve=_at_least(0),
        )
        _check_sizes(
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
            or self.buckets[-1] > self.seq_len
        ):
            raise ConfigError(
                f"model.buckets: found {list(self.buckets)}, expected rising lengths up to {self.seq_len},"
                f" none below {LEAST_BUCKET}"
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
        _check("diffusion", self, steps=_at_least(2), history=_at_least(1), bins=_at_least(0))
        _check_sizes("diffusion", self, steps=1_000_000, history=10_000, bins=1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """The optimiser and its run."""

    steps: int = 80_000
    batch: int = 64  # over all processes
    lr: float = 1e-4
    weight_decay: float = 0.0
    lr_schedule: Literal["linear", "constant"] = "linear"
    warmup: int = 0
    ema_decay: float = 0.9999
    ema_warmup: bool = False  # True: decay = min(ema_decay, (1 + step)/(10 + step)), for short trainings
    clip_norm: float | None = None
    # no: float32. tf32: shorter factors in matrix products, on GPUs that have them; elsewhere the same as no.
    precision: Literal["no", "tf32", "bf16", "fp16"] = "no"
    accumulate: int = 1  # parts that a process takes its share of a batch in, where memory is short
    compile: bool = False  # torch.compile: some minutes once, then faster on a GPU
    seed: int = 101
    save_every: int = 5_000
    log_every: int = 50
    # loss, as released: a share of the scanpaths is held out, their loss is logged and decides nothing.
    # energy and nld generate for them and keep the best checkpoint beside the last. none learns from all.
    validation: Literal["none", "loss", "energy", "nld"] = "loss"
    validation_seed: int = 77  # of the choice of what is held out
    validation_share: float = 0.1
    validation_paths: int = 200  # at most so many are generated
    validation_steps: int = 20  # denoising steps
    validate_every: int | None = None  # steps; None = whenever a checkpoint is saved
    patience: int | None = None  # validations without a better one after which training stops; None = never

    @property
    def chooses(self) -> bool:
        """Whether validation chooses a checkpoint, and not only tells."""
        return self.validation in ("energy", "nld")

    def __post_init__(self) -> None:
        once, never_negative = _at_least(1), _at_least(0)
        _check(
            "training",
            self,
            steps=once,
            batch=once,
            lr=ABOVE_0,
            weight_decay=never_negative,
            warmup=never_negative,
            ema_decay=DECAY,
            clip_norm=ABOVE_0,
            seed=never_negative,
            save_every=once,
            log_every=once,
            accumulate=once,
            validation_seed=never_negative,
            validation_share=SHARE,
            validation_paths=once,
            validation_steps=_at_least(2),
            validate_every=once,
            patience=once,
        )
        _check_sizes("training", self, batch=100_000, validation_paths=10_000_000, validation_steps=1_000_000)


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
        "model.buckets=[16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 80, 96, 128]",
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


def chosen_config(name: str | None, path: Path | None, overrides: Iterable[str] = ()) -> ScandlConfig:
    """Return a preset by name, or what a TOML file says; without either, what was published."""
    return preset(name, overrides) if name is not None else read_config(ScandlConfig, path, overrides)
