"""Where training runs: the device, its precision, the processes that train together, and when they stop."""

from __future__ import annotations

import atexit
import gc
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from types import FrameType
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from scandl.config import TrainingConfig
from scandl.errors import ScandlError
from scandl.extras import need

_HALF = {"bf16": torch.bfloat16, "fp16": torch.float16}
T = TypeVar("T")


def chosen_device(name: str | None) -> torch.device:
    """Return the device of that name; without one the GPU where there is one."""
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ScandlError(f"--device {name}: expected cpu or cuda") from None
    there = {"cpu": 1, "cuda": torch.cuda.device_count(), "mps": int(torch.backends.mps.is_available())}
    if device.type not in there:
        raise ScandlError(f"--device {name}: expected cpu or cuda")
    n, kind = there[device.type], device.type.upper()
    if n == 0:
        raise ScandlError(f"--device {name}: no {kind} device is available here")
    if (device.index or 0) >= n:
        raise ScandlError(f"--device {name}: no such {kind} device, there {'is' if n == 1 else 'are'} {n}")
    return device


@contextmanager
def termination() -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether SIGTERM or SIGINT has come; a second one acts at once.

    A scheduler sends the first before it kills, Ctrl-C sends the other. Who ignores one goes on doing so.
    """
    came = False
    numbers = [n for n in (signal.SIGTERM, signal.SIGINT) if signal.getsignal(n) is not signal.SIG_IGN]
    before = {number: signal.getsignal(number) for number in numbers}

    def note(number: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True
        signal.signal(number, before[signal.Signals(number)])

    try:
        for number in numbers:
            signal.signal(number, note)
    except ValueError:  # not the main thread: whoever runs us decides about signals
        yield lambda: False
        return
    try:
        yield lambda: came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def autocast(config: TrainingConfig, device: torch.device) -> AbstractContextManager[Any]:
    """Return a context in which the network computes in half precision, where that was asked for."""
    half = _HALF.get(config.precision)
    return nullcontext() if half is None else torch.autocast(device.type, dtype=half)


def learning_rate(config: TrainingConfig, step: int) -> float:
    """Return the learning rate of a step that counts from 0: a linear decay to 0, after a warm-up.

    >>> [learning_rate(TrainingConfig(steps=4, lr=1.0), n) for n in range(4)]
    [1.0, 0.75, 0.5, 0.25]
    """
    rise = min(1.0, (step + 1) / config.warmup) if config.warmup else 1.0
    decay = 1.0 - step / config.steps if config.lr_schedule == "linear" else 1.0
    return config.lr * rise * decay


@contextmanager
def short_factors(config: TrainingConfig, device: torch.device) -> Iterator[None]:
    """Let a GPU multiply matrices in TF32 where that was asked for, and leave the setting as it was."""
    before = torch.get_float32_matmul_precision()
    if config.precision == "tf32" and device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


class Alone:
    """One process: it talks to nobody."""

    rank = 0
    count = 1

    def __init__(self, device: torch.device) -> None:
        self.device = device

    def shared(self, module: nn.Module) -> nn.Module:
        """Return the module whose gradients are those of all processes."""
        return module

    def unshared(self, module: nn.Module) -> AbstractContextManager[Any]:
        """Return a context in which gradients stay with this process, to be shared later."""
        return nullcontext()

    def gathered(self, values: Tensor) -> Tensor:
        """Return the values of all processes, in order of rank."""
        return values

    def of_first(self, value: T) -> T:
        """Return what the first process has."""
        return value

    def wait(self) -> None:
        """Wait until all are here."""


class Together(Alone):
    """One of several processes that a launcher started, each with its share of every batch."""

    def __init__(self, device: str | None) -> None:
        if device not in (None, "cpu", "cuda"):
            raise ScandlError(
                f"--device {device}: several processes have a device each; leave it out, or give cpu"
            )
        chosen_device(device)
        # Its functions have the group as a default: imported when there is one, they would keep it for good.
        import_module("torch.distributed.nn.functional")
        state = need("accelerate", "model").PartialState(cpu=device == "cpu")
        super().__init__(state.device)
        self.rank, self.count = int(state.process_index), int(state.num_processes)
        self._shared: list[nn.parallel.DistributedDataParallel] = []
        atexit.register(self._leave)

    def shared(self, module: nn.Module) -> nn.Module:
        """Return the module whose gradients are averaged over all processes."""
        places = [self.device] if self.device.type == "cuda" else None
        self._shared.append(nn.parallel.DistributedDataParallel(module, device_ids=places))
        return self._shared[-1]

    def unshared(self, module: nn.Module) -> AbstractContextManager[Any]:
        """Return a context in which gradients stay with this process, to be shared later."""
        assert isinstance(module, nn.parallel.DistributedDataParallel)
        return module.no_sync()

    def gathered(self, values: Tensor) -> Tensor:
        """Return the values of all processes, in order of rank."""
        found = [torch.empty_like(values) for _ in range(self.count)]
        torch.distributed.all_gather(found, values.contiguous())
        return torch.cat(found)

    def of_first(self, value: T) -> T:
        """Return what the first process has."""
        box = [value]
        torch.distributed.broadcast_object_list(box, src=0, device=self.device)
        return box[0]

    def wait(self) -> None:
        """Wait until all are here."""
        torch.distributed.barrier()

    def _leave(self) -> None:
        """End the group and its threads before the process ends.

        A thread that still wants Python when there is none any more aborts the process. The threads end with
        the last reference to the group, and shared modules have some.
        """
        for module in self._shared:
            del module.logger, module.reducer, module.process_group
        if torch.distributed.is_initialized():
            torch.distributed.destroy_process_group()
        gc.collect()


def is_first_process() -> bool:
    """Say whether we are alone, or the first of the processes that a launcher started."""
    return int(os.environ.get("RANK", "0")) == 0


def training_processes(device: str | None) -> Alone:
    """Return the processes that a launcher started, or ourselves alone on the device of that name."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        return Together(device)
    return Alone(chosen_device(device))
