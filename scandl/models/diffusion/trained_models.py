"""Trained models by file, and the one that ships with the package."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.models.diffusion.diffusion_model import ScanpathModel
from scandl.models.diffusion.onnx_model import OnnxScandl


def open_model(path: Path | str, *, device: str | None = None) -> ScanpathModel:
    """Open a checkpoint (torch) or an exported model (``.onnx``)."""
    if Path(path).suffix == ".onnx":
        check_cpu(device)
        return OnnxScandl.load(path)
    need("torch", "model")
    from scandl.models.diffusion.torch_model import TrainedScandl

    return TrainedScandl.load(path, device=device)


def check_cpu(device: str | None) -> None:
    """Refuse another device for a model that does not run on torch."""
    if device not in (None, "cpu"):
        raise ScandlError(
            f"--device {device}: exported models and that of the package run on the CPU, a checkpoint of"
            " scandl train runs on the GPU too"
        )


def demonstration_model() -> OnnxScandl:
    """Open the small model of the package; ``about`` says what it was trained on."""
    with as_file(files("scandl.models.shipped").joinpath("demo.onnx")) as path:
        return OnnxScandl.load(path)
