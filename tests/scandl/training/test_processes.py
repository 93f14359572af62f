"""Devices by name, signals that are noted, learning rates by their definition, processes with a device each."""

from __future__ import annotations

import os
import signal
import threading

import pytest
import torch

from scandl.config import TrainingConfig
from scandl.errors import ScandlError
from scandl.training.processes import (
    Alone,
    autocast,
    chosen_device,
    learning_rate,
    short_factors,
    termination,
    training_processes,
)


def test_without_a_name_it_is_the_gpu_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for there, expected in ((True, "cuda"), (False, "cpu")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda there=there: there)
        assert chosen_device(None).type == expected
    assert chosen_device("cpu") == torch.device("cpu")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gpu", "--device gpu: expected cpu or cuda"),
        ("meta", "--device meta: expected cpu or cuda"),
        ("cuda:1", "--device cuda:1: no such CUDA device, there is 1"),
        ("cpu:1", "--device cpu:1: no such CPU device, there is 1"),
    ],
)
def test_what_is_not_there(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    with pytest.raises(ScandlError) as caught:
        chosen_device(name)
    assert str(caught.value) == text


@pytest.fixture(autouse=True)
def _as_on_a_terminal(interruptible: None) -> None:
    """Let Ctrl-C interrupt, whatever runs the tests."""


def test_the_first_signal_is_noted_and_the_second_acts() -> None:
    with termination() as told, pytest.raises(KeyboardInterrupt):
        assert not told()
        os.kill(os.getpid(), signal.SIGINT)
        assert told()
        os.kill(os.getpid(), signal.SIGINT)
        signal.pause()


def test_handlers_come_back() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    with termination():
        assert signal.getsignal(signal.SIGTERM) != before[0]
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)] == before


def test_what_was_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with termination() as told:
            os.kill(os.getpid(), signal.SIGTERM)
            assert not told()
    finally:
        signal.signal(signal.SIGTERM, before)


def test_another_thread_leaves_signals_alone() -> None:
    answers: list[bool] = []

    def work() -> None:
        with termination() as told:
            answers.append(told())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert answers == [False]


def test_the_rate_rises_and_falls() -> None:
    config = TrainingConfig(steps=100, lr=2.0, warmup=10)
    assert [learning_rate(config, n) for n in (0, 4, 9, 50, 99)] == pytest.approx(
        [2 * 0.1, 2 * 0.5 * 0.96, 2 * 0.91, 1.0, 0.02]
    )
    constant = TrainingConfig(steps=100, lr=2.0, lr_schedule="constant")
    assert {learning_rate(constant, n) for n in range(100)} == {2.0}


@pytest.mark.parametrize(
    ("precision", "kind"),
    [("no", torch.float32), ("tf32", torch.float32), ("bf16", torch.bfloat16), ("fp16", torch.float16)],
)
def test_products_have_the_precision_that_was_asked_for(precision: str, kind: torch.dtype) -> None:
    with autocast(TrainingConfig(precision=precision), torch.device("cpu")):  # type: ignore[arg-type]
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == kind


@pytest.mark.parametrize(
    ("precision", "device", "inside"),
    [
        ("tf32", "cuda", "high"),
        ("tf32", "cpu", "highest"),
        ("no", "cuda", "highest"),
    ],
)
def test_tf32_is_for_gpus_and_while_training_alone(precision: str, device: str, inside: str) -> None:
    with short_factors(TrainingConfig(precision=precision), torch.device(device)):  # type: ignore[arg-type]
        assert torch.get_float32_matmul_precision() == inside
    assert torch.get_float32_matmul_precision() == "highest"


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
