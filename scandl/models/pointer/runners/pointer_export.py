"""From a checkpoint of the word-pointing network to one ONNX file that generates without torch."""

from __future__ import annotations

import json
from pathlib import Path

from scandl.config import from_table
from scandl.errors import ScandlError
from scandl.files.results import atomic_file
from scandl.models.pointer.condition import Conditions
from scandl.models.pointer.pointer_settings import PointerConfig
from scandl.models.pointer.pointer_training import PREFIX
from scandl.models.pointer.runners.onnx_runner import FORMAT
from scandl.models.pointer.runners.pointer_graph import pointer_model
from scandl.training.checkpoint import read_checkpoint
from scandl.training.checksums import sealed_onnx


def export_onnx(
    checkpoint: Path | str,
    out: Path | str,
    *,
    weights: str = "ema",
    about: str = "",
    conditions: Conditions | None = None,
) -> Path:
    """Write the model of a checkpoint and return the path; ``about`` is told to whoever uses the file.

    ``conditions`` stand in place of those it was trained with.
    """
    target = Path(out)
    if target.suffix != ".onnx":
        raise ScandlError(f"--out {target}: expected a name that ends in .onnx")
    saved = read_checkpoint(checkpoint)
    if "pointer" not in saved:
        raise ScandlError(f"{checkpoint}: a checkpoint, but not of a word-pointing network")
    own = {name.removeprefix(PREFIX): value.numpy() for name, value in saved[weights].items()}
    facts = {
        "scandl-pointer": FORMAT,
        "config": json.dumps(saved["pointer"]),
        "conditions": json.dumps(conditions.to_table() if conditions else saved["conditions"]),
        "words": saved["words"],
        "timed": str(saved["timed"]),
        "about": about,
    }
    model = pointer_model(from_table(PointerConfig, saved["pointer"]).network, own, facts)
    with atomic_file(target) as temporary:
        temporary.write_bytes(sealed_onnx(bytes(model.SerializeToString(deterministic=True))))
    return target
