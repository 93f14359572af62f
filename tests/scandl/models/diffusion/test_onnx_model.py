"""The exported model: the numbers and scanpaths of torch, without torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.diffusion.fold_training import train
from scandl.models.diffusion.onnx_export import export_onnx
from scandl.models.diffusion.onnx_model import OnnxScandl
from scandl.models.diffusion.samplers import SamplerOptions
from scandl.models.diffusion.settings import DiffusionConfig, ModelConfig, ScandlConfig
from scandl.models.diffusion.torch_model import Sampling, TrainedScandl
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.training.checksums import sealed_onnx
from scandl.training.training_settings import TrainingConfig

SENTENCE = Sentence("s", "The cat sat on the mat.")

CORPUS = Corpus(Card(name="t"), {"s": SENTENCE}, tuple(Scanpath(f"r{i}", "s", (0, 1, i)) for i in range(4)))

CONFIG = ScandlConfig(
    model=ModelConfig(
        layers=2, heads=4, dim=32, feed_forward=64, seq_len=48, buckets=(24, 48), encoder="lexical"
    ),
    diffusion=DiffusionConfig(steps=60),
    training=TrainingConfig(steps=3, batch=4, save_every=3, lr=1e-2, validation="none"),
)


def models(tmp_path: Path, config: ScandlConfig = CONFIG) -> tuple[TrainedScandl, OnnxScandl]:
    fold = {"fold_id": "ns-0", "setting": "ns", "corpus": "t", "train": [["r1", "s"]]}
    checkpoint = train(config, CORPUS, tmp_path / "run", fold=fold, device="cpu", quiet=True)
    file = export_onnx(checkpoint, tmp_path / "model.onnx", about="a test")
    return TrainedScandl.load(checkpoint, device="cpu"), OnnxScandl.load(file)


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(steps=12),
        Sampling(steps=12, sampler="ddim", late=2.0),
        Sampling(steps=12, options=SamplerOptions(round_below=0.5, top_p=1.5)),
    ],
)
def test_it_reads_like_torch(tmp_path: Path, sampling: Sampling) -> None:
    with_torch, without = models(tmp_path)
    requests = [Request(SENTENCE, "r", k) for k in range(10)]
    assert without.generate(requests, seed=2, sampling=sampling) == with_torch.generate(
        requests, seed=2, sampling=sampling
    )


def test_files_that_are_not_ours_are_refused(tmp_path: Path) -> None:
    models(tmp_path)
    path = tmp_path / "x.onnx"
    with pytest.raises(ScandlError, match="x.onnx: no such model"):
        OnnxScandl.load(path)
    path.write_bytes((tmp_path / "model.onnx").read_bytes()[:-500])
    with pytest.raises(ScandlError, match="x.onnx: not a whole ONNX model"):
        OnnxScandl.load(path)
    import onnx

    other = onnx.load(str(tmp_path / "model.onnx"))
    del other.metadata_props[:]
    onnx.save(other, str(path))
    with pytest.raises(ScandlError, match="x.onnx: not a whole ONNX model made by scandl export"):
        OnnxScandl.load(path)
    path.write_bytes(sealed_onnx(path.read_bytes()))
    with pytest.raises(ScandlError, match="x.onnx: found format none, expected 1: made by another version"):
        OnnxScandl.load(path)
    with pytest.raises(ScandlError, match="expected a name that ends in .onnx"):
        export_onnx(tmp_path / "run" / "last.pt", tmp_path / "model.bin")


WITHOUT_TORCH = """
import json, sys
class Refuse:
    def find_spec(self, name, *_):
        if name.split(".")[0] in ("torch", "transformers", "accelerate", "onnx"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refuse())
from scandl.cli import main
code = main(["generate", *sys.argv[1:]])
sys.exit(code)
"""


def test_the_command_needs_no_torch(tmp_path: Path) -> None:
    with_torch, _ = models(tmp_path)
    out = tmp_path / "preds.csv"
    command = [sys.executable, "-c", WITHOUT_TORCH, "--checkpoint", str(tmp_path / "model.onnx"), "--text"]
    done = subprocess.run(
        [*command, SENTENCE.text, "--steps", "12", "--out", str(out)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (expected,) = with_torch.generate(
        [Request(Sentence("t1", SENTENCE.text))], seed=1, sampling=Sampling(steps=12)
    )
    header, row = out.read_text().splitlines()
    cells = dict(zip(header.split(","), row.split(","), strict=True))
    assert cells["predicted"] == " ".join(map(str, expected.words))
    assert cells["encoder"] == "lexical/2"
