"""The processes that train together: who we are among them, and what they tell each other."""

from __future__ import annotations

import atexit
import gc
import os
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.training.device import chosen_device

T = TypeVar("T")


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
