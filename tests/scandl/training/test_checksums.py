"""One changed bit anywhere in a model file is seen; whole files are read, and equal ones are equal."""

from __future__ import annotations

import random
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest
import torch

from scandl.errors import ScandlError
from scandl.models.diffusion.onnx_model import OnnxScandl
from scandl.models.diffusion.trained_models import demonstration_model
from scandl.training.checkpoint import read_checkpoint, write_checkpoint

CONTENTS = {"step": 3, "weights": {"w": torch.arange(40.0).reshape(5, 8)}, "name": "a"}


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_every_flipped_bit_of_a_checkpoint_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "last.pt"
    write_checkpoint(path, CONTENTS)
    content = path.read_bytes()
    assert torch.equal(read_checkpoint(path)["weights"]["w"], CONTENTS["weights"]["w"])  # type: ignore[index]
    chosen = random.Random(1).sample(range(8 * len(content)), 300)
    for bit in [*chosen, *range(8 * len(content) - 8 * 100, 8 * len(content))]:
        path.write_bytes(flipped(content, bit))
        with pytest.raises(
            ScandlError,
            match=r"last.pt: not a whole checkpoint of this program \(truncated, changed, or something else\)",
        ):
            read_checkpoint(path)


def test_equal_contents_give_equal_bytes_and_an_archive(tmp_path: Path) -> None:
    for name in ("a.pt", "b.pt"):
        write_checkpoint(tmp_path / name, CONTENTS)
    assert (tmp_path / "a.pt").read_bytes() == (tmp_path / "b.pt").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.pt") as archive:
        assert archive.testzip() is None
        assert archive.comment.startswith(b"sha256 ")


def test_a_checkpoint_without_checksum_is_held_against_its_crcs(tmp_path: Path) -> None:
    path = tmp_path / "old.pt"
    torch.save({"format": 1, **CONTENTS}, path)
    assert read_checkpoint(path)["step"] == 3
    at = path.read_bytes().index(CONTENTS["weights"]["w"].numpy().tobytes())  # type: ignore[index]
    path.write_bytes(flipped(path.read_bytes(), 8 * at + 77))
    with pytest.raises(ScandlError, match="not a whole checkpoint"):
        read_checkpoint(path)


def test_every_flipped_bit_of_an_exported_model_is_seen(tmp_path: Path) -> None:
    content = files("scandl.models.shipped").joinpath("demo.onnx").read_bytes()
    assert demonstration_model().about
    path = tmp_path / "model.onnx"
    chosen = random.Random(2).sample(range(8 * len(content)), 25)
    for bit in [*chosen, *range(8 * len(content) - 8, 8 * len(content)), 8 * (len(content) - 70)]:
        path.write_bytes(flipped(content, bit))
        with pytest.raises(ScandlError, match="model.onnx: not a whole ONNX model made by scandl export"):
            OnnxScandl.load(path)
