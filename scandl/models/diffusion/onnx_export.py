"""From a checkpoint to one ONNX file that generates without torch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scandl.config import from_table, to_table
from scandl.errors import ScandlError
from scandl.files.results import atomic_file
from scandl.models.diffusion.onnx_graph import denoiser_model
from scandl.models.diffusion.onnx_model import FORMAT
from scandl.models.diffusion.scandl_checkpoint import PREFIX, folded_from, read_scandl
from scandl.models.diffusion.settings import ScandlConfig
from scandl.text.folded import Folded
from scandl.training.checkpoint import check_numbers, complete
from scandl.training.checksums import sealed_onnx

Array = NDArray[np.float32]


def export_onnx(checkpoint: Path | str, out: Path | str, *, weights: str = "ema", about: str = "") -> Path:
    """Write the model of a checkpoint, its encoder folded in, and return the path.

    ``about`` is told to whoever generates with the file: what it was trained on, what it is good for.
    """
    target = Path(out)
    if target.suffix != ".onnx":
        raise ScandlError(f"--out {target}: expected a name that ends in .onnx")
    saved = read_scandl(checkpoint)
    with complete(checkpoint):
        check_numbers(checkpoint, saved[weights])
        own = {name.removeprefix(PREFIX): tensor.numpy() for name, tensor in saved[weights].items()}
        model = onnx_bytes(
            from_table(ScandlConfig, saved["config"]),
            own,
            folded_from(saved["folded"][weights]),
            {"fold": json.dumps(saved["fold"]), "step": str(saved["step"]), "about": about},
        )
    with atomic_file(target) as temporary:
        temporary.write_bytes(model)
    return target


def onnx_bytes(
    config: ScandlConfig, weights: Mapping[str, Array], folded: Folded, metadata: Mapping[str, str]
) -> bytes:
    """Return the file of a network's weights and its folded encoder."""
    tables = {"ids": weights["ids.weight"], "head_bias": weights["head_bias"]}
    if config.model.text_and_position:
        tables["positions"] = weights["positions.weight"]
    tables |= {"text_table": folded.table, "text_bias": folded.bias}
    facts = {
        "scandl": FORMAT,
        "config": json.dumps(to_table(config)),
        **{f"encoder_{part}": getattr(folded, part) for part in ("name", "identity", "tokenizer")},
        **metadata,
    }
    model = denoiser_model(config.model, config.diffusion.steps, weights, tables, facts)
    return sealed_onnx(bytes(model.SerializeToString(deterministic=True)))
