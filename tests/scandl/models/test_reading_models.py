"""Any trained model behind one door: by name, file or folder, and one line for what is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import scandl
from scandl.errors import ScandlError
from scandl.models.diffusion.diffusion_model import Sampling
from scandl.models.reading_models import ModelOptions, load_model
from scandl.records import Sentence

CAT = Sentence("t1", "The cat sat on the mat.")


def test_checkpoint_folder_and_export_are_one_model(pointer_checkpoint: Path, pointer_file: Path) -> None:
    paths = [
        scandl.generate(CAT.text, samples=3, seed=2, model=model)
        for model in (pointer_checkpoint, pointer_checkpoint.parent, pointer_file, load_model(pointer_file))
    ]
    assert paths[0] == paths[1] == paths[2] == paths[3]
    assert all(path.durations and len(path.durations) == path.n_fixations for path in paths[0])


def test_raw_weights_are_others(pointer_checkpoint: Path) -> None:
    models = [load_model(pointer_checkpoint, ModelOptions(raw=raw)) for raw in (False, True)]
    states = [model.network.runner.network.state_dict() for model in models]  # type: ignore[union-attr]
    assert any((states[0][name] != states[1][name]).any() for name in states[0])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            ModelOptions(raw=True),
            "--raw: an exported model has one set of weights; it goes with a checkpoint",
        ),
        (
            ModelOptions(device="cuda"),
            "--device cuda: exported models and that of the package run on the CPU",
        ),
        (ModelOptions(sampling=Sampling()), "denoising steps, samplers and symbols are of diffusion models"),
    ],
)
def test_what_an_exported_pointer_cannot(options: ModelOptions, text: str, pointer_file: Path) -> None:
    with pytest.raises(ScandlError) as caught:
        load_model(pointer_file, options)
    assert str(caught.value).startswith(text)


def test_what_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match="found a folder without last.pt, expected a checkpoint of scandl"):
        load_model(tmp_path)
    with pytest.raises(ScandlError, match=r"none.onnx: no such model"):
        load_model(tmp_path / "none.onnx")
    (tmp_path / "x.onnx").write_bytes(b"scandl-pointer")
    with pytest.raises(ScandlError, match=r"x.onnx: not a whole ONNX model"):
        load_model(tmp_path / "x.onnx")


def test_a_batch_changes_no_path(pointer_file: Path) -> None:
    texts = [CAT.text, "A dog.", "One two three four five six seven eight."] * 3
    models = [load_model(pointer_file, ModelOptions(batch=batch)) for batch in (None, 1, 4)]
    found = [scandl.generate(texts, samples=2, model=model) for model in models]
    assert found[0] == found[1] == found[2]


def test_the_shipped_one_needs_no_torch() -> None:
    script = (
        "import sys, scandl; scandl.generate('A cat sat.');"
        "sys.exit(int(any(m in sys.modules for m in ('torch', 'transformers'))))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True).returncode == 0
