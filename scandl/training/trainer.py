"""The training loop of every torch model of the project.

What happens at step n is a function of the seed and n alone: the batch, the noise, the dropout.
So a run that was killed and resumed gives the weights of one that was not, and two processes
with half a batch each give what one with the whole batch gives (dropout alone is each process's own).

The loop never waits for the device: losses stay there, and are looked at when they are logged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from scandl.config import TrainingConfig
from scandl.errors import DivergedError, ScandlError, StoppedError
from scandl.seeds import torch_seed
from scandl.training.checkpoint import check_same, complete, read_checkpoint, write_checkpoint
from scandl.training.planned_batches import Examples, planned
from scandl.training.processes import autocast, learning_rate, short_factors, termination, training_processes
from scandl.training.training_log import Log, Meter, TensorBoardLog, TrainingLog

LOOK_EVERY = 50  # steps at most between two looks at whether the loss is still a number
STOP_EVERY = 10  # steps between two questions whether another process was told to stop


Validate = Callable[[int], dict[str, float]]
"""Called with the step; returns numbers for the log, the first of which decides what is best (lower)."""


@dataclass(frozen=True, slots=True)
class StepLoss:
    """The loss of this process's share of a batch."""

    weighted: Tensor  # (B,) what the gradient is taken of
    plain: Tensor  # (B,) without importance weights, for the log and the task's own history


