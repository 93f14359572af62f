"""Devices by name: what is not there is refused in words."""

from __future__ import annotations

import pytest
import torch

from scandl.errors import ScandlError
from scandl.training.device import chosen_device


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
