"""The settings of a training, whatever is trained, and the rules that the values of settings obey."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from scandl.errors import ConfigError

Rule = tuple[Callable[[Any], bool], str]
"""Whether a value can be, and what is expected."""


def at_least(least: int) -> Rule:
    """Return the rule of a finite number that is not below ``least``."""
    return (lambda value: least <= value < math.inf), f"at least {least}"


ABOVE_0: Rule = ((lambda value: 0 < value < math.inf), "a number above 0")
DECAY: Rule = ((lambda value: 0 <= value < 1), "at least 0 and below 1")
SHARE: Rule = ((lambda value: 0 < value < 1), "above 0 and below 1")


def check_values(group: str, settings: object, **rules: Rule) -> None:
    """Refuse a value that cannot be; None stands for a setting that is off."""
    for name, (holds, expected) in rules.items():
        value = getattr(settings, name)
        if value is not None and not holds(value):
            raise ConfigError(f"setting '{group}.{name}': found {value}, expected {expected}")


def check_sizes(group: str, settings: object, **most: int) -> None:
    """Refuse sizes far beyond any model: they would only fill the memory until the process is killed."""
    check_values(group, settings, **{name: at_most(limit) for name, limit in most.items()})


def at_most(most: int) -> Rule:
    """Return the rule of a number that is not above ``most``."""
    return (lambda value: value <= most), f"at most {most:,}"


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
        once, never_negative = at_least(1), at_least(0)
        check_values(
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
            validation_steps=at_least(2),
            validate_every=once,
            patience=once,
        )
        check_sizes("training", self, batch=100_000, validation_paths=10_000_000, validation_steps=1_000_000)
