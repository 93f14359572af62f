"""The exported model: the numbers and scanpaths of torch, without torch."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scandl.config import TrainingConfig
from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.diffusion.denoiser import collate
from scandl.models.diffusion.fold_training import train
from scandl.models.diffusion.numpy_model import NumpyScandl
from scandl.models.diffusion.settings import DiffusionConfig, ModelConfig, ScandlConfig
from scandl.models.diffusion.torch_model import Denoising, TorchNetwork, TrainedScandl, export
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream
from scandl.training.weight_files import write_weights

SENTENCE = Sentence("s", "The cat sat on the mat.")

CORPUS = Corpus(Card(name="t"), {"s": SENTENCE}, tuple(Scanpath(f"r{i}", "s", (0, 1, i)) for i in range(4)))

CONFIG = ScandlConfig(
    model=ModelConfig(
        layers=2, heads=4, dim=32, feed_forward=64, seq_len=48, buckets=(24, 48), encoder="lexical"
    ),
    diffusion=DiffusionConfig(steps=60),
    training=TrainingConfig(steps=3, batch=4, save_every=3, lr=1e-2, validation="none"),
)


def models(tmp_path: Path, config: ScandlConfig = CONFIG) -> tuple[TrainedScandl, NumpyScandl]:
    fold = {"fold_id": "ns-0", "setting": "ns", "corpus": "t", "train": [["r1", "s"]]}
    checkpoint = train(config, CORPUS, tmp_path / "run", fold=fold, device="cpu", quiet=True)
    file = export(checkpoint, tmp_path / "model.npz", about="a test")
    return TrainedScandl.load(checkpoint, device="cpu"), NumpyScandl.load(file)


ABLATIONS: list[dict[str, bool]] = [{}, {"sentence_condition": False}, {"text_and_position": False}]


@pytest.mark.parametrize("change", ABLATIONS)
def test_it_is_the_network_of_torch(tmp_path: Path, change: dict[str, bool]) -> None:
    config = replace(CONFIG, model=replace(CONFIG.model, **change))  # type: ignore[arg-type]
    with_torch, without = models(tmp_path, config)
    requests = [Request(SENTENCE, "", k) for k in range(3)]
    inputs = [with_torch.tokens(request, 1) for request in requests]
    streams = [[stream(k) for k in range(3)] for _ in range(2)]
    eager = TorchNetwork(with_torch.denoiser, collate(inputs), streams[0])
    exported = without.reading([without.tokens(request, 1) for request in requests], streams[1])
    z = eager.noise()
    np.testing.assert_array_equal(exported.noise(), z.numpy())
    for t in (0, 31, 59):
        expected = eager.predict(z, t).detach()
        found = exported.predict(z.numpy(), t)
        np.testing.assert_allclose(found, expected.numpy(), rtol=0, atol=1e-4)
        assert np.array_equal(exported.nearest(found), eager.nearest(expected).numpy())
        assert np.array_equal(exported.final(found), eager.final(expected).numpy())


def test_it_reads_like_torch(tmp_path: Path) -> None:
    with_torch, without = models(tmp_path)
    requests, sampling = [Request(SENTENCE, "r", k) for k in range(10)], Denoising(steps=12)
    assert without.read(requests, seed=2, sampling=sampling) == with_torch.read(
        requests, seed=2, sampling=sampling
    )


def test_the_file_carries_all_that_is_known_of_the_model(tmp_path: Path) -> None:
    with_torch, without = models(tmp_path)
    assert without.config == with_torch.config
    assert without.lengths == with_torch.lengths
    assert without.lengths.longest == SENTENCE.n_words
    assert without.fold == with_torch.fold
    assert (without.encoder.identity, without.about) == ("lexical/3", "a test")
    with pytest.raises(ScandlError, match="trained on sentence 's'"):
        without.refuse_leak([("r9", "s")], "t")


def test_the_same_weights_give_the_same_bytes(tmp_path: Path) -> None:
    models(tmp_path)
    again = export(tmp_path / "run" / "last.pt", tmp_path / "again.npz", about="a test")
    assert again.read_bytes() == (tmp_path / "model.npz").read_bytes()


def test_files_of_other_models_are_refused(tmp_path: Path) -> None:
    path = write_weights(tmp_path / "x.npz", {"format": "other"}, {})
    with pytest.raises(ScandlError, match="x.npz: found format other, expected scandl-2"):
        NumpyScandl.load(path)


WITHOUT_TORCH = """
import json, sys
class Refuse:
    def find_spec(self, name, *_):
        if name.split(".")[0] in ("torch", "transformers", "accelerate"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refuse())
from scandl.cli import main
code = main(["generate", *sys.argv[1:]])
sys.exit(code)
"""


def test_the_command_needs_no_torch(tmp_path: Path) -> None:
    with_torch, _ = models(tmp_path)
    out = tmp_path / "preds.csv"
    command = [sys.executable, "-c", WITHOUT_TORCH, "--model", str(tmp_path / "model.npz"), "--text"]
    done = subprocess.run(
        [*command, SENTENCE.text, "--steps", "12", "--out", str(out)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (expected,) = with_torch.read(
        [Request(Sentence("t1", SENTENCE.text))], seed=1, sampling=Denoising(steps=12)
    )
    header, row = out.read_text().splitlines()
    cells = dict(zip(header.split(","), row.split(","), strict=True))
    assert cells["predicted"] == " ".join(map(str, expected.positions))
    assert cells["encoder"] == "lexical/3"
