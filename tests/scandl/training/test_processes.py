"""Processes: the device that was asked for, alone; one each, together (two real ones: test_trainer)."""

from __future__ import annotations

import pytest
import torch

from scandl.errors import ScandlError
from scandl.training.processes import Alone, training_processes


def test_one_process_trains_on_the_device_it_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert training_processes("cuda:1").device == torch.device("cuda", 1)
    with pytest.raises(ScandlError, match="--device cuda:2: no such CUDA device, there are 2"):
        training_processes("cuda:2")


def test_several_processes_have_a_device_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ScandlError, match="--device cuda:1: several processes have a device each"):
        training_processes("cuda:1")


def test_alone_everything_is_as_it_was() -> None:
    alone = Alone(torch.device("cpu"))
    values, module = torch.arange(3), torch.nn.Linear(1, 1)
    assert alone.gathered(values) is values
    assert alone.shared(module) is module
    assert alone.of_first({"a": 1.0}) == {"a": 1.0}
