"""The training loop of every torch model of the project.

What happens at step n is a function of the seed and n alone: the batch, the noise, the dropout.
So a run that was killed and resumed gives the weights of one that was not, and two processes
with half a batch each give what one with the whole batch gives.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from scandl.diffusion.batch_order import batches
from scandl.diffusion.settings import TrainingConfig
from scandl.errors import DivergedError, ScandlError, StoppedError
from scandl.extras import need
from scandl.inference.checkpoint import complete, read_checkpoint, write_checkpoint
from scandl.inference.device import chosen_device
from scandl.progress import Meter
from scandl.seeds import torch_seed
from scandl.termination import termination
from scandl.training.ema import Ema
from scandl.training.held_out import Validate
from scandl.training.training_log import Log, TensorBoardLog, TrainingLog


@dataclass(frozen=True, slots=True)
class StepLoss:
    """The loss of this process's share of a batch."""

    weighted: Tensor  # (B,) what the gradient is taken of
    plain: Tensor  # (B,) without importance weights, for the log and the task's own history


class Task(Protocol):
    """A model and what it learns: everything the loop does not know."""

    @property
    def module(self) -> nn.Module:
        """What is trained; the loss of a batch goes through its ``forward``."""
        ...

    @property
    def buckets(self) -> Sequence[int]:
        """The bucket of each training example; a batch holds one bucket."""
        ...

    def loss(self, module: nn.Module, examples: Sequence[int], slots: range, step: int) -> StepLoss:
        """Return the loss of ``examples``, which fill ``slots`` of the whole batch of this step."""
        ...

    def learned(self, examples: Sequence[int], losses: Tensor, step: int) -> None:
        """Take note of the plain losses of the whole batch, the same on every process."""
        ...

    def describe(self, examples: Sequence[int], step: int) -> str:
        """Name the examples of a batch for an error message."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Return the task's own state for exact resumption."""
        ...

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take up a saved state."""
        ...

    def contents(self) -> dict[str, Any]:
        """Return what a checkpoint holds besides weights: configuration, fold, encoder."""
        ...

    def derived(self, *, ema: Mapping[str, Tensor], weights: Mapping[str, Tensor]) -> dict[str, Any]:
        """Return what follows from the weights and is kept with them for those who only use the model."""
        ...


class Trainer:
    """Trains a task into a folder: ``last.pt``, ``best.pt`` when there is validation, ``log.csv``."""

    def __init__(
        self, task: Task, config: TrainingConfig, folder: Path | str, *, validate: Validate | None = None,
        resume: bool = True, quiet: bool = False, device: str | None = None, tensorboard: bool = False,
    ) -> None:  # fmt: skip
        self.task = task
        self.config = config
        self.root = Path(folder)
        self.validate = validate
        self.accelerator = _accelerator(config, device)
        if config.batch % self.accelerator.num_processes:
            raise ScandlError(
                f"a batch of {config.batch} cannot be shared by {self.accelerator.num_processes} processes"
            )
        self.step, self.best, self.since_best = 0, math.inf, 0
        self.optimizer: Any = torch.optim.AdamW(
            task.module.parameters(), lr=config.lr, weight_decay=config.weight_decay, fused=True
        )
        self.ema = Ema(task.module, config.ema_decay, warmup=config.ema_warmup)
        if resume and self.last.exists():
            self._resume()
        # Only what is prepared is shared between processes; the task keeps the bare module.
        self.module, self.optimizer = self.accelerator.prepare(task.module, self.optimizer)
        self.ema.to(self.accelerator.device)
        self.main = bool(self.accelerator.is_main_process)
        self.logs: list[TrainingLog] = [Log(self.root / "log.csv", self.step)] if self.main else []
        if self.main and tensorboard:
            self.logs.append(TensorBoardLog(self.root / "tensorboard", self.step))
        self.meter = Meter("train", total=config.steps, done=self.step, quiet=quiet or not self.main)

    @property
    def last(self) -> Path:
        """The checkpoint that is saved regularly, and resumed from."""
        return self.root / "last.pt"

    @property
    def finished(self) -> bool:
        """Whether all steps are done, or validation has not got better for too long."""
        out_of_patience = self.config.patience is not None and self.since_best >= self.config.patience
        return self.step >= self.config.steps or out_of_patience

    @property
    def best_path(self) -> Path:
        """The checkpoint that validated best so far."""
        return self.root / "best.pt"

    def run(self, *, stop_after: int | None = None) -> Path:
        """Train to the last step, or to ``stop_after``, and return the last checkpoint."""
        told = False
        with termination() as terminated:
            for examples in batches(self.task.buckets, self.config.batch, self.config.seed, start=self.step):
                told = self._told_to_stop(terminated())
                if self.finished or self.step == stop_after or told:
                    break
                self._one_step(examples)
            self._save(self.last)
            self.meter.close()
            if not self.finished and told:
                raise StoppedError(
                    f"training was told to stop at step {self.step};"
                    f" {self.last} is saved, the same command resumes"
                )
        return self.last

    def _told_to_stop(self, here: bool) -> bool:
        """Return whether any process was told to stop: one that goes on alone waits for the others."""
        if self.accelerator.num_processes == 1:
            return here
        told = torch.tensor([float(here)], device=self.accelerator.device)
        return bool(self.accelerator.gather(told).any())

    def _one_step(self, examples: list[int]) -> None:
        mean = self._optimise(examples)
        self.step += 1
        self.ema.update(self.task.module, self.step)
        self.meter.update(self.step, loss=mean, rate=self.config.batch)
        if self.step % self.config.log_every == 0 or self.step == self.config.steps:
            self._note(loss=mean, lr=learning_rate(self.config, self.step - 1), seconds=self.meter.seconds)
        # Validation comes first: what is saved then knows of it, and a resumed run does not miss it.
        validate_every = self.config.validate_every or self.config.save_every
        if self.validate is not None and (self.step % validate_every == 0 or self.step == self.config.steps):
            self._validate(self.validate)
        if self.step % self.config.save_every == 0 or self.step == self.config.steps:
            self._save(self.last)

    def _note(self, **numbers: float) -> None:
        for log in self.logs:
            log.write(step=self.step, **numbers)

    def _optimise(self, examples: list[int]) -> float:
        """Do one optimiser step on this process's share of a batch and return the batch's mean loss."""
        rank = self.accelerator.process_index
        share = self.config.batch // self.accelerator.num_processes
        slots = range(share * rank, share * (rank + 1))
        torch.manual_seed(torch_seed(self.config.seed, "dropout", self.step, rank))
        self.module.train()
        with self.accelerator.autocast():
            loss = self.task.loss(self.module, [examples[i] for i in slots], slots, self.step)
        plain = self.accelerator.gather(loss.plain.detach().float())
        mean = float(plain.mean())
        if not math.isfinite(mean):
            raise DivergedError(
                f"the loss at step {self.step} is {mean}: {self.task.describe(examples, self.step)};"
                " the last checkpoint stays"
            )
        self.accelerator.backward(loss.weighted.mean())
        if self.config.clip_norm is not None:
            self.accelerator.clip_grad_norm_(self.module.parameters(), self.config.clip_norm)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(self.config, self.step)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.task.learned(examples, plain.cpu(), self.step)
        return mean

    def _validate(self, validate: Validate) -> None:
        with using(self.task.module, self.ema.weights):
            numbers = validate(self.step)
        self._note(**numbers)
        decisive = next(iter(numbers.values()))
        self.since_best += 1
        if decisive < self.best:
            self.best, self.since_best = decisive, 0
            self._save(self.best_path)

    def _save(self, path: Path) -> None:
        if self.main:
            weights = self.task.module.state_dict()
            state = {
                "step": self.step,
                "best": self.best,
                "since_best": self.since_best,
                "ema": self.ema.weights,
                "weights": weights,
                "optimizer": self.optimizer.state_dict(),
                "task": self.task.state_dict(),
            }
            derived = self.task.derived(ema=self.ema.weights, weights=weights)
            write_checkpoint(path, self.task.contents() | derived | state)
            if path == self.last and self.best == math.inf:
                self.best_path.unlink(missing_ok=True)  # no validation of this training chose it
        self.accelerator.wait_for_everyone()

    def _resume(self) -> None:
        """Put everything back as it was saved."""
        saved = read_checkpoint(self.last)
        for name, now in self.task.contents().items():
            if saved.get(name) != now:
                raise ScandlError(
                    f"{self.last}: its {name} differs from this run's;"
                    " train into another folder or with --restart"
                )
        with complete(self.last):
            self.task.module.load_state_dict(saved["weights"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.ema.weights = saved["ema"]
            self.task.load_state_dict(saved["task"])
            self.step, self.best = int(saved["step"]), float(saved["best"])
            self.since_best = int(saved["since_best"])


def learning_rate(config: TrainingConfig, step: int) -> float:
    """Return the learning rate of a step that counts from 0: a linear decay to 0, after a warm-up.

    >>> [learning_rate(TrainingConfig(steps=4, lr=1.0), n) for n in range(4)]
    [1.0, 0.75, 0.5, 0.25]
    """
    rise = min(1.0, (step + 1) / config.warmup) if config.warmup else 1.0
    decay = 1.0 - step / config.steps if config.lr_schedule == "linear" else 1.0
    return config.lr * rise * decay


def _accelerator(config: TrainingConfig, device: str | None) -> Any:
    accelerate = need("accelerate", "model")
    chosen_device(device)  # refuses what is not there; accelerate itself shares GPUs among processes
    return accelerate.Accelerator(mixed_precision=config.precision, cpu=device == "cpu")


@contextmanager
def using(module: nn.Module, weights: dict[str, Tensor]) -> Iterator[None]:
    """Lend ``weights`` to a module in evaluation mode, and take them back."""
    own = {name: p.detach().clone() for name, p in module.named_parameters()}
    training = module.training
    try:
        module.load_state_dict(weights, strict=False)
        module.eval()
        yield
    finally:
        module.load_state_dict(own, strict=False)
        module.train(training)