class TrainingTask(Protocol):
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
    """Trains a task into a folder: ``last.pt``, ``best.pt`` when validation chooses, ``log.csv``."""

    def __init__(
        self,
        task: TrainingTask,
        config: TrainingConfig,
        folder: Path | str,
        *,
        validate: Validate | None = None,
        choose: bool = True,
        resume: bool = True,
        quiet: bool = False,
        device: str | None = None,
        tensorboard: bool = False,
    ) -> None:
        self.task = task
        self.config = config
        self.root = Path(folder)
        self.validate = validate
        self.choose = choose  # whether the first number of a validation decides which checkpoint is best
        self.processes = training_processes(device)
        parts = self.processes.count * config.accumulate
        if config.batch % parts:
            shared = f"{self.processes.count} processes"
            raise ScandlError(
                f"a batch of {config.batch} cannot be shared by {shared}"
                + (f" in {config.accumulate} parts each" if config.accumulate > 1 else "")
            )
        self.step, self.best, self.since_best = 0, math.inf, 0
        task.module.to(self.device)
        self.optimizer = torch.optim.AdamW(
            task.module.parameters(),
            lr=config.lr,
            weight_decay=config.weight_decay,
            fused=self.device.type in ("cpu", "cuda"),
        )
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=config.precision == "fp16")
        self.ema = Ema(task.module, config.ema_decay, warmup=config.ema_warmup)
        if resume and self.last.exists():
            self._resume()
        # Only what is shared averages its gradients over processes; the task keeps the bare module.
        self._shared = self.processes.shared(task.module)
        self.module: nn.Module = torch.compile(self._shared) if config.compile else self._shared  # type: ignore[assignment]
        self._mean = torch.zeros((), device=self.device)  # loss of the last step
        self._spoilt = torch.tensor([-1.0, 0.0], device=self.device)  # first step without a loss; its loss
        self.shown = math.nan  # the loss as of the last look
        self.main = self.processes.rank == 0
        self.logs: list[TrainingLog] = [Log(self.root / "log.csv", self.step)] if self.main else []
        if self.main and tensorboard:
            self.logs.append(TensorBoardLog(self.root / "tensorboard", self.step))
        self.meter = Meter("train", total=config.steps, done=self.step, quiet=quiet or not self.main)

    @property
    def device(self) -> torch.device:
        """Where this process trains."""
        return self.processes.device

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
        settings = self.config.batch, self.config.seed, self.step, self.device
        with termination() as terminated, short_factors(self.config, self.device):
            for examples in planned(self.task.buckets, *settings):
                told = self._told_to_stop(terminated())
                if self.finished or self.step == stop_after or told:
                    break
                self._one_step(examples)
            self._look()
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
        if self.processes.count == 1:
            return here
        if self.step % STOP_EVERY:
            return False  # asking means waiting for all
        told = torch.tensor([float(here)], device=self.device)
        return bool(self.processes.gathered(told).any())

    def _one_step(self, examples: Examples) -> None:
        self._optimise(examples)
        self.step += 1
        self.ema.update(self.task.module, self.step)
        config, end = self.config, self.step == self.config.steps
        validates = self.validate is not None and self._due(config.validate_every or config.save_every)
        saves, logs = self._due(config.save_every), self._due(config.log_every)
        if validates or saves or logs or self.step % LOOK_EVERY == 0 or end:
            self._look()
        self.meter.update(self.step, loss=self.shown, rate=config.batch)
        if logs:
            self._note(loss=self.shown, lr=learning_rate(config, self.step - 1), seconds=self.meter.seconds)
        # Validation comes first: what is saved then knows of it, and a resumed run does not miss it.
        if validates and self.validate is not None:
            self._validate(self.validate)
        if saves:
            self._save(self.last)

    def _due(self, every: int) -> bool:
        return self.step % every == 0 or self.step == self.config.steps

    def _note(self, **numbers: float) -> None:
        for log in self.logs:
            log.write(step=self.step, **numbers)

    def _optimise(self, examples: Examples) -> None:
        """Do one optimiser step on this process's share of a batch."""
        torch.manual_seed(torch_seed(self.config.seed, "dropout", self.step, self.processes.rank))
        if not self.module.training:
            self.module.train()
        share = self.config.batch // self.processes.count
        first, size = share * self.processes.rank, share // self.config.accumulate
        plain = []
        for k in range(self.config.accumulate):
            slots = range(first + k * size, first + (k + 1) * size)
            ends = k + 1 == self.config.accumulate
            with nullcontext() if ends else self.processes.unshared(self._shared):
                with autocast(self.config, self.device):
                    loss = self.task.loss(self.module, examples.part(slots), slots, self.step)
                whole = self.scaler.scale(loss.weighted.mean() / self.config.accumulate)
                whole.backward()  # type: ignore[no-untyped-call]
            plain.append(loss.plain.detach().float())
        losses = self.processes.gathered(torch.cat(plain))
        self._mean = losses.mean()
        bad = ~torch.isfinite(self._mean) & (self._spoilt[0] < 0)
        here = torch.stack([torch.full_like(self._mean, self.step), self._mean])
        self._spoilt = torch.where(bad, here, self._spoilt)
        self._update_weights()
        self.task.learned(examples, losses, self.step)

    def _update_weights(self) -> None:
        if self.config.clip_norm is not None:
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.task.module.parameters(), self.config.clip_norm)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(self.config, self.step)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()

    def _look(self) -> None:
        """Fetch the loss from the device, and stop if it was no number at any step since the last look."""
        spoilt, value = self._spoilt.tolist()
        if spoilt >= 0:
            plan = planned(
                self.task.buckets, self.config.batch, self.config.seed, int(spoilt), torch.device("cpu")
            )
            told = self.task.describe(next(plan), int(spoilt))
            raise DivergedError(
                f"the loss at step {int(spoilt)} is {value}: {told}; the last checkpoint stays"
            )
        self.shown = float(self._mean)

    def _validate(self, validate: Validate) -> None:
        """Validate in the first process; what it finds decides in all, so that none goes another way."""
        numbers: dict[str, float] = {}
        if self.main:
            with using(self.task.module, self.ema.weights):
                numbers = validate(self.step)
        numbers = self.processes.of_first(numbers)
        self._note(**numbers)
        if not self.choose:
            return
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
                "scaler": self.scaler.state_dict(),
                "task": self.task.state_dict(),
            }
            derived = self.task.derived(ema=self.ema.weights, weights=weights)
            write_checkpoint(path, self.task.contents() | derived | state)
            if path == self.last and self.best == math.inf:
                self.best_path.unlink(missing_ok=True)  # no validation of this training chose it
        self.processes.wait()

    def _resume(self) -> None:
        """Put everything back as it was saved."""
        saved = read_checkpoint(self.last)
        check_same(self.last, saved, self.task.contents(), self.config.steps)
        with complete(self.last):
            self.task.module.load_state_dict(saved["weights"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.scaler.load_state_dict(saved["scaler"])
            self.ema.weights = saved["ema"]
            self.ema.to(self.device)
            self.task.load_state_dict(saved["task"])
            self.step, self.best = int(saved["step"]), float(saved["best"])
            self.since_best = int(saved["since_best"])


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


class Ema:
    """An exponential moving average that can follow fast at first.

    Without warm-up the initial, random weights keep a share of decay^n: 0.61 after 5,000 steps of
    0.9999. The warm-up takes min(decay, (1 + n)/(10 + n)).
    """

    def __init__(self, module: nn.Module, decay: float, *, warmup: bool) -> None:
        self.decay = decay
        self.warmup = warmup
        self.weights: dict[str, Tensor] = {name: p.detach().clone() for name, p in module.named_parameters()}

    @torch.no_grad()
    def update(self, module: nn.Module, step: int) -> None:
        """Move towards the present weights; ``step`` counts from 1."""
        decay = min(self.decay, (1 + step) / (10 + step)) if self.warmup else self.decay
        present = [parameter.detach() for _, parameter in module.named_parameters()]
        torch._foreach_lerp_(list(self.weights.values()), present, 1.0 - decay)

    def to(self, device: torch.device) -> None:
        """Move the average to where the weights are."""
        self.weights = {name: weight.to(device) for name, weight in self.weights.items()}
