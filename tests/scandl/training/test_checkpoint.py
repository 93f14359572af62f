"""Checkpoints: what is ours, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from scandl.errors import ScandlError
from scandl.training.checkpoint import check_numbers, complete, read_checkpoint, write_checkpoint


def test_checkpoints_that_are_not_ours_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    with pytest.raises(ScandlError, match="x.pt: no such checkpoint"):
        read_checkpoint(path)
    write_checkpoint(path, {"step": 1})
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ScandlError, match="x.pt: not a whole checkpoint"):
        read_checkpoint(path)
    torch.save({"format": 99}, path)
    with pytest.raises(ScandlError, match="found checkpoint format 99, expected 1: made by another version"):
        read_checkpoint(path)


def test_one_changed_bit_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    write_checkpoint(path, {"weights": {"w": torch.arange(64.0)}})
    whole = path.read_bytes()
    for place in range(40, len(whole), len(whole) // 23):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(ScandlError, match="x.pt: not a whole checkpoint"):
            read_checkpoint(path)
    path.write_bytes(whole)
    assert read_checkpoint(path)["weights"]["w"].tolist() == list(range(64))


@pytest.mark.parametrize("part", ["ema", "weights", "optimizer"])
def test_another_precision_is_refused(tmp_path: Path, part: str) -> None:
    path = tmp_path / "x.pt"
    write_checkpoint(
        path, {part: {"deep": {"w": torch.ones(2, dtype=torch.float64)}, "n": torch.ones(1).long()}}
    )
    with pytest.raises(ScandlError) as caught:
        read_checkpoint(path)
    assert str(caught.value) == (
        f"{path}: {part}.deep.w: found numbers of type torch.float64, expected torch.float32"
    )


def test_equal_contents_are_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.pt", "other.pt"):
        write_checkpoint(tmp_path / name, {"step": 3, "weights": {"w": torch.ones(5)}})
    assert (tmp_path / "a.pt").read_bytes() == (tmp_path / "other.pt").read_bytes()


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(value: float) -> None:
    check_numbers("m.pt", {"a": torch.ones(3)})
    with pytest.raises(ScandlError) as caught:
        check_numbers("m.pt", {"a": torch.ones(3), "b": torch.tensor([1.0, value])})
    assert str(caught.value) == "m.pt: weights 'b' hold NaN or infinity: nothing can be generated"


def test_parts_that_lack_or_do_not_fit_are_one_line() -> None:
    with pytest.raises(ScandlError) as caught, complete("m.pt"):
        raise KeyError("weights")
    assert str(caught.value) == (
        "m.pt: a checkpoint that lacks parts, or whose parts do not fit (no 'weights')"
    )
    with pytest.raises(ScandlError, match=r"do not fit \(size mismatch\)"), complete("m.pt"):
        raise RuntimeError("size mismatch\nfor layer 2")
